//! `mnemon proxy`: stands between a GUI and any UCI engine, and remembers. The state machine is [`mnemon_uci::proxy`]; here
//! are the processes, the threads and the memory.

mod install;
mod memory_thread;
mod process;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use mnemon_uci::proxy::{Action, Proxy};
use mnemon_uci::remembered::Remembered;

use crate::arguments::duration;
use crate::interrupt::Interrupt;
use crate::memory_location::MemoryLocation;
use crate::{Result, UsageError};
pub(crate) use install::{linked, run_linked};
use memory_thread::MemoryThread;
use process::EngineProcess;

/// `mnemon proxy [options] -- ENGINE [ARGS]`, or `mnemon proxy install ENGINE`.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    subcommand: Option<Subcommand>,
    #[command(flatten)]
    options: Options,
    /// The engine and its arguments, after `--`
    #[arg(last = true, value_name = "ENGINE")]
    command: Vec<String>,
}

#[derive(clap::Args)]
struct Options {
    /// The memory's file
    #[arg(long, value_name = "FILE")]
    memory: Option<PathBuf>,
    /// What becomes of the analysis
    #[arg(long, value_name = "HOW", default_value = "resume", value_parser = ["off", "read-only", "resume"])]
    learning: String,
    /// How long the engine may take to answer `uci`: 30s, 500ms, 2m
    #[arg(long, value_name = "T", value_parser = duration, default_value = "30s")]
    engine_timeout: Duration,
}

impl Options {
    /// The settings of an installed proxy.
    fn of(memory: Option<PathBuf>, learning: String) -> Self {
        Options { memory, learning, engine_timeout: Proxy::GREETING_TIMEOUT }
    }
}

#[derive(clap::Subcommand)]
enum Subcommand {
    /// Makes a program that is the engine behind the proxy, for GUIs that pass no arguments; prints its path
    Install {
        /// The engine: its path or its name
        engine: String,
        /// The engine's arguments, after `--`
        #[arg(last = true, value_name = "ARGS")]
        arguments: Vec<String>,
        /// The link to make; a file beside it with the ending .mnemon-proxy holds the settings
        #[arg(long, value_name = "LINK")]
        to: Option<PathBuf>,
        #[command(flatten)]
        options: Options,
    },
}

/// What the main loop hears.
pub(super) enum Event {
    /// A line of the GUI; `None` at its end.
    Gui(Option<Vec<u8>>),
    /// A line of the engine with this number of a start; `None` at its end.
    Engine(u32, Option<Vec<u8>>),
    /// The memory's answer.
    Remembered(u64, Option<Box<Remembered>>, Vec<String>),
    /// A memory was opened or closed; perhaps there is something to say.
    Memory(bool, Option<String>),
}

/// How long an engine may take to end.
const GRACE: Duration = Duration::from_secs(2);
/// How often findings of a running search are written.
const FLUSH: Duration = Duration::from_millis(500);

/// Runs the proxy, or installs one.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    if let Some(Subcommand::Install { engine, arguments, to, options }) = &arguments.subcommand {
        install::install(engine, arguments, options.memory.as_deref(), &options.learning, to.as_deref())?;
        return Ok(ExitCode::SUCCESS);
    }
    if arguments.command.is_empty() {
        return Err(UsageError::new("no engine is named: 'mnemon proxy -- stockfish'").into());
    }
    run_engine(&arguments.command, &arguments.options)
}

/// Runs the engine behind the proxy.
fn run_engine(command: &[String], options: &Options) -> Result<ExitCode> {
    let (events, received) = sync_channel(1024);
    let Options { memory, learning, engine_timeout } = options;
    let memory = memory.as_deref();
    let ends = events.clone();
    // The main loop may be busy: the GUI's end is tried until it is heard, and a second signal ends the program.
    Interrupt::listen(move || _ = ends.send(Event::Gui(None)))?;
    let engine = EngineProcess::start(command, 0, &events)?;
    let program = Path::new(&command[0]).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let file = MemoryLocation::choose(memory).map(|location| location.path().display().to_string()).unwrap_or_default();
    let mut proxy = Proxy::new(program.as_deref().unwrap_or("engine"), &file);
    proxy.set_greeting_timeout(*engine_timeout);
    // The values were checked on the command line.
    let _ = proxy.settings_mut().set("Mnemon Learning", Some(learning));
    process::read_gui(&events);
    let memory = MemoryThread::start(memory.map(Path::to_path_buf), &events);
    let session = Session { proxy, engine, command, events, memory, start: Instant::now(), starts: 0, outcome: None };
    session.run(&received)
}

