//! Recall and learn: what is learned is recalled as it was, and nothing else.

mod common;

use std::num::NonZeroU16;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use common::scanned;
use common::sessions::{engine, fill, learned, noisy, restarted, resume, search};
use mnemon_memory::policy::Policy;
use mnemon_memory::recall::{Budget, explore, recall};
use mnemon_memory::{Item, Key, Origins, PROVEN, RamStore, Range, Record, Source, Store, Trust};
use mnemon_search::games::{Rules, Synthetic, TicTacToe};
use mnemon_search::{Game, Limits, Outcome, Search, Silent, minimax};
use mnemon_table::{Entry, Origin, Score, Table, Window};

fn items(store: &dyn Store) -> Vec<Item> {
    scanned(store, &Range::default())
}

#[test]
fn after_a_restart_the_same_search_takes_few_nodes_and_has_the_same_result() {
    for seed in 0..30 {
        let root = noisy(seed);
        let store = Arc::new(RamStore::new());
        let cold = search(&mut restarted(&store, resume(2)), &root, 0, 7).search;
        let warm = search(&mut restarted(&store, resume(2)), &root, 0, 7).search;
        assert_eq!((cold.score, cold.best, cold.depth), (warm.score, warm.best, warm.depth), "seed {seed}");
        assert_eq!(cold.score, minimax::alpha_beta(&root, 7), "seed {seed}");
        assert!(warm.stats.nodes * 50 <= cold.stats.nodes, "{} after {}", warm.stats.nodes, cold.stats.nodes);
    }
}

#[test]
fn an_analysis_continues_forward_and_backward_through_the_variations() {
    let mut helped = 0;
    for seed in 0..20 {
        let root = noisy(seed);
        let store = Arc::new(RamStore::new());
        let first = search(&mut restarted(&store, resume(1)), &root, 0, 7).search;
        let forward = first.best.map(|mv| root.play(mv)).expect("the game goes on");
        let deeper = search(&mut restarted(&store, resume(1)), &forward, 1, 8).search;
        assert_eq!(deeper.score, minimax::alpha_beta(&forward, 8), "seed {seed}: never a wrong score");
        let cold = search(&mut restarted(&Arc::default(), resume(1)), &root, 0, 9).search;
        let backward = search(&mut restarted(&store, resume(1)), &root, 0, 9).search;
        assert_eq!(backward.score, minimax::alpha_beta(&root, 9), "seed {seed}: never a wrong score");
        helped += usize::from(backward.stats.nodes < cold.stats.nodes);
    }
    assert!(helped >= 15, "a deeper search below saves nodes above: {helped} of 20");
}

#[test]
fn solved_positions_are_proven_to_any_depth() {
    let store = Arc::new(RamStore::new());
    search(&mut restarted(&store, resume(1)), &TicTacToe::new(), 0, 9);
    let proven = items(&*store).iter().filter(|item| item.record.lower.depth == PROVEN).count();
    assert!(proven > 100, "{proven} proven");
    let table: Table = Table::new(1 << 20).expect("a megabyte");
    fill(&*store, &resume(1), &TicTacToe::new(), &table, Budget::UNLIMITED);
    let entry = table.probe(TicTacToe::new().key()).expect("recalled");
    assert_eq!((entry.window, entry.depth, entry.origin), (Window::exact(0), 127, Origin::Recalled));
}

/// A win that was found two plies below one root is found at its own distance below another.
#[test]
fn wins_are_counted_from_the_position_and_not_from_the_root() {
    let mut wins = 0;
    for seed in 0..200 {
        let root = Synthetic::new(Rules { sudden_end: 6, ..Rules::noise(seed, 3, 12, 50) });
        if root.outcome().is_some() {
            continue;
        }
        let store = Arc::new(RamStore::new());
        search(&mut restarted(&store, resume(1)), &root, 0, 6);
        let mut moves = Vec::new();
        root.moves(&mut moves);
        for child in moves.into_iter().map(|mv| root.play(mv)).filter(|child| child.outcome().is_none()) {
            let answer = search(&mut restarted(&store, resume(1)), &child, 1, 5).search;
            assert_eq!(answer.score, minimax::alpha_beta(&child, 5), "seed {seed}");
            wins += usize::from(mnemon_search::WINS.is_mate(answer.score));
        }
    }
    assert!(wins > 50, "{wins} wins");
}

