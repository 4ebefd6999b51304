//! Whose log it is: a write-ahead log that was left beside another file must not be replayed over this one.
//!
//! Every transaction writes the first page, which has the file's incarnation (see [`Version`]), so that a log with any
//! transaction says which file it belongs to. A backup has an incarnation of its own: put in the memory's place by hand, it
//! is not what the old memory's log belongs to.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::file_id::{FileId, file_id};
use super::log_path;
use super::schema::{APPLICATION, Version};
use crate::{MemoryError, Result};

/// The files that this process has open, and how often. Closing any descriptor of a file drops all POSIX locks that the
/// process holds on it, so a file that is open already is not opened here: its log was examined before.
static OPEN_FILES: Mutex<Option<HashMap<FileId, usize>>> = Mutex::new(None);

fn open_files() -> MutexGuard<'static, Option<HashMap<FileId, usize>>> {
    OPEN_FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The right to open a file with SQLite. It must outlive the connections.
#[derive(Debug)]
pub(super) struct Admission(Option<FileId>);

impl Admission {
    /// Examines the log that lies beside the file. A file that is not there has none: SQLite deletes what lies beside it.
    ///
    /// # Errors
    /// [`MemoryError::ForeignLog`] if it belongs to another file.
    pub(super) fn to(path: &Path) -> Result<Self> {
        let mut files = open_files();
        let Some(id) = file_id(path) else { return Ok(Admission(None)) };
        let files = files.get_or_insert_default();
        if !files.contains_key(&id) {
            let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
            let log = log_path(&real);
            // What cannot be read here is left to SQLite, which says why.
            if is_foreign(&real, &log).unwrap_or(false) {
                let location = path.display().to_string();
                return Err(MemoryError::ForeignLog { location, log: log.display().to_string() });
            }
        }
        *files.entry(id).or_default() += 1;
        Ok(Admission(Some(id)))
    }

    /// Admits to a file whose contents are to be replaced: its log is replaced with it, whosever it is.
    pub(super) fn to_replace(path: &Path) -> Self {
        let mut admission = Admission(None);
        admission.note_created(path);
        admission
    }

    /// Notes the file that was created at the path, if there was none when it was admitted.
    pub(super) fn note_created(&mut self, path: &Path) {
        if let (None, Some(id)) = (self.0, file_id(path)) {
            *open_files().get_or_insert_default().entry(id).or_default() += 1;
            self.0 = Some(id);
        }
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        let mut files = open_files();
        if let (Some(id), Some(files)) = (self.0, files.as_mut())
            && let Some(count) = files.get_mut(&id)
        {
            *count -= 1;
            if *count == 0 {
                files.remove(&id);
            }
        }
    }
}

/// Where the header of the first page has the version and the application, as 4 bytes with the highest first.
const VERSION_AT: usize = 60;
const APPLICATION_AT: usize = 68;
const HEADER_BYTES: usize = 100;

fn word(bytes: &[u8], at: usize) -> u32 {
    bytes[at..].first_chunk().map_or(0, |&word| u32::from_be_bytes(word))
}

/// Whether the log has transactions, and none of them is of the file's incarnation.
fn is_foreign(path: &Path, log: &Path) -> io::Result<bool> {
    let mut header = [0; HEADER_BYTES];
    let mut frames = match File::open(log) {
        Ok(log) => Frames::new(log)?,
        Err(_) => return Ok(false),
    };
    File::open(path)?.read_exact(&mut header)?;
    let version = Version(word(&header, VERSION_AT) as i32);
    if word(&header, APPLICATION_AT) != APPLICATION as u32 || !version.has_incarnation() {
        return Ok(false);
    }
    let mut has_any = false;
    while let Some(page) = frames.next_first_page()? {
        has_any = true;
        if word(&page, VERSION_AT) as i32 == version.0 {
            return Ok(false);
        }
    }
    Ok(has_any)
}

/// The frames of a log: SQLite's file format, section 4.
struct Frames {
    log: BufReader<File>,
    page_bytes: i64,
    /// Of the log's header; frames with others are what an older log left.
    salts: [u8; 8],
}

impl Frames {
    fn new(log: File) -> io::Result<Self> {
        let mut log = BufReader::new(log);
        let mut header = [0; 32];
        log.read_exact(&mut header)?;
        let mut salts = [0; 8];
        salts.copy_from_slice(&header[16..24]);
        Ok(Frames { log, page_bytes: i64::from(word(&header, 8)), salts })
    }

    /// The head of the next image of the first page; `None` at the end.
    fn next_first_page(&mut self) -> io::Result<Option<[u8; HEADER_BYTES]>> {
        loop {
            let mut head = [0; 24];
            match self.log.read_exact(&mut head) {
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
                read => read?,
            }
            if head[8..16] != self.salts || self.page_bytes < HEADER_BYTES as i64 {
                return Ok(None);
            }
            if word(&head, 0) != 1 {
                self.log.seek_relative(self.page_bytes)?;
                continue;
            }
            let mut page = [0; HEADER_BYTES];
            match self.log.read_exact(&mut page) {
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
                read => read?,
            }
            self.log.seek_relative(self.page_bytes - HEADER_BYTES as i64)?;
            return Ok(Some(page));
        }
    }
}
