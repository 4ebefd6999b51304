//! What crosses from one memory to another keeps its contributor, in whatever order and however often it crosses.

mod common;

use common::{item, scanned};
use mnemon_memory::{Item, Key, Merged, RamStore, Range, Record, Source, Store, Trust, merge_memory};
use mnemon_search::random::Random;

/// A memory with records of its own.
fn memory(seed: u64, label: &str) -> RamStore {
    let (store, mut random) = (RamStore::new(), Random::new(seed));
    let own = |mut item: Item| {
        let source = &item.key.source;
        item.key.source = Source::new(source.kind(), source.name(), source.version());
        item
    };
    let items: Vec<Item> = (0..200).map(|_| own(item(&mut random, 40))).collect();
    store.merge_many(&items).expect("RAM does not fail");
    store.set_label(label).expect("a label");
    store
}

fn merged(from: &[&RamStore]) -> RamStore {
    let store = RamStore::new();
    for from in from {
        merge_memory(*from, &store, &mut || ()).expect("RAM does not fail");
    }
    store
}

fn everything(store: &RamStore) -> Vec<Item> {
    scanned(store, &Range::default())
}

#[test]
fn the_order_and_the_number_of_merges_do_not_matter() {
    let (a, b, c) = (memory(1, "a"), memory(2, "b"), memory(3, "c"));
    let once = merged(&[&a, &b, &c]);
    assert_eq!(everything(&once), everything(&merged(&[&c, &a, &b, &a, &c])));
    let through_another = merged(&[&merged(&[&a, &b]), &c]);
    assert_eq!(everything(&once), everything(&through_another), "what passes through a memory is not that one's");
    let labels = |store: &RamStore| {
        let contributors = store.contributors().expect("RAM does not fail");
        contributors.into_iter().map(|contributor| contributor.label).collect::<Vec<_>>()
    };
    assert_eq!(labels(&once), labels(&through_another));
    let mut sorted = labels(&once);
    sorted.sort();
    assert_eq!(sorted, ["a", "b", "c"]);
}

#[test]
fn nothing_that_was_merged_is_believed_before_its_contributor_is_trusted() {
    let a = memory(1, "a");
    let store = merged(&[&a]);
    let trust = Trust::recorded(&store.contributors().expect("RAM does not fail"));
    assert!(everything(&store).iter().all(|item| !trust.believes(&item.key.source)));
    let trusted = Trust::of([a.identity().expect("RAM does not fail").id]);
    let is_search = |item: &&Item| !item.key.source.is_person();
    assert!(everything(&store).iter().filter(is_search).all(|item| trusted.believes(&item.key.source)));
}

#[test]
fn what_comes_back_is_known_and_what_is_only_said_to_be_ones_own_stays_apart() {
    let a = memory(1, "a");
    let (before, there) = (everything(&a), merged(&[&a]));
    let back = merge_memory(&there, &a, &mut || ()).expect("RAM does not fail");
    assert_eq!(back, Merged { known: before.len() as u64, ..Merged::default() });
    assert_eq!(everything(&a), before);

    let id = a.identity().expect("RAM does not fail").id;
    let forged = Source::engine("mnemon", "0.1.0").contributed_by(id);
    let key = Key::new(&"chess".into(), *b"a position that a does not know", &forged);
    there.merge_many(&[Item { key: key.clone(), record: Record::exact(9_000, 90) }]).expect("RAM does not fail");
    let back = merge_memory(&there, &a, &mut || ()).expect("RAM does not fail");
    assert_eq!((back.added, back.changed), (1, 0));
    let added: Vec<Item> = everything(&a).into_iter().filter(|item| !before.contains(item)).collect();
    assert_eq!(added.len(), 1);
    assert_eq!(added[0].key, key);
    assert!(!Trust::default().believes(&added[0].key.source));
}
