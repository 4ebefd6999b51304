//! Every static bound alone against plain alpha-beta.

use super::*;
use crate::board::Board;
use crate::node::Resolved;
use crate::oracle::{self, Random};

/// Runs `check` on random positions in which the side to move cannot win at once, with their true scores. Returns how
/// often it reported that a bound applied.
fn count<const WIDTH: usize, const HEIGHT: usize>(
    positions: usize,
    stones: u32,
    check: impl Fn(&Node<WIDTH, HEIGHT>, i32) -> bool,
) -> usize {
    let mut random = Random(0x5EED + u64::from(stones));
    let mut applied = 0;
    for _ in 0..positions {
        let stones = stones + random.below(6) as u32;
        let board: Board<WIDTH, HEIGHT> = random.board(stones);
        if !board.can_win_now() {
            applied += usize::from(check(&Node::new(&board), oracle::score(&board)));
        }
    }
    applied
}

/// Runs a check on several board sizes; the bound must have applied somewhere on each of them.
macro_rules! on_all_boards {
    ($check:expr) => {
        assert!(count::<4, 4>(600, 5, $check) > 0);
        assert!(count::<5, 4>(600, 9, $check) > 0);
        assert!(count::<4, 5>(600, 9, $check) > 0);
        assert!(count::<5, 5>(400, 13, $check) > 0);
        assert!(count::<7, 6>(2000, 30, $check) > 0);
        assert!(count::<8, 7>(1000, 45, $check) > 0);
    };
}

#[test]
fn follow_up_is_an_upper_bound() {
    on_all_boards!(|node, score| {
        let bound = follow_up(node);
        assert!(score <= bound, "{node:?}: score {score}, bound {bound}");
        bound != NONE
    });
}

#[test]
fn zugzwang_is_an_upper_bound() {
    on_all_boards!(|node, score| {
        let bound = zugzwang(node);
        assert!(score <= bound, "{node:?}: score {score}, bound {bound}");
        bound != NONE
    });
}

#[test]
fn who_cannot_make_four_does_not_win() {
    fn check<const WIDTH: usize, const HEIGHT: usize>(node: &Node<WIDTH, HEIGHT>, score: i32) -> bool {
        let own = cannot_make_four::<WIDTH, HEIGHT>(node.own, node.mask);
        let other = cannot_make_four::<WIDTH, HEIGHT>(node.own ^ node.mask, node.mask);
        assert!(!own || score <= 0, "{node:?}: score {score}");
        assert!(!other || score >= 0, "{node:?}: score {score}");
        own || other
    }
    assert!(count::<4, 4>(600, 9, check) > 0);
    assert!(count::<5, 5>(400, 13, check) > 0);
    assert!(count::<7, 6>(2000, 36, check) > 0);
}

#[test]
fn no_side_wins_sooner_than_the_stones_allow() {
    fn check<const WIDTH: usize, const HEIGHT: usize>(node: &Node<WIDTH, HEIGHT>, score: i32) -> bool {
        let squares = Geometry::<WIDTH, HEIGHT>::SQUARES;
        assert!(score <= soonest_win(squares, node.stones).max(0), "{node:?}: score {score}");
        let survives = node.safe_moves() != 0;
        assert!(!survives || score >= soonest_loss(squares, node.stones), "{node:?}: score {score}");
        survives
    }
    on_all_boards!(check);
}

#[test]
fn forced_moves_lead_to_the_same_score() {
    on_all_boards!(|node, score| {
        match node.resolve::<true>() {
            Resolved::Known(known) => {
                assert_eq!(known, score, "{node:?}");
                true
            }
            Resolved::Open { moves, .. } => {
                assert!(moves.count_ones() >= 2);
                false
            }
        }
    });
}

#[test]
fn the_window_of_all_bounds_holds_the_score() {
    on_all_boards!(|node, score| {
        if node.safe_moves() == 0 || node.stones + 2 >= count_squares(node) {
            return false;
        }
        for alpha in -5..5 {
            let (lower, upper) = window::<_, _, 0>(node, alpha);
            assert!(lower <= score && score <= upper, "{node:?}: score {score} outside {lower}..={upper}");
        }
        true
    });
}

fn count_squares<const WIDTH: usize, const HEIGHT: usize>(_: &Node<WIDTH, HEIGHT>) -> u32 {
    Geometry::<WIDTH, HEIGHT>::SQUARES
}
