//! Another UCI engine as a child process.
//!
//! [`ChildEngine`] asks and waits for answers. [`ChildProcess`] below it passes lines both ways as they come, for a
//! program that stands between an engine and its GUI.
//!
//! The engine is a foreign program. It may be missing, die, fall silent or break the protocol at any time; each of these
//! is a [`ChildError`] that says which engine it was and what it did, and every call has a timeout.

mod command;
mod error;
mod process;
#[cfg(all(test, unix))]
mod tests;

use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

pub use command::EngineCommand;
pub use error::ChildError;
pub use process::{ChildLine, ChildProcess};

use crate::observer::EngineProfile;
use crate::{BestMove, Command, EngineLine, GoCommand, Info, OptionDecl, OptionValue, PositionCommand};

/// A running engine that has answered `uci`.
pub struct ChildEngine {
    process: ChildProcess,
    lines: Receiver<ChildLine>,
    name: String,
    profile: EngineProfile,
    timeout: Duration,
    /// When the last `go` was sent.
    go_sent: Instant,
}

/// An engine's answer to `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchReply {
    /// The move, and the reply that the engine expects.
    pub best: BestMove,
    /// From `go` to the answer.
    pub elapsed: Duration,
}

/// How long an engine may take to end after `quit`.
const QUIT_TIMEOUT: Duration = Duration::from_secs(1);

/// Lines that wait to be read; an engine that says more waits itself.
const QUEUE_LENGTH: usize = 4096;

impl ChildEngine {
    /// Starts an engine and waits for `uciok`. `timeout` is how long it may take for any answer but a move.
    ///
    /// # Errors
    /// If it cannot be started, ends, or does not answer in time.
    pub fn start(command: &EngineCommand, timeout: Duration) -> Result<ChildEngine, ChildError> {
        let (sender, lines) = sync_channel(QUEUE_LENGTH);
        let process = ChildProcess::start(command, move |line| sender.send(line).is_ok())?;
        let (name, profile) = (command.to_string(), EngineProfile::new(&command.program_name()));
        let mut engine = ChildEngine { process, lines, name, profile, timeout, go_sent: Instant::now() };
        engine.send(&Command::Uci)?;
        let start = Instant::now();
        let mut name = None;
        loop {
            let line = engine.next(start, timeout, "uciok")?.0;
            engine.profile.hear(&line);
            match line {
                EngineLine::IdName(given) if !given.is_empty() => name = Some(given),
                EngineLine::UciOk => break,
                _ => {}
            }
        }
        engine.name = name.unwrap_or(engine.name);
        Ok(engine)
    }

    /// The name it gave itself, or the command that started it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The options that it declared, in its order.
    pub fn options(&self) -> &[OptionDecl] {
        self.profile.options()
    }

    /// What it has said of itself, and what it was set to.
    pub fn profile(&self) -> &EngineProfile {
        &self.profile
    }

    /// The option with this name, in whatever case, if the engine has it.
    pub fn option(&self, name: &str) -> Option<&OptionDecl> {
        self.profile.option(name)
    }

