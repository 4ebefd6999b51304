//! What only reads a memory leaves its folder as it was.

mod binary;
mod gui;

use std::path::Path;

use gui::Gui;

fn names(folder: &Path) -> Vec<std::ffi::OsString> {
    std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name()).collect()
}

#[test]
fn reading_leaves_no_log_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("learned.mnemon");
    let mut gui = Gui::with_memory(&file);
    gui.go("startpos", "go depth 8");
    gui.send("quit");
    gui.close();
    let contents = std::fs::read(&file).expect("a file");
    let path = file.to_str().expect("UTF-8");
    for command in [
        &["stats"][..],
        &["show", "startpos"],
        &["get", "startpos"],
        &["export"],
        &["verify"],
        &["stats", "--json"],
        &["show", "startpos", "--json"],
    ] {
        let output = binary::command(&[&["memory"], command].concat()).env("MNEMON_MEMORY", path).output();
        let output = output.expect("the binary runs");
        assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(names(folder.path()), ["learned.mnemon"], "{command:?}");
    }
    let mut gui = Gui::with_memory(&file);
    gui.send("setoption name Learning value read-only");
    gui.go("startpos", "go depth 8");
    gui.send("quit");
    gui.close();
    assert_eq!(names(folder.path()), ["learned.mnemon"]);
    assert_eq!(std::fs::read(&file).expect("a file"), contents);
}
