//! Attack bitboards for the prober.

use cozy_chess::{
    BitBoard, Color, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};
use pyrrhic_rs::EngineAdapter;

/// The attacks of cozy-chess's move generator.
#[derive(Clone)]
pub(super) struct Attacks;

fn square(number: u64) -> Square {
    Square::index((number & 63) as usize)
}

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: pyrrhic_rs::Color, from: u64) -> u64 {
        let color = match color {
            pyrrhic_rs::Color::White => Color::White,
            pyrrhic_rs::Color::Black => Color::Black,
        };
        get_pawn_attacks(square(from), color).0
    }

    fn knight_attacks(from: u64) -> u64 {
        get_knight_moves(square(from)).0
    }

    fn bishop_attacks(from: u64, occupied: u64) -> u64 {
        get_bishop_moves(square(from), BitBoard(occupied)).0
    }

    fn rook_attacks(from: u64, occupied: u64) -> u64 {
        get_rook_moves(square(from), BitBoard(occupied)).0
    }

    fn queen_attacks(from: u64, occupied: u64) -> u64 {
        Self::bishop_attacks(from, occupied) | Self::rook_attacks(from, occupied)
    }

    fn king_attacks(from: u64) -> u64 {
        get_king_moves(square(from)).0
    }
}
