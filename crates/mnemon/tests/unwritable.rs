//! A memory that may be read but not written: it is read, nothing is learned, and that is said once.

#![cfg(unix)]

mod gui;

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use gui::Gui;

const NAJDORF: &str = "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6";
/// The user that owns nothing.
const NOBODY: u32 = 65_534;

/// A memory, and a program for which permissions hold: they do not for root.
struct Library {
    program: PathBuf,
    is_root: bool,
    shelf: PathBuf,
    file: PathBuf,
    _folder: tempfile::TempDir,
}

impl Library {
    /// A memory that knows a position to depth 8.
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        permit(folder.path(), 0o755);
        // Another user may not reach the place where the program was built.
        let program = folder.path().join("mnemon");
        fs::copy(env!("CARGO_BIN_EXE_mnemon"), &program).expect("copied");
        permit(&program, 0o755);
        let shelf = folder.path().join("shelf");
        fs::create_dir(&shelf).expect("a folder");
        let file = shelf.join("learned.mnemon");
        let mut gui = Gui::with_memory(&file);
        gui.go(&format!("fen {NAJDORF}"), "go depth 8");
        gui.send("quit");
        assert_eq!(gui.close().1, Some(0));
        let is_root = fs::metadata(&program).expect("a file").uid() == 0;
        Library { program, is_root, shelf, file, _folder: folder }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments).env("MNEMON_MEMORY", &self.file);
        if self.is_root {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    }

    /// The file, its folder, or both without the permission to write, and without what an earlier reader could not delete.
    fn protect(&self, file: bool, shelf: bool) {
        permit(&self.shelf, 0o777);
        for end in ["-wal", "-shm"] {
            let _ = fs::remove_file(format!("{}{end}", self.file.display()));
        }
        permit(&self.file, if file { 0o444 } else { 0o666 });
        permit(&self.shelf, if shelf { 0o555 } else { 0o777 });
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        permit(&self.shelf, 0o755);
    }
}

fn permit(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("one's own file");
}

const CASES: [(bool, bool); 3] = [(true, false), (false, true), (true, true)];

#[test]
fn an_engine_recalls_and_says_once_that_it_only_reads() {
    let library = Library::new();
    let before = fs::read(&library.file).expect("a file");
    for (file, shelf) in CASES {
        library.protect(file, shelf);
        let mut gui = Gui::start(&mut library.command(&["uci"]), &library.file);
        let mut lines = gui.settled();
        lines.extend(gui.go(&format!("fen {NAJDORF}"), "go depth 9"));
        lines.extend(gui.go("startpos", "go depth 8"));
        lines.extend(gui.settled());
        let forgotten = gui.said("setoption name Forget Memory").join(" ");
        assert!(forgotten.contains("cannot be written") && !forgotten.contains("positions forgotten"), "{forgotten}");
        gui.send("quit");
        let (rest, code) = gui.close();
        assert_eq!(code, Some(0));
        lines.extend(rest);
        let memory: Vec<_> = lines.iter().filter(|line| line.starts_with("info string memory: ")).collect();
        let said = format!("{} can't be written (", library.file.display());
        let is_said = |line: &&&String| line.contains(&said) && line.contains("; reading only");
        assert_eq!(memory.iter().filter(is_said).count(), 1, "{memory:#?}");
        assert!(memory.iter().any(|line| line.contains("this position known to depth 8")), "{memory:#?}");
        assert!(!memory.iter().any(|line| line.contains(" learned, ")), "{memory:#?}");
        assert_eq!(fs::read(&library.file).expect("a file"), before);
    }
}

/// Only the first write shows that the log of an earlier reader may not be written.
#[test]
fn an_engine_that_finds_out_late_says_it_once_too() {
    let library = Library::new();
    library.protect(true, false);
    let mut gui = Gui::start(&mut library.command(&["uci"]), &library.file);
    gui.settled();
    gui.send("quit");
    gui.close();
    permit(&library.file, 0o666);
    permit(&library.shelf, 0o555);
    let mut gui = Gui::start(&mut library.command(&["uci"]), &library.file);
    let mut lines = gui.settled();
    for depth in 9..12 {
        lines.extend(gui.go(&format!("fen {NAJDORF}"), &format!("go depth {depth}")));
    }
    gui.send("quit");
    lines.extend(gui.close().0);
    let memory: Vec<_> = lines.iter().filter(|line| line.starts_with("info string memory: ")).collect();
    assert_eq!(memory.iter().filter(|line| line.contains("; reading only")).count(), 1, "{memory:#?}");
    assert!(memory.iter().any(|line| line.contains("this position known to depth 8")), "{memory:#?}");
    assert!(!memory.iter().any(|line| line.contains(" learned, ")), "{memory:#?}");
}

#[test]
fn an_analysis_recalls_and_says_once_that_it_only_reads() {
    let library = Library::new();
    let before = fs::read(&library.file).expect("a file");
    for (file, shelf) in CASES {
        library.protect(file, shelf);
        let output = library.command(&["analyze", NAJDORF, "--depth", "9"]).output().expect("it runs");
        let (said, complaints) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{complaints}");
        assert_eq!(complaints.matches("can't be written (").count(), 1, "{complaints}");
        assert!(complaints.contains("; reading only"), "{complaints}");
        assert!(said.contains("depth 8") && said.contains("only read"), "{said}");
        assert_eq!(fs::read(&library.file).expect("a file"), before);
    }
}
