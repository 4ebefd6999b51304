//! What an engine says during one `go`, turned into findings for the memory.
//!
//! An [`Observer`] hears the `info` lines of a search and gives [`Findings`]: records and lines of play, to be merged into a
//! store. It keeps finished iterations only, and nothing whose score depends on more than the position: a repetition, the
//! fifty-move rule, a limited strength, another variant. It does no input or output.
//!
//! ```
//! use mnemon_memory::{RamStore, Store};
//! use mnemon_uci::observer::{EngineProfile, GameHistory, Observer};
//! use mnemon_uci::{EngineLine, GoCommand, PositionCommand};
//!
//! let mut profile = EngineProfile::new("stockfish");
//! profile.hear(&EngineLine::parse("id name Stockfish 15.1"));
//! let game = GameHistory::read(&PositionCommand::default(), profile.is_chess960()).expect("a position");
//! let go = GoCommand { depth: Some(2), ..GoCommand::default() };
//! let mut observer = Observer::new(game, &go, &profile, mnemon_memory::unix_time()).expect("nothing forbids it");
//! for line in ["info depth 1 score cp 30 pv e2e4", "info depth 2 score cp 25 nodes 90 pv e2e4 e7e5"] {
//!     let EngineLine::Info(info) = EngineLine::parse(line) else { panic!("an info line") };
//!     observer.hear(&info);
//! }
//! let store = RamStore::new();
//! observer.finish().write_to(&store)?; // the root, the position after e2e4, and both of their lines
//! assert_eq!(store.statistics()?.records(), 2);
//! # Ok::<(), mnemon_memory::MemoryError>(())
//! ```

mod findings;
mod history;
mod iteration;
mod profile;
mod score;

pub use findings::Findings;
pub(crate) use findings::packed;
pub use history::{CLOCK_LIMIT, GameHistory};
pub use profile::EngineProfile;
pub(crate) use score::is_verdict;
pub use score::{score, window};

pub use iteration::legal_prefix;
use iteration::{Iteration, Root};

use crate::{GoCommand, Info};

/// Hears one search.
///
/// An iteration is finished when a line of a greater depth follows, or when the best move comes and nothing can have cut it:
/// no `stop`, and no limit of nodes or time, unless the limit of depth is reached. Engines with several lines print those that
/// are not searched yet with the depth before; such lines are no part of the iteration under way, and change nothing of the
/// one before it.
#[derive(Clone, Debug)]
pub struct Observer {
    root: Root,
    current: Iteration,
    /// The last finished iteration.
    finished: Iteration,
    findings: Findings,
    is_stopped: bool,
    go: GoCommand,
    /// Whether the moves of the game were noted.
    has_links: bool,
}

impl Observer {
    /// An observer of a `go` at the end of this game. `time` is when the search is, in seconds since 1970. `None` if nothing
    /// of the search may be learned: see [`EngineProfile::obstacle`] and [`GameHistory::is_plain`]; and for `go perft`.
    pub fn new(game: GameHistory, go: &GoCommand, profile: &EngineProfile, time: u32) -> Option<Self> {
        if profile.obstacle().is_some() || !game.is_plain() || go.perft.is_some() || !game.root().has_moves() {
            return None;
        }
        let source = profile.source()?;
        let is_partial = !go.searchmoves.is_empty();
        Some(Observer {
            root: Root { game, time, is_partial },
            current: Iteration::default(),
            finished: Iteration::default(),
            go: go.clone(),
            findings: Findings::new(source),
            is_stopped: false,
            has_links: false,
        })
    }

    /// Takes a line of the search.
    pub fn hear(&mut self, info: &Info) {
        let Some(depth) = info.depth.filter(|&depth| depth > 0) else { return };
        if depth > self.current.depth() {
            self.end_iteration(Iteration::of_depth(depth));
        }
        // What is said after `stop` may be of an iteration that was cut.
        if depth == self.current.depth() && !self.is_stopped {
            self.current.hear(info);
        }
    }

    /// Notes that `stop` was sent: the iteration under way is not finished any more.
    pub fn stop(&mut self) {
        self.is_stopped = true;
    }

    /// What was found by iterations that were finished since the last time: for an analysis that takes hours, and may end by
    /// a crash.
    pub fn take_findings(&mut self) -> Findings {
        self.findings.take()
    }

    /// Ends the search, when its best move has come: what was found since the last time.
    #[must_use]
    pub fn finish(mut self) -> Findings {
        if !self.is_stopped && !self.go.may_cut(self.current.depth()) {
            self.end_iteration(Iteration::default());
        } else {
            self.current.learn_refuted(&self.root, &mut self.findings);
            self.finished.learn_effort(&self.current, &self.root, &mut self.findings);
        }
        self.findings
    }

    /// Ends the search of an engine that has died or was told to quit: as after a `stop`.
    #[must_use]
    pub fn abandon(mut self) -> Findings {
        self.stop();
        self.finish()
    }

    /// The current iteration is finished, and the next begins.
    fn end_iteration(&mut self, next: Iteration) {
        self.finished = std::mem::replace(&mut self.current, next);
        let has_learned = self.finished.learn(&self.root, &mut self.findings);
        if has_learned && !std::mem::replace(&mut self.has_links, true) {
            self.root.learn_links(&mut self.findings);
        }
    }
}

#[cfg(test)]
mod tests;
