//! Static bounds on the score of a position, from parity and material arguments.
//!
//! Every function takes a position in which the side to move cannot win at once. All scores are seen by the side to
//! move.

use crate::geometry::Geometry;
use crate::node::Node;
use crate::technique::Technique;

/// No bound: above every score.
pub(crate) const NONE: i32 = i32::MAX;

/// The score is at most this: the side to move cannot win with this stone, so at best with its next.
#[inline(always)]
pub(crate) const fn soonest_win(squares: u32, stones: u32) -> i32 {
    (squares as i32 - 1 - stones as i32) / 2
}

/// The score is at least this: the other side cannot win with its next stone, so at best with the one after.
/// Holds where some move does not lose at once.
#[inline(always)]
pub(crate) const fn soonest_loss(squares: u32, stones: u32) -> i32 {
    -((squares as i32 - 2 - stones as i32) / 2)
}

/// Whether the owner of `stones` cannot make four even with every empty square: then the other side does not lose.
#[inline(always)]
pub(crate) const fn cannot_make_four<const WIDTH: usize, const HEIGHT: usize>(stones: u64, mask: u64) -> bool {
    !Geometry::<WIDTH, HEIGHT>::has_four(stones | (Geometry::<WIDTH, HEIGHT>::BOARD ^ mask))
}

/// The follow-up argument (Allis' claim-even): an upper bound when an even number of squares is left.
///
/// Each column is cut into pairs from its top down. The other side answers every stone with the upper square of the
/// same pair; a lowest square without a partner occurs in an even number of columns (the number of empty squares is
/// even), and the other side answers there. So the side to move gets at most the lower squares of the pairs and the squares playable now.
///
/// Returns 0 when the side to move cannot make four with these, -1 when in addition the other side's squares hold four,
/// and [`NONE`] when the argument does not apply.
#[inline(always)]
pub(crate) fn follow_up<const WIDTH: usize, const HEIGHT: usize>(node: &Node<WIDTH, HEIGHT>) -> i32 {
    if !(Geometry::<WIDTH, HEIGHT>::SQUARES - node.stones).is_multiple_of(2) {
        return NONE;
    }
    let empty = Geometry::<WIDTH, HEIGHT>::BOARD ^ node.mask;
    let reach = reach(node, empty);
    if Geometry::<WIDTH, HEIGHT>::has_four(node.own | reach) {
        return NONE;
    }
    let others = (node.own ^ node.mask) | (empty ^ reach);
    if Geometry::<WIDTH, HEIGHT>::has_four(others) { -1 } else { 0 }
}

/// The follow-up argument carried by a threat of the other side, whatever number of squares is left.
///
/// Let `threat` be a square that completes four for the other side. If the side to move plays below it, the other side
/// wins there; so the column's squares from the one below the threat upwards are left out. If the number of the remaining
/// empty squares is even, follow-up fills them, and the side to move must then play below the threat (zugzwang). The win
/// comes at the latest when only the squares above the threat are empty.
///
/// Returns the lowest bound that a threat proves, always negative, and [`NONE`] when no threat proves one.
#[inline(always)]
pub(crate) fn zugzwang<const WIDTH: usize, const HEIGHT: usize>(node: &Node<WIDTH, HEIGHT>) -> i32 {
    let lower = Geometry::<WIDTH, HEIGHT>::LOWER_OF_PAIR;
    let empty = Geometry::<WIDTH, HEIGHT>::BOARD ^ node.mask;
    let playable = Geometry::<WIDTH, HEIGHT>::playable(node.mask);
    let left = Geometry::<WIDTH, HEIGHT>::SQUARES - node.stones;
    // A threat that is playable now is blocked, and proves nothing.
    let mut threats = node.opponent_wins & !playable;
    let mut bound = NONE;
    while threats != 0 {
        let threat = threats & threats.wrapping_neg();
        threats ^= threat;
        let above = (HEIGHT - 1 - Geometry::<WIDTH, HEIGHT>::row_of(threat)) as u32;
        let proven = -((above as i32 + 2) / 2);
        // The threat and the square below it are left out too: two squares, which do not change the parity.
        if !(left - above).is_multiple_of(2) || proven >= bound {
            continue;
        }
        let column = Geometry::<WIDTH, HEIGHT>::column(Geometry::<WIDTH, HEIGHT>::column_of(threat));
        let below = (threat - 1) & column & empty;
        // In the threat's column the pairs end below the square under the threat, which the side to move gets too.
        let alternate = if lower & threat == 0 { lower } else { !lower };
        let stones = node.own | (reach(node, empty) & !column) | (below & (alternate | playable));
        if !Geometry::<WIDTH, HEIGHT>::has_four(stones) {
            bound = proven;
        }
    }
    bound
}

/// The empty squares that the side to move can get against follow-up.
#[inline(always)]
const fn reach<const WIDTH: usize, const HEIGHT: usize>(node: &Node<WIDTH, HEIGHT>, empty: u64) -> u64 {
    (Geometry::<WIDTH, HEIGHT>::LOWER_OF_PAIR & empty) | Geometry::<WIDTH, HEIGHT>::playable(node.mask)
}

/// The bounds `(lower, upper)` that these arguments prove: `lower <= score <= upper`. An argument is evaluated only where
/// it could decide whether the score exceeds `alpha`.
#[inline(always)]
pub(crate) fn window<const WIDTH: usize, const HEIGHT: usize, const OFF: u32>(
    node: &Node<WIDTH, HEIGHT>,
    alpha: i32,
) -> (i32, i32) {
    let squares = Geometry::<WIDTH, HEIGHT>::SQUARES;
    let mut upper = soonest_win(squares, node.stones);
    let mut lower = soonest_loss(squares, node.stones);
    if upper <= alpha || lower > alpha {
        return (lower, upper);
    }
    let even = (squares - node.stones).is_multiple_of(2);
    if Technique::Material.is_on(OFF) {
        // With an even number of squares left, follow-up proves at least as much.
        let covered = even && Technique::FollowUp.is_on(OFF);
        if alpha >= 0 && !covered && cannot_make_four::<WIDTH, HEIGHT>(node.own, node.mask) {
            upper = upper.min(0);
        }
        if alpha < 0 && cannot_make_four::<WIDTH, HEIGHT>(node.own ^ node.mask, node.mask) {
            lower = lower.max(0);
        }
    }
    if Technique::FollowUp.is_on(OFF) && alpha >= -1 {
        upper = upper.min(follow_up(node));
    }
    if Technique::Zugzwang.is_on(OFF) && alpha >= -(HEIGHT as i32 + 1) / 2 {
        upper = upper.min(zugzwang(node));
    }
    (lower, upper)
}

#[cfg(test)]
mod tests;
