//! The path to a node: the positions played before the root, and those from the root down.

use crate::{Game, PathDependency};

/// The positions that a node must not repeat. In a game without cycles it stays empty and costs nothing.
pub(crate) struct Path<'a, G> {
    /// The keys of positions played before the root.
    history: &'a [u64],
    /// The keys of the positions from the root down, by ply. Those from the current node's ply on are left over from
    /// other paths.
    keys: Vec<u64>,
    positions: Vec<G>,
}

impl<'a, G: Game> Path<'a, G> {
    pub(crate) fn new(history: &'a [u64]) -> Self {
        Path { history, keys: Vec::new(), positions: Vec::new() }
    }

    /// The path that ends at the root, after the same history.
    pub(crate) fn at_root(&self) -> Self {
        Path::new(self.history)
    }

    /// Puts the position on the path at its ply, and drops what was there from that ply on.
    #[inline]
    pub(crate) fn push(&mut self, position: &G, ply: u16) {
        if G::CYCLES {
            self.keys.truncate(ply.into());
            self.keys.push(position.key());
            self.positions.truncate(ply.into());
            self.positions.push(position.clone());
        }
    }

    /// What the draw depends on if the path makes the position, `ply` plies below the root, a draw: by a move counter or
    /// by repetition. `None` if it does not. The root is never drawn, since a move must be found for it.
    #[inline]
    pub(crate) fn draw(&self, position: &G, ply: u16) -> Option<PathDependency> {
        if ply == 0 {
            None
        } else if position.is_drawn_by_counter() {
            Some(PathDependency::BEFORE_ROOT)
        } else if G::CYCLES {
            self.repetition(position, ply)
        } else {
            None
        }
    }

    /// The earlier occurrence of the position.
    fn repetition(&self, position: &G, ply: u16) -> Option<PathDependency> {
        let key = position.key();
        if self.history.contains(&key) {
            return Some(PathDependency::BEFORE_ROOT);
        }
        let mut above = (0..ply).zip(self.keys.iter().zip(&self.positions));
        let earlier = above.find(|(_, (earlier_key, earlier))| **earlier_key == key && *earlier == position);
        earlier.map(|(ply, _)| PathDependency::on_ply(ply))
    }
}
