//! The clock that records are dated by.

use std::time::{SystemTime, UNIX_EPOCH};

/// The time now, in seconds since 1970 (UTC): 0 for a clock that is set before, `u32::MAX` from the year 2106 on.
pub fn unix_time() -> u32 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u32::try_from(since.as_secs()).unwrap_or(u32::MAX)
}
