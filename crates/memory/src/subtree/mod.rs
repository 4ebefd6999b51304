//! The sub-tree of a position, as an analyst means it, where positions can come back.
//!
//! In a game in which moves can be taken back, nearly every position of an opening can be reached from every other: after
//! 6.Be3 a knight goes back, the bishop goes on to g5, the knight returns, and 6.Bg5 is on the board. So what a sub-tree
//! contains is decided by how soon its positions are reached.
//!
//! All lines here go from known position to known position. Let P be the root of the sub-tree, and let a line begin where
//! something stood before P:
//!
//! - at the start of the game, or at a position on the line that the caller gave, each at its ply;
//! - at a position that its records saw at an earlier ply of a game than P;
//! - if none of these leads there, at a position that leads to P and is not reached from P, at its distance before P.
//!
//! Of the lines to a position, the shortest are those that reach it at the least ply of the game.
//!
//! - The **sub-tree** of P is every position to which a shortest line passes P. A transposition of equal length belongs to
//!   both of its sub-trees; what P comes to only by losing time, as to 6.Bg5, does not belong to P's.
//! - P **dominates** those to which every shortest line passes P, and to which no line leads from a position whose ply
//!   nothing tells. These can be deleted with P: what stays is reached as soon as before. That longer lines reach them as
//!   well does not count, since by losing time nearly everything is reached without P.
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
//! assert_eq!(found.find(&packed(&other)), None);
//! # Ok::<(), mnemon_memory::MemoryError>(())
//! ```

mod graph;
mod plies;

use std::collections::{HashMap, VecDeque};

use mnemon_search::Game;

use crate::{Result, Store};
use graph::Graph;
use plies::Plies;

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
    /// Whether the root dominates it: every shortest line to it passes the root. True for the root.
    pub is_dominated: bool,
    /// The member before it on a shortest line from the root, and the code of the move; `None` for the root.
    pub reached_by: Option<(usize, u16)>,
}

/// The sub-tree of a position: see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Subtree {
    members: Vec<Member>,
    numbers: HashMap<Box<[u8]>, usize>,
    is_placed: bool,
}

impl Subtree {
    /// The root and nothing below it, for a game whose rules are not known.
    pub fn of_root_alone(packed: &[u8]) -> Self {
        let mut subtree = Subtree { is_placed: true, ..Subtree::default() };
        subtree.add(packed, true, None);
        subtree
    }

    /// The positions, the nearest to the root first. The root is the first, known or not; all others are known.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The index of the member with this packed form; `None` if the sub-tree does not contain it.
    pub fn find(&self, packed: &[u8]) -> Option<usize> {
        self.numbers.get(packed).copied()
    }

    /// The codes of the moves that lead from the root to the member with this index by a shortest line.
    pub fn line(&self, member: usize) -> Vec<u16> {
        let (mut codes, mut at) = (Vec::new(), member);
        while let Some((parent, code)) = self.members[at].reached_by {
            codes.push(code);
            at = parent;
        }
        codes.reverse();
        codes
    }

    /// Whether it is known what stood before the root: a line leads to it, records saw other positions earlier, or it is the
    /// start of the game. If not, lines that return to what stood before it cannot be told from its own.
    pub fn is_placed(&self) -> bool {
        self.is_placed
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
    let plies = Plies::of(&graph, query.ply);
    let mut found = Subtree { is_placed: plies.is_placed, ..Subtree::default() };
    let mut queue = VecDeque::from([(graph.root, None)]);
    let mut is_queued = vec![false; graph.len()];
    is_queued[graph.root] = true;
    while let Some((node, reached_by)) = queue.pop_front() {
        let number = found.members.len();
        found.add(graph.packed(node), plies.is_dominated(node), reached_by);
        for &(code, child) in graph.moves.of(node) {
            if plies.is_member(child) && !std::mem::replace(&mut is_queued[child], true) {
                queue.push_back((child, Some((number, code))));
            }
        }
    }
    Ok(found)
}
