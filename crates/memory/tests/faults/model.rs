//! What may be in the files after a run, from its report: a step that was acknowledged is there, and one that failed or was
//! interrupted is there as a whole or not at all.

use std::collections::BTreeSet;
use std::path::Path;

use mnemon_memory::{Access, open};

use crate::script::{SCRIPT, Step, backup_path, bit, group, memory_path, observe};

/// The contents of the memory and of its backup, as bits of [`bit`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct State {
    pub(crate) memory: u64,
    pub(crate) backup: Option<u64>,
}

impl State {
    /// After a step that succeeds.
    fn after(mut self, step: Step) -> Self {
        match step {
            Step::Merge { group, version: 1 } => (0..2).for_each(|half| {
                self.memory &= !bit(group, half, 0);
                self.memory |= bit(group, half, 1);
            }),
            Step::Merge { group, .. } => (0..2).for_each(|half| {
                if self.memory & bit(group, half, 1) == 0 {
                    self.memory |= bit(group, half, 0);
                }
            }),
            Step::Delete { group, half } => self.memory &= !(bit(group, half, 0) | bit(group, half, 1)),
            Step::Backup => self.backup = Some(self.memory),
            Step::Restore => self.memory = self.backup.unwrap_or(self.memory),
            Step::Open | Step::Read | Step::Verify | Step::Compact | Step::Close | Step::ReadOnly => (),
        }
        self
    }
}

/// What a report says.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// What may be there.
    pub(crate) states: BTreeSet<State>,
    /// The number of steps that succeeded.
    pub(crate) succeeded: usize,
    /// Each step that failed, with the name of its error.
    pub(crate) errors: Vec<(Step, String)>,
    /// Whether a fault was injected.
    pub(crate) is_faulted: bool,
}

impl Outcome {
    /// Follows the lines of a report, the last of which may be the beginning of a step that was interrupted.
    pub(crate) fn of<'a>(lines: impl Iterator<Item = &'a str>) -> Self {
        let mut outcome = Outcome { states: [State::default()].into(), ..Outcome::default() };
        let mut running = None;
        for line in lines {
            let mut words = line.split(' ');
            let verb = words.next().unwrap_or_default();
            let step = words.next().map(|number| SCRIPT[number.parse::<usize>().expect("a step")]);
            match (verb, step) {
                ("begin", Some(step)) => running = Some(step),
                ("ok", Some(step)) => {
                    outcome.succeed(step, words.next().map(|bits| bits.parse().expect("bits")));
                    running = None;
                }
                ("error", Some(step)) => {
                    outcome.errors.push((step, words.next().expect("an error").to_owned()));
                    outcome.may_succeed(step);
                    running = None;
                }
                ("fault", None) => outcome.is_faulted = true,
                _ => panic!("an unknown line: {line}"),
            }
        }
        if let Some(step) = running {
            outcome.may_succeed(step);
        }
        outcome
    }

    /// Whether there is no record that should be there.
    pub(crate) fn is_nothing_acknowledged(&self) -> bool {
        self.states.iter().all(|state| *state == State::default())
    }

    fn succeed(&mut self, step: Step, read: Option<u64>) {
        self.succeeded += 1;
        if let Some(read) = read {
            // The set stays as it is: a transaction that failed as it was synced is not read, but stands in the log.
            assert!(self.states.iter().any(|state| state.memory == read), "{read:x} was read, not {:x?}", self.states);
        }
        let is_possible = |state: &State| step != Step::Restore || state.backup.is_some();
        self.states = self.states.iter().filter(|state| is_possible(state)).map(|state| state.after(step)).collect();
        assert!(!self.states.is_empty(), "restored from a backup that cannot be there");
    }

    fn may_succeed(&mut self, step: Step) {
        let after: Vec<_> = self.states.iter().map(|state| state.after(step)).collect();
        self.states.extend(after);
    }

    /// Opens the memory and its backup, without faults: both are sound, one of the states is there, and the memory can be
    /// written.
    pub(crate) fn check(&self, directory: &Path) -> Result<(), String> {
        let path = memory_path(directory);
        let memory = examine(&path, Access::Create)?;
        let backup = backup_path(directory);
        let backup = if backup.exists() { Some(examine(&backup, Access::ReadOnly)?) } else { None };
        let state = State { memory, backup };
        if !self.states.contains(&state) {
            return Err(format!("{state:x?} is there, not one of {:x?}", self.states));
        }
        let merged = open(&path, Access::Existing).and_then(|store| store.merge_many(&group(7, 0)));
        merged.map(drop).map_err(|error| format!("the memory cannot be written: {error}"))
    }
}

/// What is in the memory, which must be sound.
fn examine(path: &Path, access: Access) -> Result<u64, String> {
    let store = open(path, access).map_err(|error| format!("not opened: {error}"))?;
    let bits = observe(&*store).map_err(|error| format!("not read: {error}"))?;
    let verified = store.upkeep().expect("a file store").verify(&mut |_, _| ()).map_err(|error| error.to_string())?;
    let statistics = store.statistics().map_err(|error| error.to_string())?;
    if !verified.is_sound() || statistics.damaged + statistics.miscounted > 0 {
        return Err(format!("damaged: {verified:?} {statistics:?}"));
    }
    Ok(bits)
}
