//! The engine's options: their names, types, defaults and ranges.

use mnemon_memory::policy::{Policy, Thresholds};
use mnemon_table::replace::AnyScheme;
use mnemon_uci::{OptionDecl, OptionKind, OptionValue, clip};

/// Every option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OptionName {
    Hash,
    Threads,
    Replacement,
    ClearHash,
    MultiPv,
    Ponder,
    MoveOverhead,
    Chess960,
    ShowWdl,
    AnalyseMode,
    OwnBook,
    BookFile,
    SyzygyPath,
    MemoryFile,
    Learning,
    Trust,
    MemoryDepth,
    Drop,
    Fuzz,
    Tolerance,
    Contempt,
    Limit,
    Lambda,
    RecallBudget,
    ForgetMemory,
    HashFile,
    SaveHash,
    LoadHash,
}

/// Megabytes of the table before the option is set.
pub(super) const DEFAULT_HASH: u32 = 64;

/// The options as they are declared to a GUI.
pub(super) struct Options(Vec<(OptionName, OptionDecl)>);

impl Options {
    /// All options, with the default files of the memory and of the table.
    pub(super) fn new(memory_file: &str, hash_file: &str) -> Self {
        use OptionKind::Button;
        let spin = |default: u32, min, max| OptionKind::Spin { default: Some(default.into()), min, max };
        let off = OptionKind::Check { default: Some(false) };
        let text = |default: &str| OptionKind::Text { default: Some(default.to_owned()) };
        let thresholds = Thresholds::default();
        let combo = |default: &str, choices: &[&str]| {
            let choices = choices.iter().map(|&choice| choice.to_owned()).collect();
            OptionKind::Combo { default: Some(default.to_owned()), choices }
        };
        let learning = combo("resume", &Policy::NAMES);
        let replacement = combo(AnyScheme::default().name(), &AnyScheme::NAMES);
        let list = [
            (OptionName::Hash, "Hash", spin(DEFAULT_HASH, 1, 33_554_432)),
            (OptionName::Threads, "Threads", spin(1, 1, 1024)),
            (OptionName::Replacement, "Replacement", replacement),
            (OptionName::ClearHash, "Clear Hash", Button),
            (OptionName::MultiPv, "MultiPV", spin(1, 1, 256)),
            (OptionName::Ponder, "Ponder", off.clone()),
            (OptionName::MoveOverhead, "Move Overhead", spin(30, 0, 10_000)),
            (OptionName::Chess960, "UCI_Chess960", off.clone()),
            (OptionName::ShowWdl, "UCI_ShowWDL", off.clone()),
            (OptionName::AnalyseMode, "UCI_AnalyseMode", off.clone()),
            (OptionName::OwnBook, "OwnBook", off),
            (OptionName::BookFile, "Book File", text("")),
            (OptionName::SyzygyPath, "SyzygyPath", text("")),
            (OptionName::MemoryFile, "Memory File", text(memory_file)),
            (OptionName::Learning, "Learning", learning),
            (OptionName::Trust, "Trust", text("")),
            (OptionName::MemoryDepth, "Memory Depth", spin(0, 0, 127)),
            (OptionName::Drop, "Learning Drop", spin(thresholds.drop.unsigned_abs().into(), 0, 10_000)),
            (OptionName::Fuzz, "Learning Fuzz", spin(thresholds.fuzz.unsigned_abs().into(), 0, 1_000)),
            (OptionName::Tolerance, "Learning Tolerance", spin(thresholds.tolerance.unsigned_abs().into(), 0, 1_000)),
            (OptionName::Contempt, "Learning Contempt", spin(thresholds.contempt.unsigned_abs().into(), 0, 1_000)),
            (OptionName::Limit, "Learning Limit", spin(0, 0, i64::from(u32::MAX))),
            (OptionName::Lambda, "Learning Lambda", spin(thresholds.lambda.into(), 0, 100)),
            (OptionName::RecallBudget, "Recall Budget", spin(500, 0, 600_000)),
            (OptionName::ForgetMemory, "Forget Memory", Button),
            (OptionName::HashFile, "Hash File", text(hash_file)),
            (OptionName::SaveHash, "Save Hash", Button),
            (OptionName::LoadHash, "Load Hash", Button),
        ];
        Options(list.map(|(name, text, kind)| (name, OptionDecl { name: text.to_owned(), kind })).into())
    }

