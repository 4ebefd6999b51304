//! The cumulative shared search tree, the idea of chessdb: everything searched is a node of one growing graph, and a
//! position is worth what is known below it.
//!
//! [`back_up`] computes values by negamax over the known graph, both ends of a value at once, move by move: for each
//! move the deeper of two claims counts, that of the position it leads to and that of the direct search, which speaks
//! for its best move ("at least") and for all moves ("at most"). So a line that was looked at more deeply changes its
//! parents at once, while a bad move that was looked at deeply changes nothing above it. A move that leads back to a
//! position on the way from the root adds nothing: the direct search stands for it, and no value is made by a
//! repetition.

use std::cmp::Reverse;

use mnemon_search::Game;
use mnemon_table::{Score, Window};

use super::{DEFAULT_FUZZ, Retention, Searched};
use crate::recall::KnownGraph;
use crate::{Claim, Origins, PROVEN, Record};

/// Settings of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The least depth that is kept.
    pub least_depth: u8,
    /// The most records that are kept of one search.
    pub most: usize,
    /// By how much values that other sources had a part in are widened.
    pub others_fuzz: Score,
}

impl Default for Tree {
    /// Everything that was searched is kept.
    fn default() -> Self {
        Tree { least_depth: 1, most: 1_000_000, others_fuzz: DEFAULT_FUZZ }
    }
}

impl Tree {
    /// Everything.
    pub fn retention(&self, searched: &Searched) -> Retention {
        let root = searched.record(searched.score, Origins::PV);
        Retention::Tree { root, least_depth: self.least_depth, most: self.most }
    }

    /// What is one's own is exact.
    pub fn fuzz(&self, own: bool) -> Score {
        if own { 0 } else { self.others_fuzz }
    }
}

/// A backed-up value, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Both ends, with the depth that they come from, and the best move.
    pub record: Record,
    /// The moves, by their codes, from the position to the leaf.
    pub line: Vec<u16>,
    /// The number of the node whose own search the value comes from.
    pub leaf: usize,
}

/// The value of the root, with its line and its leaf; `None` if nothing is known at all.
pub fn value<G: Game>(known: &KnownGraph<G>) -> Option<Value> {
    let mut backing = Backing::new(known);
    let record = backing.value(0, 0).record;
    let (line, leaf) = backing.line(record);
    (!record.is_empty()).then_some(Value { record, line, leaf })
}

/// The backed-up value of every node, as a record that says nothing where nothing is known.
pub fn back_up<G: Game>(known: &KnownGraph<G>) -> Vec<Record> {
    let mut backing = Backing::new(known);
    (0..known.nodes.len()).map(|number| backing.value(number, 0).record).collect()
}

/// Nodes that lie on cycles are computed anew on each path, so the work needs a limit; beyond it direct searches count.
const STEPS_PER_NODE: usize = 32;
const STEPS_AT_LEAST: usize = 10_000;
const LONGEST_PATH: usize = 512;

struct Backing<'k, G> {
    known: &'k KnownGraph<G>,
    direct: Vec<Record>,
    /// Values that depend on no path.
    done: Vec<Option<Record>>,
    /// Where on the path from the root each node stands.
    on_path: Vec<Option<usize>>,
    steps_left: usize,
}

/// A value, and the smallest place on the path that it depends on.
#[derive(Clone, Copy)]
struct OnPath {
    record: Record,
    depends_on: usize,
}

const NO_PATH: usize = usize::MAX;

impl<'k, G: Game> Backing<'k, G> {
    fn new(known: &'k KnownGraph<G>) -> Self {
        let nodes = known.nodes.len();
        Backing {
            known,
            direct: known.nodes.iter().map(|node| node.joined().unwrap_or_default()).collect(),
            done: vec![None; nodes],
            on_path: vec![None; nodes],
            steps_left: STEPS_PER_NODE * nodes + STEPS_AT_LEAST,
        }
    }

