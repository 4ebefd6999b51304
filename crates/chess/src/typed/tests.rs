//! Typed forms and mistakes.

use super::*;

fn position(text: &str) -> Position {
    let (start, moves) = read_line_of_play(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    moves.into_iter().fold(start, |position, mv| Position::after(&position, mv))
}

fn fault(text: &str) -> String {
    read_line_of_play(text).expect_err(text).to_string()
}

#[test]
fn one_position_is_typed_in_many_ways() {
    let sicilian = position("startpos moves e2e4 c7c5 g1f3");
    for text in [
        "1.e4 c5 2.Nf3",
        "1. e4 c5 2. Nf3",
        "1.e4 1...c5 2.Nf3",
        "1 e4 c5 2 Nf3",
        "e4 c5 Nf3",
        "e4,c5,Nf3",
        "e4, c5, nf3",
        "e2e4 c7c5 g1f3",
        "E2E4 C7C5 G1F3",
        "e2-e4 c7-c5 Ng1-f3",
        "startpos e4 c5 Nf3",
        "startpos moves e4 c5 Nf3",
        "position startpos moves e2e4 c7c5 g1f3",
        "1. e4 c5 2. ♘f3 *",
        "1. e4! c5 $1 2. Nf3!? 1-0",
        "\"e4 c5 Nf3\"",
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -",
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1",
        "'rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2'",
        "fen rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2 moves g1f3",
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2 Nf3",
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - Nf3",
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 2. Nf3",
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R_b_KQkq_-_1_2",
    ] {
        assert_eq!(position(text), sicilian, "{text}");
    }
    assert_eq!(position("startpos"), Position::start());
}

#[test]
fn castling_and_promotion_are_spelt_in_many_ways() {
    let castled = position("e4 e5 Nf3 Nc6 Bc4 Bc5 O-O");
    for castling in ["0-0", "o-o", "OO", "00", "O-O!", "e1g1", "0–0"] {
        assert_eq!(position(&format!("e4 e5 Nf3 Nc6 Bc4 Bc5 {castling}")), castled, "{castling}");
    }
    let promoted = position("8/4P1k1/8/8/8/8/8/4K3 w - - e8=Q");
    for promotion in ["e8Q", "e8q", "e8=q", "e7e8q", "E7E8Q", "e8=♕"] {
        assert_eq!(position(&format!("8/4P1k1/8/8/8/8/8/4K3 w - - {promotion}")), promoted, "{promotion}");
    }
}

#[test]
fn a_small_b_is_a_pawn_where_that_can_move() {
    let pawn = position("e4 d5 b4 e5 b5 c6 bxc6");
    assert_eq!(position("e4 d5 b4 e5 b5 c6 bc6"), pawn);
    assert_eq!(position("e4 e5 bc4"), position("e4 e5 Bc4"));
}

#[test]
fn a_mistake_is_answered_in_kind() {
    for (text, answer) in [
        ("e4 c5 Nf9", "'Nf9' is no move after 1.e4 c5; did you mean Nf3?"),
        ("1.e4 c5 2.Nf6", "'Nf6' cannot be played after 1.e4 c5: no such knight can go to f6; did you mean Nf3?"),
        ("e5", "'e5' cannot be played at the start: "),
        ("e4 e4", "'e4' cannot be played after 1.e4: "),
        ("e4 e5 Nf3 Nc6 Nc3 Nf6 O-O", "castling is not possible now"),
        ("d4 d5 Nf3 Nf6 Nd2", "'Nd2' after 1.d4 d5 2.Nf3 Nf6 can be Nbd2 or Nfd2"),
        ("8/8/4k3/8/8/4K3/4P3/8", "the side to move is missing"),
        ("8/8/4k3/8/8/4K3/4P3/8 w", "castling and en passant are missing"),
        ("8/8/4k3/8/8/4K3/4P3/8 w -", "the en passant square is missing"),
        ("8/8/8 w - -", "ranks"),
        ("", "expected moves such as '1.e4 c5'"),
        ("44", "expected moves such as '1.e4 c5'"),
        ("8/8/4k3/8/8/4K3/4P3/8 w - - e5", "in this position"),
    ] {
        let fault = fault(text);
        assert!(fault.contains(answer), "{text}: {fault}");
    }
}

#[test]
fn no_text_is_too_strange() {
    for text in [
        "é",
        "♘",
        "1.",
        "...",
        "startpos é4",
        "e4 \u{fe0f}",
        "/ / / /",
        "' '",
        "0-0-0-0",
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    ] {
        let _ = read_line_of_play(text);
    }
}
