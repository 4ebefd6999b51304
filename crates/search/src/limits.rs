//! When a search has to stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The greatest depth of a search: no layout of the table stores a greater one.
pub const MAX_DEPTH: u8 = 127;

/// How far a search may go; without limits it goes to [`MAX_DEPTH`].
///
/// ```
/// use mnemon_search::Limits;
/// use std::time::Duration;
///
/// let limits = Limits { time: Some(Duration::from_millis(50)), ..Limits::depth(20) };
/// assert_eq!(limits.nodes, None);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// The last iteration's depth, at most [`MAX_DEPTH`].
    pub depth: Option<u8>,
    /// Nodes of all threads together. With one thread the search stops at exactly this number.
    pub nodes: Option<u64>,
    /// Time from the start of the search.
    pub time: Option<Duration>,
}

impl Limits {
    /// A depth, whatever time it takes.
    pub fn depth(depth: u8) -> Self {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    pub(crate) fn last_depth(&self) -> u8 {
        self.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH)
    }
}

/// The search was stopped or has reached a limit: the scores of the nodes on its path are unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// What the threads of one search share besides the table.
pub(crate) struct Control<'a> {
    limits: Limits,
    start: Instant,
    /// Set by the caller.
    stop: &'a AtomicBool,
    /// Set when the main thread is done.
    finished: AtomicBool,
    /// Nodes that all threads have reported.
    nodes: AtomicU64,
}

/// A thread checks the limits at least once in this number of nodes.
const NODES_BETWEEN_CHECKS: u64 = 1024;

impl<'a> Control<'a> {
    pub(crate) fn new(limits: Limits, stop: &'a AtomicBool) -> Self {
        Control { limits, start: Instant::now(), stop, finished: AtomicBool::new(false), nodes: AtomicU64::new(0) }
    }

    /// Adds a thread's new nodes; fails if a limit is reached or the search was stopped.
    pub(crate) fn check(&self, new_nodes: u64) -> Result<(), Stopped> {
        let nodes = new_nodes + self.nodes.fetch_add(new_nodes, Ordering::Relaxed);
        let stopped = self.stop.load(Ordering::Relaxed)
            || self.finished.load(Ordering::Relaxed)
            || self.limits.nodes.is_some_and(|limit| nodes >= limit)
            || self.limits.time.is_some_and(|limit| self.elapsed() >= limit);
        if stopped { Err(Stopped) } else { Ok(()) }
    }

    /// How many nodes a thread may search before it checks the limits again.
    pub(crate) fn nodes_until_check(&self) -> u64 {
        let left = self.limits.nodes.map(|limit| limit.saturating_sub(self.nodes()));
        left.map_or(NODES_BETWEEN_CHECKS, |left| left.clamp(1, NODES_BETWEEN_CHECKS))
    }

    /// Ends the searches of all threads.
    pub(crate) fn finish(&self) {
        self.finished.store(true, Ordering::Relaxed);
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Nodes that all threads have reported.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }
}
