//! What one search passes on to the next: histories, the memory, and the game that is played.

use cozy_chess::Color;
use mnemon_chess::Position;
use mnemon_memory::Memory;
use mnemon_memory::policy::Policy;

use crate::book::OpeningBook;
use crate::game_log::{FinishedGame, GameLog};
use crate::recall::Previous;
use crate::search::Searcher;
use crate::{Event, Listener};

/// What one search passes on to the next.
pub(crate) struct EngineState {
    pub(crate) searcher: Searcher,
    pub(crate) memory: Option<Memory>,
    pub(crate) previous: Previous,
    /// The engine's moves in the present game.
    pub(crate) log: GameLog,
    /// The opening book to play from.
    pub(crate) book: Option<OpeningBook>,
}

impl EngineState {
    pub(crate) fn new(threads: usize) -> Self {
        let (memory, previous, log) = (None, Previous::default(), GameLog::default());
        EngineState { searcher: Searcher::new(threads), memory, previous, log, book: None }
    }

    /// The present game is over: its result is learned, if it can be known.
    pub(crate) fn conclude_game(&mut self, listener: &dyn Listener) {
        match self.log.winner() {
            Some(winner) => self.game_over(winner, listener),
            None => self.log = GameLog::default(),
        }
    }

    /// The present game was won by this side, or by none: the memory learns from it, if its policy does, or if there is a
    /// book to correct.
    pub(crate) fn game_over(&mut self, winner: Option<Color>, listener: &dyn Listener) {
        let (games, has_book) = (self.log.take(winner), self.book.is_some());
        let learns = |memory: &&mut Memory| match memory.policy() {
            Policy::Off | Policy::ReadOnly(_) => false,
            policy => has_book || matches!(policy, Policy::Result(_)),
        };
        let Some(memory) = self.memory.as_mut().filter(learns) else { return };
        for FinishedGame { side, game, result } in games {
            listener.notify(Event::GameLearned { side, result, moves: game.len() });
            memory.learn_game::<Position>(game, result);
        }
    }
}
