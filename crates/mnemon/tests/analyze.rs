//! `mnemon analyze` through the real binary: a position today and tomorrow, suites, games, and mistakes.

mod binary;
mod memories;

use std::io::{BufRead, BufReader};
use std::process::{Child, Output};

use binary::{command, text};
use memories::{Memory, lines, record, utf8};
use serde_json::Value;

/// A position whose value no repetition touches.
const NAJDORF: &str = "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6";
const MATE: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1";

/// The output of an analysis with this memory.
fn run(memory: &Memory, arguments: &[&str]) -> Output {
    let all = [&["analyze", "--memory", utf8(&memory.path)], arguments].concat();
    command(&all).output().expect("the binary runs")
}

/// What an analysis says that succeeds.
fn says(memory: &Memory, arguments: &[&str]) -> String {
    let output = run(memory, arguments);
    let error = text(&output.stderr);
    assert!(output.status.success() && error.is_empty(), "{arguments:?}: {error}");
    text(&output.stdout).to_owned()
}

/// The objects that an analysis says.
fn objects(memory: &Memory, arguments: &[&str]) -> Vec<Value> {
    parsed(&says(memory, &[arguments, &["--json"]].concat()))
}

fn parsed(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect()
}

fn of_type<'o>(objects: &'o [Value], name: &str) -> Vec<&'o Value> {
    objects.iter().filter(|object| object["type"] == name).collect()
}

/// The words after a label of the summary.
fn labelled<'t>(text: &'t str, label: &str) -> &'t str {
    let line = text.lines().find_map(|line| line.strip_prefix(label));
    line.unwrap_or_else(|| panic!("no {label} in {text}")).trim()
}

/// The depths of the table's rows.
fn depths(text: &str) -> Vec<u8> {
    text.lines().filter_map(|line| line.split_whitespace().next()?.parse().ok()).collect()
}

#[test]
fn the_second_run_goes_on_where_the_first_one_stopped_and_says_so() {
    let memory = Memory::new();
    let first = says(&memory, &[NAJDORF, "--depth", "9"]);
    assert_eq!(depths(&first), (1..=9).collect::<Vec<_>>(), "{first}");
    assert!(labelled(&first, "Remembered").starts_with("nothing"), "{first}");
    assert!(
        labelled(&first, "New").contains("learned") && labelled(&first, "New").ends_with("now to depth 9"),
        "{first}"
    );
    assert!(labelled(&first, "Saved").contains("begins with depth 10"), "{first}");

    let second = says(&memory, &[NAJDORF, "--depth", "11"]);
    assert_eq!(depths(&second), [9, 10, 11], "{second}");
    let known = second.lines().find(|line| line.trim().starts_with("9 ")).expect("the known row");
    assert!(known.contains("memory") && known.contains("6."), "{known}");
    assert!(labelled(&second, "Recalled").contains("this one known to depth 9"), "{second}");
    let remembered = labelled(&second, "Remembered");
    assert!(remembered.contains("to depth 9") && remembered.contains("learned just now"), "{second}");
    let saved = labelled(&second, "Saved");
    assert!(saved.starts_with("depths 1 to 9: this search began with depth 10"), "{second}");
    assert!(saved.contains("nodes"), "{second}");

    let third = says(&memory, &[NAJDORF, "--depth", "11"]);
    assert_eq!(depths(&third), [11], "{third}");
    assert!(labelled(&third, "Saved").starts_with("the whole search"), "{third}");
    assert!(labelled(&third, "New").starts_with("nothing"), "{third}");
    assert_eq!(labelled(&third, "Best").split(',').next(), labelled(&second, "Best").split(',').next());
}

