//! What reading a record needs to know of its format.

use rusqlite::Row;

use super::row::RowKey;
use super::schema::Format;
use super::{format1, row};
use crate::Record;

impl Format {
    /// The columns of a record.
    pub(super) fn columns(self) -> &'static str {
        match self {
            Format::One => format1::columns!(),
            Format::Two => "data",
        }
    }

    /// The records of one position: its source, then the [columns](Self::columns).
    pub(super) fn select_position(self) -> &'static str {
        match self {
            Format::One => {
                concat!("SELECT source, ", format1::columns!(), " FROM records WHERE game = ?1 AND position = ?2")
            }
            Format::Two => "SELECT source, data FROM records WHERE game = ?1 AND position = ?2",
        }
    }

    /// The condition of a root.
    pub(super) fn is_root(self) -> &'static str {
        match self {
            Format::One => "flags & 1",
            Format::Two => "root IS NOT NULL",
        }
    }

    /// The column with the time of a root.
    pub(super) fn root_time(self) -> &'static str {
        match self {
            Format::One => "time",
            Format::Two => "root",
        }
    }

    /// The record in the row's columns from `first` on; `None` if it fails its checksum.
    pub(super) fn read(self, row: &Row<'_>, first: usize, row_key: &RowKey<'_>) -> Option<Record> {
        match self {
            Format::One => format1::read(row, first, row_key),
            Format::Two => row::read(row, first, row_key),
        }
    }
}
