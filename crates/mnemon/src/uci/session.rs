//! The conversation with a GUI: what each command does.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mnemon_chess::Position;
use mnemon_engine::{Engine, Event, GameHistory, Listener, bench};
use mnemon_uci::{Command, Complaint, EngineLine, GoCommand, ParsedCommand, PositionCommand, clip};

use super::book_options::BookOptions;
use super::display;
use super::extension::Extension;
use super::format::{self, Style};
use super::go::engine_params;
use super::memory_options::MemoryOptions;
use super::options::{DEFAULT_HASH, Options};
use crate::Result;
use crate::output::say;

/// How long a command waits for what was learned to be written.
const WRITE_WAIT: Duration = Duration::from_millis(30);
/// How long `quit` waits for another process that holds the memory.
const QUIT_WAIT: Duration = Duration::from_millis(1500);

/// Why something is not written at once.
pub(super) const BLOCKED: &str = "another process holds it, or it is still being opened";

/// A conversation with a GUI.
pub(super) struct Session {
    pub(super) engine: Engine,
    pub(super) printer: Arc<Printer>,
    pub(super) options: Options,
    pub(super) memory: MemoryOptions,
    pub(super) book: BookOptions,
    /// The file for the table; `None` for the default, beside the memory.
    pub(super) hash_file: Option<String>,
    pub(super) chess960: bool,
}

/// Prints the engine's events line by line, whichever thread they come from.
#[derive(Default)]
pub(super) struct Printer {
    pub(super) wdl: AtomicBool,
    debug: AtomicBool,
}

impl Listener for Printer {
    fn notify(&self, event: Event<'_>) {
        let style = Style { wdl: self.wdl.load(Ordering::Relaxed), debug: self.debug.load(Ordering::Relaxed) };
        if let Some(line) = format::line(&event, style) {
            // If the GUI has closed its end, the end of the input will say so.
            let _ = say(line);
        }
    }
}

/// Whether the conversation goes on.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// With another line.
    Line,
    /// It ends.
    Quit,
}

impl Session {
    pub(super) fn new() -> Result<Self> {
        let printer = Arc::new(Printer::default());
        let bytes = usize::try_from(u64::from(DEFAULT_HASH) << 20)?;
        let mut engine = Engine::new(bytes, Arc::clone(&printer) as Arc<dyn Listener>)?;
        engine.settings.write_wait = WRITE_WAIT;
        Ok(Session {
            engine,
            printer,
            options: Options::new(&MemoryOptions::default_file(), &MemoryOptions::new().hash_file()),
            memory: MemoryOptions::new(),
            book: BookOptions::default(),
            hash_file: None,
            chess960: false,
        })
    }

    /// Does what a line says. Only an output that cannot be written is an error.
    pub(super) fn line(&mut self, line: &str) -> Result<Next> {
        if let Some(command) = Extension::parse(line) {
            self.extension(&command)?;
            return Ok(Next::Line);
        }
        let ParsedCommand { command, complaints } = Command::parse(line);
        for complaint in &complaints {
            tell(&match complaint {
                Complaint::UnknownCommand(_) => format!("{complaint}; 'help' lists the commands"),
                _ => complaint.to_string(),
            })?;
        }
        match command {
            Some(Command::Quit) => return Ok(Next::Quit),
            Some(command) => self.command(command)?,
            None => {}
        }
        Ok(Next::Line)
    }

