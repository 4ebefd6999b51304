//! A position of the tree, its moves, and what is derived of it.

use mnemon_search::{Game, WINS};
use mnemon_table::{Score, Window};

use super::Explored;
use super::known::Known;
use super::selector::{Cost, INFINITE};

/// A position of the tree.
pub(crate) struct Node<G> {
    pub(crate) position: G,
    pub(crate) packed: Box<[u8]>,
    /// The least number of moves from the root.
    pub(crate) ply: u16,
    /// `None` only for a root that was not searched.
    pub(crate) known: Option<Known>,
    pub(crate) moves: Vec<Edge>,
    /// The positions with a move that leads here, each once for every such move.
    pub(crate) parents: Vec<u32>,
    pub(crate) derived: Derived,
}

/// A legal move.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) code: u16,
    /// The hash of the position behind it.
    pub(crate) key: u64,
    /// The value of the move, if it ends the game.
    pub(crate) ended: Option<Score>,
    /// Whether a memory keeps nothing of the position behind it.
    pub(crate) is_closed: bool,
    /// The position behind it, if that is in the tree.
    pub(crate) child: Option<u32>,
    /// The move's score by the lines of this position.
    pub(crate) scored: Option<Score>,
}

/// What follows for a position from all that is below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Derived {
    /// The backed-up value, for the side to move.
    pub(crate) score: Score,
    /// What is proven of it.
    pub(crate) proven: Window,
    /// The move that gives the value, by its index; `None` if there is none.
    pub(crate) best: Option<usize>,
    /// What the next search below costs.
    pub(crate) cost: Cost,
    /// The way to it.
    pub(crate) step: Step,
}

/// The next step on the cheapest way down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// There is none.
    Nothing,
    /// This position is to be searched for the first time: only a root.
    This,
    /// The other moves of this position are to be searched.
    Rest,
    /// The position behind the move of this index is to be searched.
    Search(usize),
    /// The way goes on behind the move of this index.
    Down(usize),
}

impl Derived {
    pub(crate) const NOTHING: Derived =
        Derived { score: 0, proven: Window::UNKNOWN, best: None, cost: INFINITE, step: Step::Nothing };

    /// Whether no search can change the value: it is proven, or a mate.
    pub(crate) fn is_settled(&self) -> bool {
        self.proven.is_exact() || WINS.is_mate(self.score)
    }
}

impl<G: Explored> Node<G> {
    pub(crate) fn new(position: G, packed: Box<[u8]>, ply: u16, known: Option<Known>) -> Self {
        let mut node = Node {
            moves: edges(&position),
            position,
            packed,
            ply,
            known: None,
            parents: Vec::new(),
            derived: Derived::NOTHING,
        };
        node.set_known(known);
        node
    }

    /// Takes what the memory knows of the position by now.
    pub(crate) fn set_known(&mut self, known: Option<Known>) {
        for edge in &mut self.moves {
            let scored = known.iter().flat_map(|known| &known.scored).find(|scored| scored.code == edge.code);
            edge.scored = scored.map(|scored| scored.score);
        }
        self.known = known;
    }

    /// The legal move with this code.
    pub(crate) fn with_code(&self, code: u16) -> Option<G::Move> {
        let mut moves = Vec::new();
        self.position.moves(&mut moves);
        moves.into_iter().find(|&mv| G::code(mv).get() == code)
    }

    /// The position behind a legal move, and its packed form.
    pub(crate) fn behind(&self, edge: &Edge) -> Option<(G, Box<[u8]>)> {
        let position = self.position.play(self.with_code(edge.code)?);
        let packed = pack(&position);
        Some((position, packed))
    }
}

/// The moves in the order in which a search would try them, the most promising first.
fn edges<G: Explored>(position: &G) -> Vec<Edge> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.sort_by_key(|&mv| std::cmp::Reverse(position.ordering_score(mv)));
    let edge = |mv: G::Move| {
        let after = position.play(mv);
        Edge {
            code: G::code(mv).get(),
            key: after.key(),
            ended: after.outcome().map(|outcome| from_parent(outcome.score(0))),
            is_closed: after.is_beyond_memory(),
            child: None,
            scored: None,
        }
    };
    moves.into_iter().map(edge).collect()
}

pub(crate) fn pack<G: Game>(position: &G) -> Box<[u8]> {
    let mut bytes = Vec::new();
    position.pack(&mut bytes);
    bytes.into()
}

/// A position's score as the move that leads there has it: negated, and a mate is one ply farther away.
pub(crate) fn from_parent(score: Score) -> Score {
    -WINS.to_root(Window::exact(score), 1).lower
}

/// A position's bounds as the move that leads there has them.
pub(crate) fn bounds_from_parent(window: Window) -> Window {
    let lower = if window.upper == Window::NO_UPPER { Window::NO_LOWER } else { from_parent(window.upper) };
    let upper = if window.lower == Window::NO_LOWER { Window::NO_UPPER } else { from_parent(window.lower) };
    Window { lower, upper }
}
