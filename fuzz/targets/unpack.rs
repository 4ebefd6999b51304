//! Bytes are refused by every game, or are the packed form of a position that keeps the laws of games.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mnemon_chess::Position;
use mnemon_connect4::Board;
use mnemon_fuzz::chess::check_position;
use mnemon_search::{Game, Notation};

fuzz_target!(|data: &[u8]| {
    if let Some(position) = check::<Position>(data) {
        check_position(&position);
    }
    check::<Board<4, 4>>(data);
    check::<Board<5, 5>>(data);
    check::<Board<7, 6>>(data);
    check::<Board<7, 7>>(data);
    check::<Board<8, 7>>(data);
    check::<Board<9, 6>>(data);
});

fn check<G: Notation>(data: &[u8]) -> Option<G> {
    let position = G::unpack(data)?;
    assert_eq!(packed(&position), data, "a position has one packed form");
    assert!(!position.is_drawn_by_counter());
    if let Some(text) = position.write() {
        let again = G::read(&text).expect("what is written is read");
        assert_eq!(again, position, "{text}");
    }
    let mut moves = Vec::new();
    position.moves(&mut moves);
    assert_eq!(moves.is_empty(), position.outcome().is_some(), "{position:?}");
    for mv in moves {
        let after = position.play(mv);
        let again = G::unpack(&packed(&after)).expect("a legal move gives a position");
        assert_eq!(again, after, "{position:?}: {mv:?}");
        assert_eq!(again.key(), after.key(), "{position:?}: {mv:?}: the key is the same from scratch");
        assert!(position.plies_left() > after.plies_left() || position.plies_left().is_none());
        let text = position.write_move(mv);
        assert_eq!(position.read_move(&text).ok(), Some(mv), "{position:?}: {text}");
    }
    Some(position)
}

fn packed<G: Game>(position: &G) -> Vec<u8> {
    let mut bytes = Vec::new();
    position.pack(&mut bytes);
    bytes
}
