//! A batch of games on its way into a memory: one transaction writes the games whole, and that they were learned.

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use mnemon_chess::Position;
use mnemon_memory::policy::{PlayerResult, ResultLearning};
use mnemon_memory::{Item, Key, Origins, RamStore, Range, Record, Source, Store, unix_time};
use mnemon_search::Game as _;

use super::game::{GameId, PlayerGame};
use crate::Result;

/// The game under whose name a memory keeps which games were learned: a player's record of each, with the hash of the
/// game in the place of a position.
const LEARNED_GAMES: &str = "chess-games";

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
    pending: Vec<PlayerGame>,
    pending_ids: HashSet<GameId>,
    pending_moves: usize,
    /// The positions that the memory had no result for.
    new_positions: u64,
}

impl GameBatch {
    /// An empty batch. The player keeps the spelling of his name that the memory has, or else has this one.
    pub(super) fn new(store: Arc<dyn Store>, name: &str) -> Result<Self> {
        let is_he = |source: &Source| {
            source.is_player() && source.foundations().next().is_none() && is_same_name(source.name(), name)
        };
        let known = store.statistics()?.counts.into_iter().map(|count| count.source).find(is_he);
        let player = known.unwrap_or_else(|| Source::player(name));
        let (pending, pending_ids) = (Vec::new(), HashSet::new());
        Ok(GameBatch { store, player, pending, pending_ids, pending_moves: 0, new_positions: 0 })
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

    /// Whether the game was learned before.
    pub(super) fn is_known(&self, player_game: &PlayerGame) -> Result<bool> {
        let mut is_known = self.pending_ids.contains(&player_game.id);
        self.store.get_many(LEARNED_GAMES, &[&player_game.id.bytes()], &mut |_, source, _| {
            is_known |= *source == self.player;
        })?;
        Ok(is_known)
    }

    /// Adds a game, and learns the batch when it is full.
    pub(super) fn add(&mut self, player_game: PlayerGame) -> Result {
        self.pending_moves += player_game.moves();
        self.pending_ids.insert(player_game.id);
        self.pending.push(player_game);
        if self.pending_moves < MOVES_IN_BATCH { Ok(()) } else { self.flush() }
    }

    /// Learns the games of the batch, in one transaction.
    pub(super) fn flush(&mut self) -> Result {
        let scratch = self.known()?;
        let known = scratch.statistics()?.records();
        let (learning, time) = (learning(), unix_time());
        for side in self.pending.iter().flat_map(|player_game| &player_game.sides) {
            let items = side.moves.records::<Position>(&scratch, &self.player, &learning, side.result, time)?;
            scratch.replace_many(&items)?;
        }
        self.new_positions += scratch.statistics()?.records() - known;
        let mut items = items_of(&scratch)?;
        items.extend(self.pending.iter().map(|player_game| self.learned(player_game, time)));
        if !items.is_empty() {
            self.store.replace_many(&items)?;
        }
        self.pending.clear();
        self.pending_ids.clear();
        self.pending_moves = 0;
        Ok(())
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
        let game = Arc::from(LEARNED_GAMES);
        Item { key: Key::new(&game, player_game.id.bytes(), &self.player), record }
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
