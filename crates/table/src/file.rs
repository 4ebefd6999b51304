//! Files that appear whole or not at all: written under a temporary name in the same folder, synced, then renamed.
//! Only a file that the program itself may have written is replaced: a mistyped path destroys nothing.
//!
//! This module touches the file system only; what is written is the caller's affair.

mod kind;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

pub(crate) use kind::SNAPSHOT_MAGIC;
pub use kind::{FileKind, OwnKind, open_regular, open_to_append};

/// Why a file could not be opened or written. What stood under its name before is still there.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was being done, in the words that precede the file's name.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something else stands where a file of our own kind is to be read or written.
    #[error("{} is {kind}, not {expected}: nothing was changed", path.display())]
    WrongKind {
        /// The file.
        path: PathBuf,
        /// What stands there.
        kind: FileKind,
        /// What may stand there.
        expected: &'static str,
    },
}

impl From<FileError> for io::Error {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Io { source, .. } => source,
            FileError::WrongKind { .. } => io::Error::other(error),
        }
    }
}

/// Writes a file through `write`, and gives it its name when it is complete and on disk: a reader, a crash or a power
/// loss meets the old file or the new one, never a part. A file that stands at `path` is replaced only if it is empty or
/// of the kind `own`. A symbolic link stays, and the file that it leads to is replaced.
///
/// Returns what `write` returned.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("result.csv");
/// use std::io::Write;
///
/// use mnemon_table::file::{OwnKind, replace_file};
///
/// replace_file(&path, &OwnKind::TEXT, |file| file.write_all(b"depth,nodes\n"))?;
/// assert_eq!(std::fs::read(&path)?, b"depth,nodes\n");
/// assert!(replace_file(&path, &OwnKind::SNAPSHOT, |file| file.write_all(b"...")).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`FileError::WrongKind`] for a file that may not be replaced; whatever the file system refuses, and what `write`
/// refuses. What stood at `path` is then still there, unless the error is that the folder could not be synced: then the
/// new file is there, and may not outlive a power loss.
pub fn replace_file<T>(
    path: &Path,
    own: &OwnKind,
    write: impl FnOnce(&mut File) -> io::Result<T>,
) -> Result<T, FileError> {
    let mut file = PendingFile::replacing(path, own)?;
    let written = write(file.as_file_mut()).map_err(cannot("write", path))?;
    file.replace()?;
    Ok(written)
}

/// A file under a temporary name, which is removed unless [`replace`](Self::replace) or
/// [`create_new`](Self::create_new) gives it its own. [`replace_file`] covers the common case.
#[derive(Debug)]
pub struct PendingFile {
    /// The name the file is to get.
    path: PathBuf,
    /// What it may replace.
    own: OwnKind,
    temporary: NamedTempFile,
}

impl PendingFile {
    /// An empty temporary file in the folder of `path`, with the permissions that the user's umask grants.
    /// [`replace`](Self::replace) will replace an empty file only.
    ///
    /// # Errors
    /// A folder that is not there, or takes no new file.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        Self::beside(path, OwnKind::new("an empty file", |_| false))
    }

    /// As [`create`](Self::create), for a file that replaces one of the kind `own`, in the folder to which the symbolic
    /// links at `path` lead.
    ///
    /// # Errors
    /// [`FileError::WrongKind`] if what stands there may not be replaced; a folder that takes no new file.
    pub fn replacing(path: &Path, own: &OwnKind) -> Result<Self, FileError> {
        own.check(path)?;
        Self::beside(&kind::follow_links(path)?, *own)
    }

    fn beside(path: &Path, own: OwnKind) -> Result<Self, FileError> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".mnemon-").suffix(".unfinished");
        // The default mode, 0o600, would keep the file from everyone that the umask lets read it.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let temporary = builder.tempfile_in(folder_of(path)).map_err(cannot("create a file beside", path))?;
        Ok(Self { path: path.to_owned(), own, temporary })
    }

    /// The open temporary file.
    pub fn as_file(&self) -> &File {
        self.temporary.as_file()
    }

    /// The open temporary file, for writing.
    pub fn as_file_mut(&mut self) -> &mut File {
        self.temporary.as_file_mut()
    }

    /// The temporary name, for a library that opens a file by its path.
    pub fn temporary_path(&self) -> &Path {
        self.temporary.path()
    }

    /// Syncs the file and gives it its name, in place of an empty file or one of the own kind. That is checked again right
    /// before the rename, since the writing may have taken long.
    ///
    /// # Errors
    /// As [`replace_file`].
    pub fn replace(self) -> Result<(), FileError> {
        let own = self.own;
        self.finish(|temporary, path| {
            own.check(path)?;
            temporary.persist(path).map_err(|error| cannot("rename a new file to", path)(error.error))
        })
    }

    /// Syncs the file and gives it its name, which no other file may have.
    ///
    /// # Errors
    /// As [`replace_file`]; the source of [`FileError::Io`] is [`io::ErrorKind::AlreadyExists`] if the name is taken.
    pub fn create_new(self) -> Result<(), FileError> {
        self.finish(|temporary, path| {
            temporary.persist_noclobber(path).map_err(|error| cannot("create", path)(error.error))
        })
    }

    fn finish(self, rename: impl FnOnce(NamedTempFile, &Path) -> Result<File, FileError>) -> Result<(), FileError> {
        let Self { path, temporary, .. } = self;
        temporary.as_file().sync_all().map_err(cannot("sync", &path))?;
        rename(temporary, &path)?;
        sync_folder(folder_of(&path)).map_err(cannot("sync the folder of", &path))
    }
}

fn cannot(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FileError {
    move |source| FileError::Io { action, path: path.to_owned(), source }
}

/// The folder that holds the file: the working directory for a bare name.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes a rename in the folder last through a power loss, where the system can sync a folder.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