#[test]
fn the_same_is_said_in_json() {
    let memory = Memory::new();
    let first = objects(&memory, &[NAJDORF, "--depth", "8"]);
    assert_eq!((&first[0]["type"], &first[0]["fen"]), (&"position".into(), &NAJDORF.into()));
    assert_eq!(first[0]["scores_for"], "side to move");
    let iterations = of_type(&first, "iteration");
    let depths: Vec<u64> = iterations.iter().filter_map(|object| object["depth"].as_u64()).collect();
    assert_eq!(depths, (1..=8).collect::<Vec<_>>());
    for object in &iterations {
        assert!(object["score"]["cp"].is_i64() && object["nodes"].is_u64() && object["nps"].is_u64(), "{object}");
        let (pv, san) = (object["pv"].as_array().expect("a line"), object["pv_san"].as_array().expect("a line"));
        assert!(!pv.is_empty() && pv.len() == san.len(), "{object}");
    }
    let summary = first.last().expect("a summary");
    assert_eq!((&summary["type"], &summary["first_depth"]), (&"summary".into(), &1.into()));
    assert_eq!((&summary["remembered_depth"], &summary["interrupted"]), (&Value::Null, &false.into()));
    assert!(summary["learned"].as_u64().is_some_and(|count| count > 0), "{summary}");

    let second = objects(&memory, &[NAJDORF, "--depth", "9"]);
    let remembered = of_type(&second, "remembered")[0];
    assert_eq!((&remembered["root"][0]["depth"], &remembered["complete"]), (&8.into(), &true.into()));
    let summary_now = second.last().expect("a summary");
    assert_eq!((&summary_now["remembered_depth"], &summary_now["first_depth"]), (&8.into(), &9.into()));
    assert_eq!(summary_now["remembered_nodes"], summary["nodes"]);
}

#[test]
fn several_lines_come_in_order() {
    let objects = objects(&Memory::new(), &["--depth", "5", "--multipv", "3"]);
    let last: Vec<_> = of_type(&objects, "iteration").into_iter().filter(|object| object["depth"] == 5).collect();
    assert_eq!(last.len(), 3);
    let score = |object: &Value| object["score"]["cp"].as_i64().expect("no mate");
    assert!(last.is_sorted_by_key(|object| -score(object)), "{last:?}");
    assert_eq!(last[2]["multipv"], 3);
    assert_ne!(last[0]["pv"][0], last[1]["pv"][0]);
    assert_eq!(objects.last().expect("a summary")["best"], last[0]["pv"][0]);
}

#[test]
fn each_limit_limits() {
    let memory = Memory::new();
    let nodes = objects(&memory, &[NAJDORF, "--nodes", "3000"]);
    let summary = nodes.last().expect("a summary");
    assert!(summary["nodes"].as_u64().is_some_and(|nodes| (1..=3100).contains(&nodes)), "{summary}");
    let time = objects(&memory, &[NAJDORF, "--time", "50ms"]);
    assert!(time.last().expect("a summary")["nodes"].as_u64().is_some_and(|nodes| nodes > 0));
}

#[test]
fn a_game_that_is_over_or_won_is_said_to_be() {
    let memory = Memory::new();
    let mated = says(&memory, &["startpos", "moves", "f3", "e5", "g4", "Qh4#", "--depth", "3"]);
    assert_eq!(labelled(&mated, "Best"), "none: checkmate");
    assert!(labelled(&mated, "Remembered").contains("the game is over"), "{mated}");
    let won = says(&memory, &[MATE, "--depth", "4"]);
    assert_eq!(labelled(&won, "Best"), "1.Ra8#, #1 for White at depth 4");
    let late = says(&memory, &["8/8/4k3/8/8/4K3/4P3/8 w - - 80 90", "--depth", "2"]);
    assert!(labelled(&late, "Remembered").contains("fifty-move rule"), "{late}");
}

