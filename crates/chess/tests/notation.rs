//! UCI and SAN, judged by cozy-chess's own writers and by reading back.

mod common;

use common::{legal_moves, position, random_games};
use mnemon_chess::cozy_chess::util::{display_san_move, display_uci_move};
use mnemon_chess::{Position, from_code, to_code};
use proptest::prelude::*;

#[test]
fn moves_of_random_games_come_back_from_both_notations() {
    let mut moves = 0;
    random_games(12, 1, |position| {
        for mv in legal_moves(position) {
            let (uci, san) = (position.uci(mv), position.san(mv));
            assert_eq!(position.parse_uci(&uci), Ok(mv), "{uci} in {position}");
            assert_eq!(position.parse_san(&san), Ok(mv), "{san} in {position}");
            assert_eq!(san, display_san_move(position.board(), mv).to_string(), "{position}");
            match position.is_chess960() {
                true => assert_eq!(uci, mv.to_string()),
                false => assert_eq!(uci, display_uci_move(position.board(), mv).to_string(), "{position}"),
            }
            assert_eq!(from_code(to_code(mv)), Some(mv));
            moves += 1;
        }
    });
    assert!(moves > 500_000, "{moves}");
}

#[test]
fn castling_is_written_as_the_variant_wants() {
    let standard = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let chess960 = standard.clone().with_chess960(true);
    for (step, onto_rook, san) in [("e1g1", "e1h1", "O-O"), ("e1c1", "e1a1", "O-O-O")] {
        let mv = standard.parse_san(san).expect(san);
        assert_eq!((standard.uci(mv), chess960.uci(mv)), (step.into(), onto_rook.into()));
        for text in [step, onto_rook] {
            assert_eq!((standard.parse_uci(text), chess960.parse_uci(text)), (Ok(mv), Ok(mv)), "{text}");
        }
        assert_eq!(standard.parse_san(&san.replace('O', "0")), Ok(mv));
    }
    // Kings that stand a step from where castling ends: the step and the castling are two moves.
    let close = position("7k/8/8/8/8/8/8/1R3KR1 w GB - 0 1");
    let (castling, step) = (close.parse_uci("f1g1").expect("castling"), close.parse_uci("f1e1").expect("a step"));
    assert_eq!((close.san(castling), close.san(step)), ("O-O".into(), "Ke1".into()));
    assert_eq!(close.after(castling).to_string(), "7k/8/8/8/8/8/8/1R3RK1 b - - 1 1");
    let far = position("1k6/8/8/8/8/8/8/5K1R w H - 0 1");
    assert_eq!(far.after(far.parse_uci("f1h1").expect("castling")).to_string(), "1k6/8/8/8/8/8/8/5RK1 b - - 1 1");
    assert_eq!(far.after(far.parse_uci("f1g1").expect("a step")).to_string(), "1k6/8/8/8/8/8/8/6KR b - - 1 1");
    assert_eq!(far.parse_san("Kg1"), far.parse_uci("f1g1"));
}

#[test]
fn san_says_as_much_as_it_takes() {
    let cases = [
        ("4k3/8/8/8/8/8/8/R3K2R w - -", "a1d1", "Rd1"),
        ("1k6/8/8/8/8/8/4K3/R6R w - -", "a1d1", "Rad1"),
        ("4k3/8/8/R7/8/8/4K3/R7 w - -", "a1a3", "R1a3"),
        ("8/k7/8/8/4Q2Q/8/8/K6Q w - -", "h4e1", "Qh4e1"),
        ("7k/4P3/8/8/8/8/8/K7 w - -", "e7e8q", "e8=Q+"),
        ("5r1k/4P3/8/8/8/8/8/K7 w - -", "e7f8n", "exf8=N"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6", "e5d6", "exd6"),
        ("6k1/5ppp/8/8/8/8/8/K2R4 w - -", "d1d8", "Rd8#"),
        // The knight on e2 is pinned, so the other needs no file.
        ("4k3/8/8/8/4r3/8/4N3/N3K3 w - -", "a1c2", "Nc2"),
    ];
    for (fen, uci, san) in cases {
        let position = position(fen);
        assert_eq!(position.san(position.parse_uci(uci).expect(uci)), san, "{fen}");
    }
}

#[test]
fn san_is_read_with_the_usual_tolerance() {
    let cases = [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            "g1f3",
            &["Nf3", "Nf3+", "Ng1f3", "Ng1-f3", "Ngf3!?"][..],
        ),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "e2e4", &["e4", "e2e4", "e2-e4", "e4!", "ee4"]),
        ("5r1k/4P3/8/8/8/8/8/K7 w - -", "e7f8q", &["exf8=Q#", "exf8Q", "ef8=Q", "e7xf8=Q+"]),
        ("4k3/8/8/8/8/8/8/4K2R w K -", "e1g1", &["O-O", "0-0", "O-O+", "0-0!"]),
    ];
    for (fen, uci, texts) in cases {
        let position = position(fen);
        for text in texts {
            assert_eq!(position.parse_san(text), position.parse_uci(uci), "{text}");
        }
    }
}

