//! The tree in RAM: a graph, since positions are reached by several ways, with its values and costs kept up to date.
//!
//! Values are backed up along moves that lead away from the root only (to a greater least distance from it). So there are
//! no cycles, whatever the order in which positions become known, and a change is carried upwards from the farthest
//! position to the nearest, each once.

use std::collections::{BTreeSet, BinaryHeap, HashMap};

use super::Explored;
use super::derive::{Pricing, derive};
use super::known::Known;
use super::node::{Node, Step, pack};

/// The known tree below a root.
pub struct Graph<G: Explored> {
    nodes: Vec<Node<G>>,
    pricing: Pricing<G>,
    /// The nodes by their hashes.
    by_key: HashMap<u64, Vec<u32>>,
    /// The nodes with a move to a position that is not in the tree, by that position's hash.
    waiting: HashMap<u64, Vec<u32>>,
    /// The searches that are not to be chosen, by the position's hash and whether it is that of the rest of its moves.
    held: BTreeSet<(u64, bool)>,
    /// The positions of which a search found nothing that may be kept, by their hashes.
    barren: BTreeSet<u64>,
    /// The nodes to derive again, the farthest from the root first.
    stale: BinaryHeap<(u16, u32)>,
}

/// The root's number.
pub(crate) const ROOT: u32 = 0;

