//! What a user can do about a memory that fails: the crates below say what happened, this adds how to
//! go on.

use std::error::Error;

use mnemon_memory::MemoryError;

/// Where a user names the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interface {
    /// By `--memory`.
    CommandLine,
    /// By the option Memory File.
    Uci,
}

impl Interface {
    fn option(self) -> &'static str {
        match self {
            Interface::CommandLine => "--memory",
            Interface::Uci => "Memory File",
        }
    }
}

/// The error's message, with a hint where there is one.
pub(crate) fn explain(error: &MemoryError, interface: Interface) -> String {
    let option = interface.option();
    let hint = match error {
        MemoryError::Missing { location } if interface == Interface::Uci => {
            return format!(
                "{location}: there is no memory yet; any Learning but off and read-only begins one, and {option} names \
                 another file"
            );
        }
        MemoryError::Foreign { .. } => format!("; name another file with {option}"),
        MemoryError::Unreachable { .. } => format!("; name another place with {option}"),
        error => general_hint(error).to_owned(),
    };
    format!("{error}{hint}")
}

/// The hint for an error that is the same everywhere; empty if there is none.
fn general_hint(error: &MemoryError) -> &'static str {
    match error {
        MemoryError::Newer { .. } => "; install a newer mnemon",
        MemoryError::Damaged { .. } => {
            "; 'mnemon memory verify' shows where, 'mnemon memory export' saves what can still be read, and 'mnemon \
             memory restore BACKUP' puts a backup in its place (a copy made by hand may be destroyed by the old log)"
        }
        MemoryError::InUse { .. } => "; close the programs that use it and try again",
        MemoryError::Replaced { .. } => "; start again with the file that is to be used",
        MemoryError::Exists { .. } => "; name a file that does not exist",
        MemoryError::Copy { .. } => "; name another place",
        _ => "",
    }
}

/// What is said of a memory that an engine was to write and can only read.
pub(crate) fn reading_only(error: &MemoryError) -> String {
    match error {
        MemoryError::ReadOnly { location, detail } => {
            format!("{location} can't be written ({detail}); reading only: nothing is learned")
        }
        error => format!("{error}; reading only: nothing is learned"),
    }
}

/// As [`explain`] on the command line, for an error of any kind; others say what they say.
pub(crate) fn explain_any(error: &(dyn Error + 'static)) -> String {
    let memory_error = error.downcast_ref::<MemoryError>();
    memory_error.map_or_else(|| error.to_string(), |error| explain(error, Interface::CommandLine))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_follows_what_happened() {
        let location = || "m.mnemon".to_owned();
        let foreign = MemoryError::Foreign { location: location(), found: "a directory".to_owned() };
        let expected = "m.mnemon: this is no mnemon memory (a directory); name another file with --memory";
        assert_eq!(explain(&foreign, Interface::CommandLine), expected);
        assert!(explain(&foreign, Interface::Uci).ends_with("name another file with Memory File"));
        assert_eq!(explain_any(&foreign), expected);
        let damaged = MemoryError::Damaged { location: location(), detail: "a page".to_owned() };
        for command in ["'mnemon memory verify' shows where", "'mnemon memory restore BACKUP'"] {
            let explained = explain(&damaged, Interface::Uci);
            assert!(explained.contains(command), "{explained}");
        }
        let full = MemoryError::Full { location: location() };
        assert_eq!(explain(&full, Interface::CommandLine), full.to_string());
        assert_eq!(explain_any(&std::fmt::Error), std::fmt::Error.to_string());
    }
}
