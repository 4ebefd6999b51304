//! What comes in: records and annotations on their way into a memory, under the name of their contributor.

use std::collections::BTreeMap;
use std::sync::Arc;

use mnemon_chess::Position;
use mnemon_memory::{
    Annotation, Batch, Content, Identity, Item, Key, Lines, Merged, Note, Origins, Record, Source, Store,
};
use mnemon_search::Game;

use super::Result;

/// Notes are written when this many, or this many bytes of them, are pending.
const PENDING_NOTES: usize = 10_000;
const PENDING_NOTE_BYTES: usize = 8 << 20;

/// The import is to end: what could not be read was reported, and the rest is not wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop;

/// Hears of what cannot be read.
pub trait Report {
    /// A line, or a game that begins there, cannot be read: `error` says why. Nothing of it is taken in.
    ///
    /// # Errors
    /// [`Stop`] if the rest is not to be read.
    fn broken(&mut self, line: u64, error: &str) -> std::result::Result<(), Stop>;

    /// A part of a game is left out, which is no fault of the file.
    fn left_out(&mut self, line: u64, what: &str);
}

/// Takes records and annotations into a memory.
pub struct Intake<'s> {
    store: &'s dyn Store,
    batch: Batch<'s>,
    origin: Identity,
    chess: Arc<str>,
    /// The notes of each position and person that are still to be joined with those of the memory.
    notes: BTreeMap<(Box<[u8]>, Source), Note>,
    note_bytes: usize,
    noted: u64,
}

impl<'s> Intake<'s> {
    /// An intake of what comes from `origin`, which becomes the contributor of everything that has none.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn new(origin: Identity, store: &'s dyn Store) -> Result<Self> {
        let batch = Batch::contributed_by(origin.clone(), store)?;
        let chess = Arc::from(Position::name());
        Ok(Intake { store, batch, origin, chess, notes: BTreeMap::new(), note_bytes: 0, noted: 0 })
    }

    /// The file's name, for sources that have no other.
    pub(super) fn label(&self) -> &str {
        &self.origin.label
    }

    /// Names a contributor, for the case that something of it comes.
    pub(super) fn introduce(&mut self, identity: Identity) {
        self.batch.introduce(identity);
    }

    /// Takes a record, and marks it as imported unless it is advice.
    pub(super) fn item(&mut self, mut item: Item) -> Result {
        if !item.record.origins.contains(Origins::ADVICE) {
            item.record.origins = item.record.origins.union(Origins::IMPORT);
        }
        Ok(self.batch.add(item)?)
    }

    pub(super) fn annotation(&mut self, annotation: Annotation) -> Result {
        Ok(self.batch.annotate(annotation)?)
    }

    /// Takes a record of a chess position.
    pub(super) fn record(&mut self, packed: &[u8], source: &Source, record: Record) -> Result {
        self.item(Item { key: Key::new(&self.chess, packed, source), record })
    }

    /// Takes the lines of a chess position.
    pub(super) fn lines(&mut self, packed: &[u8], source: &Source, lines: Lines) -> Result {
        self.annotation(Annotation { key: Key::new(&self.chess, packed, source), content: Content::Lines(lines) })
    }

    /// Takes a person's words on a chess position. Of several words of one person all are kept, in one note.
    pub(super) fn note(&mut self, packed: &[u8], person: &Source, text: &str, time: u32) -> Result {
        let person = person.contributed_by(self.origin.id);
        let pending = self.notes.entry((packed.into(), person)).or_insert(Note { time, text: String::new() });
        let before = pending.text.len();
        join(pending, text);
        pending.time = pending.time.max(time);
        self.note_bytes += pending.text.len() - before;
        let is_full = self.notes.len() >= PENDING_NOTES || self.note_bytes >= PENDING_NOTE_BYTES;
        if is_full { self.write_notes() } else { Ok(()) }
    }

    /// Joins the pending notes with those of the memory.
    fn write_notes(&mut self) -> Result {
        self.note_bytes = 0;
        for ((packed, person), note) in std::mem::take(&mut self.notes) {
            let known = self.store.annotations(&self.chess, &packed)?.into_iter();
            let known = known.filter(|(author, _)| *author == person).find_map(|(_, content)| match content {
                Content::Note(known) => Some(known),
                Content::Lines(_) => None,
            });
            let joined = match known {
                None => note,
                Some(known) => {
                    let mut joined = known.clone();
                    join(&mut joined, &note.text);
                    if joined.text == known.text {
                        continue;
                    }
                    // The later note replaces the earlier.
                    Note { time: known.time.saturating_add(1).max(note.time), ..joined }
                }
            };
            self.noted += 1;
            let key = Key::new(&self.chess, packed, &person);
            self.batch.annotate(Annotation { key, content: Content::Note(joined) })?;
        }
        Ok(())
    }

    /// Merges the rest; returns what became of the records, and how many notes were written, when all of it is on disk.
    ///
    /// # Errors
    /// A store that cannot be written.
    pub fn finish(mut self) -> Result<(Merged, u64)> {
        self.write_notes()?;
        Ok((self.batch.finish()?, self.noted))
    }
}

/// Adds a text to a note that does not have it yet, as far as there is room.
fn join(note: &mut Note, text: &str) {
    if note.text.lines().any(|line| line == text) {
        return;
    }
    let separator = usize::from(!note.text.is_empty());
    let room = Annotation::MAX_NOTE_BYTES.saturating_sub(note.text.len() + separator);
    let text = clipped(text, room);
    if !text.is_empty() {
        note.text.extend((separator > 0).then_some('\n'));
        note.text += text;
    }
}

/// The beginning of a text, of at most this many bytes.
fn clipped(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    text[..end].trim_end()
}

/// The packed form of a position.
pub(super) fn packed(position: &Position) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(mnemon_chess::MAX_PACKED_BYTES);
    position.pack(&mut bytes);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_keeps_every_text_once() {
        let mut note = Note { time: 0, text: String::new() };
        for text in ["one", "two", "one"] {
            join(&mut note, text);
        }
        assert_eq!(note.text, "one\ntwo");
        join(&mut note, &"é".repeat(20_000));
        assert!(note.text.len() <= Annotation::MAX_NOTE_BYTES);
    }
}
