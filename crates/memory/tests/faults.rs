//! The disk fails, or loses its power, at every point of a scripted run: every acknowledged record is there afterwards, the
//! memory is sound, and what failed has said so.
//!
//! `shim.c` is preloaded into a child, which runs the script. `MNEMON_FAULTS=all` tries every operation; the default is a
//! sample. `cargo test -p mnemon-memory --test faults -- --nocapture` prints the counts of docs/results/reliability.md.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

#[path = "common/child.rs"]
mod child;
#[path = "faults/disk.rs"]
mod disk;
#[path = "faults/model.rs"]
mod model;
#[path = "faults/script.rs"]
mod script;
#[path = "faults/shim.rs"]
mod shim;
#[path = "faults/trace.rs"]
mod trace;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use mnemon_search::random::Random;

use disk::{Disk, Loss};
use model::Outcome;
use script::{SCRIPT, Step};
use shim::{Shim, report};
use trace::Event;

/// The failures of each class of operations. A `+` lasts to the end of the run, or for as many operations as it says: SQLite
/// takes any lock that is refused for one that another process has, and waits for it.
const FAILURES: [(&str, &[&str]); 7] = [
    ("open", &["eio", "emfile", "eio+"]),
    ("read", &["eio", "short", "eintr", "eio+"]),
    ("write", &["eio", "enospc", "short", "torn", "eintr", "eio+", "full"]),
    ("sync", &["eio", "enospc", "eio+"]),
    ("truncate", &["eio", "eio+"]),
    ("lock", &["eio", "eagain", "eio+30"]),
    ("unlink", &["eio", "eio+"]),
];

/// Failures that the store overcomes without an error: a lock that another process has for a moment is one of them.
const HARMLESS: [&str; 3] = ["short", "eintr", "eagain"];

/// Whether everything is to be tried.
fn is_exhaustive() -> bool {
    std::env::var("MNEMON_FAULTS").is_ok_and(|faults| faults == "all")
}

#[test]
#[ignore = "the process whose files fail"]
fn scripted() {
    let Some((directory, _)) = child::task() else { return };
    script::run(&directory);
}

/// Runs the script in a directory of its own and calls `then` with it.
fn run<T>(shim: &Shim, fault: Option<&str>, is_traced: bool, then: impl FnOnce(&Path, &Path) -> T) -> T {
    let scratch = tempfile::tempdir().expect("a directory");
    let root = scratch.path().canonicalize().expect("a directory");
    let (directory, trace) = (root.join("run"), root.join("trace"));
    fs::create_dir(&directory).expect("a directory");
    shim.run("scripted", &directory, fault, is_traced.then_some(&trace));
    then(&directory, &trace)
}

/// The trace of a run without faults.
fn sound_trace(shim: &Shim) -> Vec<Event> {
    run(shim, None, true, |directory, trace| {
        let outcome = outcome(directory);
        assert_eq!((outcome.succeeded, outcome.states.len()), (SCRIPT.len(), 1), "{}", report(directory));
        outcome.check(directory).expect("a sound run");
        trace::read(trace)
    })
}

fn outcome(directory: &Path) -> Outcome {
    Outcome::of(report(directory).lines())
}

/// Calls `work` for each task, on as many threads as there are processors.
fn for_each<T: Sync>(tasks: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(task);
                }
            });
        }
    });
}

/// The numbers from 1 to `count`, or some that are spread over them.
fn sampled(count: usize, most: usize, random: &mut Random) -> Vec<usize> {
    let stride = if is_exhaustive() { 1 } else { count.div_ceil(most) };
    let first = if stride == 1 { 1 } else { 1 + random.below(stride) };
    (first..=count).step_by(stride).collect()
}

fn count(events: &[Event], class: &str) -> usize {
    events.iter().filter(|event| event.class() == Some(class)).count()
}

