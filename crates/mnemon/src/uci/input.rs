//! Lines from a GUI, of any length and of any bytes, held in a bounded space.

use std::io::{self, BufRead};

/// A longer line is no UCI: the longest game ever possible fits ten times.
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
    let (mut line, mut length) = (Vec::new(), 0_u64);
    loop {
        let chunk = match from.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() && length == 0 {
            return Ok(Input::End);
        }
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        line.extend_from_slice(&part[..part.len().min(LONGEST - line.len())]);
        length += part.len() as u64;
        let used = part.len() + usize::from(end.is_some());
        let is_last = end.is_some() || chunk.is_empty();
        from.consume(used);
        if is_last {
            return Ok(judged(line, length));
        }
    }
}

fn judged(line: Vec<u8>, length: u64) -> Input {
    if length > LONGEST as u64 {
        return Input::Unreadable(format!("a line of {length} bytes was skipped: no command is so long"));
    }
    match String::from_utf8(line) {
        Ok(line) => Input::Line(line),
        Err(error) => {
            let place = error.utf8_error().valid_up_to();
            Input::Unreadable(format!("a line was skipped: its byte {} is not UTF-8", place + 1))
        }
    }
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
        assert_eq!(all(&bytes).len(), 2);
        bytes.insert(0, b'x');
        let inputs = all(&bytes);
        assert!(matches!(&inputs[0], Input::Unreadable(why) if why.contains("1048577 bytes")), "{inputs:?}");
        assert_eq!(inputs[1], line("uci"));
    }
}
