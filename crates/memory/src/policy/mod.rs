//! Learning methods of the literature, each a small module of pure functions.
//!
//! A policy decides what to keep of a finished search ([`Policy::retention`]), which records to recall before the next one
//! ([`Policy::reach`]), and how a record enters the table ([`Policy::entry`]). [`recall`](crate::recall) and
//! [`learn`](crate::learn) do the rest.

pub mod bebe;
pub mod crafty;
mod entry;
pub mod result;
pub mod resume;
pub mod rote;
mod searched;
pub mod slate;
mod thresholds;
pub mod tree;

use mnemon_table::{Entry, Score};

use crate::{Origins, Record};

pub use bebe::Bebe;
pub use crafty::Crafty;
pub use entry::{DEFAULT_FUZZ, EntryRules, widened};
pub use result::{PlayerResult, ResultLearning};
pub use resume::Resume;
pub use rote::Rote;
pub(crate) use searched::claims;
pub use searched::{PlayedPosition, Searched};
pub use slate::Slate;
pub use thresholds::Thresholds;
pub use tree::Tree;

/// What a memory learns from searches, and how it helps them.
///
/// ```
/// use mnemon_memory::policy::{Policy, Resume};
///
/// assert_eq!(Policy::named("resume"), Some(Policy::Resume(Resume::default())));
/// let deep_only = Policy::Resume(Resume { least_depth: 12, ..Resume::default() });
/// assert_eq!(deep_only.name(), "resume");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Neither learns nor recalls.
    Off,
    /// Recalls as [`Policy::Resume`] does, and learns nothing.
    ReadOnly(Resume),
    /// Samuel's rote learning.
    Rote(Rote),
    /// Slate's: roots whose score dropped during the search.
    Slate(Slate),
    /// Bebe's: every root of a game.
    Bebe(Bebe),
    /// Crafty's: roots whose score dropped since the last search of the game.
    Crafty(Crafty),
    /// Everything deep, so that a later analysis continues where this one stopped.
    Resume(Resume),
    /// One growing graph of everything searched, with backed-up values.
    Tree(Tree),
    /// What the results of games say of the player's moves.
    Result(ResultLearning),
}

/// What a policy keeps of a finished search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retention {
    /// Nothing is kept.
    Nothing,
    /// This record of the root.
    Root(Record),
    /// The root, and everything below it that the table knows to this depth or deeper.
    Tree {
        /// The root's record; `None` if its score must not be kept.
        root: Option<Record>,
        /// The least depth to keep.
        least_depth: u8,
        /// The most records to keep of one search.
        most: usize,
    },
}

/// Which records enter the table before a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// None.
    Nothing,
    /// Those below the root, through positions that are known.
    Below,
    /// Those below the root, with values backed up from what is known below them.
    BackedUp,
    /// The results of games below the root.
    Results,
    /// Every root that the engine has learned, below this root or not, and people's advice; and all records below the root,
    /// through positions that are known.
    EveryRoot,
}

impl Policy {
    /// The names of all policies.
    pub const NAMES: [&'static str; 9] =
        ["off", "read-only", "rote", "slate", "bebe", "crafty", "resume", "tree", "result"];

    /// The policy of this name with its default settings.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "off" => Policy::Off,
            "read-only" => Policy::ReadOnly(Resume::default()),
            "rote" => Policy::Rote(Rote::default()),
            "slate" => Policy::Slate(Slate::default()),
            "bebe" => Policy::Bebe(Bebe::default()),
            "crafty" => Policy::Crafty(Crafty::default()),
            "resume" => Policy::Resume(Resume::default()),
            "tree" => Policy::Tree(Tree::default()),
            "result" => Policy::Result(ResultLearning::default()),
            _ => return None,
        })
    }

    /// The policy's name.
    pub fn name(&self) -> &'static str {
        match self {
            Policy::Off => "off",
            Policy::ReadOnly(_) => "read-only",
            Policy::Rote(_) => "rote",
            Policy::Slate(_) => "slate",
            Policy::Bebe(_) => "bebe",
            Policy::Crafty(_) => "crafty",
            Policy::Resume(_) => "resume",
            Policy::Tree(_) => "tree",
            Policy::Result(_) => "result",
        }
    }

    /// What to keep of a finished search.
    pub fn retention(&self, searched: &Searched) -> Retention {
        let root = |record: Option<Record>| record.map_or(Retention::Nothing, Retention::Root);
        match self {
            Policy::Off | Policy::ReadOnly(_) | Policy::Result(_) => Retention::Nothing,
            Policy::Rote(rote) => root(rote.keep(searched)),
            Policy::Slate(slate) => root(slate.keep(searched)),
            Policy::Bebe(bebe) => root(bebe.keep(searched)),
            Policy::Crafty(crafty) => root(crafty.keep(searched)),
            Policy::Resume(resume) => resume.retention(searched),
            Policy::Tree(tree) => tree.retention(searched),
        }
    }

    /// The table entry of a record; `own` says whether the record is of the engine that is going to search.
    pub fn entry(&self, record: &Record, own: bool) -> Entry {
        self.entry_by(EntryRules::default(), record, own)
    }

    /// As [`entry`](Self::entry), by other rules.
    pub fn entry_by(&self, rules: EntryRules, record: &Record, own: bool) -> Entry {
        match self {
            Policy::Result(_) => entry::at_every_depth(record),
            Policy::Bebe(bebe) => entry::entry(record, rules, |window| bebe.widened(window)),
            _ => entry::entry(record, rules, |window| widened(window, self.fuzz(own))),
        }
    }

    /// By how much a recalled score is widened at either bound.
    fn fuzz(&self, own: bool) -> Score {
        match self {
            Policy::Off | Policy::Rote(_) | Policy::Result(_) | Policy::Crafty(_) => 0,
            Policy::Slate(slate) => slate.fuzz,
            Policy::Bebe(bebe) => bebe.tolerance,
            Policy::ReadOnly(resume) | Policy::Resume(resume) => resume.fuzz(own),
            Policy::Tree(tree) => tree.fuzz(own),
        }
    }

    /// Which records enter the table.
    pub fn reach(&self) -> Reach {
        match self {
            Policy::Off => Reach::Nothing,
            Policy::Tree(_) => Reach::BackedUp,
            Policy::Result(_) => Reach::Results,
            Policy::Rote(_) | Policy::Slate(_) | Policy::Bebe(_) | Policy::Crafty(_) => Reach::EveryRoot,
            Policy::ReadOnly(_) | Policy::Resume(_) => Reach::Below,
        }
    }

    /// The most roots to keep of one game and source: the oldest beyond it are deleted. `None` for no limit.
    pub fn limit(&self) -> Option<u64> {
        match self {
            Policy::Rote(rote) => rote.limit,
            Policy::Crafty(crafty) => Some(crafty.limit),
            _ => None,
        }
    }

    /// Whether the record counts for the policy's limit, and may be deleted by it: one that this policy alone keeps.
    pub(crate) fn limits(&self, record: &Record) -> bool {
        let kept = match self {
            Policy::Rote(_) => Rote::ORIGINS,
            Policy::Crafty(_) => Origins::SEARCH.union(Crafty::ORIGINS),
            _ => return false,
        };
        record.origins == kept
    }

    /// Whether a record that was used gets the time of its use.
    pub fn refreshes(&self) -> bool {
        matches!(self, Policy::Rote(_))
    }
}
