//! A random game with an adjustable number of transpositions.
//!
//! Each player owns up to eight tracks, and a move takes one step on one of them. The order of the steps does not
//! matter, so most positions are transpositions. A position's score is the sum of its tracks' values, plus noise of its
//! own: any mistake in the handling of bounds shows as a wrong number. A track's value depends on the steps of both
//! players, so a move is good in some positions only, and values persist for a while, as in real games. A position
//! determines how many moves led to it, so a search to a fixed depth has one right value, whatever the table holds.

use std::borrow::Cow;
use std::num::NonZeroU16;

use mnemon_table::Score;

use crate::random::mix;
use crate::{Game, HIGHEST_POINTS, Outcome};

/// The parameters of a synthetic game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The seed of its random numbers.
    pub seed: u32,
    /// Tracks of each player, which is the number of moves in most positions: 1 to 8.
    pub tracks: u8,
    /// Moves until the game ends.
    pub length: u8,
    /// The largest value of a track, for either player: it makes good positions likely to stay good.
    pub gain: u8,
    /// The largest noise of a position: it makes evaluations uncertain.
    pub noise: u8,
    /// One position in this number ends the game with a win, a draw or a loss; 0 for none.
    pub sudden_end: u8,
}

impl Rules {
    /// A game whose scores are pure noise.
    pub const fn noise(seed: u32, tracks: u8, length: u8, noise: u8) -> Self {
        Rules { seed, tracks, length, gain: 0, noise, sudden_end: 0 }
    }

    /// Games with different rules have different positions.
    const fn key(self) -> u64 {
        let Rules { seed, tracks, length, gain, noise, sudden_end } = self;
        let [a, b, c, d] = seed.to_le_bytes();
        mix(mix(u64::from_le_bytes([a, b, c, d, tracks, length, gain, noise])) ^ sudden_end as u64)
    }

    const fn are_valid(self) -> bool {
        let max = MAX_TRACKS as i32 * self.gain as i32 + self.noise as i32;
        1 <= self.tracks && self.tracks as usize <= MAX_TRACKS && self.length < 128 && max <= HIGHEST_POINTS as i32
    }
}

/// A position of a synthetic game.
///
/// ```
/// use mnemon_search::{Game, games::{Rules, Synthetic}};
///
/// let start = Synthetic::new(Rules::noise(1, 4, 10, 30));
/// let one_way = [0, 1, 2, 3].iter().fold(start, |position, &track| position.play(track));
/// let another = [2, 3, 0, 1].iter().fold(start, |position, &track| position.play(track));
/// assert_eq!(one_way, another);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Synthetic {
    rules: Rules,
    /// Steps taken, by player and track.
    steps: [[u8; MAX_TRACKS]; 2],
    ply: u8,
    /// The value of all tracks for the first player.
    balance: i16,
    key: u64,
}

const MAX_TRACKS: usize = 8;
/// The number of steps of a track.
const TRACK_LENGTH: u8 = 15;

impl Synthetic {
    /// The start of the game with these rules.
    ///
    /// # Panics
    /// If there are no tracks or more than eight, or if the game is longer than 127 moves.
    pub fn new(rules: Rules) -> Self {
        assert!(rules.are_valid(), "1 to {MAX_TRACKS} tracks and at most 127 moves: {rules:?}");
        Synthetic { rules, steps: [[0; MAX_TRACKS]; 2], ply: 0, balance: 0, key: rules.key() }
    }

    /// How many moves have been played.
    pub fn ply(&self) -> u8 {
        self.ply
    }

    fn side(&self) -> usize {
        usize::from(self.ply % 2)
    }

    /// The value of a track for the first player.
    fn track_value(&self, track: u8) -> i16 {
        let [first, second] = self.steps.map(|steps| u64::from(steps[track as usize]));
        let state = u64::from(track) << 16 | first << 8 | second;
        if state & 0xffff == 0 { 0 } else { within(mix(u64::from(self.rules.seed) << 32 | state), self.rules.gain) }
    }

    fn score(&self) -> Score {
        let balance = if self.side() == 0 { self.balance } else { -self.balance };
        balance + within(mix(self.key ^ 0x5c0e), self.rules.noise)
    }

