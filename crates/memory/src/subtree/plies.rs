//! The earliest ply at which lines reach each position.

use std::collections::VecDeque;

use super::graph::Graph;

/// A ply counted from the beginning of the game. Where a record's count and the caller's line disagree, positions on the line
/// may come before 0.
pub(super) type Ply = i32;

/// The ply of a position that no line reaches.
pub(super) const NEVER: Ply = Ply::MAX;

/// The least ply at which each position is reached by a line that begins at one of the entries, at the entry's ply, and
/// does not pass the node `blocked`; [`NEVER`] where there is none.
///
/// Breadth first. The queue holds positions in the order of their plies, since each adds children one ply later; entries
/// join it when their ply has come.
pub(super) fn earliest(graph: &Graph, mut entries: Vec<(Ply, usize)>, blocked: Option<usize>) -> Vec<Ply> {
    entries.sort_unstable();
    let mut entries = entries.into_iter().peekable();
    let mut queue: VecDeque<(Ply, usize)> = VecDeque::new();
    let mut plies = vec![NEVER; graph.len()];
    loop {
        let entry = entries.next_if(|&(ply, _)| queue.front().is_none_or(|&(queued, _)| ply <= queued));
        let Some((ply, node)) = entry.or_else(|| queue.pop_front()) else { return plies };
        if plies[node] != NEVER || blocked == Some(node) {
            continue;
        }
        plies[node] = ply;
        let children = graph.children(node).iter().map(|&(_, child)| child);
        queue.extend(children.filter(|&child| plies[child] == NEVER).map(|child| (ply + 1, child)));
    }
}
