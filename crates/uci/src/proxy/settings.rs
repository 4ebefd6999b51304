//! The proxy's own options.

use crate::{OptionDecl, OptionKind, OptionValue};

/// What becomes of an engine's analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learning {
    /// The memory is not used.
    Off,
    /// What is known is shown, and nothing is learned.
    ReadOnly,
    /// What is known is shown, and what is found is learned.
    Resume,
}

/// Whose lines are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// The engine's own.
    Own,
    /// Those of other sources too, as messages.
    All,
}

/// What a user has set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    default_file: String,
    /// The memory's file; empty for the default.
    pub file: String,
    /// Whether it is used.
    pub learning: Learning,
    /// Whose lines are shown.
    pub show: Show,
    /// The names of contributors whose records of the same engine are believed.
    pub trust: Vec<String>,
}

const FILE: &str = "Mnemon Memory File";
const LEARNING: &str = "Mnemon Learning";
const SHOW: &str = "Mnemon Show";
const TRUST: &str = "Mnemon Trust";

impl Settings {
    pub(super) fn new(default_file: &str) -> Self {
        Settings {
            default_file: default_file.to_owned(),
            file: String::new(),
            learning: Learning::Resume,
            show: Show::Own,
            trust: Vec::new(),
        }
    }

    /// Whether the proxy has an option of this name.
    pub fn has(name: &str) -> bool {
        [FILE, LEARNING, SHOW, TRUST].iter().any(|own| own.eq_ignore_ascii_case(name))
    }

    /// The options as a GUI is told of them.
    pub fn declarations(&self) -> [OptionDecl; 4] {
        let combo = |default: &str, choices: &[&str]| OptionKind::Combo {
            default: Some(default.to_owned()),
            choices: choices.iter().map(|&choice| choice.to_owned()).collect(),
        };
        let learning = match self.learning {
            Learning::Off => "off",
            Learning::ReadOnly => "read-only",
            Learning::Resume => "resume",
        };
        let show = if self.show == Show::All { "all" } else { "own" };
        let file = if self.file.is_empty() { &self.default_file } else { &self.file };
        let text = |default: &str| OptionKind::Text { default: Some(default.to_owned()) };
        [
            (FILE, text(file)),
            (LEARNING, combo(learning, &["off", "read-only", "resume"])),
            (SHOW, combo(show, &["own", "all"])),
            (TRUST, text(&self.trust.join(", "))),
        ]
        .map(|(name, kind)| OptionDecl { name: name.to_owned(), kind })
    }

    /// Sets one of the options; returns whether the memory is to be opened again.
    ///
    /// # Errors
    /// What the option takes, if not this.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<bool, String> {
        let before = (self.file.clone(), self.learning, self.trust.clone());
        let Some(option) = self.declarations().into_iter().find(|option| option.is_named(name)) else {
            return Err(format!("there is no option '{name}'"));
        };
        let given = value.unwrap_or_default();
        let refused = |expected| format!("{} must be {expected}, not '{}'", option.name, crate::clip(given));
        let OptionValue::Text(text) = option.check(value).map_err(refused)? else { return Ok(false) };
        match option.name.as_str() {
            FILE => self.file = if text == self.default_file { String::new() } else { text },
            LEARNING => {
                self.learning = match text.as_str() {
                    "off" => Learning::Off,
                    "read-only" => Learning::ReadOnly,
                    _ => Learning::Resume,
                }
            }
            SHOW => self.show = if text == "all" { Show::All } else { Show::Own },
            _ => {
                let names = text.split(',').map(|name| name.trim().to_owned());
                self.trust = names.filter(|name| !name.is_empty()).collect();
            }
        }
        Ok(before != (self.file.clone(), self.learning, self.trust.clone()))
    }
}
