//! The way to a node: what was played before the root, and the positions from the root down.

use crate::Game;
use crate::path_score::PathDependency;

/// The positions that a node must not repeat. A game without cycles has no use for it and pays nothing.
pub(crate) struct Path<'a, G> {
    /// The keys of positions played before the root.
    history: &'a [u64],
    /// The keys of the positions from the root down, by ply; those beyond the node that is asked about are stale.
    keys: Vec<u64>,
    positions: Vec<G>,
}

impl<'a, G: Game> Path<'a, G> {
    pub(crate) fn new(history: &'a [u64]) -> Self {
        Path { history, keys: Vec::new(), positions: Vec::new() }
    }

    /// An empty path after the same history.
    pub(crate) fn anew(&self) -> Self {
        Path::new(self.history)
    }

    /// Puts the position on the path, below those of the plies before.
    #[inline]
    pub(crate) fn step(&mut self, position: &G, ply: u16) {
        if G::CYCLES {
            self.keys.truncate(ply.into());
            self.keys.push(position.key());
            self.positions.truncate(ply.into());
            self.positions.push(position.clone());
        }
    }

    /// Whether the way to the position, `ply` plies below the root, makes it a draw, and since when: its moves are
    /// counted out, or it was there before. The root itself never is, since a move must be found for it.
    #[inline]
    pub(crate) fn draws(&self, position: &G, ply: u16) -> Option<PathDependency> {
        if ply == 0 {
            None
        } else if position.is_drawn_by_counter() {
            Some(PathDependency::BEFORE_ROOT)
        } else if G::CYCLES {
            self.repeats(position, ply)
        } else {
            None
        }
    }

    /// Where the position was before.
    fn repeats(&self, position: &G, ply: u16) -> Option<PathDependency> {
        let key = position.key();
        if self.history.contains(&key) {
            return Some(PathDependency::BEFORE_ROOT);
        }
        let mut above = (0..ply).zip(self.keys.iter().zip(&self.positions));
        above
            .find(|(_, (known, there))| **known == key && *there == position)
            .map(|(ply, _)| PathDependency::on_ply(ply))
    }
}
