//! The engine's process and its pipes.
//!
//! A thread of its own reads each pipe, so that a line is dated when it comes and a silent engine can be waited for with
//! an end.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::{ChildError, EngineCommand};

/// Lines that wait to be looked at; an engine that says more has to wait itself.
const WAITING: usize = 4096;

/// Of a longer line only the beginning is held.
const LONGEST: u64 = 1 << 16;

/// A line that the engine said.
pub(super) struct Line {
    pub(super) text: String,
    /// When it came.
    pub(super) at: Instant,
}

/// Why there is no line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoLine {
    /// Not in time.
    Late,
    /// And there will be none: the process has closed its output.
    Ended,
}

/// A running engine.
pub(super) struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Line>,
    last_words: Arc<Mutex<String>>,
    /// The thread that listens for them.
    listener: Option<thread::JoinHandle<()>>,
}

/// How long the end of a process may take to show, once it has closed its output.
const LAST_MOMENTS: Duration = Duration::from_millis(500);

impl Process {
    pub(super) fn start(command: &EngineCommand) -> Result<Self, ChildError> {
        let started = command.to_process().spawn();
        let mut child = started.map_err(|error| ChildError::Start { command: command.to_string(), error })?;
        let (sender, lines) = sync_channel(WAITING);
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || listen(stdout, &sender));
        }
        let last_words = Arc::new(Mutex::new(String::new()));
        let heard = Arc::clone(&last_words);
        let listener = child.stderr.take().map(|stderr| thread::spawn(move || keep_last(stderr, &heard)));
        Ok(Process { stdin: child.stdin.take(), child, lines, last_words, listener })
    }

    /// Sends a line. False if the engine reads no more.
    pub(super) fn send(&mut self, line: &str) -> bool {
        let Some(stdin) = &mut self.stdin else { return false };
        stdin.write_all(format!("{line}\n").as_bytes()).and_then(|()| stdin.flush()).is_ok()
    }

    /// The next line, if one comes before the deadline; a later one stays to be asked for.
    pub(super) fn line(&self, deadline: Instant) -> Result<Line, NoLine> {
        // Without this an engine that never pauses would be listened to for ever.
        let wait = deadline.checked_duration_since(Instant::now()).ok_or(NoLine::Late)?;
        self.lines.recv_timeout(wait).map_err(|error| match error {
            RecvTimeoutError::Timeout => NoLine::Late,
            RecvTimeoutError::Disconnected => NoLine::Ended,
        })
    }

    /// How the process ended, for people.
    pub(super) fn status(&mut self) -> String {
        match self.ended_within(LAST_MOMENTS) {
            Some(status) => status.to_string(),
            None => "it runs, with its output closed".to_owned(),
        }
    }

    /// The last line on its error output, as words to be put after the status.
    pub(super) fn last_words(&self) -> String {
        let deadline = Instant::now() + LAST_MOMENTS;
        while self.listener.as_ref().is_some_and(|listener| !listener.is_finished()) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
        let words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        if words.is_empty() { String::new() } else { format!("; it said: {words}") }
    }

    /// Waits for its end; kills it if that does not come.
    pub(super) fn end(&mut self, patience: Duration) {
        self.stdin = None;
        if self.ended_within(patience).is_none() {
            // An error means that it has just ended.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }

    fn ended_within(&mut self, patience: Duration) -> Option<std::process::ExitStatus> {
        let deadline = Instant::now() + patience;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                Ok(None) | Err(_) => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}

/// Dates the lines and passes them on, until there are no more or nobody wants them.
fn listen(output: impl Read, sender: &SyncSender<Line>) {
    each_line(output, |text| sender.send(Line { text, at: Instant::now() }).is_ok());
}

/// Keeps the last line that is not empty.
fn keep_last(output: impl Read, last: &Mutex<String>) {
    each_line(output, |line| {
        if !line.trim().is_empty() {
            *last.lock().unwrap_or_else(PoisonError::into_inner) = line.trim().to_owned();
        }
        true
    });
}

/// Calls `take` with each line until it answers false. What is no UTF-8 is made so.
fn each_line(input: impl Read, mut take: impl FnMut(String) -> bool) {
    let mut input = BufReader::new(input);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match input.by_ref().take(LONGEST).read_until(b'\n', &mut bytes) {
            Ok(1..) if take(String::from_utf8_lossy(&bytes).trim_end().to_owned()) => {}
            _ => return,
        }
    }
}
