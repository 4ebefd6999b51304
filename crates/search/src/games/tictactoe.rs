//! Tic-tac-toe (noughts and crosses).

use std::borrow::Cow;
use std::num::NonZeroU16;

use mnemon_table::Score;

use crate::random::mix;
use crate::{Game, Outcome};

/// A tic-tac-toe position; cells are numbered 0 to 8, row by row.
///
/// ```
/// use mnemon_search::{Game, Outcome, games::TicTacToe};
///
/// let position = [0, 4, 1, 8, 2].iter().fold(TicTacToe::new(), |position, &cell| position.play(cell));
/// assert_eq!(position.outcome(), Some(Outcome::Loss), "the top row is full of the last mover's marks");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TicTacToe {
    /// The cells of the side to move.
    own: u16,
    /// The cells of the side that moved last.
    other: u16,
    key: u64,
}

const FULL: u16 = 0x1ff;
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl TicTacToe {
    /// The empty board.
    pub const fn new() -> Self {
        TicTacToe { own: 0, other: 0, key: 0 }
    }

    fn marks(self) -> u32 {
        (self.own | self.other).count_ones()
    }
}

impl Default for TicTacToe {
    fn default() -> Self {
        Self::new()
    }
}

/// The key of a mark: crosses move first, so the number of marks tells who is to move.
const fn mark_key(noughts: bool, cell: u8) -> u64 {
    mix(1 + cell as u64 + 9 * noughts as u64)
}

impl Game for TicTacToe {
    type Move = u8;

    fn name() -> Cow<'static, str> {
        "tictactoe".into()
    }

    fn outcome(&self) -> Option<Outcome> {
        if LINES.iter().any(|line| self.other & line == *line) {
            Some(Outcome::Loss)
        } else if self.own | self.other == FULL {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        if self.outcome().is_none() {
            moves.extend((0..9).filter(|cell| (self.own | self.other) & (1 << cell) == 0));
        }
    }

    fn play(&self, cell: u8) -> Self {
        let noughts = self.marks() % 2 == 1;
        TicTacToe { own: self.other, other: self.own | 1 << cell, key: self.key ^ mark_key(noughts, cell) }
    }

    /// The difference of open lines, those without a mark of the other side.
    fn evaluate(&self) -> Score {
        let open = |marks: u16| LINES.iter().filter(|line| *line & marks == 0).count() as Score;
        open(self.other) - open(self.own)
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn pack(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.own.to_le_bytes());
        bytes.extend(self.other.to_le_bytes());
    }

    fn unpack(bytes: &[u8]) -> Option<Self> {
        let &[a, b, c, d] = bytes else { return None };
        let (own, other) = (u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]));
        let (mine, theirs) = (own.count_ones(), other.count_ones());
        if own & other != 0 || (own | other) & !FULL != 0 || !(mine == theirs || mine + 1 == theirs) {
            return None;
        }
        let noughts_to_move = mine != theirs;
        let key = (0..9).fold(0, |key, cell| match (own >> cell & 1, other >> cell & 1) {
            (1, _) => key ^ mark_key(noughts_to_move, cell),
            (_, 1) => key ^ mark_key(!noughts_to_move, cell),
            _ => key,
        });
        Some(TicTacToe { own, other, key })
    }

    fn code(cell: u8) -> NonZeroU16 {
        NonZeroU16::MIN.saturating_add(cell.into())
    }

    fn plies_left(&self) -> Option<u16> {
        Some(9 - self.marks() as u16)
    }
}
