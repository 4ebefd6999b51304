//! Whose memory a record comes from.

use crate::store::MAX_NAME_BYTES;
use crate::{MemoryError, MemoryId, Result, Source};

/// A memory's name for others: its random identity, which never changes, and a label for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The identity.
    pub id: MemoryId,
    /// The label, which need not be unique.
    pub label: String,
}

/// A memory or a file that records were merged or imported from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contributor {
    /// Its identity.
    pub id: MemoryId,
    /// Its label, as it was heard last.
    pub label: String,
    /// Whether this memory's owner said that its scores are to be believed.
    pub trusted: bool,
    /// When something of it came first, in seconds since 1970.
    pub since: u32,
}

impl Contributor {
    /// A contributor that is not trusted.
    pub fn new(identity: Identity, since: u32) -> Self {
        Contributor { id: identity.id, label: identity.label, trusted: false, since }
    }

    /// Whether a person means this contributor: by its label, by the first eight or more digits of its identity, or by both
    /// as `label#digits`.
    ///
    /// ```
    /// use mnemon_memory::{Contributor, Identity, MemoryId};
    ///
    /// let identity = Identity { id: MemoryId::from([0xab; 16]), label: "Bob".to_owned() };
    /// let bob = Contributor::new(identity, 0);
    /// assert!(["Bob", "abababab", "ababababab", "Bob#ab"].iter().all(|name| bob.is_named(name)));
    /// assert!(["bob", "abab", "Bob#ac", "abababac"].iter().all(|name| !bob.is_named(name)));
    /// ```
    pub fn is_named(&self, name: &str) -> bool {
        let is_start = |digits: &str| self.id.to_string().starts_with(&digits.to_lowercase());
        let by_both = name.rsplit_once('#').is_some_and(|(label, digits)| label == self.label && is_start(digits));
        name == self.label || by_both || name.len() >= 8 && is_start(name)
    }
}

impl Source {
    /// The source's name with the labels of those that it comes from and rests on, for people.
    ///
    /// ```
    /// use mnemon_memory::{Contributor, Identity, MemoryId, Source};
    ///
    /// let id = MemoryId::from([0xab; 16]);
    /// let bob = [Contributor::new(Identity { id, label: "Bob".to_owned() }, 0)];
    /// let engine = Source::engine("mnemon", "0.2.0");
    /// assert_eq!(engine.described(&bob), "mnemon 0.2.0");
    /// assert_eq!(engine.contributed_by(id).described(&bob), "mnemon 0.2.0 of Bob");
    /// assert_eq!(engine.believing([id]).described(&bob), "mnemon 0.2.0, believing Bob");
    /// assert_eq!(engine.believing([id]).described(&[]), "mnemon 0.2.0, believing abababab");
    /// ```
    pub fn described(&self, contributors: &[Contributor]) -> String {
        let label = |id: MemoryId| {
            let known = contributors.iter().find(|contributor| contributor.id == id);
            let is_shared = |label: &str| contributors.iter().filter(|other| other.label == label).count() > 1;
            match known {
                None => id.short(),
                Some(known) if is_shared(&known.label) => format!("{}#{}", known.label, &id.short()[..4]),
                Some(known) => known.label.clone(),
            }
        };
        let mut text = self.to_string();
        if let Some(contributor) = self.contributor() {
            text += &format!(" of {}", label(contributor));
        }
        let believed: Vec<String> = self.believed().iter().map(|&id| label(id)).collect();
        if !believed.is_empty() {
            text += &format!(", believing {}", believed.join(", "));
        }
        text
    }
}

/// Checks that a label can be kept: 1 to 255 bytes, with something to see, and without control characters.
pub(super) fn validate_label(label: &str) -> Result {
    let is_seen = !label.trim().is_empty() && !label.chars().any(char::is_control);
    if is_seen && label.len() <= MAX_NAME_BYTES {
        return Ok(());
    }
    Err(MemoryError::InvalidItem { reason: "a label has 1 to 255 bytes and no control characters".to_owned() })
}
