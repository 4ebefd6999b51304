//! The engine's memory as a GUI sets it: which file, by which policy. It is opened when it is first needed.

use std::path::Path;

use mnemon_engine::Engine;
use mnemon_memory::Access;
use mnemon_memory::policy::{Policy, Resume, Thresholds};

use crate::Result;
use crate::memory_location::MemoryLocation;

/// The name of the file for the table, beside the memory.
const HASH_FILE_NAME: &str = "mnemon.hash";

/// What a GUI has set about the memory.
pub(super) struct MemoryOptions {
    /// The file; empty for the default one, which `mnemon memory` uses too.
    file: String,
    policy: Policy,
    thresholds: Thresholds,
    /// Whether the engine still has the memory of earlier settings.
    is_stale: bool,
}

impl MemoryOptions {
    /// The default file and policy, not opened yet.
    pub(super) fn new() -> Self {
        let (policy, thresholds) = (Policy::Resume(Resume::default()), Thresholds::default());
        MemoryOptions { file: String::new(), policy, thresholds, is_stale: true }
    }

    /// The default file; empty if the system has no place for it.
    pub(super) fn default_file() -> String {
        MemoryLocation::choose(None).map(|location| location.path().display().to_string()).unwrap_or_default()
    }

    pub(super) fn set_file(&mut self, file: &str) {
        // A GUI may send the default back: then it is the default, whose folder is made for the user alone.
        let file = if file == Self::default_file() { "" } else { file };
        self.is_stale |= self.file != file;
        self.file = file.to_owned();
    }

    pub(super) fn set_policy(&mut self, name: &str) {
        if let Some(policy) = Policy::named(name) {
            self.is_stale |= self.policy.name() != name;
            self.policy = policy;
        }
    }

    /// Changes the settings of policies.
    pub(super) fn set(&mut self, change: impl FnOnce(&mut Thresholds)) {
        let before = self.thresholds;
        change(&mut self.thresholds);
        self.is_stale |= self.thresholds != before;
    }

    /// Gives the engine the memory that is set, if it does not have it yet; the engine opens it on a thread. Returns whether
    /// it does. Where opening fails the engine has none, and it is not tried again before a setting changes.
    pub(super) fn apply(&mut self, engine: &mut Engine) -> Result<bool> {
        if !std::mem::take(&mut self.is_stale) {
            return Ok(false);
        }
        let policy = self.policy.with(&self.thresholds);
        let location = if policy == Policy::Off { Ok(None) } else { self.location().map(Some) };
        let Ok(Some(location)) = location else {
            engine.set_memory(None);
            return location.map(|_| false);
        };
        let access = if matches!(policy, Policy::ReadOnly(_)) { Access::ReadOnly } else { Access::Create };
        engine.open_memory(move || location.for_engine(access), policy);
        Ok(true)
    }

    fn location(&self) -> Result<MemoryLocation> {
        MemoryLocation::choose(Some(self.file.as_str()).filter(|file| !file.is_empty()).map(Path::new))
    }

    /// The default file for the table, beside the memory; empty if the system has no place for that.
    pub(super) fn hash_file(&self) -> String {
        let location = self.location();
        location.map(|location| location.beside(HASH_FILE_NAME).display().to_string()).unwrap_or_default()
    }

    /// Creates the folder that the default file for the table is in, where that is the memory's default folder.
    pub(super) fn create_default_folder(&self) -> Result {
        self.location()?.create_default_folder()
    }
}
