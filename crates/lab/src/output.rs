//! Words to stdout. Unlike `println!` this does not panic when nobody reads them any more.

use std::fmt::Display;
use std::io::{self, Write};

/// Writes a line. A reader that has gone is an error here.
pub(crate) fn say(line: impl Display) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}

/// The text with every control character but the ends of lines written out: names in a file must not command a terminal.
pub(crate) fn harmless(text: &str) -> String {
    let is_harmful = |character: char| character.is_control() && character != '\n';
    if !text.contains(is_harmful) {
        return text.to_owned();
    }
    let written = |character: char| {
        if is_harmful(character) { character.escape_default().to_string() } else { character.to_string() }
    };
    text.chars().map(written).collect()
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn control_characters_are_written_out() {
        assert_eq!(harmless("a\n\u{1b}[31mé\u{9b}\t"), "a\n\\u{1b}[31mé\\u{9b}\\t");
    }
}
