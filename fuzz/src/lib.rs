//! What several targets share.

pub mod chess;
mod patches;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use tempfile::TempDir;

pub use patches::Patches;

/// The private folder of this process, in RAM where there is such a file system. Targets write nowhere else.
///
/// Statics are not dropped: what lies in it is removed by [`clear`], and `fuzz/run` removes the folder itself.
pub fn scratch() -> &'static Path {
    static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
        let parent = std::env::var_os("MNEMON_FUZZ_SCRATCH").map_or_else(default_parent, PathBuf::from);
        tempfile::Builder::new().prefix("mnemon-fuzz-").tempdir_in(parent).expect("a private folder")
    });
    FOLDER.path()
}

fn default_parent() -> PathBuf {
    let in_ram = PathBuf::from("/dev/shm");
    if in_ram.is_dir() { in_ram } else { std::env::temp_dir() }
}

/// Removes every file in the [`scratch`] folder, so that no run depends on the one before.
pub fn clear() {
    for entry in std::fs::read_dir(scratch()).expect("the private folder").flatten() {
        std::fs::remove_file(entry.path()).expect("a file of this process");
    }
}
