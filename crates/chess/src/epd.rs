//! Extended Position Description: a position a line, with operations such as `bm Qg6; id "WAC.001";` after it.
//!
//! Four fields of a FEN come first. Files in use also carry the two move counters of a FEN, and are careless with
//! semicolons; both are understood.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::{ChessError, Position};

/// Why a file gives no positions.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EpdError {
    /// The file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A line is no position.
    #[error("{}, line {number}: {error}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        number: usize,
        /// What is wrong with it.
        error: ChessError,
    },
    /// The file has no position.
    #[error("{} has no positions", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// A position and what is said about it.
#[derive(Clone, Debug)]
pub struct Epd {
    /// The position.
    pub position: Position,
    /// Each operation's name and operands, without quotes.
    operations: Vec<(String, Vec<String>)>,
}

impl Epd {
    /// Understands a line.
    ///
    /// # Errors
    /// A line that does not begin with a position.
    pub fn parse(line: &str) -> Result<Epd, ChessError> {
        let (fen, rest) = split_fields(line);
        let position = fen.parse()?;
        let mut operations: Vec<(String, Vec<String>)> = Vec::new();
        for part in split_outside_quotes(rest, |letter| letter == ';') {
            for (place, word) in split_outside_quotes(part, char::is_whitespace).into_iter().enumerate() {
                match operations.last_mut() {
                    Some((name, operands)) if place > 0 && !begins_anew(name, word) => {
                        operands.push(word.trim_matches('"').to_owned());
                    }
                    _ => operations.push((word.to_owned(), Vec::new())),
                }
            }
        }
        Ok(Epd { position, operations })
    }

    /// The operands of the operation with this name, if it is there.
    pub fn operands(&self, name: &str) -> Option<&[String]> {
        let (_, operands) = self.operations.iter().find(|(other, _)| other == name)?;
        Some(operands)
    }

    /// The position's name: its `id`.
    pub fn id(&self) -> Option<&str> {
        self.operands("id")?.first().map(String::as_str)
    }
}

/// Every position of a file, with the number of its line. Empty lines and those that begin with `#` are skipped.
///
/// # Errors
/// A file that cannot be read or has no position, or its first line that is none.
pub fn read(path: &Path) -> Result<Vec<(usize, Epd)>, EpdError> {
    let bytes = fs::read(path).map_err(|error| EpdError::Read { path: path.to_owned(), error })?;
    let text = String::from_utf8_lossy(&bytes);
    let mut positions = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if !line.trim().is_empty() && !line.starts_with('#') {
            let epd = Epd::parse(line).map_err(|error| EpdError::Line { path: path.to_owned(), number, error })?;
            positions.push((number, epd));
        }
    }
    if positions.is_empty() { Err(EpdError::Empty { path: path.to_owned() }) } else { Ok(positions) }
}

/// Whether a word in a list of moves is no move but the next operation, before which a semicolon is missing.
fn begins_anew(name: &str, word: &str) -> bool {
    ["bm", "am"].contains(&name) && ["bm", "am", "dm", "ce", "id", "c0"].contains(&word)
}

/// The FEN at the beginning, with its two counters if both are there, and the rest.
fn split_fields(line: &str) -> (&str, &str) {
    let line = line.trim();
    let end = |fields: usize| {
        let (mut left, mut inside) = (fields, false);
        for (place, letter) in line.char_indices() {
            if letter.is_whitespace() || letter == ';' {
                left -= usize::from(inside);
                inside = false;
            } else {
                inside = true;
            }
            if left == 0 {
                return place;
            }
        }
        line.len()
    };
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let (four, six) = (end(4), end(6));
    let counters: Vec<&str> = line[four..six].split_whitespace().collect();
    let fen_end = if counters.len() == 2 && counters.into_iter().all(is_number) { six } else { four };
    line.split_at(fen_end)
}

/// The parts between separators that stand outside double quotes, without the empty ones.
fn split_outside_quotes(text: &str, is_separator: impl Fn(char) -> bool) -> Vec<&str> {
    let mut inside = false;
    let parts = text.split(|letter: char| {
        inside ^= letter == '"';
        !inside && is_separator(letter)
    });
    parts.map(str::trim).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - -";

    fn parsed(rest: &str) -> Epd {
        Epd::parse(&format!("{BOARD}{rest}")).expect("an EPD")
    }

    #[test]
    fn operations_in_the_forms_that_are_in_use() {
        let plain = parsed(" bm Qg6; id \"WAC.001\";");
        assert_eq!((plain.operands("bm"), plain.id()), (Some(&["Qg6".to_owned()][..]), Some("WAC.001")));
        assert_eq!(plain.operands("am"), None);
        let two = parsed(" bm Qg6 Nd7+; am Ne8; id \"a; b  c\"; c8 \"10 2\"");
        assert_eq!(two.operands("bm").map(<[_]>::len), Some(2));
        assert_eq!((two.id(), two.operands("c8")), (Some("a; b  c"), Some(&["10 2".to_owned()][..])));
        assert_eq!(parsed(" 3 17 ; bm Qg6 ").position.fullmove_number(), 17);
        assert_eq!(parsed(" 3 17 ; bm Qg6 ").operands("bm"), Some(&["Qg6".to_owned()][..]));
        assert_eq!(parsed(" hmvc 0; fmvn 1;").operands("hmvc"), Some(&["0".to_owned()][..]));
        let careless = parsed(" 0 1 bm Rc8+ dm 26");
        assert_eq!(careless.operands("bm"), Some(&["Rc8+".to_owned()][..]));
        assert_eq!(careless.operands("dm"), Some(&["26".to_owned()][..]));
        for bare in ["", ";", " ", " 5 9"] {
            assert!(parsed(bare).operations.is_empty(), "{bare:?}");
        }
    }

    #[test]
    fn what_is_no_position_is_an_error() {
        for line in ["", "x", "8/8/8/8/8/8/8/8 w - -", "bm Qg6;", "8 é ö ü"] {
            assert!(Epd::parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn a_file_names_the_line_that_is_wrong() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        fs::write(file.path(), format!("# a set\n\n{BOARD} bm Qg6;\r\n{BOARD}\n")).expect("written");
        let numbers: Vec<usize> = read(file.path()).expect("a set").iter().map(|&(number, _)| number).collect();
        assert_eq!(numbers, [3, 4]);
        fs::write(file.path(), format!("{BOARD}\nx\n")).expect("written");
        assert!(read(file.path()).expect_err("a fault").to_string().contains("line 2: "));
        fs::write(file.path(), "\n").expect("written");
        assert!(read(file.path()).expect_err("a fault").to_string().contains("no positions"));
    }
}
