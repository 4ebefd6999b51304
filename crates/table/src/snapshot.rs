//! Snapshots: saving a whole table to a file and loading it back, all or nothing.
//!
//! ```text
//! header   magic "mnemonTT"                          8 bytes
//!          format version, header length             u32, u32
//!          cache lines in the table                  u64
//!          ways of a bucket, generation              u32, u32
//!          length of layout name, of key scheme      u32, u32
//!          layout name, key scheme                   UTF-8
//!          CRC-32 of the header so far               u32
//! blocks   up to 16,384 lines (1 MiB), words in order; then the CRC-32 of the header's CRC-32, the block's number
//!          (u64) and its bytes. All numbers are little-endian.
//! ```

mod error;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::Table;
use crate::file::{OwnKind, SNAPSHOT_MAGIC as MAGIC, open_regular, replace_file};
use crate::pages::{LINE_BYTES, Line, Pages};
use crate::replace::Replace;
use crate::slot::Layout;
use crate::sync::Ordering;

pub use error::SnapshotError;

const VERSION: u32 = 1;
const BLOCK_LINES: usize = 1 << 14;
const FIXED_BYTES: usize = 40;
const CRC_BYTES: usize = 4;
/// Headers above this length are refused, so that a damaged length cannot ask for gigabytes.
const MAX_HEADER_BYTES: usize = 1 << 16;

impl<L: Layout, R: Replace> Table<L, R> {
    /// Writes the whole table to a file, which is replaced only when the new one is complete and on disk, and only if it
    /// is an empty file or a snapshot.
    ///
    /// `key_scheme` names how the program computes its keys (say, `"my-engine zobrist 3"`). A program with other keys must
    /// not load the file, so change the name whenever the keys change.
    ///
    /// ```
    /// # let dir = tempfile::tempdir()?;
    /// # let path = dir.path().join("analysis.tt");
    /// use mnemon_table::{Entry, Table, Window};
    ///
    /// let table: Table = Table::new(1 << 20)?;
    /// table.store(7, Entry { window: Window::exact(3), depth: 20, ..Entry::default() });
    /// table.save(&path, "example keys 1")?;
    ///
    /// let again: Table = Table::load(&path, "example keys 1")?;
    /// assert_eq!(again.probe(7), table.probe(7));
    /// assert!(Table::<mnemon_table::Wide>::load(&path, "other keys").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`replace_file`]: what stood at `path` is then still there.
    pub fn save(&self, path: &Path, key_scheme: &str) -> Result<(), SnapshotError> {
        Ok(replace_file(path, &OwnKind::SNAPSHOT, |file| self.write(file, key_scheme))?)
    }

    /// A new table with the size and the entries that [`save`](Self::save) wrote.
    ///
    /// # Errors
    /// A file that cannot be read, is no regular file (a FIFO is not opened: it could block), is no snapshot, was truncated or changed, or has another layout, number of ways or key
    /// scheme; or a table that does not fit into memory. The error says which.
    pub fn load(path: &Path, key_scheme: &str) -> Result<Self, SnapshotError> {
        Self::load_with_scheme(path, key_scheme, R::default())
    }

