//! An opening book whose weights the results of games correct. The corrections are in the memory; the book's file stays as
//! it is.
//!
//! A move's learned value is what the games of this engine say of the position after it, in centipawns for the side that
//! plays it. A move's weight becomes, by its value:
//!
//! ```text
//! none                 weight                       a book that was not learned from plays as it is
//! up to -50   lost     0                            not repeated
//! between              weight * 4 ^ (value / 100)   half to twice the weight
//! from +50    won      weight * 4 ^ (value / 100)   repeated: only moves that won are chosen from, if there are any
//! ```
//!
//! Where all moves have lost, the engine leaves the book and searches.

mod play;

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cozy_chess::Move;
use mnemon_chess::polyglot::{Book, BookMove};
use mnemon_search::random::Random;
use mnemon_table::Score;

/// From this value on a move has won, and from the negative value down it has lost.
const DECIDED: Score = 50;
/// This many centipawns change a weight by a factor of four.
const QUADRUPLES: f64 = 100.0;
/// Values beyond count as this one: among moves that won the weights still matter.
const MAX_VALUE: Score = 200;
/// The unit of corrected weights, so that small weights keep their proportions.
const UNIT: f64 = 1024.0;

/// What the results of earlier games say of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LearnedValue {
    /// In centipawns, for the side that plays the move.
    pub score: Score,
    /// The number of games.
    pub games: u64,
}

/// A book's move with what was learned of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookCandidate {
    /// The move, with its weight in the book.
    pub book: BookMove,
    /// What was learned of it.
    pub learned: Option<LearnedValue>,
}

impl BookCandidate {
    fn score(&self) -> Score {
        self.learned.map_or(0, |learned| learned.score.clamp(-MAX_VALUE, MAX_VALUE))
    }

    /// The weight as the results correct it; 0 for a move that has lost.
    fn corrected_weight(&self) -> u64 {
        let score = self.score();
        if score <= -DECIDED {
            return 0;
        }
        let factor = 4_f64.powf(f64::from(score) / QUADRUPLES);
        (f64::from(self.book.weight) * factor * UNIT).round() as u64
    }
}

/// The move that was chosen from a book.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BookChoice {
    /// The move.
    pub mv: Move,
    /// How likely the choice was, from 0 to 1.
    pub share: f64,
    /// What was learned of it before.
    pub learned: Option<LearnedValue>,
}

/// Chooses a move at random, each as likely as its corrected weight (see the [rule](self)); `None` if there is none that
/// has not lost.
///
/// ```
/// use mnemon_chess::Position;
/// use mnemon_chess::polyglot::BookMove;
/// use mnemon_engine::book::{BookCandidate, LearnedValue, choose};
/// use mnemon_search::random::Random;
///
/// let start = Position::start();
/// let mut moves = ["e2e4", "d2d4"].map(|mv| {
///     let mv = start.parse_uci(mv).expect("legal");
///     BookCandidate { book: BookMove { mv, weight: 1 }, learned: None }
/// });
/// let mut random = Random::new(1);
/// assert_eq!(choose(&moves, &mut random).expect("a move").share, 0.5);
///
/// moves[0].learned = Some(LearnedValue { score: -120, games: 1 });
/// let choice = choose(&moves, &mut random).expect("a move");
/// assert_eq!((start.uci(choice.mv).as_str(), choice.share), ("d2d4", 1.0), "the other one has lost");
/// ```
#[must_use]
pub fn choose(moves: &[BookCandidate], random: &mut Random) -> Option<BookChoice> {
    let has_won = moves.iter().any(|candidate| candidate.score() >= DECIDED);
    let weight = |candidate: &BookCandidate| match candidate.score() {
        score if has_won && score < DECIDED => 0,
        _ => candidate.corrected_weight(),
    };
    let total: u64 = moves.iter().map(weight).sum();
    if total == 0 {
        return None;
    }
    let mut left = random.below(usize::try_from(total).unwrap_or(usize::MAX)) as u64;
    let chosen = moves.iter().find(|candidate| {
        let weight = weight(candidate);
        let is_chosen = left < weight;
        left = left.saturating_sub(weight);
        is_chosen
    })?;
    Some(BookChoice { mv: chosen.book.mv, share: weight(chosen) as f64 / total as f64, learned: chosen.learned })
}

/// An opening book in use: the book, and the generator of its choices. Clones share both.
#[derive(Clone)]
pub struct OpeningBook {
    book: Arc<Book>,
    random: Arc<Mutex<Random>>,
}

impl OpeningBook {
    /// The book, with other choices in each process.
    pub fn new(book: Arc<Book>) -> Self {
        Self::with_seed(book, RandomState::new().hash_one(()))
    }

    /// The book, with choices that depend on the seed alone.
    pub fn with_seed(book: Arc<Book>, seed: u64) -> Self {
        OpeningBook { book, random: Arc::new(Mutex::new(Random::new(seed))) }
    }

    fn random(&self) -> MutexGuard<'_, Random> {
        self.random.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for OpeningBook {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.book.fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use mnemon_chess::Position;

    use super::*;

    /// Candidates with these weights and values.
    fn candidates(moves: &[(u32, Option<Score>)]) -> Vec<BookCandidate> {
        let mut legal = Vec::new();
        Position::start().legal_moves(&mut legal);
        let candidate = |(&(weight, score), mv): (&(u32, Option<Score>), Move)| BookCandidate {
            book: BookMove { mv, weight },
            learned: score.map(|score| LearnedValue { score, games: 1 }),
        };
        moves.iter().zip(legal).map(candidate).collect()
    }

    /// Checks how often each of the candidates is chosen, in percent.
    fn assert_frequencies<const N: usize>(moves: [(u32, Option<Score>); N], expected: [u32; N]) {
        const CHOICES: u32 = 20_000;
        let (moves, mut random) = (candidates(&moves), Random::new(7));
        let mut counts = [0; N];
        for _ in 0..CHOICES {
            let choice = choose(&moves, &mut random).expect("a move");
            let index = moves.iter().position(|candidate| candidate.book.mv == choice.mv).expect("one of them");
            counts[index] += 1;
        }
        let percent = counts.map(|count: u32| (count * 100 + CHOICES / 2) / CHOICES);
        assert!(percent.iter().zip(expected).all(|(found, expected)| found.abs_diff(expected) <= 1), "{percent:?}");
    }

    #[test]
    fn without_results_the_frequencies_are_the_shares_of_the_weights() {
        assert_frequencies([(60, None), (30, None), (10, None)], [60, 30, 10]);
        assert_frequencies([(1, None), (u32::MAX, None)], [0, 100]);
    }

    #[test]
    fn draws_change_little_and_losses_everything() {
        assert_frequencies([(50, Some(0)), (50, None)], [50, 50]);
        assert_frequencies([(20, Some(40)), (20, Some(-40)), (20, None)], [53, 17, 30]);
        assert_frequencies([(60_000, Some(-50)), (1, None), (1, Some(-49))], [0, 66, 34]);
    }

    #[test]
    fn what_won_is_repeated() {
        assert_frequencies([(60_000, None), (1, Some(50)), (60_000, Some(0))], [0, 100, 0]);
        assert_frequencies([(3, Some(16_000)), (1, Some(9_000)), (9, None)], [75, 25, 0]);
    }

    #[test]
    fn where_all_have_lost_none_is_chosen() {
        let lost = candidates(&[(5, Some(-300)), (7, Some(Score::MIN))]);
        assert_eq!(choose(&lost, &mut Random::new(1)), None);
        assert_eq!(choose(&[], &mut Random::new(1)), None);
    }
}
