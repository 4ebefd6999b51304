//! Commands beyond UCI, for people at a terminal.

/// A command that UCI does not have.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Extension<'l> {
    /// `bench`, with the depth that follows it.
    Bench(Option<&'l str>),
    /// `d`: show the board.
    Display,
    /// `eval`: evaluate without a search.
    Eval,
    /// `help`.
    Help,
}

impl<'l> Extension<'l> {
    /// The command that a line begins with; `None` if that is not one of these.
    pub(super) fn parse(line: &'l str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace();
        match words.next()? {
            "bench" => Some(Extension::Bench(words.next())),
            "d" => Some(Extension::Display),
            "eval" => Some(Extension::Eval),
            "help" => Some(Extension::Help),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_word_counts() {
        assert_eq!(Extension::parse(" bench 5 x\r"), Some(Extension::Bench(Some("5"))));
        assert_eq!(Extension::parse("d"), Some(Extension::Display));
        assert_eq!(Extension::parse("please bench"), None);
        assert_eq!((Extension::parse(""), Extension::parse("go")), (None, None));
    }
}