#[test]
fn an_operation_that_fails_loses_nothing_acknowledged() {
    let scratch = tempfile::tempdir().unwrap();
    let Some(shim) = Shim::compile(scratch.path()) else { return };
    let events = sound_trace(&shim);
    let mut random = Random::new(1);
    let mut tasks = Vec::new();
    for (class, kinds) in FAILURES {
        let there = count(&events, class);
        assert!(there > 0, "no operation of class {class}");
        for kind in kinds {
            let numbers = sampled(there, 20, &mut random);
            tasks.extend(numbers.into_iter().map(|number| (class, *kind, number)));
        }
    }
    let counts: Mutex<BTreeMap<_, [usize; 3]>> = Mutex::default();
    let errors: Mutex<BTreeMap<_, usize>> = Mutex::default();
    for_each(&tasks, |&(class, kind, number)| {
        let fault = format!("{class}:{number}:{kind}");
        let outcome = run(&shim, Some(&fault), false, |directory, _| {
            let outcome = outcome(directory);
            let checked = outcome.check(directory);
            assert_eq!(checked, Ok(()), "{fault}\n{}", report(directory));
            outcome
        });
        assert!(outcome.is_faulted, "{fault}: there was no such operation");
        if HARMLESS.contains(&kind) {
            assert!(outcome.errors.is_empty(), "{fault}: {:?}", outcome.errors);
        }
        for (step, error) in &outcome.errors {
            assert!(is_clear(class, *step, error), "{fault}: {step:?} reports {error}");
        }
        let mut counts = counts.lock().expect("no panic");
        let counted = counts.entry((class, kind)).or_default();
        counted[0] += 1;
        counted[1] += usize::from(outcome.errors.is_empty());
        counted[2] += outcome.succeeded;
        for (_, error) in outcome.errors {
            *errors.lock().expect("no panic").entry((class, kind, error)).or_default() += 1;
        }
    });
    for ((class, kind), [runs, silent, steps]) in counts.into_inner().expect("no panic") {
        println!(
            "{class} {kind}: {runs} runs of {}, {silent} without an error, {steps} steps acknowledged",
            count(&events, class)
        );
    }
    println!("errors: {:#?}", errors.into_inner().expect("no panic"));
}

/// Whether the error tells what happened. A page that cannot be read counts as damaged, and a step may miss what an earlier
/// one could not make.
fn is_clear(class: &str, step: Step, error: &str) -> bool {
    match error {
        "Store" | "Full" | "ReadOnly" | "Unreachable" | "Copy" => true,
        "Damaged" => class == "read",
        "Missing" | "Foreign" => matches!(step, Step::Restore | Step::ReadOnly),
        _ => false,
    }
}

/// Builds and checks the images of a trace that ends after each of `cuts` events; returns how many there were.
fn check_images(events: &[Event], cuts: &[usize], rounds: usize, seed: u64, root: &Path) -> BTreeMap<String, usize> {
    let counts: Mutex<BTreeMap<String, usize>> = Mutex::default();
    for_each(cuts, |&cut| {
        let outcome = outcome_before(&events[..cut]);
        let disk = Disk::after(&events[..cut]);
        for loss in Loss::ALL {
            if disk.is_certain() && loss != Loss::Nothing {
                continue;
            }
            for round in 0..if loss.is_random() { rounds } else { 1 } {
                let mut random = Random::new(seed ^ (cut as u64) << 20 ^ (round as u64) << 8 ^ loss as u64);
                let checked = check_image(&disk, loss, &mut random, &outcome, root);
                let name = match checked {
                    Ok(()) => format!("{loss:?}"),
                    Err(_) if disk.is_unprotected() && outcome.is_nothing_acknowledged() => "refused".to_owned(),
                    Err(error) => panic!("power lost after event {cut}, {loss:?}, round {round}: {error}"),
                };
                *counts.lock().expect("no panic").entry(name).or_default() += 1;
            }
        }
    });
    counts.into_inner().expect("no panic")
}

/// What was reported before a cut.
fn outcome_before(events: &[Event]) -> Outcome {
    Outcome::of(events.iter().filter_map(|event| match event {
        Event::Said(line) if line != "fault" => Some(line.as_str()),
        _ => None,
    }))
}

fn check_image(disk: &Disk<'_>, loss: Loss, random: &mut Random, outcome: &Outcome, root: &Path) -> Result<(), String> {
    let directory = tempfile::tempdir_in(root).expect("a directory");
    disk.write(loss, random, directory.path());
    outcome.check(directory.path())
}

