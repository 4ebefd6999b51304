//! The formats of files, and how a file tells its own.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use super::intake::{Intake, Report};
use super::{Result, book_in, epd_in, json_in, lichess, pgn_in};
use mnemon_chess::Position;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// JSON lines, as `memory export` writes them.
    Json,
    /// Chess games.
    Pgn,
    /// Chess positions with operations.
    Epd,
    /// Evaluations of lichess's database.
    Lichess,
    /// A chess opening book.
    Polyglot,
}

/// The first bytes of a file that zstd has compressed.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// How many of the first bytes decide.
const START_BYTES: usize = 4096;

impl FileFormat {
    /// The format that a file's name tells by its ending, before `.zst`; `None` if it could be several or none.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use mnemon_explore::exchange::FileFormat;
    ///
    /// assert_eq!(FileFormat::of_name(Path::new("games.PGN")), Some(FileFormat::Pgn));
    /// assert_eq!(FileFormat::of_name(Path::new("games.pgn.zst")), Some(FileFormat::Pgn));
    /// assert_eq!(FileFormat::of_name(Path::new("evals.jsonl")), None);
    /// ```
    pub fn of_name(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_lowercase();
        let (_, ending) = name.strip_suffix(".zst").unwrap_or(&name).rsplit_once('.')?;
        match ending {
            "pgn" => Some(FileFormat::Pgn),
            "epd" | "fen" => Some(FileFormat::Epd),
            "bin" => Some(FileFormat::Polyglot),
            _ => None,
        }
    }

    /// The format of a text or book that begins with these bytes. What looks like nothing else is taken for JSON lines.
    fn of_start(start: &[u8]) -> Self {
        let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
        let lines = start.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with(b"#") && !line.starts_with(b"%"));
        let first = lines.next().unwrap_or_default();
        let first_word = first.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        match first {
            [b'{', rest @ ..] if is_json(rest) => {
                if has_member(first, b"\"evals\"") || has_member(first, b"\"fen\"") {
                    FileFormat::Lichess
                } else {
                    FileFormat::Json
                }
            }
            [b'[', letter, ..] if letter.is_ascii_alphabetic() => FileFormat::Pgn,
            [b'1', b'.', ..] | [b'{', ..] | [b';', ..] => FileFormat::Pgn,
            _ if first_word.iter().filter(|&&byte| byte == b'/').count() == 7 => FileFormat::Epd,
            _ if start.contains(&0) => FileFormat::Polyglot,
            _ => FileFormat::Json,
        }
    }
}

/// Whether an object of JSON begins here, and not a comment of PGN.
fn is_json(rest: &[u8]) -> bool {
    rest.trim_ascii_start().starts_with(b"\"")
}

/// Whether a line of JSON begins with the member, or has it early.
fn has_member(line: &[u8], name: &[u8]) -> bool {
    let early = &line[..line.len().min(200)];
    !early.starts_with(b"{\"game\"") && early.windows(name.len()).any(|window| window == name)
}

/// An input of known format, decompressed.
pub struct Input<'r> {
    reader: Box<dyn BufRead + 'r>,
    format: FileFormat,
}

impl<'r> Input<'r> {
    /// The input of a file by its `name`, in the format that is given, or else the one that its name or its contents tell.
    ///
    /// # Errors
    /// An input that cannot be read.
    pub fn new(name: &Path, reader: impl Read + 'r, format: Option<FileFormat>) -> io::Result<Self> {
        let mut reader: Box<dyn BufRead + 'r> = Box::new(BufReader::with_capacity(1 << 16, reader));
        if start_of(&mut reader)?.starts_with(&ZSTD_MAGIC) {
            reader = Box::new(BufReader::with_capacity(1 << 17, zstd::stream::read::Decoder::with_buffer(reader)?));
        }
        let format = match format.or_else(|| FileFormat::of_name(name)) {
            Some(format) => format,
            None => FileFormat::of_start(start_of(&mut reader)?),
        };
        Ok(Input { reader, format })
    }

    /// The format.
    pub fn format(&self) -> FileFormat {
        self.format
    }

    /// Takes in everything, up to where the report stops it. An opening book is walked from `root`.
    ///
    /// # Errors
    /// An input that cannot be read, or a store that cannot be written.
    pub fn import(self, root: &Position, intake: &mut Intake<'_>, report: &mut dyn Report) -> Result {
        match self.format {
            FileFormat::Json => json_in::import(self.reader, intake, report),
            FileFormat::Pgn => pgn_in::import(self.reader, intake, report),
            FileFormat::Epd => epd_in::import(self.reader, intake, report),
            FileFormat::Lichess => lichess::import(self.reader, intake, report),
            FileFormat::Polyglot => book_in::import(self.reader, root, intake),
        }
    }
}

/// The first bytes, which stay to be read.
fn start_of<'b>(reader: &'b mut Box<dyn BufRead + '_>) -> io::Result<&'b [u8]> {
    let start = reader.fill_buf()?;
    Ok(&start[..start.len().min(START_BYTES)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_tell_the_format() {
        for (start, format) in [
            (&b"{\"game\":\"chess\",\"fen\":1}"[..], FileFormat::Json),
            (b"{\"fen\":\"8/8 w - -\",\"evals\":[]}", FileFormat::Lichess),
            (b"\n\n[Event \"?\"]\n", FileFormat::Pgn),
            (b"\xef\xbb\xbf[Event \"?\"]\n", FileFormat::Pgn),
            (b"1. e4 e5 *", FileFormat::Pgn),
            (b"{a comment} 1. e4 *", FileFormat::Pgn),
            (b"# a set\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;", FileFormat::Epd),
            (b"\x46\x3b\x96\x18\x16\x91\xfc\x9c\x03\x1c\x00\x01\x00\x00\x00\x00", FileFormat::Polyglot),
            (b"nonsense", FileFormat::Json),
            (b"", FileFormat::Json),
        ] {
            assert_eq!(FileFormat::of_start(start), format, "{}", String::from_utf8_lossy(start));
        }
    }

    #[test]
    fn what_is_compressed_is_read_as_it_was() {
        let text = b"{\"fen\":\"8/8 w - -\",\"evals\":[]}\n";
        let compressed = zstd::encode_all(&text[..], 1).expect("compressed");
        let mut input = Input::new(Path::new("x.zst"), &compressed[..], None).expect("readable");
        let mut read = Vec::new();
        input.reader.read_to_end(&mut read).expect("readable");
        assert_eq!((read, input.format()), (text.to_vec(), FileFormat::Lichess));
    }
}
