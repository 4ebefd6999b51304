//! One search that is to be done, and what becomes of its result.

use std::sync::Arc;

use mnemon_memory::{Annotation, Content, Flags, Item, Key, Line, LineSet, Origins, PROVEN, Record, Source};
use mnemon_table::Window;

use super::Explored;
use super::evaluator::{Evaluation, Request};
use super::known::{Known, ScoredMove};
use super::node::pack;

/// A search that was chosen.
#[derive(Clone, Debug)]
pub struct Job<G: Explored> {
    /// The position.
    pub position: G,
    /// The moves that lead to it from the root, by their codes.
    pub line: Vec<u16>,
    /// The moves to be searched.
    pub moves: SearchedMoves<G::Move>,
    /// What the cheapest way to it costs.
    pub cost: u32,
    /// Whether it was requested through the queue: it need not be in the tree.
    pub is_requested: bool,
    /// What is known of the position whose other moves are searched.
    pub(super) known: Option<Known>,
    /// Its moves that lead to positions of the tree and begin no line, with what is below them.
    pub(super) children: Vec<ScoredMove>,
}

/// The moves of a position that a search is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchedMoves<M> {
    /// All: the position joins the tree.
    All,
    /// Those that neither begin a known line nor lead to a position of the tree.
    Rest(Vec<M>),
}

impl<G: Explored> Job<G> {
    /// The search of all moves of a position.
    pub(super) fn of_all_moves(position: G) -> Self {
        let moves = SearchedMoves::All;
        Job { position, line: Vec::new(), moves, cost: 0, is_requested: false, known: None, children: Vec::new() }
    }

    /// What an evaluator is asked.
    pub fn request(&self) -> Request<'_, G> {
        let moves = match &self.moves {
            SearchedMoves::All => &[][..],
            SearchedMoves::Rest(moves) => moves,
        };
        let known_lines = self.known.as_ref().map_or(0, |known| known.scored.len());
        Request { position: &self.position, moves, known_lines }
    }

    /// Whether only the rest of the moves is searched.
    pub fn is_rest(&self) -> bool {
        matches!(self.moves, SearchedMoves::Rest(_))
    }

    /// The records and lines to be learned.
    pub(super) fn findings(&self, found: &Evaluation, source: &Source, time: u32) -> (Vec<Item>, Vec<Annotation>) {
        let game: Arc<str> = G::name().into();
        let packed = pack(&self.position);
        let key = Key::new(&game, packed.clone(), source);
        let is_here = |key: &Key| key.position == packed;
        let (mut items, mut annotations) = (found.items.clone(), found.annotations.clone());
        // A search of some of the moves says nothing of the position itself that its record does not have.
        items.retain(|item| !(self.is_rest() && is_here(&item.key)));
        annotations.retain(|annotation| !is_here(&annotation.key));
        if !self.is_rest() {
            items.extend(self.record(found, time).map(|record| Item { key: key.clone(), record }));
        }
        let set = self.line_set(found, time);
        annotations.extend(set.map(|set| Annotation { key, content: Content::Lines(set.into()) }));
        items.sort_unstable_by(|a, b| a.key.cmp(&b.key));
        (items, annotations)
    }

    fn record(&self, found: &Evaluation, time: u32) -> Option<Record> {
        let best = found.lines.first().and_then(|line| line.moves().first()).copied().unwrap_or(0);
        let known = match (found.proven, found.lines.first()) {
            (Some(window), _) => Record::between(window, PROVEN),
            (None, Some(line)) => Record::between(line.window(), found.depth),
            (None, None) => return None,
        };
        let origins = Origins::SEARCH.union(Origins::PV);
        Some(Record { best, origins, flags: Flags::ROOT, root_ply: 0, nodes: found.nodes, ..known }.found_at(time))
    }

    /// The lines of the position: of a search of all moves its own; of the rest those that were known, and its own.
    fn line_set(&self, found: &Evaluation, time: u32) -> Option<LineSet> {
        let before = self.known.as_ref().filter(|_| self.is_rest());
        let mut known = before.map_or_else(Vec::new, known_lines);
        known.extend(self.children.iter().map(|child| Line::new(Window::exact(child.score), [child.code])));
        let depth = before.map_or(found.depth, |known| known_depth(known).min(found.depth));
        let is_new = |line: &&Line| !known.iter().any(|known: &Line| known.moves().first() == line.moves().first());
        let mut lines: Vec<Line> = found.lines.iter().filter(is_new).chain(&known).cloned().collect();
        lines.sort_by_key(|line| std::cmp::Reverse(line.window().lower));
        lines.truncate(LineSet::MAX_LINES);
        (!lines.is_empty() && !found.lines.is_empty()).then_some(LineSet { depth, time, lines })
    }
}

/// The known lines: of each scored move the line that the memory has, or else the move alone.
fn known_lines(known: &Known) -> Vec<Line> {
    let of_set = |code: u16| {
        let lines = known.lines.iter().flat_map(|set| &set.lines);
        lines.into_iter().find(|line| line.moves().first() == Some(&code)).map(|line| line.moves().to_vec())
    };
    let line = |scored: &ScoredMove| {
        Line::new(Window::exact(scored.score), of_set(scored.code).unwrap_or_else(|| vec![scored.code]))
    };
    known.scored.iter().map(line).collect()
}

/// The depth that all known lines have at least.
fn known_depth(known: &Known) -> u8 {
    known.scored.iter().map(|scored| scored.depth).min().unwrap_or(u8::MAX)
}
