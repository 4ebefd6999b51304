//! How soon lines reach each position.

use std::collections::VecDeque;

use super::graph::{Graph, Moves, SeenAt};
use crate::Record;

/// A ply counted from the beginning of the game; negative where a count that is not the game's begins too late.
pub(super) type Ply = i32;

/// The ply of a position that no line reaches.
pub(super) const NEVER: Ply = Ply::MAX;

/// How soon each position is reached, by its number in the graph.
pub(super) struct Plies {
    from_root: Vec<Ply>,
    /// By lines around the root.
    around: Vec<Ply>,
    /// By lines from positions whose ply nothing tells, so that only [`NEVER`] means something.
    elsewhere: Vec<Ply>,
    /// Whether it is known what stood before the root.
    pub(super) is_placed: bool,
}

impl Plies {
    /// The plies, where the line that the caller gave puts the root at the ply `given`.
    pub(super) fn of(graph: &Graph, given: Option<u16>) -> Self {
        let (moves, root) = (&graph.moves, graph.root);
        let to_root = earliest(&graph.moves.reversed(), vec![(0, root)], None);
        let from_start = graph.start.map(|start| to_root[start]).filter(|&plies| plies != NEVER);
        let counts = Counts::of(graph, given, from_start);
        let mut entries = counts.entries(graph, given);
        let is_placed = !entries.is_empty() || from_start.is_some();
        entries.extend(graph.start.map(|start| (0, start)));

        let from_root = earliest(moves, vec![(counts.ply, root)], None);
        let around = earliest(moves, entries.clone(), Some(root));
        // What leads to the root and does not come back from it stood before it, also where nothing tells its ply.
        let is_apart = |node: &usize, around: &[Ply]| from_root[*node] == NEVER && around[*node] == NEVER;
        let ancestors = (0..graph.len()).filter(|node| is_apart(node, &around) && to_root[*node] != NEVER);
        let ancestors: Vec<(Ply, usize)> = ancestors.map(|node| (counts.ply - to_root[node], node)).collect();
        let is_placed = is_placed || !ancestors.is_empty();
        entries.extend(ancestors);
        let around = earliest(moves, entries, Some(root));
        let rest = (0..graph.len()).filter(|node| is_apart(node, &around)).map(|node| (0, node)).collect();
        // None of them leads to the root.
        let elsewhere = earliest(moves, rest, None);
        Plies { from_root, around, elsewhere, is_placed }
    }

    /// Whether a shortest line to the position passes the root. If so, all of it from the root on is in the sub-tree: a line
    /// around the root that came to a position of it sooner would come to its end sooner, too.
    pub(super) fn is_member(&self, node: usize) -> bool {
        self.from_root[node] != NEVER && self.from_root[node] <= self.around[node]
    }

    /// Whether every shortest line to the position, which is a member, passes the root.
    pub(super) fn is_dominated(&self, node: usize) -> bool {
        self.from_root[node] < self.around[node] && self.elsewhere[node] == NEVER
    }
}

/// The root's ply, and which of the records' plies can be compared with it.
struct Counts {
    ply: Ply,
    /// Whether the ply is one of a numbered game.
    is_numbered: bool,
}

impl Counts {
    /// The root's ply is the least that anything tells: the caller, the root's records, a line from the start of the game.
    /// Only if nothing does is it what records say of games without numbers, and 0 if these say nothing either.
    fn of(graph: &Graph, given: Option<u16>, from_start: Option<Ply>) -> Self {
        let seen = graph.seen.get(graph.root).copied().unwrap_or(SeenAt::NEVER);
        let told = [known(seen.numbered), given.map(Ply::from), from_start];
        match told.into_iter().flatten().min() {
            Some(ply) => Counts { ply, is_numbered: true },
            None => Counts { ply: known(seen.any).unwrap_or(0), is_numbered: false },
        }
    }

    /// Where lines around the root begin, besides the start of the game: positions that records saw at an earlier ply than
    /// the root, and the line before it.
    fn entries(&self, graph: &Graph, given: Option<u16>) -> Vec<(Ply, usize)> {
        let count = |seen: &SeenAt| known(if self.is_numbered { seen.numbered } else { seen.any });
        let seen = graph.seen.iter().enumerate().filter_map(|(node, seen)| Some((count(seen)?, node)));
        let earlier = seen.filter(|&(ply, _)| ply < self.ply);
        let end_of_line = given.map_or(self.ply, Ply::from);
        let line = (1..).zip(graph.before.iter().rev()).map(|(back, &node)| (end_of_line - back, node));
        earlier.chain(line).collect()
    }
}

/// The ply that a record tells, if it does.
fn known(ply: u16) -> Option<Ply> {
    (ply != Record::NO_PLY).then_some(Ply::from(ply))
}

/// The least ply at which each position is reached by a line that begins at one of the entries, at the entry's ply, and
/// does not pass the position `blocked`; [`NEVER`] where there is none.
///
/// Breadth first. The queue holds positions in the order of their plies, since each adds children one ply later; entries
/// join it when their ply has come.
fn earliest(moves: &Moves, mut entries: Vec<(Ply, usize)>, blocked: Option<usize>) -> Vec<Ply> {
    entries.sort_unstable();
    let mut entries = entries.into_iter().peekable();
    let mut queue: VecDeque<(Ply, usize)> = VecDeque::new();
    let mut plies = vec![NEVER; moves.len()];
    loop {
        let entry = entries.next_if(|&(ply, _)| queue.front().is_none_or(|&(queued, _)| ply <= queued));
        let Some((ply, node)) = entry.or_else(|| queue.pop_front()) else { return plies };
        if plies[node] != NEVER || blocked == Some(node) {
            continue;
        }
        plies[node] = ply;
        let children = moves.of(node).iter().map(|&(_, child)| child);
        queue.extend(children.filter(|&child| plies[child] == NEVER).map(|child| (ply + 1, child)));
    }
}
