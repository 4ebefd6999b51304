//! Sources: who says what a record says, and whose memory it comes from.

use std::fmt;
use std::sync::Arc;

/// The identity of a memory: 16 random bytes, given to it when it is created and never changed.
///
/// ```
/// use mnemon_memory::MemoryId;
///
/// let id = MemoryId::from([0xab; 16]);
/// assert_eq!(id.to_string(), "abababababababababababababababab");
/// assert_eq!(id.to_string().parse(), Ok(id));
/// assert_eq!(id.short(), "abababab");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MemoryId([u8; 16]);

impl MemoryId {
    /// An identity that depends on the text alone: for a file that has none of its own, so that reading it again gives the
    /// same.
    pub fn of_text(text: &str) -> Self {
        let mut bytes = [0; 16];
        for (number, part) in bytes.chunks_exact_mut(4).enumerate() {
            let mut hasher = crc32fast::Hasher::new_with_initial(number as u32 + 1);
            hasher.update(text.as_bytes());
            hasher.update(&[number as u8]);
            part.copy_from_slice(&hasher.finalize().to_le_bytes());
        }
        MemoryId(bytes)
    }

    /// The bytes.
    pub const fn bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// The first eight hexadecimal digits, for people.
    pub fn short(&self) -> String {
        self.to_string()[..8].to_owned()
    }
}

impl From<[u8; 16]> for MemoryId {
    fn from(bytes: [u8; 16]) -> Self {
        MemoryId(bytes)
    }
}

impl fmt::Display for MemoryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for MemoryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::str::FromStr for MemoryId {
    type Err = InvalidMemoryId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.len() != 32 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(InvalidMemoryId);
        }
        let number = u128::from_str_radix(text, 16).map_err(|_| InvalidMemoryId)?;
        Ok(MemoryId(number.to_be_bytes()))
    }
}

/// A text that is no identity of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the identity of a memory has 32 hexadecimal digits")]
pub struct InvalidMemoryId;

/// What kind of author a source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SourceKind {
    /// A program that searches.
    Engine,
    /// A person, whose records are advice.
    Person,
    /// A file of games or evaluations that names no author.
    File,
    /// A player, whose records are what the results of his games say.
    Player,
}

impl SourceKind {
    /// Every kind with its name.
    pub const ALL: [(SourceKind, &'static str); 4] = [
        (SourceKind::Engine, "engine"),
        (SourceKind::Person, "person"),
        (SourceKind::File, "file"),
        (SourceKind::Player, "player"),
    ];

    /// The kind's name.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// The kind with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|&(_, known)| known == name).map(|(kind, _)| kind)
    }
}

/// The author of a record: an engine of one version, a person, a file or a player; and the memory that it comes from.
/// Cheap to clone.
///
/// Engines of different versions are different sources: their records are not merged. Neither are those of two
/// [contributors](Self::contributor), so that what one of them brought can be told apart, and taken out again, for ever.
///
/// ```
/// use mnemon_memory::{MemoryId, Source};
///
/// let engine = Source::engine("mnemon", "0.1.0");
/// assert_eq!(engine.to_string(), "mnemon 0.1.0");
/// assert_ne!(engine, Source::engine("mnemon", "0.2.0"));
/// assert!(Source::person("Ada").is_person());
///
/// let friend = MemoryId::from([7; 16]);
/// let merged = engine.contributed_by(friend);
/// assert_eq!((merged.contributor(), engine.contributor()), (Some(friend), None));
/// assert_eq!(merged.contributed_by(MemoryId::from([8; 16])), merged, "the first contributor stays");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Source(Arc<Author>);

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Author {
    kind: SourceKind,
    name: Box<str>,
    version: Box<str>,
    contributor: Option<MemoryId>,
    /// Sorted, each once.
    believing: Box<[MemoryId]>,
}

impl Source {
    /// An engine of one version.
    pub fn engine(name: &str, version: &str) -> Self {
        Self::new(SourceKind::Engine, name, version)
    }

