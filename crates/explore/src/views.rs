//! The records of positions, by source.

use mnemon_memory::{Record, Result, Source, Store};

use crate::notation::Position;

/// The records of one position, by source.
pub type Views = Vec<(Source, Record)>;

/// The records of each of the positions, in their order; sources in the order of their names.
///
/// # Errors
/// A store that cannot be read.
pub fn views(store: &dyn Store, game: &str, positions: &[Vec<u8>]) -> Result<Vec<Views>> {
    let slices: Vec<&[u8]> = positions.iter().map(Vec::as_slice).collect();
    let mut views = vec![Views::new(); positions.len()];
    store.get_many(game, &slices, &mut |number, source, record| views[number].push((source.clone(), record)))?;
    for of_position in &mut views {
        of_position.sort_by(|(a, _), (b, _)| a.cmp(b));
    }
    Ok(views)
}

/// The records of one position.
///
/// # Errors
/// A store that cannot be read.
pub fn views_of(store: &dyn Store, position: &dyn Position) -> Result<Views> {
    let views = views(store, &position.game(), &[position.packed()])?;
    Ok(views.into_iter().flatten().collect())
}
