//! Opening books: the moves that a walk from a root finds. A book has keys and no positions, so that only what can be
//! reached is found.

use std::collections::HashSet;
use std::io::Read;

use mnemon_chess::polyglot::Book;
use mnemon_chess::{Position, to_code};
use mnemon_memory::{Origins, Record, Source};
use mnemon_search::Notation;

use super::Result;
use super::intake::{Intake, packed};

/// More is not read: a larger book is refused.
const MAX_BYTES: u64 = (1 << 30) + 16;

/// Takes in the book's positions below the root: of each, a link by its heaviest move.
pub(super) fn import(mut reader: impl Read, root: &Position, intake: &mut Intake<'_>) -> Result {
    let mut bytes = Vec::new();
    reader.by_ref().take(MAX_BYTES).read_to_end(&mut bytes)?;
    let book = Book::from_bytes(bytes)?;
    let source = Source::file(intake.label());
    let (mut seen, mut pending) = (HashSet::new(), vec![root.clone()]);
    while let Some(position) = pending.pop() {
        let packed = packed(&position);
        let moves = book.moves_by_any_key(&position);
        let Some(best) = moves.first().filter(|_| !seen.contains(&packed)) else { continue };
        let game_ply = position.game_ply().unwrap_or(Record::NO_PLY);
        let record = Record { best: to_code(best.mv).get(), origins: Origins::IMPORT, game_ply, ..Record::default() };
        intake.record(&packed, &source, record)?;
        seen.insert(packed);
        pending.extend(moves.iter().map(|found| position.after(found.mv)));
    }
    Ok(())
}
