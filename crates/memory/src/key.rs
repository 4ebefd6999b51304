//! The key of a record, and the source that is a part of it.

use std::fmt;
use std::sync::Arc;

/// The key of a record: the game, the exact position, and the source. Records of several sources for one position are
/// separate.
///
/// Positions are compared byte for byte, so two positions with the same hash have different keys.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// The game's name, as [`Game::name`](mnemon_search::Game::name) gives it.
    pub game: Arc<str>,
    /// The packed position, as [`Game::pack`](mnemon_search::Game::pack) writes it.
    pub position: Box<[u8]>,
    /// The engine or person whose record it is.
    pub source: Source,
}

impl Key {
    /// The key of a position.
    pub fn new(game: &Arc<str>, position: impl Into<Box<[u8]>>, source: &Source) -> Self {
        Key { game: Arc::clone(game), position: position.into(), source: source.clone() }
    }
}

/// The author of a record: an engine of one version, or a person. Cheap to clone.
///
/// Engines of different versions are different sources: their records are not merged.
///
/// ```
/// use mnemon_memory::Source;
///
/// let engine = Source::engine("mnemon", "0.1.0");
/// assert_eq!(engine.to_string(), "mnemon 0.1.0");
/// assert_ne!(engine, Source::engine("mnemon", "0.2.0"));
/// assert!(Source::person("Ada").is_person());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Source(Arc<Identity>);

#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Identity {
    person: bool,
    name: Box<str>,
    version: Box<str>,
}

impl Source {
    /// An engine of one version.
    pub fn engine(name: &str, version: &str) -> Self {
        Source(Arc::new(Identity { person: false, name: name.into(), version: version.into() }))
    }

    /// A person, whose records are advice.
    pub fn person(name: &str) -> Self {
        Source(Arc::new(Identity { person: true, name: name.into(), version: "".into() }))
    }

    /// The engine's or person's name.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The engine's version; empty for a person.
    pub fn version(&self) -> &str {
        &self.0.version
    }

    /// Whether this is a person.
    pub fn is_person(&self) -> bool {
        self.0.person
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
