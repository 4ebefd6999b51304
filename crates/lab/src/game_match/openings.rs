//! Where the games of a match begin: positions of a book, or random ones from a seed.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use mnemon_chess::Position;
use mnemon_engine::Table;
use mnemon_engine::search::{Limits, SearchRequest, Searcher, Silent};
use mnemon_search::random::Random;

use crate::random::{random_moves, shuffle};
use crate::{LabError, Result};
use mnemon_chess::epd;

/// `count` openings of the book in an order that the seed decides; all of them if there are fewer.
pub(super) fn read(path: &Path, count: usize, seed: u64) -> Result<Vec<Position>> {
    let mut openings = Vec::new();
    for (number, epd) in epd::read(path)? {
        let fault = |reason: &str| LabError::Line { path: path.to_owned(), line: number, reason: reason.to_owned() };
        if epd.position.is_chess960() {
            return Err(fault("matches do not play Chess960"));
        }
        if !epd.position.has_moves() || epd.position.is_dead() {
            return Err(fault("the game is over in this position"));
        }
        openings.push(epd.position);
    }
    shuffle(&mut openings, &mut Random::new(seed));
    openings.truncate(count);
    Ok(openings)
}

/// Random moves of an opening.
const PLIES: usize = 8;
/// An opening is balanced if a shallow search gives neither side more than this, in centipawns.
const BALANCED: i16 = 50;
/// The depth of that search.
const DEPTH: u8 = 7;
/// Its table.
const TABLE_BYTES: usize = 1 << 20;

/// `count` different balanced openings of random moves; the same for the same seed and version.
pub(super) fn generate(count: usize, seed: u64) -> Result<Vec<Position>> {
    let (table, mut searcher) = (Table::new(TABLE_BYTES)?, Searcher::new(1));
    let mut random = Random::new(seed);
    let mut openings: Vec<Position> = Vec::new();
    while openings.len() < count {
        let position = random_moves(Position::start(), PLIES, &mut random);
        if !position.has_moves() || openings.contains(&position) {
            continue;
        }
        table.clear(1);
        searcher.new_game();
        if is_balanced(&position, &table, &mut searcher) {
            openings.push(position);
        }
    }
    Ok(openings)
}

fn is_balanced(position: &Position, table: &Table, searcher: &mut Searcher) -> bool {
    let never = AtomicBool::new(false);
    let request = SearchRequest::new(position, Limits::depth(DEPTH));
    let outcome = searcher.search(&request, table, &never, &never, &mut Silent);
    outcome.score.abs() <= BALANCED
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_seed_gives_the_same_different_openings() {
        let made = |seed| generate(6, seed).expect("openings");
        let fens = |openings: &[Position]| openings.iter().map(Position::to_string).collect::<Vec<_>>();
        let openings = made(1);
        assert_eq!(fens(&openings), fens(&made(1)));
        assert_ne!(fens(&openings), fens(&made(2)));
        assert_eq!(openings.iter().collect::<HashSet<_>>().len(), 6);
        assert!(openings.iter().all(|opening| opening.has_moves() && opening.fullmove_number() == 5));
    }

    #[test]
    fn a_book_is_shuffled_and_none_is_lost() {
        let mut openings = generate(8, 3).expect("openings");
        let before = openings.clone();
        shuffle(&mut openings, &mut Random::new(1));
        assert_ne!(openings, before);
        assert!(before.iter().all(|opening| openings.contains(opening)));
    }

    #[test]
    fn a_book_with_a_finished_game_is_refused() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let start = Position::start();
        std::fs::write(file.path(), format!("{start}\n7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n")).expect("written");
        let error = read(file.path(), 10, 1).expect_err("over");
        assert!(error.to_string().contains("line 2"), "{error}");
    }
}
