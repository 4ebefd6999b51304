//! The engine's process and its pipes.
//!
//! One thread reads each pipe, so that a line is dated when it comes and no reader waits for a silent engine.

use std::borrow::Cow;
use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin, ExitStatus};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use mnemon_search::lines::read_line;

use super::{ChildError, EngineCommand};

/// Of a longer line only the beginning is kept, and the rest is skipped.
const LONGEST_LINE: usize = 1 << 16;

/// A line of an engine's output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildLine {
    /// The line as it came, without its end. It need not be UTF-8.
    pub bytes: Vec<u8>,
    /// When it came.
    pub at: Instant,
}

impl ChildLine {
    /// The line as text, without blanks at its end. What is not UTF-8 is replaced.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.bytes.trim_ascii_end())
    }
}

/// A running engine. It is killed when this is dropped.
pub struct ChildProcess {
    child: Child,
    stdin: Option<ChildStdin>,
    last_stderr_line: Arc<Mutex<Option<String>>>,
    stderr_reader: Option<thread::JoinHandle<()>>,
}

/// How long the end of a process may take to show, once it has closed its output.
const EXIT_DELAY: Duration = Duration::from_millis(500);

impl ChildProcess {
    /// Starts an engine. A thread calls `on_line` with each line of its output until the output ends or `on_line`
    /// returns false; then it drops `on_line`.
    ///
    /// # Errors
    /// [`ChildError::Start`]; [`ChildError::Thread`], and then the engine is ended.
    pub fn start(
        command: &EngineCommand,
        on_line: impl FnMut(ChildLine) -> bool + Send + 'static,
    ) -> Result<Self, ChildError> {
        Self::start_on(thread::Builder::new, command, on_line)
    }

    /// As [`start`](Self::start), with threads of this kind.
    pub(super) fn start_on(
        builder: impl Fn() -> thread::Builder,
        command: &EngineCommand,
        mut on_line: impl FnMut(ChildLine) -> bool + Send + 'static,
    ) -> Result<Self, ChildError> {
        let started = command.to_process().spawn();
        let mut child = started.map_err(|error| ChildError::Start { command: command.to_string(), error })?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let last_stderr_line = Arc::new(Mutex::new(None));
        let last = Arc::clone(&last_stderr_line);
        // Dropped after an error: that ends the engine.
        let mut process = ChildProcess { child, stdin, last_stderr_line, stderr_reader: None };
        let refused = |error| ChildError::Thread { command: command.to_string(), error };
        if let Some(stdout) = stdout {
            let read = move || each_line(stdout, |bytes| on_line(ChildLine { bytes, at: Instant::now() }));
            builder().spawn(read).map_err(refused)?;
        }
        let reader = stderr.map(|stderr| builder().spawn(move || keep_last(stderr, &last)));
        process.stderr_reader = reader.transpose().map_err(refused)?;
        Ok(process)
    }

    /// Sends a line as it stands; its end is added. False if the engine has closed its input.
    pub fn send(&mut self, line: impl AsRef<[u8]>) -> bool {
        let Some(stdin) = &mut self.stdin else { return false };
        // One write, so that the engine does not wake up for half a line.
        stdin.write_all(&[line.as_ref(), b"\n"].concat()).and_then(|()| stdin.flush()).is_ok()
    }

    /// How the process ended, in words.
    pub fn status(&mut self) -> String {
        match self.exited_within(EXIT_DELAY) {
            Some(status) => status.to_string(),
            None => "it runs, with its output closed".to_owned(),
        }
    }

    /// The last line of its error output that is not empty. Waits a moment for an engine that has just ended.
    pub fn last_stderr_line(&self) -> Option<String> {
        let deadline = Instant::now() + EXIT_DELAY;
        while self.stderr_reader.as_ref().is_some_and(|reader| !reader.is_finished()) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
        self.last_stderr_line.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Closes the engine's input and waits for its end; kills it if that does not come within `timeout`.
    pub fn end(&mut self, timeout: Duration) {
        self.stdin = None;
        if self.exited_within(timeout).is_none() {
            // An error means that it has just ended.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }

    fn exited_within(&mut self, timeout: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + timeout;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                Ok(None) | Err(_) => return None,
            }
        }
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}

/// Keeps the last line that is not empty.
fn keep_last(output: impl Read, last: &Mutex<Option<String>>) {
    each_line(output, |bytes| {
        let line = String::from_utf8_lossy(&bytes);
        if !line.trim().is_empty() {
            *last.lock().unwrap_or_else(PoisonError::into_inner) = Some(line.trim().to_owned());
        }
        true
    });
}

/// Calls `take` with each line until it returns false, or until the input ends or fails.
fn each_line(input: impl Read, mut take: impl FnMut(Vec<u8>) -> bool) {
    let mut input = BufReader::new(input);
    while let Ok(Some(line)) = read_line(&mut input, LONGEST_LINE) {
        if !take(line) {
            return;
        }
    }
}
