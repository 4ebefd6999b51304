//! The time of a recall of a hundred thousand records.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mnemon_memory::policy::{Policy, Resume, Tree};
use mnemon_memory::recall::Budget;
use mnemon_memory::{Access, Memory, Session, Source, Store, open};
use mnemon_search::games::{Rules, Synthetic};
use mnemon_search::{Limits, Silent};
use mnemon_table::Table;

use super::Measurement;
use crate::{Console, Result};

const RECORDS: usize = 100_000;
const ROUNDS: usize = 5;

pub(super) fn measure(_console: &dyn Console, folder: &Path, _records: u64) -> Result<Vec<Measurement>> {
    let root = Synthetic::new(Rules { gain: 30, ..Rules::noise(1, 6, 60, 15) });
    let store = open(folder.join("recall.mnemon"), Access::Create)?;
    learn(&store, &root)?;
    let records = store.statistics()?.records() as usize;
    let through = fastest(&store, &root, Budget::UNLIMITED)?;
    // A budget of one record less than all forbids reading the memory through, so it is walked position by position.
    let walked = fastest(&store, &root, Budget { positions: records - 1, ..Budget::UNLIMITED })?;
    let playing = recalled(&store, &root, Budget::PLAYING)?;
    Ok(vec![
        Measurement::new(format!("{records} records, the whole memory, read through"), milliseconds(through))
            .with_goal("under 100 ms", through < Duration::from_millis(100)),
        Measurement::new("the same, walked from position to position as in a larger memory", milliseconds(walked))
            .with_goal("under 100 ms", walked < Duration::from_millis(100)),
        Measurement::new(
            "within the budget of 5 ms for playing",
            format!("{} records in {}", playing.0, milliseconds(playing.1)),
        ),
    ])
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

/// Searches deeper until there are [`RECORDS`] records, and keeps no more.
fn learn(store: &Arc<dyn Store>, root: &Synthetic) -> Result {
    let policy = Policy::Tree(Tree { most: RECORDS, ..Tree::default() });
    for depth in 8..20 {
        let memory = Memory::new(store.clone(), Source::engine("lab", "1"), policy);
        let mut session: Session = Session::new(memory, Arc::new(Table::new(256 << 20)?));
        session.search(root, 0, |search| search.limits = Limits::depth(depth), &mut Silent)?;
        session.memory().sync()?;
        if store.statistics()?.records() as usize >= RECORDS {
            break;
        }
    }
    Ok(())
}

fn recalled(store: &Arc<dyn Store>, root: &Synthetic, budget: Budget) -> Result<(usize, Duration)> {
    let table: Table = Table::new(64 << 20)?;
    // The system allocates pages when they are first written: that time is not the recall's.
    table.clear(1);
    let mut memory = Memory::new(store.clone(), Source::engine("lab", "1"), Policy::Resume(Resume::default()));
    let recalled = memory.begin(root, &table, budget, None)?;
    Ok((recalled.entries, recalled.time))
}

fn fastest(store: &Arc<dyn Store>, root: &Synthetic, budget: Budget) -> Result<Duration> {
    let mut fastest = Duration::MAX;
    for _ in 0..ROUNDS {
        fastest = fastest.min(recalled(store, root, budget)?.1);
    }
    Ok(fastest)
}
