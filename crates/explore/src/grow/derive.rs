//! The value and the cost of a position, from what is known of it and from its children.

use mnemon_table::{Score, Window};

use super::graph::Graph;
use super::node::{Derived, Edge, Node, Step, bounds_from_parent, from_parent};
use super::selector::{Cost, INFINITE, Selector};
use super::{DropOut, Explored, Side};

/// How costs are derived.
pub(crate) struct Pricing<G: Explored> {
    pub(crate) selector: Box<dyn Selector<G>>,
    /// No position is searched that is farther from the root.
    pub(crate) most_plies: u16,
}

impl<G: Explored> Default for Pricing<G> {
    fn default() -> Self {
        Pricing { selector: Box::new(DropOut::new(Side::Both)), most_plies: u16::MAX }
    }
}

/// Derives a node from its children, whose own values are up to date.
pub(crate) fn derive<G: Explored>(graph: &Graph<G>, pricing: &Pricing<G>, number: u32) -> Derived {
    let node = graph.node(number);
    if node.known.is_none() {
        let key = node.position.key();
        let is_free = !graph.is_held(key, false) && !graph.is_barren(key);
        let (cost, step) = if is_free { (0, Step::This) } else { (INFINITE, Step::Nothing) };
        return Derived { cost, step, ..Derived::NOTHING };
    }
    let moves: Vec<Move<'_, G>> = node.moves.iter().map(|edge| Move::new(graph, node, edge)).collect();
    let proven = proven(node, &moves);
    let best = moves
        .iter()
        .enumerate()
        .filter_map(|(index, mv)| Some((mv.score?, std::cmp::Reverse(index))))
        .max()
        .map(|(score, std::cmp::Reverse(index))| (score, index));
    let score = best.map_or(0, |(score, _)| score).clamp(proven.lower, proven.upper);
    let proof = moves.iter().position(|mv| proven.is_exact() && mv.proven.lower == proven.lower);
    let best = proof.or(best.map(|(_, index)| index));
    let derived = Derived { score, proven, best, cost: INFINITE, step: Step::Nothing };
    let is_over = derived.is_settled() || node.ply >= pricing.most_plies || node.position.is_beyond_memory();
    if is_over {
        return derived;
    }
    let (cost, step) = cheapest(graph, pricing, number, &derived, &moves);
    Derived { cost, step, ..derived }
}

/// A move with its value.
struct Move<'g, G> {
    edge: &'g Edge,
    /// The child, unless it is no farther from the root than the position itself: such a move may close a cycle, adds
    /// nothing, and the position's own search stands for it.
    child: Option<&'g Node<G>>,
    score: Option<Score>,
    proven: Window,
    /// Whether it leads to a position that can be added to the tree.
    is_open: bool,
}

impl<'g, G: Explored> Move<'g, G> {
    fn new(graph: &'g Graph<G>, node: &'g Node<G>, edge: &'g Edge) -> Self {
        let child = edge.child.map(|child| graph.node(child)).filter(|child| child.ply > node.ply);
        let proven = match (edge.ended, child) {
            (Some(score), _) => Window::exact(score),
            (None, Some(child)) => bounds_from_parent(child.derived.proven),
            (None, None) => Window::UNKNOWN,
        };
        let score = match (edge.ended, child) {
            (Some(score), _) => Some(score),
            (None, Some(child)) => Some(from_parent(child.derived.score)),
            (None, None) => edge.scored.or_else(|| guess(node)),
        };
        let is_new = edge.ended.is_none() && edge.child.is_none();
        let is_open = is_new && score.is_some() && !edge.is_closed && !graph.is_barren(edge.key);
        Move { edge, child, score, proven, is_open }
    }

    /// Whether it is one of those that were never searched by themselves.
    fn is_rest(&self) -> bool {
        self.edge.ended.is_none() && self.child.is_none() && self.score.is_none()
    }
}

/// In a proof every move counts until it is proven, with what the position itself may be worth.
fn guess<G: Explored>(node: &Node<G>) -> Option<Score> {
    let proven = node.known.as_ref().filter(|_| G::IS_PROOF)?.proven;
    let is_bounded = proven.lower != Window::NO_LOWER && proven.upper != Window::NO_UPPER;
    Some(if is_bounded { ((i32::from(proven.lower) + i32::from(proven.upper)) / 2) as Score } else { 0 })
}

/// What is proven: by the position's own search, by one move from below, and by all moves from above.
fn proven<G: Explored>(node: &Node<G>, moves: &[Move<'_, G>]) -> Window {
    let own = node.known.as_ref().map_or(Window::UNKNOWN, |known| known.proven);
    let best = moves.iter().map(|mv| mv.proven.lower).max().unwrap_or(Window::NO_LOWER);
    let most = moves.iter().map(|mv| mv.proven.upper).max().unwrap_or(Window::NO_UPPER);
    let backed_up = Window { lower: best, upper: most };
    // Proofs of two programs may contradict each other: then the position's own stands.
    own.intersect(backed_up).unwrap_or(own)
}

/// The least cost of a search below, and the first step to it; of equal costs the first.
fn cheapest<G: Explored>(
    graph: &Graph<G>,
    pricing: &Pricing<G>,
    number: u32,
    derived: &Derived,
    moves: &[Move<'_, G>],
) -> (Cost, Step) {
    let node = graph.node(number);
    let is_first = node.position.is_first_to_move();
    let error = |score: Score| pricing.selector.error(derived.score, score, is_first);
    // A move that cannot be better than what is proven changes nothing.
    let matters = |mv: &Move<'_, G>| mv.proven.upper > derived.proven.lower;
    let mut least = (INFINITE, Step::Nothing);
    let mut offer = |cost: Cost, step: Step| {
        if cost < least.0 {
            least = (cost, step);
        }
    };
    let is_any_open = moves.iter().any(|mv| mv.is_open);
    if !is_any_open && moves.iter().any(Move::is_rest) && !graph.is_held(node.position.key(), true) {
        offer(0, Step::Rest);
    }
    for (index, mv) in moves.iter().enumerate().filter(|(_, mv)| matters(mv)) {
        match (mv.child, mv.score) {
            (Some(child), Some(score)) if child.derived.cost < INFINITE => {
                let ply = pricing.selector.ply(child.derived.score);
                let cost = ply.saturating_add(error(score)).saturating_add(child.derived.cost);
                offer(cost.min(INFINITE - 1), Step::Down(index));
            }
            (None, Some(score)) if mv.is_open && !graph.is_held(mv.edge.key, false) => {
                offer(error(score).min(INFINITE - 1), Step::Search(index));
            }
            _ => {}
        }
    }
    least
}
