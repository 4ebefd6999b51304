//! `mnemon proxy` with real processes: a scripted engine behind it, and a GUI in front of it.

#![cfg(unix)]

mod gui;
mod scripted;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use gui::Gui;
use scripted::{Scripted, best_moves, quit};

#[test]
fn every_line_passes_and_own_options_stand_before_uciok() {
    let scripted = Scripted::new();
    let mut command = Command::new(env!("CARGO_BIN_EXE_mnemon"));
    command.args(["proxy", "--"]).arg(scripted.engine()).arg(scripted.path("log"));
    let mut gui = Gui::start(&mut command, &scripted.path("memory.mnemon"));
    gui.send("uci");
    let greeting = gui.until("uciok");
    assert_eq!(greeting[0], "id name Scripted 1.0");
    for option in ["Mnemon Memory File", "Mnemon Learning", "Mnemon Show", "Mnemon Trust"] {
        assert!(greeting.iter().any(|line| line.contains(option)), "{option}: {greeting:?}");
    }
    assert_eq!(gui.said("d  with two blanks"), ["unknown:  d  with two blanks"]);
    assert_eq!(gui.said("setoption name MultiPV value 2"), ["unknown:  setoption name MultiPV value 2"]);
    assert_eq!(gui.said("setoption name Mnemon Show value all").len(), 0, "an option of the proxy alone");
    assert!(!scripted.log().contains("Mnemon"));
    quit(gui);
}

#[test]
fn a_depth_that_was_reached_is_answered_without_the_engine() {
    let scripted = Scripted::new();
    let mut gui = scripted.start();
    let cold = gui.go("startpos", "go depth 3");
    assert_eq!((best_moves(&cold), scripted.searches()), (1, 1));
    quit(gui);
    let mut gui = scripted.start();
    let warm = gui.go("startpos", "go depth 3");
    assert_eq!(scripted.searches(), 1, "the engine did not search again: {warm:?}");
    assert!(warm[0].starts_with("info string"), "{warm:?}");
    assert!(
        warm.iter()
            .any(|line| line.contains("depth 3") && line.contains("cp 15") && line.ends_with("pv e2e4 e7e5 g1f3"))
    );
    assert!(warm.last().is_some_and(|line| line.starts_with("bestmove e2e4")), "{warm:?}");
    let deeper = gui.go("startpos", "go depth 30");
    assert_eq!((best_moves(&deeper), scripted.searches()), (1, 2), "{deeper:?}");
    let other = gui.go("startpos moves d2d4", "go depth 3");
    assert_eq!((best_moves(&other), scripted.searches()), (1, 3), "another position: {other:?}");
    quit(gui);
}

#[test]
fn infinite_shows_the_known_lines_first_and_waits_for_stop() {
    let scripted = Scripted::new();
    let mut gui = scripted.start();
    gui.go("startpos", "go depth 3");
    quit(gui);
    let mut gui = scripted.start();
    gui.send("position startpos");
    gui.send("go infinite");
    let mut lines = gui.until("info depth 4");
    assert!(lines[0].starts_with("info string"), "{lines:?}");
    assert!(lines[1].contains("depth 3") && lines[1].ends_with("pv e2e4 e7e5 g1f3"), "{lines:?}");
    let depths: Vec<u32> = lines.iter().filter_map(|line| gui::word_after(line, "depth")?.parse().ok()).collect();
    assert!(depths.is_sorted(), "the depth does not fall back: {lines:?}");
    assert!(gui.is_silent(), "no best move before stop");
    gui.send("stop");
    lines.extend(gui.until("bestmove"));
    lines.extend(gui.settled());
    assert_eq!(best_moves(&lines), 1, "{lines:?}");
    quit(gui);
}

