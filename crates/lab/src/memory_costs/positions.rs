//! Chess positions as memories hold them: those of random games, each with a record like a search's.

use std::sync::Arc;

use mnemon_chess::Position;
use mnemon_memory::{Claim, Item, Key, Record, Source};
use mnemon_search::Game;
use mnemon_search::random::Random;

/// An endless stream of items, nearly all with different positions.
pub(crate) struct Positions {
    random: Random,
    position: Position,
    plies: u16,
    game: Arc<str>,
    source: Source,
    moves: Vec<<Position as Game>::Move>,
}

/// Plies after which the next game begins.
const MAX_PLIES: u16 = 120;

impl Positions {
    pub(super) fn new(seed: u64) -> Self {
        Self::by(Source::engine("mnemon", env!("CARGO_PKG_VERSION")), seed)
    }

    /// Positions that this source has searched.
    pub(crate) fn by(source: Source, seed: u64) -> Self {
        Positions {
            random: Random::new(seed),
            position: Position::default(),
            plies: 0,
            game: Position::name().into(),
            source,
            moves: Vec::new(),
        }
    }

    /// The next `count` items.
    pub(crate) fn batch(&mut self, count: usize) -> Vec<Item> {
        self.take(count).collect()
    }

    /// One bound in most records, both in some, as searches leave them.
    fn record(&mut self, best: u16) -> Record {
        let score = self.random.below(400) as i16 - 200;
        let depth = 1 + self.random.below(12) as u8;
        let claim = Claim::new(score, depth);
        let mut record = Record {
            game_ply: self.plies,
            root_ply: self.random.below(20) as u16,
            nodes: 1 << self.random.below(24),
            time: 1_800_000_000 + self.random.below(1_000_000) as u32,
            ..Record::default()
        };
        let kind = self.random.below(8);
        if kind < 5 {
            record.lower = claim;
            record.best = best;
        }
        if kind > 3 {
            record.upper = claim;
        }
        record
    }
}

impl Iterator for Positions {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        self.moves.clear();
        self.position.moves(&mut self.moves);
        if self.moves.is_empty() || self.plies >= MAX_PLIES {
            self.position = Position::default();
            self.plies = 0;
            self.moves.clear();
            self.position.moves(&mut self.moves);
        }
        let mv = self.moves[self.random.below(self.moves.len())];
        self.position = self.position.play(mv);
        self.plies += 1;
        let mut packed = Vec::new();
        self.position.pack(&mut packed);
        let record = self.record(Position::code(mv).get());
        Some(Item { key: Key::new(&self.game, packed, &self.source), record })
    }
}
