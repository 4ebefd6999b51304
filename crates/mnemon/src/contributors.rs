//! Contributors as they are named on the command line.

use mnemon_memory::Contributor;

use crate::{Result, UsageError};

/// The one contributor of this name.
pub(crate) fn named<'c>(name: &str, contributors: &'c [Contributor]) -> Result<&'c Contributor> {
    let mut matching = contributors.iter().filter(|contributor| contributor.is_named(name));
    match (matching.next(), matching.next()) {
        (Some(contributor), None) => Ok(contributor),
        (None, _) => Err(UsageError(unknown(name, contributors)).into()),
        (Some(_), Some(_)) => Err(UsageError(ambiguous(name, contributors)).into()),
    }
}

/// That there is no contributor of this name, and which there are.
pub(crate) fn unknown(name: &str, contributors: &[Contributor]) -> String {
    if contributors.is_empty() {
        return format!("there is no contributor '{name}': everything in this memory is its own");
    }
    let labels: Vec<&str> = contributors.iter().map(|contributor| contributor.label.as_str()).collect();
    format!("there is no contributor '{name}'; the contributors are: {}", labels.join(", "))
}

fn ambiguous(name: &str, contributors: &[Contributor]) -> String {
    let matching = contributors.iter().filter(|contributor| contributor.is_named(name));
    let names: Vec<String> =
        matching.map(|contributor| format!("{}#{}", contributor.label, contributor.id.short())).collect();
    format!("several contributors are named '{name}'; name one of {}", names.join(", "))
}
