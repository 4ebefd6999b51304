//! The lines of a game whose moves are judged: the main line, and the variations.

use mnemon_chess::Move;
use mnemon_chess::pgn::{GameTree, NodeId, PgnGame};

/// A line of a game, from the start of the game on.
pub(super) struct PlayedLine {
    /// All moves, those before the line included.
    pub(super) moves: Vec<Move>,
    /// The number of moves before the line begins; 0 for the main line.
    pub(super) first: usize,
    /// The line's moves in the tree; none if the game was read without one.
    pub(super) nodes: Vec<NodeId>,
    /// Whether it is a variation, which no player has played.
    pub(super) is_variation: bool,
}

impl PlayedLine {
    /// The main line.
    pub(super) fn main(game: &PgnGame) -> Self {
        let nodes = game.tree.iter().flat_map(GameTree::main_line).collect();
        PlayedLine { moves: game.moves.clone(), first: 0, nodes, is_variation: false }
    }

    /// Every variation, in the order in which they leave the lines that they belong to.
    pub(super) fn variations(tree: &GameTree) -> Vec<Self> {
        let mut lines = Vec::new();
        let mut pending = Vec::new();
        leaving(tree, std::iter::once(NodeId::ROOT).chain(tree.main_line()), &mut pending);
        while let Some(first) = pending.pop() {
            let nodes: Vec<NodeId> = std::iter::successors(Some(first), |&node| tree.children(node).next()).collect();
            leaving(tree, nodes.iter().copied(), &mut pending);
            let mut moves = tree.parent(first).map_or_else(Vec::new, |parent| moves_to(tree, parent));
            let first = moves.len();
            moves.extend(nodes.iter().filter_map(|&node| tree[node].mv));
            lines.push(PlayedLine { moves, first, nodes, is_variation: true });
        }
        lines
    }

    /// The move of the tree that is the line's move at this ply of the game.
    pub(super) fn node(&self, ply: usize) -> Option<NodeId> {
        self.nodes.get(ply.checked_sub(self.first)?).copied()
    }
}

/// Adds the variations that leave a line, so that the first is the next to be popped.
fn leaving(tree: &GameTree, line: impl Iterator<Item = NodeId>, pending: &mut Vec<NodeId>) {
    let known = pending.len();
    pending.extend(line.flat_map(|node| tree.children(node).skip(1)));
    pending[known..].reverse();
}

/// The moves from the start of the game to this one.
fn moves_to(tree: &GameTree, node: NodeId) -> Vec<Move> {
    let back = std::iter::successors(Some(node), |&node| tree.parent(node));
    let mut moves: Vec<Move> = back.filter_map(|node| tree[node].mv).collect();
    moves.reverse();
    moves
}

#[cfg(test)]
mod tests {
    use mnemon_chess::pgn::PgnReader;
    use mnemon_chess::variation;

    use super::*;

    #[test]
    fn every_variation_is_a_line() {
        let text = "1. e4 (1. d4 d5 (1... Nf6 2. c4)) e5 (1... c5 2. Nf3) 2. Nf3 *";
        let game = PgnReader::new("text", text.as_bytes()).whole().next().expect("a game").expect("read");
        let tree = game.tree.as_ref().expect("a tree");
        let said = |line: &PlayedLine| {
            assert_eq!(line.nodes.len(), line.moves.len() - line.first);
            format!("{} {}", line.first, variation::text(&game.start, &line.moves, None))
        };
        let lines: Vec<String> = PlayedLine::variations(tree).iter().map(said).collect();
        assert_eq!(lines, ["0 1.d4 d5", "1 1.d4 Nf6 2.c4", "1 1.e4 c5 2.Nf3"]);
        assert_eq!(said(&PlayedLine::main(&game)), "0 1.e4 e5 2.Nf3");
    }
}
