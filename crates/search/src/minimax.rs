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
    maximize(position, depth, 0)
}

/// The best score the maximizing player, whose turn it is, can reach.
fn maximize<G: Game>(position: &G, depth: u8, ply: u16) -> Score {
    leaf(position, depth, ply).unwrap_or_else(|| {
        let scores = children(position).into_iter().map(|child| minimize(&child, depth - 1, ply + 1));
        scores.max().unwrap_or(0)
    })
}

/// The worst score, for the maximizing player, that the minimizing player can reach.
fn minimize<G: Game>(position: &G, depth: u8, ply: u16) -> Score {
    leaf(position, depth, ply).map_or_else(
        || {
            let scores = children(position).into_iter().map(|child| maximize(&child, depth - 1, ply + 1));
            scores.min().unwrap_or(0)
        },
        // A leaf's score is its side to move's: the minimizing player's.
        |score| -score,
    )
}

/// As [`value`], with alpha-beta: a branch is left as soon as one of the players has something better elsewhere.
pub fn alpha_beta<G: Game>(position: &G, depth: u8) -> Score {
    maximize_between(position, depth, 0, Score::MIN, Score::MAX)
}

fn maximize_between<G: Game>(position: &G, depth: u8, ply: u16, mut alpha: Score, beta: Score) -> Score {
    if let Some(score) = leaf(position, depth, ply) {
        return score;
    }
    let mut best = Score::MIN;
    for child in children(position) {
        best = best.max(minimize_between(&child, depth - 1, ply + 1, alpha, beta));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}

fn minimize_between<G: Game>(position: &G, depth: u8, ply: u16, alpha: Score, mut beta: Score) -> Score {
    if let Some(score) = leaf(position, depth, ply) {
        return -score;
    }
    let mut best = Score::MAX;
    for child in children(position) {
        best = best.min(maximize_between(&child, depth - 1, ply + 1, alpha, beta));
        beta = beta.min(best);
        if alpha >= beta {
            break;
        }
    }
    best
}

/// The score of the side to move where the search ends, or `None` where it goes on.
fn leaf<G: Game>(position: &G, depth: u8, ply: u16) -> Option<Score> {
    match position.outcome() {
        Some(outcome) => Some(outcome.score(ply)),
        None => (depth == 0).then(|| position.evaluate()),
    }
}

fn children<G: Game>(position: &G) -> Vec<G> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.into_iter().map(|mv| position.play(mv)).collect()
}
