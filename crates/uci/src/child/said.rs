//! What an engine says, line by line, as UCI defines it.
//!
//! Engines of all ages say more than UCI knows, and some of it oddly: what is not understood is skipped.

use std::str::FromStr;

/// A line, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineLine {
    /// `id name`: the engine's name.
    Name(String),
    /// `option`: something that can be set.
    OptionDecl(OptionDecl),
    /// `uciok`: that was all about itself.
    UciOk,
    /// `readyok`: everything before it is done.
    ReadyOk,
    /// `info`: what the search has found so far.
    Info(Info),
    /// `bestmove`: the answer.
    Best(String),
    /// Anything else.
    Other,
}

/// What a search has found so far; engines leave out what they like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// The depth of the iteration.
    pub depth: Option<u32>,
    /// Which of the best lines this is, counted from 1.
    pub line: Option<u32>,
    /// The score, from the engine's point of view.
    pub score: Option<Told>,
    /// Whether the score is only a bound.
    pub is_bound: bool,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// The line of play, in UCI's notation.
    pub pv: Vec<String>,
}

/// A score as UCI tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in so many moves; negative if the engine is mated.
    Mate(i32),
}

/// An option that an engine offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDecl {
    /// Its name, which is the same in small and capital letters.
    pub name: String,
    /// What it can be set to.
    pub kind: OptionKind,
}

/// What an option can be set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check,
    /// A whole number.
    Spin {
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// One of these words.
    Combo(Vec<String>),
    /// Nothing: it is pressed.
    Button,
    /// Any text.
    Text,
}

impl EngineLine {
    /// Understands a line.
    pub fn parse(line: &str) -> EngineLine {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["id", "name", ref name @ ..] => EngineLine::Name(name.join(" ")),
            ["option", ref rest @ ..] => OptionDecl::parse(rest).map_or(EngineLine::Other, EngineLine::OptionDecl),
            ["uciok", ..] => EngineLine::UciOk,
            ["readyok", ..] => EngineLine::ReadyOk,
            ["info", ref rest @ ..] => EngineLine::Info(Info::parse(rest)),
            ["bestmove", mv, ..] => EngineLine::Best(mv.to_owned()),
            ["bestmove"] => EngineLine::Best(String::new()),
            _ => EngineLine::Other,
        }
    }
}

impl Info {
    fn parse(words: &[&str]) -> Info {
        let mut info = Info::default();
        let mut rest = words;
        while let [name, after @ ..] = rest {
            rest = after;
            match *name {
                "depth" => info.depth = number(after),
                "multipv" => info.line = number(after),
                "nodes" => info.nodes = number(after),
                "score" => info.score = Told::parse(after),
                "lowerbound" | "upperbound" => info.is_bound = true,
                "pv" => {
                    let moves = after.iter().take_while(|word| !WORDS.contains(word));
                    info.pv = moves.map(|&mv| mv.to_owned()).collect();
                    rest = &after[info.pv.len()..];
                }
                // Words for people, up to the end of the line.
                "string" => break,
                _ => {}
            }
        }
        info
    }
}

/// The names that may follow a line of play.
const WORDS: [&str; 16] = [
    "depth",
    "seldepth",
    "multipv",
    "nodes",
    "time",
    "nps",
    "score",
    "lowerbound",
    "upperbound",
    "hashfull",
    "tbhits",
    "cpuload",
    "currmove",
    "currmovenumber",
    "currline",
    "string",
];

impl Told {
    fn parse(words: &[&str]) -> Option<Told> {
        match words {
            ["cp", rest @ ..] => number(rest).map(Told::Centipawns),
            ["mate", rest @ ..] => number(rest).map(Told::Mate),
            _ => None,
        }
    }

    /// In hundredths of a pawn, a mate being worth more than anything else.
    pub fn centipawns(self) -> i32 {
        const MATE: i32 = 100_000;
        match self {
            Told::Centipawns(score) => score.clamp(-MATE / 2, MATE / 2),
            Told::Mate(moves) if moves > 0 => MATE - moves.min(1000),
            Told::Mate(moves) => -MATE - moves.max(-1000),
        }
    }
}

impl OptionDecl {
    /// `name NAME type TYPE ...`, where the name may be of several words.
    fn parse(words: &[&str]) -> Option<OptionDecl> {
        let kind_at = words.iter().position(|&word| word == "type")?;
        let (head, tail) = words.split_at(kind_at);
        let name = head.strip_prefix(&["name"])?.join(" ");
        let kind = match *tail.get(1)? {
            "check" => OptionKind::Check,
            "spin" => OptionKind::Spin {
                min: number_after(tail, "min").unwrap_or(i64::MIN),
                max: number_after(tail, "max").unwrap_or(i64::MAX),
            },
            "combo" => OptionKind::Combo(choices(tail)),
            "button" => OptionKind::Button,
            _ => OptionKind::Text,
        };
        (!name.is_empty()).then_some(OptionDecl { name, kind })
    }

