//! Lists the files of `web/`, so that they are embedded in the program as they are. Nothing is translated or packed.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let manifest = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let web = manifest.join("../../web").canonicalize()?;
    let mut files = Vec::new();
    collect(&web, &mut files)?;
    let name = |file: &Path| file.strip_prefix(&web).unwrap_or(file).to_string_lossy().replace('\\', "/");
    // By the names as text, since they are searched by them.
    files.sort_by_key(|file| name(file));
    let mut list = String::from("&[\n");
    for file in &files {
        let name = name(file);
        writeln!(list, "    ({name:?}, include_bytes!({:?})),", file.display().to_string())
            .map_err(io::Error::other)?;
    }
    list.push_str("]\n");
    fs::write(PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?).join("web.rs"), list)
}

/// The files below the folder, hidden ones left out. Cargo looks at each folder again when it changes.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo:rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.is_dir() {
            collect(&path, files)?;
        } else if !is_hidden {
            files.push(path);
        }
    }
    Ok(())
}
