//! FEN: read, written, and refused with a reason.

mod common;

use common::{ROOTS, beside_the_project, position, random_games};
use mnemon_chess::{Color, Position, perft};
use proptest::prelude::*;

fn reason(fen: &str) -> String {
    fen.parse::<Position>().expect_err(fen).to_string()
}

#[test]
fn what_is_written_is_read_back() {
    for fen in ROOTS {
        assert_eq!(position(fen).to_string(), fen);
    }
    random_games(10, 1, |position| {
        let fen = position.to_string();
        let back = common::position(&fen);
        assert_eq!((&back, back.to_string()), (position, fen));
        // Without castling rights, the text does not tell standard chess from Chess960.
        assert!(back.is_chess960() == position.is_chess960() || !position.to_string().contains(['H', 'h']));
    });
}

#[test]
fn four_fields_are_enough_and_counters_are_taken_kindly() {
    let short = position("  4k3/8/8/8/8/8/8/4K2R \t w K - ");
    assert_eq!(short.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_eq!(position("4k3/8/8/8/8/8/8/4K2R w K - 175 0").to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 100 1");
    let huge = "4k3/8/8/8/8/8/8/4K2R w K - 99999999999999999999999 99999999999999999999999";
    assert_eq!((position(huge).halfmove_clock(), position(huge).fullmove_number()), (100, u16::MAX));
}

#[test]
fn castling_is_read_in_all_three_ways() {
    let standard = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    assert!(!standard.is_chess960());
    let shredder = position("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1");
    assert!(shredder.is_chess960() && shredder == standard);
    assert_eq!(shredder.to_string(), "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1");
    assert_eq!(shredder.with_chess960(false).to_string(), standard.to_string());

    // X-FEN: the outermost rook, or the file of an inner one.
    let outer = position("k7/8/8/8/8/8/8/1RR1KRR1 w KQ - 0 1");
    assert_eq!(outer.to_string(), "k7/8/8/8/8/8/8/1RR1KRR1 w GB - 0 1");
    assert!(outer.clone().with_chess960(false).is_chess960(), "standard notation cannot express it");
    assert_eq!(
        position("k7/8/8/8/8/8/8/1RR1KRR1 w FC - 0 1").board().castle_rights(Color::White).short.map(char::from),
        Some('f')
    );
    assert_eq!(Position::chess960_start(518), Some(Position::start()));
    assert_eq!(Position::chess960_start(960), None);
}

#[test]
fn refusals_name_the_field_and_the_reason() {
    let cases = [
        ("", "this one has 0"),
        ("garbage", "this one has 1"),
        ("8/8/8/8/8/8/8/8 w - - 0", "this one has 5"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 extra", "this one has 7"),
        ("4k3/8/8/8/8/8/4K3 w - -", "the FEN's board is wrong: it has 7 ranks, not 8"),
        ("4k3/8/8/8/8/ppppppppp/8/4K3 w - -", "the FEN's board is wrong: rank 3 has 9 squares, not 8"),
        ("4k3/8/8/8/8/9/8/4K3 w - -", "'9' on rank 3 is no piece"),
        ("4k3/8/8/8/8/7/8/4K3 w - -", "rank 3 has 7 squares, not 8"),
        ("4k3/8/8/8/8//8/4K3 w - -", "rank 3 has 0 squares, not 8"),
        ("4k3/8/8/8/8/7é/8/4K3 w - -", "'é' on rank 3 is no piece"),
        ("4k3/8/8/8/8/8/8/8 w - -", "the board has no white king"),
        ("8/8/8/8/8/8/8/4K3 w - -", "the board has no black king"),
        ("4k3/8/8/8/8/8/8/3KK3 w - -", "the board has 2 white kings"),
        ("4k2P/8/8/8/8/8/8/4K3 w - -", "a pawn stands on its last rank, on h8"),
        ("4k3/8/8/8/8/8/8/4K2p w - -", "a pawn stands on its last rank, on h1"),
        ("4k2p/8/8/8/8/8/8/4K3 w - -", "a pawn stands on its first rank, on h8"),
        ("4k3/8/8/8/P7/8/PPPPPPPP/4K3 w - -", "the board has 9 white pawns, and 8 is the most"),
        ("4k3/8/8/8/8/QQQQQQQQ/PPPPPPPP/4K3 w - -", "the board has 17 white pieces, and 16 is the most"),
        ("4k3/8/8/8/8/8/8/4RK2 w - -", "black is in check, and it is white's move"),
        ("8/8/8/3kK3/8/8/8/8 w - -", "the kings stand side by side"),
        ("4k3/8/3N1N2/8/8/8/8/4RK2 b - -", "3 pieces give check at once"),
        ("4k3/8/8/8/8/8/8/4K3 white - -", "the FEN's side to move is wrong: \"white\" is neither w nor b"),
        ("4k3/8/8/8/8/8/8/4K3 w K -", "the FEN's castling field is wrong: 'K': there is no white rook to castle with"),
        ("4k3/8/8/8/8/8/4K3/7R w K -", "'K': the white king is not on its first rank"),
        ("4k3/8/8/8/8/8/8/4K2R w KH -", "'H': a second right to castle on that side"),
        ("4k3/8/8/8/8/8/8/4K2R w X -", "'X': the letters are KQkq, or the files of the rooks"),
        ("4k3/8/8/8/8/8/8/4K2R w K- -", "'-': the letters are"),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e9", "the FEN's en passant field is wrong: \"e9\" is neither a square nor -"),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e6", "with black to move, the square is on rank 3, not e6"),
        ("4k3/8/8/8/8/8/8/4K3 b - e3", "the last move cannot have been a pawn's double step"),
        ("4k3/8/5N2/8/2pP4/8/8/4K3 b - d3", "the last move cannot have been a pawn's double step"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "the FEN's halfmove clock is wrong: \"-1\" is no number"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 one", "the FEN's fullmove number is wrong: \"one\" is no number"),
    ];
    for (fen, expected) in cases {
        assert!(reason(fen).contains(expected), "{fen:?}: {}", reason(fen));
    }
    let long = format!("4k3/8/8/8/8/8/8/4K3 {} - -", "w".repeat(1_000_000));
    assert!(reason(&long).len() < 200);
}

#[test]
fn nine_queens_are_a_position() {
    let position = position("7k/6pp/8/8/8/8/QQQQQ3/QQQQK3 w - - 0 1");
    assert_eq!(position.to_string(), "7k/6pp/8/8/8/8/QQQQQ3/QQQQK3 w - - 0 1");
}

#[test]
fn the_books_beside_the_project_are_read() {
    for name in ["books/noob_2moves.epd", "books/UHO_4060_v4_4k.epd"] {
        let Some(text) = beside_the_project(name) else { continue };
        let positions = text.lines().map(position).filter(|position| !position.is_chess960()).count();
        assert!(positions > 1_000, "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn no_text_panics(text in "\\PC{0,80}") {
        let _ = text.parse::<Position>();
    }

    /// What is read is a position whose moves can all be played, and which is read back.
    #[test]
    fn texts_like_fens_are_refused_or_sound(
        text in "([pnbrqkPNBRQK1-8]{1,4}/){7}[pnbrqkPNBRQK1-8]{1,4}", side in "[wb]",
        castling in "(-|[KQABH]{1,2}[kqagh]{0,2})", square in "(-|[a-h][36])",
    ) {
        if let Ok(position) = format!("{text} {side} {castling} {square}").parse::<Position>() {
            prop_assert!(perft(&position, 2) < 1_000_000);
            prop_assert_eq!(position.to_string().parse(), Ok(position));
        }
    }

    /// A few letters changed in a real FEN.
    #[test]
    fn damaged_fens_are_refused_or_sound(
        root in 0..ROOTS.len(), changes in prop::collection::vec((0..70_usize, "[pnbrqkPNBRQKw1-8/ -]"), 1..4),
    ) {
        let mut fen = ROOTS[root].to_owned();
        for (place, letter) in changes {
            if place < fen.len() {
                fen.replace_range(place..=place, &letter);
            }
        }
        if let Ok(position) = fen.parse::<Position>() {
            prop_assert!(perft(&position, 2) < 1_000_000);
            prop_assert_eq!(position.to_string().parse(), Ok(position));
        }
    }
}
