//! A random conversation with the engine: commands with and without waiting for their answers, in every state.

mod files;
mod model;
mod script;

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use files::Files;
pub(crate) use files::Template;
use mnemon_search::random::Random;
use model::Model;
use script::Action;

/// An answer that takes longer is missing, also on a loaded machine.
const LATEST: Duration = Duration::from_secs(20);

/// What a session measured.
#[derive(Clone, Copy, Default)]
pub(crate) struct Measured {
    pub(crate) sessions: usize,
    pub(crate) slowest_ready: Duration,
    pub(crate) slowest_end: Duration,
    pub(crate) gos: usize,
}

/// A conversation, and the thread that reads the engine's part of it.
struct Conversation {
    child: Child,
    stdin: Option<ChildStdin>,
    shared: Arc<Shared>,
    reader: Option<JoinHandle<()>>,
    errors: Option<JoinHandle<String>>,
    start: Instant,
    transcript: Arc<Mutex<String>>,
}

struct Shared {
    model: Mutex<Model>,
    changed: Condvar,
}

impl Shared {
    fn model(&self) -> MutexGuard<'_, Model> {
        self.model.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Holds a conversation of this seed. The error is what was wrong, with everything that was said.
pub(crate) fn run(seed: u64, template: &Template) -> Result<Measured, String> {
    let mut random = Random::new(seed);
    let files = Files::new(template, &mut random);
    let mut conversation = Conversation::new(&files);
    let judged = conversation.hold(&mut random, &files).and_then(|measured| files.check().map(|()| measured));
    let transcript = conversation.transcript.lock().unwrap_or_else(PoisonError::into_inner);
    judged.map_err(|wrong| {
        format!("seed {seed}: {wrong}\n{transcript}\n(again: MNEMON_UCI_SEED={seed}, with the race it depends on)")
    })
}

impl Conversation {
    fn new(files: &Files) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mnemon"))
            .arg("uci")
            .env("MNEMON_MEMORY", files.memory())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let shared = Arc::new(Shared { model: Mutex::default(), changed: Condvar::new() });
        let (start, transcript) = (Instant::now(), Arc::<Mutex<String>>::default());
        let stdout = child.stdout.take().expect("a pipe");
        let (judge, log) = (Arc::clone(&shared), Arc::clone(&transcript));
        let reader = std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let line = line.unwrap_or_else(|error| format!("\u{1}{error}"));
                note(&log, start, "<", &line);
                judge.model().came(&line);
                judge.changed.notify_all();
            }
        });
        let mut stderr = child.stderr.take().expect("a pipe");
        let errors = std::thread::spawn(move || {
            let mut text = Vec::new();
            let _ = stderr.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });
        let stdin = child.stdin.take();
        Conversation { child, stdin, shared, reader: Some(reader), errors: Some(errors), start, transcript }
    }

    fn hold(&mut self, random: &mut Random, files: &Files) -> Result<Measured, String> {
        // A small table: each session maps one.
        self.send("setoption name Hash value 1")?;
        let mut holder = None;
        for _ in 0..3 + random.below(30) {
            let action = {
                let model = self.shared.model();
                script::action(random, model.position(), model.chess960(), files)
            };
            match action {
                Action::Send(line) => self.send(&line)?,
                Action::SendBytes(bytes) => self.send_bytes(&bytes)?,
                Action::Sleep(milliseconds) => std::thread::sleep(Duration::from_millis(milliseconds)),
                Action::WaitReady => self.wait_ready()?,
                Action::WaitMoves => self.wait_moves()?,
                Action::Hold if holder.is_none() => {
                    holder = hold_lock(files, ["a.mnemon", "b.mnemon", "default.mnemon", "empty"][random.below(4)]);
                    note(&self.transcript, self.start, "#", if holder.is_some() { "lock" } else { "no lock" });
                }
                Action::Release => holder = None,
                Action::Hold => {}
            }
            self.judge()?;
        }
        self.end(random)
    }

    fn judge(&self) -> Result<(), String> {
        self.shared.model().error.take().map_or(Ok(()), Err)
    }

    fn send(&mut self, line: &str) -> Result<(), String> {
        note(&self.transcript, self.start, ">", line);
        self.shared.model().sending(line);
        self.write(&[line.as_bytes(), b"\n"].concat())
    }

    fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), String> {
        note(&self.transcript, self.start, ">", &format!("{:?}", String::from_utf8_lossy(bytes)));
        self.write(bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), String> {
        let stdin = self.stdin.as_mut().expect("open until the end");
        stdin.write_all(bytes).map_err(|error| format!("the engine does not read: {error}"))
    }

    fn wait_ready(&mut self) -> Result<(), String> {
        self.send("isready")?;
        self.wait_until("isready", Model::is_ready)
    }

    fn wait_moves(&mut self) -> Result<(), String> {
        if self.shared.model().needs_stop() {
            self.send("stop")?;
        }
        self.wait_until("go", Model::is_idle)
    }

    fn wait_until(&self, what: &str, is_done: impl Fn(&Model) -> bool) -> Result<(), String> {
        let waited = self.shared.changed.wait_timeout_while(self.shared.model(), LATEST, |model| !is_done(model));
        let (model, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if is_done(&model) { Ok(()) } else { Err(format!("{what} is not answered within {LATEST:?}")) }
    }

    /// Ends the conversation, by `quit` or by the end of the input, in whatever state it is.
    fn end(&mut self, random: &mut Random) -> Result<Measured, String> {
        let start = Instant::now();
        if random.below(2) == 0 {
            self.send("quit")?;
        }
        note(&self.transcript, self.start, "#", "end of the input");
        self.shared.model().end_searches();
        self.stdin = None;
        let status = loop {
            match self.child.try_wait().map_err(|error| error.to_string())? {
                Some(status) => break status,
                None if start.elapsed() > LATEST => return Err(format!("it has not ended within {LATEST:?}")),
                None => std::thread::sleep(Duration::from_millis(1)),
            }
        };
        let slowest_end = start.elapsed();
        self.reader.take().map_or(Ok(()), JoinHandle::join).map_err(|_| "the reader failed".to_owned())?;
        let errors = self.errors.take().and_then(|errors| errors.join().ok()).unwrap_or_default();
        self.judge()?;
        if !status.success() || !errors.is_empty() {
            return Err(format!("{status}, and on stderr: {errors}"));
        }
        let model = self.shared.model();
        model.missing().map_or(Ok(()), Err)?;
        Ok(Measured { sessions: 1, slowest_ready: model.slowest_ready, slowest_end, gos: model.gos })
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        self.stdin = None;
        // One that failed is not waited for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The lock to write a memory, as another process takes it; `None` if it is held.
fn hold_lock(files: &Files, name: &str) -> Option<rusqlite::Connection> {
    let connection = rusqlite::Connection::open(files.path(name)).ok()?;
    connection.busy_timeout(Duration::ZERO).ok()?;
    connection.execute_batch("BEGIN IMMEDIATE").ok()?;
    Some(connection)
}

/// Adds a line to the transcript.
fn note(transcript: &Mutex<String>, start: Instant, direction: &str, line: &str) {
    let mut transcript = transcript.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = writeln!(transcript, "{:9.1} {direction} {line}", start.elapsed().as_secs_f64() * 1e3);
}
