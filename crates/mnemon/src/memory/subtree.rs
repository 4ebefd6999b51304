//! The records of a position, and of its sub-tree.

use mnemon_memory::subtree::Subtree;
use mnemon_memory::{Item, Range, Record, Source, Store};

use super::batch;
use crate::Result;
use crate::notation::Position;

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

/// Visits every record of the sub-tree with the index of its member, in the order of the store's keys.
pub(crate) fn each(
    store: &dyn Store,
    game: &str,
    subtree: &Subtree,
    mut visit: impl FnMut(usize, Item) -> Result,
) -> Result {
    batch::each(store, &Range { game: Some(game), ..Range::default() }, |item| {
        subtree.find(&item.key.position).map_or(Ok(()), |member| visit(member, item))
    })
}
