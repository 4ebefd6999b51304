//! Two honest processes and one that is killed again and again, on one memory: they merge, delete, compact, copy and merge
//! other memories at random, and between the rounds a backup is restored by a process that may be killed. What was
//! acknowledged, and not deleted since, is there; nothing else is; and no batch is there in part.
//!
//! `MNEMON_FAULTS=all` runs ten times as many rounds.

#[path = "common/child.rs"]
mod child;
mod common;
#[path = "killed/worker.rs"]
mod worker;

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use mnemon_memory::restore;
use mnemon_search::random::Random;

use worker::{Worker, contents};

/// The operations of an honest process in a round.
const OPERATIONS: u64 = 30;

/// An honest process, which keeps the memory open in even rounds.
const KEEPER: u64 = 0;
/// The other honest process.
const VISITOR: u64 = 1;
/// The process that is killed.
const VICTIM: u64 = 2;

#[test]
#[ignore = "one of the processes"]
fn process() {
    let Some((path, number)) = child::task() else { return };
    let (is_kept_open, role) = (number / 1000 % 2 == 0, number % 10);
    let mut worker = Worker::start(path, number);
    let mut random = Random::new(number);
    for operation in 0..if role == VICTIM { u64::MAX } else { OPERATIONS } {
        if role == VISITOR && is_kept_open && operation == OPERATIONS / 2 {
            worker.is_refused_to_restore();
        }
        worker.act(&mut random, role != KEEPER || !is_kept_open);
    }
    // The keeper closes the memory after the others.
    if role == KEEPER && is_kept_open {
        std::io::stdin().read_to_end(&mut Vec::new()).expect("the parent closes the pipe");
    }
}

#[test]
#[ignore = "the process that restores a backup"]
fn restorer() {
    let Some((path, _)) = child::task() else { return };
    restore(&path, &path.with_extension("saved"), &mut |_, _| ()).expect("nobody else has the memory open");
    child::say("restored");
}

/// A running child, and what it says.
struct Life {
    process: Child,
    said: Receiver<String>,
    lines: Vec<String>,
}

impl Life {
    fn start(name: &str, path: &Path, number: u64) -> Self {
        let mut command = child::command(&child::program(), name, path, number);
        let mut process = command.stdin(Stdio::piped()).spawn().expect("a process");
        let (sender, said) = channel();
        let mut pipe = BufReader::new(process.stderr.take().expect("a pipe"));
        std::thread::spawn(move || {
            let mut line = String::new();
            // A line without its newline is not an acknowledgement.
            while pipe.read_line(&mut line).is_ok_and(|bytes| bytes > 0) && line.ends_with('\n') {
                let _ = sender.send(std::mem::take(&mut line).trim_end().to_owned());
            }
        });
        Life { process, said, lines: Vec::new() }
    }

    fn wait_for_line(&mut self) {
        self.lines.push(self.said.recv().expect("the process says something"));
    }

    /// What it has said, after it has ended by itself.
    fn end(mut self) -> Vec<String> {
        drop(self.process.stdin.take());
        let status = self.process.wait().expect("it ends");
        self.lines.extend(self.said.iter());
        assert!(status.success(), "{status}: {:#?}", self.lines);
        self.lines
    }

    /// What it has said, after it was killed. It may have ended before only if it has finished.
    fn kill(mut self, after: Duration) -> Vec<String> {
        std::thread::sleep(after);
        let early = self.process.try_wait().expect("a child");
        assert!(early.is_none_or(|status| status.success()), "{early:?}: {:#?}", self.said.iter().collect::<Vec<_>>());
        let _ = self.process.kill();
        self.process.wait().expect("it is dead");
        self.lines.extend(self.said.iter());
        self.lines
    }
}

/// What has to be in the memory.
#[derive(Default)]
struct Model {
    present: BTreeSet<u64>,
    /// Batches of an operation that was interrupted: there or not.
    open: BTreeSet<u64>,
    acknowledged: u64,
    backups: Vec<PathBuf>,
}

impl Model {
    fn follow(&mut self, lines: &[String]) {
        let mut interrupted = None;
        for line in lines {
            let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
            let number = rest.parse::<u64>();
            match (verb, number) {
                ("merge" | "delete", Ok(number)) => interrupted = Some(number),
                ("merged", Ok(number)) => _ = self.present.insert(number),
                ("deleted", Ok(number)) => _ = self.present.remove(&number),
                ("backup", _) => self.backups.push(rest.into()),
                ("open", _) => (),
                _ => panic!("an unknown line: {}", lines.join("\n")),
            }
            if matches!(verb, "merged" | "deleted") {
                self.acknowledged += 1;
                interrupted = None;
            }
        }
        self.open.extend(interrupted);
    }

    /// Compares with what is there, which the model takes over.
    fn check(&mut self, there: BTreeSet<u64>) {
        let certain = |batches: &BTreeSet<u64>| batches - &self.open;
        assert_eq!(certain(&there), certain(&self.present), "lost, or not deleted");
        self.present = there;
        self.open.clear();
    }
}

/// One round of the three processes; returns how often the third was killed.
fn round(path: &Path, round: u64, model: &mut Model, random: &mut Random) -> u64 {
    let start = |life: u64, role: u64| Life::start("process", path, round * 1000 + life * 10 + role);
    let mut keeper = start(0, KEEPER);
    keeper.wait_for_line();
    let mut visitor = start(0, VISITOR);
    let mut kills = 0;
    while visitor.process.try_wait().expect("a child").is_none() && kills < 99 {
        let victim = start(kills, VICTIM);
        model.follow(&victim.kill(Duration::from_micros(random.below(120_000) as u64)));
        kills += 1;
    }
    model.follow(&visitor.end());
    model.follow(&keeper.end());
    model.check(contents(path));
    kills
}

/// Puts a backup in the memory's place, in a process that may be killed.
fn restore_one(path: &Path, model: &mut Model, random: &mut Random) -> bool {
    let Some(backup) = model.backups.pop() else { return false };
    let saved = path.with_extension("saved");
    fs::copy(&backup, &saved).expect("a backup that nobody uses");
    let new = contents(&saved);
    let lines = Life::start("restorer", path, 0).kill(Duration::from_micros(random.below(200_000) as u64));
    let there = contents(path);
    let is_restored = there == new;
    assert!(is_restored || (there == model.present && lines.is_empty()), "neither the old contents nor the new");
    model.present = there;
    is_restored
}

#[test]
fn what_processes_acknowledge_survives_one_that_is_killed() {
    let rounds = if std::env::var("MNEMON_FAULTS").is_ok_and(|faults| faults == "all") { 60 } else { 6 };
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("shared.mnemon");
    let (mut model, mut random) = (Model::default(), Random::new(5));
    let (mut kills, mut restored) = (0, 0);
    for number in 0..rounds {
        kills += round(&path, number, &mut model, &mut random);
        restored += u64::from(restore_one(&path, &mut model, &mut random));
        for backup in std::mem::take(&mut model.backups) {
            fs::remove_file(backup).unwrap();
        }
    }
    let Model { acknowledged, present, .. } = model;
    println!(
        "{rounds} rounds, {kills} kills, {acknowledged} merges and deletions acknowledged, {restored} restores, {} batches at the end",
        present.len()
    );
    assert!(acknowledged > rounds * OPERATIONS && kills > rounds);
}
