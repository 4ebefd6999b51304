//! What a scan met, compared with the counts that the file keeps: a damaged page may hide records without an error.

use rusqlite::Connection;

use super::read::NameCache;
use super::row::integer;

/// The numbers of sound records by the ids of their game and source, and of damaged ones.
#[derive(Debug, Default)]
pub(super) struct Census {
    sound: Vec<((u32, u32), u64)>,
    /// The index of the pair that was counted last: neighbouring records often share it.
    last: usize,
    damaged: u64,
}

impl Census {
    pub(super) fn count(&mut self, ids: (u32, u32)) {
        if self.sound.get(self.last).is_none_or(|&(last, _)| last != ids) {
            let found = self.sound.iter().position(|&(known, _)| known == ids);
            self.last = found.unwrap_or_else(|| {
                self.sound.push((ids, 0));
                self.sound.len() - 1
            });
        }
        self.sound[self.last].1 += 1;
    }

    pub(super) fn count_damaged(&mut self, records: u64) {
        self.damaged += records;
    }

    /// By how many records the file's counts of the game and source, or of all, differ from what was met. A damaged record
    /// may have any ids, so it accounts for one missing record of any.
    pub(super) fn difference(
        &self,
        connection: &Connection,
        game: Option<u32>,
        source: Option<u32>,
    ) -> rusqlite::Result<u64> {
        let sql =
            "SELECT game, source, records FROM counts WHERE (?1 IS NULL OR game = ?1) AND (?2 IS NULL OR source = ?2)";
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = statement.query((game, source))?;
        let (mut missing, mut surplus, mut matched) = (0_u64, 0_u64, 0_u64);
        while let Some(row) = rows.next()? {
            let ids = (integer(row, 0).unwrap_or(0), integer(row, 1).unwrap_or(0));
            let counted: u64 = integer(row, 2).unwrap_or(0);
            let met = self.sound.iter().find(|&&(known, _)| known == ids).map_or(0, |&(_, met)| met);
            missing = missing.saturating_add(counted.saturating_sub(met));
            surplus += met.saturating_sub(counted);
            matched += met;
        }
        let met: u64 = self.sound.iter().map(|&(_, met)| met).sum();
        let uncounted = met.saturating_sub(matched);
        Ok(missing.saturating_sub(self.damaged).saturating_add(surplus + uncounted))
    }
}

/// The number of records, by the file's counts, whose game or source has no name.
pub(super) fn unnamed(connection: &Connection, names: &mut NameCache<'_>) -> rusqlite::Result<u64> {
    let mut statement = connection.prepare_cached("SELECT game, source, records FROM counts WHERE records > 0")?;
    let mut rows = statement.query([])?;
    let mut records = 0_u64;
    while let Some(row) = rows.next()? {
        let [game, source] = [0, 1].map(|column| integer(row, column).unwrap_or(0));
        if names.game(game)?.is_none() || names.source(source)?.is_none() {
            records = records.saturating_add(integer(row, 2).unwrap_or(0));
        }
    }
    Ok(records)
}
