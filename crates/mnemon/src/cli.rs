//! The definition of the command line, and the one-line answer to a command line that cannot be parsed.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};

use crate::{analyze, bench, explore, learn, manual, memory, play, proxy, serve, solve, tree};

/// Memory for game-tree search: it remembers what a search found, and puts it back when a later one can use it.
#[derive(Parser)]
#[command(name = "mnemon", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

/// The commands.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Analyse chess positions and games, going on from what was analysed before
    Analyze(Box<analyze::Arguments>),
    /// Search fixed positions and print the number of nodes: the signature of the search
    Bench(bench::Arguments),
    /// Print a script that completes commands and options in a shell
    Completions(manual::CompletionArguments),
    /// Let the tree grow: search the positions that matter most, one after the other, until stopped
    Explore(Box<explore::Arguments>),
    /// Repeat the experiments of the literature and write their results
    #[command(subcommand)]
    Lab(mnemon_lab::Experiment),
    /// Learn from the results of a player's games in a PGN file
    Learn(learn::Arguments),
    /// Print the manual page, or write the pages of all commands
    Man(manual::ManualArguments),
    /// Show, teach, exchange and maintain the long-term memory
    Memory(memory::Arguments),
    /// Play a game against a perfect opponent
    #[command(subcommand)]
    Play(play::Game),
    /// Stand between a GUI and any UCI engine, and remember its analysis: `-- ENGINE [ARGS]`, or `install ENGINE`
    Proxy(Box<proxy::Arguments>),
    /// Show the memory in a browser, and answer tools that ask chessdb or lichess
    Serve(Box<serve::Arguments>),
    /// Solve Connect Four positions, or make an opening book of them
    Solve(solve::Arguments),
    /// Show the known tree below a position, or what was analysed
    Tree(Box<tree::Arguments>),
    /// Speak UCI: the chess engine for GUIs, which remembers what it analysed
    Uci,
}

/// The definition of the command line.
pub(crate) fn definition() -> clap::Command {
    Cli::command()
}

/// The result of parsing the command line.
pub(crate) enum Parsed {
    /// A command to run.
    Run(Box<Command>),
    /// Help, the version or an error was printed: exit with this code.
    Done(ExitCode),
}

/// Parses the command line. Prints help, the version, or an error in one line.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Parsed {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    match Cli::try_parse_from(&arguments) {
        Ok(Cli { command: Some(command) }) => Parsed::Run(Box::new(command)),
        Ok(Cli { command: None }) => without_arguments(),
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            // A closed pipe is no error.
            let _ = error.print();
            Parsed::Done(ExitCode::SUCCESS)
        }
        Err(error) => {
            eprintln!("mnemon: {}", one_line(&error, &arguments));
            Parsed::Done(ExitCode::from(2))
        }
    }
}

/// On a terminal: help. Otherwise the UCI engine, since a GUI starts an engine by its bare name.
fn without_arguments() -> Parsed {
    if std::io::stdin().is_terminal() {
        let _ = Cli::command().print_help();
        Parsed::Done(ExitCode::SUCCESS)
    } else {
        Parsed::Run(Box::new(Command::Uci))
    }
}

/// The error in one line: what was wrong, what was probably meant, where to read more.
fn one_line(error: &clap::Error, arguments: &[OsString]) -> String {
    let command = arguments.get(1).and_then(|word| word.to_str()).unwrap_or_default();
    let text = error.to_string();
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let words: Vec<_> = paragraph.split_whitespace().collect();
    let mut line = words.join(" ");
    line = line.strip_prefix("error: ").map(str::to_owned).unwrap_or(line);
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        line = "something is missing after the command".to_owned();
    }
    if let Some(meant) = suggestion(error).or_else(|| suggestion_of_help(arguments)) {
        line += &format!("; did you mean '{meant}'?");
    } else if let Some(owner) = owner(error, command) {
        line += &format!("; it belongs to 'mnemon {command} {owner}'");
    }
    line + "; see 'mnemon --help'"
}

fn suggestion(error: &clap::Error) -> Option<String> {
    [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue].into_iter().find_map(
        |kind| match error.get(kind)? {
            ContextValue::String(meant) => Some(meant.clone()),
            // The most alike comes last.
            ContextValue::Strings(meant) => meant.last().cloned(),
            _ => None,
        },
    )
}

/// What was probably meant after `help`, for which clap itself suggests nothing: what is suggested for the same words
/// without `help`.
fn suggestion_of_help(arguments: &[OsString]) -> Option<String> {
    let at = arguments.iter().position(|word| word == "help")?;
    let without: Vec<_> = arguments[..at].iter().chain(&arguments[at + 1..]).collect();
    let error = Cli::try_parse_from(without).err().filter(|error| error.kind() == ErrorKind::InvalidSubcommand)?;
    suggestion(&error)
}

/// The subcommand of `command` that has the option which `command` itself has not.
fn owner(error: &clap::Error, command: &str) -> Option<String> {
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else { return None };
    let knows = |command: &&clap::Command| {
        command.get_arguments().any(|argument| argument.get_long() == option.strip_prefix("--"))
    };
    let cli = Cli::command();
    let owner = cli.find_subcommand(command)?.get_subcommands().find(knows)?;
    (error.kind() == ErrorKind::UnknownArgument).then(|| owner.get_name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }
}
