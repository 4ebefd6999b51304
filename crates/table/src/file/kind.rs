//! What stands at a path: whether it is a regular file, and what its first bytes say.
//!
//! Nothing but a regular file is opened here: opening a FIFO can block for ever, and opening a device can act on it.

use std::fmt;
use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::{FileError, cannot};

/// The first bytes of a hash snapshot.
pub(crate) const SNAPSHOT_MAGIC: [u8; 8] = *b"mnemonTT";

/// The first bytes of an SQLite database, which a memory is.
const DATABASE_MAGIC: [u8; 16] = *b"SQLite format 3\0";

/// How many of a file's first bytes decide what it is.
const START_BYTES: u64 = 4096;

/// How many symbolic links in a row are followed, as on Linux.
const MAX_LINKS: usize = 40;

/// What stands at a path, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileKind {
    /// A directory.
    Directory,
    /// A FIFO, also called a named pipe.
    Fifo,
    /// A socket, a device, or what else the system has that is no regular file.
    Device,
    /// A regular file without a byte.
    Empty,
    /// A hash snapshot.
    Snapshot,
    /// An SQLite database, such as a memory.
    Database,
    /// Chess games in PGN.
    Pgn,
    /// Other text.
    Text,
    /// Other bytes.
    Binary,
}

impl fmt::Display for FileKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            FileKind::Directory => "a directory",
            FileKind::Fifo => "a FIFO",
            FileKind::Device => "a device or a socket",
            FileKind::Empty => "an empty file",
            FileKind::Snapshot => "a hash snapshot",
            FileKind::Database => "an SQLite database, such as a memory",
            FileKind::Pgn => "a PGN file",
            FileKind::Text => "a text file of another kind",
            FileKind::Binary => "a binary file of another kind",
        })
    }
}

impl FileKind {
    /// The kind of something that is no regular file; `None` for a regular file.
    fn of_irregular(file_type: FileType) -> Option<Self> {
        #[cfg(unix)]
        if std::os::unix::fs::FileTypeExt::is_fifo(&file_type) {
            return Some(FileKind::Fifo);
        }
        match file_type {
            _ if file_type.is_file() => None,
            _ if file_type.is_dir() => Some(FileKind::Directory),
            _ => Some(FileKind::Device),
        }
    }

    /// The kind of a regular file that begins with these bytes.
    fn of_start(start: &[u8]) -> Self {
        match start {
            [] => FileKind::Empty,
            _ if start.starts_with(&SNAPSHOT_MAGIC) => FileKind::Snapshot,
            _ if start.starts_with(&DATABASE_MAGIC) => FileKind::Database,
            _ if OwnKind::PGN.recognizes(start) => FileKind::Pgn,
            _ if OwnKind::TEXT.recognizes(start) => FileKind::Text,
            _ => FileKind::Binary,
        }
    }
}

/// The kind of file that a program writes. Only a regular file that is empty or of this kind is replaced.
///
/// ```
/// use mnemon_table::file::OwnKind;
///
/// const RECORDS: OwnKind = OwnKind::new("a file of records", |start| start.starts_with(b"{\"game\":"));
/// assert!(RECORDS.recognizes(b"{\"game\":\"chess\"}\n"));
/// assert!(!RECORDS.recognizes(b"[Event \"?\"]\n"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OwnKind {
    name: &'static str,
    is_own: fn(&[u8]) -> bool,
}

impl OwnKind {
    /// Any text: files whose format has no mark of its own, such as CSV. A NUL byte marks a file as binary.
    pub const TEXT: OwnKind = OwnKind::new("a text file", |start| !start.contains(&0));

    /// Chess games in PGN, recognised by a first tag such as `[Event "?"]` after blanks and comments to the line's end.
    pub const PGN: OwnKind = OwnKind::new("a PGN file", is_pgn);

