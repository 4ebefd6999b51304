//! The bit sets of a record: its origins and its flags.

/// Where a record's contents come from: a set, so that merging keeps all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origins(u8);

impl Origins {
    /// The engine's own search.
    pub const SEARCH: Origins = Origins(1);
    /// The score dropped during the search or since the last one.
    pub const DROP: Origins = Origins(2);
    /// It was on a principal variation.
    pub const PV: Origins = Origins(4);
    /// A person's advice.
    pub const ADVICE: Origins = Origins(8);
    /// An import.
    pub const IMPORT: Origins = Origins(16);
    /// The result of a game.
    pub const RESULT: Origins = Origins(32);
    /// It was on the board in a game that was played: it leads to what was learned later in the game.
    pub const GAME: Origins = Origins(64);
    /// Kept by a policy that deletes its oldest records beyond a limit.
    pub const LIMITED: Origins = Origins(128);

    /// Every origin with its name.
    pub const ALL: [(Origins, &'static str); 8] = [
        (Origins::SEARCH, "search"),
        (Origins::DROP, "drop"),
        (Origins::PV, "pv"),
        (Origins::ADVICE, "advice"),
        (Origins::IMPORT, "import"),
        (Origins::RESULT, "result"),
        (Origins::GAME, "game"),
        (Origins::LIMITED, "limited"),
    ];

    /// The set with these bits.
    pub const fn from_bits(bits: u8) -> Self {
        Origins(bits)
    }

    /// The set as bits: 1 search, 2 drop, 4 principal variation, 8 advice, 16 import, 32 game result, 64 on the board in a
    /// game, 128 kept under a limit.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether all of `other` is in the set.
    pub const fn contains(self, other: Origins) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both sets together.
    #[must_use]
    pub const fn union(self, other: Origins) -> Self {
        Origins(self.0 | other.0)
    }

    /// The names of all that is in the set.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::ALL.into_iter().filter(move |&(origin, _)| self.contains(origin)).map(|(_, name)| name)
    }

    /// The origin with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|&(_, known)| known == name).map(|(origin, _)| origin)
    }
}

/// Properties of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Flags(u8);

impl Flags {
    /// No flags.
    pub const NONE: Flags = Flags(0);
    /// The position was the root of a search. Stores index these by time, and advice; they are few.
    pub const ROOT: Flags = Flags(1);

    /// The flags with these bits; `None` if a bit has no meaning.
    pub const fn from_bits(bits: u8) -> Option<Self> {
        if bits < 2 { Some(Flags(bits)) } else { None }
    }

    /// The flags as bits: 1 root.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether all of `other` is set.
    pub const fn contains(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both together.
    #[must_use]
    pub const fn union(self, other: Flags) -> Self {
        Flags(self.0 | other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_have_names() {
        let both = Origins::SEARCH.union(Origins::PV);
        assert_eq!(both.names().collect::<Vec<_>>(), ["search", "pv"]);
        assert_eq!(Origins::named("drop"), Some(Origins::DROP));
        assert_eq!(Origins::from_bits(0b101), both);
    }
}
