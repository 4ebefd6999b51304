//! What each command does.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mnemon_chess::Position;
use mnemon_engine::tablebase::Tablebase;
use mnemon_engine::{Engine, Event, GameHistory, Listener};
use mnemon_engine::{bench, evaluate};
use mnemon_search::Game as _;

use super::command::{Command, Parsed, Set, clipped, parse};
use super::go::Go;
use super::options::{self, DEFAULT_HASH, Described, Name, Value};
use super::recollect::Recollection;
use super::words::{self, Style};
use crate::Result;
use crate::memory_hints;
use crate::output::say;

/// A conversation with a GUI.
pub(super) struct Session {
    engine: Engine,
    voice: Arc<Voice>,
    options: Vec<Described>,
    memory: Recollection,
    hash_file: PathBuf,
    chess960: bool,
}

/// Says what the engine finds, line by line, whichever thread it comes from.
#[derive(Default)]
struct Voice {
    wdl: AtomicBool,
    debug: AtomicBool,
}

impl Listener for Voice {
    fn notify(&self, event: Event<'_>) {
        let style = Style { wdl: self.wdl.load(Ordering::Relaxed), debug: self.debug.load(Ordering::Relaxed) };
        if let Some(line) = words::line(&event, style) {
            // If nobody reads any more, the end of the input will say so.
            let _ = say(line);
        }
    }
}

/// Whether the conversation goes on.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    Line,
    Quit,
}

impl Session {
    pub(super) fn new() -> Result<Self> {
        let voice = Arc::new(Voice::default());
        let bytes = usize::try_from(DEFAULT_HASH << 20)?;
        Ok(Session {
            engine: Engine::new(bytes, Arc::clone(&voice) as Arc<dyn Listener>)?,
            voice,
            options: options::all(&Recollection::default_file()),
            memory: Recollection::new(),
            hash_file: PathBuf::from("mnemon.hash"),
            chess960: false,
        })
    }

    /// Does what a line says. Only output that nobody reads is an error.
    pub(super) fn line(&mut self, line: &str) -> Result<Next> {
        let Parsed { command, complaints } = parse(line);
        complain(&complaints)?;
        match command {
            Some(Command::Quit) => return Ok(Next::Quit),
            Some(command) => self.command(command)?,
            None => {}
        }
        Ok(Next::Line)
    }

    /// Stops, and waits until everything learned is written down.
    pub(super) fn end(&mut self) {
        self.engine.settle();
    }

    fn command(&mut self, command: Command<'_>) -> Result {
        match command {
            Command::Uci => self.introduce()?,
            Command::Debug(on) => self.voice.debug.store(on, Ordering::Relaxed),
            Command::IsReady => self.ready()?,
            Command::NewGame => self.engine.clear(),
            Command::Position(set) => self.set_position(&set)?,
            Command::Go(go) => self.go(&go)?,
            Command::Stop => self.engine.stop(),
            Command::PonderHit => self.engine.ponderhit(),
            Command::SetOption { name, value } => self.set_option(&name, value)?,
            Command::Bench(depth) => self.bench(depth)?,
            Command::Display => say(display(self.engine.game().position()))?,
            Command::Eval => say(judgement(self.engine.game().position()))?,
            Command::Help => say(HELP)?,
            Command::Quit => {}
        }
        Ok(())
    }

    fn introduce(&self) -> Result {
        say(format_args!("id name mnemon {}", env!("CARGO_PKG_VERSION")))?;
        say("id author the mnemon authors")?;
        for option in &self.options {
            say(option)?;
        }
        Ok(say("uciok")?)
    }

    /// Answered at once during a search; before one, the memory is opened first.
    fn ready(&mut self) -> Result {
        if !self.engine.is_searching() {
            self.open_memory()?;
            self.engine.report_learned();
        }
        Ok(say("readyok")?)
    }

