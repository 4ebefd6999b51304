//! Follows an exploration: counts, keeps what changed, and passes it on to the screen, to plain lines, or as JSON.

use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use mnemon_explore::grow::{Event, Explored, Explorer, Job, Outcome, Overview, Watch, move_texts};
use mnemon_search::Notation;
use mnemon_table::Score;

use super::screen::Screen;
use super::{Arguments, json, plain, summary};
use crate::Result;
use crate::output::{escape_controls, say};

/// What has happened so far.
pub(super) struct Tally<G> {
    pub(super) root: G,
    pub(super) start: Instant,
    pub(super) searches: u64,
    /// Searches that found nothing that may be kept.
    pub(super) barren: u64,
    pub(super) nodes: u64,
    pub(super) before: Overview,
    pub(super) now: Overview,
    /// The values that the root had, with the times at which they came, the last one last.
    pub(super) changes: Vec<(Duration, Score, String)>,
    /// What each worker searches.
    pub(super) searching: Vec<Option<String>>,
}

impl<G> Tally<G> {
    /// Searches a minute.
    pub(super) fn rate(&self) -> f64 {
        self.searches as f64 * 60.0 / self.start.elapsed().as_secs_f64().max(1e-3)
    }

    /// The number of positions of the tree.
    pub(super) fn positions(&self) -> usize {
        self.now.by_ply.iter().sum()
    }

    /// The positions that this run added, or found to be known meanwhile.
    pub(super) fn added(&self) -> usize {
        self.positions() - self.before.by_ply.iter().sum::<usize>()
    }
}

/// Where it is shown.
enum Output {
    Json,
    Plain(Mutex<plain::Plain>),
    Screen(Screen),
}

/// Hears the events of an exploration.
pub(super) struct Watcher<G> {
    tally: Mutex<Tally<G>>,
    output: Output,
    /// The first line that could not be written, such as to a closed pipe.
    failure: Mutex<Option<io::Error>>,
}

impl<G: Explored + Notation> Watcher<G> {
    /// Begins with the tree as it was found.
    pub(super) fn new(
        arguments: &Arguments,
        explorer: &Explorer<G>,
        workers: usize,
        engines: &[String],
        memory: &Path,
    ) -> Result<Self> {
        let now = explorer.overview();
        let changes = first_change(&now).into_iter().collect();
        let tally = Tally {
            root: explorer.root().clone(),
            start: Instant::now(),
            searches: 0,
            barren: 0,
            nodes: 0,
            before: now.clone(),
            now,
            changes,
            searching: vec![None; workers],
        };
        let output = if arguments.json {
            say(json::begun(&tally, engines, memory))?;
            Output::Json
        } else {
            let head = summary::head(&tally, engines, memory);
            say(escape_controls(&head))?;
            Screen::new().map_or_else(|| Output::Plain(Mutex::default()), Output::Screen)
        };
        Ok(Watcher { tally: Mutex::new(tally), output, failure: Mutex::new(None) })
    }

    /// Shows what changed, and the tree's main lines.
    pub(super) fn finish(self, explorer: &Explorer<G>, outcome: &Outcome, was_pressed: bool) -> Result {
        if let Some(error) = self.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error.into());
        }
        let mut tally = self.tally.into_inner().unwrap_or_else(PoisonError::into_inner);
        tally.now = explorer.overview();
        let lines = explorer.main_lines(LINES);
        let why = summary::why(outcome, &tally, was_pressed);
        match self.output {
            Output::Json => say(json::ended(&tally, &lines, &why))?,
            Output::Plain(_) => say(escape_controls(&summary::summary(&tally, &lines, &why)))?,
            Output::Screen(screen) => {
                screen.clear();
                say(escape_controls(&summary::summary(&tally, &lines, &why)))?;
            }
        }
        Ok(())
    }

    fn tally(&self) -> std::sync::MutexGuard<'_, Tally<G>> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, result: io::Result<()>) {
        if let Err(error) = result {
            self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }
}

/// The lines at the end.
const LINES: usize = 4;

fn first_change(now: &Overview) -> Option<(Duration, Score, String)> {
    Some((Duration::ZERO, now.score?, now.line.first().cloned().unwrap_or_default()))
}

/// The moves to a search, and whether it is of the other moves there.
fn searched<G: Explored + Notation>(root: &G, job: &Job<G>) -> String {
    let mut words = move_texts(root, &job.line);
    if words.is_empty() {
        words.push("the root".to_owned());
    }
    if job.is_rest() {
        words.push("(other moves)".to_owned());
    }
    words.join(" ")
}

impl<G: Explored + Notation> Watch<G> for Watcher<G> {
    fn notify(&self, event: Event<'_, G>) {
        let mut tally = self.tally();
        match event {
            Event::Begun { worker, job } => {
                tally.searching[worker] = Some(searched(&tally.root, job));
                if let Output::Screen(screen) = &self.output {
                    screen.show(&tally);
                }
            }
            Event::Learned { worker, job, found, learned, explorer } => {
                tally.searching[worker] = None;
                tally.searches += 1;
                tally.barren += u64::from(!learned.has_learned);
                tally.nodes += found.nodes;
                tally.now = explorer.overview();
                let best = tally.now.line.first().cloned().unwrap_or_default();
                let change = tally
                    .now
                    .score
                    .filter(|&score| tally.changes.last().is_none_or(|(_, last, mv)| (*last, mv) != (score, &best)));
                if let Some(score) = change {
                    let at = tally.start.elapsed();
                    tally.changes.push((at, score, best));
                }
                match &self.output {
                    Output::Json => self.note(say(json::searched(&tally, job, found, learned))),
                    Output::Plain(plain) => {
                        let mut plain = plain.lock().unwrap_or_else(PoisonError::into_inner);
                        let line = plain.line(&tally, change.is_some());
                        self.note(line.map_or(Ok(()), |line| say(escape_controls(&line))));
                    }
                    Output::Screen(screen) => screen.show(&tally),
                }
            }
            Event::Failed { worker, error, restarts } => {
                tally.searching[worker] = None;
                let what = if restarts { "it is started again" } else { "its worker ends" };
                let line = escape_controls(&format!("mnemon: {error}; {what}"));
                match &self.output {
                    Output::Screen(screen) => screen.above(&line),
                    Output::Plain(_) | Output::Json => eprintln!("{line}"),
                }
            }
        }
    }
}
