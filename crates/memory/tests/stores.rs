//! The file store against the store in RAM: the same calls, the same results.

mod common;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use common::item;
use mnemon_memory::{
    Access, Age, Annotation, Content, Contributor, Flags, Item, Key, Line, LineSet, MemoryError, MemoryId, Note,
    RamStore, Range, Record, Source, Store, open,
};
use mnemon_search::random::Random;
use mnemon_table::Window;

const POSITIONS: usize = 60;

fn scanned(store: &dyn Store, range: &Range<'_>, most: usize) -> Vec<Item> {
    let mut items = Vec::new();
    let visit = &mut |item| {
        items.push(item);
        if items.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    store.scan(range, visit).expect("the store can be read");
    items
}

fn found(store: &dyn Store, game: &str, positions: &[&[u8]]) -> Vec<(usize, Source, Record)> {
    let mut found = Vec::new();
    store
        .get_many(game, positions, &mut |number, source, record| found.push((number, source.clone(), record)))
        .expect("the store can be read");
    found.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    found
}

/// Everything in the range, in the order of keys and kinds: of one position, stores have an order of their own.
fn annotations(store: &dyn Store, range: &Range<'_>) -> Vec<Annotation> {
    let mut found = Vec::new();
    let visit = &mut |annotation| {
        found.push(annotation);
        ControlFlow::Continue(())
    };
    store.scan_annotations(range, visit).expect("the store can be read");
    assert!(found.is_sorted_by(|a, b| a.key.game != b.key.game || a.key.position <= b.key.position));
    found.sort_by(|a, b| {
        (&a.key, matches!(a.content, Content::Note(_))).cmp(&(&b.key, matches!(b.content, Content::Note(_))))
    });
    found
}

fn annotated(store: &dyn Store, game: &str, position: &[u8]) -> Vec<(Source, Content)> {
    let mut found = store.annotations(game, position).expect("the store can be read");
    found.sort_by(|a, b| (&a.0, matches!(a.1, Content::Note(_))).cmp(&(&b.0, matches!(b.1, Content::Note(_)))));
    found
}

#[test]
fn of_findings_all_is_written_or_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path().join("memory.mnemon"), Access::Create).expect("a memory");
    let mut random = Random::new(1);
    let (items, sound) = ([item(&mut random, POSITIONS)], annotation(&mut random));
    let empty = Annotation { content: Content::Lines(mnemon_memory::Lines::default()), ..sound.clone() };
    for store in [&*store, &RamStore::new() as &dyn Store] {
        assert!(matches!(
            store.merge_findings(&items, &[sound.clone(), empty.clone()]),
            Err(MemoryError::InvalidItem { .. })
        ));
        assert_eq!(scanned(store, &Range::default(), usize::MAX), []);
        assert_eq!(store.merge_findings(&items, std::slice::from_ref(&sound)).expect("written").added, 1);
        assert_eq!(annotations(store, &Range::default()), std::slice::from_ref(&sound));
    }
}

/// Lines of an engine or a note of a person, on one of few positions.
fn annotation(random: &mut Random) -> Annotation {
    let key = item(random, POSITIONS).key;
    let content = if key.source.is_person() {
        Content::Note(Note { time: random.below(4) as u32, text: format!("note {}", random.below(3)) })
    } else {
        let line = |random: &mut Random| Line::new(Window::exact(random.below(9) as i16), [1 + random.below(5) as u16]);
        let lines = (0..1 + random.below(3)).map(|_| line(random)).collect();
        Content::Lines(LineSet { depth: random.below(5) as u8, time: random.below(3) as u32, lines }.into())
    };
    Annotation { key, content }
}

