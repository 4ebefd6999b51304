//! What an engine finds is written while it searches, on a thread of its own: another program may hold the memory for minutes.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mnemon_chess::Position;
use mnemon_memory::{Merged, Store};
use mnemon_uci::Info;
use mnemon_uci::observer::{Findings, Observer};

/// How often findings of a running search are written.
const FLUSH: Duration = Duration::from_millis(500);

/// Hears one search.
pub(super) struct Learner {
    observer: Observer,
    root: Position,
    jobs: Sender<Findings>,
    writer: JoinHandle<Learned>,
    depth: Option<u8>,
    flushed: Instant,
}

/// What was learned of one search.
#[derive(Default)]
pub(super) struct Learned {
    pub(super) merged: Merged,
    /// The depth to which the root is known by it.
    pub(super) depth: Option<u8>,
    /// Why nothing more was written.
    pub(super) failure: Option<String>,
}

impl Learner {
    pub(super) fn start(observer: Observer, root: Position, store: Arc<dyn Store>) -> Self {
        let (jobs, received) = channel::<Findings>();
        let writer = std::thread::spawn(move || {
            let mut learned = Learned::default();
            for findings in received {
                match findings.write_to(&*store) {
                    Ok(merged) => learned.merged += merged,
                    Err(error) => learned.failure = Some(crate::memory_hints::explain_any(&error)),
                }
            }
            learned
        });
        Learner { observer, root, jobs, writer, depth: None, flushed: Instant::now() }
    }

    pub(super) fn hear(&mut self, info: &Info) {
        self.observer.hear(info);
        if self.flushed.elapsed() >= FLUSH {
            self.flushed = Instant::now();
            let findings = self.observer.take_findings();
            self.depth = self.depth.max(findings.depth_of(&self.root));
            // The writer ends only after this.
            let _ = self.jobs.send(findings);
        }
    }

    pub(super) fn stop(&mut self) {
        self.observer.stop();
    }

    /// Ends the search, by its best move or by the engine's end, and waits until everything is written.
    pub(super) fn finish(self, has_answer: bool) -> Learned {
        let findings = if has_answer { self.observer.finish() } else { self.observer.abandon() };
        let depth = self.depth.max(findings.depth_of(&self.root));
        let _ = self.jobs.send(findings);
        drop(self.jobs);
        let failed = |_| Learned { failure: Some("the memory's thread has failed".to_owned()), ..Learned::default() };
        Learned { depth, ..self.writer.join().unwrap_or_else(failed) }
    }
}