    /// As [`load`](Self::load), with a scheme that has settings of its own.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_with_scheme(path: &Path, key_scheme: &str, scheme: R) -> Result<Self, SnapshotError> {
        let reader = Reader::open::<L>(path, key_scheme, Self::ways_of(scheme))?;
        reader.verify()?;
        let memory = |source| SnapshotError::Memory { path: path.to_owned(), source };
        let mut table = Self::with_pages(Pages::new(reader.header.bytes()).map_err(memory)?, scheme);
        reader.fill(table.lines())?;
        table.set_generation(reader.header.generation as u8);
        Ok(table)
    }

    /// Replaces this table's entries and size by those of a snapshot.
    ///
    /// The whole file is verified before the table changes.
    ///
    /// # Errors
    /// As [`load`](Self::load); then this table stays as it is. Only if the file changes while it is read is the table
    /// left empty.
    pub fn restore(&mut self, path: &Path, key_scheme: &str) -> Result<(), SnapshotError> {
        let reader = Reader::open::<L>(path, key_scheme, self.ways())?;
        reader.verify()?;
        if self.bytes() != reader.header.bytes() {
            let memory = |source| SnapshotError::Memory { path: path.to_owned(), source };
            self.resize(reader.header.bytes()).map_err(memory)?;
        }
        reader.fill(self.lines()).inspect_err(|_| self.clear(1))?;
        self.set_generation(reader.header.generation as u8);
        Ok(())
    }

    fn write(&self, file: &mut impl Write, key_scheme: &str) -> io::Result<()> {
        let header = Header {
            lines: self.lines().len() as u64,
            ways: self.ways() as u32,
            generation: self.generation() as u32,
            layout: L::name(),
            key_scheme: key_scheme.to_owned(),
        };
        let header = header.to_bytes()?;
        file.write_all(&header)?;
        let seed = crc_of(&header);
        let mut bytes = Vec::with_capacity(BLOCK_LINES * LINE_BYTES + CRC_BYTES);
        for (number, block) in self.lines().chunks(BLOCK_LINES).enumerate() {
            bytes.clear();
            let words = block.iter().flat_map(|line| &line.0);
            bytes.extend(words.flat_map(|word| word.load(Ordering::Relaxed).to_le_bytes()));
            let crc = block_crc(seed, number, &bytes);
            bytes.extend(crc.to_le_bytes());
            file.write_all(&bytes)?;
        }
        Ok(())
    }
}

/// The header of a snapshot.
struct Header {
    lines: u64,
    ways: u32,
    generation: u32,
    layout: String,
    key_scheme: String,
}

impl Header {
    /// The header's bytes in the file, its checksum included.
    fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let length = FIXED_BYTES + self.layout.len() + self.key_scheme.len() + CRC_BYTES;
        if length > MAX_HEADER_BYTES {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the name of the key scheme is too long"));
        }
        let mut bytes = Vec::with_capacity(length);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((length as u32).to_le_bytes());
        bytes.extend(self.lines.to_le_bytes());
        bytes.extend(self.ways.to_le_bytes());
        bytes.extend(self.generation.to_le_bytes());
        bytes.extend((self.layout.len() as u32).to_le_bytes());
        bytes.extend((self.key_scheme.len() as u32).to_le_bytes());
        bytes.extend(self.layout.as_bytes());
        bytes.extend(self.key_scheme.as_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Ok(bytes)
    }

    /// The header in `bytes`, whose checksum has been verified; `None` if the lengths in it are inconsistent.
    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let number = |at: usize| u32::from_le_bytes(array(&bytes[at..]));
        let (layout, scheme) = (number(32) as usize, number(36) as usize);
        let names = bytes.get(FIXED_BYTES..bytes.len() - CRC_BYTES)?;
        if layout.checked_add(scheme)? != names.len() {
            return None;
        }
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
        Some(Header {
            lines: u64::from_le_bytes(array(&bytes[16..])),
            ways: number(24),
            generation: number(28),
            layout: text(&names[..layout])?,
            key_scheme: text(&names[layout..])?,
        })
    }

    /// The table's bytes, saturated: allocation refuses a size that no machine has.
    fn bytes(&self) -> usize {
        usize::try_from(self.lines).unwrap_or(usize::MAX).saturating_mul(LINE_BYTES)
    }

    /// The length that a file with this header must have.
    fn file_bytes(&self, header: usize) -> u64 {
        let blocks = self.lines.div_ceil(BLOCK_LINES as u64);
        let body = self.lines.saturating_mul(LINE_BYTES as u64).saturating_add(blocks.saturating_mul(CRC_BYTES as u64));
        body.saturating_add(header as u64)
    }
}

/// An open snapshot whose header matches the table. The open file stays the same even if a [`save`](Table::save)
/// replaces it under its name.
struct Reader<'a> {
    path: &'a Path,
    file: File,
    header: Header,
    header_bytes: usize,
    seed: u32,
}

