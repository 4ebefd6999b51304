//! Learning: what a search found becomes records, and nothing else does.

mod common;

use std::sync::Arc;
use std::time::Duration;

use common::scanned;
use common::sessions::{engine, fill, learned, noisy, restarted, resume, search};
use mnemon_memory::learn::Finding;
use mnemon_memory::policy::Searched;
use mnemon_memory::recall::Budget;
use mnemon_memory::{Item, Memory, Origins, RamStore, Range, Source, Store};
use mnemon_search::games::Synthetic;
use mnemon_search::{Game, Limits, Search, Silent, minimax};
use mnemon_table::{Table, Window};

fn items(store: &dyn Store) -> Vec<Item> {
    scanned(store, &Range::default())
}

/// Every bound that is learned holds at its depth, by plain minimax.
#[test]
fn every_learned_bound_holds() {
    for seed in 0..12 {
        let root = noisy(seed);
        let store = Arc::new(RamStore::new());
        let mut session = restarted(&store, resume(1));
        for (ply, depth) in [(0, 5), (0, 6), (0, 5)] {
            search(&mut session, &root, ply, depth);
        }
        for Item { key, record } in items(&*store) {
            let position = Synthetic::unpack(&key.position).expect("exact positions");
            let value = |depth: u8| minimax::alpha_beta(&position, depth.min(14));
            if record.lower.is_known() {
                assert!(value(record.lower.depth) >= record.lower.score, "{record:?}");
            }
            if record.upper.is_known() {
                assert!(value(record.upper.depth) <= record.upper.score, "{record:?}");
            }
        }
    }
}

#[test]
fn recalled_entries_are_not_learned_again() {
    let root = noisy(3);
    let store = Arc::new(RamStore::new());
    search(&mut restarted(&store, resume(1)), &root, 0, 6);
    let table: Arc<Table> = Arc::new(Table::new(1 << 20).expect("a megabyte"));
    assert!(fill(&*store, &resume(1), &root, &table, Budget::UNLIMITED).0 > 100);
    assert_eq!(learned(&resume(1), &root, &table), []);
}

#[test]
fn an_engine_deletes_only_its_own_records() {
    let store = Arc::new(RamStore::new());
    let root = noisy(3);
    for name in ["one", "other"] {
        let mut memory = Memory::new(store.clone(), Source::engine(name, "1"), resume(1));
        let table: Arc<Table> = Arc::new(Table::new(1 << 20).expect("a table"));
        let answer = Search { limits: Limits::depth(4), ..Search::new(&table) }.run(&root, &mut Silent);
        memory.finish(&root, &table, Searched::new(&root, &answer), Vec::new());
        let learned = memory.sync_within(Duration::MAX).expect("no timeout").expect("RAM does not fail");
        assert_eq!(
            learned.merged.added,
            items(&*store).iter().filter(|item| item.key.source.name() == name).count() as u64
        );
        assert_eq!(memory.sync().expect("RAM does not fail"), Default::default(), "it was returned already");
    }
    let all = items(&*store).len() as u64;
    let mut memory = Memory::new(store.clone(), Source::engine("one", "1"), resume(1));
    let deleted = memory.delete_own::<Synthetic>().expect("RAM does not fail");
    assert!(deleted > 0 && all > deleted, "{deleted} of {all}");
    let left = items(&*store);
    assert!(left.len() as u64 == all - deleted && left.iter().all(|item| item.key.source.name() == "other"));
}

/// Findings need no table: an engine that only prints its lines can be learned from, too.
#[test]
fn findings_from_elsewhere_are_learned_as_the_policy_keeps_them() {
    let store = Arc::new(RamStore::new());
    let root = noisy(3);
    let finding = |mv: u8, depth: u8| {
        let mut position = Vec::new();
        root.play(mv).pack(&mut position);
        Finding {
            position: position.into(),
            window: Window::at_least(7),
            depth,
            best: 0,
            nodes: 10,
            ply: 1,
            is_exhaustive: false,
            is_on_pv: mv == 1,
        }
    };
    let mut memory = Memory::new(store.clone(), engine(), resume(4));
    let searched = Searched { score: 5, depth: 6, best: 1, time: 9, ..Searched::default() };
    memory.learn(&root, searched, [finding(0, 3), finding(1, 4)], Vec::new());
    assert_eq!(
        memory.sync().expect("RAM does not fail").merged.added,
        2,
        "the root, and the finding that is deep enough"
    );
    let below = items(&*store).into_iter().find(|item| item.record.root_ply == 1).expect("a finding").record;
    assert_eq!((below.deepest(), below.time), ((Window::at_least(7), 4), 9));
    assert!(below.origins.contains(Origins::PV) && below.nodes == 10);
}
