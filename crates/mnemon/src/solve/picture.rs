//! A position as a picture: the board, each column's score, and the result.

use std::fmt::Write as _;

use mnemon_connect4::Precision;
use mnemon_connect4::drawing::{STONES, cells, draw, signed};

use super::SIGNS;
use super::outcome::{Details, SolveOutcome, verdict};
use mnemon_connect4::sequence::MoveSequence;

/// Columns counted from 0 as the digits of a line of moves.
pub(crate) fn digits(columns: &[usize]) -> String {
    columns.iter().map(|column| (column + 1).to_string()).collect()
}

/// The picture of a position and its result.
pub(crate) fn picture(position: &MoveSequence, outcome: &SolveOutcome, precision: Precision) -> String {
    let mut text = draw(&position.board);
    if let Some(details) = &outcome.details {
        text += &cells(details.columns.iter().map(|score| score.map_or_else(String::new, signed)));
    }
    let mover = STONES[position.moves.len() % 2];
    let (words, score) = (verdict(position, outcome.score, precision), signed(outcome.score));
    let _ = writeln!(text, "\n{mover} to move: {words} (score {score})");
    if let Some(details) = &outcome.details {
        text += &advice(details);
    }
    let _ = writeln!(text, "{} nodes in {:.1?}; {SIGNS}", outcome.nodes, outcome.time);
    text
}

fn advice(details: &Details) -> String {
    let mut text = String::new();
    let best: Vec<_> = details.best().iter().map(usize::to_string).collect();
    if !best.is_empty() {
        let _ = writeln!(text, "best: column {}", best.join(", "));
    }
    if !details.line.is_empty() {
        let _ = writeln!(text, "line: {}", digits(&details.line));
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_picture_shows_stones_scores_and_words() {
        let position = MoveSequence::from_moves("112").unwrap();
        let columns = vec![None, Some(-2), Some(0), Some(3), Some(3), Some(-1), Some(1)];
        let details = Some(Details { columns, line: vec![3, 0] });
        let outcome = SolveOutcome { score: 3, nodes: 7, time: Duration::from_micros(12), details };
        let expected = "   .   .   .   .   .   .   .
   .   .   .   .   .   .   .
   .   .   .   .   .   .   .
   .   .   .   .   .   .   .
   o   .   .   .   .   .   .
   x   x   .   .   .   .   .
   1   2   3   4   5   6   7
      -2   0  +3  +3  -1  +1

o to move: wins in 18 moves (score +3)
best: column 4, 5
line: 41
7 nodes in 12.0µs; scores are for the side to move: + it wins, 0 draw, - it loses; the sooner, the larger
";
        let picture = picture(&position, &outcome, Precision::Strong);
        assert_eq!(picture.lines().map(str::trim_end).collect::<Vec<_>>(), expected.lines().collect::<Vec<_>>());
    }
}
