//! The answer to `uci`: of the engine, and of one that is started again because it has died.

use std::time::Duration;

use super::{Action, Proxy, State, learn, say};
use crate::{BestMove, EngineLine};

/// After which time without an answer it is said.
const PATIENCE: Duration = Duration::from_secs(5);

/// A `uci` without an answer.
pub(super) struct Greeting {
    since: Duration,
    is_told: bool,
}

impl Greeting {
    pub(super) fn deadline(&self, timeout: Duration) -> Duration {
        self.since + if self.is_told { timeout } else { timeout.min(PATIENCE) }
    }
}

impl Proxy {
    pub(super) fn expect_greeting(&mut self, now: Duration) {
        self.greeting.get_or_insert(Greeting { since: now, is_told: false });
    }

    /// Says that an engine has not answered, and gives it up in the end.
    pub(super) fn check_greeting(&mut self, now: Duration, out: &mut dyn FnMut(Action)) {
        let Some(greeting) = &mut self.greeting else { return };
        let waited = now.saturating_sub(greeting.since);
        let problem = format!("the engine '{}' has given no uciok for {:.1} s", self.program, waited.as_secs_f64());
        if waited >= self.greeting_timeout {
            self.greeting = None;
            self.end_open_go(true, out);
            say(&problem, out);
            out(Action::GiveUp(format!("{problem}: is it a UCI engine?")));
        } else if waited >= PATIENCE && !std::mem::replace(&mut greeting.is_told, true) {
            say(&problem, out);
        }
    }

    /// The engine has answered `uci`: the proxy's own options stand before that, unless the engine has one of the name.
    pub(super) fn greeted(&mut self, line: &[u8], out: &mut dyn FnMut(Action)) {
        self.greeting = None;
        if !std::mem::replace(&mut self.has_uciok, true) {
            self.open_memory(out);
        }
        for option in self.settings.declarations() {
            if self.profile.option(&option.name).is_none() {
                out(Action::ToGui(format!("{option}\n").into_bytes()));
            }
        }
        out(Action::ToGui(line.to_vec()));
    }

    /// The engine has ended by itself. It is said, an open `go` is answered, and the engine is started again once.
    pub fn on_engine_exit(&mut self, how: &str, now: Duration, out: &mut dyn FnMut(Action)) {
        self.deaths += 1;
        let is_last = self.deaths > 1 || !self.has_uciok;
        let then = if is_last { "" } else { "; it is started again" };
        say(&format!("the engine has ended: {how}{then}"), out);
        self.end_open_go(is_last, out);
        if is_last {
            return out(Action::GiveUp(format!("the engine '{}' has ended: {how}", self.program)));
        }
        let options = self.set_options.iter().map(|(_, line)| line);
        let mut waiting: Vec<Vec<u8>> = options.chain(&self.position_line).cloned().collect();
        waiting.extend((0..self.open_isready).map(|_| b"isready\n".to_vec()));
        (self.waiting_lines, self.is_foreign) = (Some(waiting), false);
        self.greeting = Some(Greeting { since: now, is_told: false });
        out(Action::Restart);
        out(Action::ToEngine(b"uci\n".to_vec()));
    }

    /// Answers the `go` of a search that the engine cannot end. One that waits for the memory, or whose answer waits, can go
    /// on unless this is the end.
    fn end_open_go(&mut self, is_last: bool, out: &mut dyn FnMut(Action)) {
        let none = || format!("{}\n", BestMove { mv: "(none)".to_owned(), ponder: None }).into_bytes();
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Searching(mut search) => {
                search.take_observer().into_iter().for_each(|observer| learn(observer.abandon(), out));
                let last = search.last_move().map(|mv| BestMove { mv: mv.to_owned(), ponder: None });
                let answer = search.early_answer();
                let answer = answer.unwrap_or_else(|| last.map_or_else(none, |best| format!("{best}\n").into_bytes()));
                if search.must_wait() && !is_last {
                    self.state = State::Held(answer);
                } else {
                    (0..search.open_gos()).for_each(|_| out(Action::ToGui(answer.clone())));
                }
            }
            State::Held(answer) if is_last => out(Action::ToGui(answer)),
            State::Asking { .. } if is_last => out(Action::ToGui(none())),
            other => self.state = other,
        }
    }

    /// The greeting of the engine that was started again is not shown. After it, it gets its options and its position, and
    /// what the GUI has said meanwhile.
    pub(super) fn greet_again(&mut self, parsed: &EngineLine, out: &mut dyn FnMut(Action)) {
        if *parsed == EngineLine::UciOk {
            self.greeting = None;
            let waiting = self.waiting_lines.take();
            waiting.into_iter().flatten().for_each(|line| out(Action::ToEngine(line)));
        }
    }
}
