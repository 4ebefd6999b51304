//! Plain minimax, with a maximizing and a minimizing player, with and without alpha-beta: no table, no tricks. Slow
//! and obvious, the judge of everything else in this crate.

use mnemon_table::Score;

use crate::Game;

/// The value of a position for its side to move, searched to a depth.
///
/// Counts nothing, remembers nothing, cuts nothing: for small trees only.
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

/// As [`value`], with alpha-beta: a branch is left as soon as one of the players has something better elsewhere.
pub fn alpha_beta<G: Game>(position: &G, depth: u8) -> Score {
    Tree { history: &[], path: Vec::new() }.maximize_between(position, depth, Score::MIN, Score::MAX)
}

/// Where the walk through the tree stands.
struct Tree<'a, G> {
    history: &'a [u64],
    /// The positions above the one that is looked at.
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
            // A leaf's score is its side to move's: the minimizing player's.
            return -score;
        }
        self.path.push(position.clone());
        let worst = children(position).iter().map(|child| self.maximize(child, depth - 1)).min();
        self.path.pop();
        worst.unwrap_or(0)
    }

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
        } else if self.is_drawn_by_the_way(position) {
            Some(0)
        } else {
            (depth == 0).then(|| position.evaluate())
        }
    }

    /// Below the root: the position was there before, or a move counter has run out.
    fn is_drawn_by_the_way(&self, position: &G) -> bool {
        let was_there = G::CYCLES && (self.path.contains(position) || self.history.contains(&position.key()));
        !self.path.is_empty() && (was_there || position.is_drawn_by_counter())
    }
}

fn children<G: Game>(position: &G) -> Vec<G> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.into_iter().map(|mv| position.play(mv)).collect()
}
