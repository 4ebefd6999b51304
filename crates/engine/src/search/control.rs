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
    /// A mate in so many moves ends the search.
    pub mate: Option<u16>,
    /// No new iteration begins after this; a search in trouble may take longer.
    pub soft: Option<Duration>,
    /// The search ends at this, whatever it is doing.
    pub hard: Option<Duration>,
}

impl Limits {
    /// To a depth.
    pub fn depth(depth: u8) -> Self {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// So many nodes.
    pub fn nodes(nodes: u64) -> Self {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Exactly so long.
    pub fn time(time: Duration) -> Self {
        Limits { soft: Some(time), hard: Some(time), ..Limits::default() }
    }
}

/// What the threads of one search share besides the table.
pub(crate) struct Control<'a> {
    pub(crate) limits: Limits,
    stop: &'a AtomicBool,
    /// Set when the opponent has made the expected move: until then time does not count.
    pondering: &'a AtomicBool,
    over: AtomicBool,
    start: Instant,
    nodes: AtomicU64,
    tbhits: AtomicU64,
}

/// The search was stopped: what its nodes gave must not be used.
#[derive(Debug)]
pub(crate) struct Stopped;

/// Nodes between two looks at the clock.
const LOOK_EVERY: u64 = 1024;

impl<'a> Control<'a> {
    pub(crate) fn new(limits: Limits, start: Instant, stop: &'a AtomicBool, pondering: &'a AtomicBool) -> Self {
        Control {
            limits,
            stop,
            pondering,
            over: AtomicBool::new(false),
            start,
            nodes: AtomicU64::new(0),
            tbhits: AtomicU64::new(0),
        }
    }

    /// Takes note of nodes searched; says whether to go on.
    pub(crate) fn look(&self, nodes: u64) -> Result<(), Stopped> {
        let nodes = self.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes;
        let counts = !self.pondering.load(Ordering::Relaxed);
        let out_of_nodes = self.limits.nodes.is_some_and(|limit| nodes >= limit);
        let out_of_time = counts && self.limits.hard.is_some_and(|limit| self.start.elapsed() >= limit);
        if out_of_nodes || out_of_time || self.is_over() {
            self.finish();
            return Err(Stopped);
        }
        Ok(())
    }

    /// How many nodes a thread may search before it looks again.
    pub(crate) fn until_next_look(&self) -> u64 {
        let left = self.limits.nodes.map(|limit| limit.saturating_sub(self.nodes()));
        left.unwrap_or(LOOK_EVERY).clamp(1, LOOK_EVERY)
    }

    /// Whether the time for new iterations is over, if `factor` of it may be used.
    pub(crate) fn is_late(&self, factor: f64) -> bool {
        let counts = !self.pondering.load(Ordering::Relaxed);
        counts && self.limits.soft.is_some_and(|limit| self.start.elapsed() >= limit.mul_f64(factor))
    }

    /// Ends the search of all threads.
    pub(crate) fn finish(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed)
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// An endgame table decided a position.
    pub(crate) fn note_table_hit(&self) {
        self.tbhits.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn tbhits(&self) -> u64 {
        self.tbhits.load(Ordering::Relaxed)
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}
