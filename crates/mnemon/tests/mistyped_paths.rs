//! A path that the user mistyped: every command that writes leaves a file alone that is not of its own kind.

mod binary;
mod gui;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc::channel;
use std::time::Duration;

use binary::{command, mnemon, text};
use gui::Gui;
use tempfile::TempDir;

const GAMES: &str = "[Event \"?\"]\n[Result \"*\"]\n\n1. e4 *\n";

/// A private folder with files that no command may replace.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn word(&self, name: &str) -> String {
        self.path(name).to_str().expect("UTF-8").to_owned()
    }

    /// A file of this name with this text; returns its path.
    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).expect("written");
        self.word(name)
    }

    /// A FIFO of this name, to which no process writes; returns its path.
    #[cfg(unix)]
    fn fifo(&self, name: &str) -> String {
        assert!(std::process::Command::new("mkfifo").arg(self.path(name)).status().expect("mkfifo runs").success());
        self.word(name)
    }

    /// A memory with one record; returns its path.
    fn memory(&self, name: &str) -> String {
        let word = self.word(name);
        let put = mnemon(&["memory", "--memory", &word, "put", "startpos", "--score", "0.2", "--depth", "9"]);
        assert!(put.status.success(), "{}", text(&put.stderr));
        word
    }
}

#[cfg(unix)]
fn is_fifo(path: &str) -> bool {
    use std::os::unix::fs::FileTypeExt;
    fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_fifo())
}

/// What a command that ends with exit code 1 says on stderr. A command that blocks is a failure.
fn refuses(arguments: &[&str]) -> String {
    let mut child = command(arguments).stdout(Stdio::null()).spawn().expect("the binary runs");
    let (send, ended) = channel();
    let mut stderr = child.stderr.take().expect("a pipe");
    std::thread::spawn(move || {
        let mut said = String::new();
        std::io::Read::read_to_string(&mut stderr, &mut said).expect("UTF-8");
        send.send(said)
    });
    let said = ended.recv_timeout(Duration::from_secs(60));
    if said.is_err() {
        child.kill().expect("it blocks");
    }
    assert_eq!(child.wait().expect("it ends").code(), Some(1), "{arguments:?}: {said:?}");
    said.expect("it does not block")
}

fn save(gui: &mut Gui, file: &str) -> String {
    gui.send(&format!("setoption name Hash File value {file}"));
    gui.said("setoption name Save Hash").join(" ")
}

#[test]
fn save_hash_replaces_saved_tables_and_nothing_else() {
    let folder = Folder::new();
    let mut gui = Gui::new();
    gui.send("setoption name Hash value 1");
    let (games, memory) = (folder.write("games.pgn", GAMES), folder.memory("m.mnemon"));
    let records = fs::read(&memory).expect("a memory");
    for (file, kind) in [(&games, "a PGN file"), (&memory, "an SQLite database, such as a memory")] {
        let said = save(&mut gui, file);
        assert!(said.contains(&format!("hash not saved: {file} is {kind}, not a hash snapshot")), "{said}");
    }
    assert_eq!(fs::read_to_string(&games).expect("still there"), GAMES);
    assert_eq!(fs::read(&memory).expect("still there"), records);
    let table = folder.write("table.hash", "");
    for _ in 0..2 {
        assert!(save(&mut gui, &table).contains("hash saved to"), "an empty file, then a saved table");
    }
    assert!(fs::read(&table).expect("there").starts_with(b"mnemonTT"));
}

#[test]
#[cfg(unix)]
fn a_fifo_is_neither_replaced_by_save_hash_nor_read_by_load_hash() {
    let folder = Folder::new();
    let mut gui = Gui::new();
    gui.send("setoption name Hash value 1");
    let (fifo, link) = (folder.fifo("fifo"), folder.word("link"));
    std::os::unix::fs::symlink(&fifo, &link).expect("linked");
    for file in [&fifo, &link] {
        let said = save(&mut gui, file);
        assert!(said.contains("hash not saved") && said.contains("is a FIFO"), "{said}");
        let said = gui.said("setoption name Load Hash").join(" ");
        assert!(said.contains("hash not loaded") && said.contains("is a FIFO"), "{said}");
    }
    assert!(is_fifo(&fifo) && fs::symlink_metadata(&link).expect("there").is_symlink());
}

#[test]
#[cfg(unix)]
fn save_hash_follows_a_symbolic_link() {
    let folder = Folder::new();
    let mut gui = Gui::new();
    gui.send("setoption name Hash value 1");
    let (target, link) = (folder.write("target", ""), folder.word("link"));
    std::os::unix::fs::symlink("target", &link).expect("linked");
    assert!(save(&mut gui, &link).contains("hash saved to"));
    assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
    assert!(fs::read(&target).expect("there").starts_with(b"mnemonTT"));
}

