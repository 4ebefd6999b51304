//! Learning from a game that was played to its end: each position after a move of the player gets the value that the result
//! gives it, and each one before leads there.

use std::collections::HashMap;
use std::sync::Arc;

use mnemon_search::{Game, MAX_DEPTH};
use mnemon_table::{Score, Window};

use super::packed;
use crate::policy::{PlayerResult, ResultLearning};
use crate::{Item, Key, Merged, Origins, Record, Result, Source, Store};

/// The name under which a memory keeps which games of a game were learned, as records of a player: each has the hash of what was
/// played in the place of a position.
///
/// ```
/// assert_eq!(mnemon_memory::learn::learned_games("chess"), "chess-games");
/// ```
pub fn learned_games(game: &str) -> String {
    format!("{game}-games")
}

/// The moves of one player in a game, with the scores of his searches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayedGame {
    moves: Vec<PlayedMove>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct PlayedMove {
    /// The packed positions before and after the move.
    before: Box<[u8]>,
    after: Box<[u8]>,
    /// The move's code.
    code: u16,
    score: Option<Score>,
    /// The ply of the position after the move.
    ply: u16,
}

impl PlayedGame {
    /// Adds a move of the player: where it was played, at which ply, and the score of his search from his point of view,
    /// if he searched.
    pub fn push<G: Game>(&mut self, position: &G, ply: u16, mv: G::Move, score: Option<Score>) {
        let (before, after) = (packed(position), packed(&position.play(mv)));
        let code = G::code(mv).get();
        self.moves.push(PlayedMove { before, after, code, score, ply: ply.saturating_add(1) });
    }

    /// Whether there is no move.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The number of moves of the player.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// The score of the last search, if there was one.
    pub fn last_score(&self) -> Option<Score> {
        self.moves.iter().rev().find_map(|played| played.score)
    }

    /// Learns the game: the records of `player` are replaced by their means with this game, in one transaction where the store
    /// is one file. If another process has learned a game meanwhile, its records are read again, and both games count.
    ///
    /// # Errors
    /// A store that cannot be read or written.
    pub(crate) fn learn<G: Game>(
        &self,
        store: &dyn Store,
        player: &Source,
        learning: &ResultLearning,
        result: PlayerResult,
        time: u32,
    ) -> Result<Merged> {
        loop {
            let records = PlayerRecords::load::<G>(self, store, player)?;
            let before = records.positions.clone();
            let items = self.learned(records, learning, result, time).into_items::<G>(player);
            let seen =
                |item: &Item| before.get(&item.key.position).map(|known| known.0).filter(|known| !known.is_empty());
            let seen: Vec<Option<Record>> = items.iter().map(seen).collect();
            if let Some(merged) = store.replace_unchanged(&items, &seen)? {
                return Ok(merged);
            }
        }
    }

    /// The records of `player` after this game: they take the place of his earlier ones, of which they are the mean.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn records<G: Game>(
        &self,
        store: &dyn Store,
        player: &Source,
        learning: &ResultLearning,
        result: PlayerResult,
        time: u32,
    ) -> Result<Vec<Item>> {
        let records = PlayerRecords::load::<G>(self, store, player)?;
        Ok(self.learned(records, learning, result, time).into_items::<G>(player))
    }

    /// The player's records after this game.
    fn learned(
        &self,
        mut records: PlayerRecords,
        learning: &ResultLearning,
        result: PlayerResult,
        time: u32,
    ) -> PlayerRecords {
        let scores: Vec<Option<Score>> = self.moves.iter().map(|played| played.score).collect();
        let values = learning.values(&scores, result);
        let last_ply = self.moves.last().map_or(0, |played| played.ply);
        for (played, value) in self.moves.iter().zip(values) {
            let depth = last_ply.saturating_sub(played.ply).min(MAX_DEPTH.into()) as u8;
            let learned = Learned { value, depth, ply: played.ply, time };
            records.link(played, time);
            if records.is_once(&played.after) {
                records.learn(&played.after, &learned, learning);
            }
        }
        records
    }
}

/// What a game says of a position.
struct Learned {
    /// From the player's point of view.
    value: Score,
    depth: u8,
    ply: u16,
    time: u32,
}

/// The records of a player for the positions of a game.
struct PlayerRecords {
    /// Each position of the game with its record, and how often it occurred.
    positions: HashMap<Box<[u8]>, (Record, usize)>,
}

impl PlayerRecords {
    fn load<G: Game>(game: &PlayedGame, store: &dyn Store, player: &Source) -> Result<Self> {
        let mut positions: HashMap<Box<[u8]>, (Record, usize)> = HashMap::new();
        for played in &game.moves {
            positions.entry(played.before.clone()).or_insert((empty(), 0)).1 += 1;
            positions.entry(played.after.clone()).or_insert((empty(), 0)).1 += 1;
        }
        let keys: Vec<Box<[u8]>> = positions.keys().cloned().collect();
        let packed: Vec<&[u8]> = keys.iter().map(|position| &**position).collect();
        store.get_many(&G::name(), &packed, &mut |number, source, record| {
            if source == player
                && let Some(known) = positions.get_mut(&keys[number])
            {
                known.0 = record;
            }
        })?;
        Ok(PlayerRecords { positions })
    }

