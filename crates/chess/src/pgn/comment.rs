//! The score of an engine in the comment after a move.

use cozy_chess::Color;
use mnemon_search::{HIGHEST_POINTS, Notation};
use mnemon_table::Score;

use crate::Position;

/// The score that a comment gives the move of `mover`, for him: `+0.25/12 0.5s` of cutechess and fastchess, which is in his
/// view, or `[%eval -0.25]` of lichess, which is in White's. `None` if there is none.
pub(super) fn score(comment: &str, mover: Color) -> Option<Score> {
    if let Some((_, eval)) = comment.split_once("[%eval ") {
        let word = eval.split([']', ',']).next()?.trim();
        let sign = if mover == Color::White { 1 } else { -1 };
        return match word.strip_prefix('#') {
            None => pawns(word).map(|score| sign * score),
            Some(moves) => mate(sign, moves),
        };
    }
    let (word, depth) = comment.trim_start().split_once('/')?;
    // "12/3" in a text is no score, and neither is "better was +0.25/12".
    let is_depth = depth.starts_with(|letter: char| letter.is_ascii_digit());
    if !is_depth || word.contains(char::is_whitespace) {
        return None;
    }
    match word.split_once('M') {
        Some(("" | "+", moves)) => mate(1, moves),
        Some(("-", moves)) => mate(-1, moves),
        _ => Some(word).filter(|word| word.contains('.')).and_then(pawns),
    }
}

/// The score of a mate in this number of moves; a negative number is of being mated.
fn mate(sign: Score, moves: &str) -> Option<Score> {
    let moves = moves.parse::<Score>().ok()?.checked_mul(sign)?;
    Position::read_score(&format!("#{moves}")).ok()
}

fn pawns(word: &str) -> Option<Score> {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit() || b"+-.".contains(&byte));
    let pawns = word.parse::<f64>().ok().filter(|_| is_number)?;
    let highest = f64::from(HIGHEST_POINTS);
    Some((pawns * 100.0).round().clamp(-highest, highest) as Score)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_write_scores_in_comments() {
        let [mate_in_3, mated_in_3] = ["#3", "#-3"].map(|text| Position::read_score(text).expect("a score"));
        for (comment, expected) in [
            ("+0.25/12 0.5s", Some(25)),
            ("-1.5/9", Some(-150)),
            (" 0.00/1 0.001s", Some(0)),
            ("+M3/20 1s", Some(mate_in_3)),
            ("-M3/20 1s", Some(mated_in_3)),
            ("+400.00/3", Some(HIGHEST_POINTS)),
            ("[%eval 0.17] [%clk 0:00:30]", Some(-17)),
            ("[%clk 0:00:30][%eval #-3,20]", Some(mate_in_3)),
            ("[%eval #3]", Some(mated_in_3)),
            ("[%eval #--3]", None),
            ("book", None),
            ("12/3", None),
            ("better was +0.25/12", None),
            ("?/12 0.5s", None),
            ("+0.25/", None),
            ("inf.0/3", None),
            ("1.2.3/4", None),
            ("[%eval ]", None),
            ("M/1", None),
        ] {
            assert_eq!(score(comment, Color::Black), expected, "{comment}");
        }
        assert_eq!(score("[%eval 0.17]", Color::White), Some(17));
    }
}
