//! What there is to say of a growing tree.

use mnemon_search::Notation;
use mnemon_table::Score;

use super::Explored;
use super::explorer::Explorer;
use super::graph::ROOT;
use super::node::{Node, from_parent};

/// The state of a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overview {
    /// The root's value for the side to move; `None` before it was searched.
    pub score: Option<Score>,
    /// Whether that is proven, or a mate.
    pub is_settled: bool,
    /// The main line, its moves in the game's notation, to the last position that was searched.
    pub line: Vec<String>,
    /// The number of positions by their distance from the root.
    pub by_ply: Vec<usize>,
}

/// A move of the root with what is below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MainLine {
    /// Its value for the side to move at the root.
    pub score: Score,
    /// The moves in the game's notation.
    pub line: Vec<String>,
    /// Whether the position behind its first move was searched by itself; if not, the score is the root's own search's.
    pub is_in_tree: bool,
}

impl<G: Explored + Notation> Explorer<G> {
    /// The state of the tree.
    pub fn overview(&self) -> Overview {
        let root = self.graph().node(ROOT);
        let mut by_ply = Vec::new();
        for node in self.graph().nodes().iter().filter(|node| node.known.is_some()) {
            let ply = usize::from(node.ply);
            by_ply.resize(by_ply.len().max(ply + 1), 0);
            by_ply[ply] += 1;
        }
        Overview {
            score: root.known.as_ref().map(|_| root.derived.score),
            is_settled: root.known.is_some() && root.derived.is_settled(),
            line: move_texts(&root.position, &self.main_line(ROOT)),
            by_ply,
        }
    }

    /// The best moves of the root by what is below them, at most `count`.
    pub fn main_lines(&self, count: usize) -> Vec<MainLine> {
        let root = self.graph().node(ROOT);
        let mut lines = Vec::new();
        for edge in &root.moves {
            let child = edge.child.filter(|&child| self.graph().node(child).ply > root.ply);
            let below = child.map(|child| self.graph().node(child));
            let score = below.map(|child| from_parent(child.derived.score));
            let Some(score) = edge.ended.or(score).or(edge.scored) else { continue };
            let mut codes = vec![edge.code];
            codes.extend(child.map(|child| self.main_line(child)).unwrap_or_default());
            lines.push(MainLine { score, line: move_texts(&root.position, &codes), is_in_tree: child.is_some() });
        }
        lines.sort_by_key(|line| (std::cmp::Reverse(line.score), !line.is_in_tree));
        lines.truncate(count);
        lines
    }

    /// The codes of the best moves from a node on, as far as positions were searched and one move farther.
    fn main_line(&self, number: u32) -> Vec<u16> {
        let (mut line, mut number) = (Vec::new(), number);
        loop {
            let node: &Node<G> = self.graph().node(number);
            let Some(edge) = node.derived.best.map(|index| &node.moves[index]) else { return line };
            line.push(edge.code);
            match edge.child.filter(|&child| self.graph().node(child).ply > node.ply) {
                Some(child) => number = child,
                None => return line,
            }
        }
    }

    /// The root.
    pub fn root(&self) -> &G {
        &self.graph().node(ROOT).position
    }
}

/// Moves from a position on in the game's notation, as far as they are legal.
pub fn move_texts<G: Notation>(from: &G, codes: &[u16]) -> Vec<String> {
    let (mut position, mut texts) = (from.clone(), Vec::new());
    for &code in codes {
        let Some(mv) = position.legal().into_iter().find(|&mv| G::code(mv).get() == code) else { break };
        texts.push(position.write_move(mv));
        let Some(after) = position.after(mv) else { break };
        position = after;
    }
    texts
}
