//! The explorer: chooses a search, and learns its result.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mnemon_memory::{Flags, Item, Key, MemoryError, PROVEN, Record, Result, Source, Store, unix_time};

use super::Explored;
use super::derive::Pricing;
use super::evaluator::Evaluation;
use super::graph::{Graph, ROOT};
use super::job::{Job, SearchedMoves};
use super::known::{self, Known, ScoredMove};
use super::lease::{Lease, Leases};
use super::node::{Node, Step, from_parent, pack};
use super::requests::Requests;
use super::selector::{INFINITE, Selector};
use crate::queue::Queue;

/// How a tree is grown.
pub struct Settings<G: Explored> {
    /// What is searched first.
    pub selector: Box<dyn Selector<G>>,
    /// No position is searched that is more moves away from the root.
    pub most_plies: u16,
    /// Whose searches make the tree.
    pub sources: Vec<Source>,
    /// What other explorers of the memory do; `None` if there are none.
    pub leases: Option<Leases>,
    /// Positions that were asked for, which are searched first; `None` if nothing can be asked.
    pub requests: Option<Queue>,
}

/// What is to be done next.
pub enum Next<G: Explored> {
    /// This search.
    Search(Box<Job<G>>),
    /// Nothing, until a search that runs has ended, here or in another program.
    Wait,
    /// Nothing any more: the root is proven, or everything within the limits was searched.
    Done,
}

/// What a result changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Learned {
    /// Whether the memory has something new.
    pub has_learned: bool,
    /// The positions that are new in the tree: more than one if others were known below the position.
    pub added: usize,
}

/// A growing tree on a memory.
pub struct Explorer<G: Explored> {
    store: Arc<dyn Store>,
    game: String,
    sources: Vec<Source>,
    graph: Graph<G>,
    leases: Option<Leases>,
    requests: Option<Requests<G>>,
    /// The leases of the searches under way.
    held: HashMap<(u64, bool), Lease>,
    /// The searches that other explorers have leases of, and when to look again.
    elsewhere: Vec<((u64, bool), Instant)>,
    /// The number of searches under way here.
    running: usize,
}

/// How soon a search that another explorer has a lease of is looked at again.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

