//! What the memory's thread did, as events.

use std::time::Duration;

use mnemon_memory::{Learned, Memory, MemoryError, Opening};

use crate::{Event, Listener};

/// Reports what was learned, if it is anything, or why it was not.
pub(crate) fn report_learned(written: mnemon_memory::Result<Learned>, listener: &dyn Listener) {
    match written {
        Ok(learned) if learned != Learned::default() => listener.notify(Event::Learned(learned)),
        Ok(_) => {}
        Err(error @ MemoryError::ReadOnly { .. }) => listener.notify(Event::MemoryReadOnly(&error)),
        Err(error) => listener.notify(Event::MemoryFailed(&error)),
    }
}

/// Waits until everything learned is written, but no longer than `timeout`, and reports it. Returns whether it is.
pub(crate) fn sync(memory: &mut Memory, timeout: Duration, listener: &dyn Listener) -> bool {
    let written = memory.sync_within(timeout);
    let is_written = written.is_some();
    written.into_iter().for_each(|written| report_learned(written, listener));
    is_written
}

/// As [`sync`], for a memory that another one has replaced: how its opening ended matters only to what was learned into it.
pub(crate) fn sync_replaced(memory: &mut Memory, timeout: Duration, listener: &dyn Listener) -> bool {
    let had_unwritten = memory.has_unwritten();
    let is_written = sync(memory, timeout, listener);
    if let Some(Opening::ReadOnly(why) | Opening::Failed(why)) = memory.opening()
        && had_unwritten
    {
        listener.notify(Event::MemoryFailed(&why));
    }
    is_written
}

/// Reports how the opening of the memory has ended, if that is not what was wanted. A memory that could not be opened is
/// let go.
pub(crate) fn report_opening(memory: &mut Option<Memory>, listener: &dyn Listener) {
    match memory.as_mut().and_then(Memory::opening) {
        Some(Opening::ReadOnly(why)) => listener.notify(Event::MemoryReadOnly(&why)),
        Some(Opening::Failed(why)) => {
            *memory = None;
            listener.notify(Event::MemoryNotOpened(&why));
        }
        Some(Opening::Done) | None => {}
    }
}
