//! A UCI engine, driven from here: the other side of what `uci` is.
//!
//! An engine is somebody else's program. It may be missing, die, fall silent or talk nonsense at any time; each of these
//! is a [`ClientError`] that says which engine it was and what it did, and no call waits without an end.

mod command;
mod error;
mod process;
mod said;
#[cfg(all(test, unix))]
mod tests;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

pub use command::EngineCommand;
pub use error::ClientError;
use process::{NoLine, Process};
pub use said::{Info, Kind, Offer, Said, Told};

/// A running engine that has introduced itself.
pub struct Client {
    process: Process,
    name: String,
    offers: Vec<Offer>,
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

impl Client {
    /// Starts an engine and shakes hands. `patience` is how long it may take for any answer but a move.
    pub fn start(command: &EngineCommand, patience: Duration) -> Result<Client, ClientError> {
        let process = Process::start(command)?;
        let mut client =
            Client { process, name: command.to_string(), offers: Vec::new(), patience, asked: Instant::now() };
        client.send("uci")?;
        let (mut name, begun) = (None, Instant::now());
        loop {
            match client.next(begun, patience, "uciok")?.0 {
                Said::Name(said) if !said.is_empty() => name = Some(said),
                Said::Offer(offer) => client.offers.push(offer),
                Said::UciOk => break,
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
    pub fn offer(&self, name: &str) -> Option<&Offer> {
        self.offers.iter().find(|offer| offer.name.eq_ignore_ascii_case(name))
    }

    /// Sets an option; for a button the value is empty.
    ///
    /// # Errors
    /// [`ClientError::NoOption`] and [`ClientError::BadValue`] before anything is sent.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), ClientError> {
        let Some(offer) = self.offer(name) else { return Err(self.no_option(name)) };
        let name = offer.name.clone();
        let accepted = offer.accept(value).map_err(|expected| ClientError::BadValue {
            engine: self.name.clone(),
            option: name.clone(),
            value: value.to_owned(),
            expected,
        })?;
        if offer.kind == Kind::Button {
            return self.send(&format!("setoption name {name}"));
        }
        self.send(&format!("setoption name {name} value {accepted}"))
    }

    /// Waits until everything that was sent is done.
    pub fn ready(&mut self) -> Result<(), ClientError> {
        self.send("isready")?;
        let begun = Instant::now();
        while self.next(begun, self.patience, "readyok")?.0 != Said::ReadyOk {}
        Ok(())
    }

    /// Another game begins.
    pub fn new_game(&mut self) -> Result<(), ClientError> {
        self.send("ucinewgame")?;
        self.ready()
    }

    /// The position on the board: where the game began, and the moves since.
    pub fn set_position(&mut self, fen: &str, moves: &[String]) -> Result<(), ClientError> {
        let mut line = format!("position fen {fen}");
        if !moves.is_empty() {
            let _ = write!(line, " moves {}", moves.join(" "));
        }
        self.send(&line)
    }

    /// Starts a search. [`heard`](Self::heard) gives what it says.
    pub fn begin(&mut self, limit: &Limit) -> Result<(), ClientError> {
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
    pub fn heard(&mut self, patience: Duration) -> Result<(Said, Duration), ClientError> {
        let (said, at) = self.next(self.asked, patience, "move")?;
        Ok((said, at.saturating_duration_since(self.asked)))
    }

    /// Searches and waits for the move, which must come within `patience`; `hear` gets each `info` on the way.
    pub fn go(&mut self, limit: &Limit, patience: Duration, mut hear: impl FnMut(Info)) -> Result<Best, ClientError> {
        self.begin(limit)?;
        loop {
            match self.heard(patience)? {
                (Said::Best(mv), took) => return Ok(Best { mv, took }),
                (Said::Info(info), _) => hear(info),
                _ => {}
            }
        }
    }

    /// Ends a search that is under way and throws its answer away.
    pub fn stop(&mut self) -> Result<(), ClientError> {
        self.send("stop")?;
        let begun = Instant::now();
        while !matches!(self.next(begun, self.patience, "move after stop")?.0, Said::Best(_)) {}
        Ok(())
    }

    /// Says goodbye; an engine that does not go is ended.
    pub fn quit(mut self) {
        self.process.send("quit");
        self.process.end(FAREWELL);
    }

    fn send(&mut self, line: &str) -> Result<(), ClientError> {
        if self.process.send(line) { Ok(()) } else { Err(self.gone()) }
    }

    /// The next line, if it comes within `patience` of `begun`.
    fn next(
        &mut self,
        begun: Instant,
        patience: Duration,
        expected: &'static str,
    ) -> Result<(Said, Instant), ClientError> {
        match self.process.line(begun + patience) {
            Ok(line) => Ok((Said::parse(&line.text), line.at)),
            Err(NoLine::Ended) => Err(self.gone()),
            Err(NoLine::Late) => Err(ClientError::Silent { engine: self.name.clone(), expected, waited: patience }),
        }
    }

    fn gone(&mut self) -> ClientError {
        let status = self.process.status();
        ClientError::Gone { engine: self.name.clone(), status, last_words: self.process.last_words() }
    }

    fn no_option(&self, name: &str) -> ClientError {
        let wanted = name.to_ascii_lowercase();
        let similar = self.offers.iter().map(|offer| &offer.name);
        let similar = similar.into_iter().find(|name| name.to_ascii_lowercase().contains(&wanted));
        let perhaps = similar.map(|name| format!("; did you mean '{name}'?")).unwrap_or_default();
        ClientError::NoOption { engine: self.name.clone(), option: name.to_owned(), perhaps }
    }
}
