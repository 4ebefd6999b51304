//! `mnemon proxy` and engines, GUIs and memories that misbehave, with real processes.

#![cfg(unix)]

mod gui;
mod scripted;

use std::path::Path;
use std::process::Command;

use gui::Gui;
use scripted::{Scripted, best_moves, quit};

/// The proxy of this engine, with a second for its answer to `uci`.
fn proxy_of(scripted: &Scripted, engine: &Path) -> Gui {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mnemon"));
    command.args(["proxy", "--engine-timeout", "1s", "--"]).arg(engine).arg(scripted.path("log"));
    Gui::start(&mut command, &scripted.path("memory.mnemon"))
}

fn signal(gui: &Gui, name: &str) {
    let sent = Command::new("kill").args([name, &gui.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()), "the signal is sent");
}

#[test]
fn an_engine_that_hangs_at_uci_is_given_up_and_ended() {
    let scripted = Scripted::new();
    let engine = scripted.other("silent", "#!/bin/sh\necho \"pid $$\" >> \"$1\"\nwhile read -r line; do :; done\n");
    let mut gui = proxy_of(&scripted, &engine);
    gui.send("uci");
    let said = gui.until("info string");
    assert!(said.last().is_some_and(|line| line.contains("silent") && line.contains("uciok")), "{said:?}");
    assert_eq!(gui.close().1, Some(1));
    scripted.is_gone();
}

#[test]
fn a_program_that_is_no_engine_is_named() {
    let scripted = Scripted::new();
    let engine = scripted.other("no-engine", "#!/bin/sh\necho hello; exit 0\n");
    let mut gui = proxy_of(&scripted, &engine);
    let said = gui.until("info string");
    assert_eq!(said[0], "hello", "what it says passes");
    assert!(said.last().is_some_and(|line| line.contains("ended")), "{said:?}");
    assert_eq!(gui.close().1, Some(1));
}

#[test]
fn an_engine_that_hangs_when_it_is_started_again_is_given_up() {
    let scripted = Scripted::new();
    // The second process finds the log, and says nothing.
    let script = "#!/bin/sh\ntest -e \"$1\" && { while read -r line; do :; done; exit; }\necho \"pid $$\" >> \"$1\"\n\
                  while read -r line; do case \"$line\" in uci) echo uciok;; go*) exit 5;; esac; done\n";
    let mut gui = proxy_of(&scripted, &scripted.other("once", script));
    gui.send("uci");
    gui.until("uciok");
    let lines = gui.go("startpos", "go movetime 10");
    assert_eq!(lines.last().map(String::as_str), Some("bestmove (none)"), "{lines:?}");
    gui.send("go movetime 10");
    let lines = gui.until("info string the engine 'once' has given no uciok");
    assert_eq!(best_moves(&lines), 1, "the go that waited for it is answered: {lines:?}");
    assert_eq!(gui.close().1, Some(1));
}

#[test]
fn no_engine_is_left_when_the_proxy_is_killed() {
    for name in ["-KILL", "-TERM", "-INT"] {
        let scripted = Scripted::new();
        let mut gui = scripted.start();
        gui.send("position startpos");
        gui.send("go infinite");
        gui.until("info depth 4");
        signal(&gui, name);
        gui.close();
        scripted.is_gone();
        let mut gui = scripted.start();
        let known = gui.go("startpos", "go depth 3");
        // The last iteration may be cut. A kill leaves what was written until then, which is whole.
        assert!(name == "-KILL" || known[0].contains("depth 3"), "{name}: {known:?}");
        quit(gui);
    }
}

#[test]
fn a_memory_that_cannot_be_read_is_said_once() {
    let scripted = Scripted::new();
    let mut gui = scripted.start();
    gui.go("startpos", "go depth 3");
    quit(gui);
    let mut gui = scripted.start();
    let file = rusqlite::Connection::open(scripted.path("memory.mnemon")).expect("the memory");
    file.execute_batch("ALTER TABLE records RENAME TO gone").expect("renamed");
    let mut lines = gui.go("startpos", "go depth 3");
    lines.extend(gui.go("startpos", "go depth 3"));
    lines.extend(gui.settled());
    assert_eq!((best_moves(&lines), scripted.searches()), (2, 3), "the engine works: {lines:?}");
    let said = lines.iter().filter(|line| line.contains("cannot be read") || line.contains("nothing is learned"));
    assert_eq!(said.count(), 1, "{lines:?}");
    quit(gui);
}

#[test]
fn an_iteration_that_a_node_limit_cut_is_not_known() {
    let scripted = Scripted::new();
    let mut gui = scripted.start();
    gui.go("startpos", "go nodes 100");
    quit(gui);
    let mut gui = scripted.start();
    let lines = gui.go("startpos", "go depth 2");
    assert!(lines[0].contains("depth 1 "), "only the first iteration was finished: {lines:?}");
    assert_eq!(scripted.searches(), 2);
    quit(gui);
}

#[test]
fn the_games_clock_is_the_engines_alone() {
    let scripted = Scripted::new();
    let mut gui = scripted.start();
    gui.go("startpos", "go depth 3");
    let lines = gui.go("startpos", "go wtime 1000 btime 1000");
    assert_eq!(lines.last().map(String::as_str), Some("bestmove a2a3"), "{lines:?}");
    assert_eq!(scripted.searches(), 2);
    quit(gui);
}
