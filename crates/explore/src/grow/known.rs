//! What the memory knows of a position as a node of the tree.

use mnemon_memory::{Content, Flags, LineSet, PROVEN, Record, Result, Source, Store};
use mnemon_table::{Score, Window};

/// A move that one of the position's lines begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScoredMove {
    pub(crate) code: u16,
    pub(crate) score: Score,
    pub(crate) depth: u8,
}

/// A position that was searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// Who searched it.
    pub(crate) source: Source,
    /// What is proven of its value.
    pub(crate) proven: Window,
    /// The moves of its lines, each once, by the deepest search of them.
    pub(crate) scored: Vec<ScoredMove>,
    /// The lines that the memory keeps, the set with the most of them.
    pub(crate) lines: Option<LineSet>,
}

/// What is known of each of the positions by the first of these sources that searched it deepest; `None` for a position
/// that is not in the tree.
pub(crate) fn read(
    store: &dyn Store,
    game: &str,
    sources: &[Source],
    positions: &[&[u8]],
) -> Result<Vec<Option<Known>>> {
    let mut records: Vec<Option<(u8, usize, Record)>> = vec![None; positions.len()];
    store.get_many(game, positions, &mut |number, source, record| {
        let Some(rank) = sources.iter().position(|known| known == source) else { return };
        let depth = record.window().1;
        let is_better = records[number].is_none_or(|(known, first, _)| (depth, first) > (known, rank));
        if is_in_tree(&record) && is_better {
            records[number] = Some((depth, rank, record));
        }
    })?;
    let known = records.into_iter().zip(positions).map(|(record, position)| {
        let Some((_, rank, record)) = record else { return Ok(None) };
        let source = &sources[rank];
        let sets = line_sets(store, game, position, source)?;
        Ok(Some(Known::new(source, &record, &sets)))
    });
    known.collect()
}

/// Whether the position was the root of a search, or is proven.
fn is_in_tree(record: &Record) -> bool {
    record.is_proven() || record.flags.contains(Flags::ROOT) && !record.window().0.is_unknown()
}

fn line_sets(store: &dyn Store, game: &str, position: &[u8], source: &Source) -> Result<Vec<LineSet>> {
    let own = store.annotations(game, position)?.into_iter().find_map(|(author, content)| match content {
        Content::Lines(lines) if author == *source => Some(lines.sets().to_vec()),
        _ => None,
    });
    Ok(own.unwrap_or_default())
}

impl Known {
    fn new(source: &Source, record: &Record, sets: &[LineSet]) -> Self {
        let mut scored: Vec<ScoredMove> = Vec::new();
        let mut add = |mv: ScoredMove| match scored.iter_mut().find(|known| known.code == mv.code) {
            Some(known) if known.depth >= mv.depth => {}
            Some(known) => *known = mv,
            None => scored.push(mv),
        };
        for set in sets {
            for line in &set.lines {
                if let (Some(&code), Some(score)) = (line.moves().first(), number(line.window())) {
                    add(ScoredMove { code, score, depth: set.depth });
                }
            }
        }
        let (window, depth) = record.window();
        if let Some(score) = number(window).filter(|_| record.best != 0) {
            add(ScoredMove { code: record.best, score, depth });
        }
        Known { source: source.clone(), proven: proven(record), scored, lines: sets.last().cloned() }
    }
}

/// The score of a window: its only one, or else the end that is known, the lower first.
fn number(window: Window) -> Option<Score> {
    window.bound(Score::MIN).map(|(score, _)| score)
}

/// The bounds that no search can change.
fn proven(record: &Record) -> Window {
    let mut window = Window::UNKNOWN;
    if record.lower.is_known() && record.lower.depth == PROVEN {
        window.lower = record.lower.score;
    }
    if record.upper.is_known() && record.upper.depth == PROVEN {
        window.upper = record.upper.score;
    }
    window
}