    /// Whether the position occurred once in the game: a repeated position has several continuations, and no single result.
    fn is_once(&self, position: &[u8]) -> bool {
        self.positions.get(position).is_some_and(|&(_, times)| times == 1)
    }

    /// The position before a move leads to the one after it.
    fn link(&mut self, played: &PlayedMove, time: u32) {
        if let Some((record, _)) = self.positions.get_mut(&played.before) {
            (record.best, record.time) = (played.code, time);
            record.game_ply = record.game_ply.min(played.ply - 1);
        }
    }

    fn learn(&mut self, position: &[u8], learned: &Learned, learning: &ResultLearning) {
        let Some((record, _)) = self.positions.get_mut(position) else { return };
        // A record is for the side to move, which is the opponent.
        let before = if record.lower.is_known() { -record.lower.score } else { 0 };
        let value = learning.mean(before, record.nodes, learned.value);
        let exact = Record::between(Window::exact(-value), learned.depth).found_at(learned.time);
        record.nodes += 1;
        record.game_ply = record.game_ply.min(learned.ply);
        (record.lower, record.upper, record.time) = (exact.lower, exact.upper, learned.time);
    }

    fn into_items<G: Game>(self, player: &Source) -> Vec<Item> {
        let game = Arc::from(G::name());
        let items = self.positions.into_iter().filter(|(_, (record, _))| !record.is_empty());
        let item = |(position, (record, _))| Item { key: Key::new(&game, position, player), record };
        let mut items: Vec<Item> = items.map(item).collect();
        items.sort_unstable_by(|a, b| a.key.position.cmp(&b.key.position));
        items
    }
}

/// A player's record of a position that he was in and of which nothing is known yet.
fn empty() -> Record {
    Record { origins: Origins::RESULT, ..Record::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RamStore;
    use mnemon_search::games::TicTacToe;

    fn player() -> Source {
        Source::player("Ada")
    }

    /// A game whose first player plays these squares with these scores, the other one the squares from the end on.
    fn game(squares: &[u8], score: Score) -> (PlayedGame, Vec<TicTacToe>) {
        let (mut position, mut game, mut after) = (TicTacToe::new(), PlayedGame::default(), Vec::new());
        for (number, &square) in squares.iter().enumerate() {
            let mut moves = Vec::new();
            position.moves(&mut moves);
            let mv = moves[usize::from(square)];
            game.push(&position, 2 * number as u16, mv, Some(score));
            position = position.play(mv);
            after.push(position);
            moves.clear();
            position.moves(&mut moves);
            position = position.play(moves[moves.len() - 1]);
        }
        (game, after)
    }

    fn learn(store: &RamStore, game: &PlayedGame, result: PlayerResult) {
        let learning = ResultLearning::default();
        let items = game.records::<TicTacToe>(store, &player(), &learning, result, 77).expect("RAM");
        store.replace_many(&items).expect("valid items");
    }

    fn record(store: &RamStore, position: &TicTacToe) -> Record {
        let mut found = Record::default();
        let packed = packed(position);
        store.get_many(&TicTacToe::name(), &[&packed], &mut |_, _, record| found = record).expect("RAM");
        found
    }

    #[test]
    fn positions_after_the_players_moves_get_values_and_those_before_lead_to_them() {
        let store = RamStore::new();
        let (won, after) = game(&[0, 0], 10);
        learn(&store, &won, PlayerResult::Win);
        let [first, last] = [&after[0], &after[1]].map(|position| record(&store, position));
        assert_eq!((last.lower.score, last.upper.score, last.nodes), (-300, -300, 1), "for the opponent, who has lost");
        assert!(first.lower.score < -60 && first.lower.depth == 2 && first.origins == Origins::RESULT, "{first:?}");
        let root = record(&store, &TicTacToe::new());
        assert!(root.best != 0 && !root.lower.is_known() && root.game_ply == 0, "{root:?}");
        assert_eq!(store.statistics().expect("RAM").records(), 4);
    }

    #[test]
    fn a_later_game_changes_the_mean() {
        let store = RamStore::new();
        let (game, after) = game(&[0, 0], 0);
        learn(&store, &game, PlayerResult::Win);
        learn(&store, &game, PlayerResult::Loss);
        let both = record(&store, &after[1]);
        assert_eq!((both.lower.score, both.nodes, both.time), (0, 2, 77));
        learn(&store, &game, PlayerResult::Loss);
        assert_eq!(record(&store, &after[1]).lower.score, 100);
    }

    #[test]
    fn a_position_that_occurred_twice_is_left_out() {
        let store = RamStore::new();
        let (mut twice, after) = game(&[0, 0], 0);
        twice.moves.push(twice.moves[0].clone());
        learn(&store, &twice, PlayerResult::Loss);
        assert!(record(&store, &after[0]).is_empty());
        assert!(record(&store, &after[1]).lower.is_known());
    }
}
