//! What was found, position by position, until it is written.

use std::collections::BTreeMap;
use std::sync::Arc;

use mnemon_chess::Position;
use mnemon_memory::{Annotation, Content, Item, Key, LineSet, Lines, Merged, Record, Result, Source, Store, merge};
use mnemon_search::Game;

/// Records and lines of one source, each position once.
#[derive(Clone, Debug)]
pub struct Findings {
    source: Source,
    records: BTreeMap<Box<[u8]>, Record>,
    lines: BTreeMap<Box<[u8]>, Lines>,
}

impl Findings {
    /// Nothing, of this source.
    pub fn new(source: Source) -> Self {
        Findings { source, records: BTreeMap::new(), lines: BTreeMap::new() }
    }

    /// Whose findings they are.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty() && self.lines.is_empty()
    }

    /// The depth to which the position is known by these findings; `None` if they have no score of it.
    pub fn depth_of(&self, position: &Position) -> Option<u8> {
        let (window, depth) = self.records.get(&packed(position))?.window();
        (!window.is_unknown()).then_some(depth)
    }

    /// Everything found so far; nothing is left.
    #[must_use]
    pub fn take(&mut self) -> Findings {
        let source = self.source.clone();
        std::mem::replace(self, Findings::new(source))
    }

    /// Adds what another search of the same source found.
    pub fn extend(&mut self, other: Findings) {
        for (position, record) in other.records {
            self.add_packed(position, record);
        }
        for (position, lines) in other.lines {
            self.add_lines_packed(position, &lines);
        }
    }

    pub(super) fn add(&mut self, position: &Position, record: Record) {
        if !record.is_empty() {
            self.add_packed(packed(position), record);
        }
    }

    pub(super) fn add_lines(&mut self, position: &Position, set: LineSet) {
        self.add_lines_packed(packed(position), &set.into());
    }

    fn add_packed(&mut self, position: Box<[u8]>, record: Record) {
        self.records.entry(position).and_modify(|known| *known = merge(known, &record)).or_insert(record);
    }

    fn add_lines_packed(&mut self, position: Box<[u8]>, lines: &Lines) {
        let known = self.lines.entry(position).or_default();
        *known = known.merge(lines);
    }

    /// The records with their keys, sorted.
    pub fn items(&self) -> Vec<Item> {
        let game = Arc::from(Position::name());
        let key = |position: &[u8]| Key::new(&game, position, &self.source);
        self.records.iter().map(|(position, &record)| Item { key: key(position), record }).collect()
    }

    /// The lines with their keys, sorted.
    pub fn annotations(&self) -> Vec<Annotation> {
        let game = Arc::from(Position::name());
        let key = |position: &[u8]| Key::new(&game, position, &self.source);
        let content = |lines: &Lines| Content::Lines(lines.clone());
        self.lines.iter().map(|(position, lines)| Annotation { key: key(position), content: content(lines) }).collect()
    }

    /// Merges everything into the store; returns what became of the records.
    ///
    /// # Errors
    /// A store that cannot be written.
    pub fn write_to(&self, store: &dyn Store) -> Result<Merged> {
        let merged = if self.records.is_empty() { Merged::default() } else { store.merge_many(&self.items())? };
        if !self.lines.is_empty() {
            store.merge_annotations(&self.annotations())?;
        }
        Ok(merged)
    }
}

pub(crate) fn packed(position: &Position) -> Box<[u8]> {
    let mut bytes = Vec::new();
    position.pack(&mut bytes);
    bytes.into()
}
