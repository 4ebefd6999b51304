//! One search: its lines as they stand, and those who listen.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use tokio::sync::broadcast;

use super::event::{DoneEvent, Event, LineEvent};
use super::request::SearchPlan;
use crate::known::MoveName;

/// Events that wait for a slow listener; older ones are dropped, and it is told so.
const BACKLOG: usize = 256;

/// A search that runs or has run.
pub(crate) struct Search {
    pub(crate) id: String,
    pub(crate) engine: String,
    pub(crate) position: String,
    seconds: u64,
    stop: AtomicBool,
    listeners: AtomicUsize,
    sender: broadcast::Sender<Event>,
    progress: Mutex<Progress>,
}

#[derive(Default)]
struct Progress {
    /// The number of the last event.
    last: u64,
    /// By rank.
    lines: BTreeMap<u32, Event>,
    best: Option<MoveName>,
    from_memory: usize,
    done: Option<(&'static str, Event)>,
}

/// A search as JSON.
#[derive(Serialize)]
pub(crate) struct SearchReport {
    pub(crate) id: String,
    pub(crate) engine: String,
    pub(crate) position: String,
    /// `running`, `done` or `failed`.
    pub(crate) state: &'static str,
    /// How many lines the memory knew.
    pub(crate) from_memory: usize,
    pub(crate) seconds: u64,
}

impl Search {
    pub(super) fn new(id: u64, engine: &str, plan: &SearchPlan) -> Self {
        Search {
            id: id.to_string(),
            engine: engine.to_owned(),
            position: plan.game.root().to_string(),
            seconds: plan.seconds,
            stop: AtomicBool::new(false),
            listeners: AtomicUsize::new(0),
            sender: broadcast::Sender::new(BACKLOG),
            progress: Mutex::default(),
        }
    }

    pub(crate) fn is_running(&self) -> bool {
        self.lock().done.is_none()
    }

    /// Asks the search to end.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// How many listen.
    pub(super) fn listeners(&self) -> usize {
        self.listeners.load(Ordering::Relaxed)
    }

    /// Tells a line.
    pub(super) fn tell_line(&self, line: LineEvent) {
        let mut progress = self.lock();
        progress.last += 1;
        progress.from_memory += usize::from(line.from == "memory");
        if line.rank == 1 {
            progress.best = line.moves.first().map(|step| step.name.clone());
        }
        let event = Event::new(progress.last, "line", &line);
        progress.lines.insert(line.rank, event.clone());
        // Without listeners there is nobody to tell. Sent under the lock, so that a listener misses nothing.
        let _ = self.sender.send(event);
    }

    /// Tells the end.
    pub(super) fn tell_done(&self, mut done: DoneEvent) {
        let mut progress = self.lock();
        progress.last += 1;
        done.best = progress.best.clone();
        let event = Event::new(progress.last, "done", &done);
        progress.done = Some((done.state, event.clone()));
        let _ = self.sender.send(event);
    }

    /// What stands now, in the order in which it came, and what comes from now on.
    pub(super) fn listen(&self) -> (Vec<Event>, broadcast::Receiver<Event>) {
        let progress = self.lock();
        let mut standing: Vec<Event> = progress.lines.values().cloned().collect();
        standing.sort_by_key(|event| event.number);
        standing.extend(progress.done.iter().map(|(_, event)| event.clone()));
        self.listeners.fetch_add(1, Ordering::Relaxed);
        (standing, self.sender.subscribe())
    }

    pub(super) fn leave(&self) {
        self.listeners.fetch_sub(1, Ordering::Relaxed);
    }

    pub(crate) fn report(&self) -> SearchReport {
        let progress = self.lock();
        SearchReport {
            id: self.id.clone(),
            engine: self.engine.clone(),
            position: self.position.clone(),
            state: progress.done.as_ref().map_or("running", |(state, _)| state),
            from_memory: progress.from_memory,
            seconds: self.seconds,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
