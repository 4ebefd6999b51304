//! Sessions that share a memory as restarted programs do.

use std::sync::Arc;

use mnemon_memory::learn::{TableWalk, collect_records};
use mnemon_memory::policy::{Policy, Resume, Searched};
use mnemon_memory::recall::{Budget, RecallSet, recall};
use mnemon_memory::{Item, Memory, RamStore, Session, SessionOutcome, Source, Store, Trust};
use mnemon_search::games::{Rules, Synthetic};
use mnemon_search::{Game, Limits, Silent};
use mnemon_table::Table;

pub(crate) fn engine() -> Source {
    Source::engine("tested", "1")
}

/// A session with a table that knows nothing, as after a restart.
pub(crate) fn restarted(store: &Arc<RamStore>, policy: Policy) -> Session {
    let table = Arc::new(Table::new(4 << 20).expect("four megabytes"));
    let mut session = Session::new(Memory::new(store.clone(), engine(), policy), table);
    session.budget = Budget::UNLIMITED;
    session
}

/// Searches the position to a depth, and waits until what was learned is written.
pub(crate) fn search<G: Game + 'static>(
    session: &mut Session,
    root: &G,
    ply: u16,
    depth: u8,
) -> SessionOutcome<G::Move> {
    let outcome = session.search(root, ply, |search| search.limits = Limits::depth(depth), &mut Silent);
    session.memory().sync().expect("RAM does not fail");
    outcome.expect("RAM does not fail")
}

/// Fills the table with what the store knows; returns how many entries that were, and the set.
pub(crate) fn fill<G: Game>(
    store: &dyn Store,
    policy: &Policy,
    root: &G,
    table: &Table,
    budget: Budget,
) -> (usize, RecallSet) {
    let set = recall(store, policy, (&engine(), &Trust::default()), root, budget.fitting(table), None)
        .expect("RAM does not fail");
    (set.fill(table), set)
}

/// Resume with this least depth.
pub(crate) fn resume(least_depth: u8) -> Policy {
    Policy::Resume(Resume { least_depth, ..Resume::default() })
}

/// A synthetic game with random scores and sudden ends.
pub(crate) fn noisy(seed: u32) -> Synthetic {
    Synthetic::new(Rules { sudden_end: 60, ..Rules::noise(seed, 4, 14, 100) })
}

/// What is learned from the table after a search of which nothing but the table is known.
pub(crate) fn learned<G: Game>(policy: &Policy, root: &G, table: &Arc<Table>) -> Vec<Item> {
    let searched = Searched::default();
    let retention = policy.retention(&searched);
    collect_records(&retention, &engine(), root, &searched, TableWalk::new(root, table, &retention, &[]))
}
