//! Signs of life during a long iteration.

use std::time::Duration;

use cozy_chess::Move;

use super::report::Progress;
use super::worker::Worker;

/// Between two signs of life.
const EVERY: Duration = Duration::from_secs(1);
/// Before this the moves of the root go by too fast to be told.
const MOVES_AFTER: Duration = Duration::from_secs(3);

/// Who is told of the progress, and when it was told last. Helpers tell nobody.
#[derive(Clone, Copy, Default)]
pub(crate) struct Watch<'a> {
    told: Option<&'a dyn Fn(&Progress)>,
    last: Duration,
    depth: u8,
    current: Option<(Move, usize)>,
}

impl<'a> Worker<'a> {
    /// Tells somebody from now on.
    pub(super) fn watch(&mut self, told: &'a dyn Fn(&Progress)) {
        self.progress.told = Some(told);
    }

    /// A new iteration begins.
    pub(super) fn begin_iteration(&mut self, depth: i32) {
        self.progress.depth = depth as u8;
        self.progress.current = None;
    }

    /// A move of the root is searched next.
    #[cold]
    pub(super) fn begin_root_move(&mut self, mv: Move, number: usize) {
        self.progress.current = Some((mv, number));
        if self.progress.told.is_some() && self.control.elapsed() >= MOVES_AFTER {
            self.tell_progress(self.control.elapsed());
        }
    }

    /// Gives a sign of life if the last one was long ago.
    pub(super) fn tell_sometimes(&mut self) {
        if self.progress.told.is_some() {
            let time = self.control.elapsed();
            if time >= self.progress.last + EVERY {
                self.tell_progress(time);
            }
        }
    }

    fn tell_progress(&mut self, time: Duration) {
        self.progress.last = time;
        let Watch { told, depth, current, .. } = self.progress;
        let current = current.filter(|_| time >= MOVES_AFTER);
        let (nodes, hashfull) = (self.control.nodes(), self.table.hashfull());
        let tbhits = self.control.tbhits();
        if let Some(told) = told {
            told(&Progress { depth, current, nodes, time, hashfull, tbhits });
        }
    }
}
