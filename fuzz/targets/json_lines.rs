//! Lines of `mnemon memory import`: a line is refused, or gives an item that a store keeps and `export` writes again. Each line
//! is also read as an evaluation of lichess.

#![no_main]

use std::cell::LazyCell;

use libfuzzer_sys::fuzz_target;
use mnemon_chess::Position;
use mnemon_explore::exchange::read_evaluation;
use mnemon_explore::notation::Games;
use mnemon_explore::record_json::{self, AnnotationLine, Entry, Names, RecordLine, json_line};
use mnemon_memory::{Annotation, Content, Item, Key, RamStore, Source, Store};
use mnemon_search::Game;

thread_local! {
    static GAMES: LazyCell<Games> = LazyCell::new(Games::new);
}

fuzz_target!(|data: &[u8]| {
    GAMES.with(|games| data.split(|&byte| byte == b'\n').for_each(|line| check(line, games)));
});

/// What is read of an evaluation can be kept.
fn check_evaluation(line: &[u8]) {
    let Some((packed, record, lines)) = read_evaluation(line) else { return };
    let position = Position::unpack(&packed).expect("a position");
    let is_best = |mv: &mnemon_chess::Move| mnemon_chess::to_code(*mv).get() == record.best;
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    assert!(moves.iter().any(is_best));
    let key = Key::new(&Position::name().into(), packed, &Source::engine("lichess cloud", ""));
    Item { key: key.clone(), record }.validate().expect("a valid record");
    Annotation { key, content: Content::Lines(lines) }.validate().expect("valid lines");
}

fn check(line: &[u8], games: &Games) {
    check_evaluation(line);
    let Ok((entry, _)) = record_json::read(line, games) else { return };
    let key = match &entry {
        Entry::Record(item) => &item.key,
        Entry::Annotation(annotation) => &annotation.key,
    };
    let position = games.unpack(&key.game, &key.position).expect("a position of its game");
    assert_eq!(position.packed(), &*key.position);
    let names = Names::default();
    let written = match &entry {
        Entry::Record(item) => json_line(&RecordLine::new(Some(&*position), item, &names)),
        Entry::Annotation(annotation) => json_line(&AnnotationLine::new(Some(&*position), annotation, &names)),
    };
    let written = written.expect("JSON");
    let again = record_json::read(written.as_bytes(), games).map(|(entry, _)| entry);
    assert_eq!(again.as_ref(), Ok(&entry), "{written}");
    let store = RamStore::default();
    let merge = || match &entry {
        Entry::Record(item) => store.merge_many(std::slice::from_ref(item)),
        Entry::Annotation(annotation) => store.merge_annotations(std::slice::from_ref(annotation)),
    };
    assert_eq!(merge().expect("a valid entry").added, 1);
    assert_eq!(merge().expect("a valid entry").known, 1, "{written}: merging again changes nothing");
}
