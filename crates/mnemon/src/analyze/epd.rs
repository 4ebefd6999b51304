//! EPD files: a position a line, with what is known of it in operations: `bm Nf3; id "a name";`.
//!
//! Files in the wild are written freely: FEN counters, a semicolon before the first operation and names without quotes are
//! understood.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use mnemon_chess::{Move, Position};

use crate::Result;
use mnemon_search::Notation;

use crate::notation::Fault;
use mnemon_search::lines::read_line;

/// The longest line that is read.
const LONGEST_LINE: usize = 1 << 16;

/// A position of a file.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) position: Position,
    pub(super) id: Option<String>,
    /// The best moves.
    pub(super) best: Vec<Move>,
    /// The moves to avoid.
    pub(super) avoid: Vec<Move>,
}

impl Entry {
    /// Whether a move is what the entry asks for; `None` if it asks for nothing.
    pub(super) fn agrees(&self, mv: Option<Move>) -> Option<bool> {
        let asks = !self.best.is_empty() || !self.avoid.is_empty();
        let is_in = |list: &[Move]| mv.is_some_and(|mv| list.contains(&mv));
        asks.then(|| (self.best.is_empty() || is_in(&self.best)) && mv.is_some() && !is_in(&self.avoid))
    }
}

/// The lines of a file that are not empty, with their numbers.
pub(super) struct Suite {
    pub(super) file: String,
    pub(super) lines: Vec<(u64, std::result::Result<Entry, Fault>)>,
}

/// Reads a whole file. Lines that cannot be understood are kept as what is wrong with them.
pub(super) fn read(path: &Path) -> Result<Suite> {
    let file = path.display().to_string();
    let explain = |error: std::io::Error| format!("cannot read the EPD file {file}: {error}");
    let mut reader = BufReader::new(File::open(path).map_err(explain)?);
    let (mut lines, mut number) = (Vec::new(), 0);
    while let Some(line) = read_line(&mut reader, LONGEST_LINE).map_err(explain)? {
        number += 1;
        // Some files are padded.
        let text = String::from_utf8_lossy(&line).replace('\0', "");
        let text = text.trim();
        if line.len() > LONGEST_LINE {
            lines.push((number, Err("this line is too long for a position".to_owned())));
        } else if !text.is_empty() && !text.starts_with('#') {
            lines.push((number, entry(text)));
        }
    }
    if lines.is_empty() {
        return Err(format!("{file}: there is no position in this file; expected an EPD or a FEN on each line").into());
    }
    Ok(Suite { file, lines })
}

fn entry(text: &str) -> std::result::Result<Entry, Fault> {
    let mut rest = text;
    let fields: Vec<&str> = std::iter::from_fn(|| field(&mut rest)).take(4).collect();
    let mut counters = counters(&mut rest);
    let operations = operations(rest);
    for (code, operands) in &operations {
        match code.as_str() {
            "hmvc" => counters.0.clone_from(operands),
            "fmvn" => counters.1.clone_from(operands),
            _ => {}
        }
    }
    let fen = format!("{} {} {}", fields.join(" "), counters.0, counters.1);
    let position: Position = fen.parse().map_err(|error: mnemon_chess::ChessError| error.to_string())?;
    let operands = |wanted: &str| operations.iter().find(|(code, _)| code == wanted).map(|(_, operands)| operands);
    let moves = |code: &str| operands(code).map_or(Ok(Vec::new()), |operands| moves(&position, code, operands));
    let (best, avoid) = (moves("bm")?, moves("am")?);
    let id = operands("id").cloned().filter(|id| !id.is_empty());
    Ok(Entry { id, best, avoid, position })
}

/// The next word of the position.
fn field<'t>(rest: &mut &'t str) -> Option<&'t str> {
    let text = rest.trim_start();
    let end = text.find(|letter: char| letter.is_whitespace() || letter == ';').unwrap_or(text.len());
    let (word, after) = text.split_at(end);
    *rest = after;
    (!word.is_empty()).then_some(word)
}

/// The two counters of a FEN, if they follow.
fn counters(rest: &mut &str) -> (String, String) {
    let mut after = *rest;
    let mut number = || field(&mut after).filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    match (number(), number()) {
        (Some(halfmoves), Some(fullmoves)) => {
            *rest = after;
            (halfmoves.to_owned(), fullmoves.to_owned())
        }
        _ => ("0".to_owned(), "1".to_owned()),
    }
}

/// Each operation's code and its operands, without quotes.
fn operations(text: &str) -> Vec<(String, String)> {
    let mut is_quoted = false;
    let parts = text.split(|letter: char| {
        is_quoted ^= letter == '"';
        letter == ';' && !is_quoted
    });
    let operation = |part: &str| {
        let part = part.trim();
        let (code, operands) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
        (code.to_owned(), operands.trim().trim_matches('"').to_owned())
    };
    parts.map(operation).filter(|(code, _)| !code.is_empty()).collect()
}

fn moves(position: &Position, code: &str, operands: &str) -> std::result::Result<Vec<Move>, Fault> {
    let words = operands.split_whitespace().map(|word| word.trim_end_matches(','));
    // Some files have a space before the check mark.
    let words = words.filter(|word| word.chars().any(char::is_alphanumeric));
    words.map(|word| position.read_move(word).map_err(|fault| format!("{code}: {fault}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Entry {
        entry(text).unwrap_or_else(|fault| panic!("{text}: {fault}"))
    }

    fn san(entry: &Entry, moves: &[Move]) -> String {
        let words: Vec<String> = moves.iter().map(|&mv| entry.position.san(mv)).collect();
        words.join(" ")
    }

    const BOARD: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    #[test]
    fn operations_are_read_as_they_are_written_in_the_wild() {
        for tail in [
            r#" bm Nf3 e4; id "a; b";"#,
            r#" 0 1 ; bm Nf3 e2e4; id a; b"#,
            r#"; bm Nf3 +, e4 ; id "a; b" "#,
            r#" id "a; b"; bm Ng1f3 e4"#,
        ] {
            let entry = read(&format!("{BOARD}{tail}"));
            assert_eq!(san(&entry, &entry.best), "Nf3 e4", "{tail}");
            assert!(entry.id.is_some_and(|id| id.starts_with('a')), "{tail}");
        }
        assert_eq!(read(BOARD).id, None);
        assert_eq!(read(&format!("{BOARD} hmvc 7; fmvn 12;")).position.to_string(), format!("{BOARD} 7 12"));
        assert_eq!(read(&format!("{BOARD} 7 12")).position.to_string(), format!("{BOARD} 7 12"));
    }

    #[test]
    fn a_move_agrees_if_it_is_best_and_not_to_be_avoided() {
        let entry = |tail: &str| read(&format!("{BOARD} {tail}"));
        let best = |entry: &Entry, san: &str| entry.agrees(entry.position.parse_san(san).ok());
        assert_eq!(best(&entry("bm e4 d4;"), "d4"), Some(true));
        assert_eq!(best(&entry("bm e4;"), "d4"), Some(false));
        assert_eq!(best(&entry("am e4;"), "d4"), Some(true));
        assert_eq!(best(&entry("am e4;"), "e4"), Some(false));
        assert_eq!(best(&entry("bm e4; am e4"), "e4"), Some(false));
        assert_eq!(best(&entry("id x;"), "e4"), None);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let fault = |text: &str| entry(text).expect_err(text);
        assert!(fault("hello").contains("FEN"));
        assert!(fault(&format!("{BOARD} bm Nf4;")).starts_with("bm: "));
        assert!(fault(&format!("{BOARD} hmvc many;")).contains("clock"));
    }
}
