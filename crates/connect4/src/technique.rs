//! The solver's techniques, each of which can be switched off to measure what it is worth.

/// One technique of the search. Every one of them only saves work: the score is the same without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Technique {
    /// Mirror images share one table entry.
    Mirror = 1,
    /// Bounds from "can this side still make four at all".
    Material = 1 << 1,
    /// The follow-up argument: the other side answers every move in the same column.
    FollowUp = 1 << 2,
    /// The follow-up argument carried by a threat that decides the last column.
    Zugzwang = 1 << 3,
    /// All children are looked up in the table before any of them is searched.
    EnhancedCutoffs = 1 << 4,
    /// Moves are ordered by the open threats they make.
    ThreatOrder = 1 << 5,
    /// Moves are ordered by how often their square refuted positions before.
    History = 1 << 6,
    /// Lower bounds are kept in the table beside upper bounds.
    LowerBounds = 1 << 7,
    /// The best move is kept in the table and tried first.
    BestMove = 1 << 8,
    /// Moves to which there is no alternative are followed without a node.
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

    /// The technique of that name, `None` when there is none.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|technique| technique.name() == name)
    }

    /// True when this technique is not among those switched `off`, as the search is compiled.
    #[inline(always)]
    pub(crate) const fn is_on(self, off: u32) -> bool {
        off & self as u32 == 0
    }
}

/// Which techniques the search uses. The search is compiled once for each choice offered here, so that a technique
/// that is on costs no test for being on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Techniques {
    /// All of them.
    #[default]
    All,
    /// All but one.
    Without(Technique),
    /// The table keeps upper bounds only: neither lower bounds nor best moves.
    UpperBoundsOnly,
}
