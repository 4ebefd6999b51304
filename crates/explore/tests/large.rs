//! How long an answer takes on a large memory: `MNEMON_RECORDS=1000000 cargo test --release -p mnemon-explore --test large --
//! --ignored --nocapture` makes one of random games in a temporary folder and prints the times.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use mnemon_chess::Position as Chess;
use mnemon_explore::notation;
use mnemon_explore::tree::{AT_ONCE, TreeQuery, recent, text};
use mnemon_memory::recall::{Budget, explore};
use mnemon_memory::{Access, Flags, Item, Key, Record, Source, Store, open};
use mnemon_search::random::Random;
use mnemon_search::{Game, Notation};
use mnemon_table::Window;

fn own() -> Source {
    Source::engine("mnemon", "0.1.0")
}

/// Records as analyses leave them: games that follow good moves mostly, an exact score for each of their positions, and a
/// bound for a third of the moves that were not played.
struct Maker<'s> {
    store: &'s dyn Store,
    random: Random,
    seen: HashSet<Vec<u8>>,
    items: Vec<Item>,
}

impl Maker<'_> {
    fn add(&mut self, position: &Chess, record: Record) {
        let mut packed = Vec::new();
        Game::pack(position, &mut packed);
        if self.seen.insert(packed.clone()) {
            let time = 1_790_000_000 + self.random.below(10_000_000) as u32;
            let key = Key::new(&(*Chess::name()).into(), packed, &own());
            self.items.push(Item { key, record: record.found_at(time) });
        }
    }

    fn game(&mut self) {
        let mut position = Chess::start();
        for ply in 0..60 {
            let moves = Notation::legal(&position);
            if moves.is_empty() {
                return;
            }
            let choice = (0..moves.len() - 1).find(|_| self.random.below(3) > 0).unwrap_or(0);
            let score = self.random.below(100) as i16 - 50;
            let depth = 8 + self.random.below(20) as u8;
            let flags = if ply > 8 && self.random.below(50) == 0 { Flags::ROOT } else { Flags::NONE };
            let best = Chess::code(moves[choice]).get();
            self.add(&position, Record { best, flags, ..Record::exact(score, depth) });
            for &mv in &moves {
                if self.random.below(3) == 0 {
                    let bound = Record::between(Window::at_least(self.random.below(200) as i16 - 20), depth - 1);
                    self.add(&Chess::after(&position, mv), bound);
                }
            }
            position = Chess::after(&position, moves[choice]);
        }
    }

    fn make(&mut self, records: usize) {
        while self.seen.len() < records {
            self.game();
            if self.items.len() > 50_000 || self.seen.len() >= records {
                self.items.sort_by(|a, b| a.key.position.cmp(&b.key.position));
                self.store.merge_many(&self.items).expect("written");
                self.items.clear();
            }
        }
    }
}

fn timed<T>(what: &str, run: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let result = run();
    println!("{what}: {} ms", begun.elapsed().as_millis());
    result
}

#[test]
#[ignore = "it makes a large file and prints times"]
fn answers_from_a_large_memory() {
    let records = std::env::var("MNEMON_RECORDS").ok().and_then(|number| number.parse().ok()).unwrap_or(1_000_000);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("large.mnemon");
    let store = open(&path, Access::Create).expect("a memory");
    let mut maker = Maker { store: &*store, random: Random::new(1), seen: HashSet::new(), items: Vec::new() };
    timed("making it", || maker.make(records));
    println!("{} records", store.statistics().expect("read").records());
    drop(maker);
    drop(store);
    let store = timed("opening it", || open(&path, Access::ReadOnly).expect("a memory"));
    let own = own();
    let root = notation::read(&["startpos".to_owned()], None).unwrap_or_else(|error| panic!("{error}"));
    let value = timed("backed-up value, at once", || root.backed_up(&*store, &own, AT_ONCE).expect("read"));
    let value = value.expect("something is known");
    println!("  {} positions, complete: {}, line of {}", value.positions, value.is_complete, value.line.len());
    let tree = timed("tree, at once", || root.tree(&*store, &TreeQuery::new(&own)).expect("read"));
    println!("  {} positions, {} shown, complete: {}", tree.known, tree.nodes.len(), tree.is_complete);
    timed("recent", || recent::recent(&*store, &TreeQuery::new(&own), None, 20).expect("read"));
    let before = Budget { positions: 200_000, ..Budget::UNLIMITED };
    let broad = timed("level by level, 200,000 positions", || explore(&*store, &Chess::start(), before).expect("read"));
    println!("  {} positions, {} looked up", broad.nodes.len(), broad.looked_up);
    println!("{}", text::draw(&tree, 80, 1_800_000_000));
    assert!(AT_ONCE.time < Duration::from_millis(500));
}
