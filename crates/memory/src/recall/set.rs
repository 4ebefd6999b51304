//! What a recall found, and the table that is filled from it.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::time::Duration;

use mnemon_search::Game;
use mnemon_table::replace::Replace;
use mnemon_table::{Entry, Layout, Table};

use super::standing::Standing;
use crate::policy::{EntryRules, Policy};
use crate::{Key, Lines, MemoryId, Record, Source};

/// What a memory knows for a search of one root, as a policy reads it: positions with their records and values. It is
/// complete in itself; [`fill`](Self::fill) puts it into a table, and other consumers may print it or draw it.
#[derive(Clone, Debug)]
pub struct RecallSet {
    policy: Policy,
    rules: EntryRules,
    game: Arc<str>,
    /// Sorted by key, which is also the order of the table's lines.
    positions: Vec<RecalledPosition>,
    /// The records of all positions; each position has a range of them.
    records: Vec<(Source, Record)>,
    root: RecalledRoot,
    is_complete: bool,
    time: Duration,
    /// The contributors that the values rest on.
    foundations: BTreeSet<MemoryId>,
}

/// A position that a recall found.
#[derive(Clone, Debug)]
pub struct RecalledPosition {
    /// Its hash, as the table knows it.
    pub key: u64,
    /// Its packed form, as the memory knows it.
    pub packed: Box<[u8]>,
    /// What the policy takes from the records: one of them, or the value that is backed up from what is known below; of
    /// what is not believed, the move alone.
    pub value: Record,
    /// How far the search believes it.
    pub standing: Standing,
    /// Where its records begin and end in the set's.
    records: (u32, u32),
}

/// What is known of the root itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecalledRoot {
    /// Each source's record.
    pub records: Vec<(Source, Record)>,
    /// What is believed of it; empty if that is nothing, or a move alone.
    pub value: Record,
    /// The root's table entry, as the policy makes it; `None` if the policy's reach does not include the root.
    pub entry: Option<Entry>,
    /// The codes of the best moves from the root on, through positions of the set, up to the first repetition.
    pub line: Vec<u16>,
    /// The lines of earlier searches of the root that are believed.
    pub lines: Lines,
}

/// The longest line that is followed.
const MAX_LINE: usize = 128;

impl RecallSet {
    /// A set without positions.
    pub(super) fn new(policy: &Policy, game: Arc<str>) -> Self {
        let (positions, records) = (Vec::new(), Vec::new());
        let (root, foundations) = (RecalledRoot::default(), BTreeSet::new());
        let (is_complete, time) = (true, Duration::ZERO);
        let rules = EntryRules::default();
        RecallSet { policy: *policy, rules, game, positions, records, root, is_complete, time, foundations }
    }

    /// The positions, in the order of their keys.
    pub fn positions(&self) -> &[RecalledPosition] {
        &self.positions
    }

