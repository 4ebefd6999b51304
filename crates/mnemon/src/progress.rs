//! Progress bars on stderr: shown to people, not to files and pipes.

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