/// A range of any kind, sometimes an empty one.
fn with_random_range(random: &mut Random, check: impl FnOnce(&Range<'_>)) {
    let source = [Source::person("Ada"), Source::engine("mnemon", "0.2.0"), Source::engine("unknown", "")];
    let source = &source[random.below(3)];
    let position = [9, 200, 0, 0, 0, random.below(POSITIONS) as u8];
    check(&Range {
        game: [None, Some("chess"), Some("connect4-7x6"), Some("go")][random.below(4)],
        prefix: &position[..[0, 1, 5, 6][random.below(4)]],
        source: (random.below(3) == 0).then_some(source),
        roots: [None, None, Some(Age::OldestFirst), Some(Age::NewestFirst)][random.below(4)],
        until: (random.below(3) == 0).then_some(1_699_999_999 + random.below(5) as u32),
    });
}

fn compare(random: &mut Random, store: &dyn Store, model: &dyn Store) {
    with_random_range(random, |range| {
        assert_eq!(scanned(store, range, usize::MAX), scanned(model, range, usize::MAX), "{range:?}");
        assert_eq!(scanned(store, range, 3), scanned(model, range, 3), "the first of {range:?}");
    });
    let positions: Vec<_> = (0..random.below(20)).map(|_| item(random, POSITIONS * 2).key.position).collect();
    let positions: Vec<&[u8]> = positions.iter().map(|position| &**position).collect();
    for game in ["chess", "connect4-7x6", "go"] {
        assert_eq!(found(store, game, &positions), found(model, game, &positions));
    }
    with_random_range(random, |range| {
        assert_eq!(annotations(store, range), annotations(model, range), "{range:?}");
    });
    for position in positions.iter().take(3) {
        assert_eq!(annotated(store, "chess", position), annotated(model, "chess", position));
    }
    assert_eq!(store.contributors().expect("a list"), model.contributors().expect("a list"));
    let counts = |store: &dyn Store| store.statistics().expect("the store can be read").counts;
    assert_eq!(counts(store), counts(model));
    let size_hint = |store: &dyn Store| store.size_hint("chess").expect("the store can be read");
    assert_eq!(size_hint(store), size_hint(model));
}

#[test]
fn a_file_store_behaves_as_the_one_in_ram() {
    let directory = tempfile::tempdir().unwrap();
    for seed in 0..8 {
        let path = directory.path().join(format!("{seed}.mnemon"));
        let mut random = Random::new(seed);
        let (mut store, model) = (open(&path, Access::Create).unwrap(), RamStore::new());
        for _ in 0..60 {
            let items: Vec<_> = (0..random.below(40)).map(|_| item(&mut random, POSITIONS)).collect();
            match random.below(8) {
                0 => {
                    drop(store);
                    store = open(&path, Access::Existing).unwrap();
                }
                1 | 2 => {
                    let keys: Vec<Key> = items.into_iter().map(|item| item.key).collect();
                    assert_eq!(store.delete_many(&keys).unwrap(), model.delete_many(&keys).unwrap());
                }
                7 => {
                    let annotations: Vec<_> = (0..random.below(9)).map(|_| annotation(&mut random)).collect();
                    let merged = store.merge_annotations(&annotations).unwrap();
                    assert_eq!(merged, model.merge_annotations(&annotations).unwrap());
                    let id = MemoryId::from([random.below(3) as u8; 16]);
                    let label = ["Ada", "Bob"][random.below(2)].to_owned();
                    let contributor =
                        Contributor { id, label, trusted: random.below(2) == 0, since: random.below(9) as u32 };
                    store.set_contributor(&contributor).unwrap();
                    model.set_contributor(&contributor).unwrap();
                }
                5 => {
                    let annotations: Vec<_> = (0..random.below(9)).map(|_| annotation(&mut random)).collect();
                    let merged = store.merge_findings(&items, &annotations).unwrap();
                    assert_eq!(merged, model.merge_findings(&items, &annotations).unwrap());
                }
                6 => assert_eq!(store.replace_many(&items).unwrap(), model.replace_many(&items).unwrap()),
                3 => drop(store.upkeep().expect("a file store").compact().unwrap()),
                _ => assert_eq!(store.merge_many(&items).unwrap(), model.merge_many(&items).unwrap()),
            }
            compare(&mut random, &*store, &model);
        }
        let verified = store.upkeep().expect("a file store").verify(&mut |_, _| ()).unwrap();
        assert_eq!((verified.is_sound(), verified.records), (true, model.statistics().unwrap().records()));
    }
}

#[test]
fn a_record_is_replaced_only_if_it_is_the_one_that_was_seen() {
    let directory = tempfile::tempdir().unwrap();
    let file = open(directory.path().join("m.mnemon"), Access::Create).unwrap();
    let engine = Source::engine("mnemon", "0.1.0");
    let key = |number: u8| Key::new(&"chess".into(), [number], &engine);
    let item = |number: u8, score| Item { key: key(number), record: Record::exact(score, 5) };
    for store in [&*file, &RamStore::new()] {
        let all = || scanned(store, &Range::default(), usize::MAX);
        let replace = |items: &[Item], seen: &[Option<Record>]| store.replace_unchanged(items, seen).unwrap().is_some();
        let [first, second] = [item(1, 10), item(2, 20)];
        assert!(replace(&[first.clone(), second.clone()], &[None, None]));
        assert!(!replace(&[item(1, 11), item(3, 30)], &[Some(second.record), None]), "another record was seen");
        assert!(!replace(&[item(3, 30), item(2, 21)], &[None, None]), "there is one by now");
        assert!(!replace(&[item(3, 30)], &[Some(first.record)]), "there is none any more");
        assert_eq!(all(), [first.clone(), second.clone()], "nothing of a refused batch is written");
        assert!(replace(&[item(1, 11), item(3, 30)], &[Some(first.record), None]));
        assert_eq!(all(), [item(1, 11), second, item(3, 30)]);
    }
}

#[test]
fn two_stores_on_one_file_see_each_other() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("deep/down/learned.mnemon");
    let stores = [open(&path, Access::Create).unwrap(), open(&path, Access::Create).unwrap()];
    let (model, mut random) = (RamStore::new(), Random::new(7));
    for round in 0..100 {
        let items: Vec<_> = (0..10).map(|_| item(&mut random, POSITIONS)).collect();
        assert_eq!(stores[round % 2].merge_many(&items).unwrap(), model.merge_many(&items).unwrap());
        compare(&mut random, &*stores[1 - round % 2], &model);
    }
}

