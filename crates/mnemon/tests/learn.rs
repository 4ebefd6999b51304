//! `mnemon learn` as a user meets it: games of a file, whose results change what the engine plays.

mod binary;
mod gui;

use std::path::{Path, PathBuf};

use binary::{fails, fed, mnemon, text};
use gui::Gui;
use tempfile::TempDir;

/// A folder with a file of games and room for a memory.
struct Folder(TempDir);

impl Folder {
    fn new(games: &str) -> Self {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        std::fs::write(folder.path("games.pgn"), games).expect("written");
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn word(&self, name: &str) -> String {
        self.path(name).to_str().expect("UTF-8").to_owned()
    }

    /// What the command says, which succeeds.
    fn says(&self, arguments: &[&str]) -> String {
        let memory = self.word("m.mnemon");
        let output = mnemon(&[arguments, &["--memory", &memory]].concat());
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout).to_owned()
    }

    fn learn(&self, arguments: &[&str]) -> String {
        self.says(&[&["learn", &self.word("games.pgn")], arguments].concat())
    }

    /// The one line of error of a command that fails with this exit code.
    fn refuses(&self, arguments: &[&str], code: i32) -> String {
        let (games, memory) = (self.word("games.pgn"), self.word("m.mnemon"));
        fails(&[&["learn", &games, "--memory", &memory], arguments].concat(), code)
    }

    /// What `memory show` says, without its columns.
    fn shown(&self, position: &str) -> Vec<String> {
        let words: Vec<&str> = position.split(' ').collect();
        let shown = self.says(&[&["memory", "show"], &words[..]].concat());
        shown.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    }

    fn counts(&self) -> String {
        self.says(&["memory", "stats", "--json"])
    }
}

fn game(round: u32, white: &str, black: &str, moves: &str) -> String {
    format!("[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\n{moves}\n\n")
}

/// Ada loses with 1.e4, 1.d4 and most others that a shallow search likes, and wins with 1.a4.
fn games_of_ada() -> String {
    let lost = ["e4", "d4", "Nf3", "Nc3", "c4", "e3", "d3", "g3", "b3"].iter().enumerate();
    let lost = lost.map(|(round, mv)| game(round as u32, "Ada", "Bob", &format!("1. {mv} e6 2. a3 a6 0-1")));
    let won = (100..103).map(|round| game(round, "Ada", "Bob", "1. a4 h6 2. Nf3 h5 1-0"));
    lost.chain(won).collect()
}

#[test]
fn the_engine_plays_what_won_and_leaves_what_lost() {
    let folder = Folder::new(&games_of_ada());
    let learned =
        "learned from 12 games of Ada (white 12, black 0): 3 won, 0 drawn, 9 lost; 24 moves, 31 new positions\n";
    let first_move = |memory: &Path| {
        let mut gui = Gui::with_memory(memory);
        gui.send("setoption name Learning value result");
        gui.best("startpos", "go depth 4")
    };
    let without = first_move(&folder.path("empty.mnemon"));
    assert_ne!(without, "a2a4", "nothing is learned");
    assert_eq!(folder.learn(&["--player", "Ada"]), learned);
    assert_eq!(first_move(&folder.path("m.mnemon")), "a2a4");
    let shown = folder.shown("startpos");
    for line in ["Results of games", "a4 Ada: +3.00 over 3 games", "e4 Ada: -3.00 over 1 game"] {
        assert!(shown.iter().any(|shown| shown == line), "{line}: {shown:?}");
    }
}

#[test]
fn both_colours_and_every_end_are_counted() {
    let games = [
        game(1, "Ada", "Bob", "1. e4 e5 1-0"),
        game(2, "Bob", "ADA", "1. e4 e5 1-0"),
        game(3, "Bob", "Ada", "1. e4 c5 1/2-1/2"),
        game(4, "Ada", "Bob", "1. e4 e5 *"),
        game(5, "Ada", "Bob", "1. e4 e5 2. Ke4 0-1"),
        game(6, "Ada", "Bob", "1. e4 e5 2. Ke4"),
        game(7, "Bob", "Cy", "1. e4 e5 1-0"),
        game(8, "Ada", "Bob", "1-0"),
        format!("[Variant \"Atomic\"]\n{}", game(9, "Ada", "Bob", "1. e4 e5 1-0")),
        format!("[FEN \"8/8/4k3/8/8/4K3/4P3/8 b - - 0 40\"]\n{}", game(10, "Bob", "Ada", "40... Kd5 1/2-1/2")),
        format!(
            "[Variant \"Chess960\"]\n[FEN \"bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1\"]\n{}",
            game(11, "Ada", "Bob", "1. g3 g6 0-1")
        ),
    ];
    let folder = Folder::new(&games.concat());
    assert_eq!(
        folder.learn(&["--player", "ada"]),
        "learned from 6 games of Ada (white 3, black 3): 1 won, 2 drawn, 3 lost; 6 moves, 8 new positions; 1 game \
         learned only up to a move that cannot be played; 4 games skipped: 2 unfinished, 1 of another variant, 1 \
         without a move of the player\n"
    );
    let after_e4 = folder.shown("startpos moves e4");
    assert!(after_e4.iter().any(|line| line == "e5 Ada: -3.00 over 1 game"), "{after_e4:?}");
    assert!(after_e4.iter().any(|line| line == "c5 Ada: +0.00 over 1 game"), "{after_e4:?}");
    let start = folder.shown("startpos");
    assert!(start.iter().any(|line| line == "e4 Ada: +0.00 over 2 games"), "a win and a loss: {start:?}");
    assert!(folder.learn(&["--player", "Bob"]).starts_with("learned from 6 games of Bob (white 3, black 3): "));
}

