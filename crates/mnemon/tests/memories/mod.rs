//! Memories in folders of their own, driven through the binary.

#![allow(dead_code, unreachable_pub, reason = "each test file uses some of these")]

use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::binary::{command, text};

/// A memory that is not there yet, in a folder that disappears with it.
pub struct Memory {
    pub folder: TempDir,
    pub path: PathBuf,
}

impl Memory {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.mnemon");
        Memory { folder, path }
    }

    /// A memory that knows these lines of JSON.
    pub fn of(lines: &str) -> Self {
        let memory = Memory::new();
        memory.import(lines);
        memory
    }

    /// A file beside the memory.
    pub fn beside(&self, name: &str) -> String {
        utf8(&self.folder.path().join(name)).to_owned()
    }

    /// A file with this text beside the memory.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        let path = self.beside(name);
        std::fs::write(&path, contents).expect("written");
        path
    }

    pub fn import(&self, lines: &str) -> String {
        let file = self.write("lines.jsonl", lines);
        self.says(&["import", &file])
    }

    /// A memory that knows these lines as an own program's records: their sources have no contributor.
    pub fn own(lines: &str) -> Self {
        let memory = Memory::of(lines);
        let store = mnemon_memory::open(&memory.path, mnemon_memory::Access::Existing).expect("a memory");
        let mut items = Vec::new();
        let visit = &mut |item: mnemon_memory::Item| {
            items.push(item);
            std::ops::ControlFlow::Continue(())
        };
        store.scan(&mnemon_memory::Range::default(), visit).expect("it can be read");
        let keys: Vec<_> = items.iter().map(|item| item.key.clone()).collect();
        store.delete_many(&keys).expect("it can be written");
        for item in &mut items {
            let source = &item.key.source;
            item.key.source = mnemon_memory::Source::new(source.kind(), source.name(), source.version());
        }
        store.merge_many(&items).expect("it can be written");
        memory
    }

    /// What the command does with this memory.
    pub fn run(&self, arguments: &[&str]) -> Output {
        let all = [&["memory", "--memory", utf8(&self.path)], arguments].concat();
        command(&all).env("USER", "Grace").output().expect("the binary runs")
    }

    /// What a command that succeeds says, with nothing on stderr.
    pub fn says(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let error = text(&output.stderr);
        assert!(output.status.success() && error.is_empty(), "{arguments:?}: {error}");
        text(&output.stdout).to_owned()
    }

    /// What a command complains about, in one line, with this exit code.
    pub fn fails(&self, arguments: &[&str], code: i32) -> String {
        let output = self.run(arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
        assert!(error.starts_with("mnemon: "), "{error}");
        error.to_owned()
    }

    /// What a command says with `--json`.
    pub fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.says(&[arguments, &["--json"]].concat())).expect("JSON")
    }

    /// Every record as its line of JSON, sorted.
    pub fn records(&self) -> Vec<String> {
        sorted(&self.says(&["export"]))
    }
}

pub fn utf8(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

pub fn sorted(lines: &str) -> Vec<String> {
    let mut lines: Vec<String> = lines.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

/// A record of Connect Four as JSON, by an engine, with an exact score.
pub fn record(moves: &str, score: i32, depth: u8) -> Value {
    json!({
        "game": "connect4-7x6", "position": moves, "source": {"engine": "tester", "version": "1"},
        "lower": score, "lower_depth": depth, "upper": score, "upper_depth": depth,
        "origins": ["search"], "nodes": 7, "time": 1_000_000_000,
    })
}

/// Values as lines.
pub fn lines(values: impl IntoIterator<Item = Value>) -> String {
    values.into_iter().map(|value| format!("{value}\n")).collect()
}

/// Many records, different for each seed, of which those of two seeds have positions and sources in common.
pub fn many(seed: u64, count: usize) -> String {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut random = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let one = |_| {
        // No four stones of a side stand in a row after so few moves, and no column is full.
        let moves: String = (0..1 + random(5)).map(|_| char::from(b'1' + random(7) as u8)).collect();
        let (lower, depth) = (random(40) as i32 - 20, random(30) as u8);
        let mut value = record(&moves, lower, depth);
        value["source"]["version"] = json!(random(3).to_string());
        value["upper"] = json!(random(40) as i32 - 20);
        value["upper_depth"] = json!(random(30) as u8);
        value["best"] = json!(1 + random(7));
        value["nodes"] = json!(random(1 << 40));
        value["time"] = json!(1_000_000_000 + random(1000));
        if random(2) == 0 {
            value["root"] = json!(true);
            value["game_ply"] = json!(random(40));
            value["root_ply"] = json!(random(40));
        }
        value
    };
    lines((0..count).map(one))
}
