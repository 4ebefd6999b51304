//! The packed form: an exact position in 9 to 24 bytes, the same on every machine and in every version.
//!
//! ```text
//! bytes 0 to 7   which squares are occupied: one byte a rank, from the eighth to the first; bit 0 is the a-file
//! bytes 8 ..     one nibble for each piece, by squares from a1, b1 to h8, the high nibble first;
//!                after an odd number of pieces, a nibble of 0
//!
//!   0 white pawn      6 black pawn     12 pawn that can be captured en passant
//!   1 white knight    7 black knight   13 white rook with which White may still castle
//!   2 white bishop    8 black bishop   14 black rook with which Black may still castle
//!   3 white rook      9 black rook     15 black king, and Black is to move
//!   4 white queen    10 black queen
//!   5 white king     11 black king, and White is to move
//! ```
//!
//! The form is exact, and each position has one form:
//! - The rank gives the colour of a capturable pawn: White's are on the fourth, Black's on the fifth. There is at most one.
//! - A right to castle, in Chess960 too, is a rook on its king's first rank; the side of the king on which it stands tells
//!   short from long. Each side has at most one of each.
//! - There is exactly one black king, so the side to move is given exactly once.
//! - Only a pawn that a legal move captures is marked, so a position has one form whatever the last move was.
//!
//! The ranks are in board order because most moves leave the opponent's ranks alone: a position and its successors share
//! 3.1 leading bytes on average, so they are neighbours in a sorted store. (With the ranks ordered from the edges to the
//! centre it would be 2.4.)

use cozy_chess::{BitBoard, BoardBuilder, CastleRights, Color, File, Piece, Rank, Square};

use crate::Position;

/// The length of the longest packed form, that of 32 pieces.
pub const MAX_PACKED_BYTES: usize = 24;

const CAPTURABLE_PAWN: u8 = 12;
const WHITE_CASTLING_ROOK: u8 = 13;
const BLACK_CASTLING_ROOK: u8 = 14;
const BLACK_KING_TO_MOVE: u8 = 15;

/// Appends the packed form of `position`.
pub(crate) fn pack(position: &Position, bytes: &mut Vec<u8>) {
    let occupied = position.board().occupied();
    bytes.extend(occupied.0.to_be_bytes());
    let mut squares = occupied.into_iter();
    while let Some(first) = squares.next() {
        let second = squares.next().map_or(0, |square| nibble(position, square));
        bytes.push(nibble(position, first) << 4 | second);
    }
}

/// The position that [`pack`] wrote, with the halfmove clock at 0 in move 1; `None` for bytes that it never writes.
pub(crate) fn unpack(bytes: &[u8]) -> Option<Position> {
    let (ranks, nibbles) = bytes.split_first_chunk()?;
    let occupied = BitBoard(u64::from_be_bytes(*ranks));
    if nibbles.len() != occupied.len().div_ceil(2) as usize {
        return None;
    }
    let mut nibbles = nibbles.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    let mut setup = Setup::default();
    for square in occupied {
        setup.place(square, nibbles.next()?)?;
    }
    // The rest is padding.
    (nibbles.next().unwrap_or(0) == 0).then(|| setup.position())?
}

/// The code of the piece on an occupied square.
fn nibble(position: &Position, square: Square) -> u8 {
    let board = position.board();
    let Some((piece, color)) = board.piece_on(square).zip(board.color_on(square)) else { return 0 };
    let side = board.side_to_move();
    match piece {
        Piece::Pawn if position.en_passant().is_some_and(|passed| square == stepped_across(passed)) => CAPTURABLE_PAWN,
        Piece::Rook if castles(board.castle_rights(color), color, square) => match color {
            Color::White => WHITE_CASTLING_ROOK,
            Color::Black => BLACK_CASTLING_ROOK,
        },
        Piece::King if color == Color::Black && side == Color::Black => BLACK_KING_TO_MOVE,
        _ => color as u8 * Piece::NUM as u8 + piece as u8,
    }
}

fn castles(rights: &CastleRights, color: Color, rook: Square) -> bool {
    rook.rank() == Rank::First.relative_to(color) && [rights.short, rights.long].contains(&Some(rook.file()))
}

/// The square of the pawn that has passed this square by its double step.
fn stepped_across(passed: Square) -> Square {
    Square::new(passed.file(), if passed.rank() == Rank::Third { Rank::Fourth } else { Rank::Fifth })
}

/// A position under construction.
struct Setup {
    builder: BoardBuilder,
    /// The rooks that may castle: whether short or long is known once the kings are placed.
    rooks: Vec<(Color, Square)>,
}

impl Default for Setup {
    fn default() -> Self {
        Setup { builder: BoardBuilder::empty(), rooks: Vec::new() }
    }
}

impl Setup {
    /// Puts a piece on the board; `None` if the piece with this code can never be on the square.
    fn place(&mut self, square: Square, code: u8) -> Option<()> {
        let piece = match code {
            CAPTURABLE_PAWN => {
                let (color, passed) = match square.rank() {
                    Rank::Fourth => (Color::White, Rank::Third),
                    Rank::Fifth => (Color::Black, Rank::Sixth),
                    _ => return None,
                };
                let another = self.builder.en_passant.replace(Square::new(square.file(), passed));
                another.is_none().then_some((Piece::Pawn, color))?
            }
            WHITE_CASTLING_ROOK => self.castling_rook(Color::White, square)?,
            BLACK_CASTLING_ROOK => self.castling_rook(Color::Black, square)?,
            BLACK_KING_TO_MOVE => {
                self.builder.side_to_move = Color::Black;
                (Piece::King, Color::Black)
            }
            ordinary => {
                let color = Color::try_index(usize::from(ordinary) / Piece::NUM)?;
                (Piece::index(usize::from(ordinary) % Piece::NUM), color)
            }
        };
        *self.builder.square_mut(square) = Some(piece);
        Some(())
    }

    fn castling_rook(&mut self, color: Color, square: Square) -> Option<(Piece, Color)> {
        self.rooks.push((color, square));
        (square.rank() == Rank::First.relative_to(color)).then_some((Piece::Rook, color))
    }

    /// The position; `None` if it is not valid, or if no legal move captures the pawn that is marked as capturable.
    fn position(mut self) -> Option<Position> {
        for (color, rook) in std::mem::take(&mut self.rooks) {
            let king = self.king_file(color)?;
            let rights = self.builder.castle_rights_mut(color);
            let right = if king < rook.file() { &mut rights.short } else { &mut rights.long };
            if right.replace(rook.file()).is_some() {
                return None;
            }
        }
        let position = Position::build(&self.builder).ok()?;
        (position.en_passant() == self.builder.en_passant).then_some(position)
    }

    /// The file of the king on its first rank.
    fn king_file(&self, color: Color) -> Option<File> {
        let first_rank = Rank::First.relative_to(color);
        let is_king = |file: &File| self.builder.square(Square::new(*file, first_rank)) == Some((Piece::King, color));
        File::ALL.into_iter().find(is_king)
    }
}
