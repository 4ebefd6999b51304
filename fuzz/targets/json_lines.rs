//! Lines of `mnemon memory import`: a line is refused, or gives an item that a store keeps and `export` writes again.

#![no_main]
// The modules of the binary are compiled into this target, which needs only some of them.
#![allow(unused)]

#[path = "../../crates/mnemon/src/backed_up.rs"]
mod backed_up;
#[path = "../../crates/mnemon/src/format.rs"]
mod format;
#[path = "../../crates/mnemon/src/notation/mod.rs"]
mod notation;
#[path = "../../crates/mnemon/src/output.rs"]
mod output;
#[path = "../../crates/mnemon/src/record_json/mod.rs"]
mod record_json;

use std::cell::LazyCell;

use libfuzzer_sys::fuzz_target;
use mnemon_memory::{RamStore, Store};
use notation::Games;
use record_json::{AnnotationLine, Entry, Names, RecordLine};

/// What a command may fail with, as in the binary.
type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

thread_local! {
    static GAMES: LazyCell<Games> = LazyCell::new(Games::new);
}

fuzz_target!(|data: &[u8]| {
    GAMES.with(|games| data.split(|&byte| byte == b'\n').for_each(|line| check(line, games)));
});

fn check(line: &[u8], games: &Games) {
    let Ok((entry, _)) = record_json::read(line, games) else { return };
    let key = match &entry {
        Entry::Record(item) => &item.key,
        Entry::Annotation(annotation) => &annotation.key,
    };
    let position = games.unpack(&key.game, &key.position).expect("a position of its game");
    assert_eq!(position.packed(), &*key.position);
    let names = Names::default();
    let written = match &entry {
        Entry::Record(item) => output::json_line(&RecordLine::new(Some(&*position), item, &names)),
        Entry::Annotation(annotation) => output::json_line(&AnnotationLine::new(Some(&*position), annotation, &names)),
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
