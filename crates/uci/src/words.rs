//! The words of a line, and where the rest of the line begins: values of options and `info string` keep their blanks.

use std::str::FromStr;

/// The words of a line, one after the other. ASCII blanks of any number stand between them, as UCI allows.
#[derive(Clone, Debug)]
pub(crate) struct Words<'l> {
    rest: &'l str,
}

impl<'l> Words<'l> {
    pub(crate) fn new(line: &'l str) -> Self {
        Words { rest: line.trim_matches(is_blank) }
    }

    /// The next word, which stays in place.
    pub(crate) fn peek(&self) -> Option<&'l str> {
        self.clone().next()
    }

    /// Everything that follows, with the blanks inside it but not those around it.
    pub(crate) fn rest(&self) -> &'l str {
        self.rest
    }

    /// The next word as a number. A word that is no number stays in place, since it may begin the next field.
    pub(crate) fn number<T: FromStr>(&mut self) -> Option<T> {
        let number = self.peek()?.parse().ok()?;
        self.next();
        Some(number)
    }

    /// The words before `end`, which is taken too, joined by one blank each; all of them if it does not come.
    pub(crate) fn text_until(&mut self, end: &str) -> String {
        self.by_ref().take_while(|&word| word != end).collect::<Vec<_>>().join(" ")
    }
}

impl<'l> Iterator for Words<'l> {
    type Item = &'l str;

    fn next(&mut self) -> Option<&'l str> {
        let end = self.rest.find(is_blank).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start_matches(is_blank);
        (!word.is_empty()).then_some(word)
    }
}

/// Whether a character may stand between words.
pub(crate) fn is_blank(character: char) -> bool {
    character.is_ascii_whitespace()
}

/// The beginning of a text that may be of any length, for a message that quotes it.
///
/// ```
/// assert_eq!(mnemon_uci::clip("xyzzy"), "xyzzy");
/// assert!(mnemon_uci::clip(&"x".repeat(1000)).ends_with("xxx..."));
/// ```
pub fn clip(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_at_any_blanks_and_the_rest_keeps_its_own() {
        let mut words = Words::new(" \t a  b \r");
        assert_eq!((words.next(), words.peek(), words.rest()), (Some("a"), Some("b"), "b"));
        assert_eq!((words.next(), words.next(), words.rest()), (Some("b"), None, ""));
        let mut words = Words::new("value /a b/c  d ");
        words.next();
        assert_eq!(words.rest(), "/a b/c  d");
    }

    #[test]
    fn what_is_no_number_stays() {
        let mut words = Words::new("5 pv x");
        assert_eq!((words.number::<u32>(), words.number::<u32>(), words.next()), (Some(5), None, Some("pv")));
    }

    #[test]
    fn texts_end_at_a_word_or_with_the_line() {
        let mut words = Words::new("Clear  Hash type button");
        assert_eq!((words.text_until("type").as_str(), words.rest()), ("Clear Hash", "button"));
        assert_eq!(words.text_until("type"), "button");
    }
}
