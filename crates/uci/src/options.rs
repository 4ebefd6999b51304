//! Options of an engine: how they are declared, and which values they take. Ours and another engine's are the same type.

use std::fmt;

use crate::words::Words;

/// An option as `option` declares it.
///
/// ```
/// use mnemon_uci::{EngineLine, OptionValue};
///
/// let EngineLine::Option(hash) = EngineLine::parse("option name Hash type spin default 16 min 1 max 1024") else {
///     panic!("an option")
/// };
/// assert_eq!(hash.check(Some("64")), Ok(OptionValue::Number(64)));
/// assert_eq!(hash.check(Some("0")).unwrap_err().to_string(), "a number from 1 to 1024");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDecl {
    /// Its name, with one blank between its words. Case does not matter.
    pub name: String,
    /// What it can be set to.
    pub kind: OptionKind,
}

/// What an option can be set to. A default that an engine does not give, or gives wrongly, is `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// The value before it is set.
        default: Option<bool>,
    },
    /// A whole number.
    Spin {
        /// The value before it is set.
        default: Option<i64>,
        /// The least; `i64::MIN` if the engine does not say.
        min: i64,
        /// The greatest; `i64::MAX` if the engine does not say.
        max: i64,
    },
    /// One of several texts.
    Combo {
        /// The value before it is set.
        default: Option<String>,
        /// The texts, which UCI calls `var`.
        choices: Vec<String>,
    },
    /// No value: it is pressed.
    Button,
    /// Any text.
    Text {
        /// The value before it is set; UCI writes `<empty>` for an empty one.
        default: Option<String>,
    },
}

/// A value that an option takes. [`Display`](fmt::Display) writes it as `setoption` wants it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// Of a check.
    Flag(bool),
    /// Of a spin.
    Number(i64),
    /// Of a combo or a string.
    Text(String),
    /// Of a button.
    Pressed,
}

/// Why a value is refused; the message says what the option takes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidValue {
    /// A check is neither true nor false.
    #[error("true or false")]
    NotAFlag,
    /// A spin is not a number, or out of range.
    #[error("a number from {min} to {max}")]
    NotInRange {
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// A combo has other texts.
    #[error("one of {}", choices.join(", "))]
    NotAChoice {
        /// The texts.
        choices: Vec<String>,
    },
    /// A button takes no value.
    #[error("a button, which takes no value")]
    Button,
}

/// What UCI writes for a text without characters.
const EMPTY: &str = "<empty>";

impl OptionDecl {
    /// Whether the option has this name.
    pub fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// The value that a text means for this option; `None` if `setoption` gives no value.
    ///
    /// # Errors
    /// [`InvalidValue`] if the option does not take it.
    pub fn check(&self, text: Option<&str>) -> Result<OptionValue, InvalidValue> {
        match &self.kind {
            OptionKind::Check { .. } => text.and_then(flag).map(OptionValue::Flag).ok_or(InvalidValue::NotAFlag),
            &OptionKind::Spin { min, max, .. } => text
                .and_then(|text| text.parse().ok())
                .filter(|number| (min..=max).contains(number))
                .map(OptionValue::Number)
                .ok_or(InvalidValue::NotInRange { min, max }),
            OptionKind::Combo { choices, .. } => choices
                .iter()
                .find(|choice| text.is_some_and(|text| choice.eq_ignore_ascii_case(text)))
                .map(|choice| OptionValue::Text(choice.clone()))
                .ok_or_else(|| InvalidValue::NotAChoice { choices: choices.clone() }),
            OptionKind::Button if text.is_none_or(str::is_empty) => Ok(OptionValue::Pressed),
            OptionKind::Button => Err(InvalidValue::Button),
            OptionKind::Text { .. } => Ok(OptionValue::Text(unescaped(text.unwrap_or_default()))),
        }
    }

    /// Reads what follows `option`; `None` if that has no name or no type.
    pub(crate) fn parse(words: &mut Words<'_>) -> Option<Self> {
        if words.next() != Some("name") {
            return None;
        }
        let name = words.text_until("type");
        let kind = words.next()?;
        let fields = Fields::parse(words);
        let kind = match kind {
            "check" => OptionKind::Check { default: fields.default.as_deref().and_then(flag) },
            "spin" => {
                let number = |text: Option<String>| text.and_then(|text| text.parse().ok());
                OptionKind::Spin {
                    default: number(fields.default),
                    min: number(fields.min).unwrap_or(i64::MIN),
                    max: number(fields.max).unwrap_or(i64::MAX),
                }
            }
            "combo" => OptionKind::Combo { default: fields.default, choices: fields.vars },
            "button" => OptionKind::Button,
            _ => OptionKind::Text { default: fields.default.as_deref().map(unescaped) },
        };
        (!name.is_empty()).then_some(OptionDecl { name, kind })
    }
}

