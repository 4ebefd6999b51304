//! Scores of UCI as windows of the memory, and back.

use mnemon_search::WINS;
use mnemon_table::{Score as MemoryScore, Window};

use crate::{Bound, Score, ScoreValue};

/// The highest score that is no mate score. Engines write scores beyond it for tablebase wins; each has its own scale.
const HIGHEST: MemoryScore = 14_999;

/// The longest mate in plies that a score can hold.
const LONGEST_MATE: i32 = 1_000;

/// What a score claims of the value of its position, for the side to move; `None` if it claims nothing that can be kept.
///
/// A number of centipawns is kept as it is; beyond ±14,999, where the mate scores begin, one bound of it is. A mate is a
/// claim of one bound: "at most so long".
///
/// ```
/// use mnemon_table::Window;
/// use mnemon_uci::observer::window;
/// use mnemon_uci::{Bound, Score, ScoreValue};
///
/// let exact = |value| window(Score { value, bound: Bound::Exact });
/// assert_eq!(exact(ScoreValue::Centipawns(-31)), Some(Window::exact(-31)));
/// assert_eq!(exact(ScoreValue::Centipawns(19_990)), Some(Window::at_least(14_999)));
/// assert_eq!(exact(ScoreValue::Mate(2)), Some(Window::at_least(16_000 - 3)));
/// assert_eq!(exact(ScoreValue::Mate(-2)), Some(Window::at_most(4 - 16_000)));
/// ```
pub fn window(score: Score) -> Option<Window> {
    let claimed = match score.value {
        ScoreValue::Centipawns(number) => of_centipawns(number),
        ScoreValue::Mate(moves) if moves > 0 => {
            let plies = moves.saturating_mul(2).saturating_sub(1).min(LONGEST_MATE);
            Window::at_least(-WINS.lost_at(plies as u16))
        }
        ScoreValue::Mate(moves) => {
            let plies = moves.saturating_neg().saturating_mul(2).min(LONGEST_MATE);
            Window::at_most(WINS.lost_at(plies as u16))
        }
    };
    let known = match score.bound {
        Bound::Exact => claimed,
        Bound::Lower => Window { upper: Window::NO_UPPER, ..claimed },
        Bound::Upper => Window { lower: Window::NO_LOWER, ..claimed },
    };
    (!known.is_unknown()).then_some(known)
}

/// Beyond the highest score the bound that is still true.
fn of_centipawns(number: i32) -> Window {
    match MemoryScore::try_from(number) {
        Ok(score) => Window::exact(score).within(HIGHEST),
        Err(_) if number > 0 => Window::at_least(HIGHEST),
        Err(_) => Window::at_most(-HIGHEST),
    }
}

/// A window as an engine would write it; `None` if nothing is known. A mate is written without a bound, since it claims no
/// more than "at most so long"; of two different bounds the lower is written.
///
/// ```
/// use mnemon_table::Window;
/// use mnemon_uci::observer::{score, window};
///
/// for known in [Window::exact(35), Window::at_most(-4), Window::at_least(16_000 - 5), Window::at_most(6 - 16_000)] {
///     assert_eq!(window(score(known).expect("a score")), Some(known));
/// }
/// assert_eq!(score(Window::at_least(15_995)).expect("a mate").to_string(), "mate 3");
/// ```
pub fn score(window: Window) -> Option<Score> {
    let (number, bound) = window.bound(MemoryScore::MIN)?;
    let bound = match bound {
        mnemon_table::Bound::Exact => Bound::Exact,
        mnemon_table::Bound::AtLeast => Bound::Lower,
        mnemon_table::Bound::AtMost => Bound::Upper,
    };
    let Some(plies) = WINS.plies(number).map(i32::from) else {
        return Some(Score { value: ScoreValue::Centipawns(number.into()), bound });
    };
    // A win takes an odd number of plies, and its last move is the winner's.
    let moves = if number > 0 { (plies + 1) / 2 } else { plies / 2 };
    let is_claim = matches!((bound, number > 0), (Bound::Lower, true) | (Bound::Upper, false) | (Bound::Exact, _));
    Some(Score { value: ScoreValue::Mate(moves), bound: if is_claim { Bound::Exact } else { bound } })
}

/// Whether an engine would write the window without a bound: an exact value, or a mate.
pub(crate) fn is_verdict(window: Window) -> bool {
    score(window).is_some_and(|score| score.bound == Bound::Exact)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: ScoreValue, bound: Bound) -> Option<Window> {
        window(Score { value, bound })
    }

    #[test]
    fn what_cannot_be_kept_is_weakened_and_never_falsified() {
        use ScoreValue::{Centipawns, Mate};
        assert_eq!(of(Centipawns(20_000), Bound::Lower), Some(Window::at_least(14_999)));
        assert_eq!(of(Centipawns(20_000), Bound::Upper), None, "at most 20,000 says nothing");
        assert_eq!(of(Centipawns(-20_000), Bound::Exact), Some(Window::at_most(-14_999)));
        assert_eq!(of(Centipawns(i32::MIN), Bound::Lower), None);
        assert_eq!(of(Centipawns(30), Bound::Lower), Some(Window::at_least(30)));
        assert_eq!(of(Mate(3), Bound::Upper), None);
        assert_eq!(of(Mate(i32::MAX), Bound::Exact), Some(Window::at_least(15_000)));
        assert_eq!(of(Mate(i32::MIN), Bound::Exact), Some(Window::at_most(-15_000)));
        assert_eq!(of(Mate(0), Bound::Exact), Some(Window::at_most(-16_000)), "mated now");
    }

    #[test]
    fn mates_are_counted_in_moves() {
        for moves in [1, 2, 17, 400, -1, -2, -300] {
            let kept = of(ScoreValue::Mate(moves), Bound::Exact).expect("kept");
            assert_eq!(score(kept).map(|score| score.to_string()), Some(format!("mate {moves}")));
            assert!(is_verdict(kept));
        }
        assert!(!is_verdict(Window::at_least(30)) && !is_verdict(Window::UNKNOWN));
    }
}
