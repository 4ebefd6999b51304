//! The known positions of a game and the moves between them, as numbers.

use std::ops::ControlFlow;

use mnemon_search::Game;

use super::plies::Ply;
use super::{Children, SubtreeQuery};
use crate::recall::index::PositionIndex;
use crate::{Item, Range, Record, Result, Store};

/// All known positions of the game, the root, the line before it and the start of the game; and the moves between them.
pub(super) struct Graph {
    index: PositionIndex,
    /// The moves of all positions, one after the other, and where those of each end: a code, and the position it leads to.
    moves: Vec<(u16, usize)>,
    ends: Vec<usize>,
    /// The root's number, and its ply.
    pub(super) root: usize,
    pub(super) ply: Ply,
    entries: Vec<(Ply, usize)>,
}

impl Graph {
    /// Reads all records of the game in one scan.
    pub(super) fn read<G: Game>(store: &dyn Store, query: &SubtreeQuery<'_, G>) -> Result<Self> {
        let (mut index, seen) = scan::<G>(store)?;
        let root = index.number(query.root).0;
        let seen_root = seen.get(root).copied().unwrap_or(SeenAt::NEVER);
        // Of a root whose only count is that of an unnumbered FEN, other such counts are the ones to compare with.
        let is_numbered = query.ply.is_some() || seen_root.numbered != Record::NO_PLY;
        let count = |seen: &SeenAt| if is_numbered { seen.numbered } else { seen.any };
        let ply = query.ply.into_iter().chain([count(&seen_root)]).filter(|&ply| ply != Record::NO_PLY).min();
        let ply = Ply::from(ply.unwrap_or(0));

        let mut entries: Vec<(Ply, usize)> = Vec::new();
        let earlier = seen.iter().enumerate().map(|(node, seen)| (Ply::from(count(seen)), node));
        entries.extend(earlier.filter(|&(seen, _)| seen < ply));
        entries.extend(query.start.map(|start| (0, index.number(start).0)));
        let distances = (1..).zip(query.before.iter().rev());
        entries.extend(distances.map(|(distance, position)| (ply - distance, index.number(position).0)));
        let mut graph = Graph { index, moves: Vec::new(), ends: Vec::new(), root, ply, entries };
        graph.find_moves(query.children);
        Ok(graph)
    }

    /// Finds each position's children among the positions.
    fn find_moves<G: Game>(&mut self, children: Children<G>) {
        let mut scratch = Vec::new();
        for node in 0..self.len() {
            // Every packed form in the index is one that a position of the game wrote.
            if let Some(position) = G::unpack(self.index.packed(node)) {
                children(&position, &mut |code, child| {
                    let child = self.index.find(child, &mut scratch);
                    self.moves.extend(child.map(|child| (code, child)));
                });
            }
            self.ends.push(self.moves.len());
        }
    }

    /// The number of positions.
    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    pub(super) fn packed(&self, node: usize) -> &[u8] {
        self.index.packed(node)
    }

    /// The moves to positions of the graph: their codes, and where they lead.
    pub(super) fn children(&self, node: usize) -> &[(u16, usize)] {
        let start = node.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.moves[start..self.ends[node]]
    }

    /// Where lines around the root begin, each with its ply. A position may be there more than once.
    pub(super) fn entries(&self) -> Vec<(Ply, usize)> {
        self.entries.clone()
    }
}

/// The least ply of a game at which the records of a position saw it; [`Record::NO_PLY`] if none says.
#[derive(Clone, Copy)]
struct SeenAt {
    any: u16,
    /// Of records whose games were numbered: see [`is_numbered`].
    numbered: u16,
}

impl SeenAt {
    const NEVER: SeenAt = SeenAt { any: Record::NO_PLY, numbered: Record::NO_PLY };

    fn add(&mut self, record: &Record) {
        self.any = self.any.min(record.game_ply);
        if is_numbered(record) {
            self.numbered = self.numbered.min(record.game_ply);
        }
    }
}

/// Whether the record's ply counts from the beginning of a game, as far as can be told. A FEN without a move number, or with
/// the number 1 that stands for none, is counted as if the game began with it; then the root of the search is at ply 0 or
/// 1. Where such a count is right, the position is near the start of the game, which is an entry anyway.
fn is_numbered(record: &Record) -> bool {
    let below_root = if record.root_ply == Record::NO_PLY { 0 } else { record.root_ply };
    record.game_ply != Record::NO_PLY && record.game_ply > below_root.saturating_add(1)
}

/// The positions of the game that have records, and when these saw them.
fn scan<G: Game>(store: &dyn Store) -> Result<(PositionIndex, Vec<SeenAt>)> {
    let (game, mut index, mut seen) = (G::name(), PositionIndex::default(), Vec::<SeenAt>::new());
    let mut last: (Box<[u8]>, Option<usize>) = Default::default();
    store.scan(&Range { game: Some(&game), ..Range::default() }, &mut |Item { key, record }| {
        // The records of one position follow each other.
        if key.position != last.0 {
            let number = G::unpack(&key.position).map(|position| index.number(&position).0);
            seen.resize(index.len(), SeenAt::NEVER);
            last = (key.position, number);
        }
        if let Some(number) = last.1 {
            seen[number].add(&record);
        }
        ControlFlow::Continue(())
    })?;
    Ok((index, seen))
}