    /// A person, whose records are advice.
    pub fn person(name: &str) -> Self {
        Self::new(SourceKind::Person, name, "")
    }

    /// A file of games or evaluations.
    pub fn file(name: &str) -> Self {
        Self::new(SourceKind::File, name, "")
    }

    /// A player, whose records are what the results of his games say.
    pub fn player(name: &str) -> Self {
        Self::new(SourceKind::Player, name, "")
    }

    /// A source of the memory that holds it. Only an engine has a version.
    pub fn new(kind: SourceKind, name: &str, version: &str) -> Self {
        let (name, version) = (name.into(), version.into());
        Source(Arc::new(Author { kind, name, version, contributor: None, believing: Box::default() }))
    }

    /// The same source as another memory knows it: contributed by the memory `from`, unless it was contributed to that one
    /// by another already.
    #[must_use]
    pub fn contributed_by(&self, from: MemoryId) -> Self {
        if self.0.contributor.is_some() {
            return self.clone();
        }
        Source(Arc::new(Author { contributor: Some(from), ..(*self.0).clone() }))
    }

    /// The same source where its searches believed these contributors.
    ///
    /// ```
    /// use mnemon_memory::{MemoryId, Source};
    ///
    /// let friend = MemoryId::from([7; 16]);
    /// let credulous = Source::engine("mnemon", "0.2.0").believing([friend]);
    /// assert_eq!(credulous.believed(), [friend]);
    /// assert!(credulous.rests_on(friend) && credulous.is_same_author(&Source::engine("mnemon", "0.2.0")));
    /// ```
    #[must_use]
    pub fn believing(&self, contributors: impl IntoIterator<Item = MemoryId>) -> Self {
        let mut believing: Vec<MemoryId> = contributors.into_iter().collect();
        believing.sort_unstable();
        believing.dedup();
        if *believing == *self.0.believing {
            return self.clone();
        }
        Source(Arc::new(Author { believing: believing.into(), ..(*self.0).clone() }))
    }

    /// What kind of author it is.
    pub fn kind(&self) -> SourceKind {
        self.0.kind
    }

    /// The engine's, person's or file's name.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The engine's version; empty for others.
    pub fn version(&self) -> &str {
        &self.0.version
    }

    /// Whether this is a person.
    pub fn is_person(&self) -> bool {
        self.0.kind == SourceKind::Person
    }

    /// Whether this is a player.
    pub fn is_player(&self) -> bool {
        self.0.kind == SourceKind::Player
    }

    /// The memory that it was merged or imported from; `None` if it is the own one of the memory that holds it.
    pub fn contributor(&self) -> Option<MemoryId> {
        self.0.contributor
    }

    /// The contributors whose scores its searches believed, sorted.
    pub fn believed(&self) -> &[MemoryId] {
        &self.0.believing
    }

    /// The contributors that its records rest on: its own, and those that it believed.
    pub fn foundations(&self) -> impl Iterator<Item = MemoryId> {
        self.0.contributor.into_iter().chain(self.0.believing.iter().copied())
    }

    /// Whether its records rest on the contributor: they are his, or he was believed when they were searched.
    pub fn rests_on(&self, contributor: MemoryId) -> bool {
        self.foundations().any(|foundation| foundation == contributor)
    }

    /// Whether both are the same engine, person or file, in whatever memory, whomever they believed.
    pub fn is_same_engine(&self, other: &Source) -> bool {
        self.kind() == other.kind() && self.name() == other.name() && self.version() == other.version()
    }

    /// Whether both are the same engine, person or file of the same memory, whomever they believed.
    pub fn is_same_author(&self, other: &Source) -> bool {
        self.is_same_engine(other) && self.contributor() == other.contributor()
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        if !self.version().is_empty() {
            write!(f, " {}", self.version())?;
        }
        Ok(())
    }
}