    /// Opens the memory that is chosen. One that cannot be opened is no reason not to play.
    fn open_memory(&mut self) -> Result {
        if let Err(error) = self.memory.apply(&mut self.engine) {
            complain(&[format!("memory: {}; going on without it", memory_hints::explain_any(&*error))])?;
        }
        Ok(())
    }

    /// The position before is kept if anything is wrong.
    fn set_position(&mut self, set: &Set<'_>) -> Result {
        let start = match &set.fen {
            Some(fen) => fen.parse::<Position>(),
            None => Ok(Position::start()),
        };
        let start = start.map(|position| position.with_chess960(self.chess960));
        match start.and_then(|position| GameHistory::new(position, set.moves.iter().copied())) {
            Ok(game) => self.engine.set_game(game),
            Err(error) => complain(&[format!("position: {error}; the position before it is kept")])?,
        }
        Ok(())
    }

    fn go(&mut self, go: &Go<'_>) -> Result {
        if let Some(depth) = go.perft {
            self.engine.count(depth);
            return Ok(());
        }
        self.open_memory()?;
        let (asked, complaints) = go.asked(self.engine.game().position());
        complain(&complaints)?;
        self.engine.go(asked);
        Ok(())
    }

    fn set_option(&mut self, name: &str, text: Option<&str>) -> Result {
        let found = options::find(&self.options, name);
        match found.and_then(|option| Ok((option.name, option.value(text)?))) {
            Ok((name, value)) => self.apply(name, value),
            Err(complaint) => complain(&[complaint]),
        }
    }

    fn apply(&mut self, name: Name, value: Value<'_>) -> Result {
        match (name, value) {
            (Name::Hash, Value::Number(megabytes)) => self.resize(megabytes)?,
            (Name::Threads, Value::Number(threads)) => self.engine.set_threads(threads as usize),
            (Name::ClearHash, _) => self.engine.clear(),
            (Name::MultiPv, Value::Number(lines)) => self.engine.settings.lines = lines as usize,
            (Name::MoveOverhead, Value::Number(time)) => {
                self.engine.settings.overhead = Duration::from_millis(time);
            }
            (Name::Chess960, Value::Flag(on)) => {
                self.chess960 = on;
                self.engine.set_game(self.engine.game().clone().with_chess960(on));
            }
            (Name::ShowWdl, Value::Flag(on)) => self.voice.wdl.store(on, Ordering::Relaxed),
            (Name::SyzygyPath, Value::Text(path)) => self.open_tables(path)?,
            (Name::MemoryFile, Value::Text(file)) => self.memory.set_file(file),
            (Name::Learning, Value::Text(policy)) => self.memory.set_policy(policy),
            (Name::MemoryDepth, Value::Number(depth)) => self.memory.set_depth(depth as u8),
            (Name::RecallBudget, Value::Number(time)) => {
                self.engine.settings.recall_budget = Duration::from_millis(time);
            }
            (Name::ForgetMemory, _) => self.forget()?,
            (Name::HashFile, Value::Text(file)) => self.hash_file = PathBuf::from(file),
            (Name::SaveHash, _) => self.save()?,
            (Name::LoadHash, _) => self.load()?,
            // The GUI does the pondering, and analysis is no different from play here.
            (Name::Ponder | Name::AnalyseMode, _) => {}
            (_, Value::Flag(_) | Value::Number(_) | Value::Text(_) | Value::Pressed) => {}
        }
        Ok(())
    }

