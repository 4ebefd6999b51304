//! The state that the threads of one solve share besides the table: limits, progress, and who searches what.

use crate::report::{Progress, Report};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// Positions between two checks of the flags.
pub(crate) const CHECK_EVERY: u64 = 1 << 10;
/// Positions between two reports.
const REPORT_EVERY: u64 = 1 << 20;
const BUSY_SLOTS: usize = 1 << 12;

/// The state that the threads of a solve share.
pub(crate) struct Shared<'a> {
    stop: &'a AtomicBool,
    report: &'a dyn Report,
    started: Instant,
    node_limit: u64,
    nodes: AtomicU64,
    /// A thread has finished the current search, so that the others abort theirs.
    finished: AtomicBool,
    lower: AtomicI32,
    upper: AtomicI32,
    /// Whether it was reported that fewer threads search than were asked for.
    told_of_fewer: AtomicBool,
    /// Keys of positions that threads are searching; `None` with one thread. A lost or stale key costs time only.
    busy: Option<Box<[AtomicU64]>>,
}

impl<'a> Shared<'a> {
    /// For a solve by `threads` threads that is aborted after `node_limit` positions or when `stop` is set.
    pub(crate) fn new(stop: &'a AtomicBool, report: &'a dyn Report, threads: usize, node_limit: u64) -> Self {
        let busy = (threads > 1).then(|| (0..BUSY_SLOTS).map(|_| AtomicU64::new(0)).collect());
        Self {
            stop,
            report,
            started: Instant::now(),
            node_limit,
            nodes: AtomicU64::new(0),
            finished: AtomicBool::new(false),
            lower: AtomicI32::new(0),
            upper: AtomicI32::new(0),
            told_of_fewer: AtomicBool::new(false),
            busy,
        }
    }

    /// Begins the next null-window search for a score within `lower..=upper`.
    pub(crate) fn begin(&self, lower: i32, upper: i32) {
        self.finished.store(false, Relaxed);
        self.lower.store(lower, Relaxed);
        self.upper.store(upper, Relaxed);
        self.report_progress();
    }

    /// Records that a thread has finished the search, so that the others abort theirs.
    pub(crate) fn finish(&self) {
        self.finished.store(true, Relaxed);
    }

    /// Counts [`CHECK_EVERY`] more positions. Returns true when the thread must abort its search.
    pub(crate) fn count(&self) -> bool {
        let nodes = self.nodes.fetch_add(CHECK_EVERY, Relaxed) + CHECK_EVERY;
        if nodes.is_multiple_of(REPORT_EVERY) {
            self.report_progress();
        }
        self.finished.load(Relaxed) || self.stop.load(Relaxed) || nodes >= self.node_limit
    }

    /// Reports, once, that fewer threads search than were asked for.
    pub(crate) fn report_fewer_threads(&self, started: usize, asked: usize) {
        if !self.told_of_fewer.swap(true, Relaxed) {
            self.report.fewer_threads(started, asked);
        }
    }

    fn report_progress(&self) {
        self.report.progress(Progress {
            lower: self.lower.load(Relaxed),
            upper: self.upper.load(Relaxed),
            nodes: self.nodes.load(Relaxed),
            elapsed: self.started.elapsed(),
        });
    }

    /// Whether a thread is searching the position of this key; always false with one thread.
    #[inline(always)]
    pub(crate) fn is_busy(&self, key: u64) -> bool {
        self.slot(key).is_some_and(|slot| slot.load(Relaxed) == key)
    }

    /// Records that this thread searches the position of this key.
    #[inline(always)]
    pub(crate) fn enter(&self, key: u64) {
        if let Some(slot) = self.slot(key) {
            slot.store(key, Relaxed);
        }
    }

    /// Records that this thread no longer searches the position of this key.
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
