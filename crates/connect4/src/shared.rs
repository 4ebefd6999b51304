//! What the threads of one solve share besides the table.

use crate::report::{Progress, Report};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// Positions between two looks at the flags.
pub(crate) const CHECK_EVERY: u64 = 1 << 10;
const REPORT_EVERY: u64 = 1 << 20;
const BUSY_SLOTS: usize = 1 << 12;

/// The state that the threads of a solve share.
pub(crate) struct Shared<'a> {
    stop: &'a AtomicBool,
    report: &'a dyn Report,
    started: Instant,
    node_limit: u64,
    nodes: AtomicU64,
    /// Some thread has the answer to the current question.
    answered: AtomicBool,
    lower: AtomicI32,
    upper: AtomicI32,
    busy: Option<Box<[AtomicU64]>>,
}

impl<'a> Shared<'a> {
    /// For a solve by `threads` threads that gives up after `node_limit` positions or when `stop` is set.
    pub(crate) fn new(stop: &'a AtomicBool, report: &'a dyn Report, threads: usize, node_limit: u64) -> Self {
        let busy = (threads > 1).then(|| (0..BUSY_SLOTS).map(|_| AtomicU64::new(0)).collect());
        Self {
            stop,
            report,
            started: Instant::now(),
            node_limit,
            nodes: AtomicU64::new(0),
            answered: AtomicBool::new(false),
            lower: AtomicI32::new(0),
            upper: AtomicI32::new(0),
            busy,
        }
    }

    /// Begins the next question about a score within `lower..=upper`.
    pub(crate) fn begin(&self, lower: i32, upper: i32) {
        self.answered.store(false, Relaxed);
        self.lower.store(lower, Relaxed);
        self.upper.store(upper, Relaxed);
        self.tell();
    }

    /// Notes that the question is answered, so that the other threads leave it.
    pub(crate) fn answer(&self) {
        self.answered.store(true, Relaxed);
    }

    /// Counts [`CHECK_EVERY`] more positions; true when the thread is to leave its search.
    pub(crate) fn count(&self) -> bool {
        let nodes = self.nodes.fetch_add(CHECK_EVERY, Relaxed) + CHECK_EVERY;
        if nodes.is_multiple_of(REPORT_EVERY) {
            self.tell();
        }
        self.answered.load(Relaxed) || self.stop.load(Relaxed) || nodes >= self.node_limit
    }

    fn tell(&self) {
        self.report.progress(Progress {
            lower: self.lower.load(Relaxed),
            upper: self.upper.load(Relaxed),
            nodes: self.nodes.load(Relaxed),
            elapsed: self.started.elapsed(),
        });
    }

    /// True when another thread is at work on the position of this key; always false with one thread.
    #[inline(always)]
    pub(crate) fn is_busy(&self, key: u64) -> bool {
        self.slot(key).is_some_and(|slot| slot.load(Relaxed) == key)
    }

    /// Notes that this thread is at work on the position of this key.
    #[inline(always)]
    pub(crate) fn enter(&self, key: u64) {
        if let Some(slot) = self.slot(key) {
            slot.store(key, Relaxed);
        }
    }

    /// Notes that this thread has left the position of this key.
    #[inline(always)]
    pub(crate) fn leave(&self, key: u64) {
        if let Some(slot) = self.slot(key)
            && slot.load(Relaxed) == key
        {
            slot.store(0, Relaxed);
        }
    }

    #[inline(always)]
    fn slot(&self, key: u64) -> Option<&AtomicU64> {
        let slots = self.busy.as_ref()?;
        slots.get((key >> 40) as usize % BUSY_SLOTS)
    }
}
