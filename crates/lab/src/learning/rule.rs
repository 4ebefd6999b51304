//! Rules for what a record becomes in the table, other than the defaults: which is better is a question for games.

use clap::ValueEnum;
use mnemon_engine::search::OpenWindow;
use mnemon_memory::policy::EntryRules;

/// A rule that differs from the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Rule {
    /// Both bounds enter, at the lesser of their depths, instead of the deeper one alone
    BothBounds,
    /// A recalled entry replaces a deeper one that a search found
    ReplaceDeeper,
    /// A recalled window inside alpha and beta narrows them on the principal variation
    Narrow,
    /// The midpoint of such a window is believed, if it is as narrow as a widened score
    Believe,
}

/// What of a record enters the table.
pub(super) fn entry_rules(rules: &[Rule]) -> EntryRules {
    EntryRules { both_bounds: rules.contains(&Rule::BothBounds), replaces_deeper: rules.contains(&Rule::ReplaceDeeper) }
}

/// What a recalled window inside alpha and beta does; the last rule about it counts.
pub(super) fn open_window(rules: &[Rule]) -> OpenWindow {
    let last = rules.iter().rev().find_map(|rule| match rule {
        Rule::Narrow => Some(OpenWindow::Narrows),
        Rule::Believe => Some(OpenWindow::Believed),
        Rule::BothBounds | Rule::ReplaceDeeper => None,
    });
    last.unwrap_or_default()
}

/// The rules as options, with a blank before each.
pub(super) fn options(rules: &[Rule]) -> String {
    let names = rules.iter().filter_map(ValueEnum::to_possible_value);
    names.map(|rule| format!(" --rule {}", rule.get_name())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_named_and_changes_something() {
        assert_eq!(options(&[]), "");
        for rule in Rule::value_variants() {
            let rules = [*rule];
            let is_default =
                entry_rules(&rules) == EntryRules::default() && open_window(&rules) == OpenWindow::Searched;
            assert!(!is_default && options(&rules).starts_with(" --rule "), "{rule:?}");
        }
        assert_eq!(open_window(&[Rule::Narrow, Rule::Believe, Rule::BothBounds]), OpenWindow::Believed);
    }
}