/// What follows an option's type.
#[derive(Default)]
struct Fields {
    default: Option<String>,
    min: Option<String>,
    max: Option<String>,
    vars: Vec<String>,
}

impl Fields {
    /// Each field is of the words up to the next field's name.
    fn parse(words: &mut Words<'_>) -> Self {
        const NAMES: [&str; 4] = ["default", "min", "max", "var"];
        let mut fields = Fields::default();
        while let Some(name) = words.next() {
            let mut text = Vec::new();
            while let Some(word) = words.peek().filter(|word| !NAMES.contains(word)) {
                text.push(word);
                words.next();
            }
            let text = text.join(" ");
            match name {
                "default" => fields.default = Some(text),
                "min" => fields.min = Some(text),
                "max" => fields.max = Some(text),
                "var" => fields.vars.push(text),
                _ => {}
            }
        }
        fields
    }
}

fn flag(text: &str) -> Option<bool> {
    text.to_ascii_lowercase().parse().ok()
}

fn unescaped(text: &str) -> String {
    if text == EMPTY { String::new() } else { text.to_owned() }
}

fn escaped(text: &str) -> &str {
    if text.is_empty() { EMPTY } else { text }
}

impl fmt::Display for OptionDecl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, default) = match &self.kind {
            OptionKind::Check { default } => ("check", default.map(|default| default.to_string())),
            OptionKind::Spin { default, .. } => ("spin", default.map(|default| default.to_string())),
            OptionKind::Combo { default, .. } => ("combo", default.clone()),
            OptionKind::Button => ("button", None),
            OptionKind::Text { default } => ("string", default.as_deref().map(|text| escaped(text).to_owned())),
        };
        write!(formatter, "option name {} type {kind}", self.name)?;
        if let Some(default) = default {
            write!(formatter, " default {default}")?;
        }
        match &self.kind {
            OptionKind::Spin { min, max, .. } => write!(formatter, " min {min} max {max}"),
            OptionKind::Combo { choices, .. } => {
                choices.iter().try_for_each(|choice| write!(formatter, " var {choice}"))
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for OptionValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Flag(flag) => flag.fmt(formatter),
            OptionValue::Number(number) => number.fmt(formatter),
            OptionValue::Text(text) => formatter.write_str(escaped(text)),
            OptionValue::Pressed => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EngineLine;

    fn option(line: &str) -> OptionDecl {
        match EngineLine::parse(line) {
            EngineLine::Option(option) => option,
            other => panic!("{other:?}"),
        }
    }

    fn sent(option: &OptionDecl, value: &str) -> Result<String, String> {
        option.check(Some(value)).map(|value| value.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn options_and_what_they_take() {
        let hash = option("option name Hash type spin default 32 min 4 max 4096");
        assert_eq!(hash.kind, OptionKind::Spin { default: Some(32), min: 4, max: 4096 });
        assert_eq!((sent(&hash, "64"), sent(&hash, "3").is_err()), (Ok("64".to_owned()), true));
        let pruning =
            option("option name NullMove Pruning type combo default Always var Always var Fail High var Never");
        assert_eq!(pruning.name, "NullMove Pruning");
        assert_eq!(sent(&pruning, "fail high"), Ok("Fail High".to_owned()));
        assert_eq!(sent(&pruning, "High"), Err("one of Always, Fail High, Never".to_owned()));
        assert_eq!(sent(&option("option name OwnBook type check default true"), "False"), Ok("false".to_owned()));
        let button = option("option name Clear Hash type button");
        assert!(sent(&button, "").is_ok() && sent(&button, "1").is_err());
        assert_eq!(button.check(None), Ok(OptionValue::Pressed));
    }

    #[test]
    fn an_empty_text_has_a_word_of_its_own() {
        let file = option("option name EvalFile type string default <empty>");
        assert_eq!(file.kind, OptionKind::Text { default: Some(String::new()) });
        assert_eq!(file.check(Some("<empty>")), Ok(OptionValue::Text(String::new())));
        assert_eq!(sent(&file, ""), Ok("<empty>".to_owned()));
        assert_eq!(sent(&file, "/a b/c  d"), Ok("/a b/c  d".to_owned()));
    }

    #[test]
    fn fields_may_be_missing_wrong_and_in_any_order() {
        let spin = option("option name  Move  Overhead type spin max 9 default many");
        assert_eq!(spin.name, "Move Overhead");
        assert_eq!(spin.kind, OptionKind::Spin { default: None, min: i64::MIN, max: 9 });
        assert_eq!(option("option name x type check").kind, OptionKind::Check { default: None });
        assert_eq!(option("option name x type file").kind, OptionKind::Text { default: None }, "an unknown type");
    }
}
