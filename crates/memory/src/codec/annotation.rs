//! Lines and notes as bytes.

use mnemon_table::{Score, Window};

use super::ContentKind;
use super::bytes::{Bytes, push_number};
use crate::{Content, Line, LineSet, Lines, Note};

/// Appends the content's bytes; numbers are little-endian:
///
/// ```text
/// lines   for each set:   depth (1) | time (4) | number of lines (variable)
///         for each line:  lower (2) | upper (2) | number of moves (1) | moves (2 each)
/// note    time (4) | the words in UTF-8
/// ```
pub fn encode_content(content: &Content, to: &mut Vec<u8>) {
    match content {
        Content::Lines(lines) => lines.sets().iter().for_each(|set| encode_set(set, to)),
        Content::Note(note) => {
            to.extend_from_slice(&note.time.to_le_bytes());
            to.extend_from_slice(note.text.as_bytes());
        }
    }
}

fn encode_set(set: &LineSet, to: &mut Vec<u8>) {
    to.push(set.depth);
    to.extend_from_slice(&set.time.to_le_bytes());
    push_number(to, set.lines.len() as u64);
    for line in &set.lines {
        let Window { lower, upper } = line.window();
        to.extend_from_slice(&lower.to_le_bytes());
        to.extend_from_slice(&upper.to_le_bytes());
        to.push(line.moves().len() as u8);
        line.moves().iter().for_each(|code| to.extend_from_slice(&code.to_le_bytes()));
    }
}

/// The content that [`encode_content`] wrote; `None` if none of this kind has these bytes.
pub fn decode_content(kind: ContentKind, bytes: &[u8]) -> Option<Content> {
    let mut bytes = Bytes(bytes);
    match kind {
        ContentKind::Lines => {
            let mut sets = Vec::new();
            while !bytes.0.is_empty() {
                sets.push(decode_set(&mut bytes)?);
            }
            let lines: Lines = sets.iter().cloned().collect();
            (lines.sets() == sets).then_some(Content::Lines(lines))
        }
        ContentKind::Note => {
            let time = bytes.u32()?;
            let text = std::str::from_utf8(bytes.0).ok()?.to_owned();
            Some(Content::Note(Note { time, text }))
        }
    }
}

fn decode_set(bytes: &mut Bytes<'_>) -> Option<LineSet> {
    let (depth, time) = (bytes.byte()?, bytes.u32()?);
    let count = bytes.number().filter(|&count| count <= LineSet::MAX_LINES as u64)?;
    let mut lines = Vec::new();
    for _ in 0..count {
        let window = Window { lower: bytes.u16()? as Score, upper: bytes.u16()? as Score };
        let moves = usize::from(bytes.byte()?);
        let moves = bytes.take(moves * 2)?.chunks_exact(2).map(|code| u16::from_le_bytes([code[0], code[1]]));
        lines.push(Line::new(window, moves));
    }
    Some(LineSet { depth, time, lines })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_notes_come_back() {
        let line = |score, first| Line::new(Window::exact(score), [first, 2, 3]);
        let single = LineSet { depth: 24, time: 9, lines: vec![Line::new(Window::at_most(-20), 1..=64)] };
        let several = LineSet { depth: 18, time: 8, lines: vec![line(30, 5), line(10, 6), line(-5, 7)] };
        let lines: Lines = [single, several].into_iter().collect();
        assert_eq!(lines.sets().len(), 2);
        let note = Note { time: 1_700_000_000, text: "a novelty: 15.Nd5!".to_owned() };
        for content in [Content::Lines(lines), Content::Note(note)] {
            let mut bytes = Vec::new();
            encode_content(&content, &mut bytes);
            assert_eq!(decode_content(ContentKind::of(&content), &bytes), Some(content));
            assert_eq!(decode_content(ContentKind::Lines, &bytes[..bytes.len() - 1]), None);
        }
    }
}
