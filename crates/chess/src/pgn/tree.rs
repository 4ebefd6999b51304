//! A game with its variations: a tree of moves with comments and annotation glyphs.

use cozy_chess::Move;

use crate::Position;

use super::GameError;

/// The place of a move in a [`GameTree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// The start of the game, which no move leads to.
    pub const ROOT: NodeId = NodeId(0);
    const NONE: NodeId = NodeId(u32::MAX);

    fn some(self) -> Option<Self> {
        (self != Self::NONE).then_some(self)
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A move of a game, and what is said about it.
#[derive(Clone, Debug)]
pub struct Node {
    /// The move; `None` for the root.
    pub mv: Option<Move>,
    /// The numbers of its annotation glyphs.
    pub nags: Vec<u8>,
    /// The comment before the move, which only the first move of a variation has.
    pub before: String,
    /// The comment after it; for the root, the one before the first move. Several comments are one, with spaces between.
    pub comment: String,
    parent: NodeId,
    first_child: NodeId,
    last_child: NodeId,
    next_sibling: NodeId,
}

impl Node {
    fn new(mv: Option<Move>, parent: NodeId) -> Self {
        let (first_child, last_child, next_sibling) = (NodeId::NONE, NodeId::NONE, NodeId::NONE);
        let (before, comment) = (String::new(), String::new());
        Node { mv, nags: Vec::new(), before, comment, parent, first_child, last_child, next_sibling }
    }
}

/// The moves of a game and of its variations. The first child of each move continues its line, the others are variations.
///
/// ```
/// use mnemon_chess::pgn::{NodeId, PgnReader};
///
/// let text = "1. e4 e5 (1... c5 $5 {sharp} 2. Nf3) 2. Nf3 *";
/// let game = PgnReader::new("text", text.as_bytes()).whole().next().expect("a game")?;
/// let tree = game.tree.expect("a tree");
/// let e4 = tree.children(NodeId::ROOT).next().expect("a move");
/// let replies: Vec<_> = tree.children(e4).map(|reply| &tree[reply]).collect();
/// assert_eq!((replies.len(), &replies[1].nags[..], &*replies[1].comment), (2, &[5][..], "sharp"));
/// # Ok::<(), mnemon_chess::pgn::PgnError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameTree {
    nodes: Vec<Node>,
    /// What is wrong in variations: what follows the first move of a variation that cannot be played is left out.
    pub errors: Vec<GameError>,
}

impl Default for GameTree {
    fn default() -> Self {
        GameTree { nodes: vec![Node::new(None, NodeId::NONE)], errors: Vec::new() }
    }
}

impl GameTree {
    /// Adds a move, as the last variation of its parent.
    ///
    /// The caller answers for it that the move is legal there.
    pub fn add(&mut self, parent: NodeId, mv: Move) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX - 1));
        self.nodes.push(Node::new(Some(mv), parent));
        let before = self[parent].last_child;
        match before.some() {
            Some(sibling) => self[sibling].next_sibling = id,
            None => self[parent].first_child = id,
        }
        self[parent].last_child = id;
        id
    }

    /// The number of moves, those of variations included.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.nodes.len() - 1
    }

    /// The move before this one; `None` for the root.
    #[must_use]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self[id].parent.some()
    }

    /// The moves after this one: the continuation, then the variations in their order.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self[id].first_child.some(), |&child| self[child].next_sibling.some())
    }

    /// The main line from the root on.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self[NodeId::ROOT].first_child.some(), |&node| self[node].first_child.some())
    }

    /// Visits every move with the position before it: each line to its end, then the variations that leave it.
    pub fn walk(&self, start: &Position, mut visit: impl FnMut(NodeId, &Position)) {
        let mut pending: Vec<(NodeId, Position)> = Vec::new();
        pending.extend(self.children(NodeId::ROOT).map(|first| (first, start.clone())));
        while let Some((first, mut position)) = pending.pop() {
            let mut line = Some(first);
            while let Some(node) = line {
                visit(node, &position);
                let Some(mv) = self[node].mv else { break };
                position = position.after(mv);
                pending.extend(self.children(node).skip(1).map(|variation| (variation, position.clone())));
                line = self[node].first_child.some();
            }
        }
    }
}

impl std::ops::Index<NodeId> for GameTree {
    type Output = Node;

    fn index(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }
}

impl std::ops::IndexMut<NodeId> for GameTree {
    fn index_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }
}

/// Two trees are equal if their moves, variations, glyphs and comments are.
impl PartialEq for GameTree {
    fn eq(&self, other: &Self) -> bool {
        let mut pairs = vec![(NodeId::ROOT, NodeId::ROOT)];
        while let Some((a, b)) = pairs.pop() {
            let (ours, theirs) = (&self[a], &other[b]);
            let is_same = (ours.mv, &ours.nags, &ours.before, &ours.comment)
                == (theirs.mv, &theirs.nags, &theirs.before, &theirs.comment);
            let (mut our_children, mut their_children) = (self.children(a), other.children(b));
            loop {
                match (our_children.next(), their_children.next()) {
                    (Some(a), Some(b)) if is_same => pairs.push((a, b)),
                    (None, None) if is_same => break,
                    _ => return false,
                }
            }
        }
        true
    }
}
