//! Learn: after a search, what the table found enters the memory.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use mnemon_search::Game;
use mnemon_table::replace::Replace;
use mnemon_table::{Entry, Layout, Origin, Table};

use crate::policy::{Policy, Retention, Searched, claims};
use crate::{Flags, Item, Key, Origins, Record, Source};

/// What the policy wants to be kept of a finished search: the items to merge into the memory.
///
/// Walks from the root through the table. What a repetition or a move counter made is left out, and so is what was
/// itself recalled, and everything that two positions with the same hash might have mixed up.
pub fn collect_records<G: Game, L: Layout, R: Replace>(
    policy: &Policy,
    own: &Source,
    root: &G,
    table: &Table<L, R>,
    searched: &Searched,
) -> Vec<Item> {
    let game = Arc::from(G::name());
    let root_item = |record| Item { key: Key::new(&game, packed(root), own), record };
    match policy.retention(searched) {
        Retention::Nothing => Vec::new(),
        Retention::Root(record) => vec![root_item(record)],
        Retention::Tree { root: record, least_depth, most } => {
            let mut walk = TableWalk { table, searched, least_depth, found: Vec::new(), by_key: HashMap::new() };
            walk.walk(root, most);
            walk.mark(&line(root, &searched.pv));
            let mut items = walk.items(&game, own);
            items.extend(record.map(root_item));
            items
        }
    }
}

/// A walk through the table.
struct TableWalk<'a, L: Layout, R: Replace> {
    table: &'a Table<L, R>,
    searched: &'a Searched,
    least_depth: u8,
    /// Each position that the table knows, and what is to be kept of it.
    found: Vec<(Box<[u8]>, Option<Record>)>,
    /// The position of each hash, by its number; `None` where several positions have it.
    by_key: HashMap<u64, Option<usize>>,
}

impl<L: Layout, R: Replace> TableWalk<'_, L, R> {
    /// Breadth first, through every position that the table knows to the least depth, to `most` of them.
    fn walk<G: Game>(&mut self, root: &G, most: usize) {
        let mut waiting = VecDeque::from([(root.clone(), 0_u16)]);
        let mut moves = Vec::new();
        while let Some((position, ply)) = waiting.pop_front() {
            let entry = self.table.probe(position.key());
            let leads_on = ply == 0 || entry.is_some_and(|entry| entry.depth >= self.least_depth);
            if !leads_on || self.found.len() >= most || !self.is_new(&position) {
                continue;
            }
            moves.clear();
            position.moves(&mut moves);
            let record =
                entry.filter(|entry| is_sound::<G>(entry, &moves)).map(|entry| self.record(&position, &entry, ply));
            self.found.push((packed(&position), record));
            waiting.extend(moves.iter().map(|&mv| (position.play(mv), ply + 1)));
        }
    }

    /// Whether the position was not met before. Its number will be the next.
    fn is_new<G: Game>(&mut self, position: &G) -> bool {
        let number = self.found.len();
        match self.by_key.entry(position.key()) {
            std::collections::hash_map::Entry::Vacant(vacant) => {
                vacant.insert(Some(number));
                true
            }
            std::collections::hash_map::Entry::Occupied(mut taken) => {
                let other = taken.get().map(|number| &self.found[number].0);
                if other.is_some_and(|other| **other != *packed(position)) {
                    taken.insert(None);
                }
                false
            }
        }
    }

    fn record<G: Game>(&self, position: &G, entry: &Entry, ply: u16) -> Record {
        let exhaustive = position.plies_left().is_some_and(|plies| u16::from(entry.depth) >= plies);
        let (lower, upper) = claims(entry.window, entry.depth, exhaustive);
        let game_ply = self.searched.game_ply;
        Record {
            lower,
            upper,
            best: entry.best,
            origins: Origins::SEARCH,
            flags: Flags::NONE,
            game_ply: if game_ply == Record::NO_PLY { game_ply } else { game_ply.saturating_add(ply) },
            root_ply: ply,
            nodes: entry.nodes,
            time: self.searched.time,
        }
    }

    /// Notes which positions stand on the principal variation.
    fn mark<G: Game>(&mut self, line: &[G]) {
        for position in line {
            if let Some(&Some(number)) = self.by_key.get(&position.key())
                && let (_, Some(record)) = &mut self.found[number]
            {
                record.origins = record.origins.union(Origins::PV);
            }
        }
    }

    fn items(self, game: &Arc<str>, own: &Source) -> Vec<Item> {
        let mut shared = vec![true; self.found.len()];
        for number in self.by_key.into_values().flatten() {
            shared[number] = false;
        }
        let alone = self.found.into_iter().zip(shared).filter(|(_, shared)| !shared);
        let records = alone.filter_map(|((position, record), _)| Some((position, record?)));
        let items = records.map(|(position, record)| Item { key: Key::new(game, position, own), record });
        let mut items: Vec<Item> = items.filter(|item| !item.record.is_empty()).collect();
        items.sort_unstable_by(|a, b| a.key.position.cmp(&b.key.position));
        items
    }
}

/// Whether an entry may be kept: found by this program's own searches, the position's own, and with a move that is legal,
/// if any, since another move would be another position's.
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

fn packed<G: Game>(position: &G) -> Box<[u8]> {
    let mut bytes = Vec::new();
    position.pack(&mut bytes);
    bytes.into()
}
