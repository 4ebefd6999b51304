//! Records as lines of EPD, and notes as the names of their positions.

use std::num::NonZeroU16;

use mnemon_chess::epd::EpdAnalysis;
use mnemon_chess::{Move, Position, from_code};
use mnemon_memory::{Content, Key, PROVEN, Record, Store};
use mnemon_search::{Game, MAX_DEPTH};

use super::Result;
use super::author::name_of;
use crate::record_json::Entry;

/// Makes lines of EPD of a memory's entries.
pub struct EpdLines<'s> {
    store: &'s dyn Store,
}

impl<'s> EpdLines<'s> {
    /// Lines of entries of this memory.
    pub fn new(store: &'s dyn Store) -> Self {
        EpdLines { store }
    }

    /// The line of an entry. `None` where EPD has nothing for it: another game, a bound without a move, the result of a
    /// game, and lines and notes that the line of a record has already.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn line(&self, entry: &Entry) -> Result<Option<String>> {
        let key = match entry {
            Entry::Record(item) => &item.key,
            Entry::Annotation(annotation) => &annotation.key,
        };
        let is_chess = *key.game == *Position::name() && !key.source.is_player();
        let Some(position) = is_chess.then(|| Position::unpack(&key.position)).flatten() else { return Ok(None) };
        let analysis = match entry {
            Entry::Record(item) => self.analysis(&position, key, &item.record)?,
            Entry::Annotation(annotation) => match &annotation.content {
                Content::Note(note) if !self.has_record(key)? => {
                    Some(EpdAnalysis { id: Some(note.text.clone()), ..EpdAnalysis::default() })
                }
                _ => None,
            },
        };
        Ok(analysis.map(|analysis| EpdAnalysis { comment: Some(name_of(&key.source)), ..analysis }.line(&position)))
    }

    fn analysis(&self, position: &Position, key: &Key, record: &Record) -> Result<Option<EpdAnalysis>> {
        let is_exact = record.lower.is_known() && record.lower.score == record.upper.score;
        let best = legal(position, record.best);
        let (mut pv, mut id) = (Vec::new(), None);
        for (author, content) in self.store.annotations(&key.game, &key.position)? {
            match content {
                _ if author != key.source => {}
                Content::Note(note) => id = Some(note.text),
                Content::Lines(lines) => {
                    let line = lines.deepest(1).and_then(|set| set.lines.first());
                    pv = line.map(|line| moves(position, line.moves())).unwrap_or_default();
                }
            }
        }
        // A line of an earlier search does not begin with the best move.
        pv = Some(pv).filter(|pv| pv.first() == best.as_ref()).unwrap_or_default();
        if !is_exact && best.is_none() && id.is_none() {
            return Ok(None);
        }
        Ok(Some(EpdAnalysis {
            depth: is_exact.then(|| depth(record)),
            nodes: Some(record.nodes).filter(|&nodes| nodes > 0),
            best: best.into_iter().collect(),
            score: is_exact.then_some(record.lower.score),
            pv,
            id,
            comment: None,
        }))
    }

    /// Whether the author of a note has a record of the position, whose line has the note.
    fn has_record(&self, key: &Key) -> Result<bool> {
        let mut has_record = false;
        self.store.get_many(&key.game, &[&key.position], &mut |_, source, _| has_record |= *source == key.source)?;
        Ok(has_record)
    }
}

/// The depth in plies; what is proven is as deep as searches go.
fn depth(record: &Record) -> u8 {
    let depth = record.lower.depth.min(record.upper.depth);
    if depth == PROVEN { MAX_DEPTH } else { depth }
}

fn legal(position: &Position, code: u16) -> Option<Move> {
    NonZeroU16::new(code).and_then(from_code).filter(|&mv| position.is_legal(mv))
}

fn moves(position: &Position, codes: &[u16]) -> Vec<Move> {
    let mut at = position.clone();
    let moves = codes.iter().map_while(|&code| {
        let mv = legal(&at, code)?;
        at = at.after(mv);
        Some(mv)
    });
    moves.collect()
}
