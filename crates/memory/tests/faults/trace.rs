//! The trace of a run: every operation on its files, in order, as `shim.c` wrote it.

use std::fs;
use std::path::Path;

/// A file, by the number that the fault layer gave it.
pub(crate) type FileNumber = u32;

/// An operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A file was opened, and created if the name was not there.
    Open {
        file: FileNumber,
        name: String,
    },
    /// An open that was refused.
    Refused,
    Read,
    Lock,
    Write {
        file: FileNumber,
        offset: usize,
        bytes: Vec<u8>,
    },
    Truncate {
        file: FileNumber,
        length: usize,
    },
    Sync {
        file: FileNumber,
        is_failed: bool,
    },
    /// The directory was synced, and had these names then.
    SyncDirectory {
        names: Vec<(FileNumber, String)>,
        is_failed: bool,
    },
    Unlink {
        name: String,
    },
    /// A truncation or an unlinking that was refused.
    Failed {
        kind: u8,
    },
    /// A line of the report.
    Said(String),
}

impl Event {
    /// The class in which the fault layer counts it; `None` for a line of the report.
    pub(crate) fn class(&self) -> Option<&'static str> {
        Some(match self {
            Event::Open { .. } | Event::Refused => "open",
            Event::Read => "read",
            Event::Lock => "lock",
            Event::Write { .. } => "write",
            Event::Truncate { .. } | Event::Failed { kind: b'T' } => "truncate",
            Event::Sync { .. } | Event::SyncDirectory { .. } => "sync",
            Event::Unlink { .. } | Event::Failed { .. } => "unlink",
            Event::Said(_) => return None,
        })
    }

    /// Whether it changes what a loss of power leaves.
    pub(crate) fn is_change(&self) -> bool {
        !matches!(self, Event::Refused | Event::Read | Event::Lock | Event::Failed { .. })
    }
}

/// Reads a trace.
pub(crate) fn read(path: &Path) -> Vec<Event> {
    let bytes = fs::read(path).expect("a trace");
    let mut rest = &bytes[..];
    let mut events = Vec::new();
    while !rest.is_empty() {
        events.push(next(&mut rest));
    }
    events
}

/// Takes one event, a `struct event` of shim.c with the bytes that follow it.
fn next(rest: &mut &[u8]) -> Event {
    let (head, after) = rest.split_at(24);
    let number = |from: usize| u64::from_le_bytes(head[from..from + 8].try_into().expect("eight bytes")) as usize;
    let file = u32::from_le_bytes(head[4..8].try_into().expect("four bytes"));
    let (kind, is_failed, offset) = (head[0], head[1] != 0, number(8));
    let (payload, after) = after.split_at(number(16));
    *rest = after;
    let text = || String::from_utf8(payload.to_vec()).expect("a name is text");
    match kind {
        b'O' if is_failed => Event::Refused,
        b'O' => Event::Open { file, name: text() },
        b'R' => Event::Read,
        b'L' => Event::Lock,
        b'W' => Event::Write { file, offset, bytes: payload.to_vec() },
        b'S' => Event::Sync { file, is_failed },
        b'T' | b'U' if is_failed => Event::Failed { kind },
        b'T' => Event::Truncate { file, length: offset },
        b'U' => Event::Unlink { name: text() },
        b'D' => Event::SyncDirectory { names: text().lines().map(name).collect(), is_failed },
        b'A' => Event::Said(text().trim_end().to_owned()),
        _ => panic!("an unknown event: {kind}"),
    }
}

fn name(line: &str) -> (FileNumber, String) {
    let (file, name) = line.split_once(' ').expect("a number and a name");
    (file.parse().expect("a number"), name.to_owned())
}
