//! The `mnemon` command: memory for game-tree search.
//!
//! The crates below report; this one prints. Errors are one line on stderr: exit code 2 for a command line that cannot
//! be understood, 1 for anything else that went wrong.

mod analyze;
mod backed_up;
mod bench;
mod cli;
mod columns;
mod connect4;
mod format;
mod lab;
mod manual;
mod memory;
mod memory_hints;
mod memory_location;
mod notation;
mod output;
mod play;
mod position_arg;
mod progress;
mod record_json;
mod solve;
mod uci;

use std::process::ExitCode;

use cli::{Command, Parsed};

/// What any command may fail with: shown to the user as it is.
type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Why words on the command line mean nothing, where that shows only after the options are understood.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct UsageError(String);

fn main() -> ExitCode {
    match cli::parse(std::env::args_os()) {
        Parsed::Run(command) => run(&command).unwrap_or_else(|error| complain(&*error)),
        Parsed::Done(code) => code,
    }
}

/// Runs the command. An exit code of its own says what the command itself has already complained about.
fn run(command: &Command) -> Result<ExitCode> {
    match command {
        Command::Analyze(arguments) => return analyze::run(arguments),
        Command::Bench(arguments) => bench::run(arguments)?,
        Command::Completions(arguments) => manual::completions(arguments, cli::definition())?,
        Command::Lab(experiment) => lab::run(experiment)?,
        Command::Man(arguments) => manual::manual(arguments, cli::definition())?,
        Command::Memory(arguments) => return memory::run(arguments),
        Command::Play(game) => play::run(game)?,
        Command::Solve(arguments) => return solve::run(arguments),
        Command::Uci => uci::run()?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Says what went wrong; that nobody reads the answers any more is no mistake.
fn complain(error: &(dyn std::error::Error + 'static)) -> ExitCode {
    if output::is_closed(error) {
        return ExitCode::SUCCESS;
    }
    eprintln!("mnemon: {}", output::harmless(&memory_hints::explain_any(error)));
    if error.is::<UsageError>() { ExitCode::from(2) } else { ExitCode::FAILURE }
}
