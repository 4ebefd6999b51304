//! Plain minimax with a maximizing and a minimizing player, with and without alpha-beta, without a table: the slow and
//! obvious oracle that every other search of this crate is tested against.

use mnemon_table::Score;

use crate::Game;

/// The value of a position for its side to move, searched to a depth.
///
/// It prunes nothing: for small trees only.
///
/// ```
/// use mnemon_search::{games::TicTacToe, minimax};
///
/// assert_eq!(minimax::value(&TicTacToe::new(), 9), 0, "tic-tac-toe is a draw");
/// ```
pub fn value<G: Game>(position: &G, depth: u8) -> Score {
    value_after(&[], position, depth)
}

/// As [`value`], after positions with these keys were played: in a game with cycles, to reach one of them is a draw.
pub fn value_after<G: Game>(history: &[u64], position: &G, depth: u8) -> Score {
    Tree { history, path: Vec::new() }.maximize(position, depth)
}

/// As [`value`], with alpha-beta: a branch is left as soon as one of the players has a better one elsewhere.
pub fn alpha_beta<G: Game>(position: &G, depth: u8) -> Score {
    Tree { history: &[], path: Vec::new() }.maximize_between(position, depth, Score::MIN, Score::MAX)
}

/// The state of the walk through the tree.
struct Tree<'a, G> {
    history: &'a [u64],
    /// The positions from the root down to the current node's parent.
    path: Vec<G>,
}

impl<G: Game> Tree<'_, G> {
    /// The best score the maximizing player, whose turn it is, can reach.
    fn maximize(&mut self, position: &G, depth: u8) -> Score {
        if let Some(score) = self.leaf(position, depth) {
            return score;
        }
        self.path.push(position.clone());
        let best = children(position).iter().map(|child| self.minimize(child, depth - 1)).max();
        self.path.pop();
        best.unwrap_or(0)
    }

    /// The worst score, for the maximizing player, that the minimizing player can reach.
    fn minimize(&mut self, position: &G, depth: u8) -> Score {
        if let Some(score) = self.leaf(position, depth) {
            // A leaf's score is from the point of view of its side to move, the minimizing player.
            return -score;
        }
        self.path.push(position.clone());
        let worst = children(position).iter().map(|child| self.maximize(child, depth - 1)).min();
        self.path.pop();
        worst.unwrap_or(0)
    }

    /// As [`maximize`](Self::maximize), fail-soft with a window.
    fn maximize_between(&mut self, position: &G, depth: u8, mut alpha: Score, beta: Score) -> Score {
        if let Some(score) = self.leaf(position, depth) {
            return score;
        }
        self.path.push(position.clone());
        let mut best = Score::MIN;
        for child in children(position) {
            best = best.max(self.minimize_between(&child, depth - 1, alpha, beta));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        self.path.pop();
        best
    }

    /// As [`minimize`](Self::minimize), fail-soft with a window.
    fn minimize_between(&mut self, position: &G, depth: u8, alpha: Score, mut beta: Score) -> Score {
        if let Some(score) = self.leaf(position, depth) {
            return -score;
        }
        self.path.push(position.clone());
        let mut best = Score::MAX;
        for child in children(position) {
            best = best.min(self.maximize_between(&child, depth - 1, alpha, beta));
            beta = beta.min(best);
            if alpha >= beta {
                break;
            }
        }
        self.path.pop();
        best
    }

    /// The score of the side to move where the search ends, or `None` where it goes on.
    fn leaf(&self, position: &G, depth: u8) -> Option<Score> {
        if let Some(outcome) = position.outcome() {
            Some(outcome.score(self.path.len() as u16))
        } else if self.is_drawn_by_path(position) {
            Some(0)
        } else {
            (depth == 0).then(|| position.evaluate())
        }
    }

    /// Whether, below the root, the position is a repetition or a move counter makes it a draw.
    fn is_drawn_by_path(&self, position: &G) -> bool {
        let is_repetition = G::CYCLES && (self.path.contains(position) || self.history.contains(&position.key()));
        !self.path.is_empty() && (is_repetition || position.is_drawn_by_counter())
    }
}

fn children<G: Game>(position: &G) -> Vec<G> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.into_iter().map(|mv| position.play(mv)).collect()
}
