//! Games with cycles. Without the table's windows every algorithm gives the value of minimax along the path. With them,
//! every untainted window in the table is true of its position, whatever the path to it, as retrograde analysis of the
//! whole maze shows.

use mnemon_search::games::{Maze, MazeRules};
use mnemon_search::random::Random;
use mnemon_search::{Algorithm, Game, Keep, Limits, Outcome, Search, SearchOutcome, Silent, WINS, minimax};
use mnemon_table::replace::Replace;
use mnemon_table::{Compact, Entry, Layout, Score, Table, Wide};

/// The game-theoretic value of a place: the side to move wins or loses in this number of plies, or neither side can
/// force a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Truth {
    Win(u16),
    Loss(u16),
    Open,
}

impl Truth {
    /// The score of a win or loss that is no further away than `plies`.
    fn score_within(self, plies: u16) -> Option<Score> {
        match self {
            Truth::Win(distance) if distance <= plies => Some(-WINS.lost_at(distance)),
            Truth::Loss(distance) if distance <= plies => Some(WINS.lost_at(distance)),
            _ => None,
        }
    }
}

/// Retrograde analysis: first the ends of the game, then what wins or loses in one ply, in two, and so on.
fn retrograde_analysis(rules: MazeRules) -> Vec<Truth> {
    let mut truths = vec![Truth::Open; rules.places.into()];
    for plies in 0.. {
        let known = truths.clone();
        for place in (0..rules.places).filter(|&place| known[usize::from(place)] == Truth::Open) {
            truths[usize::from(place)] = value_of(&Maze::new(rules, place), plies, &known);
        }
        if plies > 0 && truths == known {
            break;
        }
    }
    truths
}

/// The value of a place, given all places that are won or lost in fewer plies.
fn value_of(position: &Maze, plies: u16, known: &[Truth]) -> Truth {
    let children: Vec<Truth> = children(position).iter().map(|child| known[usize::from(child.place())]).collect();
    match position.outcome() {
        Some(Outcome::Win) => Truth::Win(0),
        Some(Outcome::Loss) => Truth::Loss(0),
        Some(_) => Truth::Open,
        None if children.iter().any(|child| matches!(child, Truth::Loss(_))) => Truth::Win(plies),
        None if children.iter().all(|child| matches!(child, Truth::Win(_))) => Truth::Loss(plies),
        None => Truth::Open,
    }
}

fn children(position: &Maze) -> Vec<Maze> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.into_iter().map(|mv| position.play(mv)).collect()
}

/// A small maze with a random size and random exits.
fn maze(random: &mut Random) -> MazeRules {
    let places = 6 + random.below(40) as u16;
    MazeRules { exits: 2 + random.below(2) as u8, ..MazeRules::new(random.bits() as u32, places) }
}

/// A place where the game goes on.
fn place(rules: MazeRules, random: &mut Random) -> Maze {
    let mut places = (0..100).map(|_| Maze::new(rules, random.below(rules.places.into()) as u16));
    places.find(|position| position.outcome().is_none()).unwrap_or(Maze::new(rules, 0))
}

/// Keys of random places, as if they had been played before the root.
fn history(rules: MazeRules, random: &mut Random) -> Vec<u64> {
    (0..random.below(4)).map(|_| place(rules, random).key()).collect()
}

fn run<L: Layout, R: Replace>(search: Search<'_, L, R>, root: &Maze, depth: u8) -> SearchOutcome<u8> {
    Search { limits: Limits::depth(depth), ..search }.run(root, &mut Silent)
}

#[test]
fn every_algorithm_gives_the_value_along_the_path() {
    let mut random = Random::new(1);
    let table: Table = Table::new(1 << 14).expect("a small table");
    let (mut drawn, mut tainted) = (0, 0);
    for _ in 0..1500 {
        let rules = MazeRules { limit: [0, 3, 9][random.below(3)], ..maze(&mut random) };
        let (root, history) = (place(rules, &mut random), history(rules, &mut random));
        let depth = 1 + random.below(6) as u8;
        let value = minimax::value_after(&history, &root, depth);
        for algorithm in Algorithm::ALL {
            for keep in [Keep::Nothing, Keep::Moves] {
                table.clear(1);
                let search = Search { algorithm, keep, history: &history, ..Search::new(&table) };
                let outcome = run(search, &root, depth);
                assert_eq!(outcome.score, value, "{algorithm:?} {keep:?} depth {depth} of {root:?} after {history:x?}");
                tainted += u32::from(outcome.tainted);
            }
        }
        drawn += u32::from(value == 0);
    }
    assert!(drawn > 100 && tainted > 100, "the path mattered: {drawn} draws, {tainted} tainted");
}

