//! Which move is searched first: the table's, then by the game's own promise, killers and history.

use std::cmp::Reverse;

use crate::Game;
use crate::random::mix;

/// What a search has learned about moves, whatever the position: killers by ply, history by player and move.
pub(crate) struct Order<G: Game> {
    killers: Vec<[Option<G::Move>; 2]>,
    history: Vec<u32>,
    /// Makes threads prefer different moves among equals; 0 keeps the game's own order.
    salt: u64,
}

/// Moves share history counts if their codes agree in so many low bits: it only orders, so that does no harm.
const HISTORY_BITS: u32 = 10;
/// When a count gets there, all are halved.
const HISTORY_LIMIT: u32 = 1 << 20;

impl<G: Game> Order<G> {
    pub(crate) fn new(salt: u64) -> Self {
        Order { killers: Vec::new(), history: vec![0; 2 << HISTORY_BITS], salt }
    }

    /// Sorts the moves, the most promising first. `hint` is the code of the move that the table remembers, or 0.
    pub(crate) fn sort(&self, position: &G, moves: &mut [G::Move], hint: u16, ply: u16) {
        let killers = self.killers.get(usize::from(ply)).copied().unwrap_or_default();
        moves.sort_by_cached_key(|&mv| {
            let code = G::code(mv).get();
            let killer = if killers[0] == Some(mv) { 2 } else { u8::from(killers[1] == Some(mv)) };
            let history = self.history[history_index(code, ply)];
            let tie = if self.salt == 0 { 0 } else { mix(self.salt ^ u64::from(code)) };
            Reverse((code == hint, position.ordering_score(mv), killer, history, tie))
        });
    }

    /// Remembers that the move refuted its position.
    pub(crate) fn reward(&mut self, mv: G::Move, depth: u8, ply: u16) {
        let ply_index = usize::from(ply);
        if self.killers.len() <= ply_index {
            self.killers.resize(ply_index + 1, [None; 2]);
        }
        let killers = &mut self.killers[ply_index];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let count = &mut self.history[history_index(G::code(mv).get(), ply)];
        *count += u32::from(depth) * u32::from(depth);
        if *count >= HISTORY_LIMIT {
            self.history.iter_mut().for_each(|count| *count /= 2);
        }
    }
}

/// Where a move's count stands: the ply's parity tells the players apart.
fn history_index(code: u16, ply: u16) -> usize {
    let code = usize::from(code) & ((1 << HISTORY_BITS) - 1);
    usize::from(ply % 2) << HISTORY_BITS | code
}
