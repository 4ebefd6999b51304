//! Extended Position Description: one position per line, followed by operations such as `bm Qg6; id "WAC.001";`.
//!
//! The first four fields are those of a FEN. Files in use deviate from the standard, so the reader also accepts the two
//! move counters of a FEN, a semicolon before the first operation or none between two, names without quotes, commas
//! between moves, and NUL bytes as padding.

use std::io;
use std::path::{Path, PathBuf};

use cozy_chess::Move;
use mnemon_search::lines::{LineNumber, Lines};
use mnemon_search::{Notation, NotationError};

use crate::{ChessError, Position};

/// The longest line that is read, in bytes.
const MAX_LINE_BYTES: usize = 1 << 16;

/// Why a line is no EPD.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EpdError {
    /// The line does not begin with a position.
    #[error(transparent)]
    Position(#[from] ChessError),
    /// An operation names a move that is not legal in the position.
    #[error("{operation}: {error}")]
    Move {
        /// The operation: `bm` or `am`.
        operation: &'static str,
        /// What is wrong with the move.
        error: NotationError,
    },
    /// The line is longer than any position with its operations.
    #[error("this line is too long for a position")]
    TooLong,
}

/// Why a file gives no positions.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EpdFileError {
    /// The file cannot be read.
    #[error("cannot read the EPD file {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// A line is no EPD.
    #[error("{line}: {error}")]
    Line {
        /// The file and the line in it.
        line: LineNumber,
        /// What is wrong with the line.
        error: EpdError,
    },
    /// The file has no position.
    #[error("{}: there is no position in this file; expected an EPD or a FEN on each line", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// A position with its operations.
///
/// ```
/// use mnemon_chess::epd::Epd;
///
/// let line = r#"6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id "back rank";"#;
/// let epd: Epd = line.parse()?;
/// assert_eq!(epd.id().as_deref(), Some("back rank"));
/// assert_eq!(epd.best_moves()?, [epd.position.parse_san("Ra8")?]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Epd {
    /// The position, with the move counters of the line (as FEN fields, or as `hmvc` and `fmvn`).
    pub position: Position,
    /// Each operation's name and its operands, without quotes.
    operations: Vec<(String, Vec<String>)>,
}

impl std::str::FromStr for Epd {
    type Err = EpdError;

    /// Parses one line.
    fn from_str(line: &str) -> Result<Self, EpdError> {
        let line = line.replace('\0', "");
        let mut rest = line.as_str();
        let mut fen: Vec<&str> = std::iter::from_fn(|| next_field(&mut rest)).take(4).collect();
        let counters = fen_counters(&mut rest);
        let operations = operations(rest);
        if fen.len() == 4 {
            let operand = |name| find(&operations, name).and_then(|operands| operands.first()).map(String::as_str);
            fen.push(operand("hmvc").or(counters.map(|(clock, _)| clock)).unwrap_or("0"));
            fen.push(operand("fmvn").or(counters.map(|(_, number)| number)).unwrap_or("1"));
        }
        let position = fen.join(" ").parse()?;
        Ok(Epd { position, operations })
    }
}

impl Epd {
    /// The operands of the first operation with this name; `None` if there is no such operation.
    pub fn operands(&self, name: &str) -> Option<&[String]> {
        find(&self.operations, name)
    }

    /// The position's name, from the operation `id`.
    pub fn id(&self) -> Option<String> {
        self.operands("id").map(|words| words.join(" ")).filter(|id| !id.is_empty())
    }

    /// The moves of the operation `bm`, in SAN or in UCI notation; none if it is missing.
    ///
    /// # Errors
    /// [`EpdError::Move`] for the first one that is not legal.
    pub fn best_moves(&self) -> Result<Vec<Move>, EpdError> {
        self.moves("bm")
    }

    /// The moves of the operation `am`, which are to be avoided; none if it is missing.
    ///
    /// # Errors
    /// [`EpdError::Move`] for the first one that is not legal.
    pub fn avoid_moves(&self) -> Result<Vec<Move>, EpdError> {
        self.moves("am")
    }

    /// Both lists of moves.
    ///
    /// # Errors
    /// [`EpdError::Move`] for the first move that is not legal.
    pub fn expected_moves(&self) -> Result<ExpectedMoves, EpdError> {
        Ok(ExpectedMoves { best: self.best_moves()?, avoid: self.avoid_moves()? })
    }

    fn moves(&self, operation: &'static str) -> Result<Vec<Move>, EpdError> {
        let words = self.operands(operation).unwrap_or_default().iter();
        // Some files have commas between the moves, or a space before the check mark.
        let words = words.map(|word| word.trim_matches(',')).filter(|word| word.contains(char::is_alphanumeric));
        words.map(|word| self.position.read_move(word).map_err(|error| EpdError::Move { operation, error })).collect()
    }
}

/// The moves that a line of a test suite expects: its `bm` and `am`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpectedMoves {
    /// The best moves.
    pub best: Vec<Move>,
    /// The moves to avoid.
    pub avoid: Vec<Move>,
}

