//! `mnemon memory` as a person meets it: looking, advising, forgetting, and where the memory is.

mod binary;
mod memories;

use binary::{command, fails, mnemon, text};
use memories::{Memory, lines, record, utf8};
use serde_json::json;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// What chess engines and a person know of the first moves.
fn openings() -> Memory {
    let after = |mv: &str, version: &str, score: i32, depth: u8| {
        json!({
            "game": "chess", "position": format!("startpos moves {mv}"),
            "source": {"engine": "fish", "version": version}, "lower": score, "lower_depth": depth,
            "upper": score, "upper_depth": depth, "origins": ["search", "pv"], "time": 1_000_000_000,
        })
    };
    let mut at_most = after("a3", "1", 0, 12);
    at_most["lower"] = json!(12);
    let fields = at_most.as_object_mut().expect("an object");
    fields.remove("upper");
    fields.remove("upper_depth");
    let mut best = after("e4", "1", -30, 20);
    best["best_move"] = json!("e5");
    let memory = Memory::own(&lines([
        best,
        after("e4", "2", -25, 18),
        after("d4", "1", -35, 19),
        after("f3", "1", 15_991, 9),
        at_most,
    ]));
    memory.says(&["put", "startpos", "--move", "e4", "--score", "0.3", "--depth", "20", "--by", "Ada"]);
    memory
}

#[test]
fn each_move_is_shown_with_all_that_is_known_of_it() {
    let text = openings().says(&["show", "startpos"]);
    assert!(text.starts_with(&format!("chess  {START}\n\n  8 r n b q k b n r\n")), "{text}");
    assert!(text.contains("To move: White\nScores are for White.\n"), "{text}");
    let words =
        |line: &str| line.split("  ").map(str::trim).filter(|word| !word.is_empty()).collect::<Vec<_>>().join("|");
    let rows: Vec<String> = text.lines().skip_while(|line| *line != "The position").map(words).collect();
    // The times are those of 2001.
    let age = rows[6].split('|').nth(5).expect("an age").to_owned();
    assert!(age.ends_with("years ago"), "{age}");
    let expected = [
        "The position".to_owned(),
        "score|depth|best|source|age|origin".to_owned(),
        "= +0.30|20|e4|Ada (person)|just now|advice".to_owned(),
        String::new(),
        "Moves".to_owned(),
        "move|score|depth|reply|source|age|origin".to_owned(),
        format!("d4|= +0.35|19|-|fish 1|{age}|search, pv, import"),
        format!("e4|= +0.30|20|e5|fish 1|{age}|search, pv, import"),
        format!("e4|= +0.25|18|-|fish 2|{age}|search, pv, import"),
        format!("f3|= mated in 5|9|-|fish 1|{age}|search, pv, import"),
        format!("a3|<= -0.12|12|-|fish 1|{age}|search, pv, import"),
    ];
    assert_eq!(rows, expected, "{text}");
}

#[test]
fn columns_stand_under_each_other() {
    let text = openings().says(&["show", "startpos"]);
    let table: Vec<&str> = text.lines().skip_while(|line| *line != "Moves").skip(1).collect();
    let at = |line: &str, word: &str| line.find(word).unwrap_or_else(|| panic!("{word} in {line}"));
    let column = at(table[0], "source");
    assert!(table[1..].iter().all(|line| at(line, "fish") == column), "{text}");
}

#[test]
fn connect_four_is_drawn_and_its_scores_have_words() {
    let solved = lines([record("445", 3, 255), record("444", -2, 255), record("441", 0, 9)]);
    let memory = Memory::own(&solved.replace("tester", "mnemon-connect4"));
    let text = memory.says(&["show", "44"]);
    assert!(text.starts_with("connect4-7x6  44\n\n   .   .   .   .   .   .   .\n"), "{text}");
    // A proven move is worth what it is worth, whatever the other moves may be: at least that is the position's value.
    let value =
        "Value >= +2, depth proven, by negamax over 3 known positions\n  by 4\n  from 444, by mnemon-connect4 1\n";
    assert!(
        text.contains(&format!("Scores are for x, the first player.\n\n{value}\nNothing is known of the position")),
        "{text}"
    );
    let moves: Vec<&str> = text.lines().skip_while(|line| *line != "Moves").skip(2).collect();
    assert!(moves[0].starts_with("  4     = +2 (wins in 19 moves)   proven  -  "), "{text}");
    assert!(moves[1].starts_with("  1     = 0                       9       -  "), "{text}");
    assert!(moves[2].starts_with("  5     = -3 (loses in 18 moves)  proven  -  "), "{text}");
    // A line of moves is shown as it was typed, whatever order the memory would choose.
    assert!(memory.says(&["show", "5454"]).starts_with("connect4-7x6  5454\n"));
    assert!(memory.says(&["show", "888", "--game", "connect4-8x7"]).contains("   1   2   3   4   5   6   7   8\n"));
    assert!(memory.says(&["show", "121212"]).contains("The side to move makes four at once\nNothing is known"));
}

