//! What goes and what stays when a position, or its sub-tree, is forgotten.

use std::fmt;

use mnemon_explore::notation::Position;
use mnemon_explore::views_of;
use mnemon_memory::{Key, Source, Store};

use super::subtree;
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
        let key = |source: &Source| Some(Key::new(&game, &packed[..], source)).filter(&is_meant);
        let records = views_of(store, position)?;
        let mut keys: Vec<Key> = records.iter().filter_map(|(source, _)| key(source)).collect();
        let mut going = Part::default();
        going.add(keys.len() as u64, String::new);
        // A person may have noted something without advising anything.
        let annotations = store.annotations(&game, &packed)?;
        let others = annotations.iter().filter(|(source, _)| records.iter().all(|(known, _)| known != source));
        keys.extend(others.filter_map(|(source, _)| key(source)));
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

#[cfg(test)]
mod tests {
    use mnemon_memory::{Annotation, Content, Item, Note, RamStore, Record};

    use super::*;
    use mnemon_explore::notation;

    fn position(text: &str) -> Box<dyn Position> {
        notation::read(&[text.to_owned()], None).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A store that knows these positions.
    fn store(texts: &[&str]) -> RamStore {
        let store = RamStore::new();
        for text in texts {
            let position = position(text);
            let key = Key::new(&position.game(), position.packed(), &Source::engine("tested", "1"));
            store.merge_many(&[Item { key, record: Record::exact(0, 5) }]).expect("RAM does not fail");
        }
        store
    }

    fn split(store: &RamStore, root: &str) -> Split {
        Split::of_subtree(store, &*position(root), |_| true).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn the_prompt_says_what_goes_and_what_stays() {
        // 3, 5, 4 lead to the same board as 4, 5, 3.
        let store = store(&["4", "45", "453", "4534", "451", "3", "35"]);
        let split = split(&store, "45");
        assert_eq!(
            split.before(),
            "Goes:  2 records of 2 positions, such as 1\nStays: 2 records of 2 positions, where other lines lead, too, \
             such as 3; 3 4\n"
        );
        assert_eq!(split.after(), "2 records of 2 positions kept, where other lines lead, too, such as 3; 3 4\n");
        assert_eq!(split.keys.len(), 2);
    }

    #[test]
    fn examples_are_few_and_the_nearest() {
        let split = split(&store(&["4", "45", "46", "47", "41", "451"]), "4");
        assert_eq!(split.before(), "Goes:  6 records of 6 positions, such as 1; 5; 6\n");
        assert_eq!(split.after(), "");
    }

    #[test]
    fn a_position_of_which_nothing_tells_what_stood_before_it_is_said() {
        let lines = ["Nf3 Nf6", "Nf3 Nf6 Ng1"].map(|moves| format!("startpos moves {moves}"));
        let store = store(&lines.each_ref().map(String::as_str));
        let fen = "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 1";
        let unplaced = split(&store, fen).before();
        assert!(unplaced.ends_with("as in 'startpos moves e4 c5'.\n"), "{unplaced}");
        let placed = split(&store, "startpos moves Nf3 Nf6").before();
        assert_eq!(placed, "Goes:  2 records of 2 positions, such as Ng1\n");
    }

    #[test]
    fn of_a_position_alone_its_records_go() {
        let split = Split::of_position(&store(&["4", "44"]), &*position("4"), |_| true);
        let split = split.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            (split.keys.len(), split.going.to_string(), split.after()),
            (1, "1 record of 1 position".into(), String::new())
        );
    }

    #[test]
    fn a_note_goes_with_its_position() {
        let store = store(&["4"]);
        let key = Key::new(&position("4").game(), position("4").packed(), &Source::person("Ada"));
        let note = Note { time: 1, text: "the centre".to_owned() };
        store.merge_annotations(&[Annotation { key, content: Content::Note(note) }]).expect("RAM does not fail");
        let split = Split::of_position(&store, &*position("4"), |_| true).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((split.keys.len(), split.going.records), (2, 1));
        store.delete_many(&split.keys).expect("RAM does not fail");
        let left = store.annotations(&position("4").game(), &position("4").packed()).expect("RAM does not fail");
        assert_eq!(left, []);
    }
}
