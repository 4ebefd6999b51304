//! Lines of the engine.

use std::time::Duration;

use super::{Action, Proxy, State};
use crate::EngineLine;

impl Proxy {
    /// A line of the engine, with its end.
    pub fn on_engine_line(&mut self, line: &[u8], now: Duration, out: &mut dyn FnMut(Action)) {
        let is_holding = matches!(&self.state, State::Searching(search) if search.is_holding());
        let is_info = line.trim_ascii_start().starts_with(b"info");
        let passes_first = is_info && !is_holding && self.waiting_lines.is_none();
        if passes_first {
            out(Action::ToGui(line.to_vec()));
        }
        let parsed = EngineLine::parse(&String::from_utf8_lossy(line));
        if self.waiting_lines.is_some() {
            return self.greet_again(&parsed, out);
        }
        match &parsed {
            EngineLine::Info(info) => {
                if let State::Searching(search) = &mut self.state
                    && !self.is_foreign
                {
                    search.hear(info, (!passes_first).then_some(line), now, out);
                } else if !passes_first {
                    out(Action::ToGui(line.to_vec()));
                }
            }
            EngineLine::BestMove(_) => self.best_move(line, out),
            EngineLine::UciOk => self.greeted(line, out),
            parsed => {
                out(Action::ToGui(line.to_vec()));
                self.profile.hear(parsed);
                if *parsed == EngineLine::ReadyOk {
                    self.open_isready = self.open_isready.saturating_sub(1);
                }
            }
        }
    }

    fn best_move(&mut self, line: &[u8], out: &mut dyn FnMut(Action)) {
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Searching(mut search) if search.must_wait() => {
                search.put_early(line);
                self.state = State::Searching(search);
            }
            State::Searching(search) => self.end_search(*search, line, out),
            // What `bench` says passes; a second answer to one `go` does not.
            State::Idle if self.is_foreign => out(Action::ToGui(line.to_vec())),
            other => self.state = other,
        }
    }
}

/// The move of a `bestmove` line.
pub(super) fn best_of(line: &[u8]) -> String {
    match EngineLine::parse(&String::from_utf8_lossy(line)) {
        EngineLine::BestMove(best) => best.mv,
        _ => String::new(),
    }
}
