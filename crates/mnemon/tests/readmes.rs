//! The Markdown files as a registry or a git host shows them: every relative link points to a file, and no link needs
//! rustdoc to resolve it. And every crate's package has what a registry shows.

use std::fs;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("two folders above this crate").to_owned()
}

/// The folders of all crates.
fn crates() -> Vec<PathBuf> {
    let entries = fs::read_dir(repository().join("crates")).expect("the crates");
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder").path()).collect();
    folders.retain(|folder| folder.join("Cargo.toml").is_file());
    folders.sort();
    folders
}

/// The Markdown files in the folder, with those of its subfolders if `deep`.
fn markdown(folder: &Path, deep: bool) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("an entry").path());
    let (folders, mut files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
    files.retain(|file| file.extension().is_some_and(|extension| extension == "md"));
    let below = folders.iter().filter(|_| deep).flat_map(|folder| markdown(folder, deep));
    files.extend(below);
    files
}

/// The text without code blocks, each code span replaced by a letter.
fn prose(text: &str) -> String {
    let mut prose = String::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced && !line.starts_with("    ") {
            let parts = line.split('`').enumerate();
            prose.extend(parts.map(|(number, part)| if number % 2 == 0 { part } else { "x" }));
        }
        prose.push('\n');
    }
    prose
}

/// The targets of all inline links, and the texts of all links that have no target of their own.
fn links(prose: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut targets, mut unresolved) = (Vec::new(), Vec::new());
    let mut rest = prose;
    while let Some((_, after)) = rest.split_once('[') {
        let Some((text, after)) = after.split_once(']') else { break };
        rest = after;
        match after.strip_prefix('(').and_then(|target| target.split_once(')')) {
            Some((target, after)) => {
                targets.push(target);
                rest = after;
            }
            None => unresolved.push(text),
        }
    }
    (targets, unresolved)
}

#[test]
fn every_link_leads_to_a_file() {
    let repository = repository();
    let top = markdown(&repository, false).into_iter().chain(markdown(&repository.join("docs"), true));
    let files: Vec<PathBuf> = top.chain(crates().iter().flat_map(|folder| markdown(folder, false))).collect();
    assert!(files.len() > 20, "only {} files found", files.len());
    let mut wrong = Vec::new();
    let mut checked = 0;
    for file in &files {
        let prose = prose(&fs::read_to_string(file).expect("a text file"));
        let (targets, unresolved) = links(&prose);
        wrong.extend(unresolved.iter().map(|text| format!("{}: [{text}] has no target", file.display())));
        let folder = file.parent().expect("a file is in a folder");
        let is_packaged = folder.join("Cargo.toml").is_file() && folder != repository;
        for target in targets.into_iter().filter(|target| !target.contains("://")) {
            checked += 1;
            let path = target.split('#').next().unwrap_or_default();
            if is_packaged && path.starts_with("..") {
                wrong.push(format!("{}: {target} is not in the crate's package", file.display()));
            } else if !path.is_empty() && !folder.join(path).exists() {
                wrong.push(format!("{}: {target} is not there", file.display()));
            }
        }
    }
    assert!(checked > 30, "only {checked} links found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_link_that_only_rustdoc_resolves_is_noticed() {
    let text = prose("See [`Foo`] and [bar](Baz::bar), `[no link]`.\n```\n[0]\n```\n    [1]\n");
    assert_eq!(links(&text), (vec!["Baz::bar"], vec!["x"]));
}

#[test]
fn every_crate_has_what_a_registry_shows() {
    for folder in crates() {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        for field in ["description = ", "license.workspace", "readme = \"README.md\"", "keywords = [", "categories = ["]
        {
            assert!(manifest.contains(field), "{}: no {field}", folder.display());
        }
        for (name, beginning) in [("LICENSE-MIT", "MIT License"), ("LICENSE-APACHE", "Apache License")] {
            let text = fs::read_to_string(folder.join(name)).unwrap_or_default();
            assert!(text.trim_start().starts_with(beginning), "{}: no text in {name}", folder.display());
        }
        let readme = fs::read_to_string(folder.join("README.md")).expect("a README");
        assert!(readme.starts_with("# mnemon"), "{}: the README has no title", folder.display());
    }
}
