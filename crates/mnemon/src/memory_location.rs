//! Where the memory is: `--memory`, `MNEMON_MEMORY`, or the folder for data that the system's conventions give.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use etcetera::BaseStrategy;
use etcetera::base_strategy::choose_native_strategy;
use mnemon_memory::{Access, MemoryError, OpenedStore, Statistics, Store, open};

use crate::Result;

/// The environment variable that names the memory.
const VARIABLE: &str = "MNEMON_MEMORY";

// The default location as help texts name it: `default_path!()` is a literal, for `concat!`.
#[cfg(windows)]
macro_rules! default_path {
    () => {
        "%LOCALAPPDATA%\\mnemon\\memory.mnemon"
    };
}
#[cfg(target_vendor = "apple")]
macro_rules! default_path {
    () => {
        "~/Library/Application Support/mnemon/memory.mnemon"
    };
}
#[cfg(not(any(windows, target_vendor = "apple")))]
macro_rules! default_path {
    () => {
        "$XDG_DATA_HOME/mnemon/memory.mnemon, or else ~/.local/share/mnemon/memory.mnemon"
    };
}
pub(crate) use default_path;

/// The file of a memory, which need not exist.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MemoryLocation {
    path: PathBuf,
    /// Neither an option nor `MNEMON_MEMORY` names it, so its folders are made when they are missing.
    is_default: bool,
}

impl MemoryLocation {
    /// The file that was named on the command line, or else in the environment, or else the default.
    pub(crate) fn choose(named: Option<&Path>) -> Result<Self> {
        Self::choose_from(named, std::env::var_os(VARIABLE), data_folder)
    }

    fn choose_from(
        named: Option<&Path>,
        variable: Option<OsString>,
        data_folder: impl FnOnce() -> Option<PathBuf>,
    ) -> Result<Self> {
        let variable = variable.filter(|value| !value.is_empty()).map(PathBuf::from);
        if let Some(path) = named.map(Path::to_path_buf).or(variable) {
            return Ok(MemoryLocation { path, is_default: false });
        }
        let folder = data_folder().filter(|folder| folder.is_absolute());
        let folder = folder.ok_or(
            "the user's home folder is not known: name the memory with --memory, in a GUI with Memory File, or with \
             MNEMON_MEMORY",
        )?;
        Ok(MemoryLocation { path: folder.join("mnemon").join("memory.mnemon"), is_default: true })
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A file with this name in the memory's folder.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.path.with_file_name(name)
    }

    /// Creates the memory's folder, for the user alone, if the location is the default one.
    pub(crate) fn create_default_folder(&self) -> Result {
        let Some(folder) = self.path.parent().filter(|_| self.is_default) else { return Ok(()) };
        Ok(create_private(folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?)
    }

    /// Opens the memory for an engine, which can also do with one that can only be read.
    pub(crate) fn for_engine(&self, access: Access) -> mnemon_memory::Result<OpenedStore> {
        if access == Access::Create {
            self.create_default_folder().map_err(|error| MemoryError::Unreachable {
                location: self.path.display().to_string(),
                detail: error.to_string(),
            })?;
        }
        OpenedStore::open_or_read(&self.path, access)
    }

    /// Opens the memory for reading only. It must exist.
    pub(crate) fn for_reading(&self) -> Result<Arc<dyn Store>> {
        open_for_reading(&self.path)
    }

    /// Opens the memory for reading and writing. It must exist.
    pub(crate) fn for_changing(&self) -> Result<Arc<dyn Store>> {
        open(&self.path, Access::Existing).map_err(with_creation_hint)
    }

    /// Opens the memory for reading and writing, and creates it if it does not exist.
    pub(crate) fn for_adding(&self) -> Result<Arc<dyn Store>> {
        self.create_default_folder()?;
        Ok(open(&self.path, Access::Create)?)
    }
}

/// Opens a memory that must exist, for reading only.
pub(crate) fn open_for_reading(path: &Path) -> Result<Arc<dyn Store>> {
    open(path, Access::ReadOnly).map_err(with_creation_hint)
}

/// Adds how to begin a memory that does not exist.
fn with_creation_hint(error: MemoryError) -> Box<dyn std::error::Error> {
    match error {
        MemoryError::Missing { location } => format!(
            "{location}: there is no memory yet; 'mnemon memory put' or 'mnemon memory import' begins one, and --memory \
             or MNEMON_MEMORY names another file"
        )
        .into(),
        error => error.into(),
    }
}

/// Creates a folder that only the user may enter, as the XDG convention demands.
fn create_private(folder: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Complains about records that were left out because they are damaged, and about records that were read or missed against
/// the memory's own counts; true when there were none.
pub(crate) fn is_sound(store: &dyn Store) -> Result<bool> {
    let Statistics { damaged, miscounted, location, .. } = store.statistics()?;
    let location = location.unwrap_or_default();
    if damaged > 0 {
        let plural = crate::format::plural(damaged);
        let were = if damaged == 1 { "was" } else { "were" };
        let line =
            format!("{damaged} damaged record{plural} in {location} {were} left out; see 'mnemon memory verify'");
        eprintln!("mnemon: {}", crate::output::escape_controls(&line));
    }
    if miscounted > 0 {
        let records = crate::format::records(miscounted);
        let line = format!(
            "what was read from {location} differs from its own counts by {records}, which may be lost; see 'mnemon \
             memory verify'"
        );
        eprintln!("mnemon: {}", crate::output::escape_controls(&line));
    }
    Ok(damaged == 0 && miscounted == 0)
}

/// The folder for a user's data; `None` if the home folder is not known.
fn data_folder() -> Option<PathBuf> {
    let folders = choose_native_strategy().ok()?;
    // Windows copies its data folder, which roams, at each logon: a memory is too large for that and belongs beside what is
    // local to the machine.
    Some(if cfg!(windows) { folders.cache_dir() } else { folders.data_dir() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(named: Option<&str>, variable: &str, data: Option<&str>) -> Result<MemoryLocation> {
        MemoryLocation::choose_from(named.map(Path::new), Some(variable.into()), || data.map(PathBuf::from))
    }

    #[test]
    fn the_command_line_comes_before_the_environment_and_that_before_the_default() {
        let folder = std::env::temp_dir();
        let data = folder.to_str();
        let path = |named, variable| choose(named, variable, data).expect("a location").path;
        assert_eq!(path(Some("named"), "here"), Path::new("named"));
        assert_eq!(path(None, "here"), Path::new("here"));
        assert_eq!(path(None, ""), folder.join("mnemon/memory.mnemon"), "an empty variable is not set");
        assert!(choose(None, "", data).expect("a location").is_default);
    }

    #[test]
    fn without_a_home_the_way_out_is_said() {
        for data in [None, Some("relative")] {
            let error = choose(None, "", data).expect_err("no folder").to_string();
            assert!(error.contains("--memory") && error.contains("home folder"), "{error}");
        }
    }
}
