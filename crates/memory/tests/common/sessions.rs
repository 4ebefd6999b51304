//! Sessions that share a memory as restarted programs do.

use std::sync::Arc;

use mnemon_memory::policy::Policy;
use mnemon_memory::walk::Budget;
use mnemon_memory::{Memory, RamStore, Session, Source, Thought};
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
pub(crate) fn think<G: Game + 'static>(session: &mut Session, root: &G, ply: u16, depth: u8) -> Thought<G::Move> {
    let thought = session.think(root, ply, |search| search.limits = Limits::depth(depth), &mut Silent);
    session.memory().sync().expect("RAM does not fail");
    thought.expect("RAM does not fail")
}