    /// The declarations, in the order in which a GUI is told of them.
    pub(super) fn declarations(&self) -> impl Iterator<Item = &OptionDecl> {
        self.0.iter().map(|(_, option)| option)
    }

    /// The option and the value that a `setoption` means, or why it means none.
    pub(super) fn find(&self, name: &str, text: Option<&str>) -> Result<(OptionName, OptionValue), String> {
        let Some((found, option)) = self.0.iter().find(|(_, option)| option.is_named(name)) else {
            let names: Vec<_> = self.declarations().map(|option| option.name.as_str()).collect();
            return Err(format!("there is no option '{}'; the options are {}", clip(name), names.join(", ")));
        };
        // Some GUIs send a value with a button.
        let text = text.filter(|_| option.kind != OptionKind::Button);
        let value = option.check(text).map_err(|expected| {
            let given = text.map_or_else(|| "nothing".to_owned(), |text| format!("'{}'", clip(text)));
            format!("{} must be {expected}, not {given}", option.name)
        })?;
        Ok((*found, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(name: &str, value: Option<&str>) -> Result<(OptionName, OptionValue), String> {
        Options::new("", "").find(name, value)
    }

    fn text(text: &str) -> OptionValue {
        OptionValue::Text(text.to_owned())
    }

    #[test]
    fn each_is_declared_as_uci_wants_it() {
        let lines: Vec<String> = Options::new("/m", "/h").declarations().map(ToString::to_string).collect();
        assert!(lines.contains(&"option name Hash type spin default 64 min 1 max 33554432".to_owned()));
        assert!(lines.contains(&"option name Clear Hash type button".to_owned()));
        assert!(lines.contains(&"option name Ponder type check default false".to_owned()));
        assert!(lines.contains(&"option name OwnBook type check default false".to_owned()));
        assert!(lines.contains(&"option name Book File type string default <empty>".to_owned()));
        assert!(lines.contains(&"option name Memory File type string default /m".to_owned()));
        assert!(lines.contains(&"option name Hash File type string default /h".to_owned()));
        let learning = "option name Learning type combo default resume var off var read-only var rote var slate \
                        var bebe var crafty var resume var tree var result";
        assert!(lines.contains(&learning.to_owned()), "{lines:#?}");
        let replacement = "option name Replacement type combo default aged var aged var always var depth var two-tier \
                           var worth";
        assert!(lines.contains(&replacement.to_owned()), "{lines:#?}");
        let empty = "option name Memory File type string default <empty>";
        assert!(Options::new("", "").declarations().any(|option| option.to_string() == empty));
    }

    #[test]
    fn values_are_checked_and_the_case_of_names_does_not_matter() {
        assert_eq!(set("hash", Some("16")), Ok((OptionName::Hash, OptionValue::Number(16))));
        assert_eq!(set("Clear Hash", None), Ok((OptionName::ClearHash, OptionValue::Pressed)));
        assert_eq!(set("Clear Hash", Some("true")), Ok((OptionName::ClearHash, OptionValue::Pressed)));
        assert_eq!(set("Learning", Some("Tree")), Ok((OptionName::Learning, text("tree"))));
        assert_eq!(set("Hash File", Some("<empty>")), Ok((OptionName::HashFile, text(""))));
        for (name, value, said) in [
            ("Hash", Some("0"), "from 1 to 33554432"),
            ("Hash", Some("99999999999999999999999"), "not '9999"),
            ("Threads", Some("-1"), "from 1 to 1024"),
            ("Threads", None, "not nothing"),
            ("Ponder", Some("maybe"), "true or false"),
            ("Learning", Some("by heart"), "rote"),
            ("Replacement", Some("oldest"), "two-tier"),
            ("Elo", Some("1"), "no option 'Elo'"),
        ] {
            assert!(set(name, value).expect_err("wrong").contains(said), "{name} {value:?}");
        }
    }
}
