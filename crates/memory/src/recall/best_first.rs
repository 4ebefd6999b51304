//! The graph of known positions below a root, the good moves first: for a view of the tree, which must be there at once
//! however large the memory is.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::time::Instant;

use mnemon_search::Game;

use super::budget::{BatchSize, Budget, Deadline};
use super::graph::{KnownGraph, Node};
use super::index::PositionIndex;
use crate::{MoveRank, Record, Result, Source, Store};

/// As [`explore`](super::explore()), but the best moves are followed first and farthest: a move costs a ply, and the more
/// the more moves of its position are better. So the main lines are read to their ends before bad moves are looked at, and
/// what a small budget leaves out matters least. Without a limit both read the same positions.
///
/// # Errors
/// A store that cannot be read.
pub fn explore_best_first<G: Game>(store: &dyn Store, root: &G, budget: Budget) -> Result<KnownGraph<G>> {
    let deadline = Deadline::new(budget, None);
    let mut walk = Walk::new(store, root, budget)?;
    let mut size = BatchSize::first();
    while !walk.queue.is_empty() {
        let is_late = deadline.is_over() && walk.seen.len() >= MIN_LOOKED_UP;
        if walk.nodes.len() >= budget.positions || is_late {
            walk.is_complete = false;
            break;
        }
        let begun = Instant::now();
        let looked_up = walk.expand_best(size.get())?;
        size = size.next(looked_up, begun.elapsed(), deadline.left());
    }
    Ok(walk.finish())
}

/// So many positions are looked up whatever the time: a few milliseconds' work, which a busy machine may stretch.
const MIN_LOOKED_UP: usize = 2_000;

/// What a line costs, in halves of a ply.
type Cost = u32;

/// A move that is followed although others are better costs more: half a ply for the second, one for the fourth, and so on.
fn cost_of_move(better: usize) -> Cost {
    2 + (better + 1).ilog2() * 2 + u32::from(better > 0)
}

struct Walk<'s, G> {
    store: &'s dyn Store,
    game: String,
    budget: Budget,
    nodes: Vec<Node<G>>,
    costs: Vec<Cost>,
    /// Every position that was looked up.
    seen: PositionIndex,
    /// The number of each position's node; `None` if it is not known.
    node_of: Vec<Option<usize>>,
    /// The nodes whose moves were not followed yet, the cheapest on top.
    queue: BinaryHeap<Reverse<(Cost, usize)>>,
    is_complete: bool,
}

/// A position to look up, and the node that it is a child of.
struct Candidate<G> {
    position: G,
    parent: usize,
    code: u16,
    number: usize,
}

impl<'s, G: Game> Walk<'s, G> {
    /// With the root alone, known or not.
    fn new(store: &'s dyn Store, root: &G, budget: Budget) -> Result<Self> {
        let mut walk = Walk {
            store,
            game: G::name().into_owned(),
            budget,
            nodes: Vec::new(),
            costs: Vec::new(),
            seen: PositionIndex::default(),
            node_of: Vec::new(),
            queue: BinaryHeap::new(),
            is_complete: true,
        };
        let number = walk.number(root).0;
        let records = walk.look_up(&[number])?.pop().unwrap_or_default();
        walk.add(root.clone(), number, 0, records, 0);
        Ok(walk)
    }

    fn number(&mut self, position: &G) -> (usize, bool) {
        let (number, is_new) = self.seen.number(position);
        if is_new {
            self.node_of.push(None);
        }
        (number, is_new)
    }

    fn look_up(&self, numbers: &[usize]) -> Result<Vec<Vec<(Source, Record)>>> {
        let positions: Vec<&[u8]> = numbers.iter().map(|&number| self.seen.packed(number)).collect();
        let mut records = vec![Vec::new(); positions.len()];
        self.store.get_many(&self.game, &positions, &mut |number, source, record| {
            records[number].push((source.clone(), record));
        })?;
        Ok(records)
    }

