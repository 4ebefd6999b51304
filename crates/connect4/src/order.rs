//! Which move to try first.
//!
//! A move's weight adds up the threats it leaves its side with, weighted by how soon they can be played, the distance
//! from the centre, and what the history of refutations says. Centre and history break ties between equal threats:
//! their ranges are kept below the weight of one threat.

use crate::geometry::Geometry;
use crate::node::Node;
use crate::technique::Technique;

const THREAT: i32 = 64;
/// More for a threat one square above a playable one: the other side must not play below it.
const THREAT_ABOVE_PLAYABLE: i32 = 48;
/// More for a threat two squares above a playable one.
const THREAT_TWO_ABOVE: i32 = 16;
const CENTRE: i32 = 10;
/// Counters of the history move towards `±LIMIT` by a share of the distance.
const LIMIT: i16 = 1024;
const SQUARE_SHARE: u32 = 6;
const REPLY_SHARE: u32 = 4;
/// A full counter weighs `LIMIT >> HISTORY_SHIFT`.
const HISTORY_SHIFT: u32 = 6;

type Counters = [i16; 64];

/// How often a stone on a square refuted a position: for each side and square, and for each side, the square the
/// other side had just played, and the square of the reply.
#[derive(Clone, Debug)]
pub(crate) struct History {
    squares: [Counters; 2],
    replies: Box<[[Counters; 64]; 2]>,
}

impl History {
    /// No refutation seen yet.
    pub(crate) fn new() -> Self {
        Self { squares: [[0; 64]; 2], replies: Box::new([[[0; 64]; 64]; 2]) }
    }

    /// The weight of `square` as a move of `node`.
    #[inline(always)]
    fn weight<const WIDTH: usize, const HEIGHT: usize>(&self, node: &Node<WIDTH, HEIGHT>, square: u64) -> i32 {
        let (side, index) = (node.stones as usize & 1, index(square));
        let reply = self.replies[side][node.last as usize & 63][index];
        i32::from(self.squares[side][index] >> HISTORY_SHIFT) + i32::from(reply >> HISTORY_SHIFT)
    }

    /// Notes that `square` refuted `node`, after the squares `tried` did not.
    #[inline(always)]
    pub(crate) fn reward<const WIDTH: usize, const HEIGHT: usize>(
        &mut self,
        node: &Node<WIDTH, HEIGHT>,
        square: u64,
        mut tried: u64,
    ) {
        let side = node.stones as usize & 1;
        let squares = &mut self.squares[side];
        let replies = &mut self.replies[side][node.last as usize & 63];
        while tried != 0 {
            let index = index(tried);
            squares[index] -= (LIMIT + squares[index]) >> SQUARE_SHARE;
            replies[index] -= (LIMIT + replies[index]) >> REPLY_SHARE;
            tried &= tried - 1;
        }
        let index = index(square);
        squares[index] += (LIMIT - squares[index]) >> SQUARE_SHARE;
        replies[index] += (LIMIT - replies[index]) >> REPLY_SHARE;
    }
}

#[inline(always)]
fn index(squares: u64) -> usize {
    squares.trailing_zeros() as usize & 63
}

/// The weight of `square` as a move of `node`, which leads to `after`; higher is tried first.
#[inline(always)]
pub(crate) fn weight<const WIDTH: usize, const HEIGHT: usize, const OFF: u32>(
    node: &Node<WIDTH, HEIGHT>,
    square: u64,
    after: &Node<WIDTH, HEIGHT>,
    history: &History,
) -> i32 {
    let column = Geometry::<WIDTH, HEIGHT>::column_of(square) as i32;
    let mut weight = -CENTRE * (2 * column + 1 - WIDTH as i32).abs();
    let threats = after.opponent_wins;
    if Technique::ThreatOrder.is_on(OFF) && threats != 0 {
        weight += threat_weight(threats, Geometry::<WIDTH, HEIGHT>::playable(after.mask));
    }
    if Technique::History.is_on(OFF) {
        weight += history.weight(node, square);
    }
    weight
}

#[inline(always)]
fn threat_weight(threats: u64, playable: u64) -> i32 {
    // Most of these sets are empty, and counting bits is slow where the processor may not be asked for it.
    let count = |squares: u64| if squares == 0 { 0 } else { squares.count_ones() as i32 };
    THREAT * count(threats)
        + THREAT_ABOVE_PLAYABLE * count(threats & (playable << 1))
        + THREAT_TWO_ABOVE * count(threats & (playable << 2))
}