/// Keys contain whole positions, so positions with the same 64-bit hash have different records.
#[test]
fn positions_with_equal_hashes_stay_apart() {
    // Any hash of 8 bytes maps some of these to one key; XOR of the two halves, as Zobrist keys are made, maps all.
    let halves = |half: u64| [half.to_le_bytes(), (half ^ 0x5eed).to_le_bytes()].concat();
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path().join("forged.mnemon"), Access::Create).unwrap();
    let (game, engine): (Arc<str>, _) = ("chess".into(), Source::engine("mnemon", "0.1.0"));
    let forged: Vec<Item> = (0..500)
        .map(|number| Item {
            key: Key::new(&game, halves(number), &engine),
            record: Record { best: 1, ..Record::exact(number as i16, 5) },
        })
        .collect();
    assert_eq!(store.merge_many(&forged).unwrap().added, 500);
    let positions: Vec<&[u8]> = forged.iter().map(|item| &*item.key.position).collect();
    for (number, _, record) in found(&*store, "chess", &positions) {
        assert_eq!(record, forged[number].record);
    }
}

#[test]
fn one_position_may_begin_as_another_does() {
    let directory = tempfile::tempdir().unwrap();
    let (store, model) = (open(directory.path().join("m"), Access::Create).unwrap(), RamStore::new());
    let (game, engine): (Arc<str>, _) = ("chess".into(), Source::engine("mnemon", "0.1.0"));
    for bytes in [&[255][..], &[255, 255], &[255, 255, 255], &[255, 0], &[254], &[0], &[0, 0], &[255; 1024]] {
        let record = Record { flags: Flags::ROOT, ..Record::exact(bytes.len() as i16, 1) };
        let items = [Item { key: Key::new(&game, bytes, &engine), record }];
        store.merge_many(&items).unwrap();
        model.merge_many(&items).unwrap();
    }
    for prefix in [&[][..], &[255], &[255, 255], &[254], &[0], &[255; 1024], &[7]] {
        for roots in [None, Some(Age::OldestFirst), Some(Age::NewestFirst)] {
            let range = Range { game: Some("chess"), prefix, roots, ..Range::default() };
            assert_eq!(scanned(&*store, &range, 100), scanned(&model, &range, 100), "{range:?}");
        }
    }
}

