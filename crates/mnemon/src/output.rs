//! Text to stdout. Unlike `println!` this does not panic when the reader has closed the pipe.

use std::fmt::Display;
use std::io::{self, Write};

pub(crate) use mnemon_explore::record_json::json_line;

/// Writes a line. A closed pipe is an error, which [`is_closed`] recognises.
pub(crate) fn say(line: impl Display) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}

/// Writes text of several lines that may come from a file, with its control characters escaped.
pub(crate) fn show(text: &str) -> io::Result<()> {
    io::stdout().write_all(escape_controls(text).as_bytes())
}

/// Writes text as it is, such as a script or a manual page of our own.
pub(crate) fn bytes(text: &[u8]) -> io::Result<()> {
    io::stdout().write_all(text)
}

/// The text with every control character escaped, except the ends of lines: a name in a file must not control a
/// terminal.
pub(crate) fn escape_controls(text: &str) -> String {
    let is_control = |character: char| character.is_control() && character != '\n';
    if !text.contains(is_control) {
        return text.to_owned();
    }
    let escaped = |character: char| {
        if is_control(character) { character.escape_default().to_string() } else { character.to_string() }
    };
    text.chars().map(escaped).collect()
}

/// Writes the beginning of a line and flushes it, for a prompt.
pub(crate) fn prompt(text: impl Display) -> io::Result<()> {
    let mut out = io::stdout();
    write!(out, "{text}")?;
    out.flush()
}

/// Whether the error is a closed pipe: the reader of the output has gone.
pub(crate) fn is_closed(error: &(dyn std::error::Error + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::escape_controls;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(escape_controls("a\n\u{1b}[31mé\u{9b}\t"), "a\n\\u{1b}[31mé\\u{9b}\\t");
    }
}
