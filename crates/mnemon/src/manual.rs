//! `mnemon completions` and `mnemon man`: completion scripts and manual pages.
//!
//! Both are made from the definition of the command line, so that they cannot disagree with `--help`.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use clap_complete::Shell;
use clap_mangen::Man;
use mnemon_table::file::{OwnKind, replace_file};

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
        let pages = write_pages(folder, command)?;
        return Ok(output::show(&format!("{pages} manual pages written to {}\n", folder.display()))?);
    }
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    Ok(output::bytes(&page)?)
}

/// A page of this program: roff with its title.
const PAGE: OwnKind = OwnKind::new("a manual page of mnemon", |start| {
    start.starts_with(b".ie") && start.windows(TITLE.len()).any(|bytes| bytes == TITLE)
});

const TITLE: &[u8] = b"\n.TH mnemon";

/// Writes `mnemon.1`, `mnemon-solve.1`, `mnemon-solve-book.1` and so on; gives the number of pages.
fn write_pages(folder: &Path, mut command: clap::Command) -> Result<usize> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    command.build();
    write_page(folder, command)
}

/// Writes the pages of a command and of the commands below it; gives their number.
fn write_page(folder: &Path, command: clap::Command) -> Result<usize> {
    let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
    let below: usize = shown.map(|command| write_page(folder, command.clone())).sum::<Result<_>>()?;
    let page = Man::new(command);
    let mut text = Vec::new();
    page.render(&mut text)?;
    replace_file(&folder.join(page.get_filename()), &PAGE, |file| file.write_all(&text))?;
    Ok(below + 1)
}
