//! The evaluation is symmetric: colours exchanged or files mirrored, it gives the same score.

use mnemon_chess::Position;
use mnemon_engine::evaluate;
use mnemon_search::Game;
use mnemon_search::random::Random;

/// The same position with the colours exchanged, as a FEN.
fn exchanged(fen: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let swap = |text: &str| -> String {
        text.chars().map(|c| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }).collect()
    };
    let board: Vec<String> = fields[0].split('/').rev().map(swap).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let castling = if fields[2] == "-" { "-".to_owned() } else { swap(fields[2]) };
    format!("{} {side} {castling} - 0 1", board.join("/"))
}

/// The position with its files mirrored, as a FEN; `None` if a side may still castle.
fn mirrored(fen: &str) -> Option<String> {
    let fields: Vec<&str> = fen.split(' ').collect();
    let board: Vec<String> = fields[0].split('/').map(|rank| rank.chars().rev().collect()).collect();
    (fields[2] == "-").then(|| format!("{} {} - - 0 1", board.join("/"), fields[1]))
}

fn score(fen: &str) -> i16 {
    let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    evaluate(position.board())
}

#[test]
fn exchanged_colours_and_mirrors_change_nothing() {
    let mut random = Random::new(5);
    let mut mirrors = 0;
    for _ in 0..300 {
        let mut position = Position::start();
        for _ in 0..80 {
            let mut moves = Vec::new();
            position.moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[random.below(moves.len())]);
            let fen = position.to_string();
            let own = evaluate(position.board());
            assert_eq!(score(&exchanged(&fen)), own, "{fen}");
            if let Some(mirror) = mirrored(&fen) {
                assert_eq!(score(&mirror), own, "{fen}");
                mirrors += 1;
            }
        }
    }
    assert!(mirrors > 1_000, "{mirrors}");
}

#[test]
fn more_is_better() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert!(score(start).abs() < 50);
    assert!(score("rnbqkbnr/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") > score(start) + 50, "a pawn");
    assert!(score("r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") > score(start) + 200, "a knight");
    assert_eq!(score("8/8/4k3/8/8/3BK3/8/8 w - - 0 1").abs() / 100, 0, "a bishop alone does not win");
}
