//! The width of the terminal.

use std::io::IsTerminal;

/// The width of the terminal that stdout is; `None` for files and pipes, where nothing is cut.
pub(crate) fn width() -> Option<usize> {
    let width = || terminal_size::terminal_size().map_or(80, |(terminal_size::Width(width), _)| width.max(1).into());
    std::io::stdout().is_terminal().then(width)
}

/// The number of columns for what is drawn to fit: those of the terminal; elsewhere those that `COLUMNS` gives, or 80.
pub(crate) fn columns() -> usize {
    let variable = || std::env::var("COLUMNS").ok()?.parse().ok().filter(|&columns: &usize| columns > 0);
    width().or_else(variable).unwrap_or(80)
}
