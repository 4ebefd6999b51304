//! What holds for every chess position, wherever it came from.

use mnemon_chess::{Position, from_code, to_code};
use mnemon_search::Game;

/// Checks that the position is written and read back in every form, and so is each of its moves.
pub fn check_position(position: &Position) {
    let fen = position.to_string();
    let again: Position = fen.parse().expect("a FEN that was written is read");
    assert_eq!(&again, position, "{fen}");
    assert_eq!(again.to_string(), fen);
    let mut packed = Vec::new();
    position.pack(&mut packed);
    let unpacked = Position::unpack(&packed).expect("what was packed is unpacked");
    assert_eq!(&unpacked, position, "{fen}");
    assert_eq!(unpacked.key(), position.key(), "{fen}");
    check_moves(position);
}

fn check_moves(position: &Position) {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    assert_eq!(moves.is_empty(), !position.has_moves());
    for mv in moves {
        assert!(position.is_legal(mv), "{position}: {mv}");
        assert_eq!(from_code(to_code(mv)), Some(mv), "{position}: {mv}");
        let (san, uci) = (position.san(mv), position.uci(mv));
        assert_eq!(position.parse_san(&san), Ok(mv), "{position}: {san}");
        assert_eq!(position.parse_uci(&uci), Ok(mv), "{position}: {uci}");
        let after = position.after(mv);
        let again: Position = after.to_string().parse().expect("a legal move gives a position that can be written");
        assert_eq!(again, after, "{position}: {uci}");
        assert_eq!(again.key(), after.key(), "{position}: {uci}: the key is the same from scratch");
    }
}
