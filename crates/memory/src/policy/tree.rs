//! The cumulative search graph, as in chessdb: everything searched is a node of one growing graph, and a position's value is
//! backed up from what is known below it.
//!
//! [`back_up`] computes values by negamax over the known graph, lower and upper bound together. For each move the deeper of
//! two claims counts: that of the child, and that of the position's own search, whose lower bound is its best move's and
//! whose upper bound is every move's. So a deeper search of the best line changes its parents at once, while a deep search of
//! a bad move changes nothing above it. A move back to a position on the path from the root contributes nothing, so no value
//! comes from a repetition; the position's own search stands for that move.

use std::cmp::Reverse;

use mnemon_search::{Game, MAX_DEPTH};
use mnemon_table::{Score, Window};

use super::{DEFAULT_FUZZ, Retention, Searched};
use crate::recall::KnownGraph;
use crate::{Claim, Origins, Record, Source, Trust};

/// Settings of the policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The least depth that is kept.
    pub least_depth: u8,
    /// The most records that are kept of one search.
    pub most: usize,
    /// By how much values are widened that come from other sources, too.
    pub others_fuzz: Score,
}

impl Default for Tree {
    /// Everything that was searched is kept.
    fn default() -> Self {
        Tree { least_depth: 1, most: 1_000_000, others_fuzz: DEFAULT_FUZZ }
    }
}

impl Tree {
    /// The root, and everything below it to the least depth.
    pub fn retention(&self, searched: &Searched) -> Retention {
        let root = searched.record(searched.score, Origins::PV);
        Retention::Tree { root, least_depth: self.least_depth, most: self.most }
    }

    /// By how much a score is widened: not at all if it is the engine's own.
    pub fn fuzz(&self, own: bool) -> Score {
        if own { 0 } else { self.others_fuzz }
    }
}

/// A backed-up value, and the line that it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackedUpValue {
    /// Both bounds with their depths, and the best move.
    pub record: Record,
    /// The codes of the moves from the root to the leaf.
    pub line: Vec<u16>,
    /// The index of the node whose own search the value comes from.
    pub leaf: usize,
}

/// The value of the root for a search by `own`, with its line and its leaf; `None` if nothing is known that it believes.
pub fn value<G: Game>(known: &KnownGraph<G>, trust: &Trust, own: &Source) -> Option<BackedUpValue> {
    let mut back_up = BackUp::new(known, trust, own);
    let record = back_up.value(0, 0).record;
    let (line, leaf) = back_up.line(record);
    (!record.is_empty()).then_some(BackedUpValue { record, line, leaf })
}

/// The backed-up value of every node for a search by `own`; an empty record where nothing is known that it believes.
pub fn back_up<G: Game>(known: &KnownGraph<G>, trust: &Trust, own: &Source) -> Vec<Record> {
    let mut back_up = BackUp::new(known, trust, own);
    (0..known.nodes.len()).map(|number| back_up.value(number, 0).record).collect()
}

/// Nodes on cycles are computed again on each path, so the work is limited; beyond the limit a node's own search counts.
const STEPS_PER_NODE: usize = 32;
const MIN_STEPS: usize = 10_000;
const MAX_PATH: usize = 512;

struct BackUp<'k, G> {
    known: &'k KnownGraph<G>,
    direct: Vec<Record>,
    /// Values that do not depend on the path.
    done: Vec<Option<Record>>,
    /// The ply on the current path of each node that is on it.
    on_path: Vec<Option<usize>>,
    steps_left: usize,
}

/// A value, and the smallest ply of the current path that it depends on.
#[derive(Clone, Copy)]
struct PathValue {
    record: Record,
    depends_on: usize,
}

const NO_PATH: usize = usize::MAX;

impl<'k, G: Game> BackUp<'k, G> {
    fn new(known: &'k KnownGraph<G>, trust: &Trust, own: &Source) -> Self {
        let nodes = known.nodes.len();
        BackUp {
            known,
            direct: known.nodes.iter().map(|node| node.believed(trust, own).unwrap_or_default()).collect(),
            done: vec![None; nodes],
            on_path: vec![None; nodes],
            steps_left: STEPS_PER_NODE * nodes + MIN_STEPS,
        }
    }

    /// The value of a node that is at this ply of the current path.
    fn value(&mut self, number: usize, ply: usize) -> PathValue {
        if let Some(record) = self.done[number] {
            return PathValue { record, depends_on: NO_PATH };
        }
        if self.steps_left == 0 || ply >= MAX_PATH {
            return PathValue { record: self.direct[number], depends_on: 0 };
        }
        self.steps_left -= 1;
        self.on_path[number] = Some(ply);
        let mut depends_on = NO_PATH;
        let known = self.known;
        let mut moves = Vec::with_capacity(known.nodes[number].moves.len());
        for &(code, child) in &known.nodes[number].moves {
            let below = child.and_then(|child| {
                let below = match self.on_path[child] {
                    Some(ply) => PathValue { record: Record::default(), depends_on: ply },
                    None => self.value(child, ply + 1),
                };
                depends_on = depends_on.min(below.depends_on);
                (!below.record.is_empty()).then(|| move_bounds(&below.record))
            });
            moves.push((code, below));
        }
        self.on_path[number] = None;
        let record = combined(&self.direct[number], &moves);
        // A value that depends on no node above this one is valid on every path.
        if depends_on >= ply {
            self.done[number] = Some(record);
            depends_on = NO_PATH;
        }
        PathValue { record, depends_on }
    }

