//! Bounds on a score that need no search.
//!
//! Each function looks at a position in which the side to move cannot win at once, and proves something about its
//! score. All scores are seen by the side to move.

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

/// True when the owner of `stones` cannot make four even with every empty square: then the other side does not lose.
#[inline(always)]
pub(crate) const fn cannot_make_four<const WIDTH: usize, const HEIGHT: usize>(stones: u64, mask: u64) -> bool {
    !Geometry::<WIDTH, HEIGHT>::has_four(stones | (Geometry::<WIDTH, HEIGHT>::BOARD ^ mask))
}

/// The follow-up argument (Allis' claim-even): an upper bound when an even number of squares is left.
///
/// Each column is cut into pairs from its top down. The other side answers every stone with the upper square of the
/// same pair; where a column's lowest square has no partner, another such column is there too (the sum is even), and
/// it answers there. So the side to move gets at most the lower squares of the pairs and the squares playable now.
///
/// Returns 0 when no four can come of these, -1 when moreover the other side's share holds four, and [`NONE`] when
/// the argument says nothing.
#[inline(always)]
pub(crate) fn follow_up<const WIDTH: usize, const HEIGHT: usize>(node: &Node<WIDTH, HEIGHT>) -> i32 {
    if !(Geometry::<WIDTH, HEIGHT>::SQUARES - node.stones).is_multiple_of(2) {
        return NONE;
    }
    let empty = Geometry::<WIDTH, HEIGHT>::BOARD ^ node.mask;
    let share = share(node, empty);
    if Geometry::<WIDTH, HEIGHT>::has_four(node.own | share) {
        return NONE;
    }
    let others = (node.own ^ node.mask) | (empty ^ share);
    if Geometry::<WIDTH, HEIGHT>::has_four(others) { -1 } else { 0 }
}

/// The follow-up argument carried by a threat of the other side, whatever number of squares is left.
///
/// Let `threat` be a square that completes four for the other side. When the side to move plays below it, the other
/// side wins there; so from the square below the threat upwards the column does not count. When an even number of the
/// squares that do count is left, follow-up leaves the side to move nothing but the square below the threat in the
/// end. The win comes at the latest when only the squares above the threat are empty.
///
/// Returns the lowest bound that some threat proves, always negative, and [`NONE`] when none proves any.
#[inline(always)]
pub(crate) fn zugzwang<const WIDTH: usize, const HEIGHT: usize>(node: &Node<WIDTH, HEIGHT>) -> i32 {
    let lower = Geometry::<WIDTH, HEIGHT>::LOWER_OF_PAIR;
    let empty = Geometry::<WIDTH, HEIGHT>::BOARD ^ node.mask;
    let playable = Geometry::<WIDTH, HEIGHT>::playable(node.mask);
    let left = Geometry::<WIDTH, HEIGHT>::SQUARES - node.stones;
    // A threat that is playable now can simply be blocked.
    let mut threats = node.opponent_wins & !playable;
    let mut bound = NONE;
    while threats != 0 {
        let threat = threats & threats.wrapping_neg();
        threats ^= threat;
        let above = (HEIGHT - 1 - Geometry::<WIDTH, HEIGHT>::row_of(threat)) as u32;
        let proven = -((above as i32 + 2) / 2);
        // The threat itself and the square below it are two more that do not count.
        if !(left - above).is_multiple_of(2) || proven >= bound {
            continue;
        }
        let column = Geometry::<WIDTH, HEIGHT>::column(Geometry::<WIDTH, HEIGHT>::column_of(threat));
        let below = (threat - 1) & column & empty;
        // In the threat's column the pairs end below the square below the threat, which the side to move gets too.
        let alternate = if lower & threat == 0 { lower } else { !lower };
        let reach = node.own | (share(node, empty) & !column) | (below & (alternate | playable));
        if !Geometry::<WIDTH, HEIGHT>::has_four(reach) {
            bound = proven;
        }
    }
    bound
}

/// All that the side to move can get against follow-up.
#[inline(always)]
const fn share<const WIDTH: usize, const HEIGHT: usize>(node: &Node<WIDTH, HEIGHT>, empty: u64) -> u64 {
    (Geometry::<WIDTH, HEIGHT>::LOWER_OF_PAIR & empty) | Geometry::<WIDTH, HEIGHT>::playable(node.mask)
}

/// The bounds `(lower, upper)` that these arguments prove, tried only where they could decide whether the score is
/// higher than `alpha`.
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
        // With an even number of squares left follow-up says the same and more.
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