#[test]
fn without_a_memory_there_is_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let without = |arguments: &[&str]| {
        let all = [&["analyze", "--depth", "4"], arguments].concat();
        let output = command(&all).env_remove("MNEMON_MEMORY").env("XDG_DATA_HOME", folder.path()).output();
        let output = output.expect("the binary runs");
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout).to_owned()
    };
    for option in [&["--no-memory"][..], &["--learning", "off"]] {
        let said = without(option);
        assert!(labelled(&said, "Memory").contains("none") && !said.contains("Remembered"), "{said}");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }
    let said = without(&[]);
    let file = folder.path().join("mnemon/memory.mnemon");
    assert!(file.is_file() && labelled(&said, "Memory").ends_with("mnemon/memory.mnemon"), "{said}");
}

#[test]
fn reading_only_recalls_and_learns_nothing() {
    let memory = Memory::new();
    says(&memory, &[NAJDORF, "--depth", "7"]);
    let before = memory.records();
    let said = says(&memory, &[NAJDORF, "--depth", "8", "--learning", "read-only"]);
    assert_eq!(depths(&said), [7, 8], "{said}");
    assert_eq!(labelled(&said, "New"), "nothing: the memory is only read");
    assert_eq!(memory.records(), before);
}

#[test]
fn a_memory_of_another_game_learns_chess_beside_it() {
    let memory = Memory::of(&lines([record("44", 2, 9)]));
    let said = says(&memory, &[NAJDORF, "--depth", "6"]);
    assert!(labelled(&said, "Remembered").starts_with("nothing"), "{said}");
    let records = memory.records();
    assert!(records.iter().any(|line| line.contains("connect4")) && records.iter().any(|line| line.contains("chess")));
}

const SUITE: &str = "\
6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"mate\";

# a comment
6k1/5ppp/8/8/8/8/8/R3K3 w Q - am Ra8; id \"not so\";
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
";

#[test]
fn a_suite_says_where_the_engine_agrees() {
    let memory = Memory::new();
    let file = memory.write("suite.epd", SUITE);
    let said = says(&memory, &["--epd", &file, "--depth", "4"]);
    let row = |name: &str| said.lines().find(|line| line.starts_with(name)).expect("a row").to_owned();
    assert!(row("mate ").ends_with("agrees") && row("mate ").contains("Ra8#"), "{said}");
    assert!(row("not so ").ends_with("differs: am Ra8#"), "{said}");
    assert!(row("line 5 ").ends_with('-'), "{said}");
    assert!(said.contains("agreed in 1 of 2 positions (50.0 %)"), "{said}");

    let objects = objects(&memory, &["--epd", &file, "--depth", "4"]);
    let agreed: Vec<&Value> = of_type(&objects, "epd").iter().map(|object| &object["agrees"]).collect();
    assert_eq!(agreed, [&Value::Bool(true), &Value::Bool(false), &Value::Null]);
    let total = objects.last().expect("a total");
    assert_eq!((&total["type"], &total["positions"], &total["compared"]), (&"total".into(), &3.into(), &2.into()));
}

#[test]
fn a_bad_line_of_a_suite_is_named_and_the_others_are_analysed() {
    let memory = Memory::new();
    let file = memory.write("suite.epd", format!("8/8/8 w - -\n{MATE} ; bm Ra9;\n{SUITE}"));
    let output = run(&memory, &["--epd", &file, "--depth", "3"]);
    let (said, error) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("agreed in 1 of 2 positions") && said.contains("2 lines left out"), "{said}");
    let complaints: Vec<&str> = error.lines().collect();
    assert_eq!(complaints.len(), 2, "{error}");
    assert!(complaints[0].contains("suite.epd: line 1: ") && complaints[0].contains("3 ranks"), "{error}");
    assert!(complaints[1].contains("suite.epd: line 2: bm: ") && complaints[1].contains("Ra9"), "{error}");
}

