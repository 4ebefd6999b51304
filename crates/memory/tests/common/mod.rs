//! Random records, from few enough values that ties and contradictions are common.
#![allow(dead_code, reason = "each test file uses a part")]

pub(crate) mod sessions;

use std::ops::ControlFlow;

use mnemon_memory::{Claim, Flags, Item, Key, MemoryId, Origins, PROVEN, Range, Record, Source, Store};
use mnemon_search::random::Random;
use mnemon_table::Window;

/// A record of an engine.
pub(crate) fn search_record(random: &mut Random) -> Record {
    let mut origins = Origins::SEARCH;
    for (origin, _) in Origins::ALL {
        if origin != Origins::ADVICE && random.below(4) == 0 {
            origins = origins.union(origin);
        }
    }
    Record {
        lower: claim(random, Window::NO_LOWER),
        upper: claim(random, Window::NO_UPPER),
        best: random.below(4) as u16,
        origins,
        flags: if random.below(8) == 0 { Flags::ROOT } else { Flags::NONE },
        game_ply: [3, 80, Record::NO_PLY][random.below(3)],
        root_ply: [0, 5, Record::NO_PLY][random.below(3)],
        nodes: random.below(5) as u64 * 1_000_000_000,
        time: 1_700_000_000 + random.below(4) as u32,
    }
    .normalized()
}

/// A record of a person.
pub(crate) fn advice(random: &mut Random) -> Record {
    let record = search_record(random);
    Record { origins: record.origins.union(Origins::ADVICE), ..record }
}

/// A valid item with one of few keys.
pub(crate) fn item(random: &mut Random, positions: usize) -> Item {
    let game = ["chess", "connect4-7x6"][random.below(2)];
    let number = random.below(positions) as u32;
    let position: Vec<u8> = [&[9, 200][..], &number.to_be_bytes()].concat();
    let friend = MemoryId::from([7; 16]);
    let (source, record) = match random.below(6) {
        0 => (Source::person("Ada"), advice(random)),
        4 => (Source::engine("mnemon", "0.1.0").contributed_by(friend), search_record(random)),
        5 => (Source::engine("mnemon", "0.1.0").believing([friend]), search_record(random)),
        1 => (Source::engine("mnemon", "0.2.0"), search_record(random)),
        _ => (Source::engine("mnemon", "0.1.0"), search_record(random)),
    };
    let record = if record.is_empty() { Record { best: 1, ..record } } else { record };
    Item { key: Key::new(&game.into(), position, &source), record }
}

fn claim(random: &mut Random, nothing: i16) -> Claim {
    let score = [-15_995, -20, 0, 35, 15_990, nothing][random.below(6)];
    let time = 1_700_000_000 + random.below(4) as u32;
    Claim { score, depth: [0, 1, 7, 12, PROVEN][random.below(5)], time }
}

/// Everything in the range.
pub(crate) fn scanned(store: &dyn Store, range: &Range<'_>) -> Vec<Item> {
    let mut items = Vec::new();
    let visit = &mut |item| {
        items.push(item);
        ControlFlow::Continue(())
    };
    store.scan(range, visit).expect("the store can be read");
    items
}
