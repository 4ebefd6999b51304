//! When a search has to stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The deepest search: deeper ones have no meaning to any layout of the table.
pub const MAX_DEPTH: u8 = 127;

/// How far a search may go; without limits it goes to the deepest depth there is.
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
    /// To a depth, whatever it takes.
    pub fn depth(depth: u8) -> Self {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    pub(crate) fn last_depth(&self) -> u8 {
        self.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH)
    }
}

/// The search has been told to stop, or has used up its limits: what it was about to find is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// What all threads of one search look at to know whether to go on.
pub(crate) struct Watch<'a> {
    limits: Limits,
    start: Instant,
    /// The caller's wish.
    stop: &'a AtomicBool,
    /// The main thread is done.
    over: AtomicBool,
    /// Nodes of all threads, up to each one's last look.
    nodes: AtomicU64,
}

/// A thread looks at the clock once in so many nodes.
pub(crate) const NODES_BETWEEN_LOOKS: u64 = 1024;

impl<'a> Watch<'a> {
    pub(crate) fn new(limits: Limits, stop: &'a AtomicBool) -> Self {
        Watch { limits, start: Instant::now(), stop, over: AtomicBool::new(false), nodes: AtomicU64::new(0) }
    }

    /// Called by each thread with the nodes it has searched since it last called.
    pub(crate) fn look(&self, nodes: u64) -> Result<(), Stopped> {
        let nodes = nodes + self.nodes.fetch_add(nodes, Ordering::Relaxed);
        let stopped = self.stop.load(Ordering::Relaxed)
            || self.over.load(Ordering::Relaxed)
            || self.limits.nodes.is_some_and(|limit| nodes >= limit)
            || self.limits.time.is_some_and(|limit| self.elapsed() >= limit);
        if stopped { Err(Stopped) } else { Ok(()) }
    }

    /// How many nodes a thread may search before it has to look.
    pub(crate) fn nodes_to_next_look(&self) -> u64 {
        let left = self.limits.nodes.map(|limit| limit.saturating_sub(self.nodes.load(Ordering::Relaxed)));
        left.map_or(NODES_BETWEEN_LOOKS, |left| left.clamp(1, NODES_BETWEEN_LOOKS))
    }

    /// Ends the other threads' searches.
    pub(crate) fn finish(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Nodes that all threads have told of.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }
}
