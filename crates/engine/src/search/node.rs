//! What a node is, and what the phases of its search hand to each other.

use std::num::NonZeroU16;

use cozy_chess::{Move, Square};
use mnemon_chess::{Position, from_code};
use mnemon_search::{PathDependency, PathScore, WINS};
use mnemon_table::{Entry, Score, Window};

use super::control::Stopped;
use super::history::PieceTo;
use super::worker::INFINITY;

/// A node's score and what it depends on, unless the search was stopped.
pub(super) type SearchResult = Result<PathScore, Stopped>;

/// Scores of this size or more are wins.
pub(super) const WIN_THRESHOLD: Score = 15_000;

/// A node that is being searched.
#[derive(Clone, Copy)]
pub(crate) struct Node<'p> {
    pub(crate) position: &'p Position,
    pub(crate) key: u64,
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
    pub(crate) depth: i32,
    pub(crate) ply: usize,
    /// PV node: the window is open.
    pub(crate) is_pv: bool,
    /// Cut node: it is expected to fail high. Nodes that are neither are expected to fail low: all nodes.
    pub(crate) is_cut_node: bool,
}

impl<'p> Node<'p> {
    /// A PV node.
    pub(crate) fn new(position: &'p Position, alpha: Score, beta: Score, depth: i32, ply: usize) -> Self {
        Node { position, key: position.hash_key(), alpha, beta, depth, ply, is_pv: true, is_cut_node: false }
    }

    /// The same position, searched with a null window below `beta`.
    pub(super) fn with_null_window(self, beta: Score, depth: i32, is_cut_node: bool) -> Self {
        Node { alpha: beta - 1, beta, depth, is_pv: false, is_cut_node, ..self }
    }

    /// Whether a mate score of the table is reached before the fifty-move rule ends the game; true for other scores.
    pub(super) fn is_before_fifty_moves(&self, score: Score) -> bool {
        let from_here = |plies: Score| usize::from(plies.unsigned_abs()).saturating_sub(self.ply);
        let clock = usize::from(self.position.halfmove_clock());
        WINS.plies(score).is_none_or(|plies| from_here(plies) + clock <= 100)
    }

    /// What a fail-soft score of this node proves of its value: a lower bound if it fails high, an upper bound if it
    /// fails low, the value otherwise.
    pub(super) fn proves(&self, score: Score) -> Window {
        if score >= self.beta {
            Window::at_least(score)
        } else if score <= self.alpha {
            Window::at_most(score)
        } else {
            Window::exact(score)
        }
    }
}

/// What a node knows before it searches moves.
pub(super) struct StaticEval {
    /// The table's entry; `None` also while a move is excluded.
    pub(super) entry: Option<Entry>,
    pub(super) hash_move: Option<Move>,
    pub(super) in_check: bool,
    /// The evaluation before any correction; `None` in check.
    pub(super) raw: Option<Score>,
    /// The evaluation after correction history, within the table's window; below every score in check.
    pub(super) value: Score,
    /// Whether the evaluation is higher than at the side's last turn.
    pub(super) improving: bool,
}

/// The best score that the move loop has found so far.
pub(super) struct BestSoFar {
    pub(super) score: Score,
    /// The move that raised alpha to the score; `None` if none did.
    pub(super) mv: Option<Move>,
    pub(super) depends_on: PathDependency,
    /// Quiet moves that were searched and did not fail high.
    pub(super) quiets: SearchedMoves,
    /// Captures and queen promotions that were searched and did not fail high.
    pub(super) captures: SearchedMoves,
    pub(super) move_count: i32,
    /// Whether moves were pruned, so that the best score of the searched moves is no upper bound.
    pub(super) has_pruned: bool,
}

impl BestSoFar {
    /// Before the first move.
    pub(super) fn none() -> Self {
        BestSoFar {
            score: -INFINITY,
            mv: None,
            depends_on: PathDependency::NONE,
            quiets: SearchedMoves::default(),
            captures: SearchedMoves::default(),
            move_count: 0,
            has_pruned: false,
        }
    }

    /// Takes over what a move's score depends on. A fail high is proved by its move alone; otherwise the node's score
    /// rests on all moves that were searched.
    pub(super) fn add_dependency(&mut self, result: PathScore, beta: Score) {
        let depends_on = result.depends_on;
        self.depends_on = if result.score >= beta { depends_on } else { self.depends_on.min(depends_on) };
    }
}

/// The first moves that were searched and did not fail high: they get the history malus. A malus for more moves than
/// fit would say little about each.
pub(super) struct SearchedMoves {
    moves: [Move; SearchedMoves::CAPACITY],
    len: usize,
}

impl SearchedMoves {
    const CAPACITY: usize = 32;

    pub(super) fn push(&mut self, mv: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = mv;
            self.len += 1;
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Move> {
        self.moves[..self.len].iter().copied()
    }
}

impl Default for SearchedMoves {
    fn default() -> Self {
        let unused = Move { from: Square::A1, to: Square::A1, promotion: None };
        SearchedMoves { moves: [unused; SearchedMoves::CAPACITY], len: 0 }
    }
}

/// A move about to be searched.
pub(super) struct Candidate {
    pub(super) mv: Move,
    pub(super) moved: PieceTo,
    pub(super) is_quiet: bool,
    pub(super) gives_check: bool,
    /// Whether it is known to lose nothing by static exchange evaluation.
    pub(super) is_safe: bool,
    /// Quiet and continuation history; 0 for captures.
    pub(super) history: i32,
    /// Counted from 1.
    pub(super) number: i32,
}

/// The hash move: the best move of a table entry.
pub(super) fn hash_move(entry: &Entry) -> Option<Move> {
    NonZeroU16::new(entry.best).and_then(from_code)
}