#[test]
fn other_versions_scores_are_widened() {
    let root = noisy(4);
    let store = Arc::new(RamStore::new());
    search(&mut restarted(&store, resume(2)), &root, 0, 6);
    let table: Table = Table::new(1 << 20).expect("a megabyte");
    let newer = Source::engine("tested", "2");
    recall(&*store, &resume(2), (&newer, &Trust::default()), &root, Budget::UNLIMITED, None)
        .expect("RAM does not fail")
        .fill(&table);
    let view = items(&*store).into_iter().find(|item| item.record.root_ply == 0).expect("the root").record;
    let entry = table.probe(root.key()).expect("recalled");
    assert_eq!(
        entry.window,
        Window { lower: view.lower.score - 20, upper: view.upper.score + 20 },
        "another source's bounds are widened"
    );
}

#[test]
fn a_budget_takes_the_most_relevant_first() {
    let root = noisy(5);
    let store = Arc::new(RamStore::new());
    let answer = search(&mut restarted(&store, resume(1)), &root, 0, 8).search;
    let few = Budget { positions: 40, ..Budget::UNLIMITED };
    let known = explore(&*store, &root, few).expect("RAM does not fail");
    assert_eq!((known.nodes.len(), known.is_complete), (40, false));
    let best = root.play(answer.best.expect("a move"));
    assert!(known.nodes.iter().take(2).any(|node| node.position == best), "the best line comes first");
    assert!(known.nodes.is_sorted_by_key(|node| node.ply), "breadth first");
    let all = explore(&*store, &root, Budget::UNLIMITED).expect("RAM does not fail");
    assert!(all.is_complete && all.nodes.len() == items(&*store).len());
}

#[test]
fn a_stopped_recall_returns_what_it_has() {
    let root = noisy(5);
    let store = Arc::new(RamStore::new());
    search(&mut restarted(&store, resume(1)), &root, 0, 8);
    for policy in [resume(1), Policy::named("tree").expect("a policy")] {
        let recalled = |stop: &AtomicBool| {
            recall(&*store, &policy, (&engine(), &Trust::default()), &root, Budget::UNLIMITED, Some(stop))
                .expect("RAM does not fail")
        };
        let (whole, stopped) = (recalled(&AtomicBool::new(false)), recalled(&AtomicBool::new(true)));
        assert!(whole.is_complete() && !stopped.is_complete(), "{policy:?}");
        assert!(stopped.positions().len() < whole.positions().len(), "{policy:?}");
        assert_eq!(stopped.root().records, whole.root().records, "the root is looked up whatever happens");
        assert!(stopped.root().entry.is_some(), "{policy:?}");
    }
}

#[test]
fn the_root_is_recalled_with_any_budget() {
    let root = noisy(5);
    let store = Arc::new(RamStore::new());
    search(&mut restarted(&store, resume(1)), &root, 0, 6);
    let table: Table = Table::new(1 << 20).expect("a megabyte");
    let none = Budget { time: Duration::ZERO, ..Budget::UNLIMITED };
    let (entries, set) = fill(&*store, &resume(1), &root, &table, none);
    assert_eq!((entries, set.is_complete()), (1, false));
    assert!(table.probe(root.key()).is_some_and(|entry| entry.depth == 6 && entry.origin == Origin::Recalled));
}

/// The walk from position to position and the scan of all records recall the same.
#[test]
fn a_scan_and_a_walk_recall_the_same() {
    let root = noisy(6);
    let store = Arc::new(RamStore::new());
    search(&mut restarted(&store, resume(1)), &root, 0, 6);
    let entries = |budget: Budget| {
        let table: Table = Table::new(8 << 20).expect("eight megabytes");
        let (count, set) = fill(&*store, &resume(1), &root, &table, budget);
        let of = |item: &Item| table.probe(Synthetic::unpack(&item.key.position).expect("a position").key());
        (count, set.root().records.clone(), items(&*store).iter().map(of).collect::<Vec<_>>())
    };
    let count = items(&*store).len();
    let scan = entries(Budget::UNLIMITED);
    // A budget of one position too few: recall walks, and misses one position.
    let walk = entries(Budget { positions: count - 1, ..Budget::UNLIMITED });
    assert_eq!((scan.0, walk.0), (count, count - 1));
    assert_eq!(scan.1, walk.1);
    assert_eq!(scan.2.iter().zip(&walk.2).filter(|(a, b)| a != b).count(), 1);
}

/// A game in which two positions have the same hash.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Twins(Synthetic);