#[test]
fn an_engine_that_dies_is_started_again_with_its_options() {
    let scripted = Scripted::new();
    let mut gui = scripted.start();
    gui.said("setoption name MultiPV value 3");
    let lines = gui.go("startpos", "go movetime 50");
    assert!(lines.iter().any(|line| line.starts_with("info string") && line.contains("ended")), "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("bestmove d2d4"), "its last move: {lines:?}");
    gui.settled();
    let again = gui.go("startpos", "go depth 2");
    assert_eq!(best_moves(&again), 1);
    let log = scripted.log();
    assert_eq!(log.lines().filter(|line| line.starts_with("pid ")).count(), 2);
    assert_eq!(log.matches("setoption name MultiPV value 3").count(), 2, "{log}");
    quit(gui);
}

#[test]
fn an_engine_that_dies_twice_is_given_up() {
    let scripted = Scripted::new();
    let mut gui = scripted.start();
    gui.send("crash");
    gui.until("info string");
    gui.settled();
    gui.send("crash");
    gui.until("info string");
    let (rest, code) = gui.close();
    assert_eq!(code, Some(1), "{rest:?}");
}

#[test]
fn a_flood_of_errors_stops_nothing() {
    let scripted = Scripted::new();
    let mut gui = scripted.start();
    gui.send("flood");
    gui.until("flooded");
    quit(gui);
}

#[test]
fn no_engine_is_left_when_the_gui_vanishes() {
    let scripted = Scripted::new();
    let mut gui = scripted.start();
    gui.send("position startpos");
    gui.send("go infinite");
    gui.until("info depth 4");
    let (_, code) = gui.close();
    assert_eq!(code, Some(0));
    scripted.is_gone();
}

#[test]
fn without_a_memory_the_engine_works_and_it_is_said_once() {
    let scripted = Scripted::new();
    let folder = scripted.path("a folder");
    fs::create_dir(&folder).expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_mnemon"));
    command.args(["proxy", "--"]).arg(scripted.engine()).arg(scripted.path("log"));
    let mut gui = Gui::start(&mut command, &folder);
    gui.send("uci");
    let mut lines = gui.until("uciok");
    lines.extend(gui.settled());
    lines.extend(gui.go("startpos", "go depth 3"));
    lines.extend(gui.go("startpos", "go depth 3"));
    assert_eq!((best_moves(&lines), scripted.searches()), (2, 2));
    assert_eq!(lines.iter().filter(|line| line.contains("no memory")).count(), 1, "{lines:?}");
    quit(gui);
}

fn mnemon(arguments: &[&str], folder: &Path) -> Output {
    let memory = folder.join("memory.mnemon");
    Command::new(env!("CARGO_BIN_EXE_mnemon")).args(arguments).env("MNEMON_MEMORY", memory).output().expect("it runs")
}

#[test]
fn an_engine_that_does_not_exist_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = mnemon(&["proxy", "--", "/no/such/engine"], folder.path());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("/no/such/engine"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(!folder.path().join("memory.mnemon").exists());
}

#[test]
fn mistakes_on_the_command_line_start_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    for (arguments, named) in [
        (&["proxy"][..], "no engine"),
        (&["proxy", "--lerning", "off", "--", "sh"], "--lerning"),
        (&["proxy", "--learning", "maybe", "--", "sh"], "maybe"),
        (&["proxy", "install"], "ENGINE"),
        (&["proxy", "install", "no-such-engine"], "no-such-engine"),
    ] {
        let output = mnemon(arguments, folder.path());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(named) && said.lines().count() == 1, "{arguments:?}: {said}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn the_memory_of_the_command_line_is_used_also_when_the_gui_sends_the_default() {
    let scripted = Scripted::new();
    let (named, other) = (scripted.path("named.mnemon"), scripted.path("other.mnemon"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_mnemon"));
    command.args(["proxy", "--memory"]).arg(&named).arg("--").arg(scripted.engine()).arg(scripted.path("log"));
    let mut gui = Gui::start(&mut command, &other);
    gui.send("uci");
    gui.until("uciok");
    gui.send(&format!("setoption name Mnemon Memory File value {}", named.display()));
    assert_eq!(best_moves(&gui.go("startpos", "go depth 3")), 1);
    quit(gui);
    assert!(named.exists() && !other.exists());
}

#[test]
fn an_installed_proxy_runs_by_its_name() {
    let scripted = Scripted::new();
    let (link, engine, log) = (scripted.path("remembering"), scripted.engine(), scripted.path("log"));
    let [link_text, engine, log] = [&link, &engine, &log].map(|path| path.to_str().expect("UTF-8"));
    let output = mnemon(&["proxy", "install", engine, "--to", link_text, "--", log], scripted.folder.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains(link_text));
    let mut gui = Gui::start(&mut Command::new(&link), &scripted.path("memory.mnemon"));
    gui.send("uci");
    let greeting = gui.until("uciok");
    assert_eq!(greeting[0], "id name Scripted 1.0", "{greeting:?}");
    assert_eq!(best_moves(&gui.go("startpos", "go depth 3")), 1);
    quit(gui);
}
