//! What can go wrong with an engine at the other end of a pipe.

use std::io;
use std::time::Duration;

use crate::InvalidValue;

/// Why an engine did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum ChildError {
    /// The program does not exist, or may not run.
    #[error("cannot start the engine '{command}': {error}")]
    Start {
        /// The command.
        command: String,
        /// What the system says.
        error: io::Error,
    },
    /// The system has no thread that reads the engine's output.
    #[error("cannot read the output of the engine '{command}': no thread can be started ({error})")]
    Thread {
        /// The command.
        command: String,
        /// What the system says.
        error: io::Error,
    },
    /// The process has ended or closed its pipes.
    #[error("the engine '{engine}' has exited ({status}){}", suffix("; its last error output: ", stderr.as_deref()))]
    Exited {
        /// The engine.
        engine: String,
        /// How it ended.
        status: String,
        /// The last line of its error output.
        stderr: Option<String>,
    },
    /// It runs, and does not answer.
    #[error("the engine '{engine}' gave no {expected} within {waited:.1?}")]
    Timeout {
        /// The engine.
        engine: String,
        /// The line that was expected.
        expected: &'static str,
        /// How long it had.
        waited: Duration,
    },
    /// It has no option of that name.
    #[error("the engine '{engine}' has no option '{option}'{}", suggestion(similar.as_deref()))]
    NoOption {
        /// The engine.
        engine: String,
        /// The option asked for.
        option: String,
        /// An option with a similar name.
        similar: Option<String>,
    },
    /// The option does not take that value.
    #[error("the option '{option}' of the engine '{engine}' must be {expected}, not '{value}'")]
    BadValue {
        /// The engine.
        engine: String,
        /// The option.
        option: String,
        /// The value.
        value: String,
        /// What it would take.
        expected: InvalidValue,
    },
}

fn suffix(prefix: &str, text: Option<&str>) -> String {
    text.map_or_else(String::new, |text| format!("{prefix}{text}"))
}

fn suggestion(similar: Option<&str>) -> String {
    similar.map_or_else(String::new, |name| format!("; did you mean '{name}'?"))
}
