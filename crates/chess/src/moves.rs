//! A move as a 15-bit code for tables and memories.
//!
//! ```text
//! code - 1:   | 15 |  14 .. 12  |  11 .. 6  |   5 .. 0   |
//!             |  0 | promotion  |    to     |    from    |
//! ```
//!
//! Squares count from a1 = 0 by files to h8 = 63; the promotion is 0 for none, then knight, bishop, rook, queen. Castling
//! is the king's move onto its own rook, in standard chess too, so that the code does not depend on the UCI notation. One
//! is added because 0 means "no move" in the table; the code still fits in 15 bits.

use std::num::NonZeroU16;

use cozy_chess::{Move, Piece, Square};

/// The code of a move, from 1 to 20,480: different for every move.
///
/// ```
/// use mnemon_chess::{Position, from_code, to_code};
///
/// let mv = Position::start().parse_uci("e2e4")?;
/// assert_eq!(from_code(to_code(mv)), Some(mv));
/// # Ok::<(), mnemon_chess::ChessError>(())
/// ```
#[must_use]
pub fn to_code(mv: Move) -> NonZeroU16 {
    // `Piece` numbers a pawn 0, a knight 1, ... A promotion to a king would be 5 and becomes 0; no legal move has it.
    let promotion = mv.promotion.map_or(0, |piece| piece as u16 % 5);
    NonZeroU16::MIN.saturating_add(mv.from as u16 | (mv.to as u16) << 6 | promotion << 12)
}

/// The move with this code, or `None` if no move has it. [`Position::is_legal`](crate::Position::is_legal) tells whether it
/// can be played.
#[must_use]
pub fn from_code(code: NonZeroU16) -> Option<Move> {
    let bits = code.get() - 1;
    let promotion = match bits >> 12 {
        0 => None,
        1 => Some(Piece::Knight),
        2 => Some(Piece::Bishop),
        3 => Some(Piece::Rook),
        4 => Some(Piece::Queen),
        _ => return None,
    };
    let square = |shift: u16| Square::index(usize::from(bits >> shift & 63));
    Some(Move { from: square(0), to: square(6), promotion })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_moves_are_one_to_one() {
        let mut known = 0;
        for code in (1..=u16::MAX).filter_map(NonZeroU16::new) {
            if let Some(mv) = from_code(code) {
                assert_eq!(to_code(mv), code, "{mv}");
                known += 1;
            }
        }
        assert_eq!(known, 64 * 64 * 5);
    }
}
