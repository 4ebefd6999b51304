//! The memory on a thread of its own: no line waits for it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Sender, SyncSender, channel};
use std::thread::{self, JoinHandle};

use mnemon_memory::{Access, MemoryError, OpenedStore, Store, Trust};
use mnemon_uci::observer::Findings;
use mnemon_uci::proxy::{Learning, Question, Settings, Show};
use mnemon_uci::remembered::{Reader, Remembered, opinions};

use super::Event;
use crate::memory_location::MemoryLocation;

enum Job {
    Open(Settings),
    LookUp(Question),
    Learn(Findings),
}

pub(super) struct MemoryThread {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl MemoryThread {
    /// `named` is the memory of the command line.
    pub(super) fn start(named: Option<PathBuf>, events: &SyncSender<Event>) -> Self {
        let (jobs, received) = channel();
        let events = events.clone();
        let thread = thread::spawn(move || {
            let trust = Trust::default();
            let mut memory = OpenMemory { named, store: None, is_writable: false, trust, is_told: false };
            for job in received {
                memory.run(job, &events);
            }
            if let Some(store) = memory.store {
                let _ = store.sync();
            }
        });
        MemoryThread { jobs: Some(jobs), thread: Some(thread) }
    }

    fn send(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            let _ = jobs.send(job);
        }
    }

    pub(super) fn open(&self, settings: Settings) {
        self.send(Job::Open(settings));
    }

    pub(super) fn look_up(&self, question: Question) {
        self.send(Job::LookUp(question));
    }

    pub(super) fn learn(&self, findings: Findings) {
        self.send(Job::Learn(findings));
    }

    /// Waits until everything is written.
    pub(super) fn finish(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct OpenMemory {
    named: Option<PathBuf>,
    store: Option<Arc<dyn Store>>,
    is_writable: bool,
    trust: Trust,
    /// Whether a problem was told: once is enough.
    is_told: bool,
}

impl OpenMemory {
    fn run(&mut self, job: Job, events: &SyncSender<Event>) {
        // The receiver is gone only when the program ends.
        match job {
            Job::Open(settings) => {
                self.store = None;
                self.is_told = false;
                let problem = self.open(&settings).err().map(|error| format!("no memory: {error}"));
                let _ = events.try_send(Event::Memory(self.store.is_some(), problem));
            }
            Job::LookUp(question) => {
                let number = question.number;
                let found = self.look_up(question);
                let (known, others) = found.unwrap_or_else(|error| {
                    self.tell("what is known cannot be read", &error, events);
                    Default::default()
                });
                let _ = events.send(Event::Remembered(number, known.map(Box::new), others));
            }
            Job::Learn(findings) => {
                let Some(store) = self.store.as_ref().filter(|_| self.is_writable) else { return };
                if let Err(error) = findings.write_to(&**store) {
                    self.tell("nothing is learned", &error, events);
                }
            }
        }
    }

    /// Says what the memory fails in, the first time.
    fn tell(&mut self, what: &str, error: &MemoryError, events: &SyncSender<Event>) {
        if !std::mem::replace(&mut self.is_told, true) {
            let problem = format!("{what}: {}", crate::memory_hints::explain_any(error));
            let _ = events.try_send(Event::Memory(true, Some(problem)));
        }
    }

    fn open(&mut self, settings: &Settings) -> crate::Result {
        let access = match settings.learning {
            Learning::Off => return Ok(()),
            Learning::ReadOnly => Access::ReadOnly,
            Learning::Resume => Access::Create,
        };
        let set = Some(settings.file.as_str()).filter(|file| !file.is_empty()).map(Path::new);
        let location = MemoryLocation::choose(set.or(self.named.as_deref()))?;
        let opened = location.for_engine(access).map_err(|error| crate::memory_hints::explain_any(&error))?;
        let OpenedStore { store, read_only } = opened;
        let contributors = store.contributors()?;
        self.trust = Trust::recorded(&contributors);
        let named = contributors.iter().filter(|known| settings.trust.iter().any(|name| known.is_named(name)));
        self.trust.merge(Trust::of(named.map(|contributor| contributor.id)));
        self.is_writable = read_only.is_none() && access == Access::Create;
        self.store = Some(store);
        read_only.map_or(Ok(()), |why| Err(why.into()))
    }

    /// What is known; nothing without a memory.
    fn look_up(&self, question: Question) -> mnemon_memory::Result<(Option<Remembered>, Vec<String>)> {
        let Some(store) = self.store.as_deref() else { return Ok(Default::default()) };
        let reader = Reader { source: question.source, trust: self.trust.clone() };
        let known = Remembered::read(store, &reader, &question.game, question.multipv, Remembered::BUDGET)?;
        let others = match question.show {
            Show::Own => Vec::new(),
            Show::All => opinions(store, &reader, question.game.root())?,
        };
        let others = others.iter().map(|opinion| format!("memory: {opinion}")).collect();
        Ok((Some(known), others))
    }
}