    /// The position with one more step of the player whose turn it is.
    fn step(mut self, track: u8) -> Self {
        let side = self.side();
        let value_before = self.track_value(track);
        let steps = &mut self.steps[side][track as usize];
        *steps += 1;
        self.key ^= step_key(side, track, *steps - 1) ^ step_key(side, track, *steps);
        self.balance += self.track_value(track) - value_before;
        self.ply += 1;
        self
    }
}

/// The bits as a number from `-max` to `max`.
fn within(bits: u64, max: u8) -> i16 {
    let numbers = 2 * u64::from(max) + 1;
    ((u128::from(bits) * u128::from(numbers)) >> 64) as i16 - i16::from(max)
}

fn step_key(side: usize, track: u8, steps: u8) -> u64 {
    if steps == 0 { 0 } else { mix(1 << 40 | (side as u64) << 16 | u64::from(track) << 8 | u64::from(steps)) }
}

impl Game for Synthetic {
    type Move = u8;

    fn name() -> Cow<'static, str> {
        "synthetic".into()
    }

    fn outcome(&self) -> Option<Outcome> {
        let every = u64::from(self.rules.sudden_end);
        let bits = mix(self.key ^ 0xe4d);
        if self.ply > 0 && every > 0 && bits.is_multiple_of(every) {
            return Some([Outcome::Win, Outcome::Draw, Outcome::Loss][(bits >> 32) as usize % 3]);
        }
        let no_steps = self.steps[self.side()][..self.rules.tracks.into()].iter().all(|&steps| steps == TRACK_LENGTH);
        (self.ply >= self.rules.length || no_steps).then(|| Outcome::Points(self.score()))
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        if self.outcome().is_none() {
            let steps = &self.steps[self.side()];
            moves.extend((0..self.rules.tracks).filter(|&track| steps[track as usize] < TRACK_LENGTH));
        }
    }

    fn play(&self, track: u8) -> Self {
        self.step(track)
    }

    fn evaluate(&self) -> Score {
        self.score()
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn pack(&self, bytes: &mut Vec<u8>) {
        let Rules { seed, tracks, length, gain, noise, sudden_end } = self.rules;
        bytes.extend(seed.to_le_bytes());
        bytes.extend([tracks, length, gain, noise, sudden_end]);
        bytes.extend(self.steps.iter().flat_map(|steps| &steps[..tracks.into()]));
    }

    fn unpack(bytes: &[u8]) -> Option<Self> {
        let (&[a, b, c, d, tracks, length, gain, noise, sudden_end], steps) = bytes.split_first_chunk()?;
        let rules = Rules { seed: u32::from_le_bytes([a, b, c, d]), tracks, length, gain, noise, sudden_end };
        let tracks = usize::from(rules.tracks);
        if !rules.are_valid() || steps.len() != 2 * tracks || steps.iter().any(|&steps| steps > TRACK_LENGTH) {
            return None;
        }
        let (first, second) = steps.split_at(tracks);
        let count = |steps: &[u8]| steps.iter().map(|&steps| usize::from(steps)).sum::<usize>();
        let plies = count(first) + count(second);
        if plies > rules.length.into() || count(first) != plies.div_ceil(2) {
            return None;
        }
        rebuilt(rules, first, second)
    }

    fn code(track: u8) -> NonZeroU16 {
        NonZeroU16::MIN.saturating_add(track.into())
    }

    fn plies_left(&self) -> Option<u16> {
        Some(u16::from(self.rules.length - self.ply))
    }
}

/// The position with these steps, taken one after the other: the order does not matter.
fn rebuilt(rules: Rules, first: &[u8], second: &[u8]) -> Option<Synthetic> {
    let in_order = |steps: &[u8]| -> Vec<u8> {
        (0..).zip(steps).flat_map(|(track, &steps)| std::iter::repeat_n(track, steps.into())).collect()
    };
    let tracks = [in_order(first), in_order(second)];
    let mut position = Synthetic::new(rules);
    for ply in 0..tracks[0].len() + tracks[1].len() {
        position = position.step(*tracks[ply % 2].get(ply / 2)?);
    }
    Some(position)
}
