//! `mnemon explore` with real processes: it grows, stops, goes on where it was, and shares its work.

#![cfg(unix)]

mod binary;

use std::collections::HashSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use binary::{fails, text};
use serde_json::Value;

/// A folder with a memory, and engines that are scripts before our own.
struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        Bench { folder: tempfile::tempdir().expect("a folder") }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A shell script that stands before `mnemon uci`: `$log` is its log, `$engine` the engine.
    fn script(&self, name: &str, lines: &str) -> String {
        let (path, log) = (self.path(name), self.path(&format!("{name}.log")));
        let engine = env!("CARGO_BIN_EXE_mnemon");
        let text = format!("#!/bin/sh\nlog='{}'\nengine='{engine} uci'\n{lines}\n", log.display());
        fs::write(&path, text).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
        path.to_str().expect("UTF-8").to_owned()
    }

    fn log(&self, name: &str) -> String {
        fs::read_to_string(self.path(&format!("{name}.log"))).unwrap_or_default()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = binary::command(&["explore"]);
        command.args(arguments).args(["--hash", "1"]).env("MNEMON_MEMORY", self.path("memory.mnemon"));
        command
    }

    /// The JSON objects of a run that succeeds.
    fn run(&self, arguments: &[&str]) -> Vec<Value> {
        let output = self.command(arguments).arg("--json").output().expect("it runs");
        assert!(output.status.success(), "{}", text(&output.stderr));
        objects(text(&output.stdout))
    }
}

