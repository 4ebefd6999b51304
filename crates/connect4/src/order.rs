//! Move ordering.
//!
//! The weight of a move is the sum of the threats that its side then has, weighted by how soon they become playable, the
//! distance from the centre, and the history. The centre and the history break ties between equal threats: their ranges
//! are below the weight of one threat.

use crate::geometry::Geometry;
use crate::node::Node;
use crate::technique::Technique;

/// For each square that completes four.
const THREAT: i32 = 64;
/// Added for a threat one square above a playable one: the other side must not play below it.
const THREAT_ABOVE_PLAYABLE: i32 = 48;
/// Added for a threat two squares above a playable one.
const THREAT_TWO_ABOVE: i32 = 16;
/// Subtracted for each half column of distance from the centre.
const CENTRE: i32 = 10;
/// History counters move towards `±LIMIT` by `distance >> SHIFT` (gravity).
const LIMIT: i16 = 1024;
const SQUARE_SHIFT: u32 = 6;
const REPLY_SHIFT: u32 = 4;
/// A full counter weighs `LIMIT >> HISTORY_SHIFT`.
const HISTORY_SHIFT: u32 = 6;

type Counters = [i16; 64];

/// History and reply history: how often a move failed high, for each side and square, and for each side, square of the
/// preceding move, and square.
#[derive(Clone, Debug)]
pub(crate) struct History {
    squares: [Counters; 2],
    replies: Box<[[Counters; 64]; 2]>,
}

impl History {
    /// All counters 0.
    pub(crate) fn new() -> Self {
        Self { squares: [[0; 64]; 2], replies: Box::new([[[0; 64]; 64]; 2]) }
    }

    /// The history's part of the weight of `square` as a move of `node`.
    #[inline(always)]
    fn weight<const WIDTH: usize, const HEIGHT: usize>(&self, node: &Node<WIDTH, HEIGHT>, square: u64) -> i32 {
        let (side, index) = (node.stones as usize & 1, index(square));
        let reply = self.replies[side][node.last as usize & 63][index];
        i32::from(self.squares[side][index] >> HISTORY_SHIFT) + i32::from(reply >> HISTORY_SHIFT)
    }

    /// Bonus for `square`, which failed high in `node`, and malus for the squares `tried` before it.
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
            squares[index] -= (LIMIT + squares[index]) >> SQUARE_SHIFT;
            replies[index] -= (LIMIT + replies[index]) >> REPLY_SHIFT;
            tried &= tried - 1;
        }
        let index = index(square);
        squares[index] += (LIMIT - squares[index]) >> SQUARE_SHIFT;
        replies[index] += (LIMIT - replies[index]) >> REPLY_SHIFT;
    }
}

/// The index of the lowest square of the set, masked so that no bounds check is needed.
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
    // Most of these sets are empty, and `count_ones` is slow without the processor's own instruction.
    let count = |squares: u64| if squares == 0 { 0 } else { squares.count_ones() as i32 };
    THREAT * count(threats)
        + THREAT_ABOVE_PLAYABLE * count(threats & (playable << 1))
        + THREAT_TWO_ABOVE * count(threats & (playable << 2))
}
