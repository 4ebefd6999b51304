//! A whole conversation with the engine: every `go` has its `bestmove`, every `isready` its `readyok`, and nothing panics.
//!
//! The session of the binary is compiled into this target, with an output of its own. Lines that would reach files outside
//! the private folder, take gigabytes or search for long are changed before the session reads them.

#![no_main]
// The modules of the binary are compiled into this target, which needs only some of them.
#![allow(unused)]

#[path = "../../crates/mnemon/src/hearsay.rs"]
mod hearsay;
#[path = "../../crates/mnemon/src/memory_hints.rs"]
mod memory_hints;
#[path = "../../crates/mnemon/src/memory_location.rs"]
mod memory_location;
#[path = "../../crates/mnemon/src/uci/mod.rs"]
mod uci;

use libfuzzer_sys::fuzz_target;
use mnemon_fuzz::{clear, scratch};
use mnemon_uci::{Command, EngineLine};

/// What a command may fail with, as in the binary.
type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// What [`memory_location`] writes of numbers, as in the binary.
mod format {
    pub(crate) fn plural(count: u64) -> &'static str {
        if count == 1 { "" } else { "s" }
    }

    pub(crate) fn records(count: u64) -> String {
        format!("{count} records")
    }

    pub(crate) fn results(score: &str, games: u64) -> String {
        format!("{score} over {games} games")
    }
}

/// The session's output, kept instead of printed.
mod output {
    use std::fmt::Display;
    use std::io;
    use std::sync::{Mutex, PoisonError};

    static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());

    pub(crate) fn say(line: impl Display) -> io::Result<()> {
        LINES.lock().unwrap_or_else(PoisonError::into_inner).push(line.to_string());
        Ok(())
    }

    pub(crate) fn take() -> Vec<String> {
        std::mem::take(&mut LINES.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn escape_controls(text: &str) -> String {
        text.escape_debug().to_string()
    }
}

const MAX_LINES: usize = 40;
const NODES: u64 = 300;

/// How many lines of each kind are expected.
#[derive(Debug, Default, PartialEq, Eq)]
struct Answers {
    best_moves: usize,
    ready: usize,
    introduced: usize,
}

fuzz_target!(|data: &[u8]| {
    clear();
    // Without a memory, unless the input asks for one: most of a short session would be the making of the file.
    let mut input = format!(
        "setoption name Hash value 1\nsetoption name Memory File value {}\nsetoption name Learning value off\n",
        path("memory")
    );
    let mut expected = Answers::default();
    for line in data.split(|&byte| byte == b'\n').take(MAX_LINES) {
        // What is not UTF-8 is skipped by the session too.
        let Ok(line) = std::str::from_utf8(line) else { continue };
        let Some(line) = harmless(line) else { continue };
        input += &line;
        input += "\n";
        if is_extension(&line) {
            continue;
        }
        match Command::parse(&line).command {
            Some(Command::Quit) => break,
            Some(Command::Go(go)) if go.perft.is_none() => expected.best_moves += 1,
            Some(Command::IsReady) => expected.ready += 1,
            Some(Command::Uci) => expected.introduced += 1,
            _ => {}
        }
    }
    uci::converse(&mut input.as_bytes()).expect("the output can be written");
    assert_eq!(answers(&output::take()), expected, "{input}");
});

fn answers(lines: &[String]) -> Answers {
    let mut answers = Answers::default();
    for line in lines.iter().flat_map(|lines| lines.split('\n')) {
        match EngineLine::parse(line) {
            EngineLine::BestMove(_) => answers.best_moves += 1,
            EngineLine::ReadyOk => answers.ready += 1,
            EngineLine::UciOk => answers.introduced += 1,
            _ => {}
        }
    }
    answers
}

fn path(name: &str) -> String {
    scratch().join(name).display().to_string()
}

/// Whether the line is a command of ours beyond UCI.
fn is_extension(line: &str) -> bool {
    line.split_ascii_whitespace().next().is_some_and(|word| ["bench", "d", "eval", "help"].contains(&word))
}

/// The line, or one like it that does no harm; `None` if there is none.
fn harmless(line: &str) -> Option<String> {
    if line.split_ascii_whitespace().next() == Some("bench") {
        return None;
    }
    match Command::parse(line).command {
        Some(Command::SetOption { name, value }) => Some(harmless_option(line, &name, value.as_deref())),
        Some(Command::Go(go)) if go.perft.is_some_and(|depth| depth > 2) => Some("go perft 2".to_owned()),
        Some(Command::Go(go)) if go.perft.is_none() && go.nodes.is_none_or(|nodes| nodes > NODES) => {
            let line = format!("{line} nodes {NODES}");
            let is_bounded = matches!(Command::parse(&line).command, Some(Command::Go(go)) if go.nodes == Some(NODES));
            is_bounded.then_some(line)
        }
        _ => Some(line.to_owned()),
    }
}

fn harmless_option(line: &str, name: &str, value: Option<&str>) -> String {
    let letters: String = name.to_lowercase().split_whitespace().collect();
    let first = value.and_then(|value| value.bytes().next()).unwrap_or_default();
    match letters.as_str() {
        "memoryfile" => format!("setoption name {name} value {}", path(["memory", "memory2"][usize::from(first & 1)])),
        "hashfile" => format!("setoption name {name} value {}", path(["hash", "memory"][usize::from(first & 1)])),
        "bookfile" => format!("setoption name {name} value {}", path(["book", "hash"][usize::from(first & 1)])),
        "syzygypath" => format!("setoption name {name} value {}", path("")),
        "hash" => format!("setoption name {name} value {}", first % 4),
        "threads" => format!("setoption name {name} value {}", first % 4),
        _ => line.to_owned(),
    }
}
