//! `mnemon analyze --engine`: another UCI engine with the memory, through the real binary.

#![cfg(unix)]

mod binary;
mod gui;
mod memories;
mod scripted;

use std::io::{BufRead, BufReader};
use std::process::Output;

use binary::{command, text};
use memories::utf8;
use scripted::Scripted;
use serde_json::Value;

/// An analysis with the scripted engine and its memory.
fn run(scripted: &Scripted, arguments: &[&str]) -> Output {
    let engine = format!("{} {}", utf8(&scripted.engine()), utf8(&scripted.path("log")));
    run_with(scripted, &[&["--engine", &engine], arguments].concat())
}

fn run_with(scripted: &Scripted, arguments: &[&str]) -> Output {
    let (memory, own) = (scripted.path("memory.mnemon"), scripted.path("own.mnemon"));
    let all = [&["analyze", "--memory", utf8(&memory)], arguments].concat();
    command(&all).env("MNEMON_MEMORY", own).output().expect("the binary runs")
}

fn says(output: &Output) -> &str {
    let error = text(&output.stderr);
    assert!(output.status.success() && error.is_empty(), "{error}");
    text(&output.stdout)
}

fn fails(output: &Output, code: i32) -> &str {
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

fn objects(output: &Output) -> Vec<Value> {
    says(output).lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect()
}

/// Our own engine over UCI, without a memory of its own.
fn own_engine() -> String {
    format!("{} uci", env!("CARGO_BIN_EXE_mnemon"))
}

#[test]
fn a_position_is_analysed_learned_and_answered_from_the_memory() {
    let scripted = Scripted::new();
    let first = run(&scripted, &["startpos", "--depth", "3"]);
    let first = says(&first);
    assert!(first.contains("Engine      Scripted 1.0") && first.contains("1.e4 e5 2.Nf3"), "{first}");
    let depths: Vec<&str> = first.lines().filter_map(|line| line.trim().split(' ').next()).collect();
    assert!(depths.windows(3).any(|depths| depths == ["1", "2", "3"]), "{first}");
    assert!(first.contains("this one now to depth 3") && first.contains("begins with these lines"), "{first}");
    let second = run(&scripted, &["startpos", "--depth", "3"]);
    let second = says(&second);
    assert!(second.contains("memory  1.e4 e5 2.Nf3") && second.contains("the whole search"), "{second}");
    assert_eq!(scripted.searches(), 1, "the engine was not asked");
    let deeper = run(&scripted, &["startpos", "--depth", "9", "--json"]);
    let deeper = objects(&deeper);
    let types: Vec<&str> = deeper.iter().filter_map(|object| object["type"].as_str()).collect();
    assert_eq!(types, ["position", "remembered", "iteration", "iteration", "iteration", "summary"]);
    assert_eq!((&deeper[0]["engines"][0], &deeper[1]["root"][0]["depth"]), (&"Scripted 1.0".into(), &3.into()));
    let summary = &deeper[5];
    assert_eq!((&summary["best"], &summary["depth"], &summary["score"]["cp"]), (&"e2e4".into(), &3.into(), &15.into()));
    assert_eq!((&summary["remembered_depth"], &summary["first_depth"]), (&3.into(), &1.into()));
    let read = run(&scripted, &["startpos", "--depth", "9", "--learning", "read-only"]);
    assert!(says(&read).contains("the memory is only read"));
    let without = run_with_none(&scripted);
    assert!(without.contains("Memory      none") && !without.contains("Remembered"), "{without}");
}

fn run_with_none(scripted: &Scripted) -> String {
    let engine = format!("{} {}", utf8(&scripted.engine()), utf8(&scripted.path("log")));
    let output = command(&["analyze", "--no-memory", "--engine", &engine, "--depth", "3"]).output().expect("it runs");
    says(&output).to_owned()
}

#[test]
fn suites_and_games_are_analysed_by_any_engine() {
    let scripted = Scripted::new();
    let (suite, games) = (scripted.path("a.epd"), scripted.path("a.pgn"));
    std::fs::write(&suite, "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8; id \"mate\";\n").expect("written");
    std::fs::write(&games, "1. f3 e5 2. g4 Qh4# 0-1\n").expect("written");
    let engine = own_engine();
    let with = ["--engine", engine.as_str(), "--option", "Learning=off", "--option", "hash=4"];
    let output = run_with(&scripted, &[&with[..], &["--epd", utf8(&suite), "--depth", "4"]].concat());
    assert!(says(&output).contains("agreed in 1 of 1"), "{}", says(&output));
    let output = run_with(&scripted, &[&with[..], &["--pgn", utf8(&games), "--nodes", "3000"]].concat());
    let text = says(&output);
    assert!(text.contains("2.g4??") && text.contains("Qh4#") && text.contains("positions learned"), "{text}");
    assert!(!scripted.path("own.mnemon").exists(), "the engine's own memory is off");
}

#[test]
fn two_engines_stand_side_by_side() {
    let scripted = Scripted::new();
    let engine = format!("{} {}", utf8(&scripted.engine()), utf8(&scripted.path("log")));
    let own = own_engine();
    let both = ["--engine", &engine, "--engine", &own, "--option", "2:Learning=off", "--depth", "3"];
    let output = run_with(&scripted, &both);
    let text = says(&output);
    let head = text.lines().find(|line| line.starts_with("Scripted 1.0")).expect("a heading");
    let middle = head.find(" | mnemon").expect("two halves");
    let rows = |half: fn(&str, usize) -> bool| text.lines().filter(|line| half(line, middle)).count();
    assert!(rows(|line, middle| line.len() <= middle + 2 && line.contains("1.e4 e5")) >= 2, "{text}");
    assert!(rows(|line, middle| line.starts_with("      ") && line.len() > middle + 20) >= 3, "{text}");
    assert!(text.contains("Agreement") && text.matches("Best   ").count() == 2, "{text}");
    let output = run_with(&scripted, &[&both[..6], &["--depth", "4", "--json"]].concat());
    let objects = objects(&output);
    let of =
        |name: &str| objects.iter().filter(|object| object["engine"] == name && object["type"] == "summary").count();
    assert_eq!((objects[0]["engines"].as_array().map(Vec::len), of("Scripted 1.0")), (Some(2), 1));
    assert!(objects.iter().any(|object| object["engine"] == "Scripted 1.0" && object["type"] == "iteration"));
}

#[test]
fn an_engine_that_cannot_be_used_is_named_in_one_line() {
    let scripted = Scripted::new();
    let silent = scripted.other("silent", "#!/bin/sh\nwhile read -r line; do :; done\n");
    let talker = scripted.other("talker", "#!/bin/sh\necho hello\n");
    for engine in ["/no/such/engine", utf8(&silent), utf8(&talker)] {
        let output = run_with(&scripted, &["--engine", engine, "--engine-timeout", "300ms", "--depth", "1"]);
        assert!(fails(&output, 1).contains(engine), "{}", text(&output.stderr));
    }
    let output = run(&scripted, &["--depth", "1", "--option", "Multi=2"]);
    assert!(fails(&output, 1).contains("no option 'Multi'; did you mean 'MultiPV'"), "{}", text(&output.stderr));
    let output = run(&scripted, &["--depth", "1", "--hash", "16"]);
    assert!(fails(&output, 1).contains("'Hash'"), "it has none: {}", text(&output.stderr));
    for (arguments, words) in [
        (&["--option", "Hash=1"][..], "--engine"),
        (&["--engine", "a", "--engine", "b", "--engine", "c"], "two engines"),
        (&["--engine", " "], "command of a UCI engine"),
        (&["--engine", "a", "--option", "=1"], "Hash=64"),
        (&["--engine", "a", "--learning", "tree"], "read-only or resume"),
    ] {
        let error = fails(&run_with(&scripted, arguments), 2).to_owned();
        assert!(error.contains(words), "{arguments:?}: {error}");
    }
}

#[test]
fn what_was_found_before_an_engine_died_is_learned() {
    let scripted = Scripted::new();
    let output = run(&scripted, &["startpos", "--time", "1s"]);
    let error = fails(&output, 1);
    assert!(
        error.contains("Scripted 1.0") && error.contains("exit status: 7") && error.contains("last words"),
        "{error}"
    );
    let again = run(&scripted, &["startpos", "--depth", "1"]);
    assert!(says(&again).contains("the whole search: depth 1"), "{}", says(&again));
    let elsewhere = run(&scripted, &["startpos moves e4", "--depth", "5"]);
    assert!(fails(&elsewhere, 1).contains("illegal"), "it always plays e2e4");
}

#[test]
fn an_interrupt_stops_the_engine_and_learns() {
    let scripted = Scripted::new();
    let engine = format!("{} {}", utf8(&scripted.engine()), utf8(&scripted.path("log")));
    let memory = scripted.path("memory.mnemon");
    let arguments = ["analyze", "--memory", utf8(&memory), "--engine", &engine, "--infinite", "--json"];
    let mut child = command(&arguments).spawn().expect("the binary runs");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map(|line| line.expect("text"));
    assert!(lines.any(|line| line.contains("\"depth\":3,")), "the third iteration ends with the fourth");
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()), "the signal is sent");
    let summary: Value = serde_json::from_str(&lines.last().expect("a summary")).expect("an object");
    assert!(child.wait().expect("it ends").success());
    assert_eq!((&summary["interrupted"], &summary["best"]), (&true.into(), &"e2e4".into()));
    scripted.is_gone();
    let again = run(&scripted, &["startpos", "--depth", "3"]);
    assert!(says(&again).contains("the whole search: depth 3"), "{}", says(&again));
}
