//! Move ordering: the hash move, then the game's own ordering score, killers and history.

use std::cmp::Reverse;

use crate::Game;
use crate::random::mix;

/// What a thread has learned about moves: killers by ply, history by player and move.
pub(crate) struct MoveOrder<G: Game> {
    killers: Vec<[Option<G::Move>; 2]>,
    history: Vec<u32>,
    /// Breaks ties differently in each thread; 0 keeps the game's own order.
    salt: u64,
}

/// Moves whose codes agree in this number of low bits share their history, which only costs some ordering.
const HISTORY_BITS: u32 = 10;
/// When one count reaches this, all are halved.
const HISTORY_LIMIT: u32 = 1 << 20;

impl<G: Game> MoveOrder<G> {
    pub(crate) fn new(salt: u64) -> Self {
        MoveOrder { killers: Vec::new(), history: vec![0; 2 << HISTORY_BITS], salt }
    }

    /// Sorts the moves, the most promising first. `hash_move` is the code of the hash move, or 0.
    pub(crate) fn sort(&self, position: &G, moves: &mut [G::Move], hash_move: u16, ply: u16) {
        let killers = self.killers.get(usize::from(ply)).copied().unwrap_or_default();
        moves.sort_by_cached_key(|&mv| {
            let code = G::code(mv).get();
            let killer = if killers[0] == Some(mv) { 2 } else { u8::from(killers[1] == Some(mv)) };
            let history = self.history[history_index(code, ply)];
            let tie_breaker = if self.salt == 0 { 0 } else { mix(self.salt ^ u64::from(code)) };
            Reverse((code == hash_move, position.ordering_score(mv), killer, history, tie_breaker))
        });
    }

    /// After a fail high: makes the move a killer, and raises its history.
    pub(crate) fn update_fail_high(&mut self, mv: G::Move, depth: u8, ply: u16) {
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

/// The index of a move's history; the ply's parity tells the players apart.
fn history_index(code: u16, ply: u16) -> usize {
    let code = usize::from(code) & ((1 << HISTORY_BITS) - 1);
    usize::from(ply % 2) << HISTORY_BITS | code
}