    /// The value of a node that stands at this place of the path.
    fn value(&mut self, number: usize, place: usize) -> OnPath {
        if let Some(record) = self.done[number] {
            return OnPath { record, depends_on: NO_PATH };
        }
        if self.steps_left == 0 || place >= LONGEST_PATH {
            return OnPath { record: self.direct[number], depends_on: 0 };
        }
        self.steps_left -= 1;
        self.on_path[number] = Some(place);
        let mut depends_on = NO_PATH;
        let known = self.known;
        let mut moves = Vec::with_capacity(known.nodes[number].moves.len());
        for &(code, child) in &known.nodes[number].moves {
            let below = child.and_then(|child| {
                let below = match self.on_path[child] {
                    Some(place) => OnPath { record: Record::default(), depends_on: place },
                    None => self.value(child, place + 1),
                };
                depends_on = depends_on.min(below.depends_on);
                (!below.record.is_empty()).then(|| from_parent(&below.record))
            });
            moves.push((code, below));
        }
        self.on_path[number] = None;
        let record = combined(&self.direct[number], &moves);
        // What depends on this node or on nothing above it is its own.
        if depends_on >= place {
            self.done[number] = Some(record);
            depends_on = NO_PATH;
        }
        OnPath { record, depends_on }
    }

    /// From the root with this value down to the node whose own search it is: the moves, and the node. A move's lower end
    /// is the upper end of the position that it leads to, so the two take turns.
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

    /// The move that one end of the node's value comes from, with the node that it leads to and that one's value; `None`
    /// if it comes from the node's own search.
    fn step(&mut self, number: usize, value: &Record, at_least: bool, place: usize) -> Option<(u16, usize, Record)> {
        let direct = self.direct[number];
        if !at_least && direct.upper == value.upper {
            return None;
        }
        let known = self.known;
        for &(code, child) in &known.nodes[number].moves {
            let Some(child) = child.filter(|&child| self.on_path[child].is_none()) else { continue };
            let below = self.value(child, place).record;
            let (lower, upper) = from_parent(&below);
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

/// Both ends of a move: the child's, turned round, one ply deeper.
fn from_parent(child: &Record) -> (Claim, Claim) {
    let Record { lower, upper, .. } = child.from_parent();
    let deepened = |claim: Claim| {
        let depth = if claim.is_known() && claim.depth < PROVEN - 1 { claim.depth + 1 } else { claim.depth };
        Claim { depth, ..claim }
    };
    (deepened(lower), deepened(upper))
}

/// What the direct search and the moves say together.
fn combined(direct: &Record, moves: &[(u16, Option<(Claim, Claim)>)]) -> Record {
    if moves.is_empty() {
        return *direct;
    }
    let (lower, best) = at_least(direct, moves);
    let upper = at_most(direct, moves);
    Record { lower, upper, best, ..*direct }.normalized()
}

/// The lower end: that of the best move. The direct search speaks for its own best move, unless that was looked at
/// more deeply; and it knows better than a shallow look at a move that seems to be worth more than all of them can be.
fn at_least(direct: &Record, moves: &[(u16, Option<(Claim, Claim)>)]) -> (Claim, u16) {
    let credible = |claim: Claim| claim.depth >= direct.upper.depth || claim.score <= direct.upper.score;
    let of_move = |&(code, below): &(u16, Option<(Claim, Claim)>)| {
        let below = below.map_or(Claim::NO_LOWER, |(lower, _)| lower);
        let below = if credible(below) { below } else { Claim::NO_LOWER };
        let direct = if code == direct.best { direct.lower } else { Claim::NO_LOWER };
        (deeper(below, direct), code)
    };
    let speaks_for_none = direct.lower.is_known() && !moves.iter().any(|&(code, _)| code == direct.best);
    let nameless = speaks_for_none.then_some((direct.lower, direct.best));
    let all = moves.iter().map(of_move).chain(nameless);
    let best = all
        .filter(|(claim, _)| claim.is_known())
        .max_by_key(|&(claim, code)| (claim.score, claim.depth, Reverse(code)));
    best.unwrap_or((Claim::NO_LOWER, direct.best))
}

/// The upper end: the highest of the moves'. Where a move was not looked at more deeply, the direct search speaks for it.
fn at_most(direct: &Record, moves: &[(u16, Option<(Claim, Claim)>)]) -> Claim {
    let of_move = |&(_, below): &(u16, Option<(Claim, Claim)>)| {
        deeper(below.map_or(Claim::NO_UPPER, |(_, upper)| upper), direct.upper)
    };
    let all = moves.iter().map(of_move);
    let score = all.clone().map(|claim| claim.score).max().unwrap_or(Window::NO_UPPER);
    let depth = all.map(|claim| claim.depth).min().unwrap_or(0);
    Claim { score, depth }
}

/// The deeper claim of the two; the first if they are equally deep, unless it claims nothing.
fn deeper(first: Claim, second: Claim) -> Claim {
    if !first.is_known() || second.is_known() && second.depth > first.depth { second } else { first }
}
