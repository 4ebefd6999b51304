//! The order of moves by what is known of the positions that they lead to.

use mnemon_table::Score;

use crate::Record;

/// How good a move is for the side that plays it: the greater, the better.
///
/// A move that was searched, so that both ends of its value are known, stands before one that was only bounded, and a move
/// with a lower bound before one with an upper bound: a refutation says little of how bad a move is. Within each kind the
/// scores decide, then the depths.
///
/// ```
/// use mnemon_memory::{MoveRank, Record};
/// use mnemon_table::Window;
///
/// let rank = |record: Record| MoveRank::of(&record);
/// let bounded = rank(Record::between(Window::at_most(90), 20));
/// assert!(rank(Record::exact(10, 8)) > rank(Record::exact(-30, 12)));
/// assert!(rank(Record::exact(-30, 12)) > bounded && bounded > rank(Record::default()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MoveRank {
    kind: Kind,
    score: Score,
    depth: u8,
}

/// What is known of a move, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Unknown,
    AtMost,
    AtLeast,
    Searched,
}

impl MoveRank {
    /// Nothing is known of the move.
    pub const UNKNOWN: MoveRank = MoveRank { kind: Kind::Unknown, score: 0, depth: 0 };

    /// The rank of a move by its record: that of the position after it, [from its parent](Record::from_parent).
    pub fn of(record: &Record) -> Self {
        let kind = match (record.lower.is_known(), record.upper.is_known()) {
            (true, true) => Kind::Searched,
            (true, false) => Kind::AtLeast,
            (false, true) => Kind::AtMost,
            (false, false) => return Self::UNKNOWN,
        };
        let claim = record.stronger_end();
        MoveRank { kind, score: claim.score, depth: claim.depth }
    }

    /// Whether both ends of the move's value are known.
    pub fn is_searched(self) -> bool {
        self.kind == Kind::Searched
    }
}
