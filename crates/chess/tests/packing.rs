//! Packed forms, keys and equality, judged by the first four fields of the FEN.

mod common;

use std::collections::HashMap;

use common::{ROOTS, four_fields, legal_moves, packed, position, random_games};
use mnemon_chess::{MAX_PACKED_BYTES, Piece, Position, perft};
use mnemon_search::Game;
use mnemon_search::random::Random;
use proptest::prelude::*;

#[test]
fn positions_of_random_games_come_back_exactly() {
    let mut positions = 0;
    random_games(250, 1, |position| {
        let bytes = packed(position);
        assert!(bytes.len() <= MAX_PACKED_BYTES, "{position}");
        let back = Position::unpack(&bytes).unwrap_or_else(|| panic!("{position} cannot be unpacked"));
        assert_eq!(four_fields(&back), four_fields(position));
        assert_eq!(&back, position);
        assert_eq!(back.key(), position.key(), "{position}");
        positions += 1;
    });
    assert!(positions > 500_000, "{positions}");
}

#[test]
fn packed_forms_and_keys_are_equal_when_the_four_fields_are() {
    let mut by_fields: HashMap<String, (Vec<u8>, u64)> = HashMap::new();
    let (mut by_bytes, mut by_key) = (HashMap::new(), HashMap::new());
    let mut again = 0;
    random_games(25, 2, |position| {
        let (fields, bytes, key) = (four_fields(position), packed(position), position.key());
        assert_eq!(by_bytes.entry(bytes.clone()).or_insert_with(|| fields.clone()), &fields);
        assert_eq!(by_key.entry(key).or_insert_with(|| fields.clone()), &fields);
        if let Some(known) = by_fields.insert(fields, (bytes.clone(), key)) {
            assert_eq!(known, (bytes, key), "{position}");
            again += 1;
        }
    });
    assert!(again > 1_000, "{again} positions were met again");
}

/// Whether any legal move captures en passant, by looking at them all.
fn captures_en_passant(position: &Position) -> bool {
    let board = position.board();
    legal_moves(position).iter().any(|mv| {
        board.pieces(Piece::Pawn).has(mv.from) && mv.from.file() != mv.to.file() && !board.occupied().has(mv.to)
    })
}

#[test]
fn an_en_passant_square_stands_where_a_legal_move_captures() {
    let (mut with, mut without) = (0, 0);
    random_games(100, 3, |position| {
        assert_eq!(position.en_passant().is_some(), captures_en_passant(position), "{position}");
        with += usize::from(position.en_passant().is_some());
        without += usize::from(position.board().en_passant().is_some() && position.en_passant().is_none());
    });
    assert!(with > 200 && without > 2_000, "{with} with, {without} without");
}

/// A position with a double step just made, by a FEN that says so or by a move, and the same pieces without the step.
type DoubleStep = (&'static str, &'static str, &'static str, &'static str);

fn both_ways((why, before, mv, without): DoubleStep) -> (Position, Position) {
    let stepped = if mv.is_empty() { position(before) } else { position(before).play_uci(mv).expect(why) };
    assert_eq!(stepped.en_passant().is_some(), captures_en_passant(&stepped), "{why}");
    (stepped, position(without))
}

