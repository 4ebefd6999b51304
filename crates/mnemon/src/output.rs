//! Words to stdout. Unlike `println!` this does not panic when nobody reads them any more.

use std::fmt::Display;
use std::io::{self, Write};

/// Writes a line. A reader that has gone is an error here, which [`is_closed`] recognises.
pub(crate) fn say(line: impl Display) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}

/// Writes the beginning of a line and shows it, for a prompt.
pub(crate) fn prompt(words: impl Display) -> io::Result<()> {
    let mut out = io::stdout();
    write!(out, "{words}")?;
    out.flush()
}

/// True when the error only says that whoever read the output has gone.
pub(crate) fn is_closed(error: &(dyn std::error::Error + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
