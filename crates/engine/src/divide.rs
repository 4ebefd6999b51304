//! Perft by root moves, on the engine's thread: it can be stopped.

use std::time::Instant;

use mnemon_chess::{Position, perft};

use crate::event::{Event, Listener};
use crate::signals::Signals;

/// Counts the move sequences of `depth` plies, and reports for each root move how many begin with it.
pub(crate) fn divide(position: &Position, depth: u8, signals: &Signals, listener: &dyn Listener) {
    let start = Instant::now();
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut total = Some(0);
    for mv in moves.into_iter().filter(|_| depth > 0) {
        let count = counted(&position.after(mv), depth - 1, signals);
        if let Some(count) = count {
            listener.notify(Event::Divided(position, mv, count));
        }
        total = total.zip(count).map(|(total, count)| total + count);
    }
    let total = if depth == 0 { Some(1) } else { total };
    listener.notify(Event::Counted(total, start.elapsed()));
}

/// [`perft()`] that can be stopped; `None` if it was.
fn counted(position: &Position, depth: u8, signals: &Signals) -> Option<u64> {
    /// Depths up to this take a moment, and are not interrupted.
    const UNINTERRUPTED: u8 = 3;
    if signals.is_stopped() {
        return None;
    }
    if depth <= UNINTERRUPTED {
        return Some(perft(position, depth));
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves.into_iter().map(|mv| counted(&position.after(mv), depth - 1, signals)).sum()
}
