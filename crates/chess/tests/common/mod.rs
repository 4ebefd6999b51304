//! Shared by several tests: random games, and files of test positions beside the project, where they are installed.
#![allow(dead_code, reason = "each test file uses its part")]

use std::path::PathBuf;

use mnemon_chess::{Move, Position};
use mnemon_search::Game;
use mnemon_search::random::Random;

/// Positions to start from: openings, positions with everything in them, endgames, Chess960.
pub(crate) const ROOTS: [&str; 16] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "8/PPPk4/8/8/8/8/4Kppp/8 b - - 0 1",
    "4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1",
    "8/8/4k3/8/8/3QK3/8/8 w - - 0 1",
    "8/8/2b1k3/8/8/3BK3/8/6n1 w - - 90 80",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "nrkbbrqn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBRQN w FBfb - 0 1",
    "4r2k/8/8/8/8/8/8/RRK1R1R1 w GB - 0 1",
    "r2rk1r1/8/8/8/8/8/8/RK1R2R1 w DAgd - 0 1",
];

pub(crate) fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

pub(crate) fn packed(position: &Position) -> Vec<u8> {
    let mut bytes = Vec::new();
    position.pack(&mut bytes);
    bytes
}

pub(crate) fn legal_moves(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

/// The first four fields of the FEN, with castling by files: the slow, obvious oracle for equality, keys and packed forms.
pub(crate) fn four_fields(position: &Position) -> String {
    let fen = position.clone().with_chess960(true).to_string();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// Visits every position of random games of up to 300 plies, `games` from each root.
pub(crate) fn random_games(games: usize, seed: u64, mut visit: impl FnMut(&Position)) {
    let mut random = Random::new(seed);
    for root in ROOTS {
        for _ in 0..games {
            let mut position = position(root);
            for _ in 0..300 {
                visit(&position);
                let moves = legal_moves(&position);
                if moves.is_empty() {
                    break;
                }
                position = position.play(moves[random.below(moves.len())]);
            }
        }
    }
}

/// A file of test positions that lies beside the project on some machines; says so if it does not.
pub(crate) fn beside_the_project(name: &str) -> Option<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(name);
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        eprintln!("skipped: there is no {}", path.display());
    }
    text
}
