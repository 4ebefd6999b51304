//! The solver's techniques, each of which can be switched off to measure its effect.

/// One technique of the search. Each saves nodes; the score is the same without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Technique {
    /// Mirror images share one table entry.
    Mirror = 1,
    /// A static bound where one side cannot make four any more.
    Material = 1 << 1,
    /// The follow-up argument: the other side answers every move in the same column.
    FollowUp = 1 << 2,
    /// The follow-up argument with a threat of the other side that decides the last column.
    Zugzwang = 1 << 3,
    /// Enhanced transposition cutoffs: all children are probed before the first is searched.
    EnhancedCutoffs = 1 << 4,
    /// Moves are ordered by the threats they make.
    ThreatOrder = 1 << 5,
    /// Moves are ordered by how often their square failed high before (history heuristic).
    History = 1 << 6,
    /// Lower bounds are kept in the table beside upper bounds.
    LowerBounds = 1 << 7,
    /// The best move is kept in the table and searched first (hash move).
    BestMove = 1 << 8,
    /// Forced moves are followed without a node.
    Forced = 1 << 9,
}

impl Technique {
    /// Every technique, in the order of the ablation table.
    pub const ALL: [Self; 10] = [
        Self::Mirror,
        Self::Material,
        Self::FollowUp,
        Self::Zugzwang,
        Self::EnhancedCutoffs,
        Self::ThreatOrder,
        Self::History,
        Self::LowerBounds,
        Self::BestMove,
        Self::Forced,
    ];

    /// The technique's name in tables and on command lines.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mirror => "mirror",
            Self::Material => "material",
            Self::FollowUp => "follow-up",
            Self::Zugzwang => "zugzwang",
            Self::EnhancedCutoffs => "enhanced-cutoffs",
            Self::ThreatOrder => "threat-order",
            Self::History => "history",
            Self::LowerBounds => "lower-bounds",
            Self::BestMove => "best-move",
            Self::Forced => "forced",
        }
    }

    /// The technique of that name; `None` when there is none.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|technique| technique.name() == name)
    }

    /// Whether this technique is not in the set `off`, for which the search is compiled.
    #[inline(always)]
    pub(crate) const fn is_on(self, off: u32) -> bool {
        off & self as u32 == 0
    }
}

/// The techniques that the search uses. The search is compiled once for each choice here, so that the inner loop does not
/// test which techniques are on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Techniques {
    /// All of them.
    #[default]
    All,
    /// All but one.
    Without(Technique),
    /// The table keeps upper bounds only: neither lower bounds nor best moves.
    UpperBoundsOnly,
    /// All of them, with a table for each bound: see [`Solver::with_separate_tables`](crate::Solver::with_separate_tables).
    SeparateTables,
}

/// The bit beside those of the techniques that are off: each bound is in a table of its own.
pub(crate) const SEPARATE_TABLES: u32 = 1 << 31;
