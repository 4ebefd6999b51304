//! `mnemon completions` and `mnemon man`: completion scripts and manual pages.
//!
//! Both are made from the definition of the command line, so that they cannot disagree with `--help`.

use std::path::{Path, PathBuf};

use clap::Args;
use clap_complete::Shell;

use crate::{Result, output};

/// The shell that is to complete commands.
#[derive(Args)]
#[command(after_help = "\
For bash: mnemon completions bash > ~/.local/share/bash-completion/completions/mnemon
For zsh:  mnemon completions zsh > DIR/_mnemon, where DIR is a folder of $fpath
For fish: mnemon completions fish > ~/.config/fish/completions/mnemon.fish")]
pub(crate) struct CompletionArguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Where manual pages are written.
#[derive(Args)]
pub(crate) struct ManualArguments {
    /// Write a page for each command to this folder instead of printing the first page
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Prints the completion script of a shell.
pub(crate) fn completions(arguments: &CompletionArguments, mut command: clap::Command) -> Result {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "mnemon", &mut script);
    Ok(output::bytes(&script)?)
}

/// Prints the manual page of `mnemon` itself, or writes the pages of all commands.
pub(crate) fn manual(arguments: &ManualArguments, command: clap::Command) -> Result {
    // 'mnemon help' has no page of its own, and is not listed among those that have.
    let command = command.disable_help_subcommand(true);
    if let Some(folder) = &arguments.out {
        let pages = write_pages(folder, command).map_err(|error| format!("{}: {error}", folder.display()))?;
        return Ok(output::show(&format!("{pages} manual pages written to {}\n", folder.display()))?);
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(output::bytes(&page)?)
}

/// Writes `mnemon.1`, `mnemon-solve.1`, `mnemon-solve-book.1` and so on; gives the number of pages.
fn write_pages(folder: &Path, command: clap::Command) -> std::io::Result<usize> {
    std::fs::create_dir_all(folder)?;
    let pages = page_count(&command);
    clap_mangen::generate_to(command, folder)?;
    Ok(pages)
}

fn page_count(command: &clap::Command) -> usize {
    1 + command.get_subcommands().map(page_count).sum::<usize>()
}
