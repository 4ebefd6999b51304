//! The root moves, each with what the search found of it.

use cozy_chess::Move;
use mnemon_table::{Bound, Score};

use super::KnownLine;
use super::worker::INFINITY;

/// A move of the root.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// The score in the running iteration; `-INFINITY` if the move did not raise alpha.
    pub(crate) score: Score,
    /// The score in the last finished iteration.
    pub(crate) previous: Score,
    pub(crate) bound: Bound,
    /// The principal variation that begins with the move.
    pub(crate) line: Vec<Move>,
    pub(crate) seldepth: usize,
    /// Nodes spent on the move, in all iterations.
    pub(crate) nodes: u64,
    pub(crate) tainted: bool,
}

/// The root moves, the best first.
#[derive(Clone, Debug)]
pub(crate) struct RootMoves {
    pub(crate) list: Vec<RootMove>,
    /// The line that is searched at present (MultiPV): the moves before this index are finished in this iteration.
    pub(crate) pv_index: usize,
    /// Whether legal moves were left out, so that the best score is not the position's.
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
        RootMoves { list: list.collect(), pv_index: 0, is_partial }
    }

    /// Puts the moves of known lines first, in their order, each with its score and line, as if an iteration had just
    /// found them. Lines whose moves are not searched are left out.
    pub(crate) fn seed(&mut self, known: &[KnownLine<'_>]) {
        let mut first = 0;
        for line in known {
            let Some(&mv) = line.pv.first() else { continue };
            let Some(index) = self.list[first..].iter().position(|root| root.mv == mv) else { continue };
            self.list[first..=first + index].rotate_right(1);
            let root = &mut self.list[first];
            (root.score, root.previous) = (line.score, line.score);
            root.line = line.pv.to_vec();
            root.seldepth = usize::from(line.depth);
            first += 1;
        }
    }

    /// Puts a move first, if it is among them.
    pub(crate) fn put_first(&mut self, mv: Move) {
        if let Some(index) = self.list.iter().position(|root| root.mv == mv) {
            self.list[..=index].rotate_right(1);
        }
    }

    /// Whether the move is searched for the current line: no earlier line begins with it.
    pub(crate) fn is_open(&self, mv: Move) -> bool {
        self.list[self.pv_index..].iter().any(|root| root.mv == mv)
    }

    /// Sorts the moves that are still open, the best first; the sort is stable.
    pub(crate) fn sort_open(&mut self) {
        self.list[self.pv_index..].sort_by_key(|root| std::cmp::Reverse((root.score, root.previous)));
    }

    /// Sorts the lines from `first` on that are finished, the best first.
    pub(crate) fn sort_finished_from(&mut self, first: usize) {
        self.list[first..self.pv_index].sort_by_key(|root| std::cmp::Reverse((root.score, root.previous)));
    }

    /// Begins an iteration of the lines from `first` on; those before stand as they are.
    pub(crate) fn next_iteration_from(&mut self, first: usize) {
        for root in self.list.iter_mut().skip(first) {
            root.previous = root.score;
        }
        self.pv_index = first;
    }
}
