//! The `mnemon` command: memory for game-tree search.
//!
//! The crates below report; this one prints. Errors are one line on stderr: exit code 2 for a command line that cannot
//! be understood, 1 for anything else that went wrong.

mod bench;
mod cli;
mod lab;
mod progress;

use std::process::ExitCode;

use cli::{Command, Parsed};

/// What any command may fail with: shown to the user as it is.
type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let command = match cli::parse(std::env::args_os()) {
        Parsed::Run(command) => command,
        Parsed::Done(code) => return code,
    };
    let result = match command {
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Lab(experiment) => lab::run(&experiment),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("mnemon: {error}");
            ExitCode::FAILURE
        }
    }
}