    /// Stops, and waits until everything learned is written, but not for another process that holds the memory: a GUI kills
    /// an engine that does not end.
    pub(super) fn end(mut self) -> Result {
        let start = Instant::now();
        self.engine.stop();
        loop {
            if !self.engine.is_searching() {
                self.engine.conclude_game();
                if self.engine.settle_within(WRITE_WAIT) {
                    return Ok(());
                }
            }
            if start.elapsed() > QUIT_WAIT && self.engine.is_blocked() {
                return self.abandon();
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Ends without what is not written yet.
    fn abandon(self) -> Result {
        let told = if self.engine.is_searching() || self.engine.has_unwritten() {
            tell(&format!("memory: {BLOCKED}; what was learned last could not be written and is not kept"))
        } else {
            Ok(())
        };
        // Dropping the engine would wait for the other process.
        std::mem::forget(self);
        told
    }

    fn command(&mut self, command: Command) -> Result {
        match command {
            Command::Uci => self.introduce()?,
            Command::Debug(on) => self.printer.debug.store(on, Ordering::Relaxed),
            Command::IsReady => self.ready()?,
            Command::NewGame => self.engine.clear(),
            Command::Position(position) => self.set_position(&position)?,
            Command::Go(go) => self.go(&go)?,
            Command::Stop => self.engine.stop(),
            Command::PonderHit => self.engine.ponderhit(),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref())?,
            Command::Quit => {}
        }
        Ok(())
    }

    fn extension(&mut self, command: &Extension<'_>) -> Result {
        let position = self.engine.game().position();
        match command {
            Extension::Bench(depth) => self.bench(*depth)?,
            Extension::Display => say(display::board(position))?,
            Extension::Eval => say(display::evaluation(position))?,
            Extension::Help => say(display::HELP)?,
        }
        Ok(())
    }

    fn introduce(&self) -> Result {
        say(EngineLine::IdName(format!("mnemon {}", env!("CARGO_PKG_VERSION"))))?;
        say(EngineLine::IdAuthor("the mnemon authors".to_owned()))?;
        for option in self.options.declarations() {
            say(option)?;
        }
        Ok(say(EngineLine::UciOk)?)
    }

    /// Answers at once. If no search runs, the memory begins to be opened; most are open a moment later, so that what there
    /// is to say of it is said before the answer.
    fn ready(&mut self) -> Result {
        if !self.engine.is_searching() {
            let is_opening = self.open_memory()?;
            self.engine.settle_within(if is_opening { WRITE_WAIT } else { Duration::ZERO });
        }
        Ok(say(EngineLine::ReadyOk)?)
    }

    /// Begins to open the memory that is set, and returns whether it does: not if the engine has it. The engine also plays
    /// without one.
    pub(super) fn open_memory(&mut self) -> Result<bool> {
        let is_opening = self.memory.apply(&mut self.engine);
        is_opening.or_else(|error| tell(&format!("memory: {error}; going on without it")).map(|()| false))
    }

    /// The position before is kept if anything is wrong.
    fn set_position(&mut self, command: &PositionCommand) -> Result {
        let start = match &command.fen {
            Some(fen) => fen.parse::<Position>(),
            None => Ok(Position::start()),
        };
        let start = start.map(|position| position.with_chess960(self.chess960));
        match start.and_then(|position| GameHistory::new(position, command.moves.iter().map(String::as_str))) {
            Ok(game) => self.engine.set_game(game),
            Err(error) => tell(&format!("position: {error}; the position before it is kept"))?,
        }
        Ok(())
    }

    fn go(&mut self, go: &GoCommand) -> Result {
        if let Some(depth) = go.perft {
            self.engine.count(depth);
            return Ok(());
        }
        self.open_memory()?;
        let (params, complaints) = engine_params(go, self.engine.game().position());
        complaints.iter().try_for_each(|complaint| tell(complaint))?;
        self.engine.go(params);
        Ok(())
    }

    fn bench(&mut self, depth: Option<&str>) -> Result {
        let Ok(depth) = depth.map_or(Ok(bench::DEPTH), str::parse) else {
            return tell(&format!("bench takes a depth, not '{}'", clip(depth.unwrap_or_default())));
        };
        self.engine.settle();
        let benched = bench::run(depth.max(1), 1, bench::TABLE_BYTES, |fen, nodes| {
            let _ = say(format_args!("{nodes:>12}  {fen}"));
        })?;
        say(format_args!("\nNodes searched: {}\nNodes/second: {:.0}", benched.nodes, benched.nodes_per_second()))?;
        Ok(())
    }
}

/// Prints a message for people.
pub(super) fn tell(text: &str) -> Result {
    Ok(say(format::message(text))?)
}