impl ExpectedMoves {
    /// Whether an engine's move is one of the best moves, where there are any, and none of those to avoid. No move is
    /// never right. `None` if nothing is expected.
    #[must_use]
    pub fn accept(&self, mv: Option<Move>) -> Option<bool> {
        let expects = !self.best.is_empty() || !self.avoid.is_empty();
        let accepts = |mv| (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv);
        expects.then(|| mv.is_some_and(accepts))
    }
}

/// A line of a file, with its number counted from 1.
pub type NumberedLine = (u64, Result<Epd, EpdError>);

/// Every line of a file that is neither empty nor a comment (`#`), also those that are no EPD.
///
/// # Errors
/// A file that cannot be read, or that has no such line.
pub fn read_lines(path: &Path) -> Result<Vec<NumberedLine>, EpdFileError> {
    let cannot_read = |error| EpdFileError::Read { path: path.to_owned(), error };
    let mut file = Lines::open(path, MAX_LINE_BYTES).map_err(cannot_read)?;
    let mut lines = Vec::new();
    while let Some((LineNumber { number, .. }, bytes)) = file.next().map_err(cannot_read)? {
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_matches(|letter: char| letter == '\0' || letter.is_whitespace());
        if bytes.len() > MAX_LINE_BYTES {
            lines.push((number, Err(EpdError::TooLong)));
        } else if !text.is_empty() && !text.starts_with('#') {
            lines.push((number, text.parse()));
        }
    }
    if lines.is_empty() { Err(EpdFileError::Empty { path: path.to_owned() }) } else { Ok(lines) }
}

/// Every position of a file, with the number of its line.
///
/// # Errors
/// A file that cannot be read or has no position, or its first line that is no EPD.
pub fn read(path: &Path) -> Result<Vec<(u64, Epd)>, EpdFileError> {
    let named = |number| LineNumber { input: path.display().to_string(), number };
    let lines = read_lines(path)?.into_iter();
    lines
        .map(|(number, epd)| match epd {
            Ok(epd) => Ok((number, epd)),
            Err(error) => Err(EpdFileError::Line { line: named(number), error }),
        })
        .collect()
}

fn find<'o>(operations: &'o [(String, Vec<String>)], name: &str) -> Option<&'o [String]> {
    let (_, operands) = operations.iter().find(|(other, _)| other == name)?;
    Some(operands)
}

/// Takes the next field of the position from `rest`.
fn next_field<'t>(rest: &mut &'t str) -> Option<&'t str> {
    let text = rest.trim_start();
    let end = text.find(|letter: char| letter.is_whitespace() || letter == ';').unwrap_or(text.len());
    let (field, after) = text.split_at(end);
    *rest = after;
    (!field.is_empty()).then_some(field)
}

/// Takes the two counters of a FEN from `rest`, if both are there.
fn fen_counters<'t>(rest: &mut &'t str) -> Option<(&'t str, &'t str)> {
    let mut after = *rest;
    let mut number = || next_field(&mut after).filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    let counters = (number()?, number()?);
    *rest = after;
    Some(counters)
}

fn operations(text: &str) -> Vec<(String, Vec<String>)> {
    let mut operations: Vec<(String, Vec<String>)> = Vec::new();
    for part in split_outside_quotes(text, |letter| letter == ';') {
        for (index, word) in split_outside_quotes(part, char::is_whitespace).into_iter().enumerate() {
            match operations.last_mut() {
                Some((name, operands)) if index > 0 && !is_next_operation(name, word) => {
                    operands.push(word.trim_matches('"').to_owned());
                }
                _ => operations.push((word.to_owned(), Vec::new())),
            }
        }
    }
    operations
}

/// Whether a word in a list of moves is the name of the next operation, before which the semicolon is missing.
fn is_next_operation(name: &str, word: &str) -> bool {
    ["bm", "am"].contains(&name) && ["bm", "am", "dm", "ce", "id", "c0"].contains(&word)
}

