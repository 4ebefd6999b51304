//! What a node is, and what the phases of its search hand to each other.

use std::num::NonZeroU16;

use cozy_chess::{Move, Square};
use mnemon_search::WINS;
use mnemon_table::{Entry, Score, Window};

use super::control::Stopped;
use super::history::Moved;
use super::worker::{CLEAN, Dependence, INFINITY};
use mnemon_chess::{Position, from_code};

/// A node that is being searched.
#[derive(Clone, Copy)]
pub(crate) struct Node<'p> {
    pub(crate) position: &'p Position,
    pub(crate) key: u64,
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
    pub(crate) depth: i32,
    pub(crate) ply: usize,
    /// On the principal variation: the window is open.
    pub(crate) is_pv: bool,
    /// Expected to be cut off by its first move.
    pub(crate) is_cut: bool,
}

impl<'p> Node<'p> {
    pub(crate) fn new(position: &'p Position, alpha: Score, beta: Score, depth: i32, ply: usize) -> Self {
        Node { position, key: position.hash_key(), alpha, beta, depth, ply, is_pv: true, is_cut: false }
    }

    /// Whether a mate that was found elsewhere comes before the fifty-move rule ends the game here.
    pub(super) fn is_in_time(&self, score: Score) -> bool {
        let from_here = |plies: Score| usize::from(plies.unsigned_abs()).saturating_sub(self.ply);
        let clock = usize::from(self.position.halfmove_clock());
        WINS.plies(score).is_none_or(|plies| from_here(plies) + clock <= 100)
    }

    /// What a score that the search of this node gave says of its value.
    pub(super) fn proves(&self, score: Score) -> Window {
        if score >= self.beta {
            Window::at_least(score)
        } else if score <= self.alpha {
            Window::at_most(score)
        } else {
            Window::exact(score)
        }
    }

    /// The same position, searched with a null window.
    pub(super) fn null_window(self, beta: Score, depth: i32, is_cut: bool) -> Self {
        Node { alpha: beta - 1, beta, depth, is_pv: false, is_cut, ..self }
    }
}

/// What a node knows before it looks at moves.
pub(super) struct StaticEval {
    pub(super) entry: Option<Entry>,
    pub(super) hint: Option<Move>,
    pub(super) in_check: bool,
    pub(super) raw_eval: Option<Score>,
    /// The static evaluation, or what the table knows better.
    pub(super) eval: Score,
    /// The side to move is better off than two plies ago.
    pub(super) improving: bool,
}

/// The best that the loop has found, and what it depends on.
pub(super) struct Best {
    pub(super) score: Score,
    pub(super) mv: Option<Move>,
    pub(super) depends_on: Dependence,
    pub(super) quiets: SearchedMoves,
    pub(super) captures: SearchedMoves,
    pub(super) count: i32,
    /// Moves were left out without a search, so that the others say nothing of how far below alpha the node is.
    pub(super) is_partial: bool,
}

impl Best {
    /// Before the first move.
    pub(super) fn none() -> Self {
        let (quiets, captures) = (SearchedMoves::default(), SearchedMoves::default());
        Best { score: -INFINITY, mv: None, depends_on: CLEAN, quiets, captures, count: 0, is_partial: false }
    }
}

/// The first moves that were searched and did not cut off. Those beyond are so many that blaming them says little.
pub(super) struct SearchedMoves {
    moves: [Move; SearchedMoves::MOST],
    len: usize,
}

impl SearchedMoves {
    const MOST: usize = 32;

    pub(super) fn push(&mut self, mv: Move) {
        if let Some(place) = self.moves.get_mut(self.len) {
            *place = mv;
            self.len += 1;
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Move> {
        self.moves[..self.len].iter().copied()
    }
}

impl Default for SearchedMoves {
    fn default() -> Self {
        let nothing = Move { from: Square::A1, to: Square::A1, promotion: None };
        SearchedMoves { moves: [nothing; SearchedMoves::MOST], len: 0 }
    }
}

/// A move about to be searched.
pub(super) struct Candidate {
    pub(super) mv: Move,
    pub(super) moved: Moved,
    pub(super) quiet: bool,
    pub(super) gives_check: bool,
    /// Whether it is known to lose nothing by exchanges.
    pub(super) safe: bool,
    /// What history says of it.
    pub(super) statistic: i32,
    pub(super) number: i32,
}

/// A score, unless the search was stopped.
pub(super) type Found = Result<Score, Stopped>;

/// Scores from here on are wins.
pub(super) const WINS_FLOOR: Score = 15_000;

/// The move that an entry remembers.
pub(super) fn hint_of(entry: &Entry) -> Option<Move> {
    NonZeroU16::new(entry.best).and_then(from_code)
}
