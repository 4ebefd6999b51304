//! Principal variation search: the first move gets the whole window; the others must only be shown to be no better,
//! and are searched again if they are.

use mnemon_table::replace::Replace;
use mnemon_table::{Layout, Score};

use crate::Game;
use crate::limits::Stopped;
use crate::node::{Found, Node};
use crate::path_score::PathScore;
use crate::searcher::Searcher;

impl<G: Game, L: Layout, R: Replace> Searcher<'_, G, L, R> {
    /// The value of the position for its side to move, if it lies between alpha and beta; otherwise a bound, as
    /// [`negamax`](Self::negamax) gives it.
    pub(crate) fn pvs(
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
        for (number, mv) in self.ordered(&node).into_iter().enumerate() {
            let child = position.play(mv);
            let value = self.pvs_child(&node, &child, number == 0, node.alpha.max(found.score))?;
            self.improve(&node, &mut found, mv, value);
            if found.score >= node.beta {
                break;
            }
        }
        Ok(self.record(&node, &found))
    }

    /// The child's value as its parent sees it.
    fn pvs_child(&mut self, node: &Node<'_, G>, child: &G, first: bool, alpha: Score) -> Result<PathScore, Stopped> {
        let (depth, ply) = (node.depth - 1, node.ply + 1);
        if !first {
            let value = -self.pvs(child, depth, -(alpha + 1), -alpha, ply)?;
            if value.score <= alpha || value.score >= node.beta {
                return Ok(value);
            }
        }
        Ok(-self.pvs(child, depth, -node.beta, -alpha, ply)?)
    }
}
