//! The findings of our own searches: a walk from the root through the transposition table.

use std::collections::{HashMap, HashSet, VecDeque, hash_map};
use std::sync::Arc;

use mnemon_search::Game;
use mnemon_table::replace::Replace;
use mnemon_table::{Entry, Layout, Origin, Table};

use super::{Finding, packed};
use crate::policy::Retention;

/// A walk through the table after a search: an iterator over what the search found. It reads the table when the iteration
/// begins, breadth first from the root, through every position of the principal variation, and every other one that the table
/// knows to the least depth that is kept.
///
/// Left out are tainted and recalled entries, entries whose move is not legal in the position, and every position whose
/// hash another position on the walk has: the entry may be that one's.
pub struct TableWalk<G, L: Layout, R: Replace> {
    root: G,
    table: Arc<Table<L, R>>,
    /// The least depth that is walked through.
    least_depth: u8,
    /// The most positions to walk through.
    most: usize,
    /// The codes of the moves of the principal variation.
    pv: Vec<u16>,
}

impl<G: Game, L: Layout, R: Replace> TableWalk<G, L, R> {
    /// A walk to find what the retention keeps; none at all if that is no more than the root.
    pub fn new(root: &G, table: &Arc<Table<L, R>>, retention: &Retention, pv: &[u16]) -> Self {
        let (least_depth, most) = match *retention {
            Retention::Tree { least_depth, most, .. } => (least_depth, most),
            Retention::Nothing | Retention::Root(_) => (u8::MAX, 0),
        };
        TableWalk { root: root.clone(), table: Arc::clone(table), least_depth, most, pv: pv.to_vec() }
    }
}

impl<G: Game, L: Layout, R: Replace> IntoIterator for TableWalk<G, L, R> {
    type Item = Finding;
    type IntoIter = std::vec::IntoIter<Finding>;

    fn into_iter(self) -> Self::IntoIter {
        let mut visited = Visited::default();
        let pv = line(&self.root, &self.pv);
        visited.walk(&self, &pv);
        visited.mark(&pv);
        visited.into_findings().into_iter()
    }
}

/// The positions of a walk.
#[derive(Default)]
struct Visited {
    /// The table's entry of each position as a finding, and whether that may be learned.
    findings: Vec<(Finding, bool)>,
    /// The index of the position with each hash; `None` where several positions have it.
    by_key: HashMap<u64, Option<usize>>,
}

impl Visited {
    fn walk<G: Game, L: Layout, R: Replace>(&mut self, walk: &TableWalk<G, L, R>, pv: &[G]) {
        let on_pv: HashSet<u64> = pv.iter().map(Game::key).collect();
        let mut queue = VecDeque::from([(walk.root.clone(), 0_u16)]);
        let mut moves = Vec::new();
        while let Some((position, ply)) = queue.pop_front() {
            let entry = walk.table.probe(position.key());
            let is_deep = entry.is_some_and(|entry| entry.depth >= walk.least_depth);
            let is_expanded = is_deep || walk.most > 0 && on_pv.contains(&position.key());
            if !is_expanded || self.findings.len() >= walk.most || !self.is_new(&position) {
                continue;
            }
            moves.clear();
            position.moves(&mut moves);
            let is_sound = entry.is_some_and(|entry| is_sound::<G>(&entry, &moves));
            self.findings.push((finding(&position, &entry.unwrap_or_default(), ply), is_sound));
            queue.extend(moves.iter().map(|&mv| (position.play(mv), ply + 1)));
        }
    }

    /// Whether the position was not visited before. Its index will be the next.
    fn is_new<G: Game>(&mut self, position: &G) -> bool {
        let index = self.findings.len();
        match self.by_key.entry(position.key()) {
            hash_map::Entry::Vacant(vacant) => {
                vacant.insert(Some(index));
                true
            }
            hash_map::Entry::Occupied(mut occupied) => {
                let other = occupied.get().map(|index| &self.findings[index].0.position);
                if other.is_some_and(|other| **other != *packed(position)) {
                    occupied.insert(None);
                }
                false
            }
        }
    }

    /// Notes which positions are on the principal variation.
    fn mark<G: Game>(&mut self, line: &[G]) {
        for position in line {
            if let Some(&Some(index)) = self.by_key.get(&position.key()) {
                self.findings[index].0.is_on_pv = true;
            }
        }
    }

    /// What may be learned: sound, and of a position whose hash no other has.
    fn into_findings(mut self) -> Vec<Finding> {
        let mut has_own_hash = vec![false; self.findings.len()];
        for index in self.by_key.into_values().flatten() {
            has_own_hash[index] = true;
        }
        let mut own = has_own_hash.into_iter();
        self.findings.retain(|(_, is_sound)| own.next().unwrap_or(false) && *is_sound);
        self.findings.into_iter().map(|(finding, _)| finding).collect()
    }
}

fn finding<G: Game>(position: &G, entry: &Entry, ply: u16) -> Finding {
    Finding {
        position: packed(position),
        window: entry.window,
        depth: entry.depth,
        best: entry.best,
        nodes: entry.nodes,
        ply,
        is_exhaustive: position.plies_left().is_some_and(|plies| u16::from(entry.depth) >= plies),
        is_on_pv: false,
    }
}

/// Whether an entry may be learned: found by a search here, not tainted, and with a legal move or none, since another
/// move would be another position's.
fn is_sound<G: Game>(entry: &Entry, moves: &[G::Move]) -> bool {
    let is_legal = entry.best == 0 || moves.iter().any(|&mv| G::code(mv).get() == entry.best);
    entry.origin == Origin::Search && !entry.tainted && is_legal
}

/// The positions on a line from the root, as far as its moves are legal.
fn line<G: Game>(root: &G, codes: &[u16]) -> Vec<G> {
    let mut positions = vec![root.clone()];
    let mut moves = Vec::new();
    for &code in codes {
        let Some(position) = positions.last() else { break };
        moves.clear();
        position.moves(&mut moves);
        let Some(&mv) = moves.iter().find(|&&mv| G::code(mv).get() == code) else { break };
        positions.push(position.play(mv));
    }
    positions
}