#[test]
fn refusals_name_the_move_and_the_reason() {
    let start = Position::start();
    let pinned = position("4k3/8/8/8/4r3/8/4N3/R3K3 w Q -");
    let in_check = position("4k3/8/8/8/4r3/8/8/R3K3 w Q -");
    let promoting = position("7k/4P3/8/8/8/8/8/K7 w - -");
    let uci = [
        (&start, "", "\"\" is no move: expected two squares"),
        (&start, "0000", "\"0000\" is no move"),
        (&start, "e2e4x", "\"e2e4x\" is no move"),
        (&start, "e2é4", "\"e2é4\" is no move"),
        (&start, "e3e4", "e3e4 is not legal here: e3 is empty"),
        (&start, "e7e5", "it is white's move, and the piece on e7 is not"),
        (&start, "e2e5", "the pawn cannot go from e2 to e5"),
        (&start, "d1d3", "the queen cannot go from d1 to d3"),
        (&start, "e1g1", "e1g1 is not legal here: that is no legal castling"),
        (&start, "e2e4q", "nothing promotes there"),
        (&pinned, "e2c3", "it puts the king in check"),
        (&in_check, "a1a2", "it leaves the king in check"),
        (&in_check, "e1c1", "that is no legal castling"),
        (&promoting, "e7e8", "the pawn must promote: add q, r, b or n"),
        (&promoting, "e7e8k", "a pawn promotes to a queen, rook, bishop or knight"),
    ];
    for (position, text, expected) in uci {
        let reason = position.parse_uci(text).expect_err(text).to_string();
        assert!(reason.contains(expected), "{text}: {reason}");
    }
    let two_rooks = position("1k6/8/8/8/8/8/4K3/R6R w - -");
    let san = [
        (&start, "", "\"\" is no move: expected algebraic notation"),
        (&start, "Xf3", "\"Xf3\" is no move"),
        (&start, "Nf9", "\"Nf9\" is no move"),
        (&start, "é", "\"é\" is no move"),
        (&start, "Nd4", "no such knight can go to d4"),
        (&start, "Qd3", "Qd3 is not legal here: the queen cannot go from d1 to d3"),
        (&start, "O-O", "O-O is not legal here: castling is not possible now"),
        (&pinned, "Nc3", "it puts the king in check"),
        (&pinned, "Bc3", "there is no such bishop"),
        (&two_rooks, "Rd1", "Rd1 is ambiguous: it can be Rad1 or Rhd1"),
        (&promoting, "e8", "the pawn must promote"),
    ];
    for (position, text, expected) in san {
        let reason = position.parse_san(text).expect_err(text).to_string();
        assert!(reason.contains(expected), "{text}: {reason}");
    }
    assert!(start.parse_san(&"N".repeat(1_000_000)).expect_err("too long").to_string().len() < 200);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn no_text_panics(text in "\\PC{0,12}") {
        let _ = (Position::start().parse_uci(&text), Position::start().parse_san(&text));
    }

    #[test]
    fn texts_like_moves_are_legal_or_refused(uci in "[a-h][1-8][a-h][1-8][qrbnkp]?", san in "[NBRQK]?[a-h]?[1-8]?x?[a-h][1-8](=?[QRBNK])?[+#]?") {
        for fen in common::ROOTS {
            let position = position(fen);
            for mv in [position.parse_uci(&uci), position.parse_san(&san)].into_iter().flatten() {
                prop_assert!(legal_moves(&position).contains(&mv));
            }
        }
    }
}
