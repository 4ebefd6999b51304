//! The engine's options: their names, types and ranges, as a GUI is told of them and as it sets them.

use std::fmt;

use mnemon_memory::policy::Policy;

use super::command::clipped;

/// Every option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Hash,
    Threads,
    ClearHash,
    MultiPv,
    Ponder,
    MoveOverhead,
    Chess960,
    ShowWdl,
    AnalyseMode,
    SyzygyPath,
    MemoryFile,
    Learning,
    MemoryDepth,
    RecallBudget,
    ForgetMemory,
    HashFile,
    SaveHash,
    LoadHash,
}

/// What an option may be set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Check(bool),
    Spin { default: u64, least: u64, most: u64 },
    Combo { default: &'static str, choices: &'static [&'static str] },
    Button,
    Text(String),
}

/// What it was set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value<'v> {
    Flag(bool),
    Number(u64),
    Text(&'v str),
    Pressed,
}

/// An option as a GUI is told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Described {
    pub(super) name: Name,
    spelled: &'static str,
    kind: Kind,
}

/// All options, with the memory's file that is used if none is named.
pub(super) fn all(memory_file: &str) -> Vec<Described> {
    use Kind::{Button, Check, Combo, Spin, Text};
    let spin = |default, least, most| Spin { default, least, most };
    let learning = Combo { default: "resume", choices: &Policy::NAMES };
    let list = [
        (Name::Hash, "Hash", spin(DEFAULT_HASH, 1, 33_554_432)),
        (Name::Threads, "Threads", spin(1, 1, 1024)),
        (Name::ClearHash, "Clear Hash", Button),
        (Name::MultiPv, "MultiPV", spin(1, 1, 256)),
        (Name::Ponder, "Ponder", Check(false)),
        (Name::MoveOverhead, "Move Overhead", spin(30, 0, 10_000)),
        (Name::Chess960, "UCI_Chess960", Check(false)),
        (Name::ShowWdl, "UCI_ShowWDL", Check(false)),
        (Name::AnalyseMode, "UCI_AnalyseMode", Check(false)),
        (Name::SyzygyPath, "SyzygyPath", Text(String::new())),
        (Name::MemoryFile, "Memory File", Text(memory_file.to_owned())),
        (Name::Learning, "Learning", learning),
        (Name::MemoryDepth, "Memory Depth", spin(0, 0, 127)),
        (Name::RecallBudget, "Recall Budget", spin(500, 0, 600_000)),
        (Name::ForgetMemory, "Forget Memory", Button),
        (Name::HashFile, "Hash File", Text("mnemon.hash".to_owned())),
        (Name::SaveHash, "Save Hash", Button),
        (Name::LoadHash, "Load Hash", Button),
    ];
    list.into_iter().map(|(name, spelled, kind)| Described { name, spelled, kind }).collect()
}

/// Megabytes of a table that nobody has chosen a size for.
pub(super) const DEFAULT_HASH: u64 = 64;

impl fmt::Display for Described {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "option name {} type ", self.spelled)?;
        match &self.kind {
            Kind::Check(default) => write!(formatter, "check default {default}"),
            Kind::Spin { default, least, most } => {
                write!(formatter, "spin default {default} min {least} max {most}")
            }
            Kind::Combo { default, choices } => {
                write!(formatter, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(formatter, " var {choice}"))
            }
            Kind::Button => formatter.write_str("button"),
            Kind::Text(default) if default.is_empty() => formatter.write_str("string default <empty>"),
            Kind::Text(default) => write!(formatter, "string default {default}"),
        }
    }
}

/// The option with this name, however its letters are written.
pub(super) fn find<'o>(options: &'o [Described], name: &str) -> Result<&'o Described, String> {
    options.iter().find(|option| option.spelled.eq_ignore_ascii_case(name)).ok_or_else(|| {
        let names: Vec<_> = options.iter().map(|option| option.spelled).collect();
        format!("there is no option '{}'; there are {}", clipped(name), names.join(", "))
    })
}

impl Described {
    /// The value that a text means for this option.
    pub(super) fn value<'v>(&self, text: Option<&'v str>) -> Result<Value<'v>, String> {
        let name = self.spelled;
        let given = text.map_or_else(|| "nothing".to_owned(), |text| format!("'{}'", clipped(text)));
        match &self.kind {
            Kind::Button => Ok(Value::Pressed),
            Kind::Text(_) => Ok(Value::Text(text.filter(|&text| text != "<empty>").unwrap_or_default())),
            Kind::Check(_) => match text.map(str::to_ascii_lowercase).as_deref() {
                Some("true") => Ok(Value::Flag(true)),
                Some("false") => Ok(Value::Flag(false)),
                _ => Err(format!("{name} is true or false, not {given}")),
            },
            Kind::Spin { least, most, .. } => text
                .and_then(|text| text.parse().ok())
                .filter(|number| (least..=most).contains(&number))
                .map(Value::Number)
                .ok_or_else(|| format!("{name} is a number from {least} to {most}, not {given}")),
            Kind::Combo { choices, .. } => choices
                .iter()
                .find(|choice| text.is_some_and(|text| choice.eq_ignore_ascii_case(text)))
                .map(|choice| Value::Text(choice))
                .ok_or_else(|| format!("{name} is one of {}, not {given}", choices.join(", "))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(name: &str, value: Option<&'static str>) -> Result<(Name, Value<'static>), String> {
        let options = all("");
        let option = find(&options, name)?;
        Ok((option.name, option.value(value)?))
    }

    #[test]
    fn each_is_described_as_uci_wants_it() {
        let lines: Vec<String> = all("/m").iter().map(ToString::to_string).collect();
        assert!(lines.contains(&"option name Hash type spin default 64 min 1 max 33554432".to_owned()));
        assert!(lines.contains(&"option name Clear Hash type button".to_owned()));
        assert!(lines.contains(&"option name Ponder type check default false".to_owned()));
        assert!(lines.contains(&"option name Memory File type string default /m".to_owned()));
        let learning = "option name Learning type combo default resume var off var read-only var rote var slate \
                        var bebe var crafty var resume var tree";
        assert!(lines.contains(&learning.to_owned()), "{lines:#?}");
        assert!(
            all("").iter().any(|option| option.to_string() == "option name Memory File type string default <empty>")
        );
    }

    #[test]
    fn values_are_checked_and_names_are_not_spelled_strictly() {
        assert_eq!(set("hash", Some("16")), Ok((Name::Hash, Value::Number(16))));
        assert_eq!(set("Clear Hash", None), Ok((Name::ClearHash, Value::Pressed)));
        assert_eq!(set("Learning", Some("Tree")), Ok((Name::Learning, Value::Text("tree"))));
        assert_eq!(set("Hash File", Some("<empty>")), Ok((Name::HashFile, Value::Text(""))));
        for (name, value, said) in [
            ("Hash", Some("0"), "from 1 to 33554432"),
            ("Hash", Some("99999999999999999999999"), "not '9999"),
            ("Threads", Some("-1"), "from 1 to 1024"),
            ("Threads", None, "not nothing"),
            ("Ponder", Some("maybe"), "true or false"),
            ("Learning", Some("by heart"), "rote"),
            ("Elo", Some("1"), "no option 'Elo'"),
        ] {
            assert!(set(name, value).expect_err("wrong").contains(said), "{name} {value:?}");
        }
    }
}