#[test]
fn a_batch_with_an_invalid_item_leaves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path().join("m"), Access::Create).unwrap();
    let mut random = Random::new(3);
    let mut items: Vec<_> = (0..10).map(|_| item(&mut random, POSITIONS)).collect();
    // One is empty, two have a depth that no search reaches.
    for invalid in [Record::default(), Record::exact(1, 128), Record::exact(1, 254)] {
        items[9].record = invalid;
        assert!(matches!(store.merge_many(&items), Err(MemoryError::InvalidItem { .. })), "{invalid:?}");
        assert_eq!(store.statistics().unwrap().records(), 0);
    }
}

#[test]
fn a_scan_reads_one_snapshot_and_blocks_no_writer() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path().join("m"), Access::Create).unwrap();
    let mut random = Random::new(4);
    let items: Vec<_> = (0..200).map(|_| item(&mut random, POSITIONS)).collect();
    store.merge_many(&items).unwrap();
    let before = scanned(&*store, &Range::default(), usize::MAX);
    let mut during = Vec::new();
    let delete = &mut |item: Item| {
        store.delete_many(std::slice::from_ref(&item.key)).unwrap();
        during.push(item);
        ControlFlow::Continue(())
    };
    store.scan(&Range::default(), delete).unwrap();
    assert_eq!(during, before);
    assert_eq!(store.statistics().unwrap().records(), 0);
}

#[test]
fn a_backup_is_the_memory_and_replaces_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path().join("m"), Access::Create).unwrap();
    let mut random = Random::new(5);
    let items: Vec<_> = (0..500).map(|_| item(&mut random, 500)).collect();
    store.merge_many(&items).unwrap();
    let copy = directory.path().join("copy");
    let mut pages = 0;
    let bytes = store.upkeep().expect("a file store").backup(&copy, &mut |done, _| pages = done).unwrap();
    assert!(pages > 0 && bytes == std::fs::metadata(&copy).unwrap().len());
    let everything = scanned(&*store, &Range::default(), usize::MAX);
    for copied in [open(&copy, Access::ReadOnly).unwrap(), open(&copy, Access::Existing).unwrap()] {
        assert_eq!(scanned(&*copied, &Range::default(), usize::MAX), everything);
        assert!(copied.upkeep().expect("a file store").verify(&mut |_, _| ()).unwrap().is_sound());
    }
    let refusal = store.upkeep().expect("a file store").backup(&copy, &mut |_, _| ()).unwrap_err();
    assert!(matches!(refusal, MemoryError::Exists { .. }), "{refusal:?}");
    assert!(store.upkeep().expect("a file store").backup(&directory.path().join("no/where"), &mut |_, _| ()).is_err());
    let names = |directory: &Path| std::fs::read_dir(directory).unwrap().count();
    // m with its log and index, and the copy, whose log and index were deleted.
    assert!(names(directory.path()) <= 6, "nothing unfinished is left");
}

/// A batch so large that two threads share it gives what each position gives alone.
#[test]
fn large_batches_are_looked_up_as_small_ones() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path().join("large.mnemon"), Access::Create).unwrap();
    let mut random = Random::new(9);
    let items: Vec<Item> = (0..3_000).map(|_| item(&mut random, 2_000)).collect();
    store.merge_many(&items).unwrap();
    let positions: Vec<_> = (0..1_500).map(|_| item(&mut random, 3_000).key.position).collect();
    let positions: Vec<&[u8]> = positions.iter().map(|position| &**position).collect();
    let alone = positions.iter().enumerate().flat_map(|(number, position)| {
        found(&*store, "chess", &[position]).into_iter().map(move |(_, source, record)| (number, source, record))
    });
    assert_eq!(found(&*store, "chess", &positions), alone.collect::<Vec<_>>());
}
