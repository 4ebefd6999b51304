//! PGN files: games with their tags and the moves of their main lines, read one after the other.
//!
//! Comments, variations and annotation glyphs are skipped. A game with a move that cannot be played is given up to there,
//! with what is wrong.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use cozy_chess::{Color, Move};
use mnemon_search::Notation;
use mnemon_search::lines::read_line;

use crate::{Position, without_move_number};

/// The longest line that is read. Some programs write a game in one line.
const LONGEST_LINE: usize = 1 << 22;

/// Why a file gives no games.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PgnError {
    /// The file cannot be read.
    #[error("cannot read the PGN file {file}: {error}")]
    Read {
        /// The file.
        file: String,
        /// What the system says.
        error: io::Error,
    },
    /// The file has no game.
    #[error("{file}: there is no game in this file; expected PGN")]
    Empty {
        /// The file.
        file: String,
    },
}

/// A game of a file.
#[derive(Debug, Default)]
pub struct Game {
    /// Counted from 1.
    pub number: u64,
    pub start: Position,
    pub moves: Vec<Move>,
    /// What is wrong with the game, and where; its moves end before it.
    pub fault: Option<String>,
    tags: Vec<(String, String)>,
}

impl Game {
    /// A tag's value, if it says something.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        tag.map(|(_, value)| value.as_str()).filter(|value| !value.chars().all(|letter| "?.- ".contains(letter)))
    }
}

/// The games of a file.
pub struct Games {
    pub file: String,
    reader: Box<dyn BufRead>,
    /// Read ahead, to see whether there is any.
    first: Option<Game>,
    /// A line, or the rest of one, that belongs to the next game.
    held: Option<String>,
    /// The number of the line that was read last.
    line: u64,
    count: u64,
}

impl Games {
    pub fn open(path: &Path) -> Result<Self, PgnError> {
        let file = path.display().to_string();
        let opened = File::open(path).map_err(|error| PgnError::Read { file: file.clone(), error })?;
        let mut games = Self::new(file, Box::new(BufReader::new(opened)));
        games.first = games.read()?;
        match games.first {
            Some(_) => Ok(games),
            None => Err(PgnError::Empty { file: games.file }),
        }
    }

    fn new(file: String, reader: Box<dyn BufRead>) -> Self {
        Games { file, reader, first: None, held: None, line: 0, count: 0 }
    }

    /// The next game; `None` after the last.
    pub fn next(&mut self) -> Result<Option<Game>, PgnError> {
        if self.first.is_some() { Ok(self.first.take()) } else { self.read() }
    }

    fn read(&mut self) -> Result<Option<Game>, PgnError> {
        let mut draft = Draft::default();
        while let Some(line) = self.next_line()? {
            let is_between = !draft.is_in_comment() && draft.variations == 0;
            if is_between && line.trim_start().starts_with('[') {
                if draft.has_moves {
                    self.held = Some(line);
                    break;
                }
                draft.tag(&line);
            } else if let Some(rest) = draft.text(&line, self.line) {
                self.held = Some(rest.to_owned()).filter(|rest| !rest.trim().is_empty());
                break;
            }
        }
        if draft.is_empty() {
            return Ok(None);
        }
        self.count += 1;
        Ok(Some(draft.finished(self.count, self.line)))
    }

    fn next_line(&mut self) -> Result<Option<String>, PgnError> {
        if let Some(line) = self.held.take() {
            return Ok(Some(line));
        }
        loop {
            let line = read_line(&mut self.reader, LONGEST_LINE);
            let line = line.map_err(|error| PgnError::Read { file: self.file.clone(), error })?;
            let Some(line) = line else { return Ok(None) };
            self.line += 1;
            // A line that begins so is for other programs.
            if !line.starts_with(b"%") {
                return Ok(Some(decoded(line)));
            }
        }
    }
}

/// UTF-8, or else Latin-1, in which PGN was born.
fn decoded(line: Vec<u8>) -> String {
    let text = String::from_utf8(line);
    let text = text.unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect());
    text.trim_start_matches('\u{feff}').to_owned()
}

/// A game that is being read.
#[derive(Default)]
struct Draft {
    game: Game,
    position: Option<Position>,
    has_moves: bool,
    variations: usize,
    /// The line in which a comment began.
    comment: Option<u64>,
}

/// What ends a game.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

impl Draft {
    fn is_in_comment(&self) -> bool {
        self.comment.is_some()
    }

    fn is_empty(&self) -> bool {
        !self.has_moves && self.game.tags.is_empty()
    }

    /// Reads `[Name "value"]`.
    fn tag(&mut self, line: &str) {
        let inside = line.trim().trim_start_matches('[').trim_end_matches(']');
        let (name, value) = inside.trim().split_once(char::is_whitespace).unwrap_or((inside, ""));
        let value = value.trim();
        let value = value.strip_prefix('"').unwrap_or(value);
        let value = value.strip_suffix('"').unwrap_or(value);
        self.game.tags.push((name.to_owned(), value.replace("\\\"", "\"").replace("\\\\", "\\")));
    }

