//! Progress reports during a long iteration.

use std::time::Duration;

use cozy_chess::Move;

use super::report::Progress;
use super::worker::Worker;

/// The time between two reports.
const INTERVAL: Duration = Duration::from_secs(1);
/// Before this time root moves go by too fast to be reported.
const ROOT_MOVES_AFTER: Duration = Duration::from_secs(3);

/// Who hears of the progress, and when the last report was. Helper threads report to no one.
#[derive(Clone, Copy, Default)]
pub(crate) struct ProgressReporter<'a> {
    listener: Option<&'a dyn Fn(&Progress)>,
    last: Duration,
    depth: u8,
    current: Option<(Move, usize)>,
}

impl<'a, E> Worker<'a, E> {
    /// Reports to this listener from now on.
    pub(super) fn report_progress_to(&mut self, listener: &'a dyn Fn(&Progress)) {
        self.progress.listener = Some(listener);
    }

    /// A new iteration begins.
    pub(super) fn begin_iteration(&mut self, depth: i32) {
        self.progress.depth = depth as u8;
        self.progress.current = None;
    }

    /// A root move is searched next.
    #[cold]
    pub(super) fn begin_root_move(&mut self, mv: Move, number: usize) {
        self.progress.current = Some((mv, number));
        if self.progress.listener.is_some() && self.control.elapsed() >= ROOT_MOVES_AFTER {
            self.report_progress(self.control.elapsed());
        }
    }

    /// Reports if the last report is long enough ago.
    pub(super) fn report_progress_sometimes(&mut self) {
        if self.progress.listener.is_some() {
            let time = self.control.elapsed();
            if time >= self.progress.last + INTERVAL {
                self.report_progress(time);
            }
        }
    }

    fn report_progress(&mut self, time: Duration) {
        self.progress.last = time;
        let ProgressReporter { listener, depth, current, .. } = self.progress;
        let current = current.filter(|_| time >= ROOT_MOVES_AFTER);
        let (nodes, hashfull) = (self.control.nodes(), self.table.hashfull());
        let tbhits = self.control.tbhits();
        if let Some(listener) = listener {
            listener(&Progress { depth, current, nodes, time, hashfull, tbhits });
        }
    }
}
