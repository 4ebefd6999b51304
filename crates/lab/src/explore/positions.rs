//! The positions: 20 middle games and 10 openings.

use mnemon_chess::Position;
use mnemon_engine::EvaluatedPosition;

use crate::Result;
use crate::bratko_kopec::POSITIONS;
use crate::learning::openings::{OPENINGS, moves};
use crate::middlegames::middlegames;

/// A position with its name.
pub(super) struct TestPosition {
    pub(super) name: String,
    pub(super) position: Position,
    pub(super) is_opening: bool,
}

/// The Bratko-Kopec positions, by their numbers, that are middle games without a mate.
const BRATKO_KOPEC: [usize; 8] = [3, 5, 11, 13, 17, 18, 22, 24];
/// The number of openings.
const OPENING_COUNT: usize = 10;

/// The middle games, then the openings; of each kind the first `only`.
pub(super) fn all(only: Option<u8>) -> Result<Vec<TestPosition>> {
    let most = only.map_or(usize::MAX, usize::from);
    let mut all = Vec::new();
    for (index, EvaluatedPosition(position)) in middlegames(None)?.into_iter().enumerate() {
        all.push(TestPosition { name: format!("middle game {}", index + 1), position, is_opening: false });
    }
    for number in BRATKO_KOPEC {
        let position = POSITIONS[number - 1].0.parse()?;
        all.push(TestPosition { name: format!("Bratko-Kopec {number}"), position, is_opening: false });
    }
    all.truncate(most);
    for (name, line) in OPENINGS.into_iter().take(OPENING_COUNT.min(most)) {
        let position = moves(line)?.into_iter().fold(Position::start(), |position, mv| position.after(mv));
        all.push(TestPosition { name: name.replace(',', ""), position, is_opening: true });
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    #[test]
    fn there_are_twenty_middle_games_and_ten_openings() {
        let all = super::all(None).expect("positions");
        assert_eq!(all.iter().filter(|position| position.is_opening).count(), 10);
        assert_eq!(all.len(), 30);
        assert!(all.iter().all(|position| position.position.has_moves()));
    }
}