struct Session<'c> {
    proxy: Proxy,
    engine: EngineProcess,
    command: &'c [String],
    events: SyncSender<Event>,
    memory: MemoryThread,
    start: Instant,
    starts: u32,
    outcome: Option<ExitCode>,
}

impl Session<'_> {
    fn run(mut self, received: &Receiver<Event>) -> Result<ExitCode> {
        let (mut quits, mut flushed) = (false, Instant::now());
        while self.outcome.is_none() {
            let event = received.recv_timeout(self.wait());
            let now = self.start.elapsed();
            match event {
                Ok(Event::Gui(Some(line))) => {
                    quits |= line.trim_ascii() == b"quit";
                    self.drive(|proxy, out| proxy.on_gui_line(&line, now, out));
                    if quits {
                        break;
                    }
                }
                Ok(Event::Gui(None)) => {
                    self.drive(Proxy::abandon);
                    break;
                }
                Ok(Event::Engine(start, Some(line))) if start == self.starts => {
                    self.drive(|proxy, out| proxy.on_engine_line(&line, now, out));
                }
                Ok(Event::Engine(start, None)) if start == self.starts => {
                    let how = self.engine.how_it_ended();
                    self.drive(|proxy, out| proxy.on_engine_exit(&how, now, out));
                }
                Ok(Event::Engine(..)) => {}
                Ok(Event::Remembered(number, known, others)) => {
                    self.drive(|proxy, out| proxy.on_remembered(number, known.as_deref(), &others, now, out));
                }
                Ok(Event::Memory(is_open, problem)) => {
                    self.proxy.set_memory(is_open);
                    problem.iter().for_each(|problem| self.say(problem));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.drive(|proxy, out| proxy.on_time(now, out));
            if flushed.elapsed() >= FLUSH {
                flushed = Instant::now();
                self.drive(Proxy::flush);
            }
        }
        // What the engine says on its way out passes too.
        self.engine.quit(GRACE, quits, received, |line| _ = write_out(line));
        self.memory.finish();
        Ok(self.outcome.unwrap_or(ExitCode::SUCCESS))
    }

    /// How long there is nothing to do.
    fn wait(&self) -> Duration {
        let now = self.start.elapsed();
        self.proxy.deadline().map_or(FLUSH, |deadline| deadline.saturating_sub(now).min(FLUSH))
    }

    fn say(&mut self, text: &str) {
        if !write_out(format!("{}\n", mnemon_uci::Info::message(text)).as_bytes()) {
            self.outcome = Some(ExitCode::SUCCESS);
        }
    }

    /// Lets the state machine take a step, and carries out its actions in their order.
    fn drive(&mut self, step: impl FnOnce(&mut Proxy, &mut dyn FnMut(Action))) {
        let Session { proxy, engine, command, events, memory, starts, outcome, .. } = self;
        let mut given_up = None;
        step(proxy, &mut |action| match action {
            Action::ToGui(bytes) => {
                if !write_out(&bytes) {
                    // The GUI is gone.
                    outcome.get_or_insert(ExitCode::SUCCESS);
                }
            }
            Action::ToEngine(bytes) => engine.send(bytes),
            Action::LookUp(question) => memory.look_up(question),
            Action::Learn(findings) => memory.learn(findings),
            Action::OpenMemory(settings) => memory.open(settings),
            Action::Restart => {
                *starts += 1;
                match EngineProcess::start(command, *starts, events) {
                    Ok(again) => *engine = again,
                    Err(error) => given_up = Some(error.to_string()),
                }
            }
            Action::GiveUp(problem) => given_up = Some(problem),
        });
        if let Some(problem) = given_up {
            eprintln!("mnemon: {}", crate::output::escape_controls(&problem));
            self.outcome = Some(ExitCode::FAILURE);
        }
    }
}

/// Writes to the GUI; false if it is gone.
fn write_out(bytes: &[u8]) -> bool {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(bytes).and_then(|()| stdout.flush()).is_ok()
}