impl<G: Explored> Graph<G> {
    /// A tree that consists of its root.
    pub(crate) fn new(root: G, known: Option<Known>, pricing: Pricing<G>) -> Self {
        let mut graph = Graph {
            nodes: Vec::new(),
            pricing,
            by_key: HashMap::new(),
            waiting: HashMap::new(),
            held: BTreeSet::new(),
            barren: BTreeSet::new(),
            stale: BinaryHeap::new(),
        };
        graph.add(root, known, 0);
        graph.update();
        graph
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing was searched yet.
    pub fn is_empty(&self) -> bool {
        self.node(ROOT).known.is_none()
    }

    pub(crate) fn node(&self, number: u32) -> &Node<G> {
        &self.nodes[number as usize]
    }

    pub(crate) fn nodes(&self) -> &[Node<G>] {
        &self.nodes
    }

    /// The node of a position.
    pub(crate) fn find(&self, key: u64, packed: &[u8]) -> Option<u32> {
        let same_key = self.by_key.get(&key)?;
        same_key.iter().copied().find(|&number| *self.node(number).packed == *packed)
    }

    /// What the next search costs; `u32::MAX` if nothing is left.
    pub fn cost(&self) -> u32 {
        self.node(ROOT).derived.cost
    }

    /// Adds a position, `ply` moves from the root, or changes what is known of one. [`update`](Self::update) follows.
    pub(crate) fn add(&mut self, position: G, known: Option<Known>, ply: u16) -> u32 {
        let (key, packed) = (position.key(), pack(&position));
        if let Some(number) = self.find(key, &packed) {
            self.nodes[number as usize].set_known(known);
            self.touch(number);
            return number;
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(Node::new(position, packed, ply, known));
        self.by_key.entry(key).or_default().push(number);
        self.touch(number);
        self.link_children(number);
        self.link_parents(number, key);
        self.shorten(number);
        number
    }

    /// Links the moves of a new node to the positions that are in the tree.
    fn link_children(&mut self, number: u32) {
        for index in 0..self.node(number).moves.len() {
            let edge = &self.node(number).moves[index];
            if edge.ended.is_some() {
                continue;
            }
            let key = edge.key;
            let is_candidate = self.by_key.contains_key(&key);
            let packed = if is_candidate { self.node(number).behind(edge).map(|(_, packed)| packed) } else { None };
            match packed.and_then(|packed| self.find(key, &packed)) {
                Some(child) => self.link(number, index, child),
                None => self.waiting.entry(key).or_default().push(number),
            }
        }
    }

    /// Links the moves that lead to a new node.
    fn link_parents(&mut self, number: u32, key: u64) {
        let Some(candidates) = self.waiting.remove(&key) else { return };
        for parent in candidates {
            let leads_here = |graph: &Self, index: &usize| {
                let edge = &graph.node(parent).moves[*index];
                let behind = || graph.node(parent).behind(edge);
                edge.key == key
                    && edge.child.is_none()
                    && behind().is_some_and(|(_, packed)| packed == graph.node(number).packed)
            };
            let index = (0..self.node(parent).moves.len()).find(|index| leads_here(self, index));
            match index {
                Some(index) => self.link(parent, index, number),
                // Another position with the same hash.
                None => self.waiting.entry(key).or_default().push(parent),
            }
        }
    }

    fn link(&mut self, parent: u32, index: usize, child: u32) {
        self.nodes[parent as usize].moves[index].child = Some(child);
        self.nodes[child as usize].parents.push(parent);
        self.touch(parent);
    }

    /// Lowers the distances from the root that a new node makes shorter: its own by its parents, then those below it.
    fn shorten(&mut self, number: u32) {
        let parents = self.node(number).parents.iter().map(|&parent| self.node(parent).ply.saturating_add(1));
        let ply = parents.min().unwrap_or(u16::MAX).min(self.node(number).ply);
        self.nodes[number as usize].ply = ply;
        let mut changed = vec![number];
        while let Some(number) = changed.pop() {
            self.touch(number);
            for parent in self.node(number).parents.clone() {
                self.touch(parent);
            }
            let below = self.node(number).ply.saturating_add(1);
            let children: Vec<u32> = self.node(number).moves.iter().filter_map(|edge| edge.child).collect();
            for child in children {
                if self.node(child).ply > below {
                    self.nodes[child as usize].ply = below;
                    changed.push(child);
                }
            }
        }
    }

    /// Holds a search back, so that it is not chosen, or gives it free. [`update`](Self::update) follows.
    pub(crate) fn hold(&mut self, key: u64, is_rest: bool, is_held: bool) {
        let has_changed = if is_held { self.held.insert((key, is_rest)) } else { self.held.remove(&(key, is_rest)) };
        if has_changed {
            self.touch_around(key);
        }
    }

    /// Notes that a search of the position, or of the rest of its moves, found nothing that may be kept: it is not chosen
    /// again, and a move that leads there counts no more as open.
    pub(crate) fn mark_barren(&mut self, key: u64, is_rest: bool) {
        if is_rest {
            self.held.insert((key, true));
        } else {
            self.barren.insert(key);
        }
        self.touch_around(key);
    }

    pub(crate) fn is_barren(&self, key: u64) -> bool {
        self.barren.contains(&key)
    }

    fn touch_around(&mut self, key: u64) {
        // The position itself, and those that have it as a move.
        let itself = self.by_key.get(&key).cloned().unwrap_or_default();
        let parents = self.waiting.get(&key).cloned().unwrap_or_default();
        itself.into_iter().chain(parents).for_each(|number| self.touch(number));
    }

    pub(crate) fn is_held(&self, key: u64, is_rest: bool) -> bool {
        self.held.contains(&(key, is_rest))
    }

    fn touch(&mut self, number: u32) {
        self.stale.push((self.node(number).ply, number));
    }

    /// Derives what has changed, and everything above it that changes with it. Calls `changed` for each node whose value
    /// or cost is another.
    pub(crate) fn update_with(&mut self, mut changed: impl FnMut(u32, &Node<G>)) {
        while let Some((ply, number)) = self.stale.pop() {
            while self.stale.peek() == Some(&(ply, number)) {
                self.stale.pop();
            }
            let derived = derive(self, &self.pricing, number);
            let node = &mut self.nodes[number as usize];
            if node.derived != derived {
                node.derived = derived;
                let parents = node.parents.clone();
                changed(number, self.node(number));
                parents.into_iter().for_each(|parent| self.touch(parent));
            }
        }
    }

    pub(crate) fn update(&mut self) {
        self.update_with(|_, _| ());
    }

    /// The cheapest way down: the numbers of its nodes, and the last step. `None` if nothing is left.
    pub(crate) fn way(&self) -> Option<(Vec<u32>, Step)> {
        let mut way = vec![ROOT];
        loop {
            let last = *way.last()?;
            match self.node(last).derived.step {
                Step::Nothing => return None,
                Step::Down(index) => way.push(self.node(last).moves[index].child?),
                step => return Some((way, step)),
            }
        }
    }
}
