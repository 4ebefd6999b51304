//! Values and costs computed from the memory alone, by definition: everything from scratch, by recursion.

use std::collections::{BTreeSet, HashMap, VecDeque};

use mnemon_memory::{Content, Flags, LineSet, Record, Store};
use mnemon_search::WINS;
use mnemon_table::{Score, Window};

use super::super::Explored;
use super::super::graph::Graph;
use super::super::node::pack;
use super::super::selector::Selector;
use super::source;

pub(super) struct Oracle<G: Explored> {
    selector: Box<dyn Selector<G>>,
    most_plies: u16,
    held: BTreeSet<(u64, bool)>,
    /// The positions of the tree: distance from the root, the position, the scores of its lines.
    tree: HashMap<Vec<u8>, (u16, G, HashMap<u16, Score>)>,
}

fn packed<G: Explored>(position: &G) -> Vec<u8> {
    pack(position).into()
}

fn moves<G: Explored>(position: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves
}

impl<G: Explored> Oracle<G> {
    pub(super) fn new(
        store: &dyn Store,
        root: &G,
        selector: Box<dyn Selector<G>>,
        most_plies: u16,
        held: BTreeSet<(u64, bool)>,
    ) -> Self {
        let mut tree = HashMap::new();
        let mut queue = VecDeque::from([(0, root.clone())]);
        while let Some((ply, position)) = queue.pop_front() {
            let key = packed(&position);
            if tree.contains_key(&key) {
                continue;
            }
            let Some(scores) = scores(store, &position) else { continue };
            for mv in moves(&position) {
                let after = position.play(mv);
                if after.outcome().is_none() {
                    queue.push_back((ply + 1, after));
                }
            }
            tree.insert(key, (ply, position, scores));
        }
        Oracle { selector, most_plies, held, tree }
    }

    /// The child that a move counts by: one of the tree that is farther from the root.
    fn child(&self, ply: u16, after: &G) -> Option<&(u16, G, HashMap<u16, Score>)> {
        self.tree.get(&packed(after)).filter(|(below, ..)| *below > ply)
    }

    fn value(&self, position: &G) -> Score {
        let (ply, _, scores) = &self.tree[&packed(position)];
        let values = moves(position).into_iter().filter_map(|mv| self.move_value(*ply, position, scores, mv));
        values.max().unwrap_or(0)
    }

    fn move_value(&self, ply: u16, position: &G, scores: &HashMap<u16, Score>, mv: G::Move) -> Option<Score> {
        let after = position.play(mv);
        if let Some(outcome) = after.outcome() {
            return Some(-outcome.score(1));
        }
        match self.child(ply, &after) {
            Some((_, child, _)) => Some(-WINS.to_root(Window::exact(self.value(child)), 1).lower),
            None => scores.get(&G::code(mv).get()).copied(),
        }
    }

    /// The least cost; `None` if nothing is left below.
    fn cost(&self, position: &G, barren: &dyn Fn(u64, bool) -> bool) -> Option<u64> {
        let (ply, _, scores) = &self.tree[&packed(position)];
        let value = self.value(position);
        let (lower, upper) = self.bounds(position);
        if WINS.is_mate(value) || *ply >= self.most_plies || lower == upper {
            return None;
        }
        let is_first = position.is_first_to_move();
        let (mut costs, mut is_any_open, mut has_rest) = (Vec::new(), false, false);
        for mv in moves(position) {
            let after = position.play(mv);
            let score = self.move_value(*ply, position, scores, mv);
            if after.outcome().is_some() {
                continue;
            }
            let error = score.map(|score| u64::from(self.selector.error(value, score, is_first)));
            match (self.child(*ply, &after), error) {
                // What cannot surpass the end of a game does not matter.
                (Some((_, child, _)), Some(error)) if self.above(self.bounds(child)).1 > lower => {
                    let ply = u64::from(self.selector.ply(self.value(child)));
                    costs.extend(self.cost(child, barren).map(|below| ply + error + below));
                }
                (None, Some(error)) if !self.tree.contains_key(&packed(&after)) && !barren(after.key(), false) => {
                    is_any_open = true;
                    costs.extend((!self.held.contains(&(after.key(), false))).then_some(error));
                }
                (None, None) => has_rest = true,
                _ => {}
            }
        }
        let is_free = !self.held.contains(&(position.key(), true)) && !barren(position.key(), true);
        if !is_any_open && has_rest && is_free {
            costs.push(0);
        }
        costs.into_iter().min()
    }

