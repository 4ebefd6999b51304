//! The graph of known positions below a root, explored breadth first.

use std::cmp::Reverse;
use std::time::Instant;

use mnemon_search::Game;

use super::budget::{BatchSize, Budget, Deadline};
use super::index::PositionIndex;
use crate::{Record, Result, Source, Store, Trust, merge};

/// What a memory knows of a root and of the positions below it.
#[derive(Clone, Debug)]
pub struct KnownGraph<G> {
    /// The positions, the nearest to the root first. The root is always there, known or not.
    pub nodes: Vec<Node<G>>,
    /// How many positions were looked up.
    pub looked_up: usize,
    /// Whether the budget sufficed for everything.
    pub is_complete: bool,
}

/// A position of the graph.
#[derive(Clone, Debug)]
pub struct Node<G> {
    /// The position.
    pub position: G,
    /// Its packed form.
    pub packed: Box<[u8]>,
    /// Its least distance from the root.
    pub ply: u16,
    /// Each source's record.
    pub records: Vec<(Source, Record)>,
    /// The codes of the legal moves, and the index of the node that each leads to; `None` if that is not known.
    pub moves: Vec<(u16, Option<usize>)>,
}

impl<G> Node<G> {
    /// The join of all records that a search by `own` believes; `None` if there is none.
    pub fn believed(&self, trust: &Trust, own: &Source) -> Option<Record> {
        let believed = self.records.iter().map(|(source, record)| trust.believed(source, record, own));
        believed.filter(|record| !record.is_empty()).reduce(|a, b| merge(&a, &b))
    }
}

/// Explores what the store knows below the root, level by level. Each level starts with the best line, then come the
/// children of the positions that were searched deepest. Only known positions, and the root, are expanded.
///
/// # Errors
/// A store that cannot be read.
pub fn explore<G: Game>(store: &dyn Store, root: &G, budget: Budget) -> Result<KnownGraph<G>> {
    explore_until(store, root, budget, Deadline::new(budget, None))
}

/// As [`explore`], up to a deadline that may have begun before.
pub(super) fn explore_until<G: Game>(
    store: &dyn Store,
    root: &G,
    budget: Budget,
    deadline: Deadline<'_>,
) -> Result<KnownGraph<G>> {
    let mut walk = Walk::new(store, root, budget, deadline);
    let mut size = BatchSize::first();
    while !walk.level.is_empty() {
        let mut level = std::mem::take(&mut walk.level);
        level.sort_by_key(|candidate| candidate.rank);
        let mut rest = &level[..];
        while !rest.is_empty() {
            if walk.is_over() {
                walk.known.is_complete = false;
                return Ok(walk.finish());
            }
            let (batch, later) = rest.split_at(size.get().min(rest.len()));
            let begun = Instant::now();
            walk.look_up(batch)?;
            size = size.next(batch.len(), begun.elapsed(), deadline.left());
            rest = later;
        }
    }
    Ok(walk.finish())
}

/// A position that the next level looks up in the store.
struct Candidate<G> {
    position: G,
    ply: u16,
    rank: Rank,
    /// Its number among all candidates.
    number: usize,
}

/// The smallest is looked up first: whether it is off the best line, the depth of its parent's record, its move's order.
type Rank = (bool, Reverse<u8>, usize);

struct Walk<'s, G> {
    store: &'s dyn Store,
    game: String,
    budget: Budget,
    deadline: Deadline<'s>,
    known: KnownGraph<G>,
    level: Vec<Candidate<G>>,
    /// Every candidate so far.
    candidates: PositionIndex,
    /// The number of each candidate's node; `None` if it is not known.
    node_of: Vec<Option<usize>>,
}

impl<'s, G: Game> Walk<'s, G> {
    fn new(store: &'s dyn Store, root: &G, budget: Budget, deadline: Deadline<'s>) -> Self {
        let known = KnownGraph { nodes: Vec::new(), looked_up: 0, is_complete: true };
        let mut walk = Walk {
            store,
            game: G::name().into_owned(),
            budget,
            deadline,
            known,
            level: Vec::new(),
            candidates: PositionIndex::default(),
            node_of: Vec::new(),
        };
        walk.add_candidate(root.clone(), 0, (false, Reverse(0), 0));
        walk
    }

    fn is_over(&self) -> bool {
        // The root is looked up whatever the budget.
        let nodes = self.known.nodes.len();
        nodes > 0 && (nodes >= self.budget.positions || self.deadline.is_over())
    }

    /// The candidate's number; a new candidate joins the next level.
    fn add_candidate(&mut self, position: G, ply: u16, rank: Rank) -> usize {
        let (number, is_new) = self.candidates.number(&position);
        if is_new {
            self.node_of.push(None);
            self.level.push(Candidate { position, ply, rank, number });
        }
        number
    }

    /// Looks the candidates up in the store, and makes nodes of those that are known.
    fn look_up(&mut self, candidates: &[Candidate<G>]) -> Result {
        let positions: Vec<&[u8]> =
            candidates.iter().map(|candidate| self.candidates.packed(candidate.number)).collect();
        let mut records: Vec<Vec<(Source, Record)>> = vec![Vec::new(); positions.len()];
        self.store.get_many(&self.game, &positions, &mut |number, source, record| {
            records[number].push((source.clone(), record));
        })?;
        self.known.looked_up += positions.len();
        for (candidate, records) in candidates.iter().zip(records) {
            if (!records.is_empty() || candidate.number == 0) && self.known.nodes.len() < self.budget.positions {
                self.expand(candidate, records);
            }
        }
        Ok(())
    }

    /// Makes the candidate a node, and its children candidates.
    fn expand(&mut self, candidate: &Candidate<G>, records: Vec<(Source, Record)>) {
        let Candidate { position, ply, rank, number } = candidate;
        let deepest = records.iter().map(|(_, record)| record).max_by_key(|record| record.deepest().1);
        let (best, depth) = deepest.map_or((0, 0), |record| (record.best, record.deepest().1));
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let is_last = *ply >= self.budget.plies;
        let moves = moves.into_iter().enumerate().map(|(order, mv)| {
            if is_last {
                return (G::code(mv).get(), None);
            }
            let code = G::code(mv).get();
            let is_off_line = rank.0 || code != best;
            let child = self.add_candidate(position.play(mv), ply + 1, (is_off_line, Reverse(depth), order));
            // The child's number as a candidate: `finish` replaces it by its number as a node.
            (code, Some(child))
        });
        let moves = moves.collect();
        self.node_of[*number] = Some(self.known.nodes.len());
        let packed = self.candidates.packed(*number).into();
        self.known.nodes.push(Node { position: position.clone(), packed, ply: *ply, records, moves });
    }

    fn finish(mut self) -> KnownGraph<G> {
        for (_, child) in self.known.nodes.iter_mut().flat_map(|node| &mut node.moves) {
            *child = child.and_then(|number| self.node_of[number]);
        }
        self.known
    }
}