    fn resize(&mut self, megabytes: u64) -> Result {
        let resized = usize::try_from(megabytes << 20).map(|bytes| self.engine.resize(bytes));
        let complaint = match resized {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(error)) => error.to_string(),
            Err(error) => error.to_string(),
        };
        let kept = self.engine.table_bytes() >> 20;
        complain(&[format!("Hash {megabytes}: {complaint}; it stays at {kept} MB")])
    }

    fn open_tables(&mut self, path: &str) -> Result {
        self.engine.set_tablebase(None);
        if path.is_empty() {
            return complain(&["endgame tables: none, the path is empty".to_owned()]);
        }
        let complaint = match Tablebase::open(path) {
            Ok(tables) => {
                let (verdicts, distances) = tables.count();
                let said = format!(
                    "endgame tables: {verdicts} that say who wins and {distances} that say how far it is, to {} men",
                    tables.max_pieces()
                );
                self.engine.set_tablebase(Some(tables));
                said
            }
            Err(error) => format!("{error}; going on without them"),
        };
        complain(&[complaint])
    }

    fn forget(&mut self) -> Result {
        self.open_memory()?;
        let source = Engine::source();
        complain(&[match self.engine.forget() {
            Ok(Some(count)) => format!("memory: {count} positions forgotten that {source} had learned"),
            Ok(None) => "memory: there is none to forget".to_owned(),
            Err(error) => format!("memory: {}", memory_hints::explain(&error)),
        }])
    }

    fn save(&mut self) -> Result {
        let file = self.hash_file.clone();
        let saved = named(&file).and_then(|file| Ok(self.engine.save_table(file)?));
        complain(&[match saved {
            Ok(()) => format!("hash saved to {}", file.display()),
            Err(error) => format!("hash not saved: {error}"),
        }])
    }

    fn load(&mut self) -> Result {
        let file = self.hash_file.clone();
        let loaded = named(&file).and_then(|file| Ok(self.engine.load_table(file)?));
        complain(&[match loaded {
            Ok(()) => format!("hash of {} MB loaded from {}", self.engine.table_bytes() >> 20, file.display()),
            Err(error) => format!("hash not loaded: {error}"),
        }])
    }

    fn bench(&mut self, depth: Option<&str>) -> Result {
        let Ok(depth) = depth.map_or(Ok(bench::DEPTH), str::parse) else {
            return complain(&[format!("bench takes a depth, not '{}'", clipped(depth.unwrap_or_default()))]);
        };
        self.engine.settle();
        let benched = bench::run(depth.max(1), 1, bench::TABLE_BYTES, |fen, nodes| {
            let _ = say(format_args!("{nodes:>12}  {fen}"));
        })?;
        say(format_args!("\nNodes searched: {}\nNodes/second: {:.0}", benched.nodes, benched.speed()))?;
        Ok(())
    }
}

/// The file, if one is named.
fn named(file: &Path) -> Result<&Path> {
    if file.as_os_str().is_empty() { Err("set Hash File first".into()) } else { Ok(file) }
}

fn complain(complaints: &[String]) -> Result {
    for complaint in complaints {
        say(words::string(complaint))?;
    }
    Ok(())
}

/// The board for people.
fn display(position: &Position) -> String {
    let fen = position.to_string();
    let ranks = fen.split([' ', '/']).take(8).zip((1..=8).rev());
    let squares = |rank: &str| -> String {
        rank.chars().fold(String::new(), |row, man| match man.to_digit(10) {
            Some(empty) => row + &" .".repeat(empty as usize),
            None => row + " " + &man.to_string(),
        })
    };
    let board: String = ranks.map(|(rank, number)| format!("{number} {}\n", squares(rank))).collect();
    format!("{board}   a b c d e f g h\n\nFen: {fen}\nKey: {:016x}", position.key())
}

fn judgement(position: &Position) -> String {
    if position.is_check() {
        return "Evaluation: none, the king is in check".to_owned();
    }
    format!("Evaluation: {} for the side to move, in hundredths of a pawn", evaluate(position.board()))
}

const HELP: &str = "\
uci, isready, ucinewgame, quit        the conversation with a GUI; its options are listed by 'uci'
setoption name N value V              sets an option
position startpos|fen F [moves ...]   what to search
go [wtime T btime T winc T binc T movestogo N | movetime T | depth N | nodes N | mate N | infinite]
   [ponder] [searchmoves ...]         searches; 'stop' and 'ponderhit' end it
go perft N                            counts move sequences
d, eval                               the position on the board, and what it looks like without a search
bench [DEPTH]                         searches fixed positions: the signature of the search
debug on|off                          says more";
