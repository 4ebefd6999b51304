//! The records of a sub-tree.

use mnemon_memory::subtree::Subtree;
use mnemon_memory::{Item, Range, Store};

use super::batch;
use crate::Result;

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
