//! The number of files that this process may open: each connection is one.

/// Files that are none of a connection's: the memory, engines, the library's own.
#[cfg(unix)]
const RESERVED: u64 = 128;

/// Raises the process's limit of open files as far as it may, and returns how many connections fit, at most `wanted`.
#[cfg(unix)]
pub(crate) fn make_room(wanted: usize) -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let needed = wanted as u64 + RESERVED;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = maximum.map_or(needed, |maximum| maximum.min(needed));
    if current.is_some_and(|current| current < raised) {
        // Where it is refused, fewer connections fit.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(raised), maximum });
    }
    let allowed = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    usize::try_from(allowed.saturating_sub(RESERVED)).unwrap_or(usize::MAX).clamp(16, wanted.max(16))
}

/// Elsewhere there is no such limit.
#[cfg(not(unix))]
pub(crate) fn make_room(wanted: usize) -> usize {
    wanted
}
