//! Bytes on disk for each chess position, on positions that searches learned.

use std::path::Path;
use std::sync::Arc;

use mnemon_chess::Position;
use mnemon_engine::EvaluatedPosition;
use mnemon_memory::policy::{Policy, Tree};
use mnemon_memory::{Access, Memory, Session, Source, Store, open};
use mnemon_search::random::Random;
use mnemon_search::{Game, Limits, Silent};
use mnemon_table::Table;

use super::Measurement;
use crate::Result;
use crate::console::{Console, ProgressBar};
use crate::random::random_moves;

/// More records would not change the mean.
const MAX_RECORDS: u64 = 1_000_000;
const DEPTH: u8 = 6;

pub(super) fn measure(console: &dyn Console, folder: &Path, records: u64) -> Result<Vec<Measurement>> {
    let wanted = records.min(MAX_RECORDS);
    let path = folder.join("chess.mnemon");
    let store = open(&path, Access::Create)?;
    let policy = Policy::Tree(Tree { least_depth: 2, ..Tree::default() });
    let memory = Memory::new(store.clone(), Source::engine("lab", "1"), policy);
    let mut session: Session = Session::new(memory, Arc::new(Table::new(256 << 20)?));
    let progress = ProgressBar::of(console, "chess positions", wanted);
    let mut random = Random::new(7);
    let mut learned = 0;
    while learned < wanted {
        let root = opening(&mut random);
        session.search(&EvaluatedPosition(root), 8, |search| search.limits = Limits::depth(DEPTH), &mut Silent)?;
        session.memory().sync()?;
        let records = store.statistics()?.records();
        progress.advance(records - learned);
        learned = records;
    }
    drop(progress);
    // Closing writes the log into the file, as between two sessions.
    drop((session, store));
    let store = open(&path, Access::Create)?;
    let fresh = bytes_each(&*store)?;
    if let Some(upkeep) = store.upkeep() {
        upkeep.compact()?;
    }
    let compacted = bytes_each(&*store)?;
    let records = store.statistics()?.records();
    let met = |bytes: f64| bytes <= 64.0;
    Ok(vec![
        Measurement::new(
            format!("a chess position, {records} of them as searches learned them"),
            format!("{fresh:.1} bytes"),
        )
        .with_goal("64 bytes", met(fresh)),
        Measurement::new("the same after `mnemon memory compact`", format!("{compacted:.1} bytes"))
            .with_goal("64 bytes", met(compacted)),
    ])
}

fn bytes_each(store: &dyn Store) -> Result<f64> {
    let statistics = store.statistics()?;
    Ok(statistics.bytes as f64 / statistics.records() as f64)
}

/// A position after eight random plies that is not the end of a game; the start if they lead to one.
fn opening(random: &mut Random) -> Position {
    let position = random_moves(Position::start(), 8, random);
    if position.outcome().is_some() { Position::start() } else { position }
}
