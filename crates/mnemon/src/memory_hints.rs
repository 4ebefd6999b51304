//! What a user of the command line can do about a memory that fails: the crates below say what happened, this adds how to
//! go on.

use std::error::Error;

use mnemon_memory::MemoryError;

/// The error's message, with a hint where there is one.
pub(crate) fn explain(error: &MemoryError) -> String {
    let hint = match error {
        MemoryError::Foreign { .. } => "; name another file with --memory",
        MemoryError::Newer { .. } => "; install a newer mnemon",
        MemoryError::Damaged { .. } => {
            "; 'mnemon memory verify' shows where, 'mnemon memory export' saves what can still be read, and 'mnemon \
             memory restore BACKUP' puts a backup in its place (a copy made by hand may be destroyed by the old log)"
        }
        MemoryError::InUse { .. } => "; close the programs that use it and try again",
        MemoryError::Replaced { .. } => "; start again with the file that is to be used",
        MemoryError::Unreachable { .. } => "; name another place with --memory",
        MemoryError::Exists { .. } => "; name a file that does not exist",
        MemoryError::Copy { .. } => "; name another place",
        _ => "",
    };
    format!("{error}{hint}")
}

/// As [`explain`], for an error of any kind; others say what they say.
pub(crate) fn explain_any(error: &(dyn Error + 'static)) -> String {
    error.downcast_ref::<MemoryError>().map_or_else(|| error.to_string(), explain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_follows_what_happened() {
        let location = || "m.mnemon".to_owned();
        let foreign = MemoryError::Foreign { location: location(), found: "a directory".to_owned() };
        let expected = "m.mnemon: this is no mnemon memory (a directory); name another file with --memory";
        assert_eq!(explain(&foreign), expected);
        assert_eq!(explain_any(&foreign), expected);
        let damaged = MemoryError::Damaged { location: location(), detail: "a page".to_owned() };
        for command in ["'mnemon memory verify' shows where", "'mnemon memory restore BACKUP'"] {
            assert!(explain(&damaged).contains(command), "{}", explain(&damaged));
        }
        let full = MemoryError::Full { location: location() };
        assert_eq!(explain(&full), full.to_string());
        assert_eq!(explain_any(&std::fmt::Error), std::fmt::Error.to_string());
    }
}