fn objects(output: &str) -> Vec<Value> {
    output.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

/// What was searched, in order: the position and the moves.
fn searches(objects: &[Value]) -> Vec<(String, String)> {
    let is_search = |object: &&Value| object["type"] == "search";
    let of = |object: &Value| (object["position"].to_string(), format!("{} {}", object["moves"], object["among"]));
    objects.iter().filter(is_search).map(of).collect()
}

const LIMIT: [&str; 2] = ["--nodes", "2000"];

#[test]
fn it_goes_on_where_it_was() {
    let bench = Bench::new();
    let whole = bench.run(&[LIMIT[0], LIMIT[1], "--positions", "12"]);
    assert_eq!(searches(&whole).len(), 12);
    let end = whole.last().expect("an end");
    assert_eq!((&end["type"], &end["why"]), (&"end".into(), &"the limit is reached".into()));
    assert_eq!(
        end["root"]["positions"],
        end["root"]["by_ply"].as_array().expect("counts").iter().filter_map(Value::as_u64).sum::<u64>()
    );
    // Another program on the same memory knows what this one knew.
    let more = bench.run(&[LIMIT[0], LIMIT[1], "--positions", "3"]);
    assert_eq!(more[0]["root"], end["root"], "the tree is read as it was left");
    let all: HashSet<_> = searches(&whole).into_iter().chain(searches(&more)).collect();
    assert_eq!(all.len(), 15, "nothing is searched twice");
}

#[test]
fn plain_lines_end_with_what_changed_and_the_best_moves() {
    let bench = Bench::new();
    let output =
        bench.command(&["startpos moves e4", "--nodes", "2000", "--positions", "6"]).output().expect("it runs");
    let said = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for part in [
        "Root  ",
        "Known       nothing",
        "Ended       the limit is reached",
        "Main line",
        "Searches    6 in",
        "Best moves",
        "by ply 1",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!self::binary::text(&output.stderr).contains('\u{1b}'));
    assert!(!bench.path("memory.mnemon-explore").exists(), "no lease is left");
}

#[test]
fn killed_at_any_instant_it_chooses_as_if_it_had_not_been() {
    let uninterrupted = searches(&Bench::new().run(&["--nodes", "5000", "--positions", "10"]));
    let bench = Bench::new();
    let mut child = bench.command(&["--nodes", "5000", "--json"]).spawn().expect("it runs");
    let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let lines: Vec<String> = stdout.lines().map_while(Result::ok).take(7).collect();
    child.kill().expect("killed");
    child.wait().expect("ended");
    let before = searches(&objects(&lines.join("\n")));
    assert_eq!(before, uninterrupted[..6], "one thread: the same searches");
    // The lease of the search under way is left. It runs out after half a minute; here it is taken away.
    let leases = bench.path("memory.mnemon-explore");
    assert!(fs::read_dir(&leases).expect("leases").count() <= 1);
    fs::remove_dir_all(&leases).expect("removed");
    let after = searches(&bench.run(&["--nodes", "5000", "--positions", "1"]));
    // Results may have been learned that the dead program did not come to print.
    assert!(uninterrupted[6..].contains(&after[0]), "{after:?} is not among {:?}", &uninterrupted[6..]);
}

#[test]
fn ctrl_c_ends_it_within_a_second() {
    let bench = Bench::new();
    let engine = bench.script("engine", "exec $engine");
    for arguments in [&["--time", "1h"][..], &["--time", "1h", "--engine", &engine, "--option", "Learning=off"]] {
        let mut child = bench.command(arguments).stdout(Stdio::piped()).spawn().expect("it runs");
        std::thread::sleep(Duration::from_millis(1500));
        let pressed = Instant::now();
        interrupt(&child);
        let output = wait(&mut child, Duration::from_secs(10));
        assert!(pressed.elapsed() < Duration::from_secs(4), "a busy machine may take a little longer");
        assert!(output.contains("Ended       by Ctrl-C"), "{arguments:?}: {output}");
        assert!(!bench.path("memory.mnemon-explore").exists(), "no lease is left");
    }
}

fn interrupt(child: &Child) {
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(kill.success());
}

fn wait(child: &mut Child, patience: Duration) -> String {
    let start = Instant::now();
    while child.try_wait().expect("a process").is_none() {
        assert!(start.elapsed() < patience, "it does not end");
        std::thread::sleep(Duration::from_millis(10));
    }
    let mut output = String::new();
    if let Some(mut stdout) = child.stdout.take() {
        std::io::Read::read_to_string(&mut stdout, &mut output).expect("UTF-8");
    }
    output
}

#[test]
fn two_explorers_never_search_the_same() {
    let bench = Bench::new();
    bench.run(&["--nodes", "3000", "--positions", "3"]);
    let start = || bench.command(&["--nodes", "3000", "--positions", "20", "--json"]).spawn().expect("it runs");
    let mut both = [start(), start()];
    let outputs = both.each_mut().map(|child| wait(child, Duration::from_secs(60)));
    let found: Vec<_> = outputs.iter().flat_map(|output| searches(&objects(output))).collect();
    let different: HashSet<_> = found.iter().collect();
    assert_eq!((found.len(), different.len()), (40, 40), "no search is done twice");
    let end = bench.run(&["--nodes", "3000", "--positions", "1"]);
    let in_all = end[0]["root"]["positions"].as_u64().expect("a number");
    let joined = found.iter().filter(|(_, moves)| moves.contains("all")).count() as u64;
    assert!(in_all > joined, "a third one knows what both have found: {in_all} of {joined}");
}

#[test]
fn a_uci_engine_is_asked_for_the_moves_that_are_missing() {
    let bench = Bench::new();
    let engine = bench.script("engine", "tee -a \"$log\" | $engine");
    let arguments =
        ["--engine", &engine, "--option", "Learning=off", "--option", "Hash=1", "--nodes", "2000", "--positions", "8"];
    let objects = bench.run(&arguments);
    let log = bench.log("engine");
    assert_eq!(log.lines().filter(|line| line.starts_with("go nodes 2000")).count(), 8, "{log}");
    assert!(log.contains("setoption name Hash value 1"), "{log}");
    let rest = log.lines().find(|line| line.contains("searchmoves")).expect("the other moves of the root");
    assert_eq!(rest.split(' ').count(), 4 + 19, "all but one: {rest}");
    let source = objects[0]["engines"][0].as_str().expect("a name");
    assert!(source.starts_with("mnemon"), "{source}");
    assert!(searches(&objects).iter().any(|(_, moves)| moves.contains("rest")));
}

#[test]
fn an_engine_that_ignores_searchmoves_shows_more_lines_instead() {
    let bench = Bench::new();
    let engine = bench.script("engine", "sed -u 's/ searchmoves.*//' | tee -a \"$log\" | $engine");
    let arguments = ["--engine", &engine, "--option", "Learning=off", "--nodes", "2000", "--positions", "10"];
    let objects = bench.run(&arguments);
    assert!(bench.log("engine").contains("setoption name MultiPV value 2"), "{}", bench.log("engine"));
    let lines = objects.last().expect("an end")["lines"].as_array().expect("lines").len();
    assert!(lines >= 2, "{objects:?}");
}

#[test]
fn an_engine_that_dies_is_started_again_once() {
    let bench = Bench::new();
    let dying = "while read -r line; do echo \"$line\" >> \"$log\"; case \"$line\" in go*) \
                 [ $(grep -c '^go' \"$log\") -eq 3 ] && exit 3 ;; esac; echo \"$line\"; done | $engine";
    let engine = bench.script("engine", dying);
    let arguments = ["--engine", &engine, "--option", "Learning=off", "--nodes", "2000", "--positions", "6"];
    let output = bench.command(&arguments).output().expect("it runs");
    let (said, complaints) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success() && complaints.contains("it is started again"), "{complaints}");
    assert_eq!(bench.log("engine").lines().filter(|line| *line == "uci").count(), 2);
    assert!(said.contains("Searches    6 in"), "the lost search does not count: {said}");

    let hopeless = bench.script(
        "hopeless",
        "while read -r line; do case \"$line\" in go*) exit 3 ;; esac; echo \"$line\"; done | $engine",
    );
    let output = bench.command(&["--engine", &hopeless, "--option", "Learning=off"]).output().expect("it runs");
    let complaints = text(&output.stderr);
    assert!(!output.status.success() && complaints.contains("its worker ends"), "{complaints}");
    assert!(text(&output.stdout).contains("no engine is left"));
}