#[test]
fn a_game_is_learned_once() {
    let folder = Folder::new(&games_of_ada());
    folder.learn(&["--player", "Ada"]);
    let before = folder.counts();
    let said = folder.refuses(&["--player", "ADA"], 1);
    assert!(said.contains("games.pgn: every finished game of Ada there (12) was learned before"), "{said}");
    assert!(said.contains("--again"), "{said}");
    assert_eq!(folder.counts(), before);
    // A file that has grown, and one in which a game stands twice.
    let new = game(200, "Ada", "Bob", "1. a4 h6 2. Nf3 h5 1/2-1/2");
    std::fs::write(folder.path("games.pgn"), format!("{new}{}{new}", games_of_ada())).expect("written");
    let said = folder.learn(&["--player", "Ada"]);
    assert!(said.starts_with("learned from 1 game of Ada (white 1, black 0): 0 won, 1 drawn"), "{said}");
    assert!(said.ends_with("; 13 games skipped: 13 learned before\n"), "{said}");
    assert!(folder.shown("startpos").contains(&"a4 Ada: +2.25 over 4 games".to_owned()));
    let said = folder.learn(&["--player", "Ada", "--again"]);
    assert!(said.starts_with("learned from 14 games of Ada"), "{said}");
    assert!(folder.shown("startpos").contains(&"e4 Ada: -3.00 over 2 games".to_owned()));
    // The same games are news of the other player.
    assert!(folder.learn(&["--player", "Bob"]).starts_with("learned from 13 games of Bob (white 0, black 13)"));
}

#[test]
fn a_player_can_be_forgotten_and_learned_again() {
    let folder = Folder::new(&games_of_ada());
    let learned = folder.learn(&["--player", "Ada"]);
    folder.learn(&["--player", "Bob"]);
    let said = folder.says(&["memory", "forget", "--source", "Ada (player)", "--yes"]);
    assert_eq!(said, "43 records of Ada (player) forgotten\n");
    let shown = folder.shown("startpos moves e4");
    assert!(shown.iter().any(|line| line == "e6 Bob: +3.00 over 1 game"), "{shown:?}");
    assert!(!folder.shown("startpos").iter().any(|line| line.contains("Ada:")));
    let said = folder.says(&["memory", "forget", "--source", "Ada", "--yes"]);
    assert_eq!(said, "nothing of Ada is in the memory\n");
    assert_eq!(folder.learn(&["--player", "Ada"]), learned, "which games were learned is forgotten, too");
    let both = folder.word("m.mnemon");
    assert!(fails(&["memory", "--memory", &both, "forget", "--yes"], 2).contains("--source"));
    assert!(fails(&["memory", "--memory", &both, "forget", "--contributor", "own", "--yes"], 2).contains("'own'"));
}

#[test]
fn what_forget_memory_deletes_can_be_learned_again() {
    let folder = Folder::new(&games_of_ada().replace("\"Ada\"", "\"mnemon\""));
    let learned = folder.learn(&["--player", "mnemon"]);
    folder.learn(&["--player", "Bob"]);
    let mut gui = Gui::with_memory(&folder.path("m.mnemon"));
    let said = gui.said("setoption name Forget Memory").join(" ");
    // A busy machine forgets later, and says so.
    assert!(said.contains("31 positions forgotten") || said.contains("is forgotten when"), "{said}");
    let is_forgotten = || !folder.shown("startpos").iter().any(|line| line.contains(" mnemon:"));
    assert!((0..1000).any(|_| is_forgotten()), "the results of games are forgotten");
    drop(gui);
    assert_eq!(folder.learn(&["--player", "mnemon"]), learned);
    assert!(folder.refuses(&["--player", "Bob"], 1).contains("was learned before"), "another player's games stay");
}

