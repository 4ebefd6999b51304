//! When to stop: limits of depth, nodes and time, shared by all threads of a search.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How far a search may go. Without limits it goes on until it is stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The last iteration's depth.
    pub depth: Option<u8>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// The search ends when it has found a mate in this number of moves or fewer.
    pub mate: Option<u16>,
    /// No new iteration begins after this time; it is scaled up while the best move changes or the score falls.
    pub soft: Option<Duration>,
    /// The search ends at this time, whatever it is doing.
    pub hard: Option<Duration>,
}

impl Limits {
    /// A depth, whatever time it takes.
    pub fn depth(depth: u8) -> Self {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// A number of nodes.
    pub fn nodes(nodes: u64) -> Self {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// A fixed time.
    pub fn time(time: Duration) -> Self {
        Limits { soft: Some(time), hard: Some(time), ..Limits::default() }
    }
}

/// What the threads of one search share besides the table.
pub(crate) struct Control<'a> {
    pub(crate) limits: Limits,
    stop: &'a AtomicBool,
    /// Set while the engine ponders, cleared by `ponderhit`: as long as it is set, the time limits do not apply.
    pondering: &'a AtomicBool,
    /// Set when a limit is reached or the main thread is done.
    finished: AtomicBool,
    start: Instant,
    nodes: AtomicU64,
    tbhits: AtomicU64,
}

/// The search was stopped: the scores of the nodes on its path are unknown.
#[derive(Debug)]
pub(crate) struct Stopped;

/// A thread checks the limits at least once in this number of nodes.
const NODES_BETWEEN_CHECKS: u64 = 1024;

impl<'a> Control<'a> {
    pub(crate) fn new(limits: Limits, start: Instant, stop: &'a AtomicBool, pondering: &'a AtomicBool) -> Self {
        Control {
            limits,
            stop,
            pondering,
            finished: AtomicBool::new(false),
            start,
            nodes: AtomicU64::new(0),
            tbhits: AtomicU64::new(0),
        }
    }

    /// Adds a thread's new nodes, and fails if a limit is reached or the search was stopped.
    pub(crate) fn check(&self, new_nodes: u64) -> Result<(), Stopped> {
        let nodes = self.nodes.fetch_add(new_nodes, Ordering::Relaxed) + new_nodes;
        let out_of_nodes = self.limits.nodes.is_some_and(|limit| nodes >= limit);
        let out_of_time = !self.is_pondering() && self.limits.hard.is_some_and(|limit| self.start.elapsed() >= limit);
        if out_of_nodes || out_of_time || self.is_over() {
            self.finish();
            return Err(Stopped);
        }
        Ok(())
    }

    /// How many nodes a thread may search before it checks the limits again.
    pub(crate) fn nodes_until_check(&self) -> u64 {
        let left = self.limits.nodes.map(|limit| limit.saturating_sub(self.nodes()));
        left.unwrap_or(NODES_BETWEEN_CHECKS).clamp(1, NODES_BETWEEN_CHECKS)
    }

    /// Whether the soft time limit, scaled by `factor`, has passed.
    pub(crate) fn is_past_soft_limit(&self, factor: f64) -> bool {
        let is_past = |limit: Duration| self.start.elapsed() >= limit.mul_f64(factor);
        !self.is_pondering() && self.limits.soft.is_some_and(is_past)
    }

    fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }

    /// Ends the search of all threads.
    pub(crate) fn finish(&self) {
        self.finished.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.finished.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed)
    }

    /// Nodes that all threads have reported.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Counts a tablebase hit.
    pub(crate) fn count_tbhit(&self) {
        self.tbhits.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn tbhits(&self) -> u64 {
        self.tbhits.load(Ordering::Relaxed)
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}