#[test]
fn a_clean_score_does_not_know_how_the_root_was_reached() {
    let mut random = Random::new(2);
    let table: Table = Table::new(64).expect("not used");
    let (mut clean, mut changed) = (0, 0);
    for _ in 0..3000 {
        let rules = MazeRules { limit: 6, ..maze(&mut random) };
        let (root, history) = (place(rules, &mut random), history(rules, &mut random));
        let played = random.below(6) as u16;
        // Too shallow for the counter to run out if it begins at the root.
        let own = minimax::value(&root, 5);
        for algorithm in Algorithm::ALL {
            let search = Search { algorithm, keep: Keep::Nothing, history: &history, ..Search::new(&table) };
            let outcome = run(search, &root.with_moves(played), 5);
            clean += u32::from(!outcome.tainted && (!history.is_empty() || played > 0));
            changed += u32::from(outcome.score != own);
            assert!(outcome.tainted || outcome.score == own, "{algorithm:?} {root:?}, {played} moves, {history:x?}");
        }
    }
    assert!(clean > 1000 && changed > 1000, "{clean} clean, {changed} changed by their path");
}

/// Whether the entry's window holds on every path: its wins and losses exist at the distance that it claims or sooner,
/// and it excludes none that its depth was enough to see.
fn is_true(entry: &Entry, truth: Truth) -> bool {
    let (lower, upper) = (entry.window.lower, entry.window.upper);
    let seen = truth.score_within(entry.depth.into());
    let end = truth.score_within(1000);
    let win_holds = !(lower > 0 && WINS.is_mate(lower)) || end.is_some_and(|score| score >= lower);
    let loss_holds = !(upper < 0 && WINS.is_mate(upper)) || end.is_some_and(|score| score <= upper);
    win_holds && loss_holds && seen.is_none_or(|score| lower <= score && score <= upper)
}

/// Searches many mazes, several roots of each on one table, and compares the entries left in the table with the truth.
/// Returns the numbers of clean and of tainted windows.
fn judge_tables<L: Layout>(mazes: usize, seed: u64, threads: usize) -> (u32, u32) {
    let mut random = Random::new(seed);
    let table: Table<L> = Table::new(1 << 14).expect("a small table");
    let (mut clean, mut tainted) = (0, 0);
    for _ in 0..mazes {
        let rules = MazeRules { limit: [0, 0, 7][random.below(3)], ..maze(&mut random) };
        let truths = retrograde_analysis(rules);
        table.clear(1);
        for _ in 0..3 {
            let (root, history) = (place(rules, &mut random), history(rules, &mut random));
            let algorithm = Algorithm::ALL[random.below(4)];
            let search = Search { algorithm, threads, history: &history, ..Search::new(&table) };
            run(search, &root.with_moves(random.below(7) as u16), 3 + random.below(8) as u8);
            table.new_generation();
        }
        for position in (0..rules.places).map(|place| Maze::new(rules, place)) {
            let Some(entry) = table.probe(position.key()) else { continue };
            let truth = truths[usize::from(position.place())];
            assert!(entry.tainted || is_true(&entry, truth), "{entry:?} of {position:?}, which is {truth:?}");
            let counter = if entry.tainted { &mut tainted } else { &mut clean };
            *counter += u32::from(!entry.window.is_unknown());
        }
    }
    (clean, tainted)
}

#[test]
fn untainted_windows_are_true_of_their_positions() {
    let (clean, tainted) = judge_tables::<Wide>(4000, 3, 1);
    assert!(clean > 20_000 && tainted > 5_000, "{clean} clean, {tainted} tainted");
}

#[test]
fn untainted_windows_of_two_threads_are_true_too() {
    let (clean, tainted) = judge_tables::<Wide>(300, 4, 2);
    assert!(clean > 1000 && tainted > 100, "{clean} clean, {tainted} tainted");
}

#[test]
fn a_layout_without_taint_marks_holds_no_tainted_windows() {
    let (clean, tainted) = judge_tables::<Compact<40, 5, 5, 4>>(1000, 5, 1);
    assert!(clean > 1000 && tainted == 0, "{clean} clean, {tainted} tainted");
}
