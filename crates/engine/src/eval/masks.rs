//! Files, spans and pawn attacks as bitboards.
//!
//! Ranks and files are computed from the square's number. [`Square::rank`] and [`Square::file`] give the same by a match
//! of eight cases, which may be compiled to an indirect jump that is hard to predict.

use cozy_chess::{BitBoard, Color, File, Square};

/// The squares of a bitboard, for the same reason looked up in a table.
#[inline(always)]
pub(super) fn squares(mut board: BitBoard) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let number = board.0.trailing_zeros() as usize;
        board.0 &= board.0.wrapping_sub(1);
        Square::ALL.get(number).copied()
    })
}

/// The number of the square's file.
#[inline(always)]
pub(super) fn file_number(square: Square) -> usize {
    square as usize % 8
}

/// The number of the square's rank, as the side sees it.
#[inline(always)]
pub(super) fn rank_number(side: Color, square: Square) -> usize {
    let rank = square as usize / 8;
    match side {
        Color::White => rank,
        Color::Black => 7 - rank,
    }
}

/// The square's file.
#[inline(always)]
pub(super) fn file(square: Square) -> BitBoard {
    BitBoard(File::A.bitboard().0 << file_number(square))
}

/// The files next to the square's.
#[inline(always)]
pub(super) fn adjacent_files(square: Square) -> BitBoard {
    beside(file(square))
}

/// All squares beside any of these on the same rank.
#[inline(always)]
pub(super) fn beside(squares: BitBoard) -> BitBoard {
    BitBoard((squares.0 & !File::A.bitboard().0) >> 1 | (squares.0 & !File::H.bitboard().0) << 1)
}

/// All squares of ranks ahead of the square's, as the side sees it.
#[inline(always)]
fn ranks_ahead(side: Color, square: Square) -> BitBoard {
    let rank = square as u32 / 8;
    match side {
        Color::White => BitBoard(!0xff << (8 * rank)),
        Color::Black => BitBoard((1 << (8 * rank)) - 1),
    }
}

/// The squares straight ahead.
#[inline(always)]
pub(super) fn forward_file(side: Color, square: Square) -> BitBoard {
    ranks_ahead(side, square) & file(square)
}

/// The squares ahead on the adjacent files, where enemy pawns could stop or capture a passing pawn.
#[inline(always)]
pub(super) fn front_span(side: Color, square: Square) -> BitBoard {
    ranks_ahead(side, square) & adjacent_files(square)
}

/// All squares one step ahead.
#[inline(always)]
pub(crate) fn one_ahead(side: Color, squares: BitBoard) -> BitBoard {
    BitBoard(match side {
        Color::White => squares.0 << 8,
        Color::Black => squares.0 >> 8,
    })
}

/// All squares straight ahead of any of these.
#[inline(always)]
pub(super) fn all_ahead(side: Color, squares: BitBoard) -> BitBoard {
    let mut ahead = one_ahead(side, squares).0;
    for step in [8, 16, 32] {
        ahead |= if side == Color::White { ahead << step } else { ahead >> step };
    }
    BitBoard(ahead)
}

/// King moves between two squares (Chebyshev distance).
#[inline(always)]
pub(super) fn distance(a: Square, b: Square) -> usize {
    DISTANCES[a as usize][b as usize].into()
}

/// King moves to the square in front of a pawn, which is never on its last rank.
#[inline(always)]
pub(super) fn distance_ahead(side: Color, king: Square, pawn: Square) -> usize {
    let ahead = match side {
        Color::White => pawn as usize + 8,
        Color::Black => pawn as usize + 56,
    };
    DISTANCES[king as usize][ahead % 64].into()
}

/// King moves between any two squares.
static DISTANCES: [[u8; 64]; 64] = {
    let mut distances = [[0; 64]; 64];
    let mut pair = 0;
    while pair < 64 * 64 {
        let (a, b) = (pair / 64, pair % 64);
        let (files, ranks) = ((a % 8_usize).abs_diff(b % 8), (a / 8_usize).abs_diff(b / 8));
        distances[a][b] = if files > ranks { files } else { ranks } as u8;
        pair += 1;
    }
    distances
};

/// The four files around the king's.
#[inline(always)]
pub(super) fn wing(king: Square) -> BitBoard {
    const LEFT: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    // No branches: the king's file is hard to predict.
    let file = file_number(king);
    BitBoard(LEFT << (2 * u32::from(file > 2) + 2 * u32::from(file > 4)))
}

/// The squares that these pawns attack.
#[inline(always)]
pub(crate) fn pawn_attacks(side: Color, pawns: BitBoard) -> BitBoard {
    let west = pawns.0 & !File::A.bitboard().0;
    let east = pawns.0 & !File::H.bitboard().0;
    BitBoard(match side {
        Color::White => west << 7 | east << 9,
        Color::Black => west >> 9 | east >> 7,
    })
}

#[cfg(test)]
mod tests {
    use cozy_chess::get_king_moves;

    use super::*;

    #[test]
    fn spans_lie_ahead() {
        assert_eq!(forward_file(Color::White, Square::E4).len(), 4);
        assert_eq!(forward_file(Color::Black, Square::E4).len(), 3);
        assert_eq!(front_span(Color::White, Square::A2).len(), 6);
        assert_eq!(front_span(Color::Black, Square::H1), BitBoard::EMPTY);
    }

    #[test]
    fn distances_are_those_of_a_king() {
        for from in Square::ALL {
            let mut reached = from.bitboard();
            for steps in 0..8 {
                assert!(reached.into_iter().all(|to| distance(from, to) <= steps), "{from}, {steps}");
                assert!((!reached).into_iter().all(|to| distance(from, to) > steps), "{from}, {steps}");
                reached |= reached.into_iter().fold(reached, |all, square| all | get_king_moves(square));
            }
        }
    }

    #[test]
    fn wings_are_four_files_around_the_king() {
        let wings = [[0, 1, 2, 3], [2, 3, 4, 5], [4, 5, 6, 7]];
        for (file, wing_of_file) in [0, 0, 0, 1, 1, 2, 2, 2].into_iter().enumerate() {
            let files = wings[wing_of_file].map(|file| File::index(file).bitboard());
            let all = files.into_iter().fold(BitBoard::EMPTY, |all, file| all | file);
            assert_eq!(wing(Square::new(File::index(file), cozy_chess::Rank::Second)), all);
        }
    }

    #[test]
    fn all_ahead_is_what_lies_ahead_of_each() {
        let squares = [Square::A2, Square::E4, Square::H7, Square::D8, Square::B1];
        let all = squares.iter().fold(BitBoard::EMPTY, |all, square| all | square.bitboard());
        for side in Color::ALL {
            let each = squares.iter().fold(BitBoard::EMPTY, |each, &square| each | forward_file(side, square));
            assert_eq!(all_ahead(side, all), each);
        }
    }

    #[test]
    fn pawns_attack_forward_and_stay_on_the_board() {
        assert_eq!(pawn_attacks(Color::White, Square::A2.bitboard()), Square::B3.bitboard());
        assert_eq!(pawn_attacks(Color::Black, Square::H7.bitboard()), Square::G6.bitboard());
        let both = Square::C4.bitboard() | Square::E4.bitboard();
        assert_eq!(pawn_attacks(Color::White, Square::D3.bitboard()), both);
    }
}
