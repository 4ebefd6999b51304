//! Files of other programs: games, analyses, evaluations of lichess and opening books come in and go out.

mod binary;
mod memories;

use binary::{fed, text};
use memories::{Memory, utf8};
use serde_json::{Value, json};

/// The records and annotations of the memory as objects.
fn objects(memory: &Memory) -> Vec<Value> {
    memory.says(&["export"]).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The objects of a position, by the moves that lead to it.
fn at(memory: &Memory, moves: &str) -> Vec<Value> {
    use mnemon_search::Notation;
    let position = mnemon_chess::Position::read(&format!("startpos moves {moves}")).expect("a line").to_string();
    let board = |text: &str| text.split(' ').take(4).collect::<Vec<_>>().join(" ");
    let is_there = |object: &Value| object["position"].as_str().is_some_and(|known| board(known) == board(&position));
    objects(memory).into_iter().filter(is_there).collect()
}

/// Of each object the fields that are named, without those that it does not have.
fn fields(objects: &[Value], names: &[&str]) -> Vec<Value> {
    let pick = |object: &Value| {
        let known = names.iter().filter(|name| !object[**name].is_null());
        Value::Object(known.map(|name| ((*name).to_owned(), object[*name].clone())).collect())
    };
    objects.iter().map(pick).collect()
}

const GAMES: &str = "[White \"Fish 1.0\"]\n[Black \"?\"]\n[Date \"2023.01.05\"]\n[Annotator \"Ada\"]\n\n\
    {the start} 1. e4 { [%eval 0.30,24] } { [%clk 0:03:00] best by test } 1... c5 { +0.10/12 0.5s } \
    (1... e5 $5 { [%eval 25,18] open } 2. Nf3 { [%eval #3] }) 2. Nf3 { [%eval 0.25] } 2... d6 *\n";

#[test]
fn games_bring_evaluations_notes_and_moves() {
    let memory = Memory::new();
    let file = memory.write("games.pgn", GAMES);
    let said = memory.says(&["import", &file]);
    assert!(said.starts_with(&format!("{file}: ")) && said.contains("3 notes"), "{said}");
    let scores = ["lower", "upper", "lower_depth", "best_move"];
    assert_eq!(fields(&at(&memory, ""), &["best_move", "lower"]), [json!({"best_move": "e4"}), json!({})]);
    // White's view, of the position after the move; 1...c5 is not worse than what was said before it.
    let after_e4 = &at(&memory, "e4");
    assert_eq!(fields(after_e4, &scores)[0], json!({"lower": -30, "upper": -30, "lower_depth": 24}));
    assert_eq!(after_e4[0]["source"]["file"], "games.pgn");
    assert_eq!(after_e4[0]["source"]["contributor"]["label"], "games.pgn");
    assert_eq!(after_e4[0]["time"], 1_672_876_800, "the day of the game");
    // The mover's view, of the position before the move, by the engine that moves; Black has no name here.
    let note = after_e4.iter().find(|object| !object["note"].is_null()).expect("a note");
    assert_eq!((&note["note"], &note["source"]["person"]), (&json!("best by test"), &json!("Ada")));
    // Centipawns, with a depth; a mate; the line's end.
    assert_eq!(
        fields(&at(&memory, "e4 e5"), &scores)[0],
        json!({"lower": 25, "upper": 25, "lower_depth": 18, "best_move": "Nf3"})
    );
    assert_eq!(fields(&at(&memory, "e4 e5 Nf3"), &["lower"]), [json!({"lower": -15_994})]);
    assert_eq!(
        fields(&at(&memory, "e4 c5 Nf3"), &scores)[0],
        json!({"lower": -25, "upper": -25, "lower_depth": 0, "best_move": "d6"})
    );
    let origins = |moves| at(&memory, moves)[0]["origins"].clone();
    assert_eq!((origins("e4 c5"), origins("e4 e5")), (json!(["import", "game"]), json!(["import"])));
    let again = memory.records();
    assert!(memory.says(&["import", &file]).contains(" 0 added, 0 changed"));
    assert_eq!(memory.records(), again, "importing again does no harm");
}
