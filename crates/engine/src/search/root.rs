//! The moves of the root, each with what the search found of it.

use cozy_chess::Move;
use mnemon_table::{Bound, Score};

use super::worker::INFINITY;

/// A move of the root.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// In the running iteration; below every score if it was no better than others.
    pub(crate) score: Score,
    /// In the last finished iteration.
    pub(crate) previous: Score,
    pub(crate) bound: Bound,
    pub(crate) line: Vec<Move>,
    pub(crate) seldepth: usize,
    pub(crate) nodes: u64,
    pub(crate) tainted: bool,
}

/// The root's moves, the best first.
#[derive(Clone, Debug)]
pub(crate) struct RootMoves {
    pub(crate) list: Vec<RootMove>,
    /// How many of the best are settled already, while the next best is searched.
    pub(crate) settled: usize,
    /// Whether legal moves were left out: then what is found is not the position's own.
    pub(crate) is_partial: bool,
}

impl RootMoves {
    pub(crate) fn new(moves: &[Move], is_partial: bool) -> Self {
        let list = moves.iter().map(|&mv| RootMove {
            mv,
            score: -INFINITY,
            previous: -INFINITY,
            bound: Bound::Exact,
            line: vec![mv],
            seldepth: 0,
            nodes: 0,
            tainted: false,
        });
        RootMoves { list: list.collect(), settled: 0, is_partial }
    }

    /// Puts a move first, if it is among them.
    pub(crate) fn put_first(&mut self, mv: Move) {
        if let Some(place) = self.list.iter().position(|root| root.mv == mv) {
            self.list[..=place].rotate_right(1);
        }
    }

    /// Whether the move is to be searched now.
    pub(crate) fn is_open(&self, mv: Move) -> bool {
        self.list[self.settled..].iter().any(|root| root.mv == mv)
    }

    /// The best move first, among those that are not settled; equals stay in order.
    pub(crate) fn sort_open(&mut self) {
        self.list[self.settled..].sort_by_key(|root| std::cmp::Reverse((root.score, root.previous)));
    }

    /// All settled ones in order.
    pub(crate) fn sort_settled(&mut self) {
        self.list[..self.settled].sort_by_key(|root| std::cmp::Reverse((root.score, root.previous)));
    }

    /// The iteration is over: its scores are the previous ones.
    pub(crate) fn next_iteration(&mut self) {
        for root in &mut self.list {
            root.previous = root.score;
        }
        self.settled = 0;
    }
}
