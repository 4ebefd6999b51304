//! The door to a store: from a location, which is a path now and may be a URL later, to the store that is there.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use super::Store;
use crate::{MemoryError, Result};

/// What a caller is going to do with a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Read only: nothing in the memory changes, nothing is left beside it that was not there, and it may be where this
    /// process cannot write. It must be there.
    ReadOnly,
    /// Read and write a memory that must be there.
    Existing,
    /// Read and write; the memory, and its directory, are made if they are not there.
    Create,
}

/// Opens the store at a location: the path of a file. Several stores, also of several processes, may have one file open.
///
#[cfg_attr(feature = "sqlite", doc = "```")]
#[cfg_attr(not(feature = "sqlite"), doc = "```no_run")]
/// use mnemon_memory::{Access, Item, Key, MemoryError, Record, Source, open};
///
/// # let directory = tempfile::tempdir().unwrap();
/// # let path = directory.path().join("learned.mnemon");
/// let store = open(&path, Access::Create)?;
/// let key = Key::new(&"tictactoe".into(), *b"a packed position", &Source::engine("mnemon", "0.1.0"));
/// store.merge_many(&[Item { key, record: Record::exact(0, 9) }])?;
/// drop(store);
///
/// let store = open(&path, Access::ReadOnly)?;
/// assert_eq!(store.statistics()?.records(), 1);
/// assert!(matches!(open("gopher://host/1", Access::Create), Err(MemoryError::UnknownScheme { .. })));
/// # Ok::<(), MemoryError>(())
/// ```
///
/// # Errors
/// [`MemoryError::UnknownScheme`] for a URL; a file that is no memory, is of a newer format, is damaged, or cannot be
/// opened in this way; [`MemoryError::Missing`] where `access` does not create it.
pub fn open(location: impl AsRef<OsStr>, access: Access) -> Result<Arc<dyn Store>> {
    let location = location.as_ref();
    match scheme(location) {
        Some(scheme) => Err(MemoryError::UnknownScheme {
            location: location.to_string_lossy().into_owned(),
            scheme: scheme.to_owned(),
        }),
        None => open_file(Path::new(location), access),
    }
}

/// Replaces the contents of the memory at a location with those of a backup, which is verified first and only read. A
/// process killed meanwhile leaves the old contents or the new. The memory may be damaged, or not be there. Calls
/// `progress` with the number of records, then of pages, that are done and of all. Returns the number of records.
///
/// # Errors
/// A backup that cannot be read or is damaged; [`MemoryError::InUse`] if another process has the memory open;
/// [`MemoryError::Foreign`] if something else is at the location. The memory is then as it was.
pub fn restore(location: impl AsRef<OsStr>, backup: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<u64> {
    let location = location.as_ref();
    match scheme(location) {
        Some(scheme) => Err(MemoryError::UnknownScheme {
            location: location.to_string_lossy().into_owned(),
            scheme: scheme.to_owned(),
        }),
        None => restore_file(Path::new(location), backup, progress),
    }
}

#[cfg(feature = "sqlite")]
use super::sqlite::restore as restore_file;

#[cfg(not(feature = "sqlite"))]
fn restore_file(path: &Path, _backup: &Path, _progress: &mut dyn FnMut(u64, u64)) -> Result<u64> {
    Err(MemoryError::NoFileStore { location: path.display().to_string() })
}

#[cfg(feature = "sqlite")]
fn open_file(path: &Path, access: Access) -> Result<Arc<dyn Store>> {
    Ok(Arc::new(super::sqlite::SqliteStore::open(path, access)?))
}

#[cfg(not(feature = "sqlite"))]
fn open_file(path: &Path, _access: Access) -> Result<Arc<dyn Store>> {
    Err(MemoryError::NoFileStore { location: path.display().to_string() })
}

/// The scheme of a location of the form `scheme://...`; `None` for a path. One letter is a Windows drive, and a path that
/// begins with `./` or `/` never has a scheme.
fn scheme(location: &OsStr) -> Option<&str> {
    let end = location.as_encoded_bytes().windows(3).position(|bytes| bytes == b"://")?;
    let scheme = std::str::from_utf8(&location.as_encoded_bytes()[..end]).ok()?;
    let is_scheme = scheme.len() > 1
        && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_scheme.then_some(scheme)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_url_has_a_scheme() {
        assert_eq!(scheme("redis://host:6379/0".as_ref()), Some("redis"));
        assert_eq!(scheme("rediss+tls://host".as_ref()), Some("rediss+tls"));
        for path in ["learned.mnemon", "/a/redis://b", "./redis://b", "C://memory", "a b://c", "://", "c:\\m"] {
            assert_eq!(scheme(path.as_ref()), None, "{path}");
        }
    }

    #[cfg(not(feature = "sqlite"))]
    #[test]
    fn a_path_needs_the_file_store() {
        let error = open("learned.mnemon", Access::Create).expect_err("no file store");
        assert!(matches!(error, MemoryError::NoFileStore { .. }), "{error:?}");
    }
}