    /// A hash snapshot, as [`Table::save`](crate::Table::save) writes it.
    pub const SNAPSHOT: OwnKind = OwnKind::new("a hash snapshot", |start| start.starts_with(&SNAPSHOT_MAGIC));

    /// A kind with a name for people ("a hash snapshot"), and how a file's first bytes, up to 4096, show that it is of
    /// this kind.
    pub const fn new(name: &'static str, is_own: fn(&[u8]) -> bool) -> Self {
        OwnKind { name, is_own }
    }

    /// Whether a file that begins with these bytes is of this kind.
    pub fn recognizes(&self, start: &[u8]) -> bool {
        (self.is_own)(start)
    }

    /// Checks what stands at `path`, where a symbolic link is followed: nothing, an empty file, or a file of this kind.
    ///
    /// # Errors
    /// [`FileError::WrongKind`] if something else stands there, [`FileError::Io`] if that cannot be found out.
    pub fn check(&self, path: &Path) -> Result<(), FileError> {
        let file = match open_regular_as(path, self.name) {
            Err(FileError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => return Ok(()),
            file => file?,
        };
        let mut start = Vec::new();
        file.take(START_BYTES).read_to_end(&mut start).map_err(cannot("read", path))?;
        let kind = FileKind::of_start(&start);
        if kind == FileKind::Empty || self.recognizes(&start) { Ok(()) } else { Err(wrong(path, kind, self.name)) }
    }
}

fn is_pgn(start: &[u8]) -> bool {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    let lines = start.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with(b";") && !line.starts_with(b"%"));
    lines.next().is_some_and(|line| matches!(line, [b'[', letter, ..] if letter.is_ascii_alphabetic()))
}

/// Opens a regular file for reading. Anything else is not opened, so that a FIFO without a writer cannot block.
///
/// # Errors
/// [`FileError::WrongKind`] for a FIFO, a device or a directory; [`FileError::Io`] if the file cannot be opened.
pub fn open_regular(path: &Path) -> Result<File, FileError> {
    open_regular_as(path, "a regular file")
}

fn open_regular_as(path: &Path, expected: &'static str) -> Result<File, FileError> {
    open(path, OpenOptions::new().read(true), expected)
}

/// Opens a regular file to write at its end, and creates it if it is not there. What is in it must be of the own kind.
///
/// # Errors
/// As [`OwnKind::check`]; [`FileError::Io`] if the file cannot be opened or created.
pub fn open_to_append(path: &Path, own: &OwnKind) -> Result<File, FileError> {
    own.check(path)?;
    open(path, OpenOptions::new().append(true).create(true), own.name)
}

/// Opens what is a regular file before and after it is opened; a file that is not there is the options' affair.
fn open(path: &Path, options: &mut OpenOptions, expected: &'static str) -> Result<File, FileError> {
    if let Some(kind) = fs::metadata(path).ok().and_then(|found| FileKind::of_irregular(found.file_type())) {
        return Err(wrong(path, kind, expected));
    }
    // A FIFO that took the file's place in between must not block; on a regular file the flag has no effect.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, libc::O_NONBLOCK);
    let file = options.open(path).map_err(cannot("open", path))?;
    let opened = file.metadata().map_err(cannot("read", path))?.file_type();
    FileKind::of_irregular(opened).map_or(Ok(file), |kind| Err(wrong(path, kind, expected)))
}

fn wrong(path: &Path, kind: FileKind, expected: &'static str) -> FileError {
    FileError::WrongKind { path: path.to_owned(), kind, expected }
}

/// The path to which the symbolic links at `path` lead; it need not exist.
pub(super) fn follow_links(path: &Path) -> Result<PathBuf, FileError> {
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        if !fs::symlink_metadata(&target).is_ok_and(|found| found.is_symlink()) {
            return Ok(target);
        }
        let link = fs::read_link(&target).map_err(cannot("follow", path))?;
        target = super::folder_of(&target).join(link);
    }
    Err(cannot("follow", path)(io::Error::other("too many symbolic links")))
}
