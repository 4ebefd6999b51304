//! Recall: before a search, what the memory knows enters the table.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mnemon_search::Game;
use mnemon_table::replace::Replace;
use mnemon_table::{Entry, Layout, Table};

use super::known::{Budget, NEVER, chosen, explore_until};
use crate::policy::{Policy, Reach, tree};
use crate::{Item, Key, Range, Record, Result, Source, Store};

/// What was recalled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recalled {
    /// How many positions entered the table.
    pub entries: usize,
    /// What each source says of the root.
    pub root: Vec<(Source, Record)>,
    /// Whether the budget sufficed for everything.
    pub is_complete: bool,
    /// How long it took.
    pub time: Duration,
    /// The searching engine's own records that entered the table, if the policy refreshes what is used.
    pub used: Vec<Key>,
}

/// Copies what the store knows into the table, as the policy wants it, for a search of `root` by `own`.
///
/// Call [`Table::new_generation`] before: recalled entries are protected in the living generation only. Two positions
/// with the same hash cannot both stand in a table: neither enters it.
///
/// # Errors
/// A store that cannot be read. Then nothing enters the table.
pub fn recall<G: Game, L: Layout, R: Replace>(
    store: &dyn Store,
    policy: &Policy,
    own: &Source,
    root: &G,
    table: &Table<L, R>,
    budget: Budget,
) -> Result<Recalled> {
    recall_until(store, policy, own, root, table, budget, &NEVER)
}

/// As [`recall`], and not on once `stop` is set: what was found by then enters the table.
///
/// # Errors
/// As [`recall`].
pub fn recall_until<G: Game, L: Layout, R: Replace>(
    store: &dyn Store,
    policy: &Policy,
    own: &Source,
    root: &G,
    table: &Table<L, R>,
    budget: Budget,
    stop: &AtomicBool,
) -> Result<Recalled> {
    let start = Instant::now();
    let budget = Budget { positions: budget.positions.min(table.capacity() / TABLE_SHARE), ..budget };
    let gathering = Gathering { store, policy, own, game: Arc::from(G::name()), budget, stop, start };
    let mut gathered = match policy.reach() {
        Reach::Nothing => Gathered { is_complete: true, ..Gathered::default() },
        Reach::Below if gathering.is_quicker_read_through()? => gathering.read_through::<G>(false)?,
        Reach::Below => gathering.walk(root)?,
        Reach::BackedUp => gathering.back_up(root)?,
        Reach::EveryRoot => gathering.read_through::<G>(true)?,
    };
    let mut recalled = Recalled { is_complete: gathered.is_complete, ..Recalled::default() };
    if policy.reach() != Reach::Nothing {
        recalled.root = gathering.views_of(root)?;
    }
    if policy.reach() == Reach::Below {
        gathering.gather_root(root, &recalled.root, &mut gathered);
    }
    gathered.drop_equal_keys();
    for Entering { key, entry, .. } in &gathered.list {
        table.store(*key, *entry);
    }
    recalled.entries = gathered.list.len();
    if policy.refreshes() {
        let own_positions = gathered.list.into_iter().filter(|entering| entering.is_own);
        recalled.used = own_positions.map(|entering| Key::new(&gathering.game, entering.packed, own)).collect();
    }
    recalled.time = start.elapsed();
    Ok(recalled)
}

/// Recalled positions take no more than one in so many of the table's slots.
const TABLE_SHARE: usize = 4;

/// A position on its way into the table.
struct Entering {
    key: u64,
    packed: Box<[u8]>,
    entry: Entry,
    is_own: bool,
}

#[derive(Default)]
struct Gathered {
    list: Vec<Entering>,
    is_complete: bool,
}

impl Gathered {
    /// Sorts by key, which is also the table's order, and takes out positions that the table could not tell apart.
    fn drop_equal_keys(&mut self) {
        self.list.sort_unstable_by_key(|entering| entering.key);
        let keys: Vec<u64> = self.list.iter().map(|entering| entering.key).collect();
        let mut places = 0_usize..;
        self.list.retain(|entering| {
            let place = places.next().unwrap_or_default();
            let before = place.checked_sub(1).map(|before| keys[before]);
            before != Some(entering.key) && keys.get(place + 1) != Some(&entering.key)
        });
    }
}

/// The three ways to the records.
struct Gathering<'a> {
    store: &'a dyn Store,
    policy: &'a Policy,
    own: &'a Source,
    game: Arc<str>,
    budget: Budget,
    stop: &'a AtomicBool,
    start: Instant,
}