    /// Each source's record for a position of this set.
    pub fn records(&self, position: &RecalledPosition) -> &[(Source, Record)] {
        let (start, end) = position.records;
        self.records.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The table entry that the policy makes of a position's value.
    pub fn entry(&self, position: &RecalledPosition) -> Entry {
        self.policy.entry_by(self.rules, &position.value, position.standing == Standing::Own)
    }

    /// Makes entries by these rules from now on.
    pub fn set_rules<G: Game>(&mut self, rules: EntryRules, root: &G) {
        self.rules = rules;
        self.root.entry = self.get(root).map(|position| self.entry(position));
    }

    /// The position as the set knows it; `None` if it is not in the set.
    pub fn get<G: Game>(&self, position: &G) -> Option<&RecalledPosition> {
        let key = position.key();
        let first = self.positions.partition_point(|known| known.key < key);
        let mut packed = Vec::new();
        position.pack(&mut packed);
        self.positions[first..].iter().take_while(|known| known.key == key).find(|known| *known.packed == *packed)
    }

    /// What is known of the root itself.
    pub fn root(&self) -> &RecalledRoot {
        &self.root
    }

    /// Whether the budget sufficed for everything.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// How long the recall took.
    pub fn time(&self) -> Duration {
        self.time
    }

    /// Stores the entry of every position in the table; returns how many were stored. Two positions with the same hash
    /// cannot both be in a table: neither is stored.
    ///
    /// Call [`Table::new_generation`] before: recalled entries are protected in the current generation only.
    pub fn fill<L: Layout, R: Replace>(&self, table: &Table<L, R>) -> usize {
        self.distinct().map(|position| table.store(position.key, self.entry(position))).count()
    }

    /// The hashes and the keys of the positions whose value is `own`'s and enters a table.
    pub fn own_keys(&self, own: &Source) -> Vec<(u64, Key)> {
        let positions = self.distinct().filter(|position| position.standing == Standing::Own);
        positions.map(|position| (position.key, Key::new(&self.game, position.packed.clone(), own))).collect()
    }

    /// The positions whose hash no other position of the set has.
    fn distinct(&self) -> impl Iterator<Item = &RecalledPosition> {
        let key = |index: usize| self.positions.get(index).map(|position| position.key);
        self.positions.iter().enumerate().filter_map(move |(index, position)| {
            let before = index.checked_sub(1).and_then(key);
            (before != Some(position.key) && key(index + 1) != Some(position.key)).then_some(position)
        })
    }

    /// Makes room for this many positions.
    pub(super) fn reserve(&mut self, positions: usize) {
        self.positions.reserve(positions);
        self.records.reserve(positions);
    }

    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    /// Adds a position with its records, which are taken out of the vector.
    pub(super) fn push(
        &mut self,
        (key, packed): (u64, Box<[u8]>),
        (value, standing): (Record, Standing),
        records: &mut Vec<(Source, Record)>,
    ) {
        let start = self.records.len() as u32;
        self.records.append(records);
        let records = (start, self.records.len() as u32);
        self.positions.push(RecalledPosition { key, packed, value, standing, records });
    }

    /// Keeps the positions that were added first.
    pub(super) fn truncate(&mut self, positions: usize) {
        self.positions.truncate(positions);
    }

    /// The budget ended before everything was read.
    pub(super) fn set_incomplete(&mut self) {
        self.is_complete = false;
    }

    /// A value of this source is in the set.
    pub(super) fn rest_on(&mut self, source: &Source) {
        self.foundations.extend(source.foundations());
    }

    /// The contributors that the values of the set rest on: what a search finds with them rests on them, too.
    pub fn foundations(&self) -> &BTreeSet<MemoryId> {
        &self.foundations
    }

    /// Completes the set: sorts it, and reads the root's value and line from it.
    pub(super) fn finish<G: Game>(&mut self, root: &G, found: RecalledRoot) {
        self.positions.sort_unstable_by_key(|position| position.key);
        let entry = self.get(root).map(|position| self.entry(position));
        self.root = RecalledRoot { entry, line: self.line(root), ..found };
    }

    pub(super) fn set_time(&mut self, time: Duration) {
        self.time = time;
    }

    /// The codes of the best moves from the root on.
    fn line<G: Game>(&self, root: &G) -> Vec<u16> {
        let (mut line, mut seen, mut position) = (Vec::new(), Vec::new(), root.clone());
        let mut moves = Vec::new();
        while line.len() < MAX_LINE && !seen.contains(&position.key()) {
            let Some(known) = self.get(&position) else { break };
            moves.clear();
            position.moves(&mut moves);
            let Some(&mv) = moves.iter().find(|&&mv| G::code(mv).get() == known.value.best) else { break };
            line.push(known.value.best);
            seen.push(position.key());
            position = position.play(mv);
        }
        line
    }
}

/// What a recall contributed to a search: small enough to be kept while the search runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecallSummary {
    /// How many positions entered the table.
    pub entries: usize,
    /// What is known of the root itself.
    pub root: RecalledRoot,
    /// Whether the budget sufficed for everything.
    pub is_complete: bool,
    /// How long it took, the filling of the table included.
    pub time: Duration,
    /// The searching engine's own records that entered the table, with the hashes of their positions, if the policy renews
    /// what is used.
    pub own: Vec<(u64, Key)>,
    /// What is said of the root and not believed: advice, and what contributors say who are not trusted.
    pub hearsay: Vec<Hearsay>,
}

impl RecallSummary {
    /// The keys of the engine's own records that a search used, by the hashes of their positions.
    pub fn used_by(&self, hashes: &[u64]) -> Vec<Key> {
        let used: HashSet<u64> = hashes.iter().copied().collect();
        self.own.iter().filter(|(hash, _)| used.contains(hash)).map(|(_, key)| key.clone()).collect()
    }
}

/// A source's record of a position that is not believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hearsay {
    /// Who says so.
    pub source: Source,
    /// His name, as [`Source::described`] gives it.
    pub author: String,
    /// What he says.
    pub record: Record,
}
