//! The records of a position, and of all positions that can follow it.

use std::collections::{HashSet, VecDeque};

use mnemon_memory::{Record, Source, Store};

use crate::Result;
use crate::notation::{Games, Position};
use crate::progress::DelayedBar;

/// The number of positions that are expanded before their children are looked up together.
const BATCH_SIZE: usize = 64;

/// The records of one position, by source.
pub(crate) type Views = Vec<(Source, Record)>;

/// The records of each of the positions, in their order; sources in the order of their names.
pub(crate) fn views(store: &dyn Store, game: &str, positions: &[Vec<u8>]) -> Result<Vec<Views>> {
    let slices: Vec<&[u8]> = positions.iter().map(Vec::as_slice).collect();
    let mut views = vec![Views::new(); positions.len()];
    store.get_many(game, &slices, &mut |number, source, record| views[number].push((source.clone(), record)))?;
    for of_position in &mut views {
        of_position.sort_by(|(a, _), (b, _)| a.cmp(b));
    }
    Ok(views)
}

/// The records of one position.
pub(crate) fn views_of(store: &dyn Store, position: &dyn Position) -> Result<Views> {
    let views = views(store, &position.game(), &[position.packed()])?;
    Ok(views.into_iter().flatten().collect())
}

/// Visits the records of the root and of every position that can be reached from it through positions that have
/// records, breadth first, each once. The root itself need not have any.
pub(crate) fn walk(
    store: &dyn Store,
    root: &dyn Position,
    bar: &DelayedBar,
    visit: &mut dyn FnMut(&[u8], Views) -> Result,
) -> Result {
    let (games, game) = (Games::new(), root.game());
    let of_root = views_of(store, root)?;
    if !of_root.is_empty() {
        visit(&root.packed(), of_root)?;
    }
    let mut known = HashSet::from([root.packed()]);
    let mut open = VecDeque::from([root.packed()]);
    while !open.is_empty() {
        let expanded = open.drain(..open.len().min(BATCH_SIZE));
        let positions = expanded.filter_map(|packed| games.unpack(&game, &packed));
        let mut children: Vec<Vec<u8>> =
            positions.flat_map(|position| position.children()).map(|(_, child)| child.packed()).collect();
        children.sort_unstable();
        children.dedup();
        children.retain(|child| !known.contains(child));
        for (child, views) in children.iter().zip(views(store, &game, &children)?) {
            if !views.is_empty() {
                bar.steps(views.len() as u64);
                visit(child, views)?;
                known.insert(child.clone());
                open.push_back(child.clone());
            }
        }
    }
    Ok(())
}
