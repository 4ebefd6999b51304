//! What a search reports while it runs.

use std::time::Duration;

use mnemon_table::{Bound, Score};

/// One finished iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration<M> {
    /// The depth it searched to.
    pub depth: u8,
    /// The value found, from the side to move's point of view.
    pub score: Score,
    /// Whether the score is exact or a bound: that of a finished iteration is exact.
    pub bound: Bound,
    /// Nodes of all threads since the search began.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// The principal variation.
    pub pv: Vec<M>,
    /// How full the table is, in per mille.
    pub hashfull: u32,
    /// Whether the score depends on what was played before the root, or on a move counter: then it holds for this game,
    /// and not for the position.
    pub tainted: bool,
}

/// Receives each finished iteration. Closures are reports; [`Silent`] ignores them.
pub trait Report<M> {
    /// Called when an iteration is finished.
    fn iteration(&mut self, iteration: &Iteration<M>);

    /// Called once, at the beginning, if the system has refused threads: this many search of those that were asked for. A
    /// closure does not learn of it.
    fn fewer_threads(&mut self, _started: usize, _asked: usize) {}
}

impl<M, F: FnMut(&Iteration<M>)> Report<M> for F {
    fn iteration(&mut self, iteration: &Iteration<M>) {
        self(iteration);
    }
}

/// Ignores every report.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl<M> Report<M> for Silent {
    fn iteration(&mut self, _iteration: &Iteration<M>) {}
}
