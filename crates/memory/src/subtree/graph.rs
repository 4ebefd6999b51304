//! The known positions of a game and the moves between them, as numbers.

use std::ops::ControlFlow;

use mnemon_search::Game;

use super::{Children, SubtreeQuery};
use crate::recall::index::PositionIndex;
use crate::{Item, Range, Record, Result, Store};

/// All known positions of the game, the root, the line before it and the start of the game; and the moves between them.
pub(super) struct Graph {
    index: PositionIndex,
    pub(super) moves: Moves,
    pub(super) root: usize,
    pub(super) start: Option<usize>,
    /// The line to the root, in the order of the game.
    pub(super) before: Vec<usize>,
    /// When records saw each position; those beyond its length have no records.
    pub(super) seen: Vec<SeenAt>,
}

impl Graph {
    /// Reads all records of the game in one scan.
    pub(super) fn read<G: Game>(store: &dyn Store, query: &SubtreeQuery<'_, G>) -> Result<Self> {
        let (mut index, seen) = scan::<G>(store)?;
        let mut number = |position: &G| index.number(position).0;
        let (root, start) = (number(query.root), query.start.map(&mut number));
        let before = query.before.iter().map(number).collect();
        let moves = moves_between(&index, query.children);
        Ok(Graph { index, moves, root, start, before, seen })
    }

    /// The number of positions.
    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    pub(super) fn packed(&self, node: usize) -> &[u8] {
        self.index.packed(node)
    }
}

/// The moves of all positions, one position after the other: a code, and the position that the move leads to.
#[derive(Default)]
pub(super) struct Moves {
    targets: Vec<(u16, usize)>,
    /// Where those of each position end.
    ends: Vec<usize>,
}

impl Moves {
    /// The number of positions.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn of(&self, node: usize) -> &[(u16, usize)] {
        let start = node.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.targets[start..self.ends[node]]
    }

    /// The same moves, each from where it leads to where it comes from.
    pub(super) fn reversed(&self) -> Self {
        let mut ends = vec![0; self.len()];
        for &(_, target) in &self.targets {
            ends[target] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        // Each position's moves are written from the end of its range to the start.
        let (mut free, mut targets) = (ends.clone(), vec![(0, 0); self.targets.len()]);
        for node in 0..self.len() {
            for &(code, target) in self.of(node) {
                free[target] -= 1;
                targets[free[target]] = (code, node);
            }
        }
        Moves { targets, ends }
    }
}

/// Each position's children among the positions. Most children are not known; their hash tells, so they are not packed.
fn moves_between<G: Game>(index: &PositionIndex, children: Children<G>) -> Moves {
    let (mut moves, mut scratch) = (Moves::default(), Vec::new());
    for node in 0..index.len() {
        // Every packed form in the index is one that a position of the game wrote.
        if let Some(position) = G::unpack(index.packed(node)) {
            children(&position, &mut |code, child| {
                moves.targets.extend(index.find(child, &mut scratch).map(|child| (code, child)));
            });
        }
        moves.ends.push(moves.targets.len());
    }
    moves
}

/// The least ply of a game at which the records of a position saw it; [`Record::NO_PLY`] if none says.
#[derive(Clone, Copy)]
pub(super) struct SeenAt {
    pub(super) any: u16,
    /// Of records whose games were numbered: see [`is_numbered`].
    pub(super) numbered: u16,
}

impl SeenAt {
    pub(super) const NEVER: SeenAt = SeenAt { any: Record::NO_PLY, numbered: Record::NO_PLY };

    fn add(&mut self, record: &Record) {
        self.any = self.any.min(record.game_ply);
        if is_numbered(record) {
            self.numbered = self.numbered.min(record.game_ply);
        }
    }
}

/// Whether the record's ply counts from the beginning of a game, as far as can be told. A FEN without a move number, or with
/// the number 1 that stands for none, is counted as if the game began with it; then the root of the search is at ply 0 or
/// 1. Where such a count is right, the position is near the start of the game, where lines begin anyway.
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
