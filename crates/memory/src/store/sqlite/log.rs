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
    let Ok(log) = File::open(log) else { return Ok(false) };
    let Some(mut frames) = Frames::new(log)? else { return Ok(false) };
    File::open(path)?.read_exact(&mut header)?;
    let version = Version(word(&header, VERSION_AT) as i32);
    if word(&header, APPLICATION_AT) != APPLICATION as u32 || !version.has_incarnation() {
        return Ok(false);
    }
    // Of the transaction that is being read: whether it has the first page, and whether with the file's incarnation.
    let (mut has_page, mut is_own, mut is_foreign) = (false, false, false);
    while let Some(Frame { page, is_commit }) = frames.next()? {
        if page == 1 {
            has_page = true;
            is_own |= word(&frames.page, VERSION_AT) as i32 == version.0;
        }
        if is_commit && is_own {
            return Ok(false);
        }
        is_foreign |= is_commit && has_page;
    }
    Ok(is_foreign)
}

/// The sound frames of a log, as SQLite would replay them: its file format, section 4. What follows a torn frame, or was left
/// by an older log, is not among them.
struct Frames {
    log: BufReader<File>,
    /// Of the log's header and of each of its frames.
    salts: [u8; 8],
    checksum: Checksum,
    /// The image of the page in the last frame.
    page: Vec<u8>,
}

/// A page in a log.
struct Frame {
    page: u32,
    /// Whether a transaction ends with it.
    is_commit: bool,
}

impl Frames {
    /// `None` if the log has no sound header: SQLite takes nothing from it.
    fn new(log: File) -> io::Result<Option<Self>> {
        let mut log = BufReader::with_capacity(1 << 16, log);
        let mut header = [0; 32];
        if !read_whole(&mut log, &mut header)? {
            return Ok(None);
        }
        let magic = word(&header, 0);
        let mut checksum = Checksum { is_big_endian: magic & 1 == 1, sums: [0; 2] };
        checksum.add(&header[..24]);
        let page_bytes = word(&header, 8) as usize;
        let is_sound = magic & !1 == 0x377f_0682 && checksum.is(&header[24..]) && (512..=65536).contains(&page_bytes);
        let mut salts = [0; 8];
        salts.copy_from_slice(&header[16..24]);
        Ok(is_sound.then(|| Frames { log, salts, checksum, page: vec![0; page_bytes] }))
    }

    /// The next frame; `None` at the end.
    fn next(&mut self) -> io::Result<Option<Frame>> {
        let mut head = [0; 24];
        if !read_whole(&mut self.log, &mut head)? || !read_whole(&mut self.log, &mut self.page)? {
            return Ok(None);
        }
        self.checksum.add(&head[..8]);
        self.checksum.add(&self.page);
        let is_sound = head[8..16] == self.salts && self.checksum.is(&head[16..]);
        Ok(is_sound.then(|| Frame { page: word(&head, 0), is_commit: word(&head, 4) != 0 }))
    }
}

/// Whether there were enough bytes.
fn read_whole(log: &mut impl Read, bytes: &mut [u8]) -> io::Result<bool> {
    match log.read_exact(bytes) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        read => read.map(|()| true),
    }
}

/// The running checksum of a log: two sums over pairs of words, in the order of bytes that the log's header names.
struct Checksum {
    is_big_endian: bool,
    sums: [u32; 2],
}

impl Checksum {
    fn add(&mut self, bytes: &[u8]) {
        let number =
            |word: &[u8; 4]| if self.is_big_endian { u32::from_be_bytes(*word) } else { u32::from_le_bytes(*word) };
        let [mut first, mut second] = self.sums;
        for pair in bytes.as_chunks::<4>().0.chunks_exact(2) {
            first = first.wrapping_add(number(&pair[0])).wrapping_add(second);
            second = second.wrapping_add(number(&pair[1])).wrapping_add(first);
        }
        self.sums = [first, second];
    }

    /// Whether the sums are these, which are kept with the highest byte first.
    fn is(&self, bytes: &[u8]) -> bool {
        self.sums == [word(bytes, 0), word(bytes, 4)]
    }
}
