//! The move generator against published node counts.

mod common;

use common::{beside_the_project, position};
use mnemon_chess::perft;

/// Well-known counts: the starting position, Kiwipete, the usual positions 3 to 6, and positions of Chess960.
const KNOWN: [(&str, &[u64]); 8] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[20, 400, 8_902, 197_281, 4_865_609]),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", &[48, 2_039, 97_862, 4_085_603]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238, 674_624]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", &[6, 264, 9_467, 422_333]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1_486, 62_379, 2_103_487]),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", &[46, 2_079, 89_890, 3_894_594]),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", &[21, 528, 12_189, 326_672]),
    ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", &[21, 807, 18_002, 667_366]),
];

#[test]
fn well_known_positions_have_their_node_counts() {
    for (fen, counts) in KNOWN {
        let position = position(fen);
        assert_eq!(perft(&position, 0), 1, "{fen}");
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&position, depth), count, "{fen} to depth {depth}");
        }
    }
}

#[test]
fn standard_positions_of_the_file_have_their_node_counts() {
    check_file("chess/perft-standard.epd");
}

#[test]
fn chess960_positions_of_the_file_have_their_node_counts() {
    check_file("chess/perft-fischer.epd");
}

/// Depths beyond this many nodes are left out: 200,000, or what `MNEMON_PERFT_NODES` says (`all` takes an hour).
fn most_nodes() -> u64 {
    match std::env::var("MNEMON_PERFT_NODES").as_deref() {
        Err(_) => 200_000,
        Ok("all") => u64::MAX,
        Ok(number) => number.parse().expect("MNEMON_PERFT_NODES is a number, or all"),
    }
}

/// Checks lines of the form `FEN ;D1 20 ;D2 400`.
fn check_file(name: &str) {
    let Some(text) = beside_the_project(name) else { return };
    let mut checked = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let mut parts = line.split(';');
        let position = position(parts.next().expect("a FEN"));
        for part in parts {
            let (depth, count) = part.trim().split_once(' ').expect("a depth and a count");
            let depth: u8 = depth.trim_start_matches('D').parse().expect("a depth");
            let count: u64 = count.trim().parse().expect("a count");
            if count <= most_nodes() {
                assert_eq!(perft(&position, depth), count, "{line} to depth {depth}");
                checked += 1;
            }
        }
    }
    assert!(checked >= 100, "{name}: only {checked} counts were checked");
}
