//! The key of a record.

use std::sync::Arc;

use crate::Source;

/// The key of a record: the game, the exact position, and the source. Records of several sources for one position are
/// separate.
///
/// Positions are compared byte for byte, so two positions with the same hash have different keys.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// The game's name, as [`Game::name`](mnemon_search::Game::name) gives it.
    pub game: Arc<str>,
    /// The packed position, as [`Game::pack`](mnemon_search::Game::pack) writes it.
    pub position: Box<[u8]>,
    /// Whose record it is.
    pub source: Source,
}

impl Key {
    /// The key of a position.
    pub fn new(game: &Arc<str>, position: impl Into<Box<[u8]>>, source: &Source) -> Self {
        Key { game: Arc::clone(game), position: position.into(), source: source.clone() }
    }
}
