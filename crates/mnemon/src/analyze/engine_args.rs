//! Another engine on the command line: its command and its options.

use std::time::Duration;

use clap::Args;
use mnemon_uci::child::EngineCommand;

use crate::arguments::duration;
use crate::{Result, UsageError};

/// Engines that analyse instead of our own.
#[derive(Args)]
#[group(id = "engine_args")]
pub(crate) struct EngineArgs {
    /// Analyse with this UCI engine; given twice, both analyse the position side by side
    #[arg(long = "engine", value_name = "COMMAND")]
    engines: Vec<String>,
    /// Set an option of the engine; may be repeated. Of two engines, 2:NAME=VALUE sets the second one's
    #[arg(long = "option", value_name = "NAME=VALUE", requires = "engines")]
    options: Vec<String>,
    /// How long the engine may take for any answer but a move
    #[arg(long, value_name = "T", value_parser = duration, default_value = "30s", requires = "engines")]
    engine_timeout: Duration,
}

/// An engine to start.
pub(super) struct EngineSetup {
    pub(super) command: EngineCommand,
    /// In the order in which they are set.
    pub(super) options: Vec<(String, String)>,
    pub(super) timeout: Duration,
}

impl EngineArgs {
    /// The engines that are named; `general` are the options that all of them get first.
    pub(super) fn setups(&self, general: &[(String, String)]) -> Result<Vec<EngineSetup>> {
        if self.engines.len() > 2 {
            return Err(UsageError::new("at most two engines analyse side by side").into());
        }
        let parsed = self.options.iter().map(|text| EngineOption::parse(text, self.engines.len()));
        let parsed = parsed.collect::<std::result::Result<Vec<_>, _>>()?;
        let setup = |(number, text): (usize, &String)| {
            let command = EngineCommand::parse(text).ok_or_else(|| {
                UsageError::new("--engine needs the command of a UCI engine, as in --engine stockfish")
            })?;
            let own = parsed.iter().filter(|option| option.engine.is_none_or(|engine| engine == number + 1));
            let own = own.map(|option| (option.name.clone(), option.value.clone()));
            let options = general.iter().cloned().chain(own).collect();
            Ok(EngineSetup { command: command.apart_from_terminal(), options, timeout: self.engine_timeout })
        };
        self.engines.iter().enumerate().map(setup).collect()
    }
}

/// An option, for one of the engines or for all.
#[derive(Debug, PartialEq, Eq)]
struct EngineOption {
    engine: Option<usize>,
    name: String,
    value: String,
}

impl EngineOption {
    fn parse(text: &str, engines: usize) -> std::result::Result<Self, UsageError> {
        let (head, rest) = text.split_once(':').unwrap_or(("", text));
        let number = head.parse::<usize>().ok().filter(|number| (1..=engines).contains(number));
        let assignment = if number.is_some() { rest } else { text };
        let (name, value) = assignment.split_once('=').unwrap_or((assignment, ""));
        let (name, value) = (name.trim(), value.trim());
        if name.is_empty() || text.contains(['\n', '\r']) {
            return Err(UsageError::new(format!(
                "--option {text:?}: expected the option's name and its value, as in Hash=64"
            )));
        }
        Ok(EngineOption { engine: number, name: name.to_owned(), value: value.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_is_for_all_engines_or_for_one() {
        let parsed = |text| EngineOption::parse(text, 2).expect("an option");
        let option = |engine, name: &str, value: &str| EngineOption { engine, name: name.into(), value: value.into() };
        assert_eq!(parsed("Hash=64"), option(None, "Hash", "64"));
        assert_eq!(parsed("2:Skill Level = 3"), option(Some(2), "Skill Level", "3"));
        assert_eq!(parsed("Clear Hash"), option(None, "Clear Hash", ""), "a button");
        assert_eq!(parsed("SyzygyPath=C:\\tables"), option(None, "SyzygyPath", "C:\\tables"));
        assert_eq!(parsed("3:X=1"), option(None, "3:X", "1"), "there is no third engine");
        assert!(EngineOption::parse("=64", 1).is_err() && EngineOption::parse("", 1).is_err());
    }
}
