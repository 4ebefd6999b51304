//! A search under way: what it has said, what the user has been shown, and which lines are held back.

use std::collections::BTreeMap;
use std::time::Duration;

use super::Action;
use crate::observer::{Findings, Observer};
use crate::remembered::Remembered;
use crate::{GoCommand, Info};

/// How long lines are held back that are shallower than what the user has seen.
const HOLD: Duration = Duration::from_secs(1);

/// How far the scores of two lines that agree may lie apart, in centipawns.
const TOLERANCE: i32 = 20;

pub(super) struct Search {
    start: Duration,
    question: Option<u64>,
    observer: Option<Observer>,
    is_infinite: bool,
    is_pondering: bool,
    /// `go` commands without an answer.
    open: u32,
    /// The engine's answer, which came too early.
    early: Option<Vec<u8>>,
    last_move: Option<String>,
    depth: u32,
    hold: Option<Hold>,
}

/// Lines that are held back.
struct Hold {
    until: Duration,
    /// By rank: depth, first move and score of what was shown.
    shown: BTreeMap<u32, (u32, String, i32)>,
    /// By rank: the engine's last line.
    lines: BTreeMap<u32, Vec<u8>>,
    /// By rank: its first move.
    moves: BTreeMap<u32, String>,
}

impl Search {
    pub(super) fn new(go: &GoCommand, observer: Option<Observer>, start: Duration, question: Option<u64>) -> Self {
        Search {
            start,
            question,
            observer,
            is_infinite: go.infinite,
            is_pondering: go.ponder,
            open: 1,
            early: None,
            last_move: None,
            depth: 0,
            hold: None,
        }
    }

    pub(super) fn start(&self) -> Duration {
        self.start
    }

    pub(super) fn question(&self) -> Option<u64> {
        self.question
    }

    pub(super) fn last_move(&self) -> Option<&str> {
        self.last_move.as_deref()
    }

    /// Whether no answer may be given yet.
    pub(super) fn must_wait(&self) -> bool {
        (self.is_infinite || self.is_pondering) && self.open == 1
    }

    pub(super) fn stop(&mut self) {
        (self.is_infinite, self.is_pondering) = (false, false);
        // An engine that has answered before has finished its iterations.
        if let (Some(observer), None) = (&mut self.observer, &self.early) {
            observer.stop();
        }
    }

    pub(super) fn ponderhit(&mut self) {
        self.is_pondering = false;
    }

    pub(super) fn put_early(&mut self, line: &[u8]) {
        self.early.get_or_insert_with(|| line.to_vec());
    }

    pub(super) fn take_early(&mut self) -> Option<Vec<u8>> {
        if self.must_wait() { None } else { self.early.take() }
    }

    /// The engine's answer that came too early, if it did.
    pub(super) fn early_answer(&mut self) -> Option<Vec<u8>> {
        self.early.take()
    }

    /// How many `go` commands have no answer.
    pub(super) fn open_gos(&self) -> u32 {
        self.open
    }

    /// Another `go` before the answer.
    pub(super) fn add_go(&mut self) {
        self.open += 1;
        (self.observer, self.hold) = (None, None);
    }

    /// One `go` is answered; whether another is open.
    pub(super) fn close_go(&mut self) -> bool {
        self.open -= 1;
        self.open > 0
    }

    pub(super) fn take_observer(&mut self) -> Option<Observer> {
        self.observer.take()
    }

    pub(super) fn findings(&mut self) -> Option<Findings> {
        self.observer.as_mut().map(Observer::take_findings)
    }

    pub(super) fn is_holding(&self) -> bool {
        self.hold.is_some()
    }

    pub(super) fn deadline(&self) -> Option<Duration> {
        self.hold.as_ref().map(|hold| hold.until)
    }

    /// Whether what is known is deeper than what the engine has printed.
    pub(super) fn is_news(&self, known: &Remembered) -> bool {
        known.lines().first().is_some_and(|line| u32::from(line.depth) > self.depth)
    }

    pub(super) fn hold_back(&mut self, known: &Remembered, now: Duration) {
        let shown = known.infos(0).zip(1..).filter_map(|(info, rank)| {
            let value = info.score?.value.centipawns();
            Some((rank, (info.depth?, info.pv.first()?.clone(), value)))
        });
        let shown = shown.collect();
        let (lines, moves) = (BTreeMap::new(), BTreeMap::new());
        self.hold = Some(Hold { until: now + HOLD, shown, lines, moves });
        self.last_move = self.last_move.take().or_else(|| known.best_move().map(|best| best.mv));
    }

    /// Takes an `info` line; `held` is the line if it has not passed yet.
    pub(super) fn hear(&mut self, info: &Info, held: Option<&[u8]>, now: Duration, out: &mut dyn FnMut(Action)) {
        if let (None | Some(1), Some(first), Some(_)) = (info.multipv, info.pv.first(), info.score) {
            self.last_move = Some(first.clone());
        }
        if info.score.is_some() {
            self.depth = self.depth.max(info.depth.unwrap_or(0));
        }
        if let Some(observer) = &mut self.observer {
            observer.hear(info);
        }
        let Some(line) = held else { return };
        let Some(hold) = &mut self.hold else { return out(Action::ToGui(line.to_vec())) };
        let rank = info.multipv.unwrap_or(1);
        let (Some(found), Some(depth)) = (info.score, info.depth) else { return out(Action::ToGui(line.to_vec())) };
        let Some((known_depth, first, value)) = hold.shown.get(&rank) else { return out(Action::ToGui(line.to_vec())) };
        let agrees = info.pv.first() == Some(first) && (found.value.centipawns() - value).abs() <= TOLERANCE;
        if depth > *known_depth {
            hold.lines.remove(&rank);
            hold.shown.remove(&rank);
            out(Action::ToGui(line.to_vec()));
        } else if agrees && now < hold.until {
            hold.lines.insert(rank, line.to_vec());
            hold.moves.insert(rank, first.clone());
        } else {
            self.release(out);
            out(Action::ToGui(line.to_vec()));
        }
    }

    /// Shows the lines that were held back, the last of each rank, and holds back no more.
    pub(super) fn release(&mut self, out: &mut dyn FnMut(Action)) {
        for line in self.hold.take().into_iter().flat_map(|hold| hold.lines.into_values()) {
            out(Action::ToGui(line));
        }
    }

    /// Before the best move: what was held back is shown only if the engine ends with another move.
    pub(super) fn release_unless(&mut self, best: &str, out: &mut dyn FnMut(Action)) {
        let agrees = self.hold.as_ref().is_some_and(|hold| hold.moves.get(&1).is_some_and(|mv| mv == best));
        if agrees {
            self.hold = None;
        }
        self.release(out);
    }
}