#[test]
fn a_double_step_that_nobody_can_capture_is_a_step_like_others() {
    let cases: [DoubleStep; 7] = [
        ("no pawn beside it", "4k3/8/8/8/p7/8/4P3/4K3 w - -", "e2e4", "4k3/8/8/8/p3P3/8/8/4K3 b - -"),
        ("no pawn across the edge", "4k3/8/8/7p/8/8/P7/4K3 w - -", "a2a4", "4k3/8/8/7p/P7/8/8/4K3 b - -"),
        ("pinned on its file", "3k4/8/8/8/3pP3/8/8/3RK3 b - e3", "", "3k4/8/8/8/3pP3/8/8/3RK3 b - -"),
        ("pinned across", "8/8/8/3k4/2pP4/1B6/8/4K3 b - d3", "", "8/8/8/3k4/2pP4/1B6/8/4K3 b - -"),
        ("both pawns leave the rank", "8/8/8/8/k2pP2R/8/8/4K3 b - e3", "", "8/8/8/8/k2pP2R/8/8/4K3 b - -"),
        ("the captured one shields", "8/8/2k5/8/3pP3/8/6B1/4K3 b - e3", "", "8/8/2k5/8/3pP3/8/6B1/4K3 b - -"),
        ("discovered check", "8/8/8/k7/4p3/8/3P4/4B2K w - -", "d2d4", "8/8/8/k7/3Pp3/8/8/4B2K b - -"),
    ];
    for case in cases {
        let (stepped, other) = both_ways(case);
        assert_eq!(stepped.en_passant(), None, "{}", case.0);
        assert_eq!(stepped, other, "{}", case.0);
        assert_eq!((stepped.key(), packed(&stepped)), (other.key(), packed(&other)), "{}", case.0);
        assert_eq!(four_fields(&stepped), four_fields(&other), "{}", case.0);
    }
}

#[test]
fn a_double_step_that_can_be_captured_makes_another_position() {
    let cases: [DoubleStep; 4] = [
        ("a pawn beside it", "4k3/8/8/8/3p4/8/4P3/4K3 w - -", "e2e4", "4k3/8/8/8/3pP3/8/8/4K3 b - -"),
        ("pinned along", "8/8/8/1k6/2pP4/8/4B3/4K3 b - d3", "", "8/8/8/1k6/2pP4/8/4B3/4K3 b - -"),
        ("the pawn gives check", "8/8/8/5k2/3p4/8/4P3/4K3 w - -", "e2e4", "8/8/8/5k2/3pP3/8/8/4K3 b - -"),
        ("one of two is pinned", "3k4/8/8/8/3pPp2/8/8/3RK3 b - e3", "", "3k4/8/8/8/3pPp2/8/8/3RK3 b - -"),
    ];
    for case in cases {
        let (stepped, other) = both_ways(case);
        assert!(stepped.en_passant().is_some(), "{}", case.0);
        assert_ne!(stepped, other, "{}", case.0);
        assert_ne!(stepped.key(), other.key(), "{}", case.0);
        assert_ne!(packed(&stepped), packed(&other), "{}", case.0);
        assert_eq!(Position::unpack(&packed(&stepped)), Some(stepped), "{}", case.0);
    }
}

#[test]
fn what_makes_a_position_differ_is_in_the_packed_form() {
    let base = "r3k2r/8/8/3pP3/8/8/8/R3K2R";
    let mut all = Vec::new();
    for side in ["w", "b"] {
        for rights in ["-", "K", "Q", "k", "q", "KQ", "Kk", "Kq", "Qk", "Qq", "kq", "KQk", "KQq", "Kkq", "Qkq", "KQkq"]
        {
            all.push(position(&format!("{base} {side} {rights} -")));
        }
    }
    all.push(position(&format!("{base} w KQkq d6")));
    for (index, first) in all.iter().enumerate() {
        for second in &all[index + 1..] {
            assert_ne!(first, second);
            assert_ne!(packed(first), packed(second), "{first}, {second}");
            assert_ne!(first.key(), second.key(), "{first}, {second}");
        }
    }
}

#[test]
fn move_counters_and_the_way_of_writing_are_no_part_of_a_position() {
    let standard = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for other in ["r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 37 90", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"] {
        let other = position(other);
        assert_eq!(standard, other);
        assert_eq!((standard.key(), packed(&standard)), (other.key(), packed(&other)));
    }
    // The rook that may castle is told from the others, and short from long, wherever they stand.
    let rooks = ["A", "B", "C", "E", "F", "G", "BE", "CG", "-"]
        .map(|rights| position(&format!("7k/8/8/8/8/8/8/RRRKRRR1 w {rights} -")));
    for (index, first) in rooks.iter().enumerate() {
        assert_eq!(Position::unpack(&packed(first)).as_ref(), Some(first));
        assert!(rooks[index + 1..].iter().all(|second| packed(first) != packed(second) && first.key() != second.key()));
    }
}

