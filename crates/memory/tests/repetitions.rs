//! Scores that depend on a repetition or a move counter are never learned: games with cycles.

mod common;

use std::sync::Arc;

use common::scanned;
use common::sessions::{restarted, search};
use mnemon_memory::policy::{Policy, Resume};
use mnemon_memory::{Item, RamStore, Range};
use mnemon_search::games::{Maze, MazeRules};
use mnemon_search::random::Random;
use mnemon_search::{Game, Outcome, WINS};

/// The winner by force from each place of a maze, whatever was played before: 1 the side to move, -1 the other, 0 neither.
fn winners(rules: MazeRules) -> Vec<i32> {
    let place = |number| Maze::new(rules, number);
    let judge = |position: Maze, known: &[i32]| match position.outcome() {
        Some(Outcome::Win) => 1,
        Some(Outcome::Loss) => -1,
        Some(_) => 0,
        None => {
            let mut moves = Vec::new();
            position.moves(&mut moves);
            let children = moves.into_iter().map(|mv| -known[usize::from(position.play(mv).place())]);
            children.max().unwrap_or(0)
        }
    };
    // Each round of this retrograde analysis finds the winners one ply farther away.
    let mut known = vec![0; rules.places.into()];
    loop {
        let next: Vec<i32> = (0..rules.places).map(|number| judge(place(number), &known)).collect();
        if next == known {
            return known;
        }
        known = next;
    }
}

fn items(store: &RamStore) -> Vec<Item> {
    scanned(store, &Range::default())
}

/// Every win and loss in the memory is one without a history, from whichever root and after whatever history it was found, and
/// also after it was recalled and learned from again.
#[test]
fn wins_and_losses_in_the_memory_are_true() {
    let mut random = Random::new(11);
    let policy = Policy::Resume(Resume { least_depth: 1, ..Resume::default() });
    let (mut checked, mut left_out) = (0, 0);
    for seed in 0..1_000 {
        let limit = [0, 12][random.below(2)];
        let rules = MazeRules { limit, ..MazeRules::new(seed, 10 + random.below(20) as u16) };
        let any = |random: &mut Random| Maze::new(rules, random.below(rules.places.into()) as u16);
        let store = Arc::new(RamStore::new());
        for ply in 0..4 {
            let mut session = restarted(&store, policy);
            session.history = (0..random.below(4)).map(|_| any(&mut random).key()).collect();
            let root = any(&mut random).with_moves(random.below(10) as u16);
            if root.outcome().is_none() {
                let answer = search(&mut session, &root, ply, 3 + random.below(5) as u8).search;
                left_out += usize::from(answer.tainted);
            }
        }
        let winners = winners(rules);
        for Item { key, record } in items(&store) {
            let place = Maze::unpack(&key.position).expect("exact positions").place();
            let winner = winners[usize::from(place)];
            if record.lower.is_known() && record.lower.score > 0 && WINS.is_mate(record.lower.score) {
                assert_eq!(winner, 1, "maze {seed}, place {place}: {record:?}");
                checked += 1;
            }
            if record.upper.is_known() && record.upper.score < 0 && WINS.is_mate(record.upper.score) {
                assert_eq!(winner, -1, "maze {seed}, place {place}: {record:?}");
                checked += 1;
            }
        }
    }
    assert!(checked > 1_000 && left_out > 50, "{checked} wins and losses, {left_out} tainted roots");
}

/// No policy keeps a root whose score depends on its history.
#[test]
fn a_tainted_root_is_not_learned() {
    let mut tainted = 0;
    for seed in 0..200 {
        let rules = MazeRules { ends: 0, ..MazeRules::new(seed, 8) };
        let root = Maze::new(rules, 0);
        let mut moves = Vec::new();
        root.moves(&mut moves);
        for name in ["rote", "bebe", "resume", "tree"] {
            let store = Arc::new(RamStore::new());
            let mut session = restarted(&store, Policy::named(name).expect("a policy"));
            session.history = moves.iter().map(|&mv| root.play(mv).key()).collect();
            let answer = search(&mut session, &root, 0, 4).search;
            let mut packed = Vec::new();
            root.pack(&mut packed);
            let is_kept = items(&store).iter().any(|item| *item.key.position == *packed);
            assert!(!(answer.tainted && is_kept), "{name}, maze {seed}");
            tainted += usize::from(answer.tainted);
        }
    }
    assert!(tainted > 100, "{tainted} tainted");
}
