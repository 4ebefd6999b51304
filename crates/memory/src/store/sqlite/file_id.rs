//! Which file a path leads to, to notice that it was replaced.

use std::path::Path;

/// The device and inode of the file at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FileId(u64, u64);

/// The file at the path, without opening it; `None` if there is none.
#[cfg(unix)]
pub(super) fn file_id(path: &Path) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt;
    path.metadata().ok().map(|file| FileId(file.dev(), file.ino()))
}

/// Every file is the same: the system does not let an open file be replaced.
#[cfg(not(unix))]
pub(super) fn file_id(_path: &Path) -> Option<FileId> {
    Some(FileId(0, 0))
}
