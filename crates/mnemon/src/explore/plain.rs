//! An exploration as plain lines, for pipes and files: one when the root's value changes, and one a minute.

use std::time::{Duration, Instant};

use mnemon_explore::grow::Explored;
use mnemon_search::Notation;

use super::summary;
use super::watcher::Tally;
use crate::figures;

/// How often a line is written without a change.
const PERIOD: Duration = Duration::from_secs(60);
/// Changes that follow each other sooner are written as one.
const SHORTEST: Duration = Duration::from_secs(2);

/// When a line was written last.
#[derive(Default)]
pub(super) struct Plain {
    last: Option<Instant>,
    has_change: bool,
}

impl Plain {
    /// The line to write after a search, if there is to be one.
    pub(super) fn line<G: Explored + Notation>(&mut self, tally: &Tally<G>, has_changed: bool) -> Option<String> {
        self.has_change |= has_changed;
        let since = self.last.map_or(Duration::MAX, |last| last.elapsed());
        let is_due = since >= PERIOD || self.has_change && since >= SHORTEST;
        if !is_due {
            return None;
        }
        (self.last, self.has_change) = (Some(Instant::now()), false);
        Some(format!(
            "{}  {}  {}, {:.0} searches a minute, {} nodes  {}",
            figures::time(tally.start.elapsed()),
            tally.now.score.map_or_else(|| "-".to_owned(), G::write_score),
            summary::positions(tally.positions()),
            tally.rate(),
            figures::count(tally.nodes),
            summary::line(&tally.now.line),
        ))
    }
}