#[test]
fn connect_four_is_proven() {
    let bench = Bench::new();
    let objects = bench.run(&["444444", "--nodes", "200000"]);
    let end = objects.last().expect("an end");
    assert_eq!((&end["why"], &end["root"]["settled"]), (&"the root is proven".into(), &true.into()));
    let score = end["root"]["score"]["points"].as_i64().expect("points");
    let solved = binary::fed(&["solve"], b"444444\n");
    let words = text(&solved.stdout);
    assert!(words.split_whitespace().any(|word| word.parse() == Ok(score)), "{score}: {words}");
    let output = bench.command(&["--game", "connect4-5x4", "--nodes", "1"]).output().expect("it runs");
    assert!(text(&output.stdout).contains("the root is proven"), "{}", text(&output.stdout));
    let again = bench.run(&["444444"]);
    assert_eq!(searches(&again).len(), 0, "it is proven already");
}

#[test]
fn mistakes_are_said_in_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let memory = folder.path().join("memory.mnemon");
    let memory = memory.to_str().expect("UTF-8");
    for (arguments, named) in [
        (&["explore", "hello", "--memory", memory][..], "hello"),
        (&["explore", "--option", "Hash=1", "--memory", memory], "--engine"),
        (&["explore", "--nodes", "5", "--time", "1s", "--memory", memory], "--time"),
        (&["explore", "--until", "8h", "--positions", "5", "--memory", memory], "--positions"),
        (&["explore", "44444", "--engine", "sh", "--memory", memory], "Connect Four"),
        (&["explore", "--engine", "a", "--engine", "b", "--workers", "1", "--memory", memory], "--workers"),
        (&["explore", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "--memory", memory], "stalemate"),
        (&["explore", "7k/8/6K1/8/8/8/5Q2/8 w - - 70 90", "--memory", memory], "fifty-move"),
    ] {
        let error = fails(arguments, 2);
        assert!(error.contains(named), "{arguments:?}: {error}");
    }
    let error = fails(&["explore", "--engine", "/no/such/engine", "--memory", memory], 1);
    assert!(error.contains("/no/such/engine"), "{error}");
    assert!(!Path::new(memory).exists(), "nothing is created by a mistake");
    let file = folder.path().join("file");
    fs::write(&file, "no folder").expect("written");
    let below = file.join("memory.mnemon");
    let error = fails(&["explore", "--positions", "1", "--memory", below.to_str().expect("UTF-8")], 1);
    assert!(error.contains("file"), "{error}");
}
