//! What can go wrong with an engine at the other end of a pipe.

use std::io;
use std::time::Duration;

/// Why an engine did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum ChildError {
    /// There is no such program, or it may not run.
    #[error("cannot start the engine '{command}': {error}; give the path of a UCI engine, with its arguments if any")]
    Start {
        /// The command.
        command: String,
        /// What the system says.
        error: io::Error,
    },
    /// The process has ended, or reads nothing any more.
    #[error("the engine '{engine}' has gone ({status}){last_words}")]
    Gone {
        /// The engine.
        engine: String,
        /// How it ended.
        status: String,
        /// The last thing it said on its error output, ready to be shown after a status.
        last_words: String,
    },
    /// It runs, and does not answer.
    #[error("the engine '{engine}' gave no {expected} within {waited:.1?}")]
    Silent {
        /// The engine.
        engine: String,
        /// What it should have said.
        expected: &'static str,
        /// How long it had.
        waited: Duration,
    },
    /// It does not offer that option.
    #[error("the engine '{engine}' has no option '{option}'{perhaps}")]
    NoOption {
        /// The engine.
        engine: String,
        /// The option asked for.
        option: String,
        /// What was perhaps meant, ready to be shown after the name.
        perhaps: String,
    },
    /// The option does not take that value.
    #[error("the engine '{engine}' does not take '{value}' for its option '{option}': {expected}")]
    BadValue {
        /// The engine.
        engine: String,
        /// The option.
        option: String,
        /// The value.
        value: String,
        /// What it would take.
        expected: String,
    },
}