    /// What the ends of games below prove of the value.
    fn bounds(&self, position: &G) -> (Score, Score) {
        let (ply, ..) = self.tree[&packed(position)];
        let bounds = moves(position).into_iter().map(|mv| {
            let after = position.play(mv);
            match (after.outcome(), self.child(ply, &after)) {
                (Some(outcome), _) => (-outcome.score(1), -outcome.score(1)),
                (None, Some((_, child, _))) => self.above(self.bounds(child)),
                (None, None) => (Score::MIN, Score::MAX),
            }
        });
        bounds.fold((Score::MIN, Score::MIN), |(a, b), (lower, upper)| (a.max(lower), b.max(upper)))
    }

    /// The bounds of a child as its parent has them.
    fn above(&self, (lower, upper): (Score, Score)) -> (Score, Score) {
        let farther = |score: Score| -WINS.to_root(Window::exact(score), 1).lower;
        let lowest = if upper == Score::MAX { Score::MIN } else { farther(upper) };
        (lowest, if lower == Score::MIN { Score::MAX } else { farther(lower) })
    }

    /// Every node of the graph is as it should be, and there are no others.
    pub(super) fn compare(&self, graph: &Graph<G>) {
        let known: Vec<_> = graph.nodes().iter().filter(|node| node.known.is_some()).collect();
        assert_eq!(known.len(), self.tree.len(), "as many positions");
        // What was searched without a result is not in the memory: the graph says so.
        let barren = |key, is_rest| if is_rest { graph.is_held(key, true) } else { graph.is_barren(key) };
        for node in known {
            let (ply, position, _) = self.tree.get(&*node.packed).expect("a position of the tree");
            assert_eq!(node.ply, *ply);
            assert_eq!(node.derived.score, self.value(position), "the value of {position:?}");
            let cost = self.cost(position, &barren).unwrap_or(u64::from(u32::MAX));
            assert_eq!(u64::from(node.derived.cost), cost, "the cost of {position:?}");
        }
    }
}

/// The scores of the moves of a position's lines, by the deepest search of each; `None` if it is not in the tree.
fn scores<G: Explored>(store: &dyn Store, position: &G) -> Option<HashMap<u16, Score>> {
    let (game, key) = (G::name(), packed(position));
    let mut record: Option<Record> = None;
    store
        .get_many(&game, &[&key], &mut |_, author, found| record = (*author == source()).then_some(found))
        .expect("RAM");
    let record = record.filter(|record| record.flags.contains(Flags::ROOT))?;
    let mut sets: Vec<LineSet> = Vec::new();
    for (_, content) in store.annotations(&game, &key).expect("RAM") {
        if let Content::Lines(lines) = content {
            sets.extend(lines.sets().iter().cloned());
        }
    }
    let mut scores: HashMap<u16, (u8, Score)> = HashMap::new();
    let lines =
        sets.iter().flat_map(|set| set.lines.iter().map(|line| (set.depth, line.window().lower, line.moves()[0])));
    for (depth, score, code) in lines.chain([(record.lower.depth, record.lower.score, record.best)]) {
        if scores.get(&code).is_none_or(|&(known, _)| known < depth) {
            scores.insert(code, (depth, score));
        }
    }
    Some(scores.into_iter().map(|(code, (_, score))| (code, score)).collect())
}
