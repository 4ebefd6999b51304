//! The position keeps the laws of `mnemon_search::laws`, and the rules of chess for wins and draws.

mod common;

use std::num::NonZeroU16;

use common::{ROOTS, legal_moves, position, random_games};
use mnemon_chess::{Position, from_code};
use mnemon_search::{Game, Outcome, laws};

#[test]
fn positions_keep_the_laws_of_games() {
    laws::check(&ROOTS.map(position), 15, 1).expect("from all roots");
    let starts: Vec<_> = [0, 1, 518, 959].iter().filter_map(|&number| Position::chess960_start(number)).collect();
    laws::check(&starts, 15, 2).expect("Chess960");
}

/// A search asks this about moves from a transposition table, which can be any.
#[test]
fn of_all_moves_there_are_the_generated_ones_are_legal() {
    let all: Vec<_> = (1..=u16::MAX).filter_map(NonZeroU16::new).filter_map(from_code).collect();
    let mut met = 0;
    random_games(1, 3, |position| {
        met += 1;
        if met % 7 == 0 {
            let generated = legal_moves(position);
            let legal = all.iter().filter(|&&mv| position.is_legal(mv));
            assert_eq!(legal.clone().count(), generated.len(), "{position}");
            assert!(legal.into_iter().all(|mv| generated.contains(mv)), "{position}");
        }
    });
    assert!(met > 2_000, "{met}");
}

#[test]
fn a_game_ends_by_mate_stalemate_or_want_of_material() {
    let ends = [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", Some(Outcome::Loss)),
        ("7k/5Q2/6K1/8/8/8/8/8 b - -", Some(Outcome::Draw)),
        ("8/8/4k3/8/8/4K3/8/8 w - -", Some(Outcome::Draw)),
        ("8/8/4k3/8/8/4K3/8/6N1 w - -", Some(Outcome::Draw)),
        ("8/8/4k3/8/8/4K3/8/6b1 w - -", Some(Outcome::Draw)),
        // Bishops on squares of one colour, c1 and f8; on both, c1 and c8.
        ("5b2/8/4k3/8/8/4K3/8/2B5 w - -", Some(Outcome::Draw)),
        ("5b2/8/4k3/4B3/8/4K3/8/2B5 w - -", Some(Outcome::Draw)),
        ("2b5/8/4k3/8/8/4K3/8/2B5 w - -", None),
        ("8/8/4k3/8/8/4K3/8/5NN1 w - -", None),
        ("8/8/4k3/8/8/4K3/8/5NB1 w - -", None),
        ("8/8/4k2n/8/8/4K3/8/5N2 w - -", None),
        ("8/8/4k3/8/8/4K3/4P3/8 w - -", None),
    ];
    for (fen, outcome) in ends {
        let position = position(fen);
        assert_eq!(position.outcome(), outcome, "{fen}");
        let mut moves = Vec::new();
        position.moves(&mut moves);
        assert_eq!(moves.is_empty(), outcome.is_some(), "{fen}");
    }
}

#[test]
fn fifty_moves_count_out_unless_the_last_one_mates() {
    assert!(!position("8/8/4k3/8/8/3QK3/8/8 w - - 99 80").is_drawn_by_counter());
    assert!(position("8/8/4k3/8/8/3QK3/8/8 w - - 100 80").is_drawn_by_counter());
    assert!(position("8/8/4k3/8/8/3QK3/8/8 w - - 150 80").is_drawn_by_counter());
    let in_check = position("4k3/8/8/8/8/4Q3/4K3/8 b - - 100 80");
    assert!(in_check.is_check() && in_check.is_drawn_by_counter());
    let mated = position("R3k3/8/4K3/8/8/8/8/8 b - - 100 80");
    assert!(!mated.is_drawn_by_counter());
    assert_eq!(mated.outcome(), Some(Outcome::Loss));

    let quiet = position("8/8/4k3/8/8/3QK3/8/8 w - - 99 80").play_uci("d3d4").expect("legal");
    assert!(quiet.is_drawn_by_counter());
    assert_eq!(quiet.halfmove_clock(), 100);
}

#[test]
fn captures_and_promotions_promise_most() {
    let position = position("r3k3/1P6/8/3q4/4P1n1/8/8/R3K2R w KQ - 0 1");
    let ordering_score = |uci: &str| position.ordering_score(position.parse_uci(uci).expect(uci));
    let best_first = ["b7a8q", "e4d5", "b7b8q", "a1a8", "b7b8r", "b7b8n"];
    assert!(best_first.is_sorted_by(|first, second| ordering_score(first) > ordering_score(second)));
    assert_eq!((ordering_score("e4e5"), ordering_score("e1g1"), ordering_score("h1h2")), (0, 0, 0));
}
