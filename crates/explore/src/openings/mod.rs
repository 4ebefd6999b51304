//! Names of chess openings, found by the position: a transposition has the name of the line that it leads to.

mod names;

use std::collections::HashMap;
use std::sync::OnceLock;

use mnemon_chess::{Position, read_line_of_play};
use mnemon_search::Game;

use names::NAMES;

/// The name of the opening whose mark this position is; `None` for most positions, and for other games than chess.
///
/// ```
/// use mnemon_explore::{notation, openings};
///
/// let typed = |text: &str| notation::read(&[text.to_owned()], None).expect("a position");
/// let name = |text: &str| openings::name(&typed(text).game(), &typed(text).packed());
/// assert_eq!(name("e4 c5"), Some("Sicilian Defence"));
/// assert_eq!((name("Nf3 c5 e4"), name("e4 c5 Nf3")), (name("e4 c5 Nf3"), None));
/// ```
pub fn name(game: &str, packed: &[u8]) -> Option<&'static str> {
    static BY_POSITION: OnceLock<HashMap<Vec<u8>, &'static str>> = OnceLock::new();
    if game != Position::name() {
        return None;
    }
    BY_POSITION
        .get_or_init(|| NAMES.iter().filter_map(|&(line, name)| Some((packed_after(line)?, name))).collect())
        .get(packed)
        .copied()
}

/// The name of the last position of a line that has one.
pub(crate) fn name_of_line<'p>(game: &str, line: impl DoubleEndedIterator<Item = &'p [u8]>) -> Option<&'static str> {
    line.rev().find_map(|packed| name(game, packed))
}

/// The position after a line, as memories keep it.
fn packed_after(line: &str) -> Option<Vec<u8>> {
    let (start, moves) = read_line_of_play(line).ok()?;
    let position = moves.into_iter().fold(start, |position, mv| position.after(mv));
    let mut packed = Vec::new();
    Game::pack(&position, &mut packed);
    Some(packed)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn every_line_is_legal_and_names_another_position() {
        let mut seen = HashMap::new();
        for (line, name) in NAMES {
            let packed = packed_after(line).unwrap_or_else(|| panic!("{line} ({name}) is not legal"));
            if let Some(other) = seen.insert(packed, name) {
                panic!("{line}: {name} and {other} are one position");
            }
        }
    }

    #[test]
    fn a_transposition_has_the_name() {
        let named = |line: &str| name("chess", &packed_after(line).expect("legal"));
        assert_eq!(named("d4 Nf6 c4 e6 Nc3 Bb4"), Some("Nimzo-Indian Defence"));
        assert_eq!(named("c4 e6 Nc3 Bb4 d4 Nf6"), named("d4 Nf6 c4 e6 Nc3 Bb4"));
        assert_eq!(named("Nf3 d5 d4 c6 c4 Nf6"), named("d4 d5 c4 c6 Nf3 Nf6"));
        assert_eq!(named("a4 h6 Ra3"), None);
        assert_eq!(name("connect4-7x6", &[1]), None);
    }
}