    fn add(&mut self, position: G, number: usize, ply: u16, records: Vec<(Source, Record)>, cost: Cost) {
        let (node, packed) = (self.nodes.len(), self.seen.packed(number).into());
        self.node_of[number] = Some(node);
        self.nodes.push(Node { position, packed, ply, records, moves: Vec::new() });
        self.costs.push(cost);
        if ply < self.budget.plies {
            self.queue.push(Reverse((cost, node)));
        }
    }

    /// Follows the moves of the cheapest nodes: about as many as fill a batch. Returns how many positions were looked up.
    fn expand_best(&mut self, batch: usize) -> Result<usize> {
        let mut candidates = Vec::new();
        while candidates.len() < batch
            && let Some(Reverse((_, node))) = self.queue.pop()
        {
            self.follow_moves(node, &mut candidates);
        }
        let numbers: Vec<usize> = candidates.iter().map(|candidate| candidate.number).collect();
        let records = self.look_up(&numbers)?;
        let mut known: Vec<_> =
            candidates.into_iter().zip(records).filter(|(_, records)| !records.is_empty()).collect();
        // The best move of each parent comes first.
        known.sort_by_key(|(candidate, records)| (candidate.parent, Reverse(self.rank(candidate, records))));
        let (mut parent, mut better) = (usize::MAX, 0);
        for (candidate, records) in known {
            better = if candidate.parent == parent { better + 1 } else { 0 };
            parent = candidate.parent;
            if self.nodes.len() < self.budget.positions {
                let (ply, cost) = (self.nodes[parent].ply + 1, self.costs[parent] + cost_of_move(better));
                self.add(candidate.position, candidate.number, ply, records, cost);
            } else {
                self.is_complete = false;
            }
        }
        Ok(numbers.len())
    }

    /// Gives the node its moves; the positions that were not seen before become candidates.
    fn follow_moves(&mut self, node: usize, candidates: &mut Vec<Candidate<G>>) {
        let mut moves = Vec::new();
        let position = self.nodes[node].position.clone();
        position.moves(&mut moves);
        let followed = moves.into_iter().map(|mv| {
            let (code, position) = (G::code(mv).get(), position.play(mv));
            let (number, is_new) = self.number(&position);
            if is_new {
                candidates.push(Candidate { position, parent: node, code, number });
            }
            // The number of the position: `finish` replaces it by that of the node.
            (code, Some(number))
        });
        self.nodes[node].moves = followed.collect();
    }

    /// A move that a search of the parent found best comes first, also where it is only a link to what was learned later.
    fn rank(&self, candidate: &Candidate<G>, records: &[(Source, Record)]) -> (bool, MoveRank) {
        let is_best = self.nodes[candidate.parent].records.iter().any(|(_, record)| record.best == candidate.code);
        (
            is_best,
            records.iter().map(|(_, record)| MoveRank::of(&record.from_parent())).max().unwrap_or(MoveRank::UNKNOWN),
        )
    }

    fn finish(mut self) -> KnownGraph<G> {
        for node in &mut self.nodes {
            for (_, child) in &mut node.moves {
                *child = child.and_then(|number| self.node_of[number]);
            }
            if node.moves.is_empty() {
                let mut moves = Vec::new();
                node.position.moves(&mut moves);
                node.moves = moves.into_iter().map(|mv| (G::code(mv).get(), None)).collect();
            }
        }
        set_least_plies(&mut self.nodes);
        KnownGraph { nodes: self.nodes, looked_up: self.seen.len(), is_complete: self.is_complete }
    }
}

/// A position that was first found by a long line may be nearer by another one.
fn set_least_plies<G>(nodes: &mut [Node<G>]) {
    let mut is_set = vec![false; nodes.len()];
    let mut level = VecDeque::from([(0, 0)]);
    while let Some((number, ply)) = level.pop_front() {
        if !std::mem::replace(&mut is_set[number], true) {
            nodes[number].ply = ply;
            level.extend(nodes[number].moves.iter().filter_map(|&(_, child)| Some((child?, ply + 1))));
        }
    }
}
