//! What other sources say of a position. Their scores are not comparable with the engine's: they are shown on request only.

use mnemon_chess::Position;
use mnemon_memory::{Content, Lines, Record, Result, Source, Store};
use mnemon_search::Game;

use super::{Reader, searched_lines, written};
use crate::observer::{packed, score};

/// What one other source says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opinion {
    /// The source, for people.
    pub author: String,
    /// The depth.
    pub depth: u8,
    /// The score as UCI writes it.
    pub score: String,
    /// The line in UCI's notation.
    pub pv: Vec<String>,
}

impl std::fmt::Display for Opinion {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Opinion { author, depth, score, pv } = self;
        write!(formatter, "{author}: depth {depth} score {score} pv {}", pv.join(" "))
    }
}

/// What other sources than the reader's engine say of the position, the deepest first.
///
/// # Errors
/// A store that cannot be read.
pub fn opinions(store: &dyn Store, reader: &Reader, root: &Position) -> Result<Vec<Opinion>> {
    let mut known: Vec<(Source, Lines, Option<Record>)> = Vec::new();
    for (source, content) in store.annotations(&Position::name(), &packed(root))? {
        if let (Content::Lines(lines), false) = (content, reader.is(&source)) {
            known.push((source, lines, None));
        }
    }
    store.get_many(&Position::name(), &[&packed(root)], &mut |_, source, record| match known
        .iter_mut()
        .find(|(known, ..)| known == source)
    {
        Some((.., found)) => *found = Some(record),
        None if reader.is(source) || source.is_player() => {}
        None => known.push((source.clone(), Lines::default(), Some(record))),
    })?;
    let contributors = store.contributors()?;
    let mut opinions: Vec<Opinion> = Vec::new();
    for (source, lines, record) in known {
        let Some(line) = searched_lines(root, &lines, record).into_iter().next() else { continue };
        let Some(score) = score(line.window) else { continue };
        let author = source.described(&contributors);
        let (score, pv) = (score.to_string(), written(root, &line.moves));
        opinions.push(Opinion { author, depth: line.depth, score, pv });
    }
    opinions.sort_by_key(|opinion| std::cmp::Reverse(opinion.depth));
    Ok(opinions)
}
