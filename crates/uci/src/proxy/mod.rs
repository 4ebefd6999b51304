//! A proxy between a GUI and an engine that remembers: the state machine, without processes, files or clocks.
//!
//! The caller brings lines of both sides, what the memory knows and the time, and carries out [`Action`]s in their order.
//! A line passes as the bytes that came, before it is parsed.
//!
//! ```
//! use std::time::Duration;
//! use mnemon_uci::proxy::{Action, Proxy};
//!
//! let mut proxy = Proxy::new("engine", "");
//! let mut actions = Vec::new();
//! proxy.on_gui_line(b"isready\n", Duration::ZERO, &mut |action| actions.push(action));
//! assert_eq!(actions, [Action::ToEngine(b"isready\n".to_vec())]);
//! ```

mod action;
mod engine_side;
mod go;
mod greeting;
mod gui_side;
mod search;
mod settings;
#[cfg(test)]
mod tests;

use std::time::Duration;

use crate::observer::{EngineProfile, Findings, GameHistory};
use crate::{GoCommand, Info, PositionCommand};
pub use action::{Action, Question};
use greeting::Greeting;
use search::Search;
pub use settings::{Learning, Settings, Show};

/// How long a `go` may wait for the memory before the engine gets it.
const PATIENCE: Duration = Duration::from_millis(500);
/// The same for one that the memory may answer whole.
const PATIENCE_FOR_ANSWER: Duration = Duration::from_secs(2);

enum State {
    /// The engine has nothing to do.
    Idle,
    /// The memory is asked before the engine: it may answer the `go`, and its lines come first.
    Asking { number: u64, go: GoCommand, line: Vec<u8>, since: Duration },
    /// The engine searches.
    Searching(Box<Search>),
    /// The answer is known, and must wait for `stop` or `ponderhit`. The engine knows nothing of this `go`.
    Held(Vec<u8>),
}

/// The state machine.
pub struct Proxy {
    program: String,
    profile: EngineProfile,
    settings: Settings,
    state: State,
    position: PositionCommand,
    position_line: Option<Vec<u8>>,
    /// Whether the engine's position is the one that `position` gave last: `flip` changes it, and `bench` sets its own.
    is_position_known: bool,
    /// What the GUI has set, in order and each option once, for an engine that is started again.
    set_options: Vec<(String, Vec<u8>)>,
    /// `isready` commands without an answer.
    open_isready: u32,
    /// Whether the engine does something that no `go` asked for.
    is_foreign: bool,
    has_uciok: bool,
    /// The `uci` that has no answer yet.
    greeting: Option<Greeting>,
    greeting_timeout: Duration,
    /// While an engine that was started again greets: the lines that it gets afterwards.
    waiting_lines: Option<Vec<Vec<u8>>>,
    deaths: u32,
    has_memory: bool,
    questions: u64,
}

impl Proxy {
    /// How long an engine may take to answer `uci`, unless something else is set.
    pub const GREETING_TIMEOUT: Duration = Duration::from_secs(30);

    /// A proxy of an engine whose program has this name; `memory_file` is the default file.
    pub fn new(program: &str, memory_file: &str) -> Self {
        Proxy {
            program: program.to_owned(),
            profile: EngineProfile::new(program),
            settings: Settings::new(memory_file),
            state: State::Idle,
            position: PositionCommand::default(),
            position_line: None,
            is_position_known: true,
            set_options: Vec::new(),
            open_isready: 0,
            is_foreign: false,
            has_uciok: false,
            greeting: None,
            greeting_timeout: Self::GREETING_TIMEOUT,
            waiting_lines: None,
            deaths: 0,
            has_memory: false,
            questions: 0,
        }
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The settings, to be changed before the first line.
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// How long the engine may take to answer `uci`.
    pub fn set_greeting_timeout(&mut self, timeout: Duration) {
        self.greeting_timeout = timeout;
    }

    /// Whether there is a memory to ask and to write.
    pub fn set_memory(&mut self, is_open: bool) {
        self.has_memory = is_open;
    }

    /// When [`on_time`](Self::on_time) is wanted.
    pub fn deadline(&self) -> Option<Duration> {
        let of_state = match &self.state {
            State::Asking { go, since, .. } => {
                let may_be_covered = go.depth.is_some() || go.nodes.is_some() || go.mate.is_some();
                Some(*since + if may_be_covered { PATIENCE_FOR_ANSWER } else { PATIENCE })
            }
            State::Searching(search) => search.deadline(),
            _ => None,
        };
        let of_greeting = self.greeting.as_ref().map(|greeting| greeting.deadline(self.greeting_timeout));
        of_state.into_iter().chain(of_greeting).min()
    }

    /// The time that [`deadline`](Self::deadline) named has come.
    pub fn on_time(&mut self, now: Duration, out: &mut dyn FnMut(Action)) {
        self.check_greeting(now, out);
        if self.deadline().is_none_or(|deadline| now < deadline) {
            return;
        }
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Asking { number, go, line, .. } => self.search(go, &line, now, Some(number), out),
            State::Searching(mut search) => {
                search.release(out);
                self.state = State::Searching(search);
            }
            other => self.state = other,
        }
    }

    /// What was found by finished iterations, from time to time.
    pub fn flush(&mut self, out: &mut dyn FnMut(Action)) {
        if let State::Searching(search) = &mut self.state {
            search.findings().into_iter().for_each(|findings| learn(findings, out));
        }
    }

    /// The GUI has vanished or says `quit`: what was finished is learned.
    pub fn abandon(&mut self, out: &mut dyn FnMut(Action)) {
        if let State::Searching(search) = &mut self.state {
            search.take_observer().into_iter().for_each(|observer| learn(observer.abandon(), out));
        }
    }

    /// The position that the engine has, with the game before it.
    fn game(&self) -> Option<GameHistory> {
        let game = || GameHistory::read(&self.position, self.profile.is_chess960());
        self.is_position_known.then(game).flatten()
    }

    /// Has the memory opened. Until it is known that there is none, it is asked and written: it answers when it is open.
    fn open_memory(&mut self, out: &mut dyn FnMut(Action)) {
        self.has_memory = true;
        out(Action::OpenMemory(self.settings.clone()));
    }

    /// Sends a line to the engine; one that is started again gets it after its greeting.
    fn send_to_engine(&mut self, line: &[u8], out: &mut dyn FnMut(Action)) {
        match &mut self.waiting_lines {
            Some(waiting) => waiting.push(line.to_vec()),
            None => out(Action::ToEngine(line.to_vec())),
        }
    }
}

fn learn(findings: Findings, out: &mut dyn FnMut(Action)) {
    if !findings.is_empty() {
        out(Action::Learn(findings));
    }
}

/// Says something to people.
fn say(text: &str, out: &mut dyn FnMut(Action)) {
    out(Action::ToGui(format!("{}\n", Info::message(text)).into_bytes()));
}
