//! A batch of games on its way into a memory: one transaction writes the games whole, and that they were learned.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use mnemon_chess::Position;
use mnemon_memory::learn::learned_games;
use mnemon_memory::policy::{PlayerResult, ResultLearning};
use mnemon_memory::{Item, Key, Origins, RamStore, Range, Record, Source, Store, unix_time};
use mnemon_search::Game as _;

use super::game::{GameId, PlayerGame};
use crate::Result;

/// A transaction has the games of about this many moves.
const MOVES_IN_BATCH: usize = 20_000;

/// How the results of a file's games become values: nearly all games of a position count alike.
fn learning() -> ResultLearning {
    ResultLearning { games: u8::MAX, ..ResultLearning::default() }
}

/// Games of one player.
pub(super) struct GameBatch {
    store: Arc<dyn Store>,
    player: Source,
    /// Where the memory keeps which games were learned.
    learned_games: Arc<str>,
    /// Whether games that were learned before count once more.
    again: bool,
    pending: Vec<PlayerGame>,
    pending_ids: HashSet<GameId>,
    pending_moves: usize,
    /// The positions that the memory had no result for.
    new_positions: u64,
}

impl GameBatch {
    /// An empty batch. The player keeps the spelling of his name that the memory has, or else has this one.
    pub(super) fn new(store: Arc<dyn Store>, name: &str, again: bool) -> Result<Self> {
        let is_he = |source: &Source| {
            source.is_player() && source.foundations().next().is_none() && is_same_name(source.name(), name)
        };
        let known = store.statistics()?.counts.into_iter().map(|count| count.source).find(is_he);
        let player = known.unwrap_or_else(|| Source::player(name));
        let learned_games = learned_games(&Position::name()).into();
        let (pending, pending_ids) = (Vec::new(), HashSet::new());
        Ok(GameBatch { store, player, learned_games, again, pending, pending_ids, pending_moves: 0, new_positions: 0 })
    }

    /// The player's name.
    pub(super) fn player(&self) -> &str {
        self.player.name()
    }

    pub(super) fn store(&self) -> &dyn Store {
        &*self.store
    }

    pub(super) fn new_positions(&self) -> u64 {
        self.new_positions
    }

    /// Whether the game was learned before, and is not to be learned again.
    pub(super) fn is_known(&self, player_game: &PlayerGame) -> Result<bool> {
        Ok(!self.again && (self.pending_ids.contains(&player_game.id) || self.record_of(player_game)?.is_some()))
    }

    /// The record that the game was learned, if it was.
    fn record_of(&self, player_game: &PlayerGame) -> Result<Option<Record>> {
        let mut found = None;
        self.store.get_many(&self.learned_games, &[&player_game.id.bytes()], &mut |_, source, record| {
            found = if *source == self.player { Some(record) } else { found };
        })?;
        Ok(found)
    }

    /// Adds a game, and learns the batch when it is full.
    pub(super) fn add(&mut self, player_game: PlayerGame) -> Result {
        self.pending_moves += player_game.moves();
        self.pending_ids.insert(player_game.id);
        self.pending.push(player_game);
        if self.pending_moves < MOVES_IN_BATCH { Ok(()) } else { self.flush() }
    }

    /// Learns the games of the batch, in one transaction. If another process has learned games of the player meanwhile, his
    /// records are read again, so that the games of both count, and one that both have learned once.
    pub(super) fn flush(&mut self) -> Result {
        while !self.try_flush()? {
            let pending = std::mem::take(&mut self.pending);
            for player_game in pending {
                if self.again || self.record_of(&player_game)?.is_none() {
                    self.pending.push(player_game);
                }
            }
        }
        self.pending.clear();
        self.pending_ids.clear();
        self.pending_moves = 0;
        Ok(())
    }

    /// Learns the games of the batch, unless something that it was made from has changed before it is written.
    fn try_flush(&mut self) -> Result<bool> {
        let scratch = self.known()?;
        let before: HashMap<Key, Record> =
            items_of(&scratch)?.into_iter().map(|item| (item.key, item.record)).collect();
        let (learning, time) = (learning(), unix_time());
        for side in self.pending.iter().flat_map(|player_game| &player_game.sides) {
            let items = side.moves.records::<Position>(&scratch, &self.player, &learning, side.result, time)?;
            scratch.replace_many(&items)?;
        }
        let mut items = items_of(&scratch)?;
        let mut seen: Vec<Option<Record>> = items.iter().map(|item| before.get(&item.key).copied()).collect();
        let new_positions = seen.iter().filter(|seen| seen.is_none()).count() as u64;
        let mut ids = HashSet::new();
        for player_game in self.pending.iter().filter(|player_game| ids.insert(player_game.id)) {
            items.push(self.learned(player_game, time));
            seen.push(self.record_of(player_game)?);
        }
        if items.is_empty() {
            return Ok(true);
        }
        let is_learned = self.store.replace_unchanged(&items, &seen)?.is_some();
        self.new_positions += if is_learned { new_positions } else { 0 };
        Ok(is_learned)
    }

    /// The player's records of all positions of the batch.
    fn known(&self) -> Result<RamStore> {
        let positions: BTreeSet<&[u8]> =
            self.pending.iter().flat_map(|player_game| &player_game.positions).map(|position| &**position).collect();
        let positions: Vec<&[u8]> = positions.into_iter().collect();
        let (game, mut items) = (Arc::from(Position::name()), Vec::new());
        self.store.get_many(&game, &positions, &mut |number, source, record| {
            if *source == self.player {
                items.push(Item { key: Key::new(&game, positions[number], source), record });
            }
        })?;
        let known = RamStore::new();
        known.replace_many(&items)?;
        Ok(known)
    }

    /// That the game was learned, and how it ended for the player.
    fn learned(&self, player_game: &PlayerGame, time: u32) -> Item {
        let value = match player_game.sides.first().map(|side| side.result) {
            Some(PlayerResult::Win) => learning().win,
            Some(PlayerResult::Loss) => -learning().win,
            _ => 0,
        };
        let record = Record { origins: Origins::RESULT, nodes: 1, time, ..Record::exact(value, 0).found_at(time) };
        Item { key: Key::new(&self.learned_games, player_game.id.bytes(), &self.player), record }
    }

    /// Returns when what was learned survives a loss of power.
    pub(super) fn sync(&self) -> Result {
        Ok(self.store.sync()?)
    }
}

fn is_same_name(a: &str, b: &str) -> bool {
    a.to_lowercase() == b.to_lowercase()
}

fn items_of(store: &RamStore) -> Result<Vec<Item>> {
    let mut items = Vec::new();
    store.scan(&Range::default(), &mut |item| {
        items.push(item);
        ControlFlow::Continue(())
    })?;
    Ok(items)
}
