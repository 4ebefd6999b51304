//! Alpha-beta in its negamax form, with the table.

use mnemon_table::replace::Replace;
use mnemon_table::{Layout, Score};

use crate::Game;
use crate::limits::Stopped;
use crate::node::{Found, Node};
use crate::path_score::PathScore;
use crate::searcher::Searcher;

impl<G: Game, L: Layout, R: Replace> Searcher<'_, G, L, R> {
    /// The value of the position for its side to move, if it lies between alpha and beta; otherwise a bound: a score
    /// of alpha or less is at least the value, a score of beta or more is at most the value.
    pub(crate) fn negamax(
        &mut self,
        position: &G,
        depth: u8,
        alpha: Score,
        beta: Score,
        ply: u16,
    ) -> Result<PathScore, Stopped> {
        self.enter(ply)?;
        if let Some(value) = self.ended(position, ply) {
            return Ok(value);
        }
        if depth == 0 {
            return Ok(self.leaf(position, alpha, beta, ply));
        }
        let mut node = Node::new(position, depth, alpha, beta, ply);
        if let Some(value) = self.consult(&mut node) {
            return Ok(value);
        }
        self.path.step(position, ply);
        let mut found = Found::NOTHING;
        for mv in self.ordered(&node) {
            let alpha = node.alpha.max(found.score);
            let value = -self.negamax(&position.play(mv), depth - 1, -node.beta, -alpha, ply + 1)?;
            self.improve(&node, &mut found, mv, value);
            if found.score >= node.beta {
                break;
            }
        }
        Ok(self.record(&node, &found))
    }
}