impl<'a> Reader<'a> {
    /// Opens the file and checks its header and length, but not yet its blocks.
    fn open<L: Layout>(path: &'a Path, key_scheme: &str, ways: usize) -> Result<Self, SnapshotError> {
        let io = |action| move |source| SnapshotError::Io { action, path: path.to_owned(), source };
        let foreign = || SnapshotError::Foreign { path: path.to_owned() };
        let file = open_regular(path)?;
        let found = file.metadata().map_err(io("read"))?.len();
        let mut bytes = Vec::new();
        (&file).take(MAX_HEADER_BYTES as u64).read_to_end(&mut bytes).map_err(io("read"))?;
        if bytes.len() < FIXED_BYTES + CRC_BYTES || bytes[..8] != MAGIC {
            return Err(foreign());
        }
        let version = u32::from_le_bytes(array(&bytes[8..]));
        if version != VERSION {
            return Err(SnapshotError::Version { path: path.to_owned(), found: version, known: VERSION });
        }
        let length = u32::from_le_bytes(array(&bytes[12..])) as usize;
        let corrupt = || SnapshotError::Corrupt { path: path.to_owned(), part: "header".to_owned() };
        let header =
            bytes.get(..length).filter(|header| header.len() >= FIXED_BYTES + CRC_BYTES).ok_or_else(corrupt)?;
        let (body, crc) = header.split_at(length - CRC_BYTES);
        if crc32fast::hash(body).to_le_bytes() != crc {
            return Err(corrupt());
        }
        let seed = crc_of(header);
        let header = Header::from_bytes(header).ok_or_else(corrupt)?;
        expect_same(path, "layout", &header.layout, &L::name())?;
        expect_same(path, "key scheme", &header.key_scheme, key_scheme)?;
        expect_same(path, "ways", &header.ways.to_string(), &ways.to_string())?;
        let wanted = header.file_bytes(length);
        if found != wanted {
            return Err(SnapshotError::Length { path: path.to_owned(), found, wanted });
        }
        Ok(Reader { path, file, header, header_bytes: length, seed })
    }

    /// Reads every block and verifies its checksum.
    fn verify(&self) -> Result<(), SnapshotError> {
        self.each_block(|_, _| {})
    }

    /// Reads every block, verifies its checksum and copies it to the lines.
    fn fill(&self, lines: &[Line]) -> Result<(), SnapshotError> {
        self.each_block(|number, bytes| {
            let words = lines[number * BLOCK_LINES..].iter().flat_map(|line| &line.0);
            for (word, bytes) in words.zip(bytes.chunks_exact(8)) {
                word.store(u64::from_le_bytes(array(bytes)), Ordering::Relaxed);
            }
        })
    }

    /// Calls `each` with the number and bytes of every block in order; stops with an error at the first whose checksum
    /// does not match.
    fn each_block(&self, mut each: impl FnMut(usize, &[u8])) -> Result<(), SnapshotError> {
        let io = |action| move |source| SnapshotError::Io { action, path: self.path.to_owned(), source };
        let mut file = &self.file;
        file.seek(SeekFrom::Start(self.header_bytes as u64)).map_err(io("read"))?;
        let mut left = self.header.bytes() / LINE_BYTES;
        let mut bytes = vec![0; BLOCK_LINES.min(left) * LINE_BYTES + CRC_BYTES];
        for number in 0.. {
            if left == 0 {
                break;
            }
            let lines = BLOCK_LINES.min(left);
            left -= lines;
            let block = &mut bytes[..lines * LINE_BYTES + CRC_BYTES];
            file.read_exact(block).map_err(io("read"))?;
            let (body, crc) = block.split_at(lines * LINE_BYTES);
            if block_crc(self.seed, number, body).to_le_bytes() != crc {
                let part = format!("block {number}");
                return Err(SnapshotError::Corrupt { path: self.path.to_owned(), part });
            }
            each(number, body);
        }
        Ok(())
    }
}

fn expect_same(path: &Path, what: &'static str, found: &str, wanted: &str) -> Result<(), SnapshotError> {
    if found == wanted {
        return Ok(());
    }
    let (found, wanted) = (format!("{found:?}"), format!("{wanted:?}"));
    Err(SnapshotError::Mismatch { path: path.to_owned(), what, found, wanted })
}

/// The checksum that ends a header.
fn crc_of(header: &[u8]) -> u32 {
    u32::from_le_bytes(array(&header[header.len() - CRC_BYTES..]))
}

/// A block's checksum, which is valid at this number of this file only.
fn block_crc(seed: u32, number: usize, bytes: &[u8]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(&seed.to_le_bytes());
    crc.update(&(number as u64).to_le_bytes());
    crc.update(bytes);
    crc.finalize()
}

/// The first `N` bytes as an array. Panics if there are fewer: callers check the length first.
fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut first = [0; N];
    first.copy_from_slice(&bytes[..N]);
    first
}
