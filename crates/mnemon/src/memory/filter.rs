//! Records as they are selected on the command line: by source and contributor.

use std::collections::BTreeSet;

use clap::Args;
use mnemon_memory::{MemoryId, Source, Store};

use crate::{Result, UsageError, contributors, format};

/// Whose records are meant.
#[derive(Args, Clone, Default)]
pub(crate) struct SourceArgs {
    /// Only what this source says: 'mnemon', 'mnemon 0.1.0', or a person's or player's name
    #[arg(long, value_name = "NAME")]
    pub(crate) source: Option<String>,
    /// Only what came from this contributor, by its label; 'own' is this memory itself
    #[arg(long, value_name = "LABEL")]
    pub(crate) contributor: Option<String>,
}

/// The arguments, with the contributor's identity.
pub(crate) struct SourceFilter<'a> {
    source: Option<&'a str>,
    /// `Some(None)` is the memory itself.
    contributor: Option<Option<MemoryId>>,
}

impl SourceArgs {
    /// Whether all records are meant.
    pub(crate) fn is_empty(&self) -> bool {
        self.source.is_none() && self.contributor.is_none()
    }

    /// The records that are meant in this memory; an error if it has no such contributor.
    pub(crate) fn filter(&self, store: &dyn Store) -> Result<SourceFilter<'_>> {
        let contributor = match self.contributor.as_deref() {
            None => None,
            Some("own") => Some(None),
            Some(name) => Some(Some(contributors::named(name, &store.contributors()?)?.id)),
        };
        Ok(SourceFilter { source: self.source.as_deref(), contributor })
    }

    /// As [`filter`](Self::filter); an error that names the sources also where none of them is meant.
    pub(crate) fn known_filter(&self, store: &dyn Store) -> Result<SourceFilter<'_>> {
        let filter = self.filter(store)?;
        let Some(named) = self.source.as_deref() else { return Ok(filter) };
        let counts = store.statistics()?.counts;
        if counts.iter().any(|count| is_named(&count.source, Some(named))) {
            return Ok(filter);
        }
        let names: BTreeSet<String> = counts.iter().map(|count| format::source(&count.source, &[])).collect();
        let names: Vec<String> = names.into_iter().collect();
        Err(UsageError(match names[..] {
            [] => format!("there is no source '{named}': this memory is empty"),
            [ref only] => format!("there is no source '{named}'; the only source is {only}"),
            _ => format!("there is no source '{named}'; the sources are: {}", names.join(", ")),
        })
        .into())
    }
}

impl SourceFilter<'_> {
    pub(crate) fn matches(&self, source: &Source) -> bool {
        is_named(source, self.source) && self.contributor.is_none_or(|id| source.contributor() == id)
    }
}

/// Whether a source is named so: by its name, which means all versions, or by name and version as they are printed.
/// Without a name, every source matches.
fn is_named(source: &Source, named: Option<&str>) -> bool {
    named.is_none_or(|named| {
        source.name() == named || source.to_string() == named || format::source(source, &[]) == named
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_all_versions() {
        let engine = Source::engine("mnemon", "0.1.0");
        assert!(["mnemon", "mnemon 0.1.0"].iter().all(|name| is_named(&engine, Some(name))));
        assert!(is_named(&engine, None) && !is_named(&engine, Some("mnemon 0.2.0")));
        assert!(is_named(&Source::person("Ada"), Some("Ada (person)")));
    }

    #[test]
    fn own_records_have_no_contributor() {
        let theirs = Source::engine("mnemon", "0.1.0").contributed_by(MemoryId::from([7; 16]));
        let own = SourceFilter { source: None, contributor: Some(None) };
        assert!(own.matches(&Source::engine("mnemon", "0.1.0")) && !own.matches(&theirs));
        let friends = SourceFilter { source: Some("mnemon"), contributor: Some(theirs.contributor()) };
        assert!(friends.matches(&theirs) && !friends.matches(&Source::engine("mnemon", "0.1.0")));
    }
}
