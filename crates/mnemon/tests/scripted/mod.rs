//! An engine that answers as a script says.

#![allow(dead_code, unreachable_pub, reason = "each test file uses some of these")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::gui::Gui;

/// An engine that answers as a script says. It logs its process, the options it got and the searches it made.
const SCRIPT: &str = r#"#!/bin/sh
log="$1"
echo "pid $$" >> "$log"
info() { printf 'info depth %s seldepth %s multipv 1  score cp %s nodes %s00 pv %s\r\n' "$1" "$1" "$2" "$1" "$3"; }
while read -r line; do
  echo "$line" >> "$log"
  case "$line" in
    uci) echo "id name Scripted 1.0"; echo "option name MultiPV type spin default 1 min 1 max 5"; echo uciok ;;
    isready) echo readyok ;;
    "go depth"*) info 1 10 "e2e4"; info 2 12 "e2e4 e7e5"; info 3 15 "e2e4 e7e5 g1f3"; echo "bestmove e2e4 ponder e7e5" ;;
    "go infinite"*) info 1 10 "e2e4"; info 2 12 "e2e4 e7e5"; info 3 15 "e2e4 e7e5 g1f3"; info 4 16 "e2e4 e7e5 g1f3 b8c6" ;;
    "go movetime"*) info 1 10 "d2d4"; info 2 11 "d2d4 d7d5"; echo "last words" >&2; exit 7 ;;
    "go nodes"*) info 1 10 "e2e4"; info 2 12 "e2e4 e7e5"; echo "bestmove e2e4" ;;
    "go wtime"*) echo "bestmove a2a3" ;;
    stop) echo "bestmove e2e4" ;;
    flood) i=0; while [ $i -lt 20000 ]; do echo "an unread line" >&2; i=$((i + 1)); done; echo flooded ;;
    crash) exit 3 ;;
    position*) ;;
    quit) exit 0 ;;
    *) echo "unknown:  $line" ;;
  esac
done
"#;

pub struct Scripted {
    pub folder: tempfile::TempDir,
}

impl Scripted {
    pub fn new() -> Self {
        let scripted = Scripted { folder: tempfile::tempdir().expect("a folder") };
        scripted.other("scripted", SCRIPT);
        scripted
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn engine(&self) -> PathBuf {
        self.path("scripted")
    }

    pub fn log(&self) -> String {
        fs::read_to_string(self.path("log")).unwrap_or_default()
    }

    pub fn searches(&self) -> usize {
        self.log().lines().filter(|line| line.starts_with("go")).count()
    }

    /// Waits for the end of the engine's process.
    pub fn is_gone(&self) {
        let log = self.log();
        let pid = log.lines().find_map(|line| line.strip_prefix("pid ")).expect("a process").to_owned();
        let is_alive = || Path::new("/proc").join(&pid).exists() && cfg!(target_os = "linux");
        for _ in 0..200 {
            if !is_alive() {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("process {pid} is left");
    }

    /// Another engine, as this script says.
    pub fn other(&self, name: &str, script: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, script).expect("a script");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
        path
    }

    pub fn start(&self) -> Gui {
        self.start_with(&self.path("memory.mnemon"))
    }

    pub fn start_with(&self, memory: &Path) -> Gui {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mnemon"));
        command.args(["proxy", "--"]).arg(self.engine()).arg(self.path("log"));
        let mut gui = Gui::start(&mut command, memory);
        gui.send("uci");
        gui.until("uciok");
        gui.settled();
        gui
    }
}

/// How many answers there are.
pub fn best_moves(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("bestmove")).count()
}

/// `quit`, and what is still said.
pub fn quit(mut gui: Gui) -> Vec<String> {
    gui.send("quit");
    let (rest, code) = gui.close();
    assert_eq!(code, Some(0), "{rest:?}");
    rest
}
