//! A GUI for tests: it drives the engine through its pipes, line by line.

#![allow(dead_code, unreachable_pub, reason = "each test file uses some of these")]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Long enough for the slowest machine: it bounds how long a failing test waits.
const TIMEOUT: Duration = Duration::from_secs(60);

/// An engine at the other end of two pipes, with a memory of its own.
pub struct Gui {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Dropped last: the engine's memory is in it.
    folder: Option<tempfile::TempDir>,
}

impl Gui {
    /// An engine with an empty memory.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut gui = Self::with_memory(&folder.path().join("learned.mnemon"));
        gui.folder = Some(folder);
        gui
    }

    /// An engine whose memory is this file.
    pub fn with_memory(file: &Path) -> Self {
        Self::start(Command::new(env!("CARGO_BIN_EXE_mnemon")).arg("uci"), file)
    }

    /// An engine with an empty memory and an address space of this many kilobytes.
    #[cfg(target_os = "linux")]
    pub fn with_address_space(kilobytes: u64) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let limited = format!("ulimit -v {kilobytes} && exec \"$0\" uci");
        let mut shell = Command::new("sh");
        let command = shell.args(["-c", &limited, env!("CARGO_BIN_EXE_mnemon")]);
        let mut gui = Self::start(command, &folder.path().join("learned.mnemon"));
        gui.folder = Some(folder);
        gui
    }

    /// What this command starts, with this memory.
    pub fn start(command: &mut Command, file: &Path) -> Self {
        let mut child = command
            .env("MNEMON_MEMORY", file)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let stdout = child.stdout.take().expect("a pipe");
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        Gui { stdin: child.stdin.take(), child, lines, folder: None }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(line.as_bytes());
        self.send_bytes(b"\n");
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.stdin.as_mut().expect("still open").write_all(bytes).expect("the engine reads");
    }

    /// The next line.
    pub fn line(&mut self) -> String {
        self.lines.recv_timeout(TIMEOUT).expect("the engine answers")
    }

    /// The lines up to and including the first with this beginning.
    pub fn until(&mut self, beginning: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.line();
            let is_last = line.starts_with(beginning);
            lines.push(line);
            if is_last {
                return lines;
            }
        }
    }

    /// Every line before the answer to `isready`.
    pub fn settled(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// The lines that answer a command which starts no search.
    pub fn said(&mut self, line: &str) -> Vec<String> {
        self.settled();
        self.send(line);
        self.settled()
    }

    /// Whether the engine prints nothing for a moment.
    pub fn is_silent(&mut self) -> bool {
        matches!(self.lines.recv_timeout(Duration::from_millis(150)), Err(RecvTimeoutError::Timeout))
    }

    /// Searches and gives every line; `bestmove` is the last.
    pub fn go(&mut self, position: &str, go: &str) -> Vec<String> {
        self.send(&format!("position {position}"));
        self.send(go);
        self.until("bestmove")
    }

    /// The best move of a search.
    pub fn best(&mut self, position: &str, go: &str) -> String {
        let lines = self.go(position, go);
        word_after(lines.last().expect("a move"), "bestmove").expect("a move").to_owned()
    }

    /// The engine's process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Closes the engine's input, and gives the rest of its lines and its exit code.
    pub fn close(mut self) -> (Vec<String>, Option<i32>) {
        self.stdin = None;
        let rest = self.lines.iter().collect();
        (rest, self.child.wait().expect("it ends").code())
    }
}

impl Drop for Gui {
    fn drop(&mut self) {
        self.stdin = None;
        // A test that failed does not wait for a search.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The word that follows another.
pub fn word_after<'l>(line: &'l str, word: &str) -> Option<&'l str> {
    let mut words = line.split(' ').skip_while(|&other| other != word);
    words.nth(1)
}

/// The number that follows a word.
pub fn number_after(line: &str, word: &str) -> Option<i64> {
    word_after(line, word)?.parse().ok()
}

/// Lines of a search, without bounds.
pub fn exact(lines: &[String]) -> Vec<&str> {
    let is_exact = |line: &&str| line.starts_with("info depth") && !line.contains("bound");
    lines.iter().map(String::as_str).filter(is_exact).collect()
}
