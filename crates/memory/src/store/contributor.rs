//! Whose memory a record comes from.

use crate::store::MAX_NAME_BYTES;
use crate::{MemoryError, MemoryId, Result};

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
}

/// Checks that a label can be kept: 1 to 255 bytes, with something to see, and without control characters.
pub(super) fn validate_label(label: &str) -> Result {
    let is_seen = !label.trim().is_empty() && !label.chars().any(char::is_control);
    if is_seen && label.len() <= MAX_NAME_BYTES {
        return Ok(());
    }
    Err(MemoryError::InvalidItem { reason: "a label has 1 to 255 bytes and no control characters".to_owned() })
}