#[test]
fn every_reader_answers_in_json() {
    let memory = openings();
    let shown = memory.json(&["show", "startpos"]);
    assert_eq!(
        (&shown["game"], &shown["position"], &shown["scores_for"]),
        (&json!("chess"), &json!(START), &json!("White"))
    );
    let moves: Vec<_> = shown["moves"].as_array().expect("moves").iter().map(|mv| mv["move"].as_str()).collect();
    assert_eq!(moves, [Some("d4"), Some("e4"), Some("f3"), Some("a3")], "what was only bounded comes last");
    let e4 = &shown["moves"][1];
    assert_eq!(e4["records"].as_array().map(Vec::len), Some(2));
    let expected = json!({
        "source": {"engine": "fish", "version": "1"}, "score": "= +0.30", "lower": 30, "lower_depth": 20, "upper": 30,
        "upper_depth": 20, "best_move": "e5", "origins": ["search", "pv", "import"], "time": 1_000_000_000,
    });
    assert_eq!(e4["records"][0], expected);
    assert_eq!(shown["moves"][3]["records"][0].get("lower"), None);

    let got = memory.json(&["get", "startpos", "moves", "e2e4"]);
    assert_eq!(got["records"].as_array().map(Vec::len), Some(2));
    assert_eq!(got["scores_for"], "Black");
    assert_eq!((&got["records"][0]["lower"], &got["records"][0]["best_move"]), (&json!(-30), &json!("e5")));

    let stats = memory.json(&["stats"]);
    assert_eq!((&stats["records"], &stats["damaged"]), (&json!(6), &json!(0)));
    assert_eq!(stats["counts"].as_array().map(Vec::len), Some(3));
    assert!(stats["bytes"].as_u64().is_some_and(|bytes| bytes > 0) && stats["format"].is_u64(), "{stats}");
    let verified = memory.json(&["verify"]);
    assert_eq!((&verified["sound"], &verified["records"], &verified["damage"]), (&json!(true), &json!(6), &json!([])));
}

#[test]
fn get_gives_one_line_a_record() {
    let memory = openings();
    let text = memory.says(&["get", "startpos", "moves", "e4"]);
    let expected = "fish 1: score = -0.30; depth 20; best e5; origins search, pv, import; game ply -; root ply -; \
                    nodes 0; time 2001-09-09T01:46:40Z";
    assert_eq!(text.lines().next(), Some(expected));
    assert_eq!(text.lines().count(), 2);
    let output = memory.run(&["get", "44"]);
    assert!(output.status.success() && output.stdout.is_empty());
    assert_eq!(binary::text(&output.stderr), "nothing is known of 44\n");
    assert_eq!(memory.json(&["get", "44"])["records"], json!([]));
}

#[test]
fn statistics_count_games_and_sources() {
    let memory = openings();
    memory.import(&lines([record("4", 1, 9)]));
    let unknown = json!({"game": "go", "packed": "00ff", "source": {"engine": "stone", "version": ""}, "best": 9});
    memory.import(&lines([unknown]));
    let text = memory.says(&["stats"]);
    assert!(text.contains("8 records, ") && text.contains(" bytes each"), "{text}");
    for row in [
        "chess         Ada (person)                   1",
        "chess         fish 1                         4",
        "connect4-7x6  tester 1 of lines.jsonl        1",
    ] {
        assert!(text.contains(row), "{text}");
    }
    assert!(text.contains("  go            stone of lines.jsonl           1"), "{text}");
    assert!(
        memory.says(&["show", "hex:00ff", "--game", "go"]).contains("code 9"),
        "games that are not known are shown too"
    );
}

#[test]
fn the_later_advice_of_a_person_replaces_the_earlier() {
    let memory = Memory::new();
    let first = memory.says(&["put", "44", "--move", "4", "--score", "-3", "--depth", "proven"]);
    assert_eq!(
        first,
        "connect4-7x6  44\nGrace advises: move 4, score = -3 (loses in 18 moves), depth proven (for x, the first player)\n"
    );
    let second = memory.says(&["put", "44", "--score", "1", "--at-most"]);
    assert!(second.contains("Grace advises: move -, score <= +1, depth 0 "), "{second}");
    assert!(
        second.contains("replaced:  move 4, score = -3 (loses in 18 moves), depth proven (said just now)"),
        "{second}"
    );
    memory.says(&["put", "44", "--move", "5", "--by", "Ada"]);
    let records = memory.json(&["get", "44"]);
    assert_eq!(records["records"].as_array().map(Vec::len), Some(2), "{records}");
    assert_eq!(records["records"][1]["source"], json!({"person": "Grace"}));
    assert_eq!(records["records"][1]["upper"], json!(1));
    assert_eq!(records["records"][1].get("lower"), None, "the earlier advice is gone: {records}");
}

