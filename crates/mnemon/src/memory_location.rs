//! Where the memory is: `--memory`, `MNEMON_MEMORY`, or the place that the XDG convention gives.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mnemon_memory::{Access, MemoryError, Statistics, Store, open};

use crate::Result;

/// The environment variable that names the memory.
const VARIABLE: &str = "MNEMON_MEMORY";

/// The memory's file below the folder for data.
const BELOW_DATA: &str = "mnemon/memory.mnemon";

/// The file of a memory, which may not be there yet.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MemoryLocation {
    path: PathBuf,
    /// Nobody chose it, so its folders are made when they are missing.
    is_default: bool,
}

impl MemoryLocation {
    /// The file that was named on the command line, or else in the environment, or else the default.
    pub(crate) fn choose(named: Option<&Path>) -> Result<Self> {
        Self::chosen(named, |variable| std::env::var_os(variable))
    }

    fn chosen(named: Option<&Path>, variable: impl Fn(&str) -> Option<OsString>) -> Result<Self> {
        let set = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        if let Some(path) = named.map(Path::to_path_buf).or_else(|| set(VARIABLE)) {
            return Ok(MemoryLocation { path, is_default: false });
        }
        // The convention says that a relative folder is to be ignored.
        let data = set("XDG_DATA_HOME").filter(|folder| folder.is_absolute());
        let data = data.or_else(|| set("HOME").map(|home| home.join(".local/share")));
        let data =
            data.ok_or("neither XDG_DATA_HOME nor HOME is set: name the memory with --memory or MNEMON_MEMORY")?;
        Ok(MemoryLocation { path: data.join(BELOW_DATA), is_default: true })
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The memory, to look without teaching. It must be there.
    pub(crate) fn for_reading(&self) -> Result<Arc<dyn Store>> {
        open_for_reading(&self.path)
    }

    /// The memory, to change what is in it. It must be there.
    pub(crate) fn for_changing(&self) -> Result<Arc<dyn Store>> {
        open(&self.path, Access::Existing).map_err(with_a_way_to_begin)
    }

    /// The memory, to add to it. If it is not there it is made.
    pub(crate) fn for_adding(&self) -> Result<Arc<dyn Store>> {
        if let Some(folder) = self.path.parent().filter(|_| self.is_default) {
            make_private(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        }
        Ok(open(&self.path, Access::Create)?)
    }
}

/// A memory that must be there, to look without teaching.
pub(crate) fn open_for_reading(path: &Path) -> Result<Arc<dyn Store>> {
    open(path, Access::ReadOnly).map_err(with_a_way_to_begin)
}

/// A memory that is not there is nothing wrong; it only has to be begun.
fn with_a_way_to_begin(error: MemoryError) -> Box<dyn std::error::Error> {
    match error {
        MemoryError::Missing { location } => format!(
            "{location}: there is no memory yet; 'mnemon memory put' or 'mnemon memory import' begins one, and --memory \
             or MNEMON_MEMORY names another file"
        )
        .into(),
        error => error.into(),
    }
}

/// Makes a folder for the user alone, as the convention wants it.
fn make_private(folder: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Complains about records that were left out because they are damaged; true when there were none.
pub(crate) fn is_sound(store: &dyn Store) -> Result<bool> {
    let Statistics { damaged, location, .. } = store.statistics()?;
    if damaged > 0 {
        let (location, plural) = (location.unwrap_or_default(), crate::format::plural(damaged));
        let were = if damaged == 1 { "was" } else { "were" };
        let line =
            format!("{damaged} damaged record{plural} in {location} {were} left out; see 'mnemon memory verify'");
        eprintln!("mnemon: {}", crate::output::harmless(&line));
    }
    Ok(damaged == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(named: Option<&str>, variables: &[(&str, &str)]) -> Result<MemoryLocation> {
        let find = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into());
        MemoryLocation::chosen(named.map(Path::new), find)
    }

    fn path(named: Option<&str>, variables: &[(&str, &str)]) -> String {
        chosen(named, variables).expect("a place").path.display().to_string()
    }

    #[test]
    fn the_nearest_word_counts() {
        let all = [(VARIABLE, "here"), ("XDG_DATA_HOME", "/data"), ("HOME", "/home/ada")];
        assert_eq!(path(Some("named"), &all), "named");
        assert_eq!(path(None, &all), "here");
        assert_eq!(path(None, &all[1..]), "/data/mnemon/memory.mnemon");
        assert_eq!(path(None, &all[2..]), "/home/ada/.local/share/mnemon/memory.mnemon");
    }

    #[test]
    fn what_is_empty_or_relative_is_ignored() {
        let variables = [(VARIABLE, ""), ("XDG_DATA_HOME", "data"), ("HOME", "/home/ada")];
        assert_eq!(path(None, &variables), "/home/ada/.local/share/mnemon/memory.mnemon");
    }

    #[test]
    fn without_a_home_the_way_out_is_said() {
        let error = chosen(None, &[("HOME", "")]).expect_err("homeless").to_string();
        assert!(error.contains("--memory") && error.contains("HOME"), "{error}");
    }
}
