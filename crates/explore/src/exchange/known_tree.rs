//! The known tree below a root of chess, of bounded width and length, for files that hold one.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::num::NonZeroU16;
use std::ops::ControlFlow;

use mnemon_chess::{Move, Position, from_code, to_code};
use mnemon_memory::{Content, MoveRank, Note, Range, Record, Source, Store};
use mnemon_search::Game;
use mnemon_table::Score;

use super::Result;
use super::intake::packed;

/// The line of play that leads to the root of a tree.
#[derive(Clone, Debug)]
pub struct TreeRoot {
    /// The position that the line begins with.
    pub start: Position,
    /// The moves from there.
    pub moves: Vec<Move>,
}

impl TreeRoot {
    /// The position that the tree is below.
    #[must_use]
    pub fn position(&self) -> Position {
        self.moves.iter().fold(self.start.clone(), |position, &mv| position.after(mv))
    }
}

/// How much of a tree is taken.
#[derive(Clone, Copy, Debug)]
pub struct TreeLimits {
    /// The greatest distance from the root.
    pub plies: u16,
    /// The most moves of each position, the best first.
    pub width: usize,
    /// Moves that are worse than the best one by more than this, in hundredths of a pawn, are left out.
    pub within: Option<i32>,
    /// The most positions.
    pub positions: usize,
}

impl Default for TreeLimits {
    fn default() -> Self {
        TreeLimits { plies: 40, width: 4, within: None, positions: 50_000 }
    }
}

/// A position of the tree.
#[derive(Clone, Debug)]
pub struct TreeNode {
    /// The position.
    pub position: Position,
    /// Its deepest exact score for the side to move, with the depth.
    pub score: Option<(Score, u8)>,
    /// The moves that are known, the best first, and the nodes that they lead to. A move may lead to a position of which
    /// nothing else is known.
    pub moves: Vec<(Move, usize)>,
    /// What people wrote about it.
    pub notes: Vec<(Source, Note)>,
    /// The best move of the deepest record that has one; 0 is none.
    best: u16,
}

/// What a memory knows below a root: a graph, since different moves lead to one position.
#[derive(Clone, Debug)]
pub struct KnownTree {
    /// The positions, the root first.
    pub nodes: Vec<TreeNode>,
    /// Whether positions were left out because there are more than the limits allow.
    pub is_cut: bool,
}

impl KnownTree {
    /// Reads the tree below a root, level by level, from the records of the sources that `is_meant` accepts.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn read(
        store: &dyn Store,
        root: &Position,
        limits: TreeLimits,
        is_meant: &dyn Fn(&Source) -> bool,
    ) -> Result<Self> {
        let mut walk = Walk::new(store, limits, is_meant)?;
        let records = walk.look_up(std::slice::from_ref(root))?;
        walk.add(root.clone(), packed(root), &records[0]);
        let mut level = vec![0];
        for _ in 0..limits.plies {
            if level.is_empty() {
                break;
            }
            level = walk.next_level(&level)?;
        }
        for number in level {
            walk.tree.is_cut |= !walk.candidates(number)?.is_empty();
        }
        Ok(walk.tree)
    }
}

/// The records of one position.
type Records = Vec<(Source, Record)>;

/// A move that may become a part of the tree.
struct Candidate {
    mv: Move,
    position: Position,
    packed: Vec<u8>,
    records: Records,
}

struct Walk<'s> {
    store: &'s dyn Store,
    limits: TreeLimits,
    is_meant: &'s dyn Fn(&Source) -> bool,
    notes: HashMap<Box<[u8]>, Vec<(Source, Note)>>,
    numbers: HashMap<Vec<u8>, usize>,
    tree: KnownTree,
}

impl<'s> Walk<'s> {
    fn new(store: &'s dyn Store, limits: TreeLimits, is_meant: &'s dyn Fn(&Source) -> bool) -> Result<Self> {
        let mut notes: HashMap<Box<[u8]>, Vec<(Source, Note)>> = HashMap::new();
        let game = Position::name();
        store.scan_annotations(&Range { game: Some(&game), ..Range::default() }, &mut |annotation| {
            if let Content::Note(note) = annotation.content
                && is_meant(&annotation.key.source)
            {
                notes.entry(annotation.key.position).or_default().push((annotation.key.source, note));
            }
            ControlFlow::Continue(())
        })?;
        let tree = KnownTree { nodes: Vec::new(), is_cut: false };
        Ok(Walk { store, limits, is_meant, notes, numbers: HashMap::new(), tree })
    }

    /// The records of each position that count, but for the results of games, which are no scores of searches.
    fn look_up(&self, positions: &[Position]) -> Result<Vec<Records>> {
        let packed: Vec<Vec<u8>> = positions.iter().map(packed).collect();
        let slices: Vec<&[u8]> = packed.iter().map(Vec::as_slice).collect();
        let mut records = vec![Records::new(); positions.len()];
        self.store.get_many(&Position::name(), &slices, &mut |number, source, record| {
            if (self.is_meant)(source) && !source.is_player() {
                records[number].push((source.clone(), record));
            }
        })?;
        Ok(records)
    }