#[test]
fn the_default_hash_file_is_beside_the_memory() {
    let (folder, elsewhere) = (Folder::new(), Folder::new());
    let default = folder.word("mnemon.hash");
    let mut gui = Gui::with_memory(&folder.path("learned.mnemon"));
    gui.send("uci");
    let line = format!("option name Hash File type string default {default}");
    assert!(gui.until("uciok").contains(&line));
    gui.send("setoption name Hash value 1");
    assert!(gui.said("setoption name Save Hash").join(" ").contains(&format!("hash saved to {default}")));
    assert!(Path::new(&default).is_file() && !Path::new("mnemon.hash").exists());
    // Also when a GUI sends the default back, the file follows the memory.
    gui.send(&format!("setoption name Hash File value {default}"));
    gui.send(&format!("setoption name Memory File value {}", elsewhere.word("other.mnemon")));
    let said = gui.said("setoption name Save Hash").join(" ");
    assert!(said.contains(&format!("hash saved to {}", elsewhere.word("mnemon.hash"))), "{said}");
}

#[test]
fn an_export_replaces_exports_and_nothing_else() {
    let folder = Folder::new();
    let (memory, games) = (folder.memory("m.mnemon"), folder.write("games.pgn", GAMES));
    let export = |to: &str| mnemon(&["memory", "--memory", &memory, "export", "--to", to]);
    let said = refuses(&["memory", "--memory", &memory, "export", "--to", &games]);
    assert!(said.contains("games.pgn is a PGN file, not an exported tree: nothing was changed"), "{said}");
    assert_eq!(fs::read_to_string(&games).expect("still there"), GAMES);
    let lines = folder.write("lines.jsonl", "");
    for _ in 0..2 {
        assert!(export(&lines).status.success(), "an empty file, then an export");
    }
    let stdout = export("-");
    assert!(stdout.status.success() && stdout.stdout == fs::read(&lines).expect("there"));
    assert!(!Path::new("-").exists());
}

#[test]
#[cfg(unix)]
fn no_command_writes_to_a_fifo_or_replaces_it() {
    let folder = Folder::new();
    let (memory, fifo) = (folder.memory("m.mnemon"), folder.fifo("fifo"));
    let samples = folder.write("samples", "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1 | 80 | 1-0\n\n");
    for arguments in [
        &["memory", "--memory", &memory, "export", "--to", &fifo][..],
        &["memory", "--memory", &memory, "backup", &fifo],
        &["solve", "book", "--depth", "1", "--from", "44444", "--out", &fifo],
        &["lab", "tune", "play", "--games", "1", "--nodes", "50", "--out", &fifo],
        &["lab", "tune", "fit", "--data", &samples, "--out", &fifo],
        &["lab", "match", "--against", env!("CARGO_BIN_EXE_mnemon"), "--games", "2", "--nodes", "50", "--pgn", &fifo],
    ] {
        assert!(refuses(arguments).contains("fifo"), "{arguments:?}");
        assert!(is_fifo(&fifo), "{arguments:?}");
    }
    // Of these the user names the folder.
    let page = folder.fifo("mnemon.1");
    assert!(refuses(&["man", "--out", &folder.word("")]).contains("mnemon.1 is a FIFO"));
    let results = folder.fifo("replacement.md");
    let lab = ["lab", "replacement", "--depth", "1", "--positions", "1", "--out", &folder.word("")];
    assert!(refuses(&lab).contains("replacement.md is a FIFO"));
    assert!(is_fifo(&page) && is_fifo(&results));
}

#[test]
fn letters_and_games_are_not_replaced() {
    let folder = Folder::new();
    let memory = folder.memory("m.mnemon");
    let letter = folder.write("letter", "Dear Ada, this file is mine.\n");
    let samples = folder.write("samples", "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1 | 80 | 1-0\n\n");
    for arguments in [
        &["memory", "--memory", &memory, "backup", &letter][..],
        &["solve", "book", "--depth", "1", "--from", "44444", "--out", &letter],
        &["lab", "tune", "fit", "--data", &samples, "--out", &letter],
        &["lab", "match", "--against", env!("CARGO_BIN_EXE_mnemon"), "--games", "2", "--nodes", "50", "--pgn", &letter],
    ] {
        assert!(refuses(arguments).contains("letter"), "{arguments:?}");
        assert_eq!(fs::read_to_string(&letter).expect("there"), "Dear Ada, this file is mine.\n", "{arguments:?}");
    }
    let page = folder.write("mnemon.1", GAMES);
    let said = refuses(&["man", "--out", &folder.word("")]);
    assert!(said.contains("mnemon.1 is a PGN file, not a manual page of mnemon"), "{said}");
    assert_eq!(fs::read_to_string(&page).expect("there"), GAMES);
    fs::remove_file(page).expect("gone");
    for _ in 0..2 {
        assert!(mnemon(&["man", "--out", &folder.word("")]).status.success(), "pages replace pages");
    }
}
