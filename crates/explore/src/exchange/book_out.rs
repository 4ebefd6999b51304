//! The known tree as a Polyglot book: each move by its share of the winning chances.

use std::collections::{BTreeMap, BTreeSet};

use mnemon_chess::Position;
use mnemon_chess::polyglot::BookWriter;
use mnemon_memory::Record;
use mnemon_table::Score;

use super::known_tree::{KnownTree, TreeNode};

/// A move that gives away more of the winning chances than this is in the book, and never played.
const MISTAKE: f64 = 0.1;

/// The weight of the only move of a position.
const FULL_WEIGHT: f64 = 65_535.0;

/// The bytes of the book, and the number of its moves. Where several lines lead to a position, it is in the book under each
/// key that they give it.
#[must_use]
pub fn write_book(known: &KnownTree) -> (Vec<u8>, u64) {
    let (mut writer, mut count) = (BookWriter::new(), 0);
    for (node, positions) in known.nodes.iter().zip(positions_by_key(known)) {
        for ((mv, _), weight) in node.moves.iter().zip(weights(known, node)) {
            for position in &positions {
                writer.add(position, *mv, weight);
                count += 1;
            }
        }
    }
    (writer.finish(), count)
}

/// For each node the positions by which it is reached: they differ only in their keys, by the last move.
fn positions_by_key(known: &KnownTree) -> Vec<Vec<Position>> {
    let mut keys: BTreeMap<usize, BTreeSet<u64>> = BTreeMap::new();
    let mut positions: Vec<Vec<Position>> = known.nodes.iter().map(|_| Vec::new()).collect();
    let mut add = |number: usize, position: Position| {
        if keys.entry(number).or_default().insert(position.polyglot_key()) {
            positions[number].push(position);
        }
    };
    add(0, known.nodes[0].position.clone());
    for node in &known.nodes {
        for &(mv, child) in &node.moves {
            add(child, node.position.after(mv));
        }
    }
    positions
}

/// The weight of each move of a node: round(65535 * its share of the chances), 0 for a mistake. Where no move has a score,
/// all weigh the same; where some have, the others are never played.
fn weights(known: &KnownTree, node: &TreeNode) -> Vec<u16> {
    let mut chances: Vec<Option<f64>> = node
        .moves
        .iter()
        .map(|&(mv, child)| {
            let below =
                known.nodes[child].score.map(|(score, depth)| Record::exact(score, depth).from_parent().lower.score);
            let own = node.score.filter(|_| node.best() == Some(mv)).map(|(score, _)| score);
            below.or(own).map(winning_chance)
        })
        .collect();
    if chances.iter().all(Option::is_none) {
        chances.fill(Some(1.0));
    }
    let best = chances.iter().flatten().copied().fold(0.0, f64::max);
    let played = |chance: &Option<f64>| chance.filter(|&chance| chance >= best - MISTAKE);
    let sum: f64 = chances.iter().filter_map(played).sum();
    let weight = |chance: f64| if sum > 0.0 { (FULL_WEIGHT * chance / sum).round().max(1.0) } else { 1.0 };
    chances.iter().map(|chance| played(chance).map_or(0, |chance| weight(chance) as u16)).collect()
}

/// The chance that a score is worth, a draw counting half: logistic, with odds of ten to one at four pawns.
fn winning_chance(score: Score) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-f64::from(score) / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_scores_have_equal_chances() {
        assert_eq!(winning_chance(0), 0.5);
        assert!((winning_chance(400) - 10.0 / 11.0).abs() < 1e-9);
        assert!((winning_chance(123) + winning_chance(-123) - 1.0).abs() < 1e-9);
    }
}