#[test]
fn the_form_is_the_documented_one() {
    let bytes = packed(&position("4k3/8/8/8/3pP3/8/8/R3K3 b Q e3"));
    let ranks_from_the_eighth = [0b0001_0000, 0, 0, 0, 0b0001_1000, 0, 0, 0b0001_0001];
    // a1: rook that may castle, e1: white king, d4: black pawn, e4: capturable pawn, e8: black king, and Black to move.
    let pieces = [0xd5, 0x6c, 0xf0];
    assert_eq!(bytes, [&ranks_from_the_eighth[..], &pieces].concat());
}

/// Forms that differ from real ones in a few bits: refused, or positions that pack to them and can be played on.
#[test]
fn forged_forms_are_refused_or_sound() {
    let mut random = Random::new(4);
    let (mut refused, mut sound) = (0, 0);
    random_games(6, 5, |position| {
        let mut bytes = packed(position);
        for _ in 0..=random.below(3) {
            let place = random.below(bytes.len());
            bytes[place] ^= 1 << random.below(8);
        }
        match Position::unpack(&bytes) {
            None => refused += 1,
            Some(forged) => {
                assert_eq!(packed(&forged), bytes, "{forged}");
                assert!(perft(&forged, 2) < 1_000_000, "{forged}");
                sound += 1;
            }
        }
    });
    assert!(refused > 1_000 && sound > 1_000, "{refused} refused, {sound} sound");
}

#[test]
fn forms_that_say_more_than_a_position_are_refused() {
    let bytes = packed(&position("4k3/8/8/8/8/8/8/R3K3 w Q -"));
    assert_eq!(bytes[8..], [0xd5, 0xb0]);
    assert!(Position::unpack(&bytes).is_some());
    let with_pieces = |pieces: [u8; 2]| Position::unpack(&[&bytes[..8], &pieces].concat());
    assert!(with_pieces([0x35, 0xb0]).is_some(), "an ordinary rook");
    assert!(with_pieces([0xd5, 0xb1]).is_none(), "a padding nibble that is not 0");
    assert!(
        with_pieces([0x5d, 0xb0]).is_none(),
        "a rook that would castle with a king on a1: there is no king on e1's side"
    );
    assert!(with_pieces([0xe5, 0xb0]).is_none(), "a black rook on the first rank may not castle");
    assert!(with_pieces([0xc5, 0xb0]).is_none(), "a capturable pawn on the first rank");
    assert!(with_pieces([0xdb, 0x50]).is_none(), "the white king away from its first rank");
    assert!(Position::unpack(&bytes[..9]).is_none() && Position::unpack(&[&bytes[..], &[0]].concat()).is_none());

    let capturable = packed(&position("4k3/8/8/8/3pP3/8/8/4K3 b - e3"));
    let at = |pieces: [u8; 2]| Position::unpack(&[&capturable[..8], &pieces].concat());
    assert_eq!(capturable[8..], [0x56, 0xcf]);
    assert!(at([0x56, 0x0f]).is_some(), "an ordinary pawn");
    assert!(at([0x50, 0xcf]).is_none(), "no legal move captures it");
    assert!(at([0x56, 0xcb]).is_none(), "it is White's own move");
    assert!(at([0x5c, 0xcf]).is_none(), "two capturable pawns");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn garbage_is_refused_or_packs_to_itself(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        if let Some(position) = Position::unpack(&bytes) {
            prop_assert_eq!(packed(&position), bytes);
        }
    }

    /// Any pieces on the squares of a real position.
    #[test]
    fn any_pieces_are_refused_or_pack_to_themselves(root in 0..ROOTS.len(), pieces in prop::collection::vec(any::<u8>(), 16)) {
        let mut bytes = packed(&position(ROOTS[root]));
        let count = bytes.len() - 8;
        bytes[8..].copy_from_slice(&pieces[..count]);
        if let Some(position) = Position::unpack(&bytes) {
            prop_assert_eq!(packed(&position), bytes);
            prop_assert!(perft(&position, 2) < 1_000_000);
        }
    }
}