    /// Sets an option; for a button the value is empty.
    ///
    /// # Errors
    /// [`ChildError::NoOption`] and [`ChildError::BadValue`] before anything is sent.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), ChildError> {
        let Some(option) = self.option(name) else { return Err(self.no_option(name)) };
        let name = option.name.clone();
        let value = option.check(Some(value)).map_err(|expected| ChildError::BadValue {
            engine: self.name.clone(),
            option: name.clone(),
            value: value.to_owned(),
            expected,
        })?;
        let value = Some(value).filter(|value| *value != OptionValue::Pressed).map(|value| value.to_string());
        self.profile.set(&name, value.as_deref());
        self.send(&Command::SetOption { name, value })
    }

    /// Waits until everything that was sent is done.
    ///
    /// # Errors
    /// If the engine ends, or does not answer in time.
    pub fn wait_ready(&mut self) -> Result<(), ChildError> {
        self.send(&Command::IsReady)?;
        let start = Instant::now();
        while self.next(start, self.timeout, "readyok")?.0 != EngineLine::ReadyOk {}
        Ok(())
    }

    /// Begins another game, and waits until the engine is ready for it.
    ///
    /// # Errors
    /// As [`wait_ready`](Self::wait_ready).
    pub fn new_game(&mut self) -> Result<(), ChildError> {
        self.send(&Command::NewGame)?;
        self.wait_ready()
    }

    /// Sets the position: where the game began, and the moves since.
    ///
    /// # Errors
    /// If the engine has ended.
    pub fn set_position(&mut self, fen: &str, moves: &[String]) -> Result<(), ChildError> {
        self.send(&Command::Position(PositionCommand { fen: Some(fen.to_owned()), moves: moves.to_vec() }))
    }

    /// Starts a search. [`next_line`](Self::next_line) gives what it says.
    ///
    /// # Errors
    /// If the engine has ended.
    pub fn start_search(&mut self, go: &GoCommand) -> Result<(), ChildError> {
        self.go_sent = Instant::now();
        self.send(&Command::Go(go.clone()))
    }

    /// The next line of a search, if it comes within `timeout` of `go`, and how long after `go` it came.
    ///
    /// # Errors
    /// If the engine ends, or says nothing in time.
    pub fn next_line(&mut self, timeout: Duration) -> Result<(EngineLine, Duration), ChildError> {
        let (line, at) = self.next(self.go_sent, timeout, "bestmove")?;
        Ok((line, at.saturating_duration_since(self.go_sent)))
    }

    /// The next line of a search, if it comes within `wait` from now, and how long after `go` it came.
    ///
    /// # Errors
    /// If the engine ends.
    pub fn poll_line(&mut self, wait: Duration) -> Result<Option<(EngineLine, Duration)>, ChildError> {
        match self.next_line(self.go_sent.elapsed() + wait) {
            Err(ChildError::Timeout { .. }) => Ok(None),
            other => other.map(Some),
        }
    }

    /// Tells the engine to end its search. Its move comes as a line.
    ///
    /// # Errors
    /// If the engine has ended.
    pub fn send_stop(&mut self) -> Result<(), ChildError> {
        self.send(&Command::Stop)
    }

    /// Searches and waits for the move, which must come within `timeout`; `on_info` gets each `info` before it.
    ///
    /// # Errors
    /// If the engine ends, or gives no move in time.
    pub fn go(
        &mut self,
        go: &GoCommand,
        timeout: Duration,
        mut on_info: impl FnMut(Info),
    ) -> Result<SearchReply, ChildError> {
        self.start_search(go)?;
        loop {
            match self.next_line(timeout)? {
                (EngineLine::BestMove(best), elapsed) => return Ok(SearchReply { best, elapsed }),
                (EngineLine::Info(info), _) => on_info(info),
                _ => {}
            }
        }
    }

    /// Ends a search that is under way and drops its move.
    ///
    /// # Errors
    /// If the engine ends, or gives no move in time.
    pub fn stop(&mut self) -> Result<(), ChildError> {
        self.send(&Command::Stop)?;
        let start = Instant::now();
        while !matches!(self.next(start, self.timeout, "bestmove after stop")?.0, EngineLine::BestMove(_)) {}
        Ok(())
    }

    /// Sends `quit`; an engine that does not end within a second is killed.
    pub fn quit(self) {
        self.quit_within(QUIT_TIMEOUT);
    }

    /// Sends `quit`; an engine that does not end in this time is killed.
    pub fn quit_within(mut self, timeout: Duration) {
        self.process.send(Command::Quit.to_string());
        self.process.end(timeout);
    }

    fn send(&mut self, command: &Command) -> Result<(), ChildError> {
        if self.process.send(command.to_string()) { Ok(()) } else { Err(self.gone()) }
    }

    /// The next line and when it came, if that is within `timeout` of `start`. A later line stays in the queue.
    fn next(
        &mut self,
        start: Instant,
        timeout: Duration,
        expected: &'static str,
    ) -> Result<(EngineLine, Instant), ChildError> {
        // Past the deadline nothing is taken: an engine that never pauses must not keep a caller for ever.
        let received = match (start + timeout).checked_duration_since(Instant::now()) {
            Some(wait) => self.lines.recv_timeout(wait),
            None => Err(RecvTimeoutError::Timeout),
        };
        match received {
            Ok(line) => Ok((EngineLine::parse(&line.text()), line.at)),
            Err(RecvTimeoutError::Disconnected) => Err(self.gone()),
            Err(RecvTimeoutError::Timeout) => {
                Err(ChildError::Timeout { engine: self.name.clone(), expected, waited: timeout })
            }
        }
    }

    fn gone(&mut self) -> ChildError {
        let status = self.process.status();
        ChildError::Exited { engine: self.name.clone(), status, stderr: self.process.last_stderr_line() }
    }

    fn no_option(&self, name: &str) -> ChildError {
        let wanted = name.to_ascii_lowercase();
        let mut names = self.options().iter().map(|option| &option.name);
        let similar = names.find(|name| name.to_ascii_lowercase().contains(&wanted)).cloned();
        ChildError::NoOption { engine: self.name.clone(), option: name.to_owned(), similar }
    }
}
