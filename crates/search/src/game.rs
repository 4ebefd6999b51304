//! What a search needs of a game.

use std::borrow::Cow;
use std::fmt::Debug;
use std::num::NonZeroU16;

use mnemon_table::{Mates, Score};

/// How every search of this crate scores wins: 16,000 for a win in 0 plies, one less for each ply more.
pub const WINS: Mates = Mates::new(16_000, 1_000);

/// Static evaluations and points stay within `±HIGHEST_POINTS`, below every win.
pub const HIGHEST_POINTS: Score = 14_999;

/// A position of a two-player game with full information, in which the players take turns.
///
/// Positions are values: playing a move gives a new one. [`laws::check`](crate::laws::check) tests an implementation.
pub trait Game: Clone + Eq + Debug + Send + Sync {
    /// A move of the game.
    type Move: Copy + Eq + Debug + Send + Sync;

    /// Whether a position can come back after some moves. If so, a search scores a repetition of a position on its
    /// path as a draw.
    const CYCLES: bool = false;

    /// The game's name, under which a memory keeps its positions: lower-case ASCII letters, digits and `-`.
    fn name() -> Cow<'static, str>;

    /// How the game has ended here, or `None` if it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends the legal moves to `moves`: none if the game has ended, at least one otherwise.
    fn moves(&self, moves: &mut Vec<Self::Move>);

    /// The position after a legal move.
    #[must_use]
    fn play(&self, mv: Self::Move) -> Self;

    /// The static evaluation for the side to move, within `±`[`HIGHEST_POINTS`].
    fn evaluate(&self) -> Score;

    /// The position's 64-bit hash, updated incrementally by [`play`](Self::play). Equal positions have equal keys.
    fn key(&self) -> u64;

    /// Appends the exact position to `bytes`: what decides the legal continuations, and nothing else.
    fn pack(&self, bytes: &mut Vec<u8>);

    /// The position that [`pack`](Self::pack) wrote, built from scratch; `None` if the bytes are no packed position.
    fn unpack(bytes: &[u8]) -> Option<Self>;

    /// The move's code in the table: different for each legal move of a position.
    fn code(mv: Self::Move) -> NonZeroU16;

    /// An upper bound of the plies that the game can still last, if the rules give one: a search to that depth is
    /// exhaustive. Each move lowers it.
    fn plies_left(&self) -> Option<u16> {
        None
    }

    /// Whether a move counter that is not packed (as that of the fifty-move rule) makes the position a draw. It is
    /// asked only where [`outcome`](Self::outcome), which does not consider it, is `None`.
    fn is_drawn_by_counter(&self) -> bool {
        false
    }

    /// The static score that moves are ordered by before they are searched, the highest first.
    fn ordering_score(&self, _mv: Self::Move) -> i32 {
        0
    }
}

/// How a game has ended, from the point of view of the side that would be to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move has won.
    Win,
    /// Neither side has won.
    Draw,
    /// The side to move has lost.
    Loss,
    /// The side to move ends with this number of points, within `±`[`HIGHEST_POINTS`].
    Points(Score),
}

impl Outcome {
    /// The outcome as a score `ply` plies below the root: the sooner a win, the higher; the later a loss, the higher.
    pub fn score(self, ply: u16) -> Score {
        match self {
            Outcome::Win => -WINS.lost_at(ply),
            Outcome::Draw => 0,
            Outcome::Loss => WINS.lost_at(ply),
            Outcome::Points(points) => points,
        }
    }
}
