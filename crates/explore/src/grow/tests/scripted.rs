//! An engine that makes its scores up, always the same, and games for it.

use mnemon_memory::{Line, Source};
use mnemon_search::games::{Maze, Synthetic};
use mnemon_search::random::mix;
use mnemon_table::{Score, Window};

use super::super::Explored;
use super::super::evaluator::{Evaluation, Evaluator, EvaluatorError, Request, Stop};
use super::source;

impl Explored for Synthetic {
    const SCALE: f64 = 120.0;

    fn is_first_to_move(&self) -> bool {
        self.ply().is_multiple_of(2)
    }
}

impl Explored for Maze {
    const SCALE: f64 = 120.0;

    fn is_first_to_move(&self) -> bool {
        self.place().is_multiple_of(2)
    }
}

/// Scores a move by the hash of the position behind it; sometimes a mate, sometimes nothing that may be learned.
pub(super) struct Scripted {
    seed: u64,
    source: Source,
}

impl Scripted {
    pub(super) fn new(seed: u64) -> Self {
        Scripted { seed, source: source() }
    }

    fn score(&self, key: u64) -> Score {
        let bits = mix(key ^ self.seed);
        match bits % 40 {
            0 => 15_990,
            1 => -15_991,
            _ => (bits >> 8) as i8 as Score * 3,
        }
    }
}

impl<G: Explored> Evaluator<G> for Scripted {
    fn source(&self) -> &Source {
        &self.source
    }

    fn search(&mut self, request: &Request<'_, G>, _stop: &Stop) -> Result<Option<Evaluation>, EvaluatorError> {
        let mut moves = request.moves.to_vec();
        if moves.is_empty() {
            request.position.moves(&mut moves);
        }
        let bits = mix(request.position.key().wrapping_add(self.seed) ^ moves.len() as u64);
        let scored = moves.into_iter().map(|mv| (self.score(request.position.play(mv).key()), G::code(mv).get()));
        let best = scored.max().filter(|_| !bits.is_multiple_of(30));
        let lines = best.map(|(score, code)| Line::new(Window::exact(score), [code])).into_iter().collect();
        Ok(Some(Evaluation { lines, depth: 5 + (bits >> 9) as u8 % 4, nodes: 100, ..Evaluation::default() }))
    }
}