    /// The moves from the root to the node whose own search the value comes from, and that node. A move's lower bound is the
    /// child's upper bound, so the two alternate.
    fn line(&mut self, value: Record) -> (Vec<u16>, usize) {
        let (mut line, mut number, mut value) = (Vec::new(), 0, value);
        let mut at_least = value.lower.is_known();
        loop {
            self.on_path[number] = Some(line.len());
            let Some((code, child, below)) = self.step(number, &value, at_least, line.len() + 1) else { break };
            line.push(code);
            (number, value, at_least) = (child, below, !at_least);
        }
        self.on_path.fill(None);
        (line, number)
    }

    /// The move that a bound of the node's value comes from, with its child and the child's value; `None` if the bound comes
    /// from the node's own search.
    fn step(&mut self, number: usize, value: &Record, at_least: bool, ply: usize) -> Option<(u16, usize, Record)> {
        let direct = self.direct[number];
        let bound = |claim: Claim| (claim.score, claim.depth);
        if !at_least && bound(direct.upper) == bound(value.upper) {
            return None;
        }
        let known = self.known;
        for &(code, child) in &known.nodes[number].moves {
            let Some(child) = child.filter(|&child| self.on_path[child].is_none()) else { continue };
            let below = self.value(child, ply).record;
            let (lower, upper) = move_bounds(&below);
            let comes_from_it = if at_least {
                code == value.best && lower == value.lower
            } else {
                upper.score == value.upper.score && deeper(upper, direct.upper) == upper
            };
            if comes_from_it {
                return Some((code, child, below));
            }
        }
        None
    }
}

/// The bounds of a move: the child's, negated, one ply deeper.
fn move_bounds(child: &Record) -> (Claim, Claim) {
    let Record { lower, upper, .. } = child.from_parent();
    let deepened = |claim: Claim| {
        let depth = if claim.is_known() && claim.depth < MAX_DEPTH { claim.depth + 1 } else { claim.depth };
        Claim { depth, ..claim }
    };
    (deepened(lower), deepened(upper))
}

/// The value of a node from its own search and its moves.
fn combined(direct: &Record, moves: &[(u16, Option<(Claim, Claim)>)]) -> Record {
    if moves.is_empty() {
        return *direct;
    }
    let (lower, best) = lower_bound(direct, moves);
    let upper = upper_bound(direct, moves);
    Record { lower, upper, best, ..*direct }.normalized()
}

/// The lower bound and its move: the highest of the moves'. The node's own search has the bound of its best move, unless the
/// child's is deeper. A child's bound above the upper bound of a deeper search of the node is not credible.
fn lower_bound(direct: &Record, moves: &[(u16, Option<(Claim, Claim)>)]) -> (Claim, u16) {
    let credible = |claim: Claim| claim.depth >= direct.upper.depth || claim.score <= direct.upper.score;
    let of_move = |&(code, below): &(u16, Option<(Claim, Claim)>)| {
        let below = below.map_or(Claim::NO_LOWER, |(lower, _)| lower);
        let below = if credible(below) { below } else { Claim::NO_LOWER };
        let direct = if code == direct.best { direct.lower } else { Claim::NO_LOWER };
        (deeper(below, direct), code)
    };
    let has_no_such_move = direct.lower.is_known() && !moves.iter().any(|&(code, _)| code == direct.best);
    let without_move = has_no_such_move.then_some((direct.lower, direct.best));
    let all = moves.iter().map(of_move).chain(without_move);
    let best = all
        .filter(|(claim, _)| claim.is_known())
        .max_by_key(|&(claim, code)| (claim.score, claim.depth, Reverse(code)));
    best.unwrap_or((Claim::NO_LOWER, direct.best))
}

/// The upper bound: the highest of the moves'. A move without a deeper one has that of the node's own search.
fn upper_bound(direct: &Record, moves: &[(u16, Option<(Claim, Claim)>)]) -> Claim {
    let of_move = |&(_, below): &(u16, Option<(Claim, Claim)>)| {
        deeper(below.map_or(Claim::NO_UPPER, |(_, upper)| upper), direct.upper)
    };
    let all = moves.iter().map(of_move);
    let score = all.clone().map(|claim| claim.score).max().unwrap_or(Window::NO_UPPER);
    let depth = all.clone().map(|claim| claim.depth).min().unwrap_or(0);
    let time = all.map(|claim| claim.time).max().unwrap_or(0);
    Claim { score, depth, time }
}

/// The deeper claim of the two; the first if they are equally deep, unless it is unknown.
fn deeper(first: Claim, second: Claim) -> Claim {
    if !first.is_known() || second.is_known() && second.depth > first.depth { second } else { first }
}