#[test]
fn advice_from_the_future_stays_and_that_is_said() {
    let mut future = record("44", 1, 3);
    future["source"] = json!({"person": "Grace"});
    future["origins"] = json!(["advice"]);
    future["time"] = json!(u32::MAX);
    let memory = Memory::own(&lines([future]));
    let before = memory.records();
    assert!(memory.fails(&["put", "44", "--score", "-2"], 1).contains("stays"));
    assert_eq!(memory.records(), before);
}

#[test]
fn a_depth_that_no_search_reaches_is_refused() {
    for (depth, is_possible) in [(127, true), (128, false), (254, false), (255, true)] {
        let memory = Memory::new();
        let file = memory.write("lines.jsonl", lines([record("44", 1, depth)]));
        let output = memory.run(&["import", &file]);
        assert_eq!(output.status.success(), is_possible, "{depth}: {output:?}");
    }
}

#[test]
fn advice_that_means_nothing_is_refused() {
    let memory = Memory::new();
    assert!(memory.fails(&["put", "111111", "--move", "1"], 2).contains("column 1 is full"));
    assert!(memory.fails(&["put", "startpos", "--move", "e2e5"], 2).contains("e2e5 is not legal here"));
    assert!(memory.fails(&["put", "startpos", "--move", "Nd4"], 2).contains("--move: "));
    assert!(memory.fails(&["put", "startpos", "--score", "good"], 2).contains("\"good\" is no score"));
    assert!(memory.fails(&["put", "44", "--score", "1.5"], 2).contains("whole numbers"));
    assert!(memory.fails(&["put", "44", "--score", "1", "--depth", "255"], 2).contains("127"));
    assert!(memory.fails(&["put", "44", "--score", "1", "--depth", "128"], 2).contains("127"));
    assert!(memory.fails(&["put", "44", "--score", "1", "--at-least", "--at-most"], 2).contains("--at-most"));
    assert!(memory.fails(&["put", "44"], 2).contains("--move"));
    assert!(memory.fails(&["put", "44", "--move", "4", "--by", ""], 1).contains("name"));
    assert!(memory.fails(&["put", "hex:00", "--game", "go", "--score", "1"], 2).contains("not known here"));
    assert!(!memory.path.exists(), "nothing was begun");
}

#[test]
fn positions_that_are_none_say_why() {
    let memory = openings();
    for (position, why) in [
        ("hello", "expected a FEN"),
        ("448", "columns are 1 to 7"),
        ("8/8/8 w - -", "3 ranks"),
        ("startpos moves e4 e4", "after 1.e4"),
        ("hex:00", "--game"),
        ("\u{1b}[31m", "\\u{1b}[31m"),
    ] {
        let error = memory.fails(&["show", position], 2);
        assert!(error.contains(why) && !error.contains('\u{1b}'), "{error}");
    }
    assert!(memory.fails(&["show", "44", "--game", "chess"], 2).contains("no position of chess"));
    assert!(memory.fails(&["get"], 2).contains("POSITION"));
}

#[test]
fn forgetting_takes_a_position_a_source_or_a_subtree() {
    let positions = ["4", "44", "443", "445", "4453", "7", "55"];
    let memory = Memory::of(&lines(positions.iter().map(|moves| record(moves, 1, 9))));
    memory.says(&["put", "44", "--move", "4"]);
    let count = || memory.json(&["stats"])["records"].as_u64().expect("a count");
    assert!(memory.fails(&["forget", "44"], 2).contains("--yes"), "a pipe cannot confirm");
    assert_eq!(
        memory.says(&["forget", "44", "--source", "nobody", "--yes"]),
        "nothing is known of 44, nothing was forgotten\n"
    );
    assert_eq!(count(), 8);
    assert_eq!(memory.says(&["forget", "44", "--source", "Grace", "--yes"]), "1 record of 1 position forgotten\n");
    // 443 is known, 4431 is not: what lies behind an unknown position is not reached.
    assert_eq!(memory.says(&["forget", "44", "--subtree", "--yes"]), "4 records of 4 positions forgotten\n");
    let left: Vec<String> = memory.records();
    assert_eq!(left.len(), 3, "{left:?}");
    assert_eq!(memory.says(&["forget", "7", "--yes"]), "1 record of 1 position forgotten\n");
    // The root of a subtree need not be known: 5 is not, 55 follows it.
    assert_eq!(memory.says(&["forget", "5", "--subtree", "--yes"]), "1 record of 1 position forgotten\n");
    assert_eq!(count(), 1);
    assert!(memory.says(&["forget", "7", "--yes"]).contains("nothing is known of 7"));
}

