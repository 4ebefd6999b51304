//! A game with cycles: a token in a random maze.
//!
//! The players take turns to move the token through one of the exits of its place. Some places end the game. The first
//! player is to move at even places and the second at odd ones, so that the place is the whole position; every exit
//! leads to the other player's places. Most mazes are full of cycles, and a place is reached after many different
//! numbers of moves, so a draw by repetition on one path is wrong on another.

use std::borrow::Cow;
use std::num::NonZeroU16;

use mnemon_table::Score;

use crate::random::mix;
use crate::{Game, Outcome};

/// The parameters of a maze.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MazeRules {
    /// The seed of its random numbers.
    pub seed: u32,
    /// How many places it has: 2 or more.
    pub places: u16,
    /// The maximal number of exits of a place: 1 to 16.
    pub exits: u8,
    /// One place in this number ends the game with a win, a draw or a loss; 0 for none.
    pub ends: u8,
    /// The largest evaluation of a place.
    pub noise: u8,
    /// After this number of moves the game is a draw; 0 for no limit. As with the fifty-move rule, the counter is not
    /// part of the position.
    pub limit: u16,
}

impl MazeRules {
    /// A maze whose places have up to three exits, in which one in six ends the game, without a limit of moves.
    pub const fn new(seed: u32, places: u16) -> Self {
        MazeRules { seed, places, exits: 3, ends: 6, noise: 20, limit: 0 }
    }

    /// Mazes with different rules have different positions.
    const fn key(self) -> u64 {
        let MazeRules { seed, places, exits, ends, noise, limit } = self;
        let numbers = (seed as u64) << 32 | (places as u64) << 16 | (exits as u64) << 8 | ends as u64;
        mix(mix(numbers) ^ ((noise as u64) << 16 | limit as u64))
    }

    const fn are_valid(self) -> bool {
        self.places >= 2 && 1 <= self.exits && self.exits <= MAX_EXITS
    }
}

const MAX_EXITS: u8 = 16;

/// A position of a maze game: the place of the token.
///
/// The move counter is not part of it, so of two equal positions one may be
/// [drawn by the counter](Game::is_drawn_by_counter) and the other not.
///
/// ```
/// use mnemon_search::{Game, games::{Maze, MazeRules}};
///
/// let position = Maze::new(MazeRules { limit: 50, ..MazeRules::new(1, 100) }, 0);
/// let later = position.with_moves(50);
/// assert_eq!(position, later);
/// assert!(!position.is_drawn_by_counter() && later.is_drawn_by_counter());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Maze {
    rules: MazeRules,
    place: u16,
    /// Moves counted so far.
    moves: u16,
}

impl PartialEq for Maze {
    fn eq(&self, other: &Self) -> bool {
        (self.rules, self.place) == (other.rules, other.place)
    }
}

impl Eq for Maze {}

impl Maze {
    /// The token at a place, no moves counted.
    ///
    /// # Panics
    /// If the place does not exist, or the rules have fewer than 2 places, or fewer than 1 or more than 16 exits.
    pub fn new(rules: MazeRules, place: u16) -> Self {
        assert!(rules.are_valid(), "2 places or more with 1 to {MAX_EXITS} exits: {rules:?}");
        assert!(place < rules.places, "there is no place {place}: {rules:?}");
        Maze { rules, place, moves: 0 }
    }

    /// The same position with this number of counted moves.
    #[must_use]
    pub const fn with_moves(self, moves: u16) -> Self {
        Maze { moves, ..self }
    }

    /// The place of the token.
    pub const fn place(&self) -> u16 {
        self.place
    }

    /// Random bits of this place, different for each `purpose`.
    const fn bits(&self, purpose: u8) -> u64 {
        mix((self.rules.seed as u64) << 32 | (self.place as u64) << 8 | purpose as u64)
    }

    fn exits(&self) -> u8 {
        1 + (self.bits(EXITS) % u64::from(self.rules.exits)) as u8
    }
}

/// Purposes of random bits; lower ones are exits.
const EXITS: u8 = 255;
const END: u8 = 254;
const NOISE: u8 = 253;

impl Game for Maze {
    /// The number of an exit, counted from 0.
    type Move = u8;

    const CYCLES: bool = true;

    fn name() -> Cow<'static, str> {
        "maze".into()
    }

    fn outcome(&self) -> Option<Outcome> {
        let (every, bits) = (u64::from(self.rules.ends), self.bits(END));
        let ends = every > 0 && bits.is_multiple_of(every);
        ends.then(|| [Outcome::Win, Outcome::Draw, Outcome::Loss][(bits >> 32) as usize % 3])
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        if self.outcome().is_none() {
            moves.extend(0..self.exits());
        }
    }

    fn play(&self, exit: u8) -> Self {
        let other_side = 1 - self.place % 2;
        let places = self.rules.places;
        let reachable = if other_side == 0 { places.div_ceil(2) } else { places / 2 };
        let place = 2 * (self.bits(exit) % u64::from(reachable)) as u16 + other_side;
        Maze { place, moves: self.moves.saturating_add(1), ..*self }
    }

    fn evaluate(&self) -> Score {
        let max = Score::from(self.rules.noise);
        (self.bits(NOISE) % (2 * max as u64 + 1)) as Score - max
    }

    fn key(&self) -> u64 {
        mix(self.rules.key() ^ u64::from(self.place))
    }

    fn pack(&self, bytes: &mut Vec<u8>) {
        let MazeRules { seed, places, exits, ends, noise, limit } = self.rules;
        bytes.extend(seed.to_le_bytes());
        bytes.extend([exits, ends, noise]);
        bytes.extend([places, limit, self.place].iter().flat_map(|number| number.to_le_bytes()));
    }

    fn unpack(bytes: &[u8]) -> Option<Self> {
        let &[a, b, c, d, exits, ends, noise, e, f, g, h, i, j] = bytes else { return None };
        let [places, limit, place] = [[e, f], [g, h], [i, j]].map(u16::from_le_bytes);
        let rules = MazeRules { seed: u32::from_le_bytes([a, b, c, d]), places, exits, ends, noise, limit };
        (rules.are_valid() && place < places).then(|| Maze::new(rules, place))
    }

    fn code(exit: u8) -> NonZeroU16 {
        NonZeroU16::MIN.saturating_add(exit.into())
    }

    fn is_drawn_by_counter(&self) -> bool {
        self.rules.limit > 0 && self.moves >= self.rules.limit
    }
}
