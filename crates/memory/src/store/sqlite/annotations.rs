//! Annotations in the file: lines and notes, one row for each position, source and kind.

use std::ops::ControlFlow;

use rusqlite::{Connection, OptionalExtension};

use super::SqliteStore;
use super::read::NameCache;
use super::row::{self, RowKey, integer};
use super::schema::Format;
use super::write::{BatchRow, sorted_rows};
use crate::codec::{self, ContentKind};
use crate::store::{Merged, Range};
use crate::{Annotation, Content, Key, Result, Source};

macro_rules! select {
    () => {
        "SELECT game, position, source, kind, data FROM annotations"
    };
}

/// The content in a row's bytes; `None` if its checksum does not fit it and its key.
fn decode(row_key: &RowKey<'_>, kind: Option<u8>, data: &[u8]) -> Option<Content> {
    let kind = ContentKind::from_number(kind?)?;
    codec::decode_content(kind, row_key.verified(kind as u8, data)?)
}

impl SqliteStore {
    pub(super) fn read_annotations(&self, game: &str, position: &[u8]) -> Result<Vec<(Source, Content)>> {
        let mut found = Vec::new();
        if self.format == Format::Two {
            let reader = self.reader()?;
            let range = Range { game: Some(game), prefix: position, ..Range::default() };
            let visit = &mut |annotation: Annotation| {
                if *annotation.key.position == *position {
                    found.push((annotation.key.source, annotation.content));
                }
                ControlFlow::Continue(())
            };
            let damaged = self.scan_rows(&reader, &range, visit).map_err(|error| self.explain(error))?;
            self.count_damaged(damaged);
        }
        Ok(found)
    }

    pub(super) fn visit_annotations(
        &self,
        range: &Range<'_>,
        visit: &mut dyn FnMut(Annotation) -> ControlFlow<()>,
    ) -> Result {
        if self.format == Format::One {
            return Ok(());
        }
        let reader = self.reader()?;
        let scanned = reader.begin_snapshot().and_then(|()| self.scan_rows(&reader, range, visit));
        self.count_damaged(scanned.map_err(|error| self.explain(error))?);
        Ok(())
    }

    /// Reads all annotations in the range; returns how many are damaged.
    pub(super) fn count_damaged_annotations(
        &self,
        connection: &Connection,
        range: &Range<'_>,
    ) -> rusqlite::Result<u64> {
        self.scan_rows(connection, range, &mut |_| ControlFlow::Continue(()))
    }

    /// Visits the rows in the order of the file, as far as they lie in the range; returns how many are damaged.
    fn scan_rows(
        &self,
        connection: &Connection,
        range: &Range<'_>,
        visit: &mut dyn FnMut(Annotation) -> ControlFlow<()>,
    ) -> rusqlite::Result<u64> {
        let mut names = NameCache::new(self, connection);
        let game = range.game.map(|game| names.game_id(game)).transpose()?;
        if game == Some(None) {
            return Ok(0);
        }
        let game = game.flatten();
        let sql = match game {
            Some(_) => concat!(select!(), " WHERE game = ?1 AND position >= ?2 ORDER BY position"),
            None => concat!(select!(), " WHERE ?1 IS NULL AND position >= ?2 ORDER BY game, position"),
        };
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = statement.query((game, range.prefix))?;
        let mut damaged = 0;
        while let Some(row) = rows.next()? {
            let (id, source) = (integer(row, 0).unwrap_or(0), integer(row, 2).unwrap_or(0));
            let (position, data) = (row.get_ref(1)?.as_blob().unwrap_or_default(), row.get_ref(4)?.as_blob());
            let row_key = RowKey { game: id, position, source };
            if game.is_some() && !position.starts_with(range.prefix) {
                break;
            }
            let content = decode(&row_key, integer(row, 3), data.unwrap_or_default());
            let (Some(content), Some(game), Some(source)) = (content, names.game(id)?, names.source(source)?) else {
                damaged += 1;
                continue;
            };
            let key = Key { game, position: position.into(), source: source.clone() };
            if range.contains_key(&key) && visit(Annotation { key, content }).is_break() {
                break;
            }
        }
        Ok(damaged)
    }

    pub(super) fn write_annotations(&self, annotations: &[Annotation]) -> Result<Merged> {
        annotations.iter().try_for_each(Annotation::validate)?;
        let keys: Vec<&Key> = annotations.iter().map(|annotation| &annotation.key).collect();
        self.add_names(&keys)?;
        let rows = sorted_rows(&self.names(), keys);
        self.transact(|connection| self.merge_rows(connection, &rows, annotations))
    }

    /// Merges the annotations of these rows within a transaction.
    pub(super) fn merge_rows(
        &self,
        connection: &Connection,
        rows: &[BatchRow<'_>],
        annotations: &[Annotation],
    ) -> rusqlite::Result<Merged> {
        let mut merged = Merged::default();
        for row in rows {
            self.merge_annotation(connection, &row.row_key, &annotations[row.index].content, &mut merged)?;
        }
        Ok(merged)
    }

    fn merge_annotation(
        &self,
        connection: &Connection,
        row_key: &RowKey<'_>,
        content: &Content,
        merged: &mut Merged,
    ) -> rusqlite::Result<()> {
        let kind = ContentKind::of(content) as u8;
        let sql = "SELECT data FROM annotations WHERE game = ?1 AND position = ?2 AND source = ?3 AND kind = ?4";
        let key = (row_key.game, row_key.position, row_key.source, kind);
        let known: Option<Vec<u8>> = connection.prepare_cached(sql)?.query_row(key, |row| row.get(0)).optional()?;
        let before = known.as_deref().and_then(|data| decode(row_key, Some(kind), data));
        if known.is_some() && before.is_none() {
            self.count_damaged(1);
        }
        let joined = before.as_ref().map_or_else(|| content.clone(), |before| before.merge(content));
        match &before {
            None => merged.added += 1,
            Some(before) if *before == joined => {
                merged.known += 1;
                return Ok(());
            }
            Some(_) => merged.changed += 1,
        }
        let mut data = Vec::new();
        codec::encode_content(&joined, &mut data);
        row_key.seal(kind, &mut data);
        let mut replace = connection.prepare_cached("INSERT OR REPLACE INTO annotations VALUES(?1, ?2, ?3, ?4, ?5)")?;
        row::bind_key(&mut replace, row_key)?;
        replace.raw_bind_parameter(4, kind)?;
        replace.raw_bind_parameter(5, &data[..])?;
        replace.raw_execute().map(drop)
    }
}
