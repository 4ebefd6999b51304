//! The width of the terminal, and text broken to it.

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

/// A label and its text, which is broken into indented lines where the terminal is too narrow.
pub(crate) fn labelled(label: &str, words: &str, width: Option<usize>) -> String {
    const LABEL: usize = 12;
    let most = width.map_or(usize::MAX, |width| width.saturating_sub(LABEL).max(20));
    let mut lines = vec![String::new()];
    let mut length = 0;
    for word in words.split(' ') {
        let letters = word.chars().count();
        if length > 0 && length + 1 + letters > most {
            lines.push(String::new());
            length = 0;
        }
        if let Some(line) = lines.last_mut() {
            line.extend((length > 0).then_some(' '));
            line.push_str(word);
        }
        length += usize::from(length > 0) + letters;
    }
    let indent = format!("\n{:LABEL$}", "");
    format!("{label:LABEL$}{}", lines.join(&indent))
}

#[cfg(test)]
mod tests {
    use super::labelled;

    #[test]
    fn words_stay_beside_their_label() {
        assert_eq!(labelled("Best", "one two three", None), "Best        one two three");
        let narrow = labelled("Best", "a line of words that is too long", Some(33));
        assert_eq!(narrow, "Best        a line of words that\n            is too long");
    }
}
