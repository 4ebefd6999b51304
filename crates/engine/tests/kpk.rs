//! King and pawn against king, judged without tablebases: every position against retrograde analysis.

mod endings;

use endings::{Ending, Outcome};
use mnemon_chess::Position;
use mnemon_engine::evaluate;

#[test]
fn every_position_has_the_sign_of_its_result() {
    let (mut drawn, mut won) = (0, 0);
    for (position, outcome) in Ending::of_a_pawn().positions() {
        let score = evaluate(position.board());
        match outcome {
            Outcome::Drawn => assert_eq!(score, 0, "{position}"),
            Outcome::Won(_) => assert!(score >= 400, "{position}: {score}"),
            Outcome::Lost(_) => assert!(score <= -400, "{position}: {score}"),
        }
        *if outcome == Outcome::Drawn { &mut drawn } else { &mut won } += 1;
    }
    assert!(drawn > 50_000 && won > 50_000, "{drawn} drawn, {won} won");
}

#[test]
fn a_pawn_that_wins_goes_forward() {
    let score = |fen: &str| evaluate(fen.parse::<Position>().expect("a position").board());
    let fens = ["8/8/8/8/2K5/4P3/8/7k w - - 0 1", "8/8/8/2K5/4P3/8/8/7k w - - 0 1", "8/8/2K5/4P3/8/8/8/7k w - - 0 1"];
    assert!(fens.map(score).is_sorted(), "{:?}", fens.map(score));
    assert_eq!(score("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1"), 0);
    assert!(score("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1") < -400, "White has the opposition");
}