const GAMES: &str = "\
[White \"Fool\"]
[Black \"Scholar\"]
[Result \"0-1\"]

1. f3 e5 2. g4 {oh} Qh4# 0-1

[White \"A\"]
[FEN \"6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 30\"]

30. Kd2 (30. Ra8#) 30... h6 *
";

#[test]
fn a_game_is_annotated_move_by_move() {
    let memory = Memory::new();
    let file = memory.write("games.pgn", GAMES);
    let said = says(&memory, &["--pgn", &file, "--depth", "5"]);
    let row = |start: &str| said.lines().find(|line| line.trim().starts_with(start)).expect("a row").to_owned();
    assert!(said.contains("Game 1: Fool - Scholar, 0-1") && said.contains("Game 2: A - Black"), "{said}");
    assert!(row("2.g4??").contains("#-1"), "mate for Black is negative for White: {said}");
    assert!(row("2...Qh4#").contains("#-1") && row("2...Qh4#").ends_with('-'), "nothing was lost: {said}");
    let missed = row("30.Kd2??");
    assert!(missed.contains("Ra8#") && missed.contains("#1") && missed.ends_with("30.Ra8#"), "{said}");
    assert!(said.contains("White  0 of 1 move as the engine's, ") && said.contains("0 ?!, 0 ?, 1 ??"), "{said}");
    assert!(said.contains("2 games, 6 moves"), "{said}");

    let objects = objects(&memory, &["--pgn", &file, "--depth", "5", "--from-move", "2", "--to-move", "2"]);
    let moves = of_type(&objects, "move");
    assert_eq!(moves.iter().map(|object| &object["played_san"]).collect::<Vec<_>>(), ["g4", "Qh4#"]);
    assert_eq!((&moves[0]["mark"], &moves[0]["played_score"]["mate"]), (&"??".into(), &(-1).into()));
    assert_eq!((&moves[1]["loss_cp"], &moves[1]["best_san"]), (&0.into(), &"Qh4#".into()));
    let totals = of_type(&objects, "game_total");
    assert_eq!((&totals[0]["white"]["blunders"], &totals[1]["white"]["moves"]), (&1.into(), &0.into()));
}

#[test]
fn an_illegal_move_of_a_game_is_named_and_what_came_before_it_is_analysed() {
    let memory = Memory::new();
    let file = memory.write("games.pgn", "1. e4 e5\n2. Ke3 *\n\n1. d4 *\n");
    let output = run(&memory, &["--pgn", &file, "--depth", "3"]);
    let (said, error) = (text(&output.stdout), text(&output.stderr));
    assert_eq!((output.status.code(), error.lines().count()), (Some(1), 1), "{error}");
    assert!(error.contains("games.pgn: game 1: line 2, move 2.: ") && error.contains("Ke3"), "{error}");
    assert!(said.contains("2 games, 3 moves"), "{said}");
}

/// One line on stderr, nothing on stdout, and the exit code.
fn fails(memory: &Memory, arguments: &[&str], code: i32) -> String {
    let output = run(memory, arguments);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
    assert!(output.stdout.is_empty() && error.starts_with("mnemon: "), "{arguments:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
    error.to_owned()
}

#[test]
fn mistakes_are_explained_before_anything_is_searched() {
    let memory = Memory::new();
    for (arguments, words) in [
        (&["8/8/8/8/8/8/8/8 w - -"][..], "no white king"),
        (&["startpos", "moves", "e4", "e4"], "'e4' cannot be played after 1.e4"),
        (&["hello"], "'hello' is no move"),
        (&["--time", "10"], "500ms"),
        (&["--time", "0s"], "at least"),
        (&["--depth", "0"], "1..=100"),
        (&["--nodes", "0"], "--nodes"),
        (&["--depth", "3", "--nodes", "5"], "cannot be used with"),
        (&["--depth", "3", "--time", "5s"], "cannot be used with"),
        (&["--epd", "a", "--pgn", "b"], "cannot be used with"),
        (&["startpos", "--pgn", "b"], "cannot be used with"),
        (&["--multipv", "0"], "1..=256"),
        (&["--learning", "resum"], "did you mean 'resume'"),
        (&["--no-memory"], "--memory"),
        (&["--from-move", "3"], "--pgn"),
    ] {
        let error = fails(&memory, arguments, 2);
        assert!(error.contains(words), "{arguments:?}: {error}");
    }
    for (arguments, words) in [
        (&["--epd", "/nowhere/a.epd"][..], "/nowhere/a.epd"),
        (&["--pgn", "/nowhere/a.pgn"], "/nowhere/a.pgn"),
        (&["--epd", "/dev/null"], "no position"),
        (&["--pgn", "/dev/null"], "no game"),
        (&["--learning", "read-only"], "there is no memory yet"),
        (&["--hash", "33554432", "--depth", "1"], "ask for less"),
    ] {
        let error = fails(&memory, arguments, 1);
        assert!(error.contains(words), "{arguments:?}: {error}");
    }
    std::fs::write(&memory.path, "a text, and no memory").expect("written");
    assert!(fails(&memory, &["--depth", "1"], 1).contains("no mnemon memory"));
}

/// Waits for a line with these words.
fn wait_for(lines: &mut impl Iterator<Item = std::io::Result<String>>, words: &str) {
    let mut lines = lines.map(|line| line.expect("text"));
    assert!(lines.any(|line| line.contains(words)), "{words} never came");
}

fn interrupt(child: &Child) {
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()), "the signal is sent");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_search_and_keeps_what_was_found() {
    let memory = Memory::new();
    let mut child = command(&["analyze", "--memory", utf8(&memory.path), NAJDORF, "--infinite", "--json"])
        .spawn()
        .expect("the binary runs");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    wait_for(&mut lines, "\"depth\":8,");
    interrupt(&child);
    let rest: Vec<String> = lines.map(|line| line.expect("text")).collect();
    assert!(child.wait().expect("it ends").success());
    let summary: Value = serde_json::from_str(rest.last().expect("a summary")).expect("an object");
    assert_eq!((&summary["type"], &summary["interrupted"]), (&"summary".into(), &true.into()));
    assert!(summary["learned"].as_u64().is_some_and(|count| count > 0), "{summary}");
    let again = objects(&memory, &[NAJDORF, "--depth", "8"]);
    let known = again.last().expect("a summary")["remembered_depth"].as_u64();
    assert!(known.is_some_and(|depth| depth >= 8), "{known:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_suite_gives_its_total_and_is_not_a_success() {
    let memory = Memory::new();
    let file = memory.write("suite.epd", SUITE);
    let arguments = ["analyze", "--memory", utf8(&memory.path), "--epd", &file, "--time", "10m", "--json"];
    let mut child = command(&arguments).spawn().expect("the binary runs");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    // A mate is searched to the last depth within a moment; the third position is not.
    wait_for(&mut lines, "\"line\":4,");
    interrupt(&child);
    let rest: Vec<String> = lines.map(|line| line.expect("text")).collect();
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(rest.last().is_some_and(|line| line.contains("\"total\"")), "{rest:?}");
}

/// Each position is reached from the one before it: four times the moves take about four times as long, not sixteen times.
#[test]
fn the_time_of_a_long_game_grows_with_its_moves() {
    let memory = Memory::new();
    let seconds = |moves: usize| {
        let rounds = (0..moves / 2).map(|number| format!("{}. Nf3 Nf6 {}. Ng1 Ng8\n", 2 * number + 1, 2 * number + 2));
        let file = memory.write("long.pgn", &(rounds.collect::<String>() + "*\n"));
        let start = std::time::Instant::now();
        let output = run(&memory, &["--pgn", &file, "--nodes", "1", "--learning", "off"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        start.elapsed().as_secs_f64()
    };
    // The best of three: another program may take the processor meanwhile.
    let best = |moves| (0..3).map(|_| seconds(moves)).fold(f64::INFINITY, f64::min);
    let (short, long) = (best(2_500), best(10_000));
    assert!(long < 10.0 * short, "{short} s, {long} s");
}
