//! What goes and what stays when a position, or its sub-tree, is forgotten.

use std::fmt;

use mnemon_memory::{Key, Store};

use super::subtree;
use crate::notation::Position;
use crate::{Result, format, progress};

/// The records that go, and the rest of the sub-tree, which stays.
pub(crate) struct Split {
    /// The records that go.
    pub(crate) keys: Vec<Key>,
    pub(crate) going: Part,
    staying: Part,
    /// Whether it is known what stood before the position.
    is_placed: bool,
}

/// Records, and their positions.
#[derive(Default)]
pub(crate) struct Part {
    pub(crate) records: u64,
    pub(crate) positions: u64,
    /// The moves to the positions that are nearest to the root of the sub-tree.
    pub(crate) examples: Vec<String>,
}

/// The number of positions that are named as examples.
const EXAMPLES: usize = 3;

impl Split {
    /// Of one position, every record that is meant goes.
    pub(crate) fn of_position(
        store: &dyn Store,
        position: &dyn Position,
        is_meant: impl Fn(&Key) -> bool,
    ) -> Result<Self> {
        let (game, packed) = (position.game(), position.packed());
        let sources = subtree::views_of(store, position)?.into_iter().map(|(source, _)| source);
        let keys: Vec<Key> = sources.map(|source| Key::new(&game, &packed[..], &source)).filter(is_meant).collect();
        let mut going = Part::default();
        going.add(keys.len() as u64, String::new);
        Ok(Split { keys, going, staying: Part::default(), is_placed: true })
    }

    /// Of the records that are meant in the position's sub-tree, those go whose positions no other line reaches.
    pub(crate) fn of_subtree(store: &dyn Store, root: &dyn Position, is_meant: impl Fn(&Key) -> bool) -> Result<Self> {
        let (game, found) = (root.game(), progress::during("look", || root.subtree(store))?);
        let (mut keys, mut counts) = (Vec::new(), vec![0; found.members().len()]);
        subtree::each(store, &game, &found, |member, item| {
            if is_meant(&item.key) {
                counts[member] += 1;
                keys.extend(found.members()[member].is_dominated.then_some(item.key));
            }
            Ok(())
        })?;
        let (mut going, mut staying) = (Part::default(), Part::default());
        for (number, member) in found.members().iter().enumerate() {
            let part = if member.is_dominated { &mut going } else { &mut staying };
            part.add(counts[number], || root.moves_text(&found.line(number)));
        }
        Ok(Split { keys, going, staying, is_placed: found.is_placed() })
    }

    /// Both parts, in lines, for the person who is to confirm it.
    pub(crate) fn before(&self) -> String {
        let mut text = format!("Goes:  {}{}\n", self.going, self.going.such_as());
        if self.staying.records > 0 {
            text += &format!("Stays: {}, where other lines lead, too{}\n", self.staying, self.staying.such_as());
        }
        if !self.is_placed {
            text += "What stood before this position is not known: if moves return to it, it goes too. Name the position \
                     by its moves, as in 'startpos moves e4 c5'.\n";
        }
        text
    }

    /// The part that has stayed, in a line; nothing if there is none.
    pub(crate) fn after(&self) -> String {
        if self.staying.records == 0 {
            return String::new();
        }
        format!("{} kept, where other lines lead, too{}\n", self.staying, self.staying.such_as())
    }
}

impl Part {
    /// Adds a position with this number of records, if there are any. Positions nearer to the root come first.
    fn add(&mut self, records: u64, moves: impl FnOnce() -> String) {
        if records > 0 {
            self.records += records;
            self.positions += 1;
            if self.examples.len() < EXAMPLES {
                // No moves lead to the root.
                self.examples.extend(Some(moves()).filter(|moves| !moves.is_empty()));
            }
        }
    }

    /// The examples, as the end of a sentence.
    fn such_as(&self) -> String {
        match &self.examples[..] {
            [] => String::new(),
            examples => format!(", such as {}", examples.join("; ")),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Part { records, positions, .. } = self;
        write!(
            f,
            "{} of {} position{}",
            format::records(*records),
            indicatif::HumanCount(*positions),
            format::plural(*positions)
        )
    }
}
