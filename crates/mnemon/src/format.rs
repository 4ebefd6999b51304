//! Records and counts as text for a terminal.

pub(crate) use mnemon_explore::format::*;

/// The number of records, with the word.
pub(crate) fn records(count: u64) -> String {
    format!("{} record{}", indicatif::HumanCount(count), plural(count))
}
