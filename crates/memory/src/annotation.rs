//! Annotations: what a memory keeps of a position beside its record: a search's lines, and a person's note.

use std::cmp::Reverse;

use mnemon_search::MAX_DEPTH;
use mnemon_table::{Bound, Score, Window};

use crate::{Key, MemoryError, PROVEN, Result};

/// Lines or a note, with the key of the position and the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// The key.
    pub key: Key,
    /// The lines or the note.
    pub content: Content,
}

/// What an annotation says. A position and source may have one of each kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The principal variations of an engine's searches.
    Lines(Lines),
    /// A person's words.
    Note(Note),
}

impl Content {
    /// The join of two contents of one kind; of different kinds, which have different keys, the first.
    #[must_use]
    pub fn merge(&self, other: &Content) -> Content {
        match (self, other) {
            (Content::Lines(a), Content::Lines(b)) => Content::Lines(a.merge(b)),
            (Content::Note(a), Content::Note(b)) => Content::Note(a.max(b).clone()),
            _ => self.clone(),
        }
    }
}

/// A person's words on a position. The later one replaces the earlier.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// When it was written, in seconds since 1970.
    pub time: u32,
    /// The words.
    pub text: String,
}

/// A principal variation with its score.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Line {
    /// The least and the greatest value that the search leaves open, for the side to move; wins are counted from the
    /// position that the line begins at.
    lower: Score,
    upper: Score,
    /// The moves, in the game's own code.
    moves: Vec<u16>,
}

impl Line {
    /// The most moves that are kept of a line.
    pub const MAX_MOVES: usize = 64;

    /// A line of at most [`MAX_MOVES`](Self::MAX_MOVES) moves; what is longer is cut off.
    pub fn new(window: Window, moves: impl IntoIterator<Item = u16>) -> Self {
        Line { lower: window.lower, upper: window.upper, moves: moves.into_iter().take(Self::MAX_MOVES).collect() }
    }

    /// The score: exact, or one bound.
    pub fn window(&self) -> Window {
        Window { lower: self.lower, upper: self.upper }
    }

    /// The moves.
    pub fn moves(&self) -> &[u16] {
        &self.moves
    }

    fn is_sound(&self) -> bool {
        let is_scored = match self.window().bound(Score::MIN) {
            Some((_, Bound::Exact)) => self.lower == self.upper,
            Some(_) => self.lower == Window::NO_LOWER || self.upper == Window::NO_UPPER,
            None => false,
        };
        is_scored && !self.moves.is_empty() && self.moves.len() <= Self::MAX_MOVES && !self.moves.contains(&0)
    }
}

/// The lines of one search at one depth, the best first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LineSet {
    /// The depth of the search in plies.
    pub depth: u8,
    /// When the search was, in seconds since 1970.
    pub time: u32,
    /// The lines.
    pub lines: Vec<Line>,
}

impl LineSet {
    /// The most lines of a set.
    pub const MAX_LINES: usize = 256;

    fn is_sound(&self) -> bool {
        let is_searched = self.depth <= MAX_DEPTH || self.depth == PROVEN;
        is_searched && (1..=Self::MAX_LINES).contains(&self.lines.len()) && self.lines.iter().all(Line::is_sound)
    }

    /// Whether `other` makes this set obsolete: it has at least as many lines at at least this depth. Of two with as many
    /// lines at one depth the newer stands, then the greater.
    fn is_obsolete_beside(&self, other: &LineSet) -> bool {
        let size = |set: &LineSet| (set.lines.len(), set.depth);
        let ((lines, depth), (others, other_depth)) = (size(self), size(other));
        let is_covered = others >= lines && other_depth >= depth;
        is_covered && ((others, other_depth) != (lines, depth) || (self.time, &self.lines) < (other.time, &other.lines))
    }
}

/// The lines that are kept of a position: sets of which none makes another obsolete, so that a deep single line and a
/// shallower set of three stand side by side.
///
/// ```
/// use mnemon_memory::{Line, LineSet, Lines};
/// use mnemon_table::Window;
///
/// let set = |depth, count: u16| {
///     let lines = (1..=count).map(|first| Line::new(Window::exact(30), [first, 9, 8])).collect();
///     Lines::from(LineSet { depth, time: 0, lines })
/// };
/// let both = set(24, 1).merge(&set(18, 3));
/// assert_eq!(both.deepest(1).map(|set| set.depth), Some(24));
/// assert_eq!(both.deepest(3).map(|set| set.depth), Some(18));
/// assert_eq!(both.merge(&set(24, 3)), set(24, 3), "as deep, and as many");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Lines(Vec<LineSet>);

impl Lines {
    /// The sets, those with fewer lines, which are deeper, first.
    pub fn sets(&self) -> &[LineSet] {
        &self.0
    }

    /// The deepest set with at least `count` lines.
    pub fn deepest(&self, count: usize) -> Option<&LineSet> {
        self.0.iter().find(|set| set.lines.len() >= count)
    }

    /// The join: of both, the sets that no other makes obsolete. Commutative, associative and idempotent, as
    /// [`merge`](crate::merge()) is.
    #[must_use]
    pub fn merge(&self, other: &Lines) -> Lines {
        self.0.iter().chain(&other.0).cloned().collect()
    }
}

impl From<LineSet> for Lines {
    fn from(set: LineSet) -> Self {
        Lines(vec![set])
    }
}

impl FromIterator<LineSet> for Lines {
    fn from_iter<I: IntoIterator<Item = LineSet>>(sets: I) -> Self {
        let mut all: Vec<LineSet> = sets.into_iter().collect();
        all.sort_by(|a, b| {
            let rank = |set: &LineSet| (set.lines.len(), Reverse(set.depth), Reverse(set.time));
            rank(a).cmp(&rank(b)).then_with(|| b.lines.cmp(&a.lines))
        });
        all.dedup();
        let is_current = |set: &LineSet| !all.iter().any(|other| set.is_obsolete_beside(other));
        Lines(all.iter().filter(|set| is_current(set)).cloned().collect())
    }
}

impl Annotation {
    /// The longest note.
    pub const MAX_NOTE_BYTES: usize = 16 << 10;

    /// Checks that a store can hold the annotation.
    ///
    /// # Errors
    /// [`MemoryError::InvalidItem`]: lines of a person, a note that is not a person's, no line, a line without a move or
    /// without a score, an empty or overlong note, a key that [no item](crate::Item::validate) may have.
    pub fn validate(&self) -> Result {
        self.key.validate()?;
        let is_person = self.key.source.is_person();
        let reason = match &self.content {
            Content::Lines(_) if is_person => "lines are a search's, not a person's",
            Content::Lines(lines) if lines.0.is_empty() || !lines.0.iter().all(LineSet::is_sound) => {
                "a line needs a score and 1 to 64 moves"
            }
            Content::Lines(lines) if lines.0.iter().cloned().collect::<Lines>() != *lines => {
                "a set of lines is made obsolete by another"
            }
            Content::Note(_) if !is_person => "a note is a person's",
            Content::Note(note) if note.text.trim().is_empty() => "a note needs words",
            Content::Note(note) if note.text.len() > Self::MAX_NOTE_BYTES => "a note has at most 16384 bytes",
            _ => return Ok(()),
        };
        Err(MemoryError::InvalidItem { reason: reason.to_owned() })
    }
}
