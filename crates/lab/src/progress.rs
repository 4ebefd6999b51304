//! Progress bars on stderr: shown to people, not to files and pipes.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for so many equal steps.
pub(crate) fn bar(steps: u64, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(steps).with_style(style).with_message(what);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Nothing is shown before this; most jobs are done by then.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar that disappears when its job is done.
struct Shown(ProgressBar);

impl Drop for Shown {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Does a job that cannot say how far it is, and shows that it is under way when it takes a while.
pub(crate) fn during<T>(what: &'static str, job: impl FnOnce() -> T) -> T {
    let (done, wait) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            // The other end hangs up when the job is done.
            if wait.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
                let bar = ProgressBar::new_spinner().with_message(what);
                bar.enable_steady_tick(Duration::from_millis(200));
                let _shown = Shown(bar);
                let _ = wait.recv();
            }
        });
        let result = job();
        drop(done);
        result
    })
}
