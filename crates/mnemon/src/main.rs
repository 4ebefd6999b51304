//! The `mnemon` command: memory for game-tree search.
//!
//! The crates below report; this one prints. Errors are one line on stderr: exit code 2 for a command line that cannot
//! be parsed, 1 for every other failure.

mod analyze;
mod arguments;
mod bench;
mod cli;
mod columns;
mod connect4;
mod contributors;
mod format;
mod hearsay;
mod interrupt;
mod lab;
mod learn;
mod manual;
mod memory;
mod memory_hints;
mod memory_location;
mod output;
mod play;
mod position_arg;
mod progress;
mod proxy;
mod serve;
mod solve;
mod uci;

use std::process::ExitCode;

use cli::{Command, Parsed};

/// What any command may fail with: its message is shown to the user.
type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Why an argument means nothing, where only the command itself can tell: exit code 2, as for a mistyped option.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct UsageError(String);

impl UsageError {
    fn new(reason: impl std::fmt::Display) -> Self {
        UsageError(reason.to_string())
    }
}

fn main() -> ExitCode {
    if let Some(settings) = proxy::linked(std::env::args_os().next().as_ref()) {
        return proxy::run_linked(&settings).unwrap_or_else(|error| report(&*error));
    }
    match cli::parse(std::env::args_os()) {
        Parsed::Run(command) => run(&command).unwrap_or_else(|error| report(&*error)),
        Parsed::Done(code) => code,
    }
}

/// Runs the command. A command that has already reported its errors gives its own exit code.
fn run(command: &Command) -> Result<ExitCode> {
    match command {
        Command::Analyze(arguments) => return analyze::run(arguments),
        Command::Bench(arguments) => bench::run(arguments)?,
        Command::Completions(arguments) => manual::completions(arguments, cli::definition())?,
        Command::Lab(experiment) => lab::run(experiment)?,
        Command::Learn(arguments) => return learn::run(arguments),
        Command::Man(arguments) => manual::manual(arguments, cli::definition())?,
        Command::Memory(arguments) => return memory::run(arguments),
        Command::Play(game) => play::run(game)?,
        Command::Proxy(arguments) => return proxy::run(arguments),
        Command::Serve(arguments) => serve::run(arguments)?,
        Command::Solve(arguments) => return solve::run(arguments),
        Command::Uci => uci::run()?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints an error and gives its exit code. A reader that has closed the pipe is no error.
fn report(error: &(dyn std::error::Error + 'static)) -> ExitCode {
    if output::is_closed(error) {
        return ExitCode::SUCCESS;
    }
    eprintln!("mnemon: {}", output::escape_controls(&memory_hints::explain_any(error)));
    if error.is::<UsageError>() { ExitCode::from(2) } else { ExitCode::FAILURE }
}