#[test]
fn games_that_processes_learn_at_once_all_count() {
    const PROCESSES: u32 = 4;
    let folder = Folder::new("");
    let file = |process: u32| folder.word(&format!("{process}.pgn"));
    for process in 0..PROCESSES {
        let games = (0..50).map(|round| game(100 * process + round, "Ada", "Bob", "1. e4 e5 1/2-1/2"));
        std::fs::write(file(process), games.collect::<String>()).expect("written");
    }
    std::thread::scope(|scope| {
        for process in 0..PROCESSES {
            let (folder, file) = (&folder, file(process));
            scope.spawn(move || folder.says(&["learn", &file, "--player", "Ada"]));
        }
    });
    assert!(folder.shown("startpos").contains(&"e4 Ada: +0.00 over 200 games".to_owned()));
}

#[test]
fn a_name_is_taken_by_its_part_or_the_players_are_listed() {
    let games = [
        game(1, "Lovelace, Ada", "Babbage, Charles", "1. e4 e5 1-0"),
        game(2, "Babbage, Charles", "Lovelace, Ada", "1. e4 e5 1-0"),
        game(3, "Babbage, Henry", "Lovelace, Ada", "1. e4 e5 1-0"),
    ];
    let folder = Folder::new(&games.concat());
    let said = folder.refuses(&["--player", "Turing"], 2);
    let players = "Lovelace, Ada (3 games), Babbage, Charles (2 games), Babbage, Henry (1 game)";
    assert!(said.contains("no player is named 'Turing'") && said.contains(players), "{said}");
    let said = folder.refuses(&["--player", "babbage"], 2);
    assert!(said.contains("several names have it: Babbage, Charles (2 games), Babbage, Henry (1 game)"), "{said}");
    assert!(!folder.path("m.mnemon").exists(), "a mistyped name makes no memory");
    let output =
        mnemon(&["learn", &folder.word("games.pgn"), "--player", "lovelace", "--memory", &folder.word("m.mnemon")]);
    assert!(text(&output.stderr).contains("taking 'Lovelace, Ada'"), "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with("learned from 3 games of Lovelace, Ada (white 1, black 2)"));
    assert!(folder.refuses(&["--player", " "], 2).contains("1 to 255 bytes"));
    assert!(folder.refuses(&[], 2).contains("--player"));
}

#[test]
fn games_come_from_stdin_too() {
    let folder = Folder::new("");
    let memory = folder.word("m.mnemon");
    let learn = |player: &str| fed(&["learn", "-", "--player", player, "--memory", &memory], games_of_ada().as_bytes());
    let output = learn("bo");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("stdin: no player is named 'bo'; if 'Bob' is meant"));
    let output = learn("bob");
    assert!(text(&output.stdout).starts_with("learned from 12 games of Bob (white 0, black 12)"));
    let output = learn("bob");
    assert!(text(&output.stderr).starts_with("mnemon: stdin: every finished game of Bob"));
}

#[test]
fn without_games_nothing_is_made() {
    let folder = Folder::new("\n\n");
    assert!(folder.refuses(&["--player", "Ada"], 1).contains("games.pgn: there is no game in this file"));
    let memory = folder.word("m.mnemon");
    let missing = folder.word("no.pgn");
    let said = fails(&["learn", &missing, "--player", "Ada", "--memory", &memory], 1);
    assert!(said.contains(&format!("cannot read the PGN file {missing}: ")), "{said}");
    let said = fails(&["learn", &folder.word(""), "--player", "Ada", "--memory", &memory], 1);
    assert!(said.contains("cannot read the PGN file"), "{said}");
    std::fs::write(folder.path("games.pgn"), "Dear Ada, this is a letter.").expect("written");
    let said = folder.refuses(&["--player", "Ada"], 2);
    assert!(said.contains("none of the games there names its players"), "{said}");
    std::fs::write(folder.path("games.pgn"), game(1, "Ada", "Bob", "1. e4 *")).expect("written");
    assert_eq!(folder.learn(&["--player", "Ada"]), "learned from 0 games of Ada; 1 game skipped: 1 unfinished\n");
    assert!(!folder.path("m.mnemon").exists());
    std::fs::write(folder.path("letter"), "Dear Ada, this file is mine.\n").expect("written");
    std::fs::write(folder.path("games.pgn"), games_of_ada()).expect("written");
    let said = fails(&["learn", &folder.word("games.pgn"), "--player", "Ada", "--memory", &folder.word("letter")], 1);
    assert!(said.contains("this is no mnemon memory"), "{said}");
}
