//! What a client may use at the most. Each bound is here, so that they can be read together.

use std::time::Duration;

/// The bounds of a server.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Connections at a time; more wait to be accepted.
    pub connections: usize,
    /// How long the head of a request may take, also the first of a connection and the next of one that is kept open.
    pub header_time: Duration,
    /// How long the body of a request may take.
    pub body_time: Duration,
    /// How long a client may take nothing of an answer.
    pub write_time: Duration,
    /// The bytes of a request's head.
    pub head_bytes: usize,
    /// The bytes of an address.
    pub uri_bytes: usize,
    /// The bytes of a JSON body.
    pub body_bytes: usize,
    /// The bytes of a PGN that is imported.
    pub import_bytes: usize,
    /// Look-ups in the memory at a time.
    pub readers: usize,
    /// Requests that wait for a look-up; more are refused.
    pub waiting: usize,
    /// Event streams at a time.
    pub streams: usize,
    /// Searches at a time, of all engines.
    pub searches: usize,
    /// The longest search.
    pub search_time: Duration,
    /// The threads of an engine.
    pub search_threads: u32,
    /// The MiB of an engine's hash table.
    pub search_hash: u32,
    /// The lines of a search.
    pub search_lines: u32,
    /// Bytes of the table of the Connect Four solver.
    pub solver_bytes: usize,
    /// The longest solve.
    pub solve_time: Duration,
    /// How long the end of the server may take.
    pub shutdown_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Limits {
            connections: 4096,
            header_time: Duration::from_secs(20),
            body_time: Duration::from_secs(20),
            write_time: Duration::from_secs(20),
            head_bytes: 16 << 10,
            uri_bytes: 8 << 10,
            body_bytes: 64 << 10,
            import_bytes: 4 << 20,
            readers: (2 * cores).clamp(2, 16),
            waiting: 1024,
            streams: 2048,
            searches: 4,
            search_time: Duration::from_secs(600),
            search_threads: u32::try_from(cores).unwrap_or(1),
            search_hash: 256,
            search_lines: 5,
            solver_bytes: 64 << 20,
            solve_time: Duration::from_secs(60),
            shutdown_time: Duration::from_secs(3),
        }
    }
}