    fn add(&mut self, position: Position, packed: Vec<u8>, records: &Records) -> usize {
        let number = self.tree.nodes.len();
        let notes = self.notes.get(&*packed).cloned().unwrap_or_default();
        let node = TreeNode { position, score: score(records), moves: Vec::new(), notes, best: best(records) };
        self.tree.nodes.push(node);
        self.numbers.insert(packed, number);
        number
    }

    /// Gives each node of a level its moves; returns the nodes that are new.
    fn next_level(&mut self, level: &[usize]) -> Result<Vec<usize>> {
        let mut next = Vec::new();
        for &number in level {
            for candidate in self.candidates(number)? {
                if let Some(&known) = self.numbers.get(&candidate.packed) {
                    self.tree.nodes[number].moves.push((candidate.mv, known));
                } else if self.tree.nodes.len() >= self.limits.positions {
                    self.tree.is_cut = true;
                } else {
                    let child = self.add(candidate.position, candidate.packed, &candidate.records);
                    self.tree.nodes[number].moves.push((candidate.mv, child));
                    next.push(child);
                }
            }
        }
        Ok(next)
    }

    /// The moves of a node to positions of which something is known, and its best move, the best first.
    fn candidates(&mut self, number: usize) -> Result<Vec<Candidate>> {
        let node = &self.tree.nodes[number];
        let (best, mut moves) = (node.best, Vec::new());
        node.position.legal_moves(&mut moves);
        let positions: Vec<Position> = moves.iter().map(|&mv| node.position.after(mv)).collect();
        let records = self.look_up(&positions)?;
        let all = moves.into_iter().zip(positions).zip(records);
        let mut known: Vec<Candidate> = all
            .map(|((mv, position), records)| Candidate { mv, packed: packed(&position), position, records })
            .filter(|candidate| {
                let is_noted = self.notes.contains_key(&*candidate.packed);
                !candidate.records.is_empty() || is_noted || to_code(candidate.mv).get() == best
            })
            .collect();
        known.sort_by_key(|candidate| candidate.rank(best));
        let found = known.len();
        if let (Some(within), Some(top)) = (self.limits.within, known.iter().filter_map(Candidate::value).max()) {
            known.retain(|candidate| candidate.value().is_none_or(|value| i32::from(top) - i32::from(value) <= within));
        }
        known.truncate(self.limits.width);
        self.tree.is_cut |= known.len() < found;
        Ok(known)
    }
}

impl Candidate {
    /// The value of the move for the side that makes it.
    fn value(&self) -> Option<Score> {
        score(&self.records).map(|(score, depth)| Record::exact(score, depth).from_parent().lower.score)
    }

    /// The smallest is written first: the best move, then those that were searched, then those that were only bounded.
    fn rank(&self, best: u16) -> impl Ord + use<> {
        let code = to_code(self.mv).get();
        (code != best, Reverse(self.move_rank()), self.records.is_empty(), code)
    }

    /// The rank by the deepest record of a search.
    fn move_rank(&self) -> MoveRank {
        let searches = self.records.iter().filter(|(source, _)| !source.is_person()).map(|(_, record)| record);
        let depth = |record: &&Record| (record.lower.depth.max(record.upper.depth), record.time);
        searches.max_by_key(depth).map_or(MoveRank::UNKNOWN, |record| MoveRank::of(&record.from_parent()))
    }
}

/// The deepest exact score of a search, the newest of several, and its depth.
fn score(records: &Records) -> Option<(Score, u8)> {
    let exact = records.iter().filter(|(source, record)| {
        !source.is_person() && record.lower.is_known() && record.lower.score == record.upper.score
    });
    let depth = |record: &Record| record.lower.depth.min(record.upper.depth);
    let (_, record) = exact.max_by_key(|(source, record)| (depth(record), record.time, Reverse(source.clone())))?;
    Some((record.lower.score, depth(record)))
}

/// The best move of the deepest record that has one: advice comes before what was only played.
fn best(records: &Records) -> u16 {
    let with_move = records.iter().filter(|(_, record)| record.best != 0);
    let rank = |record: &Record| (record.lower.is_known(), record.lower.depth, record.time, Reverse(record.best));
    with_move.max_by_key(|(_, record)| rank(record)).map_or(0, |(_, record)| record.best)
}

impl TreeNode {
    /// The best move that the position's own record names.
    #[must_use]
    pub fn best(&self) -> Option<Move> {
        NonZeroU16::new(self.best).and_then(from_code).filter(|&mv| self.position.is_legal(mv))
    }
}
