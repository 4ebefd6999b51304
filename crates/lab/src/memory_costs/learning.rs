//! The speed of searches that learn and of searches that do not, in turns.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mnemon_memory::policy::{Policy, Resume};
use mnemon_memory::{Access, Memory, Session, Source, open};
use mnemon_search::games::{Rules, Synthetic};
use mnemon_search::{Limits, Silent};
use mnemon_table::Table;

use super::Measurement;
use crate::Result;
use crate::console::{Console, ProgressBar};
use crate::statistics::median;

/// Turns of each kind, and searches in a turn: while one runs, the findings of the last one are written.
const TURNS: u32 = 20;
const SEARCHES: u32 = 6;
const DEPTH: u8 = 13;

pub(super) fn measure(console: &dyn Console, folder: &Path, _records: u64) -> Result<Vec<Measurement>> {
    let store = open(folder.join("learning.mnemon"), Access::Create)?;
    let progress = ProgressBar::of(console, "learning", u64::from(2 * TURNS));
    let mut speeds = [Vec::new(), Vec::new()];
    let mut learned = 0;
    for turn in 0..TURNS {
        for (policy, speeds) in [Policy::Off, Policy::Resume(Resume::default())].into_iter().zip(&mut speeds) {
            let memory = Memory::new(store.clone(), Source::engine("lab", "1"), policy);
            let mut session: Session = Session::new(memory, Arc::new(Table::new(64 << 20)?));
            speeds.push(speed(&mut session, turn * SEARCHES)?);
            learned += session.memory().sync()?.merged.added;
            progress.advance(1);
        }
    }
    drop(progress);
    let ratio = median(speeds[1].iter().zip(&speeds[0]).map(|(with, without)| with / without));
    let each = learned / u64::from(TURNS * SEARCHES);
    let what =
        format!("nodes a second with `resume`, {each} records a search, to those without (median of {TURNS} turns)");
    let cost = (1.0 - ratio) * 100.0;
    Ok(vec![
        Measurement::new(what, format!("{ratio:.4}: {cost:.2} % lost")).with_goal("less than 1 % lost", cost < 1.0),
    ])
}

/// Nodes a second over one turn, of positions that are not in the memory.
fn speed(session: &mut Session, first: u32) -> Result<f64> {
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for seed in first..first + SEARCHES {
        let root = Synthetic::new(Rules { gain: 30, ..Rules::noise(1_000 + seed, 6, 60, 15) });
        let outcome = session.search(&root, 0, |search| search.limits = Limits::depth(DEPTH), &mut Silent)?;
        nodes += outcome.search.stats.nodes;
        time += outcome.search.time;
    }
    Ok(nodes as f64 / time.as_secs_f64())
}