impl Game for Twins {
    type Move = u8;
    fn name() -> std::borrow::Cow<'static, str> {
        "twins".into()
    }
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }
    fn moves(&self, moves: &mut Vec<u8>) {
        self.0.moves(moves);
    }
    fn play(&self, mv: u8) -> Self {
        Twins(self.0.play(mv))
    }
    fn evaluate(&self) -> Score {
        self.0.evaluate()
    }
    /// The first two moves of the game lead to positions with one hash.
    fn key(&self) -> u64 {
        let mut packed = Vec::new();
        self.0.pack(&mut packed);
        if self.0.ply() == 1 && packed[9 + 1] == 1 { Synthetic::new(RULES).play(0).key() } else { self.0.key() }
    }
    fn pack(&self, bytes: &mut Vec<u8>) {
        self.0.pack(bytes);
    }
    fn unpack(bytes: &[u8]) -> Option<Self> {
        Synthetic::unpack(bytes).map(Twins)
    }
    fn code(mv: u8) -> NonZeroU16 {
        Synthetic::code(mv)
    }
}

const RULES: Rules = Rules::noise(8, 4, 14, 100);

#[test]
fn positions_with_equal_hashes_are_not_confused() {
    let root = Twins(Synthetic::new(RULES));
    let twins = [root.play(0), root.play(1)];
    assert!(twins[0].key() == twins[1].key() && twins[0] != twins[1], "forged");

    let store = RamStore::new();
    let game = Twins::name().into();
    let item = |position: &Twins, score| {
        let mut packed = Vec::new();
        position.pack(&mut packed);
        Item { key: Key::new(&game, packed, &engine()), record: Record::exact(score, 9) }
    };
    store.merge_many(&[item(&twins[0], 11), item(&twins[1], -22), item(&root, 22)]).expect("RAM does not fail");
    let known = explore(&store, &root, Budget::UNLIMITED).expect("RAM does not fail");
    let scores: Vec<_> = known.nodes.iter().map(|node| node.records[0].1.lower.score).collect();
    assert_eq!(scores, [22, 11, -22]);

    let table: Arc<Table> = Arc::new(Table::new(1 << 20).expect("a megabyte"));
    let (entries, set) = fill(&store, &resume(1), &root, &table, Budget::UNLIMITED);
    assert_eq!(entries, 1, "the table could not tell them apart");
    let recalled = twins.each_ref().map(|twin| set.get(twin).expect("in the set").value.lower.score);
    assert_eq!(recalled, [11, -22], "the set does");
    assert_eq!(table.probe(twins[0].key()), None);

    table.clear(1);
    Search { limits: Limits::depth(4), ..Search::new(&table) }.run(&root, &mut Silent);
    let learned = learned(&resume(1), &root, &table);
    assert!(!learned.is_empty());
    let both = twins.map(|twin| item(&twin, 0).key);
    assert!(learned.iter().all(|item| !both.contains(&item.key)), "the entry may be either position's");
}

#[test]
fn advice_enters_the_table_as_advice() {
    let root = noisy(9);
    let store = RamStore::new();
    let mut packed = Vec::new();
    root.pack(&mut packed);
    let key = Key::new(&Synthetic::name().into(), packed, &Source::person("Ada"));
    let record = Record { best: 2, origins: Origins::ADVICE, ..Record::default() };
    store.merge_many(&[Item { key, record }]).expect("RAM does not fail");
    let table: Table = Table::new(1 << 20).expect("a megabyte");
    fill(&store, &resume(1), &root, &table, Budget::PLAYING);
    let expected = Entry { best: 2, origin: Origin::Advice, ..Entry::default() };
    assert_eq!(table.probe(root.key()), Some(expected));
}

#[test]
fn a_recall_set_has_the_roots_line_and_every_record() {
    let root = noisy(5);
    let store = Arc::new(RamStore::new());
    let answer = search(&mut restarted(&store, resume(1)), &root, 0, 8).search;
    for policy in [resume(1), Policy::named("tree").expect("a policy")] {
        let set = recall(&*store, &policy, (&engine(), &Trust::default()), &root, Budget::UNLIMITED, None)
            .expect("RAM does not fail");
        let pv: Vec<u16> = answer.pv.iter().map(|&mv| Synthetic::code(mv).get()).collect();
        assert_eq!(set.root().line[..2], pv[..2], "{policy:?}");
        let known = set.get(&root).expect("the root");
        assert_eq!(set.records(known), set.root().records);
        assert_eq!(Some(set.entry(known)), set.root().entry);
        let records: usize = set.positions().iter().map(|position| set.records(position).len()).sum();
        assert_eq!(records, items(&*store).len(), "{policy:?}");
    }
}
