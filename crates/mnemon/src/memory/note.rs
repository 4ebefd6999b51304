//! `mnemon memory note`: a person's words on a position.

use clap::Args;
use mnemon_explore::notation::{self, Position};
use mnemon_memory::{Annotation, Content, Key, Note, Source, Store};

use super::person;
use crate::memory_location::{self, MemoryLocation};
use crate::{Result, UsageError, output};

/// The position and the words.
#[derive(Args)]
#[command(after_help = "\
One person has one note on a position: the later replaces the earlier. 'mnemon memory show' shows the notes; they are \
exported and merged with the records.")]
pub(crate) struct Arguments {
    /// The position, as for 'show', and after it the words as one argument: startpos moves e4 'best by test'
    #[arg(required = true, num_args = 1.., value_name = "POSITION TEXT")]
    words: Vec<String>,
    /// The game, where the position's form does not tell it
    #[arg(long, value_name = "NAME")]
    game: Option<String>,
    /// The person's name [default: the user's name]
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
}

pub(crate) fn run(arguments: &Arguments, location: &MemoryLocation) -> Result<bool> {
    let Some((text, position)) = arguments.words.split_last().filter(|(_, position)| !position.is_empty()) else {
        return Err(UsageError("a note is a position and, after it, the words as one argument".to_owned()).into());
    };
    let position = notation::read(position, arguments.game.as_deref()).map_err(UsageError::new)?;
    let source = Source::person(&person::name(arguments.by.as_deref()));
    let key = Key::new(&position.game(), position.packed(), &source);
    let note = Note { time: mnemon_memory::unix_time(), text: text.clone() };
    let annotation = |note: &Note| Annotation { key: key.clone(), content: Content::Note(note.clone()) };
    annotation(&note).validate()?;
    let store = location.for_adding()?;
    let before = known(&*store, &*position, &source)?;
    // The later note replaces the earlier, also within one second or after the clock was set back.
    let time = before.as_ref().map_or(0, |before| before.time.saturating_add(1)).max(note.time);
    let note = Note { time, ..note };
    store.merge_annotations(&[annotation(&note)])?;
    store.sync()?;
    let mut said = format!("{}  {}\n{source}: {text}\n", position.game(), position.text());
    if let Some(before) = before {
        said += &format!("replaced: {}\n", before.text);
    }
    output::show(&said)?;
    memory_location::is_sound(&*store)
}

/// The person's note on the position.
fn known(store: &dyn Store, position: &dyn Position, source: &Source) -> Result<Option<Note>> {
    let annotations = store.annotations(&position.game(), &position.packed())?;
    Ok(annotations.into_iter().find_map(|(author, content)| match content {
        Content::Note(note) if author == *source => Some(note),
        _ => None,
    }))
}
