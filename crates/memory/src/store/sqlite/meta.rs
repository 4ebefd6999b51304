//! Who the memory is, and who contributed to it.

use rusqlite::{Connection, Row};

use super::SqliteStore;
use super::row::integer;
use crate::store::{Contributor, Identity};
use crate::{MemoryId, Result};

/// Writes the identity of a new memory, inside the caller's transaction.
pub(super) fn create(connection: &Connection, label: &str) -> rusqlite::Result<()> {
    let id: [u8; 16] = connection.query_row("SELECT randomblob(16)", [], |row| row.get(0))?;
    let check = checksum(&id, label, &[]);
    connection.execute("INSERT INTO memory VALUES(1, ?1, ?2, ?3)", (id, label, check)).map(drop)
}

/// The checksum of an identity with its label: a CRC-32 over the identity, the label's length and bytes, and the rest.
fn checksum(id: &[u8], label: &str, rest: &[u8]) -> i32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(id);
    hasher.update(&(label.len() as u32).to_le_bytes());
    hasher.update(label.as_bytes());
    hasher.update(rest);
    hasher.finalize() as i32
}

fn contributor_checksum(contributor: &Contributor) -> i32 {
    let mut rest = [u8::from(contributor.trusted); 5];
    rest[1..].copy_from_slice(&contributor.since.to_le_bytes());
    checksum(contributor.id.bytes(), &contributor.label, &rest)
}

/// The identity and label in the row's first columns.
fn identity(row: &Row<'_>) -> Option<Identity> {
    let id: [u8; 16] = row.get_ref(0).ok()?.as_blob().ok()?.try_into().ok()?;
    Some(Identity { id: MemoryId::from(id), label: row.get_ref(1).ok()?.as_str().ok()?.to_owned() })
}

/// The identity; `None` if it fails its checksum.
pub(super) fn read(connection: &Connection) -> rusqlite::Result<Option<Identity>> {
    let mut statement = connection.prepare_cached(r#"SELECT identity, label, "check" FROM memory WHERE id = 1"#)?;
    let mut rows = statement.query([])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let is_sound = |identity: &Identity| integer(row, 2) == Some(checksum(identity.id.bytes(), &identity.label, &[]));
    Ok(identity(row).filter(is_sound))
}

/// The contributors, and the number of those that fail their checksums: nothing of theirs is believed.
pub(super) fn contributors(connection: &Connection) -> rusqlite::Result<(Vec<Contributor>, u64)> {
    let sql = r#"SELECT identity, label, trusted, since, "check" FROM contributors ORDER BY identity"#;
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([])?;
    let (mut contributors, mut damaged) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        let read = || {
            let trusted = [false, true].into_iter().find(|&trusted| integer(row, 2) == Some(i64::from(trusted)))?;
            let contributor = Contributor { trusted, ..Contributor::new(identity(row)?, integer(row, 3)?) };
            (integer(row, 4) == Some(contributor_checksum(&contributor))).then_some(contributor)
        };
        match read() {
            Some(contributor) => contributors.push(contributor),
            None => damaged += 1,
        }
    }
    Ok((contributors, damaged))
}

impl SqliteStore {
    pub(super) fn write_label(&self, label: &str) -> Result {
        let id = self.read_identity()?.id;
        let check = checksum(id.bytes(), label, &[]);
        self.transact(|connection| {
            let sql = r#"UPDATE memory SET label = ?1, "check" = ?2 WHERE id = 1"#;
            connection.execute(sql, (label, check)).map(drop)
        })
    }

    pub(super) fn write_contributor(&self, contributor: &Contributor) -> Result {
        self.transact(|connection| {
            let (known, _) = contributors(connection)?;
            let known = known.into_iter().find(|known| known.id == contributor.id);
            let since = known.map_or(contributor.since, |known| known.since);
            let contributor = Contributor { since, ..contributor.clone() };
            let check = contributor_checksum(&contributor);
            let row = (contributor.id.bytes(), &contributor.label, contributor.trusted, since, check);
            connection.execute("INSERT OR REPLACE INTO contributors VALUES(?1, ?2, ?3, ?4, ?5)", row).map(drop)
        })
    }
}
