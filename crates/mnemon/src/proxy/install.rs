//! A proxy by a name of its own, for GUIs that allow no arguments: a link to this program, and a settings file beside it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::Result;

/// What the settings file's name ends with.
const ENDING: &str = "mnemon-proxy";

/// Makes the link and the settings file, and prints the link's path.
pub(super) fn install(
    engine: &str,
    arguments: &[String],
    memory: Option<&Path>,
    learning: &str,
    to: Option<&Path>,
) -> Result {
    let program = find(engine).ok_or_else(|| format!("there is no program '{engine}': give the path of the engine"))?;
    let program = fs::canonicalize(&program).map_err(|error| format!("{}: {error}", program.display()))?;
    let this = std::env::current_exe().map_err(|error| format!("the path of mnemon is not known: {error}"))?;
    let name = program.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let link = match to {
        Some(link) => link.to_path_buf(),
        None => this.with_file_name(format!("mnemon-{name}{}", std::env::consts::EXE_SUFFIX)),
    };
    let settings = settings_file(&link);
    if fs::symlink_metadata(&link).is_ok() && !settings.is_file() {
        return Err(format!("{} exists and is no proxy; name another link with --to", link.display()).into());
    }
    let mut text = format!("# Settings of a mnemon proxy; see docs/proxy.md.\nengine {}\n", program.display());
    arguments.iter().for_each(|argument| text += &format!("argument {argument}\n"));
    if let Some(memory) = memory {
        let memory = std::path::absolute(memory).map_err(|error| format!("{}: {error}", memory.display()))?;
        text += &format!("memory {}\n", memory.display());
    }
    text += &format!("learning {learning}\n");
    let failed = |path: &Path, error: std::io::Error| format!("cannot write {}: {error}", path.display());
    fs::write(&settings, text).map_err(|error| failed(&settings, error))?;
    if fs::symlink_metadata(&link).is_ok() {
        fs::remove_file(&link).map_err(|error| failed(&link, error))?;
    }
    link_to(&this, &link).map_err(|error| failed(&link, error))?;
    println!("{}", std::path::absolute(&link).unwrap_or(link).display());
    Ok(())
}

#[cfg(unix)]
fn link_to(this: &Path, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(this, link)
}

#[cfg(not(unix))]
fn link_to(this: &Path, link: &Path) -> std::io::Result<()> {
    fs::hard_link(this, link).or_else(|_| fs::copy(this, link).map(|_| ()))
}

fn settings_file(link: &Path) -> PathBuf {
    let mut name = link.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(ENDING);
    link.with_file_name(name)
}

/// The program of this path, or of this name in the search path.
fn find(engine: &str) -> Option<PathBuf> {
    let path = Path::new(engine);
    if path.components().count() > 1 || path.is_file() {
        return path.is_file().then(|| path.to_path_buf());
    }
    let folders = std::env::var_os("PATH")?;
    let names = [engine.to_owned(), format!("{engine}{}", std::env::consts::EXE_SUFFIX)];
    let extra = [PathBuf::from("/usr/games"), PathBuf::from("/usr/local/games")];
    let mut places = std::env::split_paths(&folders).chain(extra);
    places.find_map(|folder| names.iter().map(|name| folder.join(name)).find(|path| path.is_file()))
}

/// The settings file that makes the name by which this program was started a proxy's.
pub(crate) fn linked(called: Option<&OsString>) -> Option<PathBuf> {
    let called = Path::new(called?);
    let link = if called.components().count() > 1 { called.to_path_buf() } else { find(called.to_str()?)? };
    let settings = settings_file(&link);
    settings.is_file().then_some(settings)
}

/// Runs the proxy of a settings file.
pub(crate) fn run_linked(settings: &Path) -> Result<ExitCode> {
    let text = fs::read_to_string(settings).map_err(|error| format!("cannot read {}: {error}", settings.display()))?;
    let (mut command, mut memory, mut learning) = (Vec::new(), None, "resume".to_owned());
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        match line.split_once(' ') {
            Some(("engine", engine)) => command.insert(0, engine.to_owned()),
            Some(("argument", argument)) => command.push(argument.to_owned()),
            Some(("memory", file)) => memory = Some(PathBuf::from(file)),
            Some(("learning", how)) if ["off", "read-only", "resume"].contains(&how) => how.clone_into(&mut learning),
            _ => return Err(format!("{}: '{line}' is no setting of a proxy", settings.display()).into()),
        }
    }
    if command.is_empty() {
        return Err(format!("{}: it names no engine", settings.display()).into());
    }
    super::run_engine(&command, &super::Options::of(memory, learning))
}
