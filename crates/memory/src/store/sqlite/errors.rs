//! What SQLite reports, as an error that names the file and what to do.

use std::io;
use std::path::Path;

use rusqlite::{Error, ErrorCode};

use super::connection::BUSY_TIMEOUT;
use crate::MemoryError;

/// Adds the file to what SQLite reports.
pub(super) fn explain(path: &Path, error: Error) -> MemoryError {
    // Before anything else can fail: SQLite says only that writing failed, the system said why.
    let system = io::Error::last_os_error();
    let location = path.display().to_string();
    match error.sqlite_error_code() {
        // Nothing that is written here breaks a rule of the tables, unless the tables are not what they were.
        Some(
            ErrorCode::DatabaseCorrupt
            | ErrorCode::NotADatabase
            | ErrorCode::TypeMismatch
            | ErrorCode::ConstraintViolation,
        ) => MemoryError::Damaged { location, detail: error.to_string() },
        _ if is_strange_value(&error) => {
            MemoryError::Damaged { location, detail: format!("a value is not what it was ({error})") }
        }
        Some(ErrorCode::DiskFull) => MemoryError::Full { location },
        Some(ErrorCode::SystemIoFailure) if is_out_of_room(&system) => MemoryError::Full { location },
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
            MemoryError::ReadOnly { location, detail: error.to_string() }
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            MemoryError::Busy { location, seconds: BUSY_TIMEOUT.as_secs() }
        }
        _ => MemoryError::Store { location, detail: error.to_string() },
    }
}

/// Whether a column held what nobody writes there.
fn is_strange_value(error: &Error) -> bool {
    use Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, Utf8Error};
    matches!(error, FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..) | Utf8Error(..))
}

/// Quotas and limits of the size of a file are a full disk to those who meet them, but not to SQLite.
fn is_out_of_room(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), FileTooLarge | QuotaExceeded | StorageFull)
}

/// Whether the file could not be opened in the way that was asked for.
pub(super) fn is_refused(error: &Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied))
}
