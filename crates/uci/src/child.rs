//! A UCI engine, driven from here: the other side of what `uci` is.
//!
//! An engine is somebody else's program. It may be missing, die, fall silent or talk nonsense at any time; each of these
//! is a [`ChildError`] that says which engine it was and what it did, and no call waits without an end.

mod command;
mod error;
mod process;
mod said;
#[cfg(all(test, unix))]
mod tests;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

pub use command::EngineCommand;
pub use error::ChildError;
use process::{NoLine, Process};
pub use said::{EngineLine, Info, OptionDecl, OptionKind, Told};

/// A running engine that has introduced itself.
pub struct ChildEngine {
    process: Process,
    name: String,
    offers: Vec<OptionDecl>,
    patience: Duration,
    /// When the last `go` was sent.
    asked: Instant,
}

/// How far an engine is asked to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Until so many nodes are searched.
    Nodes(u64),
    /// By the clock: what is left for White and for Black, and what each move adds.
    Clock {
        /// White's and Black's time.
        left: [Duration; 2],
        /// Added after each move.
        increment: Duration,
    },
}

/// An engine's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best {
    /// The move as the engine wrote it.
    pub mv: String,
    /// From the question to the answer.
    pub took: Duration,
}

/// How long an engine may take to go when it is told to.
const FAREWELL: Duration = Duration::from_secs(1);

impl ChildEngine {
    /// Starts an engine and shakes hands. `patience` is how long it may take for any answer but a move.
    pub fn start(command: &EngineCommand, patience: Duration) -> Result<ChildEngine, ChildError> {
        let process = Process::start(command)?;
        let mut client =
            ChildEngine { process, name: command.to_string(), offers: Vec::new(), patience, asked: Instant::now() };
        client.send("uci")?;
        let (mut name, begun) = (None, Instant::now());
        loop {
            match client.next(begun, patience, "uciok")?.0 {
                EngineLine::Name(said) if !said.is_empty() => name = Some(said),
                EngineLine::OptionDecl(offer) => client.offers.push(offer),
                EngineLine::UciOk => break,
                _ => {}
            }
        }
        client.name = name.unwrap_or(client.name);
        Ok(client)
    }

    /// The name it gave itself, or the command that started it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The option with this name, in small or capital letters, if the engine has it.
    pub fn option(&self, name: &str) -> Option<&OptionDecl> {
        self.offers.iter().find(|offer| offer.name.eq_ignore_ascii_case(name))
    }

    /// Sets an option; for a button the value is empty.
    ///
    /// # Errors
    /// [`ChildError::NoOption`] and [`ChildError::BadValue`] before anything is sent.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), ChildError> {
        let Some(offer) = self.option(name) else { return Err(self.no_option(name)) };
        let name = offer.name.clone();
        let accepted = offer.accept(value).map_err(|expected| ChildError::BadValue {
            engine: self.name.clone(),
            option: name.clone(),
            value: value.to_owned(),
            expected,
        })?;
        if offer.kind == OptionKind::Button {
            return self.send(&format!("setoption name {name}"));
        }
        self.send(&format!("setoption name {name} value {accepted}"))
    }

    /// Waits until everything that was sent is done.
    pub fn ready(&mut self) -> Result<(), ChildError> {
        self.send("isready")?;
        let begun = Instant::now();
        while self.next(begun, self.patience, "readyok")?.0 != EngineLine::ReadyOk {}
        Ok(())
    }

    /// Another game begins.
    pub fn new_game(&mut self) -> Result<(), ChildError> {
        self.send("ucinewgame")?;
        self.ready()
    }

    /// The position on the board: where the game began, and the moves since.
    pub fn set_position(&mut self, fen: &str, moves: &[String]) -> Result<(), ChildError> {
        let mut line = format!("position fen {fen}");
        if !moves.is_empty() {
            let _ = write!(line, " moves {}", moves.join(" "));
        }
        self.send(&line)
    }

    /// Starts a search. [`heard`](Self::heard) gives what it says.
    pub fn begin(&mut self, limit: &Limit) -> Result<(), ChildError> {
        let line = match limit {
            Limit::Nodes(nodes) => format!("go nodes {nodes}"),
            Limit::Clock { left: [white, black], increment } => {
                let [white, black, increment] = [white, black, increment].map(Duration::as_millis);
                format!("go wtime {white} btime {black} winc {increment} binc {increment}")
            }
        };
        self.asked = Instant::now();
        self.send(&line)
    }

    /// The next thing said during a search that comes within `patience` of its beginning, and when it came after it.
    pub fn heard(&mut self, patience: Duration) -> Result<(EngineLine, Duration), ChildError> {
        let (said, at) = self.next(self.asked, patience, "move")?;
        Ok((said, at.saturating_duration_since(self.asked)))
    }

    /// Searches and waits for the move, which must come within `patience`; `hear` gets each `info` on the way.
    pub fn go(&mut self, limit: &Limit, patience: Duration, mut hear: impl FnMut(Info)) -> Result<Best, ChildError> {
        self.begin(limit)?;
        loop {
            match self.heard(patience)? {
                (EngineLine::Best(mv), took) => return Ok(Best { mv, took }),
                (EngineLine::Info(info), _) => hear(info),
                _ => {}
            }
        }
    }

    /// Ends a search that is under way and throws its answer away.
    pub fn stop(&mut self) -> Result<(), ChildError> {
        self.send("stop")?;
        let begun = Instant::now();
        while !matches!(self.next(begun, self.patience, "move after stop")?.0, EngineLine::Best(_)) {}
        Ok(())
    }

    /// Says goodbye; an engine that does not go is ended.
    pub fn quit(mut self) {
        self.process.send("quit");
        self.process.end(FAREWELL);
    }

    fn send(&mut self, line: &str) -> Result<(), ChildError> {
        if self.process.send(line) { Ok(()) } else { Err(self.gone()) }
    }

    /// The next line, if it comes within `patience` of `begun`.
    fn next(
        &mut self,
        begun: Instant,
        patience: Duration,
        expected: &'static str,
    ) -> Result<(EngineLine, Instant), ChildError> {
        match self.process.line(begun + patience) {
            Ok(line) => Ok((EngineLine::parse(&line.text), line.at)),
            Err(NoLine::Ended) => Err(self.gone()),
            Err(NoLine::Late) => Err(ChildError::Silent { engine: self.name.clone(), expected, waited: patience }),
        }
    }

    fn gone(&mut self) -> ChildError {
        let status = self.process.status();
        ChildError::Gone { engine: self.name.clone(), status, last_words: self.process.last_words() }
    }

    fn no_option(&self, name: &str) -> ChildError {
        let wanted = name.to_ascii_lowercase();
        let similar = self.offers.iter().map(|offer| &offer.name);
        let similar = similar.into_iter().find(|name| name.to_ascii_lowercase().contains(&wanted));
        let perhaps = similar.map(|name| format!("; did you mean '{name}'?")).unwrap_or_default();
        ChildError::NoOption { engine: self.name.clone(), option: name.to_owned(), perhaps }
    }
}