    /// The value as the engine wants it, or what it would take instead. A button takes none.
    pub(super) fn accept(&self, value: &str) -> Result<String, String> {
        match &self.kind {
            OptionKind::Check => {
                let value = value.to_ascii_lowercase();
                if ["true", "false"].contains(&value.as_str()) { Ok(value) } else { Err("true or false".to_owned()) }
            }
            OptionKind::Spin { min, max } => match value.parse::<i64>() {
                Ok(number) if (*min..=*max).contains(&number) => Ok(value.to_owned()),
                _ => Err(format!("a number from {min} to {max}")),
            },
            OptionKind::Combo(words) => {
                let found = words.iter().find(|word| word.eq_ignore_ascii_case(value));
                found.cloned().ok_or_else(|| format!("one of {}", words.join(", ")))
            }
            OptionKind::Button if value.is_empty() => Ok(String::new()),
            OptionKind::Button => Err("it is a button and takes no value".to_owned()),
            OptionKind::Text => Ok(value.to_owned()),
        }
    }
}

/// The words of a combo: each `var` begins one, which may be of several words.
fn choices(words: &[&str]) -> Vec<String> {
    let mut parts = words.split(|&word| word == "var");
    // What stands before the first one is the default.
    parts.next();
    parts.map(|part| part.join(" ")).collect()
}

fn number<T: FromStr>(words: &[&str]) -> Option<T> {
    words.first()?.parse().ok()
}

fn number_after<T: FromStr>(words: &[&str], name: &str) -> Option<T> {
    let place = words.iter().position(|&word| word == name)?;
    number(&words[place + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(line: &str) -> Info {
        match EngineLine::parse(line) {
            EngineLine::Info(info) => info,
            other => panic!("{other:?}"),
        }
    }

    fn offer(line: &str) -> OptionDecl {
        match EngineLine::parse(line) {
            EngineLine::OptionDecl(offer) => offer,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn info_lines_of_several_engines() {
        let modern = info(
            "info depth 11 seldepth 14 multipv 2 score cp -42 upperbound nodes 18727 nps 253067 hashfull 5 tbhits 0 \
             time 74 pv e7e5 g5e3",
        );
        let pv = vec!["e7e5".to_owned(), "g5e3".to_owned()];
        let score = Some(Told::Centipawns(-42));
        let expected = Info { depth: Some(11), line: Some(2), score, is_bound: true, nodes: Some(18_727), pv };
        assert_eq!(modern, expected);
        let old = info("info multipv 1 depth 1 seldepth 5 score mate -3 time 0 nodes 13 pv b5b4 a3b4 time 3");
        assert_eq!((old.score, old.pv.len(), old.is_bound), (Some(Told::Mate(-3)), 2, false));
        assert_eq!(info("info string depth 5 pv e2e4"), Info::default());
        assert_eq!(info("info depth x score cp"), Info::default());
        assert_eq!(info("info"), Info::default());
    }

    #[test]
    fn other_lines() {
        assert_eq!(EngineLine::parse("id name Glaurung 2.2\r"), EngineLine::Name("Glaurung 2.2".to_owned()));
        assert_eq!(EngineLine::parse("bestmove e2e4 ponder e7e5"), EngineLine::Best("e2e4".to_owned()));
        assert_eq!(EngineLine::parse("bestmove"), EngineLine::Best(String::new()));
        assert_eq!(
            [EngineLine::parse("uciok "), EngineLine::parse("readyok")],
            [EngineLine::UciOk, EngineLine::ReadyOk]
        );
        for line in ["", "id author x", "EgbbProbe not Loaded!", "option", "option name type spin", "option name x"] {
            assert_eq!(EngineLine::parse(line), EngineLine::Other, "{line}");
        }
    }

    #[test]
    fn options_and_what_they_take() {
        let hash = offer("option name Hash type spin default 32 min 4 max 4096");
        assert_eq!((hash.accept("64"), hash.accept("3").is_err()), (Ok("64".to_owned()), true));
        let pruning =
            offer("option name NullMove Pruning type combo default Always var Always var Fail High var Never");
        assert_eq!(pruning.name, "NullMove Pruning");
        assert_eq!(pruning.accept("fail high"), Ok("Fail High".to_owned()));
        assert_eq!(pruning.accept("High"), Err("one of Always, Fail High, Never".to_owned()));
        assert_eq!(offer("option name OwnBook type check default true").accept("False"), Ok("false".to_owned()));
        let button = offer("option name Clear Hash type button");
        assert!(button.accept("").is_ok() && button.accept("1").is_err());
    }

    #[test]
    fn mates_are_ordered_beyond_pawns() {
        let scores = [Told::Mate(-1), Told::Mate(-9), Told::Centipawns(i32::MIN), Told::Centipawns(3), Told::Mate(9)];
        let numbers = scores.map(Told::centipawns);
        assert!(numbers.is_sorted() && Told::Mate(1).centipawns() > numbers[4], "{numbers:?}");
    }
}
