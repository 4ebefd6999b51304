//! Workers: each has an evaluator and a thread, and all share one explorer.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use mnemon_memory::MemoryError;

use super::Explored;
use super::evaluator::{Evaluation, Evaluator, EvaluatorError, Stop};
use super::explorer::{Explorer, Learned, Next};
use super::job::Job;

/// When an exploration ends by itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunLimits {
    /// After this time: searches that run are given up.
    pub time: Option<Duration>,
    /// After this many searches.
    pub searches: Option<u64>,
}

/// Why an exploration ended.
#[derive(Debug)]
pub enum Outcome {
    /// It was stopped.
    Stopped,
    /// Its time or its number of searches is over.
    Limit,
    /// Nothing is left to be searched: the root is settled, or everything within the limits was searched.
    Complete,
    /// No engine is left.
    NoEngine(EvaluatorError),
    /// The memory cannot be read or written.
    Memory(MemoryError),
}

/// What happens during an exploration.
pub enum Event<'e, G: Explored> {
    /// A worker begins a search.
    Begun {
        /// The worker's number.
        worker: usize,
        /// The search.
        job: &'e Job<G>,
    },
    /// A worker has ended a search, and what it found is in the memory.
    Learned {
        /// The worker's number.
        worker: usize,
        /// The search.
        job: &'e Job<G>,
        /// What was found.
        found: &'e Evaluation,
        /// What it changed.
        learned: Learned,
        /// The tree by now.
        explorer: &'e Explorer<G>,
    },
    /// A worker's engine failed. It is started again once; then the worker ends.
    Failed {
        /// The worker's number.
        worker: usize,
        /// What happened.
        error: &'e EvaluatorError,
        /// Whether it is started again.
        restarts: bool,
    },
}

/// Hears what happens, from the workers' threads, one event at a time.
pub trait Watch<G: Explored>: Sync {
    /// Called for each event.
    fn notify(&self, event: Event<'_, G>);
}

impl<G: Explored, F: Fn(Event<'_, G>) + Sync> Watch<G> for F {
    fn notify(&self, event: Event<'_, G>) {
        self(event);
    }
}

/// What the workers share.
struct Shared<'s, G: Explored> {
    state: Mutex<State<G>>,
    /// Something has changed for workers that wait.
    changed: Condvar,
    limits: RunLimits,
    start: Instant,
    stop: &'s Stop,
    watch: &'s dyn Watch<G>,
}

struct State<G: Explored> {
    explorer: Explorer<G>,
    begun: u64,
    workers: usize,
    outcome: Option<Outcome>,
}

/// How often waiting workers look again.
const WAIT: Duration = Duration::from_millis(100);

/// Explores until a limit, an error, or the flag ends it; returns why, and the tree. Each result is learned as a whole; a
/// search that is stopped is given up.
pub fn run<G: Explored>(
    explorer: Explorer<G>,
    evaluators: Vec<Box<dyn Evaluator<G>>>,
    limits: RunLimits,
    stop: &Stop,
    watch: &dyn Watch<G>,
) -> (Outcome, Explorer<G>) {
    let state = State { explorer, begun: 0, workers: evaluators.len(), outcome: None };
    let shared =
        Shared { state: Mutex::new(state), changed: Condvar::new(), limits, start: Instant::now(), stop, watch };
    std::thread::scope(|scope| {
        for (worker, evaluator) in evaluators.into_iter().enumerate() {
            let shared = &shared;
            scope.spawn(move || shared.work(worker, evaluator));
        }
        shared.supervise();
    });
    let state = shared.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    (state.outcome.unwrap_or(Outcome::Stopped), state.explorer)
}

impl<G: Explored> Shared<'_, G> {
    fn lock(&self) -> MutexGuard<'_, State<G>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Renews the leases and ends the searches when the time is over, until every worker has ended.
    fn supervise(&self) {
        let mut state = self.lock();
        let renewal = state.explorer.leases().map_or(Duration::MAX, super::Leases::renewal);
        let mut renewed = Instant::now();
        while state.workers > 0 {
            if self.limits.time.is_some_and(|limit| self.start.elapsed() >= limit) {
                state.outcome.get_or_insert(Outcome::Limit);
            }
            if state.outcome.is_some() && !matches!(state.outcome, Some(Outcome::Limit)) || self.is_out_of_time() {
                self.stop.set();
            }
            if renewed.elapsed() >= renewal {
                state.explorer.renew_leases();
                renewed = Instant::now();
            }
            state = self.changed.wait_timeout(state, WAIT / 4).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn is_out_of_time(&self) -> bool {
        self.limits.time.is_some_and(|limit| self.start.elapsed() >= limit)
    }

    fn work(&self, worker: usize, mut evaluator: Box<dyn Evaluator<G>>) {
        let mut has_restarted = false;
        while let Some(job) = self.next(&*evaluator) {
            self.watch.notify(Event::Begun { worker, job: &job });
            match evaluator.search(&job.request(), self.stop) {
                Ok(Some(found)) => {
                    has_restarted = false;
                    self.learn(worker, &job, &found, &*evaluator);
                }
                Ok(None) => self.lock().explorer.abandon(&job),
                Err(error) => {
                    let mut state = self.lock();
                    state.explorer.abandon(&job);
                    state.begun -= 1;
                    drop(state);
                    let restarts = !has_restarted && !self.stop.is_set();
                    self.watch.notify(Event::Failed { worker, error: &error, restarts });
                    let restarted = if restarts { evaluator.restart() } else { Err(error) };
                    has_restarted = true;
                    if let Err(error) = restarted {
                        if restarts {
                            self.watch.notify(Event::Failed { worker, error: &error, restarts: false });
                        }
                        self.leave(Some(error));
                        return;
                    }
                }
            }
            self.changed.notify_all();
        }
        self.leave(None);
    }

    /// A worker ends; with the last one the exploration does.
    fn leave(&self, error: Option<EvaluatorError>) {
        let mut state = self.lock();
        state.workers -= 1;
        if let Some(error) = error.filter(|_| state.workers == 0) {
            state.outcome.get_or_insert(Outcome::NoEngine(error));
        }
        self.changed.notify_all();
    }

    /// The next search; `None` if the exploration ends.
    fn next(&self, evaluator: &dyn Evaluator<G>) -> Option<Box<Job<G>>> {
        let mut state = self.lock();
        loop {
            if self.stop.is_set() || state.outcome.is_some() {
                return None;
            }
            if self.limits.searches.is_some_and(|limit| state.begun >= limit) {
                state.outcome = Some(Outcome::Limit);
                return None;
            }
            match state.explorer.next(evaluator.source()) {
                Ok(Next::Search(job)) => {
                    state.begun += 1;
                    return Some(job);
                }
                Ok(Next::Done) => state.outcome = Some(Outcome::Complete),
                Ok(Next::Wait) => {
                    state = self.changed.wait_timeout(state, WAIT).unwrap_or_else(PoisonError::into_inner).0;
                }
                Err(error) => state.outcome = Some(Outcome::Memory(error)),
            }
        }
    }

    fn learn(&self, worker: usize, job: &Job<G>, found: &Evaluation, evaluator: &dyn Evaluator<G>) {
        let mut state = self.lock();
        match state.explorer.learn(job, found, evaluator.source()) {
            Ok(learned) => {
                let explorer = &state.explorer;
                self.watch.notify(Event::Learned { worker, job, found, learned, explorer });
            }
            Err(error) => state.outcome = Some(Outcome::Memory(error)),
        }
    }
}
