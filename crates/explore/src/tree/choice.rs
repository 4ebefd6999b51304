//! Which moves of a position are shown, and in which order.

use std::cmp::Reverse;

use mnemon_memory::recall::KnownGraph;
use mnemon_memory::{MoveRank, Record};

use super::Bounds;

/// A move to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    /// The move's code.
    pub(super) code: u16,
    /// The node that it leads to; `None` for the best move of a search whose position has no record.
    pub(super) to: Option<usize>,
}

/// The moves of a position that are shown, and the number of known moves that are not.
pub(super) struct Chosen {
    pub(super) moves: Vec<Choice>,
    pub(super) hidden: usize,
}

/// The known graph with the value of each of its nodes.
pub(super) struct Valued<'k, G> {
    pub(super) graph: &'k KnownGraph<G>,
    /// What is believed, backed up; empty where nothing is.
    pub(super) backed_up: Vec<Record>,
    /// What the best search of each node found, believed or not.
    pub(super) searched: Vec<Record>,
}

impl<G> Valued<'_, G> {
    /// The node's value by which moves are compared: backed up, or else as it was searched.
    pub(super) fn value(&self, node: usize) -> &Record {
        let backed_up = &self.backed_up[node];
        let is_known = backed_up.lower.is_known() || backed_up.upper.is_known();
        if is_known { backed_up } else { &self.searched[node] }
    }

    /// The best move by the node's value; 0 if there is none.
    fn best(&self, node: usize) -> u16 {
        self.value(node).best
    }

    /// The moves to show: the best one first, then those that were searched, then those that were only bounded.
    pub(super) fn choose(&self, node: usize, bounds: &Bounds) -> Chosen {
        let best = self.best(node);
        let mut known: Vec<(Choice, Record)> = self.graph.nodes[node]
            .moves
            .iter()
            .filter_map(|&(code, to)| Some((code, to.filter(|&to| !self.graph.nodes[to].records.is_empty())?)))
            .map(|(code, to)| (Choice { code, to: Some(to) }, self.value(to).from_parent()))
            .collect();
        let is_legal = |code| self.graph.nodes[node].moves.iter().any(|&(legal, _)| legal == code);
        if is_legal(best) && !known.iter().any(|(choice, _)| choice.code == best) {
            // The best move is worth what the position is worth.
            known.push((Choice { code: best, to: None }, *self.value(node)));
        }
        known.sort_by_key(|(choice, record)| (choice.code != best, Reverse(MoveRank::of(record)), choice.code));
        let all = known.len();
        let first = known.first().map(|&(_, record)| record).unwrap_or_default();
        let is_near = |record: &Record| bounds.within.is_none_or(|within| !is_worse_by_more(record, &first, within));
        let moves: Vec<Choice> =
            known.iter().filter(|(_, record)| is_near(record)).map(|&(choice, _)| choice).take(bounds.width).collect();
        Chosen { hidden: all - moves.len(), moves }
    }
}

/// Whether a move is worse than another by more than `within`: only if both have a score.
fn is_worse_by_more(record: &Record, best: &Record, within: i16) -> bool {
    let (score, best) = (record.stronger_end(), best.stronger_end());
    score.is_known() && best.is_known() && i32::from(score.score) < i32::from(best.score) - i32::from(within)
}

#[cfg(test)]
mod tests {
    use mnemon_table::Window;

    use super::*;

    #[test]
    fn a_move_without_a_score_is_not_worse() {
        let best = Record::exact(50, 10);
        assert!(is_worse_by_more(&Record::exact(-10, 10), &best, 50));
        assert!(!is_worse_by_more(&Record::exact(0, 10), &best, 50));
        assert!(!is_worse_by_more(&Record::default(), &best, 0));
        assert!(is_worse_by_more(&Record::between(Window::at_most(-1), 3), &best, 50));
    }
}
