//! The bench: fixed searches whose total node count is the signature of the search.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use mnemon_table::TableError;

use crate::Table;
use crate::search::{Limits, SearchRequest, Searcher, Silent};
use mnemon_chess::Position;

/// The depth of the signature.
pub const DEPTH: u8 = 13;

/// The table size of the signature, in bytes.
pub const TABLE_BYTES: usize = 16 << 20;

/// Well-known openings, middlegames and endgames.
pub const POSITIONS: [&str; 20] = [
    // Openings: the start, Ruy Lopez, Najdorf, King's Indian, Nimzo-Indian, French, Queen's Gambit accepted, Catalan.
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4",
    "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP3PPP/R1BQKB1R w KQ - 2 6",
    "rnbqk2r/pppp1ppp/4pn2/8/1bPP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 2 4",
    "rnbqk1nr/ppp2ppp/4p3/3pP3/1b1P4/2N5/PPP2PPP/R1BQKBNR b KQkq - 0 4",
    "rnbqkbnr/ppp1pppp/8/8/2pP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3",
    "rnbqk2r/ppp1bppp/4pn2/3p4/2PP4/6P1/PP2PPBP/RNBQK1NR w KQkq - 2 5",
    // Middlegames: an isolated pawn, opposite wings, a sacrifice in the air, a closed centre, heavy pieces.
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10",
    "r2q1rk1/1b2bppp/p2ppn2/1p6/3NPPP1/1BN1B3/PPPQ3P/2KR3R b - - 0 13",
    "r1b2rk1/ppq1bppp/2n1pn2/2pp2B1/3P4/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 6 10",
    "r1bq1rk1/1pp2pbn/p2p2np/3Pp1p1/P1P1P3/2N1BP2/1P2BNPP/R2Q1RK1 b - - 0 14",
    "2r2rk1/1bqnbppp/pp1ppn2/8/2PNPP2/1PN1B3/P3B1PP/2RQ1RK1 w - - 0 14",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    // Endgames: Lucena's and Philidor's rooks, pawns alone, queens, bishops of opposite colours, a mate to be found.
    "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1",
    "8/8/8/4k3/R7/4P3/r3K3/8 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/5pk1/4q1p1/7p/7P/3Q2P1/5P1K/8 w - - 0 40",
    "8/3b2k1/1p4p1/p1pP1p1p/P1P2P1P/3B2PK/8/8 w - - 0 40",
    "8/8/8/8/5kp1/P7/8/1K1N4 w - - 0 1",
];

/// The result of a bench.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BenchResult {
    /// Nodes of all positions.
    pub nodes: u64,
    /// Time of all searches.
    pub time: Duration,
}

impl BenchResult {
    /// Nodes per second.
    #[must_use]
    pub fn nodes_per_second(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

/// Searches every position to `depth`, each with an empty table, and calls `after_each` with its FEN and its node count.
///
/// # Errors
/// A table that cannot be allocated.
pub fn run(
    depth: u8,
    threads: usize,
    table_bytes: usize,
    mut after_each: impl FnMut(&str, u64),
) -> Result<BenchResult, TableError> {
    let table = Table::new(table_bytes)?;
    let mut searcher = Searcher::new(threads);
    let never = AtomicBool::new(false);
    let mut benched = BenchResult::default();
    for (fen, position) in POSITIONS.iter().filter_map(|fen| Some((fen, fen.parse::<Position>().ok()?))) {
        table.clear(1);
        searcher.new_game();
        let request = SearchRequest::new(&position, Limits::depth(depth));
        let outcome = searcher.search(&request, &table, &never, &never, &mut Silent);
        benched.nodes += outcome.nodes;
        benched.time += outcome.time;
        after_each(fen, outcome.nodes);
    }
    Ok(benched)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_searched_and_the_count_repeats() {
        let mut searched = 0;
        let first = run(4, 1, 1 << 20, |_, nodes| searched += usize::from(nodes > 0)).expect("a table");
        assert_eq!(searched, POSITIONS.len());
        assert_eq!(run(4, 1, 1 << 20, |_, _| ()).expect("a table").nodes, first.nodes);
    }
}
