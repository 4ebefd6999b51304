//! The file of games, which is read as a stream.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use mnemon_chess::pgn::PgnError;

/// A file, or stdin.
pub(super) struct Input {
    name: String,
    /// `None` for stdin.
    path: Option<PathBuf>,
}

impl Input {
    pub(super) fn new(path: &Path) -> Self {
        if path.as_os_str() == "-" {
            Input { name: "stdin".to_owned(), path: None }
        } else {
            Input { name: path.display().to_string(), path: Some(path.to_owned()) }
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether it can be read a second time: a file can, a pipe cannot.
    pub(super) fn is_rereadable(&self) -> bool {
        self.path.as_ref().is_some_and(|path| path.is_file())
    }

    /// The size; 0 where it is not known.
    pub(super) fn bytes(&self) -> u64 {
        self.path.as_ref().and_then(|path| path.metadata().ok()).map_or(0, |data| data.len())
    }

    /// The bytes from the beginning; `position` becomes the number of those that were read.
    pub(super) fn open(&self, position: &Rc<Cell<u64>>) -> Result<impl BufRead + use<>, PgnError> {
        let reader: Box<dyn Read> = match &self.path {
            None => Box::new(io::stdin()),
            Some(path) => {
                Box::new(File::open(path).map_err(|error| PgnError::Read { file: self.name.clone(), error })?)
            }
        };
        Ok(BufReader::with_capacity(1 << 16, Counted { reader, position: Rc::clone(position) }))
    }
}

/// A reader that counts its bytes.
struct Counted {
    reader: Box<dyn Read>,
    position: Rc<Cell<u64>>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.position.set(self.position.get() + count as u64);
        Ok(count)
    }
}
