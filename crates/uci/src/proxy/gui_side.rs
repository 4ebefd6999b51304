//! Lines of the GUI, all but what a `go` comes to.

use std::time::Duration;

use super::{Action, Proxy, Settings, State, learn, say};
use crate::{Command, PositionCommand};

/// Commands beyond UCI that neither search nor change the position.
const HARMLESS: [&str; 8] = ["d", "eval", "compiler", "export_net", "help", "license", "register", "debug"];

impl Proxy {
    /// A line of the GUI, with its end.
    pub fn on_gui_line(&mut self, line: &[u8], now: Duration, out: &mut dyn FnMut(Action)) {
        let text = String::from_utf8_lossy(line);
        let Some(first) = text.split_ascii_whitespace().next() else { return self.send_to_engine(line, out) };
        // What stands before a command makes it another one for a proxy.
        let parsed = Command::parse(&text).command;
        let command = parsed.filter(|command| command.to_string().split(' ').next() == Some(first));
        if !matches!(command, Some(Command::IsReady | Command::Go(_) | Command::Stop | Command::PonderHit)) {
            // What follows a `go` reaches the engine after it.
            self.stop_asking(now, out);
        }
        match command {
            Some(Command::SetOption { name, value }) => return self.set_option(&name, value, line, out),
            Some(Command::Go(go)) => return self.go(go, line, now, out),
            Some(Command::Stop) => return self.free_answer(line, now, super::Search::stop, out),
            Some(Command::PonderHit) => return self.free_answer(line, now, super::Search::ponderhit, out),
            Some(Command::Position(position)) => {
                (self.position, self.position_line) = (position, Some(line.to_vec()));
                (self.is_foreign, self.is_position_known) = (false, true);
            }
            // Engines keep their position or set up the starting position.
            Some(Command::NewGame) => self.is_position_known &= self.position == PositionCommand::default(),
            Some(Command::IsReady) => self.open_isready += 1,
            Some(Command::Uci) => self.expect_greeting(now),
            Some(Command::Quit) => self.abandon(out),
            Some(Command::Debug(_)) => {}
            None if HARMLESS.contains(&first) => {}
            None => (self.is_foreign, self.is_position_known) = (true, false),
        }
        self.send_to_engine(line, out);
    }

    /// Lets a `go` that waits for the memory begin.
    fn stop_asking(&mut self, now: Duration, out: &mut dyn FnMut(Action)) {
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Asking { number, go, line, .. } => self.search(go, &line, now, Some(number), out),
            other => self.state = other,
        }
    }

    fn set_option(&mut self, name: &str, value: Option<String>, line: &[u8], out: &mut dyn FnMut(Action)) {
        if self.profile.option(name).is_none() && Settings::has(name) {
            match self.settings.set(name, value.as_deref()) {
                Ok(true) => self.open_memory(out),
                Ok(false) => {}
                Err(problem) => say(&problem, out),
            }
            return;
        }
        self.profile.set(name, value.as_deref());
        self.set_options.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self.set_options.push((name.to_owned(), line.to_vec()));
        self.send_to_engine(line, out);
    }

    /// `stop` or `ponderhit`, which `change` tells the search: an answer that is there may be given now.
    fn free_answer(&mut self, line: &[u8], now: Duration, change: fn(&mut super::Search), out: &mut dyn FnMut(Action)) {
        self.stop_asking(now, out);
        match std::mem::replace(&mut self.state, State::Idle) {
            // The engine knows nothing of this `go`.
            State::Held(answer) => return out(Action::ToGui(answer)),
            State::Searching(mut search) => {
                change(&mut search);
                match search.take_early() {
                    Some(answer) => self.end_search(*search, &answer, out),
                    None => self.state = State::Searching(search),
                }
            }
            other => self.state = other,
        }
        self.send_to_engine(line, out);
    }

    /// The one answer of a `go`.
    pub(super) fn end_search(&mut self, mut search: super::Search, line: &[u8], out: &mut dyn FnMut(Action)) {
        search.release_unless(&super::engine_side::best_of(line), out);
        out(Action::ToGui(line.to_vec()));
        let is_open = search.close_go();
        search.take_observer().into_iter().for_each(|observer| learn(observer.finish(), out));
        if is_open {
            self.state = State::Searching(Box::new(search));
        }
    }
}
