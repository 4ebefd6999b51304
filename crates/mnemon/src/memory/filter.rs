//! Sources as they are named on the command line.

use mnemon_memory::Source;

/// Whether a source is named so: by its name, which means all versions, or by name and version as they are printed.
/// Without a name, every source matches.
pub(crate) fn matches(source: &Source, named: Option<&str>) -> bool {
    named.is_none_or(|named| {
        source.name() == named || source.to_string() == named || crate::format::source(source, &[]) == named
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_all_versions() {
        let engine = Source::engine("mnemon", "0.1.0");
        assert!(["mnemon", "mnemon 0.1.0"].iter().all(|name| matches(&engine, Some(name))));
        assert!(matches(&engine, None) && !matches(&engine, Some("mnemon 0.2.0")));
        assert!(matches(&Source::person("Ada"), Some("Ada (person)")));
    }
}
