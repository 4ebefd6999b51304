//! The engine's process: lines pass as bytes, one thread for each direction; its error output passes as far as it is read.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::Event;
use crate::Result;

/// A line that is longer passes in pieces.
const LONGEST_PIECE: u64 = 1 << 20;

pub(super) struct EngineProcess {
    child: Child,
    input: Option<Sender<Vec<u8>>>,
    number: u32,
}

impl EngineProcess {
    pub(super) fn start(command: &[String], number: u32, events: &SyncSender<Event>) -> Result<Self> {
        let mut process = Command::new(&command[0]);
        process.args(&command[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let started = process.spawn();
        let mut child = started.map_err(|error| format!("cannot start the engine '{}': {error}", command.join(" ")))?;
        let (input, lines) = channel::<Vec<u8>>();
        if let Some(mut stdin) = child.stdin.take() {
            // A thread of its own: an engine that does not read must not stop what it says.
            thread::spawn(move || {
                for line in lines {
                    if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
                        break;
                    }
                }
            });
        }
        if let Some(stdout) = child.stdout.take() {
            let events = events.clone();
            thread::spawn(move || {
                each_line(stdout, |line| events.send(Event::Engine(number, Some(line))).is_ok());
                // The main loop is gone only if the program is.
                let _ = events.send(Event::Engine(number, None));
            });
        }
        child.stderr.take().into_iter().for_each(pass_errors);
        Ok(EngineProcess { child, input: Some(input), number })
    }

    pub(super) fn send(&mut self, bytes: Vec<u8>) {
        if let Some(input) = &self.input {
            // An engine that is gone says so by the end of its output.
            let _ = input.send(bytes);
        }
    }

    /// How the process ended, in words; it is killed if it only closed its output.
    pub(super) fn how_it_ended(&mut self) -> String {
        match self.ended_within(Duration::from_millis(500)) {
            Some(status) => status.to_string(),
            None => {
                let _ = self.child.kill();
                let _ = self.child.wait();
                "it closed its output".to_owned()
            }
        }
    }

    /// Ends the engine: `quit` unless it was sent, the end of its input, and after the grace time a kill.
    pub(super) fn quit(
        &mut self,
        grace: Duration,
        was_told: bool,
        received: &Receiver<Event>,
        mut pass: impl FnMut(&[u8]),
    ) {
        if !was_told {
            self.send(b"stop\nquit\n".to_vec());
        }
        self.input = None;
        let deadline = Instant::now() + grace;
        while let Some(left) = deadline.checked_duration_since(Instant::now()) {
            match received.recv_timeout(left.min(Duration::from_millis(20))) {
                Ok(Event::Engine(number, Some(line))) if number == self.number => pass(&line),
                Ok(Event::Engine(number, None)) if number == self.number => break,
                _ => {}
            }
            if matches!(self.child.try_wait(), Ok(Some(_))) && received.try_recv().is_err() {
                return;
            }
        }
        if self.ended_within(deadline.saturating_duration_since(Instant::now())).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }

    fn ended_within(&mut self, timeout: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + timeout;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.input = None;
        if self.ended_within(Duration::ZERO).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Reads the GUI's lines on a thread.
pub(super) fn read_gui(events: &SyncSender<Event>) {
    let events = events.clone();
    thread::spawn(move || {
        each_line(std::io::stdin(), |line| events.send(Event::Gui(Some(line))).is_ok());
        let _ = events.send(Event::Gui(None));
    });
}

/// Calls `take` with each line and its end until it returns false, or until the input ends or fails.
fn each_line(input: impl Read, mut take: impl FnMut(Vec<u8>) -> bool) {
    let mut input = BufReader::new(input);
    loop {
        let mut line = Vec::new();
        match input.by_ref().take(LONGEST_PIECE).read_until(b'\n', &mut line) {
            Ok(read) if read > 0 && take(line) => {}
            _ => return,
        }
    }
}

/// Drains the error output: what our own error output does not take in time is dropped.
fn pass_errors(stderr: impl Read + Send + 'static) {
    let (sender, lines) = sync_channel::<Vec<u8>>(256);
    thread::spawn(move || {
        each_line(stderr, |line| {
            let _ = sender.try_send(line);
            true
        })
    });
    thread::spawn(move || {
        for line in lines {
            if std::io::stderr().write_all(&line).is_err() {
                return;
            }
        }
    });
}
