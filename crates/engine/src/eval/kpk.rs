//! King and pawn against king: a bitbase of all positions, made by retrograde analysis when it is first asked.
//!
//! The fifty-move rule is ignored: a won ending needs fewer moves than that from its pawn's last move on.

use std::sync::LazyLock;

use cozy_chess::{BitBoard, Board, Color, File, Piece, Rank, Square, get_king_moves, get_pawn_attacks};
use mnemon_table::Score;

/// What a won ending is worth at least. A queen is worth more, so that the pawn goes forward.
const WON: Score = 500;
/// For each rank that the pawn has passed.
const RANK: Score = 40;
/// For each step that the king is nearer to the square in front of the pawn.
const STEP: Score = 5;

/// The exact result as a score for the side to move, if there are only the kings and one pawn: 0 if it is drawn, or else a
/// win, which is greater the further the pawn is and the nearer its king. `None` for all other material.
#[inline]
pub(super) fn score(board: &Board) -> Option<Score> {
    if board.occupied().len() == 3 { judge(board) } else { None }
}

#[inline(never)]
fn judge(board: &Board) -> Option<Score> {
    let pawn = board.pieces(Piece::Pawn).next_square()?;
    let strong = if board.colors(Color::White).has(pawn) { Color::White } else { Color::Black };
    let to_move = board.side_to_move() == strong;
    // White has the pawn, on the files a to d.
    let turned = |square: Square| {
        let square = if strong == Color::White { square } else { square.flip_rank() };
        if pawn.file() > File::D { square.flip_file() } else { square }
    };
    let placed =
        Placed { king: turned(board.king(strong)), bare: turned(board.king(!strong)), pawn: turned(pawn), to_move };
    if !WINS.has(placed.index()) {
        return Some(0);
    }
    let ahead = placed.pawn.try_offset(0, 1).unwrap_or(placed.pawn);
    let ranks = placed.pawn.rank() as Score - Rank::Second as Score;
    let score = WON + RANK * ranks - STEP * distance(placed.king, ahead);
    Some(if to_move { score } else { -score })
}

fn distance(a: Square, b: Square) -> Score {
    let apart = |a: usize, b: usize| a.abs_diff(b) as Score;
    apart(a.file() as usize, b.file() as usize).max(apart(a.rank() as usize, b.rank() as usize))
}

/// Two sides to move, 64 squares for each king, and 24 for the pawn.
const COUNT: usize = 2 * 64 * 64 * 24;

/// The positions that the pawn's side wins.
static WINS: LazyLock<Bits> = LazyLock::new(solve);

/// A set of positions by their indices.
struct Bits(Box<[u64]>);

impl Bits {
    fn has(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 != 0
    }

    fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }
}

/// A position; White has the pawn, on the files a to d.
#[derive(Clone, Copy)]
struct Placed {
    king: Square,
    bare: Square,
    pawn: Square,
    /// Whether the side with the pawn is to move.
    to_move: bool,
}

impl Placed {
    fn index(self) -> usize {
        let pawn = (self.pawn.rank() as usize - Rank::Second as usize) * 4 + self.pawn.file() as usize;
        ((pawn * 64 + self.king as usize) * 64 + self.bare as usize) * 2 + usize::from(self.to_move)
    }

    fn from_index(index: usize) -> Self {
        let pawn = index / (2 * 64 * 64);
        Placed {
            pawn: Square::new(File::index(pawn % 4), Rank::index(pawn / 4 + Rank::Second as usize)),
            king: Square::index(index / (2 * 64) % 64),
            bare: Square::index(index / 2 % 64),
            to_move: index % 2 == 1,
        }
    }

    /// Whether the pieces stand on different squares, and the side that has moved is not in check.
    fn is_legal(self) -> bool {
        let is_apart = self.king != self.pawn && self.bare != self.pawn && self.king != self.bare;
        let is_check = self.to_move && get_pawn_attacks(self.pawn, Color::White).has(self.bare);
        is_apart && !get_king_moves(self.king).has(self.bare) && !is_check
    }

    /// The squares that the bare king may go to, the pawn's among them if it is unprotected.
    fn flights(self) -> BitBoard {
        get_king_moves(self.bare) & !get_king_moves(self.king) & !get_pawn_attacks(self.pawn, Color::White)
    }

    /// Whether the side with the pawn, which is to move, has a move to a position that is won.
    fn has_winning_move(self, wins: &Bits) -> bool {
        let replies = |placed: Placed| wins.has(Placed { to_move: false, ..placed }.index());
        let kings = get_king_moves(self.king) & !get_king_moves(self.bare) & !self.pawn.bitboard();
        if kings.into_iter().any(|king| replies(Placed { king, ..self })) {
            return true;
        }
        let is_free = |square: Square| square != self.king && square != self.bare;
        let Some(ahead) = self.pawn.try_offset(0, 1).filter(|&square| is_free(square)) else { return false };
        if ahead.rank() == Rank::Eighth {
            return self.promotes_at(ahead);
        }
        let two = ahead.try_offset(0, 1).filter(|&square| self.pawn.rank() == Rank::Second && is_free(square));
        [Some(ahead), two].into_iter().flatten().any(|pawn| replies(Placed { pawn, ..self }))
    }

    /// Whether the new queen or rook cannot be captured: one of the two wins then, since a rook never gives stalemate here.
    fn promotes_at(self, square: Square) -> bool {
        !get_king_moves(self.bare).has(square) || get_king_moves(self.king).has(square)
    }

    /// Whether the bare king, which is to move, has only moves to positions that are won. Stalemate is a draw; a pawn and a
    /// king cannot mate.
    fn has_no_escape(self, wins: &Bits) -> bool {
        let flights = self.flights();
        let is_lost = |bare: Square| bare != self.pawn && wins.has(Placed { bare, to_move: true, ..self }.index());
        !flights.is_empty() && flights.into_iter().all(is_lost)
    }
}

/// Adds the positions that are won by what is known to be won, until there are no more.
fn solve() -> Bits {
    let mut wins = Bits(vec![0; COUNT.div_ceil(64)].into());
    let mut open: Vec<usize> = (0..COUNT).filter(|&index| Placed::from_index(index).is_legal()).collect();
    loop {
        let before = open.len();
        open.retain(|&index| {
            let placed = Placed::from_index(index);
            let is_won = if placed.to_move { placed.has_winning_move(&wins) } else { placed.has_no_escape(&wins) };
            if is_won {
                wins.insert(index);
            }
            !is_won
        });
        if open.len() == before {
            return wins;
        }
    }
}