    /// Reads moves. Gives the rest of the line behind the end of the game, if it is there.
    fn text<'t>(&mut self, line: &'t str, number: u64) -> Option<&'t str> {
        let mut rest = line;
        loop {
            if self.is_in_comment() {
                let (_, after) = rest.split_once('}')?;
                self.comment = None;
                rest = after;
            }
            rest = rest.trim_start();
            let first = rest.chars().next()?;
            self.has_moves = true;
            match first {
                ';' => return None,
                '{' => self.comment = Some(number),
                '(' => self.variations += 1,
                ')' => self.variations = self.variations.saturating_sub(1),
                _ => {
                    let end = rest.find(|letter: char| letter.is_whitespace() || "{}();".contains(letter));
                    let (word, after) = rest.split_at(end.unwrap_or(rest.len()).max(first.len_utf8()));
                    rest = after;
                    if self.variations == 0 && RESULTS.contains(&word) {
                        return Some(rest);
                    }
                    self.word(word, number);
                    continue;
                }
            }
            rest = &rest[first.len_utf8()..];
        }
    }

    fn word(&mut self, word: &str, line: u64) {
        let Some(word) = without_move_number(word).filter(|_| self.variations == 0 && self.game.fault.is_none()) else {
            return;
        };
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        let is_sign = !word.chars().any(char::is_alphanumeric) && word != "--" || word.starts_with('$');
        if is_number || is_sign || word == "e.p." {
            return;
        }
        let position = match self.position.take() {
            Some(position) => position,
            None => match self.begin() {
                Ok(position) => position,
                Err(fault) => return self.game.fault = Some(fault),
            },
        };
        match position.read_move(word) {
            Ok(mv) => {
                self.game.moves.push(mv);
                self.position = Some(position.after(mv));
            }
            Err(fault) => {
                let dots = if position.side_to_move() == Color::White { "." } else { "..." };
                let number = position.fullmove_number();
                self.game.fault = Some(format!("line {line}, move {number}{dots}: {fault}"));
            }
        }
    }

    /// The position that the game begins with, by its tags.
    fn begin(&mut self) -> Result<Position, String> {
        let variant = self.game.tag("Variant").unwrap_or("Standard").to_lowercase();
        let is_chess960 = ["960", "fischer"].iter().any(|name| variant.contains(name));
        if !is_chess960 && !["standard", "normal", "chess", "from position"].contains(&variant.as_str()) {
            return Err(format!("the rules of {variant} are not known here"));
        }
        let start = match self.game.tag("FEN") {
            Some(fen) => fen.parse::<Position>().map_err(|error| format!("its FEN tag: {error}"))?,
            None => Position::start(),
        };
        self.game.start = start.clone();
        Ok(start)
    }

    fn finished(mut self, number: u64, line: u64) -> Game {
        if self.position.is_none() && self.game.fault.is_none() {
            self.game.fault = self.begin().err();
        }
        if let Some(begun) = self.comment {
            let fault = format!("line {begun}: a comment begins that does not end before line {line}");
            self.game.fault.get_or_insert(fault);
        }
        Game { number, ..self.game }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(text: &'static [u8]) -> Vec<Game> {
        let mut games = Games::new("test".to_owned(), Box::new(text));
        std::iter::from_fn(|| games.next().expect("read")).collect()
    }

    fn line(game: &Game) -> String {
        crate::variation::text(&game.start, &game.moves, None)
    }

    #[test]
    fn the_main_line_is_what_is_left() {
        let text = b"%escaped\n[Event \"A \\\"b\\\"\"]\n[White \"M\xfcller\"]\n[Black \"?\"]\n\n1. e4 {a (comment\n [that] goes on} e5 \
            (1... c5 2. Nf3 (2. c3) d6) 2.Nf3 $1 Nc6 ; the rest 3. Bb5\n3.Bc4! 3... Bc5 4 O-O?! += Nf6 1-0\n";
        let games = games(text);
        assert_eq!(games.len(), 1);
        assert_eq!(line(&games[0]), "1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5 4.O-O Nf6");
        assert_eq!((games[0].tag("event"), games[0].tag("White")), (Some("A \"b\""), Some("Müller")));
        assert_eq!((games[0].tag("Black"), &games[0].fault), (None, &None));
    }

    #[test]
    fn games_follow_each_other() {
        let games = games(b"1.e4 e5 * 1.d4 1/2-1/2\n[White \"A\"]\n\n1. c4\n[White \"B\"]\n[Black \"C\"]\n\n\n*\n");
        let lines: Vec<String> = games.iter().map(line).collect();
        assert_eq!(lines, ["1.e4 e5", "1.d4", "1.c4", ""]);
        assert_eq!((games[2].tag("White"), games[3].tag("White"), games[3].number), (Some("A"), Some("B"), 4));
        assert!(self::games(b"\n\n").is_empty());
    }

    #[test]
    fn a_game_may_begin_anywhere() {
        let games = games(b"[FEN \"8/8/4k3/8/8/4K3/4P3/8 b - - 0 40\"]\n\n40... Kd5 41. Kd3 *\n");
        assert_eq!(line(&games[0]), "40...Kd5 41.Kd3");
    }

    #[test]
    fn a_move_that_cannot_be_ends_the_game_there() {
        let games = games(b"1. e4 e5\n2. Ke3 Nc6 *\n1. d4 *");
        assert_eq!((line(&games[0]), line(&games[1])), ("1.e4 e5".to_owned(), "1.d4".to_owned()));
        assert!(games[0].fault.as_ref().is_some_and(|fault| fault.starts_with("line 2, move 2.: ")), "{games:?}");
        for (text, words) in [
            (&b"[FEN \"8/8\"]\n\n1. e4 *"[..], "its FEN tag"),
            (b"[Variant \"Atomic\"]\n\n1. e4 *", "rules of atomic"),
            (b"1. e4 -- 2. d4 *", "line 1, move 1...: "),
            (b"1. e4 {never ending\n\n1. d4 *", "line 1: a comment begins"),
        ] {
            let games = self::games(text);
            assert!(games[0].fault.as_ref().is_some_and(|fault| fault.contains(words)), "{games:?}");
        }
    }
}
