//! The settings of an engine.

use std::time::Duration;

use mnemon_memory::policy::EntryRules;
use mnemon_memory::recall::Budget;

use crate::search::OpenWindow;

/// Settings of the next search. A search that runs keeps its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How many of the best lines to find.
    pub lines: usize,
    /// The time that passes between the engine's best move and the start of the opponent's clock.
    pub overhead: Duration,
    /// The most time that a recall may take; against a clock it takes less.
    pub recall_budget: Duration,
    /// The most positions that a recall finds, the nearest first.
    pub recall_positions: usize,
    /// What of a record enters the table.
    pub entry_rules: EntryRules,
    /// What a recalled window inside alpha and beta does.
    pub open_window: OpenWindow,
    /// The time that the next search's records get, in seconds since 1970; `None` for the clock's. Of two records of one
    /// depth the newer stands, so that experiments that are to repeat set it.
    pub time: Option<u32>,
    /// Time is allotted and reported, but neither a recall nor a search ends by it: what an experiment or a test finds must
    /// not depend on how busy the machine is. Other limits count.
    pub untimed: bool,
    /// How long a command waits until what was learned is written, which another process can delay for minutes.
    pub write_wait: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            lines: 1,
            overhead: Duration::from_millis(30),
            recall_budget: Duration::from_millis(500),
            recall_positions: Budget::ANALYSING.positions,
            entry_rules: EntryRules::default(),
            open_window: OpenWindow::default(),
            time: None,
            untimed: false,
            write_wait: Duration::MAX,
        }
    }
}