impl<G: Explored> Explorer<G> {
    /// Reads the known tree below a root.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn open(store: Arc<dyn Store>, root: G, settings: Settings<G>) -> Result<Self> {
        let Settings { selector, most_plies, sources, leases, requests } = settings;
        let game = G::name().into_owned();
        let known = known::read(&*store, &game, &sources, &[&pack(&root)])?.pop().flatten();
        let graph = Graph::new(root, known, Pricing { selector, most_plies });
        let mut explorer = Explorer {
            store,
            game,
            sources,
            graph,
            leases,
            requests: requests.map(Requests::new),
            held: HashMap::new(),
            elsewhere: Vec::new(),
            running: 0,
        };
        explorer.read_below(vec![ROOT])?;
        explorer.graph.update();
        Ok(explorer)
    }

    /// The tree.
    pub fn graph(&self) -> &Graph<G> {
        &self.graph
    }

    /// The leases, if there are any.
    pub fn leases(&self) -> Option<&Leases> {
        self.leases.as_ref()
    }

    /// Reads what is known below these new nodes, level by level.
    fn read_below(&mut self, mut level: Vec<u32>) -> Result {
        /// Positions that are looked up together.
        const BATCH: usize = 4_000;
        while !level.is_empty() {
            let mut candidates = Vec::new();
            for number in std::mem::take(&mut level) {
                let node = self.graph.node(number);
                let unknown = node.moves.iter().filter(|edge| edge.ended.is_none() && edge.child.is_none());
                let below = node.ply.saturating_add(1);
                candidates.extend(unknown.filter_map(|edge| node.behind(edge)).map(|behind| (behind, below)));
            }
            for batch in candidates.chunks(BATCH) {
                let positions: Vec<&[u8]> = batch.iter().map(|((_, packed), _)| &**packed).collect();
                let known = known::read(&*self.store, &self.game, &self.sources, &positions)?;
                for (((position, packed), ply), known) in batch.iter().zip(known) {
                    let is_new = known.is_some() && self.graph.find(position.key(), packed).is_none();
                    if is_new {
                        level.push(self.graph.add(position.clone(), known, *ply));
                    }
                }
            }
        }
        Ok(())
    }

    /// Chooses a search for an engine of this source.
    ///
    /// # Errors
    /// A store that cannot be read, or leases that cannot be written.
    pub fn next(&mut self, source: &Source) -> Result<Next<G>> {
        self.look_again();
        if let Some(job) = self.requested()? {
            self.running += 1;
            return Ok(Next::Search(Box::new(job)));
        }
        // Searches that only another engine of this exploration can do.
        let mut for_others = Vec::new();
        let next = loop {
            let Some(job) = self.choose() else { break None };
            let claim = (job.position.key(), job.is_rest());
            let is_for_others = job.known.as_ref().is_some_and(|known| job.is_rest() && known.source != *source);
            if is_for_others {
                for_others.push(claim);
                self.hold(claim, true);
            } else if self.claim(&job, claim)? {
                break Some(job);
            }
        };
        let has_others = !for_others.is_empty();
        for claim in for_others {
            self.hold(claim, false);
        }
        if let Some(job) = next {
            self.running += 1;
            return Ok(Next::Search(Box::new(job)));
        }
        let can_change = self.running > 0 || !self.elsewhere.is_empty() || has_others && self.graph.cost() < INFINITE;
        Ok(if can_change && !self.graph.node(ROOT).derived.is_settled() { Next::Wait } else { Next::Done })
    }

    /// The search of a position that was asked for, unless it is known or searched already.
    fn requested(&mut self) -> Result<Option<Job<G>>> {
        while let Some(position) = self.requests.as_mut().and_then(Requests::pop) {
            let packed = pack(&position);
            let is_wanted = position.outcome().is_none() && !position.is_beyond_memory();
            if is_wanted && self.read(&packed)?.is_none() {
                let job = Job { is_requested: true, ..Job::of_all_moves(position) };
                let claim = (job.position.key(), false);
                if self.claim(&job, claim)? {
                    return Ok(Some(job));
                }
            }
        }
        Ok(None)
    }

    /// The search at the end of the cheapest way.
    fn choose(&self) -> Option<Job<G>> {
        let cost = self.graph.cost();
        let (way, step) = self.graph.way()?;
        let line = self.line(&way);
        let last = self.graph.node(*way.last()?);
        match step {
            Step::Search(index) => {
                let edge = &last.moves[index];
                let (position, _) = last.behind(edge)?;
                let line = line.into_iter().chain([edge.code]).collect();
                Some(Job { line, cost, ..Job::of_all_moves(position) })
            }
            Step::Rest => {
                let (rest, children) = self.rest(last);
                let (position, known) = (last.position.clone(), last.known.clone());
                Some(Job {
                    line,
                    moves: SearchedMoves::Rest(rest),
                    cost,
                    known,
                    children,
                    ..Job::of_all_moves(position)
                })
            }
            _ => Some(Job { line, cost, ..Job::of_all_moves(last.position.clone()) }),
        }
    }

    /// The moves of a position that neither begin a known line nor lead to a child, and the children without a line.
    fn rest(&self, node: &Node<G>) -> (Vec<G::Move>, Vec<ScoredMove>) {
        let (mut codes, mut children) = (Vec::new(), Vec::new());
        for edge in node.moves.iter().filter(|edge| edge.ended.is_none() && edge.scored.is_none()) {
            match edge.child.map(|child| self.graph.node(child)).filter(|child| child.ply > node.ply) {
                Some(child) => {
                    let score = from_parent(child.derived.score);
                    children.push(ScoredMove { code: edge.code, score, depth: u8::MAX });
                }
                None => codes.push(edge.code),
            }
        }
        let mut moves = Vec::new();
        node.position.moves(&mut moves);
        moves.retain(|&mv| codes.contains(&G::code(mv).get()));
        (moves, children)
    }

    /// The moves along a way.
    pub(super) fn line(&self, way: &[u32]) -> Vec<u16> {
        let code = |pair: &[u32]| {
            let leads_there = self.graph.node(pair[0]).moves.iter().find(|edge| edge.child == Some(pair[1]));
            leads_there.map(|edge| edge.code)
        };
        way.windows(2).filter_map(code).collect()
    }

    /// Takes a search on: false if another explorer has it, or has done it.
    fn claim(&mut self, job: &Job<G>, claim: (u64, bool)) -> Result<bool> {
        let packed = pack(&job.position);
        if let Some(leases) = &self.leases {
            let lease = leases.claim(&packed, job.is_rest()).map_err(|error| MemoryError::Unreachable {
                location: leases.folder().display().to_string(),
                detail: error.to_string(),
            })?;
            let Some(lease) = lease else {
                self.elsewhere.push((claim, Instant::now() + LOOK_AGAIN));
                self.hold(claim, true);
                return Ok(false);
            };
            // Another explorer may have ended this search just before.
            let known = self.read(&packed)?;
            if known != job.known && known.is_some() {
                self.take_in(job.position.clone(), known)?;
                return Ok(false);
            }
            self.held.insert(claim, lease);
        }
        self.hold(claim, true);
        Ok(true)
    }

    fn hold(&mut self, (key, is_rest): (u64, bool), is_held: bool) {
        self.graph.hold(key, is_rest, is_held);
        self.graph.update();
    }

    /// Frees the searches of other explorers that may have ended by now.
    fn look_again(&mut self) {
        let now = Instant::now();
        let (due, later): (Vec<_>, Vec<_>) = self.elsewhere.drain(..).partition(|&(_, at)| at <= now);
        self.elsewhere = later;
        due.into_iter().for_each(|(claim, _)| self.hold(claim, false));
    }

    fn read(&self, packed: &[u8]) -> Result<Option<Known>> {
        Ok(known::read(&*self.store, &self.game, &self.sources, &[packed])?.pop().flatten())
    }

    /// Takes what the memory knows of a position, and of what is below it, into the tree; returns how many are new.
    fn take_in(&mut self, position: G, known: Option<Known>) -> Result<usize> {
        let before = self.graph.len();
        let is_new = self.graph.find(position.key(), &pack(&position)).is_none();
        let number = self.graph.add(position, known, u16::MAX);
        if is_new || number == ROOT {
            self.read_below(vec![number])?;
        }
        self.update_proofs()?;
        Ok(self.graph.len() - before)
    }

    /// Updates the tree. In a proof, what is proven by the moves of a position is learned of the position.
    fn update_proofs(&mut self) -> Result {
        let (game, mut items): (Arc<str>, _) = (self.game.as_str().into(), Vec::new());
        self.graph.update_with(|_, node| {
            let Some(known) = node.known.as_ref().filter(|known| G::IS_PROOF && !known.proven.is_exact()) else {
                return;
            };
            let (proven, best) = (node.derived.proven, node.derived.best);
            if proven.is_exact() {
                let best = best.map_or(0, |index| node.moves[index].code);
                let record = Record { best, flags: Flags::ROOT, ..Record::between(proven, PROVEN) };
                let key = Key::new(&game, node.packed.clone(), &known.source);
                items.push(Item { key, record: record.found_at(unix_time()) });
            }
        });
        if !items.is_empty() {
            items.sort_unstable_by(|a, b| a.key.cmp(&b.key));
            self.store.merge_many(&items)?;
        }
        Ok(())
    }

    /// Learns what a search found. The memory has all of it or, if it cannot be written, nothing.
    ///
    /// # Errors
    /// A store that cannot be read or written.
    pub fn learn(&mut self, job: &Job<G>, found: &Evaluation, source: &Source) -> Result<Learned> {
        let claim = (job.position.key(), job.is_rest());
        let (items, annotations) = job.findings(found, source, unix_time());
        let has_learned = !found.is_empty();
        if has_learned {
            self.store.merge_findings(&items, &annotations)?;
        }
        let known = self.read(&pack(&job.position))?;
        let is_barren = !has_learned || known.is_none() || job.is_rest() && known == job.known;
        self.running -= 1;
        self.graph.hold(claim.0, claim.1, false);
        if is_barren {
            self.graph.mark_barren(claim.0, claim.1);
        }
        let is_in_tree = !job.is_requested || self.graph.find(claim.0, &pack(&job.position)).is_some();
        let added = if known.is_some() && is_in_tree { self.take_in(job.position.clone(), known)? } else { 0 };
        self.graph.update();
        // Only now may another explorer look at the position.
        self.held.remove(&claim);
        Ok(Learned { has_learned: has_learned && !is_barren, added })
    }

    /// Gives a search back that was not done.
    pub fn abandon(&mut self, job: &Job<G>) {
        let claim = (job.position.key(), job.is_rest());
        self.running -= 1;
        self.hold(claim, false);
        self.held.remove(&claim);
    }

    /// Keeps the leases of the searches under way from running out.
    pub(super) fn renew_leases(&self) {
        self.held.values().for_each(Lease::renew);
    }
}

impl<G: Explored> Drop for Explorer<G> {
    fn drop(&mut self) {
        self.held.clear();
        if let Some(leases) = &self.leases {
            leases.tidy();
        }
    }
}
