//! What a memory knows of a position and of everything that can follow it.

use std::collections::{HashSet, VecDeque};

use mnemon_memory::{Record, Source, Store};

use crate::Result;
use crate::notation::{Games, Position};
use crate::progress::Patient;

/// So many positions are expanded before their children are looked up together.
const TOGETHER: usize = 64;

/// Everything that the memory knows of one position.
pub(crate) type Views = Vec<(Source, Record)>;

/// What is known of each of the positions, in their order; sources in the order of their names.
pub(crate) fn views(store: &dyn Store, game: &str, positions: &[Vec<u8>]) -> Result<Vec<Views>> {
    let slices: Vec<&[u8]> = positions.iter().map(Vec::as_slice).collect();
    let mut views = vec![Views::new(); positions.len()];
    store.get_many(game, &slices, &mut |number, source, record| views[number].push((source.clone(), record)))?;
    for of_position in &mut views {
        of_position.sort_by(|(a, _), (b, _)| a.cmp(b));
    }
    Ok(views)
}

/// What is known of one position.
pub(crate) fn views_of(store: &dyn Store, position: &dyn Position) -> Result<Views> {
    let views = views(store, &position.game(), &[position.packed()])?;
    Ok(views.into_iter().flatten().collect())
}

/// Visits what is known of the root and of every position that can be reached from it through positions that are
/// known, breadth first, each once. The root itself need not be known.
pub(crate) fn walk(
    store: &dyn Store,
    root: &dyn Position,
    bar: &Patient,
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
        let expanded = open.drain(..open.len().min(TOGETHER));
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