impl Gathering<'_> {
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.start.elapsed() >= self.budget.time
    }

    fn views_of<G: Game>(&self, position: &G) -> Result<Vec<(Source, Record)>> {
        let mut packed = Vec::new();
        position.pack(&mut packed);
        let mut views = Vec::new();
        self.store.get_many(&self.game, &[&packed], &mut |_, source, record| views.push((source.clone(), record)))?;
        Ok(views)
    }

    /// From position to position, each with the view to use of it.
    fn walk<G: Game>(&self, root: &G) -> Result<Gathered> {
        let known = explore_until(self.store, root, self.budget, self.stop)?;
        let mut gathered = Gathered { list: Vec::with_capacity(known.nodes.len()), is_complete: known.is_complete };
        for node in known.nodes {
            if let Some((record, is_own)) = chosen(&node.views, self.own) {
                let entry = self.policy.entry(record, is_own);
                gathered.list.push(Entering { key: node.position.key(), packed: node.packed, entry, is_own });
            }
        }
        Ok(gathered)
    }

    /// From position to position, each with the value that is backed up to it.
    fn back_up<G: Game>(&self, root: &G) -> Result<Gathered> {
        let known = explore_until(self.store, root, self.budget, self.stop)?;
        let values = tree::back_up(&known);
        let mut gathered = Gathered { list: Vec::with_capacity(known.nodes.len()), is_complete: known.is_complete };
        for (node, value) in known.nodes.into_iter().zip(values) {
            if !value.is_empty() {
                let is_own = node.views.iter().all(|(source, _)| source == self.own);
                let entry = self.policy.entry(&value, is_own);
                gathered.list.push(Entering { key: node.position.key(), packed: node.packed, entry, is_own });
            }
        }
        Ok(gathered)
    }

    /// Whether all records of the game are few enough to be read one after the other, which takes a fraction of the time
    /// of finding each.
    fn is_quicker_read_through(&self) -> Result<bool> {
        let statistics = self.store.statistics()?;
        let of_game = statistics.counts.iter().filter(|count| *count.game == *self.game);
        let records: u64 = of_game.map(|count| count.records).sum();
        let time = Duration::from_micros(records);
        Ok(records <= self.budget.positions as u64 && time <= self.budget.time)
    }

    /// All records of the game, or all roots of one's own.
    fn read_through<G: Game>(&self, roots: bool) -> Result<Gathered> {
        let source = roots.then_some(self.own);
        let range = Range { game: Some(&self.game), source, roots, ..Range::default() };
        let mut gathered = Gathered { is_complete: true, ..Gathered::default() };
        let mut position: Box<[u8]> = Box::default();
        let mut views: Vec<(Source, Record)> = Vec::new();
        self.store.scan(&range, &mut |Item { key, record }| {
            if key.position != position {
                let packed = std::mem::replace(&mut position, key.position);
                self.gather::<G>(&mut gathered, packed, &mut views);
                if gathered.list.len() >= self.budget.positions || self.is_over() {
                    gathered.is_complete = false;
                    return ControlFlow::Break(());
                }
            }
            views.push((key.source, record));
            ControlFlow::Continue(())
        })?;
        self.gather::<G>(&mut gathered, position, &mut views);
        Ok(gathered)
    }

    /// Takes in the root, also where the budget ended before it was reached: nothing is of more use.
    fn gather_root<G: Game>(&self, root: &G, views: &[(Source, Record)], gathered: &mut Gathered) {
        let mut packed = Vec::new();
        root.pack(&mut packed);
        if let Some((record, is_own)) = chosen(views, self.own)
            && !gathered.is_complete
            && !gathered.list.iter().any(|entering| *entering.packed == *packed)
        {
            let entry = self.policy.entry(record, is_own);
            gathered.list.push(Entering { key: root.key(), packed: packed.into(), entry, is_own });
        }
    }

    /// Takes in a position that was read, if it is one of the game's.
    fn gather<G: Game>(&self, gathered: &mut Gathered, packed: Box<[u8]>, views: &mut Vec<(Source, Record)>) {
        if let Some((record, is_own)) = chosen(views, self.own)
            && let Some(position) = G::unpack(&packed)
        {
            let entry = self.policy.entry(record, is_own);
            gathered.list.push(Entering { key: position.key(), packed, entry, is_own });
        }
        views.clear();
    }
}