#[test]
fn a_subtree_of_chess_ends_although_positions_come_back() {
    let memory = Memory::new();
    for line in ["", " Nf3", " Nf3 Nf6", " Nf3 Nf6 Ng1", " Nf3 Nf6 Ng1 Ng8", " e4"] {
        memory.says(&["put", &format!("startpos moves{line}"), "--score", "0"]);
    }
    assert_eq!(memory.records().len(), 5, "the knights came back");
    assert_eq!(
        memory.says(&["forget", "startpos moves e4", "--subtree", "--yes"]),
        "1 record of 1 position forgotten\n"
    );
    assert_eq!(
        memory.says(&["forget", "startpos moves Nf3", "--subtree", "--yes"]),
        "3 records of 3 positions forgotten\n",
        "the start is what stood before"
    );
}

#[test]
fn readers_make_no_file_and_say_how_to_begin() {
    let memory = Memory::new();
    let copy = memory.beside("copy.mnemon");
    for arguments in [
        &["stats"][..],
        &["show", "44"],
        &["get", "44"],
        &["forget", "44", "--yes"],
        &["export"],
        &["export", "--to", &copy],
        &["verify"],
        &["compact"],
        &["backup", &copy],
    ] {
        let error = memory.fails(arguments, 1);
        assert!(error.contains(utf8(&memory.path)) && error.contains("'mnemon memory put'"), "{error}");
    }
    assert_eq!(std::fs::read_dir(memory.folder.path()).expect("a folder").count(), 0);
}

#[test]
fn the_place_is_the_option_then_the_variable_then_the_convention() {
    let folder = tempfile::tempdir().expect("a folder");
    let below = |name: &str| utf8(&folder.path().join(name)).to_owned();
    let put = |option: &[&str], variables: &[(&str, &str)]| {
        let mut command = command(&[&["memory", "put", "44", "--move", "4"], option].concat());
        for name in ["MNEMON_MEMORY", "XDG_DATA_HOME", "HOME"] {
            command.env_remove(name);
        }
        command.envs(variables.iter().copied()).output().expect("the binary runs")
    };
    let (option, variable) = (below("option.mnemon"), below("variable.mnemon"));
    let (data, home) = (below("data"), below("home"));
    let all = [("MNEMON_MEMORY", &*variable), ("XDG_DATA_HOME", &data), ("HOME", &home)];
    let relative = [("XDG_DATA_HOME", "data"), ("HOME", &home)];
    let is_there = |name: &str| folder.path().join(name).exists();

    assert!(put(&["--memory", &option], &all).status.success());
    assert!(is_there("option.mnemon") && !is_there("variable.mnemon"));
    assert!(put(&[], &all).status.success());
    assert!(is_there("variable.mnemon") && !is_there("data"));
    assert!(put(&[], &all[1..]).status.success());
    assert!(is_there("data/mnemon/memory.mnemon") && !is_there("home"));
    assert!(put(&[], &relative).status.success());
    assert!(is_there("home/.local/share/mnemon/memory.mnemon"));
    let homeless = put(&[], &[("HOME", "nowhere")]);
    assert_eq!(homeless.status.code(), Some(1));
    assert!(text(&homeless.stderr).contains("the user's home folder is not known"));
}

#[test]
fn names_in_a_memory_do_not_command_the_terminal() {
    let mut evil = record("4", 1, 9);
    evil["source"] = json!({"engine": "\u{1b}]0;owned\u{7}", "version": "\u{9b}31m"});
    let memory = Memory::of(&lines([evil]));
    memory.says(&["put", "44", "--move", "4", "--by", "\u{1b}[31mAda"]);
    for arguments in [
        &["stats"][..],
        &["stats", "--json"],
        &["show", "-"],
        &["show", "-", "--json"],
        &["show", "44"],
        &["get", "4"],
        &["get", "4", "--json"],
        &["export"],
    ] {
        let said = memory.says(arguments);
        assert!(!said.contains(|character: char| character.is_control() && character != '\n'), "{said:?}");
    }
    assert!(memory.says(&["get", "4"]).contains("\\u{1b}]0;owned"));
}

#[test]
fn the_command_line_is_explained() {
    let help = mnemon(&["memory", "--help"]);
    assert!(help.status.success());
    let commands =
        ["stats", "show", "get", "put", "forget", "merge", "export", "import", "verify", "compact", "backup"];
    for command in commands {
        assert!(text(&help.stdout).contains(&format!("\n  {command} ")), "{command}");
        let help = mnemon(&["memory", command, "--help"]);
        assert!(help.status.success() && text(&help.stdout).contains("--memory <PATH>"), "{command}");
    }
    assert!(fails(&["memory", "shwo"], 2).contains("did you mean 'show'?"));
    assert!(fails(&["memory"], 2).contains("missing"));
}
