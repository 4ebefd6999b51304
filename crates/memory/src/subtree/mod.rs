//! The sub-tree of a position, as an analyst means it, where positions can come back.
//!
//! In a game in which moves can be taken back, nearly every position of an opening can be reached from every other: after
//! 6.Be3 a knight goes back, the bishop goes on to g5, the knight returns, and 6.Bg5 is on the board. So what a sub-tree
//! contains is decided by how soon its positions are reached.
//!
//! All lines here go from known position to known position. Let P be the root of the sub-tree. A *line around* P begins at
//! an entry and does not pass P. Entries are the position in which the game begins, the positions before P on the line
//! that the caller gave, and the positions that their records saw at an earlier ply of a game than P; each at its ply.
//!
//! - The **sub-tree** of P is P and every position that a line from P reaches no later than any line around P does, both
//!   counted in plies from the beginning of the game. A transposition of equal length belongs to both of its sub-trees.
//! - P **dominates** those positions of it that no line around P reaches at all, nor any line from a position that is not
//!   below P. (The word is that of flow graphs: every way to them passes P.) These are what may be deleted with P.
//!
//! ```
//! use mnemon_memory::subtree::{SubtreeQuery, subtree};
//! use mnemon_memory::{Item, Key, RamStore, Record, Source, Store};
//! use mnemon_search::Game;
//! use mnemon_search::games::TicTacToe;
//!
//! let (store, source, start) = (RamStore::new(), Source::engine("example", "1"), TicTacToe::new());
//! let packed = |position: &TicTacToe| {
//!     let mut bytes = Vec::new();
//!     position.pack(&mut bytes);
//!     bytes
//! };
//! let know = |position: &TicTacToe| {
//!     let key = Key::new(&TicTacToe::name().into(), packed(position), &source);
//!     store.merge_many(&[Item { key, record: Record::exact(0, 9) }])
//! };
//! // Cross 0, nought 1, cross 2; and cross 2, nought 1, which leads to the same position.
//! let (corner, other) = (start.play(0), start.play(2));
//! let both = corner.play(1).play(2);
//! for position in [&corner, &corner.play(1), &both, &other, &other.play(1)] {
//!     know(position)?;
//! }
//! let query = SubtreeQuery { ply: Some(1), start: Some(&start), ..SubtreeQuery::new(&corner) };
//! let found = subtree(&store, query)?;
//! let dominated: Vec<bool> = found.members().iter().map(|member| member.is_dominated).collect();
//! assert_eq!(dominated, [true, true, false], "the third is reached by the other line too");
//! assert!(found.get(&packed(&other)).is_none());
//! # Ok::<(), mnemon_memory::MemoryError>(())
//! ```

mod graph;
mod plies;

use std::collections::{HashMap, VecDeque};

use mnemon_search::Game;

use crate::{Result, Store};
use graph::Graph;
use plies::{NEVER, Ply, earliest};

/// How the children of a position are found: calls `visit` with the code of each move and the position after it.
pub type Children<G> = fn(&G, visit: &mut dyn FnMut(u16, &G));

/// The position whose sub-tree is asked for, and what is known of its place in the game.
#[derive(Debug)]
pub struct SubtreeQuery<'a, G: Game> {
    /// The position, known or not.
    pub root: &'a G,
    /// The positions of the line that leads to it, in the order of the game, without the root.
    pub before: &'a [G],
    /// The root's ply on that line, counted from the beginning of the game; `None` if not known.
    pub ply: Option<u16>,
    /// The position in which the game begins, if there is one.
    pub start: Option<&'a G>,
    /// The legal moves.
    pub children: Children<G>,
}

impl<'a, G: Game> SubtreeQuery<'a, G> {
    /// The sub-tree of a position of which nothing else is known, by the moves of the [`Game`].
    pub fn new(root: &'a G) -> Self {
        let children: Children<G> = |position, visit| {
            let mut moves = Vec::new();
            position.moves(&mut moves);
            for mv in moves {
                visit(G::code(mv).get(), &position.play(mv));
            }
        };
        SubtreeQuery { root, before: &[], ply: None, start: None, children }
    }

