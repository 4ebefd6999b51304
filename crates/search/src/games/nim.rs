//! Nim: a move takes one, two or three counters from one heap; the player who takes the last counter wins.

use std::borrow::Cow;
use std::num::NonZeroU16;

use mnemon_table::Score;

use crate::random::mix;
use crate::{Game, Outcome};

/// Three heaps of Nim. The same position arises after different numbers of moves, by either player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nim {
    heaps: [u8; 3],
    key: u64,
}

/// Takes `count` counters from heap `heap`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Take {
    heap: u8,
    count: u8,
}

impl Nim {
    /// Heaps of these sizes.
    pub fn new(heaps: [u8; 3]) -> Self {
        let key = (0..3).fold(0, |key, heap| key ^ heap_key(heap, heaps[heap]));
        Nim { heaps, key }
    }

    /// Whether the side to move wins, by the theory of the game: the sum modulo 2 of the heaps modulo 4 is not 0.
    pub fn is_won(&self) -> bool {
        self.heaps.iter().fold(0, |sum, heap| sum ^ (heap % 4)) != 0
    }
}

fn heap_key(heap: usize, size: u8) -> u64 {
    mix(1 + size as u64 + 256 * heap as u64)
}

impl Game for Nim {
    type Move = Take;

    fn name() -> Cow<'static, str> {
        "nim".into()
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.heaps == [0; 3]).then_some(Outcome::Loss)
    }

    fn moves(&self, moves: &mut Vec<Take>) {
        for (heap, &size) in self.heaps.iter().enumerate() {
            moves.extend((1..=size.min(3)).map(|count| Take { heap: heap as u8, count }));
        }
    }

    fn play(&self, Take { heap, count }: Take) -> Self {
        let heap = heap as usize;
        let mut heaps = self.heaps;
        heaps[heap] -= count;
        Nim { heaps, key: self.key ^ heap_key(heap, self.heaps[heap]) ^ heap_key(heap, heaps[heap]) }
    }

    /// Only the end of the game is scored.
    fn evaluate(&self) -> Score {
        0
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn pack(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.heaps);
    }

    fn unpack(bytes: &[u8]) -> Option<Self> {
        Some(Nim::new(bytes.try_into().ok()?))
    }

    fn code(Take { heap, count }: Take) -> NonZeroU16 {
        NonZeroU16::MIN.saturating_add(u16::from(heap * 4 + count))
    }

    fn plies_left(&self) -> Option<u16> {
        Some(self.heaps.iter().map(|&size| u16::from(size)).sum())
    }
}