/// The checks see a loss: without its syncs, the same run loses what it acknowledged.
#[test]
fn a_disk_that_ignores_syncs_is_noticed() {
    let scratch = tempfile::tempdir().unwrap();
    let Some(shim) = Shim::compile(scratch.path()) else { return };
    let mut events = sound_trace(&shim);
    events.retain(|event| !matches!(event, Event::Sync { .. }));
    let (outcome, disk) = (outcome_before(&events), Disk::after(&events));
    let check = |loss| check_image(&disk, loss, &mut Random::new(3), &outcome, scratch.path());
    assert_eq!(check(Loss::Nothing), Ok(()));
    for loss in [Loss::Everything, Loss::Data] {
        assert!(check(loss).is_err(), "{loss:?}");
    }
}

#[test]
fn a_loss_of_power_loses_nothing_acknowledged() {
    let scratch = tempfile::tempdir().unwrap();
    let Some(shim) = Shim::compile(scratch.path()) else { return };
    let events = sound_trace(&shim);
    let is_boundary = |event: &Event| matches!(event, Event::Sync { .. } | Event::SyncDirectory { .. });
    let mut cuts: Vec<usize> = (1..=events.len()).filter(|&cut| events[cut - 1].is_change()).collect();
    if !is_exhaustive() {
        cuts.retain(|&cut| events.get(cut).is_some_and(is_boundary) || cut % 7 == 0);
    }
    let rounds = if is_exhaustive() { 4 } else { 1 };
    let images = check_images(&events, &cuts, rounds, 0, scratch.path());
    println!("power lost after {} of {} events: {images:?}", cuts.len(), events.len());
}

/// Linux drops what it could not write, and reports that once: the next sync of the file succeeds.
#[test]
fn what_a_failed_sync_dropped_is_not_acknowledged_later() {
    let scratch = tempfile::tempdir().unwrap();
    let Some(shim) = Shim::compile(scratch.path()) else { return };
    let syncs = count(&sound_trace(&shim), "sync");
    let mut images = BTreeMap::new();
    for number in 1..=syncs {
        let events = run(&shim, Some(&format!("sync:{number}:eio")), true, |_, trace| trace::read(trace));
        assert!(!is_journal_acknowledged(&events), "sync {number}: a merge without the log");
        let is_failed = |event: &Event| {
            matches!(event, Event::Sync { is_failed: true, .. } | Event::SyncDirectory { is_failed: true, .. })
        };
        let failed = events.iter().position(is_failed).expect("a sync that fails");
        let is_end = |cut: usize| events.get(cut).is_none_or(|event| event.class() == Some("sync"));
        let cuts = (failed + 1..=events.len()).filter(|&cut| is_end(cut));
        let cuts: Vec<usize> = match events[failed] {
            _ if is_exhaustive() => cuts.collect(),
            // SQLite does not notice that a directory cannot be synced, the store does; and the next sync makes up for it.
            Event::SyncDirectory { .. } => cuts.take(12).collect(),
            _ => cuts.skip(number % 17).step_by(17).collect(),
        };
        for (loss, there) in check_images(&events, &cuts, 1, number as u64, scratch.path()) {
            *images.entry(loss).or_insert(0) += there;
        }
    }
    println!("each of {syncs} syncs failed, then power lost: {images:?}");
}

/// Whether a merge was acknowledged while a rollback journal was used, the deletion of which SQLite does not sync.
fn is_journal_acknowledged(events: &[Event]) -> bool {
    let is_merged = |event: &Event| match event {
        Event::Said(line) => {
            let number = line.strip_prefix("ok ").and_then(|rest| rest.split(' ').next()?.parse::<usize>().ok());
            number.is_some_and(|number| matches!(SCRIPT[number], Step::Merge { .. }))
        }
        _ => false,
    };
    let is_journal = |event: &Event| matches!(event, Event::Open { name, .. } if name == "memory-journal");
    events.iter().skip_while(|event| !is_merged(event)).any(is_journal)
}
