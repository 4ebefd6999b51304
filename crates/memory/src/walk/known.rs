//! The part of a memory that stands below a position: a graph, explored breadth first through what is known.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mnemon_search::Game;

use crate::{Origins, Record, Result, Source, Store, merge};

/// How far a walk through the memory may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The most positions to find.
    pub positions: usize,
    /// The most time to take.
    pub time: Duration,
}

impl Budget {
    /// For a game against the clock: five milliseconds.
    pub const PLAYING: Budget = Budget { positions: 100_000, time: Duration::from_millis(5) };
    /// For analysis: half a second.
    pub const ANALYSING: Budget = Budget { positions: 1_000_000, time: Duration::from_millis(500) };
    /// Without end.
    pub const UNLIMITED: Budget = Budget { positions: usize::MAX, time: Duration::MAX };

    /// How many positions to look up at once: many are faster together, but the time must be looked at often enough. A
    /// lookup takes a few microseconds.
    fn chunk(&self) -> usize {
        (self.time.as_micros() / 40).clamp(32, 4096) as usize
    }
}

/// What a memory knows of a position and of those below it.
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
    /// What each source says.
    pub views: Vec<(Source, Record)>,
    /// The legal moves, by their codes, and the node that each leads to, if that is known.
    pub moves: Vec<(u16, Option<usize>)>,
}

impl<G> Node<G> {
    /// What all engines' searches say together; advice only where there is nothing else.
    pub fn joined(&self) -> Option<Record> {
        let is_advice = |record: &Record| record.origins.contains(Origins::ADVICE);
        let records = || self.views.iter().map(|(_, record)| *record);
        let searches = records().filter(|record| !is_advice(record)).reduce(|a, b| merge(&a, &b));
        searches.or_else(|| records().reduce(|a, b| merge(&a, &b)))
    }
}

/// The view to use of several: the deepest; of equally deep ones the searching engine's own, and a search before
/// advice. Says also whether it is the engine's own.
pub(super) fn chosen<'v>(views: &'v [(Source, Record)], own: &Source) -> Option<(&'v Record, bool)> {
    let rank = |(source, record): &&(Source, Record)| {
        let depth = record.lower.depth.max(record.upper.depth);
        (depth, source == own, !record.origins.contains(Origins::ADVICE))
    };
    views.iter().max_by_key(rank).map(|(source, record)| (record, source == own))
}

/// Explores what the store knows below the root: level by level, and on each level the most relevant first, which is the
/// best line, then the children of what was searched deepest. Only what is known leads on; the root always does.
///
/// # Errors
/// A store that cannot be read.
pub fn explore<G: Game>(store: &dyn Store, root: &G, budget: Budget) -> Result<KnownGraph<G>> {
    explore_until(store, root, budget, &NEVER)
}

/// Nobody sets it.
pub(super) static NEVER: AtomicBool = AtomicBool::new(false);

/// As [`explore`], and not on once `stop` is set.
pub(super) fn explore_until<G: Game>(
    store: &dyn Store,
    root: &G,
    budget: Budget,
    stop: &AtomicBool,
) -> Result<KnownGraph<G>> {
    let mut walk = Walk::new(store, root, budget, stop);
    while !walk.level.is_empty() {
        let mut level = std::mem::take(&mut walk.level);
        level.sort_by_key(|candidate| candidate.rank);
        for chunk in level.chunks(budget.chunk()) {
            if walk.is_over() {
                walk.known.is_complete = false;
                return Ok(walk.finished());
            }
            walk.look_up(chunk)?;
        }
    }
    Ok(walk.finished())
}

/// A position that the next level looks up.
struct Candidate<G> {
    position: G,
    ply: u16,
    rank: Rank,
    /// Its number among all candidates.
    number: usize,
}

/// The smaller, the more relevant: not on the best line, the depth of its parent, then the order of its moves.
type Rank = (bool, Reverse<u8>, usize);

struct Walk<'s, G> {
    store: &'s dyn Store,
    game: String,
    budget: Budget,
    stop: &'s AtomicBool,
    start: Instant,
    known: KnownGraph<G>,
    level: Vec<Candidate<G>>,
    /// Every position that was met, each with its number.
    met: PositionIndex,
    /// Each candidate's node, if it has become one.
    node_of: Vec<Option<usize>>,
}

