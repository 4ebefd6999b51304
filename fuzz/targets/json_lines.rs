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
use record_json::RecordLine;

/// What a command may fail with, as in the binary.
type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

thread_local! {
    static GAMES: LazyCell<Games> = LazyCell::new(Games::new);
}

fuzz_target!(|data: &[u8]| {
    GAMES.with(|games| data.split(|&byte| byte == b'\n').for_each(|line| check(line, games)));
});

fn check(line: &[u8], games: &Games) {
    let Ok(item) = record_json::read(line, games) else { return };
    item.validate().expect("an item that a store keeps");
    let position = games.unpack(&item.key.game, &item.key.position).expect("a position of its game");
    assert_eq!(position.packed(), &*item.key.position);
    let written = output::json_line(&RecordLine::new(Some(&*position), &item)).expect("JSON");
    assert_eq!(record_json::read(written.as_bytes(), games), Ok(item.clone()), "{written}");
    let store = RamStore::default();
    assert_eq!(store.merge_many(std::slice::from_ref(&item)).expect("a valid item").added, 1);
    assert_eq!(store.merge_many(&[item]).expect("a valid item").known, 1, "{written}: merging again changes nothing");
}
