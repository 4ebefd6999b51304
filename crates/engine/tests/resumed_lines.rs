//! What an analyst sees after a restart: the known lines first, whole and all of them, and no depth that falls back.

mod analyst;

use std::collections::HashSet;
use std::sync::Arc;

use analyst::{Analyst, SearchLog};
use mnemon_memory::RamStore;
use mnemon_memory::policy::Policy;

const ITALIAN: &str = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
const MIDDLEGAME: &str = "r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/2N1B3/PPQ1BPPP/R4RK1 w - - 0 12";

/// A search, and one that goes on after a restart.
fn restarted(fen: &str, lines: usize, depths: [u8; 2]) -> [SearchLog; 2] {
    let store = Arc::new(RamStore::new());
    depths.map(|depth| {
        let mut analyst = Analyst::new(&store, Policy::named("resume").expect("a policy"));
        analyst.set_lines(lines);
        analyst.search(fen, "", depth)
    })
}

#[test]
fn all_lines_come_back_whole() {
    for (fen, lines) in [(ITALIAN, 3), (MIDDLEGAME, 3), (MIDDLEGAME, 1)] {
        let [cold, warm] = restarted(fen, lines, [9, 10]);
        let known = &warm.known_lines;
        assert_eq!(known.len(), lines, "{fen}");
        let first_moves: HashSet<String> = known.iter().map(|line| format!("{:?}", line.pv.first())).collect();
        assert_eq!(first_moves.len(), lines, "{fen}: {known:?}");
        for (number, line) in known.iter().enumerate() {
            let searched = cold.lines.iter().rev().find(|cold| cold.line == number && cold.depth == line.depth);
            let searched = searched.unwrap_or_else(|| panic!("{fen}: line {number} was searched"));
            assert!(line.pv.starts_with(&searched.pv[..searched.pv.len().min(line.pv.len())]), "{fen}: {line:?}");
            assert!(line.pv.len() >= searched.pv.len(), "{fen}: {line:?}");
        }
    }
}

#[test]
fn neither_depth_nor_time_falls_back() {
    for (fen, lines) in [(ITALIAN, 1), (ITALIAN, 3), (MIDDLEGAME, 2)] {
        let [_, warm] = restarted(fen, lines, [9, 11]);
        let known = warm.known_lines.first().unwrap_or_else(|| panic!("{fen} is known"));
        let all: Vec<_> = warm.known_lines.iter().chain(&warm.lines).collect();
        assert!(all.iter().all(|line| line.depth >= known.depth), "{fen}: {all:?}");
        assert!(all.is_sorted_by_key(|line| line.time), "{fen}");
        assert_eq!(warm.last().depth, 11, "{fen}");
    }
}

#[test]
fn iterations_that_end_on_what_was_known_have_whole_lines() {
    let [_, warm] = restarted(ITALIAN, 1, [10, 12]);
    assert!(warm.lines.iter().all(|line| line.pv.len() >= 4), "{:?}", warm.lines);
}
