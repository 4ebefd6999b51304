//! What others say of a position whose scores a search does not believe: advice, and contributors who are not trusted.

use mnemon_chess::{Move, Position};
use mnemon_memory::recall::Hearsay;
use mnemon_memory::{PROVEN, Record};
use mnemon_search::Notation;
use mnemon_table::Bound;

/// Who says what, in one line.
pub(crate) fn text(position: &Position, hearsay: &Hearsay) -> String {
    let Hearsay { source, author, record } = hearsay;
    let (window, depth) = record.deepest();
    let mut parts: Vec<String> = advised(position, record).into_iter().collect();
    if let Some((score, bound)) = window.bound(mnemon_table::Score::MIN) {
        let sign = match bound {
            Bound::Exact => "",
            Bound::AtLeast => "at least ",
            Bound::AtMost => "at most ",
        };
        parts.push(format!("{sign}{}", Position::write_score(score)));
        match depth {
            _ if source.is_person() => {}
            PROVEN => parts.push("proven".to_owned()),
            depth => parts.push(format!("depth {depth}")),
        }
    }
    let (verb, note) =
        if source.is_person() { ("advises", "") } else { ("says", "; not trusted: only the move is tried first") };
    format!("{author} {verb} {}{note}", parts.join(", "))
}

/// That the search prefers another move.
pub(crate) fn disagreement(position: &Position, hearsay: &Hearsay, best: Move) -> String {
    let advised = advised(position, &hearsay.record).unwrap_or_default();
    format!("{} advises {advised}; the search prefers {}", hearsay.author, position.san(best))
}

/// The move that a record names, if it is legal.
fn advised(position: &Position, record: &Record) -> Option<String> {
    let mv = std::num::NonZeroU16::new(record.best).and_then(mnemon_chess::from_code)?;
    position.is_legal(mv).then(|| position.san(mv))
}
