//! The nodes of a search, and those of the same search after a restart.

use std::path::Path;
use std::sync::Arc;

use mnemon_memory::policy::{Policy, Resume};
use mnemon_memory::{Access, Memory, Session, Source, open};
use mnemon_search::games::{Rules, Synthetic};
use mnemon_search::random::Random;
use mnemon_search::{Game, Limits, Silent};
use mnemon_table::Table;

use super::Measurement;
use crate::connect4_sample::random_board;
use crate::{Console, Result};

const POSITIONS: u32 = 12;

pub(super) fn measure(_console: &dyn Console, folder: &Path, _records: u64) -> Result<Vec<Measurement>> {
    let synthetic = (0..POSITIONS).map(|seed| Synthetic::new(Rules { gain: 30, ..Rules::noise(seed, 6, 60, 15) }));
    let mut random = Random::new(1);
    let boards = (0..POSITIONS).map(|_| random_board(&mut random, 14));
    Ok(vec![
        compare(&folder.join("synthetic.mnemon"), "the synthetic game", synthetic, 11)?,
        compare(&folder.join("connect4.mnemon"), "Connect Four with 14 stones", boards, 14)?,
    ])
}

/// Searches each position twice, each time with a new table and with the memory opened again.
fn compare<G: Game + 'static>(
    path: &Path,
    game: &str,
    positions: impl Iterator<Item = G>,
    depth: u8,
) -> Result<Measurement> {
    let (mut cold, mut warm) = (0, 0);
    for position in positions {
        let [first, second] = [nodes(path, &position, depth)?, nodes(path, &position, depth)?];
        cold += first;
        warm += second;
    }
    let percent = warm as f64 * 100.0 / cold as f64;
    let what = format!("`resume` on {game}, {POSITIONS} positions to depth {depth}");
    let measured = format!("{warm} nodes after the restart, {cold} before it: {percent:.4} %");
    Ok(Measurement::new(what, measured).with_goal("at most 2 %", percent <= 2.0))
}

fn nodes<G: Game + 'static>(path: &Path, position: &G, depth: u8) -> Result<u64> {
    let store = open(path, Access::Create)?;
    let memory = Memory::new(store, Source::engine("lab", "1"), Policy::Resume(Resume::default()));
    let mut session: Session = Session::new(memory, Arc::new(Table::new(64 << 20)?));
    let outcome = session.search(position, 0, |search| search.limits = Limits::depth(depth), &mut Silent)?;
    session.memory().sync()?;
    Ok(outcome.search.stats.nodes)
}