    /// The query with the line cut where it first comes to the root: what it passes afterwards is below the root.
    fn until_first_visit(mut self) -> Self {
        if let Some(first) = self.before.iter().position(|position| position == self.root) {
            let plies_later = self.before.len() - first;
            self.before = &self.before[..first];
            self.ply = self.ply.map(|ply| ply.saturating_sub(plies_later as u16));
        }
        self
    }
}

/// A position of a sub-tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its packed form.
    pub packed: Box<[u8]>,
    /// Whether the root dominates it: no line around the root reaches it. True for the root.
    pub is_dominated: bool,
    /// The member before it on a shortest line from the root, and the code of the move; `None` for the root.
    pub reached_by: Option<(usize, u16)>,
}

/// The sub-tree of a position: see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Subtree {
    members: Vec<Member>,
    numbers: HashMap<Box<[u8]>, usize>,
}

impl Subtree {
    /// The root and nothing below it, for a game whose rules are not known.
    pub fn of_root_alone(packed: &[u8]) -> Self {
        let mut subtree = Subtree::default();
        subtree.add(packed, true, None);
        subtree
    }

    /// The positions, the nearest to the root first. The root is the first, known or not; all others are known.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The member with this packed form; `None` if the sub-tree does not contain it.
    pub fn get(&self, packed: &[u8]) -> Option<&Member> {
        self.numbers.get(packed).map(|&number| &self.members[number])
    }

    /// The codes of the moves that lead from the root to this member by a shortest line.
    pub fn line(&self, member: &Member) -> Vec<u16> {
        let mut codes = Vec::new();
        let mut at = member;
        while let Some((parent, code)) = at.reached_by {
            codes.push(code);
            at = &self.members[parent];
        }
        codes.reverse();
        codes
    }

    fn add(&mut self, packed: &[u8], is_dominated: bool, reached_by: Option<(usize, u16)>) {
        self.numbers.insert(packed.into(), self.members.len());
        self.members.push(Member { packed: packed.into(), is_dominated, reached_by });
    }
}

/// The sub-tree of the query's root. All records of the game are read once, in one scan; what they say of the positions
/// does not matter, only at which plies of their games they saw them.
///
/// # Errors
/// A store that cannot be read.
pub fn subtree<G: Game>(store: &dyn Store, query: SubtreeQuery<'_, G>) -> Result<Subtree> {
    let query = query.until_first_visit();
    let graph = Graph::read(store, &query)?;
    let plies = Plies::of(&graph);
    let (mut found, mut queue) = (Subtree::default(), VecDeque::from([(graph.root, None)]));
    let mut is_queued = vec![false; graph.len()];
    is_queued[graph.root] = true;
    while let Some((node, reached_by)) = queue.pop_front() {
        let number = found.members.len();
        found.add(graph.packed(node), plies.is_dominated(node), reached_by);
        for &(code, child) in graph.children(node) {
            if plies.is_member(child) && !std::mem::replace(&mut is_queued[child], true) {
                queue.push_back((child, Some((number, code))));
            }
        }
    }
    Ok(found)
}

/// How soon each position is reached, by its number in the graph.
struct Plies {
    from_root: Vec<Ply>,
    /// By lines around the root.
    around: Vec<Ply>,
    /// By lines around the root, or from positions that are not below it. Which ply it is does not matter.
    outside: Vec<Ply>,
}

impl Plies {
    fn of(graph: &Graph) -> Self {
        let entries = graph.entries();
        let from_root = earliest(graph, vec![(graph.ply, graph.root)], None);
        let around = earliest(graph, entries.clone(), Some(graph.root));
        let not_below = (0..graph.len()).filter(|&node| from_root[node] == NEVER).map(|node| (0, node));
        let outside = earliest(graph, entries.into_iter().chain(not_below).collect(), Some(graph.root));
        Plies { from_root, around, outside }
    }

    /// Whether the sub-tree has the position. If so, it also has a shortest line to it: a line around the root that came
    /// to a position of this line sooner would come to its end sooner, too.
    fn is_member(&self, node: usize) -> bool {
        self.from_root[node] != NEVER && self.from_root[node] <= self.around[node]
    }

    fn is_dominated(&self, node: usize) -> bool {
        self.outside[node] == NEVER
    }
}
