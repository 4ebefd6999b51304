//! Lines from a GUI, of any length and of any bytes, in bounded memory.

use std::io::{self, BufRead};

use mnemon_search::lines::read_line;

/// A longer line is not UCI: the longest possible game fits ten times.
const LONGEST: usize = 1 << 20;

/// What came in.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// A line, without its end.
    Line(String),
    /// A line that is not text, or too long: why.
    Unreadable(String),
    /// Nothing more will come.
    End,
}

/// The next line. Of one that is too long only the beginning is ever held.
pub(super) fn next(from: &mut impl BufRead) -> io::Result<Input> {
    let Some(line) = read_line(from, LONGEST)? else { return Ok(Input::End) };
    if line.len() > LONGEST {
        return Ok(Input::Unreadable(format!("a line was skipped: it is longer than {LONGEST} bytes")));
    }
    Ok(String::from_utf8(line).map_or_else(
        |error| {
            let valid = error.utf8_error().valid_up_to();
            Input::Unreadable(format!("a line was skipped: its byte {} is not UTF-8", valid + 1))
        },
        Input::Line,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut bytes: &[u8]) -> Vec<Input> {
        let mut inputs = Vec::new();
        loop {
            let input = next(&mut bytes).expect("memory does not fail");
            if input == Input::End {
                return inputs;
            }
            inputs.push(input);
        }
    }

    fn line(text: &str) -> Input {
        Input::Line(text.to_owned())
    }

    #[test]
    fn lines_end_as_any_system_ends_them() {
        assert_eq!(all(b"uci\nisready\r\n\nquit"), [line("uci"), line("isready\r"), line(""), line("quit")]);
        assert_eq!(all(b""), []);
    }

    #[test]
    fn what_is_no_text_is_skipped_and_the_next_line_read() {
        let inputs = all(b"d\xff\xfe\nuci\n");
        assert!(matches!(&inputs[0], Input::Unreadable(why) if why.contains("byte 2")), "{inputs:?}");
        assert_eq!(inputs[1], line("uci"));
    }

    #[test]
    fn an_endless_line_is_skipped_and_the_next_one_read() {
        let mut bytes = vec![b'x'; LONGEST];
        bytes.extend(b"\nuci\n");
        assert!(matches!(&all(&bytes)[..], [Input::Line(_), Input::Line(_)]));
        bytes.insert(0, b'x');
        let inputs = all(&bytes);
        assert!(matches!(&inputs[0], Input::Unreadable(why) if why.contains("than 1048576 bytes")), "{inputs:?}");
        assert_eq!(inputs[1], line("uci"));
    }
}
