//! SQLite's errors as errors of the memory.

use std::io;
use std::path::Path;

use rusqlite::{Error, ErrorCode};

use super::connection::BUSY_TIMEOUT;
use crate::MemoryError;

/// The memory's error for an error of SQLite, with the file.
pub(super) fn explain(path: &Path, error: Error) -> MemoryError {
    // Read first, before another call changes it: SQLite reports only that writing failed, the system has the reason.
    let system = io::Error::last_os_error();
    let location = path.display().to_string();
    match error.sqlite_error_code() {
        // Nothing that is written here violates a constraint, unless the file's tables are damaged.
        Some(
            ErrorCode::DatabaseCorrupt
            | ErrorCode::NotADatabase
            | ErrorCode::TypeMismatch
            | ErrorCode::ConstraintViolation,
        ) => MemoryError::Damaged { location, detail: error.to_string() },
        _ if is_invalid_value(&error) => {
            MemoryError::Damaged { location, detail: format!("a value is of the wrong type ({error})") }
        }
        Some(ErrorCode::TooBig) => {
            MemoryError::Damaged { location, detail: "it has a value larger than any that mnemon writes".to_owned() }
        }
        Some(ErrorCode::DiskFull) => MemoryError::Full { location },
        Some(ErrorCode::SystemIoFailure) if is_out_of_space(&system) => MemoryError::Full { location },
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
            MemoryError::ReadOnly { location, detail: error.to_string() }
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            MemoryError::Busy { location, seconds: BUSY_TIMEOUT.as_secs() }
        }
        _ => MemoryError::Store { location, detail: error.to_string() },
    }
}

/// The memory's error for an error of the system, with the file.
pub(super) fn explain_io(path: &Path, error: &io::Error) -> MemoryError {
    let location = path.display().to_string();
    if is_out_of_space(error) {
        return MemoryError::Full { location };
    }
    MemoryError::Store { location, detail: error.to_string() }
}

/// Whether a column has a value of a type that is never written there.
fn is_invalid_value(error: &Error) -> bool {
    use Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, Utf8Error};
    matches!(error, FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..) | Utf8Error(..))
}

/// Whether the system refused to write more: a quota and a limit of the file's size count as a full disk, which SQLite does
/// not see in them.
fn is_out_of_space(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), FileTooLarge | QuotaExceeded | StorageFull)
}

/// Whether the file could not be opened in this mode.
pub(super) fn is_refused(error: &Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied))
}
