//! Files of EPD lines.

use std::io;
use std::path::{Path, PathBuf};

use mnemon_search::lines::{LineNumber, Lines};

use super::{Epd, EpdError};

/// The longest line that is read, in bytes.
const MAX_LINE_BYTES: usize = 1 << 16;

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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const BOARD: &str = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - -";

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
