//! Files that appear whole or not at all: written under a temporary name in the same folder, synced, then renamed.
//!
//! This module touches the file system only; what is written is the caller's affair.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Why a file could not be written. What stood under its name before is still there.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}: {source}", path.display())]
pub struct FileError {
    /// What was being done, in the words that precede the file's name.
    pub action: &'static str,
    /// The file that was to be written.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

/// Writes a file through `write`, and gives it its name when it is complete and on disk: a reader, a crash or a power
/// loss meets the old file or the new one, never a part. A symbolic link at `path` is replaced, not followed.
///
/// Returns what `write` returned.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("result.csv");
/// use std::io::Write;
///
/// use mnemon_table::file::replace_file;
///
/// replace_file(&path, |file| file.write_all(b"depth,nodes\n"))?;
/// assert_eq!(std::fs::read(&path)?, b"depth,nodes\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Whatever the file system refuses, and what `write` refuses. What stood at `path` is then still there, unless the
/// error is that the folder could not be synced: then the new file is there, and may not outlive a power loss.
pub fn replace_file<T>(path: &Path, write: impl FnOnce(&mut File) -> io::Result<T>) -> Result<T, FileError> {
    let mut file = PendingFile::create(path)?;
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
    temporary: NamedTempFile,
}

impl PendingFile {
    /// An empty temporary file in the folder of `path`, with the permissions that the user's umask grants.
    ///
    /// # Errors
    /// A folder that is not there, or takes no new file.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".mnemon-").suffix(".unfinished");
        // The default mode, 0o600, would keep the file from everyone that the umask lets read it.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let temporary = builder.tempfile_in(folder_of(path)).map_err(cannot("create a file beside", path))?;
        Ok(Self { path: path.to_owned(), temporary })
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

    /// Syncs the file and gives it its name, in place of a file that has it.
    ///
    /// # Errors
    /// As [`replace_file`].
    pub fn replace(self) -> Result<(), FileError> {
        self.finish("rename a new file to", |temporary, path| temporary.persist(path))
    }

    /// Syncs the file and gives it its name, which no other file may have.
    ///
    /// # Errors
    /// As [`replace_file`]; the kind of the source is [`io::ErrorKind::AlreadyExists`] if the name is taken.
    pub fn create_new(self) -> Result<(), FileError> {
        self.finish("create", |temporary, path| temporary.persist_noclobber(path))
    }

    fn finish(
        self,
        action: &'static str,
        rename: impl FnOnce(NamedTempFile, &Path) -> Result<File, tempfile::PersistError>,
    ) -> Result<(), FileError> {
        let Self { path, temporary } = self;
        temporary.as_file().sync_all().map_err(cannot("sync", &path))?;
        rename(temporary, &path).map_err(|error| cannot(action, &path)(error.error))?;
        sync_folder(folder_of(&path)).map_err(cannot("sync the folder of", &path))
    }
}

fn cannot(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FileError {
    move |source| FileError { action, path: path.to_owned(), source }
}

/// The folder that holds the file: the working directory for a bare name.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes a rename in the folder last through a power loss, where the system can sync a folder.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
