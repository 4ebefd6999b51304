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
mod search;
mod settings;
#[cfg(test)]
mod tests;

use std::time::Duration;

use crate::observer::{EngineProfile, Findings, GameHistory, Observer};
use crate::remembered::Remembered;
use crate::{BestMove, Command, EngineLine, GoCommand, Info, PositionCommand};
pub use action::{Action, Question};
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
    /// The answer is known, and must wait for `stop` or `ponderhit`.
    Held(Vec<u8>),
}

/// The state machine.
pub struct Proxy {
    profile: EngineProfile,
    settings: Settings,
    state: State,
    position: PositionCommand,
    position_line: Option<Vec<u8>>,
    /// What the GUI has set, in order, for an engine that is started again.
    set_options: Vec<Vec<u8>>,
    /// `isready` commands without an answer.
    open_isready: u32,
    /// Whether the engine does something that no `go` asked for.
    is_foreign: bool,
    has_uciok: bool,
    deaths: u32,
    /// Whether the engine that was started again has not said `uciok` yet: its greeting is not shown again.
    is_greeting_again: bool,
    has_memory: bool,
    questions: u64,
}

impl Proxy {
    /// A proxy of an engine whose program has this name; `memory_file` is the default file.
    pub fn new(program: &str, memory_file: &str) -> Self {
        Proxy {
            profile: EngineProfile::new(program),
            settings: Settings::new(memory_file),
            state: State::Idle,
            position: PositionCommand::default(),
            position_line: None,
            set_options: Vec::new(),
            open_isready: 0,
            is_foreign: false,
            has_uciok: false,
            deaths: 0,
            is_greeting_again: false,
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

    /// Whether the engine has answered `uci`.
    pub fn has_uciok(&self) -> bool {
        self.has_uciok
    }

    /// Whether there is a memory to ask and to write.
    pub fn set_memory(&mut self, is_open: bool) {
        self.has_memory = is_open;
    }

    /// When [`on_time`](Self::on_time) is wanted.
    pub fn deadline(&self) -> Option<Duration> {
        match &self.state {
            State::Asking { go, since, .. } => {
                let may_be_covered = go.depth.is_some() || go.nodes.is_some() || go.mate.is_some();
                Some(*since + if may_be_covered { PATIENCE_FOR_ANSWER } else { PATIENCE })
            }
            State::Searching(search) => search.deadline(),
            _ => None,
        }
    }

    /// A line of the GUI, with its end.
    pub fn on_gui_line(&mut self, line: &[u8], now: Duration, out: &mut dyn FnMut(Action)) {
        let text = String::from_utf8_lossy(line);
        let parsed = Command::parse(&text).command.filter(|command| begins_with(&text, command));
        let Some(command) = parsed else {
            // Unknown commands, such as `bench`, may start searches of their own.
            self.is_foreign |= !text.trim().is_empty();
            return out(Action::ToEngine(line.to_vec()));
        };
        match command {
            Command::SetOption { name, value } => return self.set_option(&name, value, line, out),
            Command::Go(go) => return self.go(go, line, now, out),
            Command::Stop => return self.stop(line, now, out),
            Command::PonderHit => return self.ponderhit(line, now, out),
            Command::Position(position) => {
                (self.position, self.position_line) = (position, Some(line.to_vec()));
                self.is_foreign = false;
            }
            Command::IsReady => self.open_isready += 1,
            Command::Quit => self.abandon(out),
            _ => {}
        }
        out(Action::ToEngine(line.to_vec()));
    }

    fn set_option(&mut self, name: &str, value: Option<String>, line: &[u8], out: &mut dyn FnMut(Action)) {
        if self.profile.option(name).is_none() && Settings::has(name) {
            let changed = self.settings.set(name, value.as_deref());
            match changed {
                Ok(true) => self.open_memory(out),
                Ok(false) => {}
                Err(problem) => say(&problem, out),
            }
            return;
        }
        self.profile.set(name, value.as_deref());
        self.set_options.push(line.to_vec());
        out(Action::ToEngine(line.to_vec()));
    }

    /// Has the memory opened. Until it is known that there is none, it is asked and written: it answers when it is open.
    fn open_memory(&mut self, out: &mut dyn FnMut(Action)) {
        self.has_memory = true;
        out(Action::OpenMemory(self.settings.clone()));
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

    fn game(&self) -> Option<GameHistory> {
        GameHistory::read(&self.position, self.profile.is_chess960())
    }

    fn go(&mut self, go: GoCommand, line: &[u8], now: Duration, out: &mut dyn FnMut(Action)) {
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Held(answer) => out(Action::ToGui(answer)),
            State::Asking { line, go, .. } => self.search(go, &line, now, None, out),
            other => self.state = other,
        }
        if let State::Searching(search) = &mut self.state {
            // A GUI that does not wait for its answer: both are the engine's affair, and nothing is learned.
            search.add_go();
            return out(Action::ToEngine(line.to_vec()));
        }
        self.is_foreign = false;
        let question = self.question().filter(|_| go.perft.is_none());
        // The memory's lines come first, or are all of the answer, unless a clock runs meanwhile.
        let is_timed = go.wtime.is_some() || go.btime.is_some() || go.movetime.is_some();
        match question {
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

    /// Lets the engine search.
    fn search(
        &mut self,
        go: GoCommand,
        line: &[u8],
        now: Duration,
        question: Option<u64>,
        out: &mut dyn FnMut(Action),
    ) {
        out(Action::ToEngine(line.to_vec()));
        let learns = self.has_memory && self.settings.learning == Learning::Resume;
        let game = if learns { self.game() } else { None };
        let observer = game.and_then(|game| Observer::new(game, &go, &self.profile, mnemon_memory::unix_time()));
        self.state = State::Searching(Box::new(Search::new(&go, observer, now, question)));
    }

    fn stop(&mut self, line: &[u8], now: Duration, out: &mut dyn FnMut(Action)) {
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Held(answer) => out(Action::ToGui(answer)),
            State::Asking { go, line: go_line, .. } => {
                self.search(go, &go_line, now, None, out);
                return self.stop(line, now, out);
            }
            State::Searching(mut search) => {
                search.stop();
                match search.take_early() {
                    Some(answer) => self.end_search(*search, &answer, out),
                    None => self.state = State::Searching(search),
                }
            }
            State::Idle => {}
        }
        out(Action::ToEngine(line.to_vec()));
    }

    fn ponderhit(&mut self, line: &[u8], now: Duration, out: &mut dyn FnMut(Action)) {
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Held(answer) => return out(Action::ToGui(answer)),
            State::Asking { go, line: go_line, .. } => {
                self.search(go, &go_line, now, None, out);
                return self.ponderhit(line, now, out);
            }
            State::Searching(mut search) => {
                search.ponderhit();
                match search.take_early() {
                    Some(answer) => self.end_search(*search, &answer, out),
                    None => self.state = State::Searching(search),
                }
            }
            State::Idle => {}
        }
        out(Action::ToEngine(line.to_vec()));
    }

    /// A line of the engine, with its end.
    pub fn on_engine_line(&mut self, line: &[u8], now: Duration, out: &mut dyn FnMut(Action)) {
        let is_holding = matches!(&self.state, State::Searching(search) if search.is_holding());
        let is_info = line.trim_ascii_start().starts_with(b"info");
        let passes_first = is_info && !is_holding && !self.is_greeting_again;
        if passes_first {
            out(Action::ToGui(line.to_vec()));
        }
        let parsed = EngineLine::parse(&String::from_utf8_lossy(line));
        if self.is_greeting_again {
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
            EngineLine::UciOk => {
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

    /// The one answer of a `go`.
    fn end_search(&mut self, mut search: Search, line: &[u8], out: &mut dyn FnMut(Action)) {
        let parsed = EngineLine::parse(&String::from_utf8_lossy(line));
        let best = if let EngineLine::BestMove(best) = parsed { best.mv } else { String::new() };
        search.release_unless(&best, out);
        out(Action::ToGui(line.to_vec()));
        let is_open = search.close_go();
        search.take_observer().into_iter().for_each(|observer| learn(observer.finish(), out));
        if is_open {
            self.state = State::Searching(Box::new(search));
        }
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

    /// The time that [`deadline`](Self::deadline) named has come.
    pub fn on_time(&mut self, now: Duration, out: &mut dyn FnMut(Action)) {
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

    /// The engine has ended by itself. It is said, an open `go` is answered, and the engine is started again once.
    pub fn on_engine_exit(&mut self, how: &str, out: &mut dyn FnMut(Action)) {
        self.deaths += 1;
        let is_last = self.deaths > 1 || !self.has_uciok;
        let then = if is_last { "" } else { "; it is started again" };
        say(&format!("the engine has ended: {how}{then}"), out);
        if let State::Searching(search) = std::mem::replace(&mut self.state, State::Idle) {
            let mut search = *search;
            search.take_observer().into_iter().for_each(|observer| learn(observer.abandon(), out));
            let mv = search.last_move().unwrap_or("(none)").to_owned();
            let answer = format!("{}\n", BestMove { mv, ponder: None }).into_bytes();
            let waits = search.must_wait() && !is_last;
            let answer = search.take_early().unwrap_or(answer);
            if waits { self.state = State::Held(answer) } else { out(Action::ToGui(answer)) }
        }
        if is_last {
            return out(Action::GiveUp(format!("the engine has ended: {how}")));
        }
        self.is_greeting_again = true;
        out(Action::Restart);
        out(Action::ToEngine(b"uci\n".to_vec()));
    }

    /// The greeting of the engine that was started again, which then gets its options and its position.
    fn greet_again(&mut self, parsed: &EngineLine, out: &mut dyn FnMut(Action)) {
        if *parsed != EngineLine::UciOk {
            return;
        }
        self.is_greeting_again = false;
        for line in self.set_options.iter().chain(&self.position_line) {
            out(Action::ToEngine(line.clone()));
        }
        for _ in 0..self.open_isready {
            out(Action::ToEngine(b"isready\n".to_vec()));
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

/// Whether the line's first word is the command's: what stands before a command makes it another one for a proxy.
fn begins_with(text: &str, command: &Command) -> bool {
    let written = command.to_string();
    text.split_ascii_whitespace().next() == written.split(' ').next()
}
