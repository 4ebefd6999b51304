//! A `go`: the memory is asked, its lines are shown, and it answers or the engine searches.

use std::time::Duration;

use super::{Action, Learning, Proxy, Question, Search, State, say};
use crate::GoCommand;
use crate::observer::Observer;
use crate::remembered::Remembered;

impl Proxy {
    pub(super) fn go(&mut self, go: GoCommand, line: &[u8], now: Duration, out: &mut dyn FnMut(Action)) {
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Held(answer) => out(Action::ToGui(answer)),
            State::Asking { line, go, .. } => self.search(go, &line, now, None, out),
            other => self.state = other,
        }
        if let State::Searching(search) = &mut self.state {
            // A GUI that does not wait for its answer: both are the engine's affair, and nothing is learned.
            search.add_go();
            return self.send_to_engine(line, out);
        }
        if go.perft.is_some() {
            // A count, which most engines give no best move for.
            self.is_foreign = true;
            return self.send_to_engine(line, out);
        }
        self.is_foreign = false;
        // The memory's lines come first, or are all of the answer, unless a clock runs meanwhile.
        let is_timed = go.wtime.is_some() || go.btime.is_some() || go.movetime.is_some();
        match self.question() {
            Some(question) if !is_timed && go.searchmoves.is_empty() => {
                self.state = State::Asking { number: question.number, go, line: line.to_vec(), since: now };
                out(Action::LookUp(question));
            }
            question => {
                let number = question.as_ref().map(|question| question.number);
                self.search(go, line, now, number, out);
                question.into_iter().for_each(|question| out(Action::LookUp(question)));
            }
        }
    }

    fn question(&mut self) -> Option<Question> {
        let is_asked = self.has_memory && self.settings.learning != Learning::Off && self.profile.plays_chess();
        if !is_asked || self.profile.is_limited() {
            return None;
        }
        let (source, game) = (self.profile.source()?, self.game()?);
        self.questions += 1;
        let (number, multipv, show) = (self.questions, self.profile.multipv(), self.settings.show);
        Some(Question { number, source, game, multipv, show })
    }

    /// Lets the engine search.
    pub(super) fn search(
        &mut self,
        go: GoCommand,
        line: &[u8],
        now: Duration,
        question: Option<u64>,
        out: &mut dyn FnMut(Action),
    ) {
        self.send_to_engine(line, out);
        let learns = self.has_memory && self.settings.learning == Learning::Resume;
        let game = if learns { self.game() } else { None };
        let observer = game.and_then(|game| Observer::new(game, &go, &self.profile, mnemon_memory::unix_time()));
        self.state = State::Searching(Box::new(Search::new(&go, observer, now, question)));
    }

    /// What the memory knows; `others` are opinions of other sources.
    pub fn on_remembered(
        &mut self,
        number: u64,
        known: Option<&Remembered>,
        others: &[String],
        now: Duration,
        out: &mut dyn FnMut(Action),
    ) {
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Asking { number: asked, go, line, since } if asked == number => {
                let covering = known.filter(|known| known.covers(&go));
                let answer = covering.and_then(|known| Some((known, known.best_move()?)));
                let Some((known, best)) = answer else {
                    self.search(go, &line, now, Some(number), out);
                    return self.on_remembered(number, known, others, now, out);
                };
                self.show(known, others, now.saturating_sub(since), out);
                let best = format!("{best}\n").into_bytes();
                if go.infinite || go.ponder {
                    self.state = State::Held(best);
                } else {
                    out(Action::ToGui(best));
                }
            }
            State::Searching(mut search) => {
                if search.question() == Some(number) {
                    let since = now.saturating_sub(search.start());
                    if let Some(known) = known.filter(|known| search.is_news(known)) {
                        self.show(known, others, since, out);
                        search.hold_back(known, now);
                    } else {
                        others.iter().for_each(|other| say(other, out));
                    }
                }
                self.state = State::Searching(search);
            }
            other => self.state = other,
        }
    }

    fn show(&self, known: &Remembered, others: &[String], time: Duration, out: &mut dyn FnMut(Action)) {
        let Some(source) = self.profile.source() else { return };
        say(&known.summary(&source), out);
        for info in known.infos(time.as_millis() as u64) {
            out(Action::ToGui(format!("{info}\n").into_bytes()));
        }
        others.iter().for_each(|other| say(other, out));
    }
}