/// The parts between separators that are outside double quotes, without empty parts.
fn split_outside_quotes(text: &str, is_separator: impl Fn(char) -> bool) -> Vec<&str> {
    let mut is_quoted = false;
    let parts = text.split(|letter: char| {
        is_quoted ^= letter == '"';
        !is_quoted && is_separator(letter)
    });
    parts.map(str::trim).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const BOARD: &str = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - -";
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn parse(line: &str) -> Epd {
        line.parse().unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    fn parse_after_board(rest: &str) -> Epd {
        parse(&format!("{BOARD}{rest}"))
    }

    fn operands(epd: &Epd, name: &str) -> String {
        epd.operands(name).map_or("none".to_owned(), |operands| operands.join("|"))
    }

    #[test]
    fn operations_are_read_in_the_forms_in_use() {
        let plain = parse_after_board(" bm Qg6; id \"WAC.001\";");
        assert_eq!((operands(&plain, "bm").as_str(), plain.id().as_deref()), ("Qg6", Some("WAC.001")));
        assert_eq!(plain.operands("am"), None);
        let two = parse_after_board(" bm Qg6 Nd7+; am Ne8; id \"a; b  c\"; c8 \"10 2\"");
        assert_eq!(two.operands("bm").map(<[_]>::len), Some(2));
        assert_eq!((two.id().as_deref(), operands(&two, "c8").as_str()), (Some("a; b  c"), "10 2"));
        assert_eq!(parse_after_board(" 3 17 ; bm Qg6 ").position.fullmove_number(), 17);
        assert_eq!(operands(&parse_after_board(" 3 17 ; bm Qg6 "), "bm"), "Qg6");
        assert_eq!(operands(&parse_after_board(" hmvc 0; fmvn 1;"), "hmvc"), "0");
        let no_semicolon = parse_after_board(" 0 1 bm Rc8+ dm 26");
        assert_eq!((operands(&no_semicolon, "bm").as_str(), operands(&no_semicolon, "dm").as_str()), ("Rc8+", "26"));
        for bare in ["", ";", " ", " 5 9", " \0\0"] {
            assert!(parse_after_board(bare).operations.is_empty(), "{bare:?}");
        }
    }

    #[test]
    fn moves_and_names_are_read_in_the_forms_in_use() {
        for tail in [
            r#" bm Nf3 e4; id "a; b";"#,
            r#" 0 1 ; bm Nf3 e2e4; id a; b"#,
            r#"; bm Nf3 +, e4 ; id "a; b" "#,
            r#" id "a; b"; bm Ng1f3 e4"#,
        ] {
            let epd = parse(&format!("{START}{tail}"));
            let best = epd.best_moves().expect(tail);
            assert_eq!(best.iter().map(|&mv| epd.position.san(mv)).collect::<Vec<_>>(), ["Nf3", "e4"], "{tail}");
            assert!(epd.id().is_some_and(|id| id.starts_with('a')), "{tail}");
        }
        assert_eq!(parse(START).id(), None);
        assert_eq!(parse(&format!("{START} id \"\";")).id(), None);
        assert_eq!(parse(&format!("{START} id two words;")).id().as_deref(), Some("two words"));
        assert_eq!(parse(&format!("{START} hmvc 7; fmvn 12;")).position.to_string(), format!("{START} 7 12"));
        assert_eq!(parse(&format!("{START} 7 12")).position.to_string(), format!("{START} 7 12"));
    }

    #[test]
    fn a_move_is_accepted_if_it_is_best_and_not_to_be_avoided() {
        let accept = |tail: &str, san: &str| {
            let epd = parse(&format!("{START} {tail}"));
            epd.expected_moves().expect(tail).accept(epd.position.parse_san(san).ok())
        };
        assert_eq!(accept("bm e4 d4;", "d4"), Some(true));
        assert_eq!(accept("bm e4;", "d4"), Some(false));
        assert_eq!(accept("am e4;", "d4"), Some(true));
        assert_eq!(accept("am e4;", "e4"), Some(false));
        assert_eq!(accept("bm e4; am e4", "e4"), Some(false));
        assert_eq!(accept("am e4;", "no move"), Some(false));
        assert_eq!(accept("id x;", "e4"), None);
    }

    #[test]
    fn errors_name_the_field_or_the_operation() {
        for line in ["", "x", "8/8/8/8/8/8/8/8 w - -", "bm Qg6;", "8 é ö ü"] {
            assert!(line.parse::<Epd>().is_err(), "{line}");
        }
        let error = |line: &str| line.parse::<Epd>().expect_err(line).to_string();
        assert!(error("hello").contains("FEN"));
        assert!(error("hello").contains("this one has 1"));
        assert!(error(&format!("{START} hmvc many;")).contains("clock"));
        let illegal = parse(&format!("{START} bm Nf4;")).best_moves().expect_err("illegal");
        assert!(illegal.to_string().starts_with("bm: "));
    }

    #[test]
    fn a_file_names_the_line_that_is_wrong() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let write = |text: &str| fs::write(file.path(), text).expect("written");
        write(&format!("# a set\n\n{BOARD} bm Qg6;\r\n{BOARD}\n\0\0\n"));
        let numbers: Vec<u64> = read(file.path()).expect("a set").iter().map(|&(number, _)| number).collect();
        assert_eq!(numbers, [3, 4]);
        write(&format!("{BOARD}\nx\n{}\n{BOARD}\n", "y".repeat(MAX_LINE_BYTES + 1)));
        assert!(read(file.path()).expect_err("line 2").to_string().contains("line 2: "));
        let lines = read_lines(file.path()).expect("a set");
        let is_epd: Vec<(u64, bool)> = lines.iter().map(|(number, epd)| (*number, epd.is_ok())).collect();
        assert_eq!(is_epd, [(1, true), (2, false), (3, false), (4, true)]);
        assert_eq!(lines[2].1.as_ref().err(), Some(&EpdError::TooLong));
        write("\n");
        assert!(read(file.path()).expect_err("no position").to_string().contains("no position"));
        assert!(matches!(read(Path::new("/nowhere/x.epd")), Err(EpdFileError::Read { .. })));
    }
}
