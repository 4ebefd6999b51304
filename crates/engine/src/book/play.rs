//! A `go` that the book answers.

use mnemon_chess::Position;
use mnemon_chess::polyglot::BookMove;
use mnemon_memory::policy::Policy;
use mnemon_memory::{Memory, Record, Result, Source};
use mnemon_search::Game;
use mnemon_table::Score;

use super::{BookCandidate, LearnedValue, OpeningBook, choose};
use crate::go::Go;
use crate::state::EngineState;
use crate::{Allotment, Engine, Event};

impl Engine {
    /// Plays from this book from the next `go` on, or from none. One that is for a move is answered from the book at once: not one
    /// without limits, on the opponent's time, for a mate, of some of the moves only, or for several lines. The results of
    /// games correct the book's weights, by what the memory has learned of them, whatever its policy.
    pub fn set_book(&mut self, book: Option<OpeningBook>) {
        self.book = book;
    }
}

impl Go {
    /// Plays a move of the book, if it has one that has not lost. Returns whether it did.
    pub(crate) fn play_from_book(&self, state: &mut EngineState, allotted: Option<Allotment>) -> bool {
        let EngineState { book, memory, log, .. } = state;
        let Some(book) = book.as_ref().filter(|_| self.is_for_a_move()) else { return false };
        let position = self.game.position();
        let moves = book.book.moves(position);
        if moves.is_empty() {
            return false;
        }
        let memory = self.open_memory(memory, allotted).filter(|memory| *memory.policy() != Policy::Off);
        let candidates = memory.map_or_else(|| Ok(unlearned(&moves)), |memory| with_results(memory, position, &moves));
        let candidates = candidates.unwrap_or_else(|error| {
            self.listener.notify(Event::MemoryFailed(&error));
            unlearned(&moves)
        });
        let Some(choice) = choose(&candidates, &mut book.random()) else {
            self.listener.notify(Event::BookRefuted(position, candidates.len()));
            return false;
        };
        self.listener.notify(Event::BookMove(position, &choice));
        log.note(&self.game, choice.mv, None);
        self.signals.note_reported();
        self.listener.notify(Event::Best { position, best: Some(choice.mv), ponder: None });
        true
    }

    /// Whether the `go` asks for a move of a game, and not for an analysis.
    fn is_for_a_move(&self) -> bool {
        let params = &self.params;
        let is_analysis = params.infinite || params.ponder || params.mate.is_some() || !params.moves.is_empty();
        !is_analysis && self.settings.lines == 1
    }
}

fn unlearned(moves: &[BookMove]) -> Vec<BookCandidate> {
    moves.iter().map(|&book| BookCandidate { book, learned: None }).collect()
}

/// The book's moves of a position, with what the memory has learned of them.
fn with_results(memory: &Memory, position: &Position, moves: &[BookMove]) -> Result<Vec<BookCandidate>> {
    let mut candidates = unlearned(moves);
    let Some(store) = memory.store() else { return Ok(candidates) };
    let packed: Vec<Vec<u8>> = moves.iter().map(|book| packed(&position.after(book.mv))).collect();
    let packed: Vec<&[u8]> = packed.iter().map(Vec::as_slice).collect();
    let (player, trust) = (memory.player(), memory.trust()?);
    let is_player = |source: &Source| source.is_same_engine(&player) && trust.trusts(source);
    store.get_many(&Position::name(), &packed, &mut |index, source, record| {
        let learned = learned_value(record).filter(|_| is_player(source));
        let known = &mut candidates[index].learned;
        // The same player may have come from several memories: the one with the most games counts.
        *known = learned.into_iter().chain(*known).max_by_key(|learned| learned.games);
    })?;
    Ok(candidates)
}

fn packed(position: &Position) -> Vec<u8> {
    let mut bytes = Vec::new();
    position.pack(&mut bytes);
    bytes
}

/// The value of a player's record, for the side whose move led to its position.
fn learned_value(record: Record) -> Option<LearnedValue> {
    let record = record.from_parent();
    let is_known = record.lower.is_known() && record.upper.is_known();
    let middle = i32::midpoint(record.lower.score.into(), record.upper.score.into());
    is_known.then_some(LearnedValue { score: middle as Score, games: record.nodes })
}
