//! Several processes write one memory at once, while others read it.

mod common;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use common::children::{BATCH, SHARED, batch, orders, start};
use mnemon_memory::{Item, RamStore, Range, SqliteStore, Store};

const WRITERS: u32 = 4;
const BATCHES: u32 = 40;

#[test]
#[ignore = "run by the tests here as a process of its own"]
fn writer() {
    let Some(orders) = orders() else { return };
    let store = SqliteStore::open(&orders.path).expect("opening is not refused");
    for number in orders.first..orders.first + orders.count {
        store.merge_many(&batch(number)).expect("writing is not refused");
    }
}

fn items(store: &dyn Store) -> Vec<Item> {
    let mut items = Vec::new();
    let visit = &mut |item| {
        items.push(item);
        ControlFlow::Continue(())
    };
    store.scan(&Range::default(), visit).expect("reading is not refused");
    items
}

/// A reader sees whole batches, and never fewer than before.
fn check_snapshot(items: &[Item], batch_of: &BTreeMap<Box<[u8]>, u32>, seen: &mut usize) {
    let mut sizes: BTreeMap<u32, u32> = BTreeMap::new();
    for item in items {
        if let Some(&number) = batch_of.get(&item.key.position) {
            *sizes.entry(number).or_default() += 1;
        }
    }
    assert!(sizes.values().all(|&size| size == BATCH), "a half batch was seen: {sizes:?}");
    assert!(sizes.len() >= *seen, "what was there stays there");
    *seen = sizes.len();
}

#[test]
fn writes_take_turns_and_readers_see_whole_batches() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("shared.mnemon");
    let mut writers: Vec<_> = (0..WRITERS).map(|writer| start("writer", &path, writer * BATCHES, BATCHES)).collect();
    let own = |number| batch(number).into_iter().take(BATCH as usize).map(move |item| (item.key.position, number));
    let batch_of: BTreeMap<Box<[u8]>, u32> = (0..WRITERS * BATCHES).flat_map(own).collect();

    // One of the processes makes the file; a reader does not.
    let reader = loop {
        match SqliteStore::open_read_only(&path) {
            Ok(reader) => break reader,
            Err(_) => std::thread::yield_now(),
        }
    };
    let (mut seen, mut looks) = (0, 0);
    while writers.iter_mut().any(|writer| writer.try_wait().expect("a process").is_none()) {
        check_snapshot(&items(&reader), &batch_of, &mut seen);
        looks += 1;
        if looks % 4 == 0 {
            // A copy made meanwhile is as whole as what a reader sees.
            let copy = folder.path().join(format!("copy-{looks}.mnemon"));
            reader.backup(&copy, &mut |_, _| {}).expect("copying is not refused");
            let copy = SqliteStore::open_read_only(&copy).expect("a memory of its own");
            assert!(copy.verify(&mut |_, _| {}).expect("readable").is_sound());
            check_snapshot(&items(&copy), &batch_of, &mut seen);
        }
    }
    for writer in writers {
        let output = writer.wait_with_output().expect("a process");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    assert!(looks > 0);

    let model = RamStore::new();
    for number in 0..WRITERS * BATCHES {
        model.merge_many(&batch(number)).expect("RAM does not fail");
    }
    assert_eq!(items(&reader), items(&model), "none is lost");
    assert_eq!(items(&reader).len(), (WRITERS * BATCHES * BATCH + SHARED) as usize);
}