impl<'s, G: Game> Walk<'s, G> {
    fn new(store: &'s dyn Store, root: &G, budget: Budget, stop: &'s AtomicBool) -> Self {
        let known = KnownGraph { nodes: Vec::new(), looked_up: 0, is_complete: true };
        let mut walk = Walk {
            store,
            game: G::name().into_owned(),
            budget,
            stop,
            start: Instant::now(),
            known,
            level: Vec::new(),
            met: PositionIndex::default(),
            node_of: Vec::new(),
        };
        walk.meet(root.clone(), 0, (false, Reverse(0), 0));
        walk
    }

    fn is_over(&self) -> bool {
        // The root is looked up whatever the budget.
        let is_spent = || {
            let is_stopped = self.stop.load(Ordering::Relaxed);
            is_stopped || self.known.nodes.len() >= self.budget.positions || self.start.elapsed() >= self.budget.time
        };
        !self.known.nodes.is_empty() && is_spent()
    }

    /// The candidate's number; a new one joins the next level.
    fn meet(&mut self, position: G, ply: u16, rank: Rank) -> usize {
        let (number, is_new) = self.met.number(&position);
        if is_new {
            self.node_of.push(None);
            self.level.push(Candidate { position, ply, rank, number });
        }
        number
    }

    /// Looks the candidates up, and makes nodes of those that are known.
    fn look_up(&mut self, candidates: &[Candidate<G>]) -> Result {
        let positions: Vec<&[u8]> = candidates.iter().map(|candidate| self.met.packed(candidate.number)).collect();
        let mut views: Vec<Vec<(Source, Record)>> = vec![Vec::new(); positions.len()];
        self.store.get_many(&self.game, &positions, &mut |number, source, record| {
            views[number].push((source.clone(), record));
        })?;
        self.known.looked_up += positions.len();
        for (candidate, views) in candidates.iter().zip(views) {
            if (!views.is_empty() || candidate.number == 0) && self.known.nodes.len() < self.budget.positions {
                self.expand(candidate, views);
            }
        }
        Ok(())
    }

    /// Makes the candidate a node, and its children candidates.
    fn expand(&mut self, candidate: &Candidate<G>, views: Vec<(Source, Record)>) {
        let Candidate { position, ply, rank, number } = candidate;
        let strongest = views.iter().map(|(_, record)| record).max_by_key(|record| record.deepest().1);
        let (best, depth) = strongest.map_or((0, 0), |record| (record.best, record.deepest().1));
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let moves = moves.into_iter().enumerate().map(|(order, mv)| {
            let code = G::code(mv).get();
            let off_the_line = rank.0 || code != best;
            let child = self.meet(position.play(mv), ply + 1, (off_the_line, Reverse(depth), order));
            // For now the child's number as a candidate: `finished` makes it a node's.
            (code, Some(child))
        });
        let moves = moves.collect();
        self.node_of[*number] = Some(self.known.nodes.len());
        let packed = self.met.packed(*number).into();
        self.known.nodes.push(Node { position: position.clone(), packed, ply: *ply, views, moves });
    }

    fn finished(mut self) -> KnownGraph<G> {
        for (_, child) in self.known.nodes.iter_mut().flat_map(|node| &mut node.moves) {
            *child = child.and_then(|number| self.node_of[number]);
        }
        self.known
    }
}

/// Positions with numbers in the order in which they were met. Compared byte for byte: the hash only finds them.
#[derive(Default)]
struct PositionIndex {
    /// The packed forms, one after the other, and where each ends.
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// The number of the position with this hash, or, where that is taken by another, with the next free one.
    numbers: HashMap<u64, usize, BuildHasherDefault<Hashed>>,
}

impl PositionIndex {
    /// The position's number, and whether it is met for the first time.
    fn number<G: Game>(&mut self, position: &G) -> (usize, bool) {
        let start = self.bytes.len();
        position.pack(&mut self.bytes);
        let mut hash = position.key();
        while let Some(&number) = self.numbers.get(&hash) {
            if *self.packed(number) == self.bytes[start..] {
                self.bytes.truncate(start);
                return (number, false);
            }
            hash = hash.wrapping_add(1);
        }
        let number = self.ends.len();
        self.numbers.insert(hash, number);
        self.ends.push(self.bytes.len());
        (number, true)
    }

    fn packed(&self, number: usize) -> &[u8] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[number]]
    }
}

/// For keys that are hashes already.
#[derive(Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        // The map takes its bits from both ends; keys of games are good at the upper one.
        self.0 = hash ^ hash.rotate_right(32);
    }
}
