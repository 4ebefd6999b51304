//! What an engine says to a GUI, line by line.
//!
//! Engines of all ages say more than UCI knows, and some of it oddly: a line that is not understood is kept as text.

use std::fmt;

use crate::words::{Words, is_blank};
use crate::{Info, OptionDecl};

/// A line of an engine. [`Display`](fmt::Display) writes it as [`parse`](EngineLine::parse) reads it.
#[derive(Clone, Debug, PartialEq)]
pub enum EngineLine {
    /// `id name`: the engine's name and version.
    IdName(String),
    /// `id author`: who wrote it.
    IdAuthor(String),
    /// `option`: something that can be set.
    Option(OptionDecl),
    /// `uciok`: the answer to `uci` is complete.
    UciOk,
    /// `readyok`: everything before `isready` is done.
    ReadyOk,
    /// `info`: how far the search has come.
    Info(Info),
    /// `bestmove`: the search is over.
    BestMove(BestMove),
    /// Any other line, as it stands.
    Other(String),
}

/// The moves of `bestmove`, as they are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BestMove {
    /// The move to play. Without a legal move engines write `(none)`, `0000` or `NULL`; some write nothing.
    pub mv: String,
    /// The reply that the engine expects.
    pub ponder: Option<String>,
}

impl EngineLine {
    /// Reads a line.
    ///
    /// ```
    /// use mnemon_uci::{BestMove, EngineLine};
    ///
    /// let best = BestMove { mv: "e2e4".to_owned(), ponder: Some("e7e5".to_owned()) };
    /// assert_eq!(EngineLine::parse("bestmove e2e4 ponder e7e5\r"), EngineLine::BestMove(best));
    /// ```
    pub fn parse(line: &str) -> EngineLine {
        let mut words = Words::new(line);
        let understood = match words.next() {
            Some("id") => match words.next() {
                Some("name") => Some(EngineLine::IdName(words.rest().to_owned())),
                Some("author") => Some(EngineLine::IdAuthor(words.rest().to_owned())),
                _ => None,
            },
            Some("option") => OptionDecl::parse(&mut words).map(EngineLine::Option),
            Some("uciok") => Some(EngineLine::UciOk),
            Some("readyok") => Some(EngineLine::ReadyOk),
            Some("info") => Some(EngineLine::Info(Info::parse(&mut words))),
            Some("bestmove") => Some(EngineLine::BestMove(BestMove::parse(&mut words))),
            _ => None,
        };
        understood.unwrap_or_else(|| EngineLine::Other(line.trim_end_matches(is_blank).to_owned()))
    }
}

impl BestMove {
    /// Reads what follows `bestmove`.
    fn parse(words: &mut Words<'_>) -> Self {
        let mv = words.next().unwrap_or_default().to_owned();
        let ponder = words.find(|&word| word == "ponder").and_then(|_| words.next());
        BestMove { mv, ponder: ponder.map(str::to_owned) }
    }
}

impl fmt::Display for EngineLine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineLine::IdName(name) => write!(formatter, "id name {name}"),
            EngineLine::IdAuthor(author) => write!(formatter, "id author {author}"),
            EngineLine::Option(option) => option.fmt(formatter),
            EngineLine::UciOk => formatter.write_str("uciok"),
            EngineLine::ReadyOk => formatter.write_str("readyok"),
            EngineLine::Info(info) => info.fmt(formatter),
            EngineLine::BestMove(best) => best.fmt(formatter),
            EngineLine::Other(line) => formatter.write_str(line),
        }
    }
}

impl fmt::Display for BestMove {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "bestmove {}", self.mv)?;
        match &self.ponder {
            Some(reply) => write!(formatter, " ponder {reply}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(mv: &str, ponder: Option<&str>) -> EngineLine {
        EngineLine::BestMove(BestMove { mv: mv.to_owned(), ponder: ponder.map(str::to_owned) })
    }

    #[test]
    fn lines_of_several_engines() {
        assert_eq!(EngineLine::parse("id name Glaurung 2.2\r"), EngineLine::IdName("Glaurung 2.2".to_owned()));
        assert_eq!(EngineLine::parse("id author x y"), EngineLine::IdAuthor("x y".to_owned()));
        assert_eq!(EngineLine::parse("bestmove e2e4 ponder e7e5"), best("e2e4", Some("e7e5")));
        assert_eq!(EngineLine::parse("bestmove (none)"), best("(none)", None));
        assert_eq!(EngineLine::parse("bestmove"), best("", None));
        assert_eq!(
            [EngineLine::parse("uciok "), EngineLine::parse("readyok")],
            [EngineLine::UciOk, EngineLine::ReadyOk]
        );
        let others = ["", "id x", "EgbbProbe not  Loaded!", "option", "option name type spin", "option name x"];
        // Only ASCII blanks stand around words: what is no blank there is none at the end of a line either.
        for line in others.into_iter().chain(["id name\u{b}", "readyok\u{a0}"]) {
            assert_eq!(EngineLine::parse(line), EngineLine::Other(line.to_owned()), "{line}");
        }
    }
}
