//! The chess search: mates, draws, lines, limits, and the same outcome each time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use mnemon_chess::Position;
use mnemon_engine::Table;
use mnemon_engine::eval::Evaluation;
use mnemon_engine::search::{Info, Limits, OpenWindow, SearchOutcome, SearchRequest, Searcher, Silent};
use mnemon_search::{Game, WINS};
use mnemon_table::{Bound, Entry, Origin, Window};

static NEVER: AtomicBool = AtomicBool::new(false);

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn table() -> Table {
    Table::new(4 << 20).expect("four megabytes")
}

fn search(position: &Position, limits: Limits) -> SearchOutcome {
    Searcher::new(1).search(&SearchRequest::new(position, limits), &table(), &NEVER, &NEVER, &mut Silent)
}

/// Every capture of a queen opens a dozen others: without a bound the captures alone pass hundreds of millions of nodes.
#[test]
fn a_board_full_of_queens_is_searched_in_a_moment() {
    let queens = position("qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1");
    let limits = Limits { hard: Some(Duration::from_secs(60)), ..Limits::depth(1) };
    let outcome = search(&queens, limits);
    assert!(outcome.depth == 1 && outcome.nodes < 2_000_000, "{outcome:?}");
}

#[test]
fn mates_are_found_and_counted() {
    for (fen, best, moves) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8", 1),
        ("7k/8/8/8/8/8/R7/1R5K w - - 0 1", "", 2),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6", 2),
        ("1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1", "d6d1", 3),
    ] {
        let position = position(fen);
        let outcome = search(&position, Limits::depth(12));
        assert_eq!(WINS.plies(outcome.score), Some(2 * moves - 1), "{fen}: {outcome:?}");
        let found = position.uci(outcome.best.expect("a move"));
        assert!(best.is_empty() || found == best, "{fen}: {found}");
    }
}

#[test]
fn a_recalled_window_inside_alpha_and_beta_is_searched_narrows_or_is_believed() {
    let start = Position::start();
    let after = start.after(start.parse_uci("a2a3").expect("legal"));
    let recalled = Window { lower: -320, upper: -280 };
    let found = |open_window: OpenWindow, depth: u8| {
        let table = table();
        let entry = Entry { window: recalled, depth: 20, origin: Origin::Recalled, ..Entry::default() };
        table.store(after.hash_key(), entry);
        let request = SearchRequest { recalled: true, open_window, ..SearchRequest::new(&start, Limits::depth(depth)) };
        let outcome = Searcher::new(1).search(&request, &table, &NEVER, &NEVER, &mut Silent);
        (start.uci(outcome.best.expect("a move")), outcome.score)
    };
    for depth in [3, 7] {
        let (best, score) = found(OpenWindow::Searched, depth);
        assert!(score < 100, "it is worth what the search finds: {best} {score}");
        let (best, score) = found(OpenWindow::Narrows, depth);
        assert!(best == "a2a3" && (280..=320).contains(&score), "{best} {score}");
        assert_eq!(found(OpenWindow::Believed, depth), ("a2a3".to_owned(), 300));
    }
}

#[test]
fn the_losing_side_counts_the_moves_to_mate_too() {
    let lost = position("7k/1R6/8/8/8/8/R7/7K b - - 0 1");
    assert_eq!(WINS.plies(search(&lost, Limits::depth(8)).score), Some(-2));
}

#[test]
fn mate_and_stalemate_give_no_move() {
    let mated = position("R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1");
    let outcome = search(&mated, Limits::depth(5));
    assert_eq!((outcome.best, outcome.score), (None, WINS.lost_at(0)));
    let stalemate = position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!((search(&stalemate, Limits::depth(5)).best, search(&stalemate, Limits::depth(5)).score), (None, 0));
}

#[test]
fn perpetual_check_saves_a_lost_game() {
    // White is about to be mated, and has perpetual check on e8 and h5.
    let saved = position("6k1/6p1/8/7Q/8/8/rrq3PP/7K w - - 0 1");
    let outcome = search(&saved, Limits::depth(10));
    assert_eq!((saved.uci(outcome.best.expect("a move")), outcome.score), ("h5e8".to_owned(), 0), "{outcome:?}");
}

#[test]
fn the_game_before_the_root_counts() {
    // Every move leads to a position that the game has already had twice, so it is a threefold repetition.
    let lost = position("7k/8/8/8/8/8/qr6/6K1 w - - 40 60");
    let mut moves = Vec::new();
    lost.legal_moves(&mut moves);
    let game_keys: Vec<u64> = moves.iter().map(|&mv| lost.after(mv).key()).flat_map(|key| [0, key, 0, key]).collect();
    let request = SearchRequest { game_keys: &game_keys, ..SearchRequest::new(&lost, Limits::depth(6)) };
    let outcome = Searcher::new(1).search(&request, &table(), &NEVER, &NEVER, &mut Silent);
    assert_eq!((outcome.score, outcome.tainted), (0, true), "{outcome:?}");
    assert!(WINS.is_mate(search(&lost, Limits::depth(6)).score), "without the game before it is lost");
}

#[test]
fn fifty_moves_without_progress_are_a_draw() {
    let won = "8/8/8/8/8/2k5/2q5/K7 b - -";
    let fresh = search(&position(&format!("{won} 0 1")), Limits::depth(6));
    assert!(WINS.is_mate(fresh.score) && !fresh.tainted);
    // At 99 plies only a mate in one comes before the fifty-move rule.
    let late = position("8/8/8/3k4/8/8/1R6/K7 w - - 99 90");
    let outcome = search(&late, Limits::depth(8));
    assert_eq!(outcome.score, 0, "every move draws: {outcome:?}");
    assert!(outcome.tainted, "by the halfmove clock");
}

#[test]
fn one_thread_gives_the_same_nodes_each_time() {
    let position = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let nodes = [(); 2].map(|()| search(&position, Limits::depth(9)).nodes);
    assert_eq!(nodes[0], nodes[1]);
    assert_eq!(search(&position, Limits::nodes(20_000)).nodes, 20_000);
}

#[test]
fn two_threads_find_the_mate_too() {
    let position = position("1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1");
    // The depth at which it is found depends on how the threads meet in the table.
    let limits = Limits { mate: Some(3), ..Limits::depth(30) };
    let request = SearchRequest::new(&position, limits);
    let outcome = Searcher::new(2).search(&request, &table(), &NEVER, &NEVER, &mut Silent);
    assert_eq!(WINS.plies(outcome.score), Some(5), "{outcome:?}");
}

/// Every line that is reported can be played, and the last report of a search is exact and is its outcome.
#[test]
fn lines_are_legal_and_the_last_one_is_the_outcome() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "nqbnrkrb/pppppppp/8/8/8/8/PPPPPPPP/NQBNRKRB w KQkq - 0 1",
    ] {
        let position = position(fen);
        let mut last: Option<Info> = None;
        let mut listen = |info: &Info| {
            info.pv.iter().fold(position.clone(), |position, &mv| {
                assert!(position.is_legal(mv), "{fen}: {mv} in {:?}", info.pv);
                position.after(mv)
            });
            last = Some(info.clone());
        };
        let request = SearchRequest::new(&position, Limits::depth(10));
        let outcome = Searcher::new(1).search(&request, &table(), &NEVER, &NEVER, &mut listen);
        let last = last.expect("reports");
        assert_eq!((last.bound, last.score, last.depth), (Bound::Exact, outcome.score, 10));
        assert_eq!(last.pv.first().copied(), outcome.best);
    }
}

#[test]
fn several_lines_are_different_moves_in_order() {
    let position = Position::start();
    let mut lines = Vec::new();
    let mut listen = |info: &Info| {
        if info.depth == 8 && info.bound == Bound::Exact {
            lines.push((info.line, info.score, info.pv[0]));
        }
    };
    let request = SearchRequest { lines: 4, ..SearchRequest::new(&position, Limits::depth(8)) };
    Searcher::new(1).search(&request, &table(), &NEVER, &NEVER, &mut listen);
    let lines = &lines[lines.len() - 4..];
    assert!(lines.iter().enumerate().all(|(number, line)| line.0 == number), "{lines:?}");
    assert!(lines.is_sorted_by(|a, b| a.1 >= b.1), "{lines:?}");
    let mut moves: Vec<_> = lines.iter().map(|line| Position::code(line.2)).collect();
    moves.sort_unstable();
    moves.dedup();
    assert_eq!(moves.len(), 4);
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let position = Position::start();
    let moves = ["a2a3", "h2h4"].map(|mv| position.parse_uci(mv).expect("legal"));
    let request = SearchRequest { moves: &moves, ..SearchRequest::new(&position, Limits::depth(6)) };
    let table = table();
    let outcome = Searcher::new(1).search(&request, &table, &NEVER, &NEVER, &mut Silent);
    assert!(moves.contains(&outcome.best.expect("a move")));
    assert_eq!(table.probe(position.key()), None, "the value of two moves is not the value of the position");
}

#[test]
fn a_search_can_be_stopped_from_outside() {
    let position = Position::start();
    let (stop, table) = (AtomicBool::new(false), table());
    std::thread::scope(|scope| {
        let search = scope.spawn(|| {
            Searcher::new(2).search(
                &SearchRequest::new(&position, Limits::default()),
                &table,
                &stop,
                &NEVER,
                &mut Silent,
            )
        });
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(30) {
            std::thread::yield_now();
        }
        stop.store(true, Ordering::Relaxed);
        assert!(search.join().expect("no panic").best.is_some());
    });
}

/// Follows the moves of a search with positions of its own, and panics where they do not fit what it is asked.
struct Follower {
    path: Vec<Position>,
    /// How many positions are on the path, and how many were evaluated: for the test to see.
    seen: Arc<(AtomicUsize, AtomicUsize)>,
}

impl Follower {
    fn current(&self) -> &Position {
        self.path.last().expect("the root was announced")
    }
}

impl Evaluation for Follower {
    fn set_root(&mut self, root: &Position) {
        self.path = vec![root.clone()];
    }

    fn make_move(&mut self, position: &Position, mv: Option<cozy_chess::Move>) {
        assert_eq!(self.current(), position, "a move of another position");
        let after = mv.map_or_else(|| position.after_null_move().expect("not in check"), |mv| position.after(mv));
        self.path.push(after);
        self.seen.0.store(self.path.len(), Ordering::Relaxed);
    }

    fn unmake_move(&mut self) {
        self.path.pop().expect("as many moves taken back as made");
        self.seen.0.store(self.path.len(), Ordering::Relaxed);
    }

    fn evaluate(&mut self, position: &Position) -> mnemon_table::Score {
        assert_eq!(self.current(), position, "a position that no move led to");
        assert!(!position.is_check());
        self.seen.1.fetch_add(1, Ordering::Relaxed);
        mnemon_engine::evaluate(position.board())
    }
}

#[test]
fn the_evaluation_sees_every_move_made_and_taken_back() {
    let position = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    for limits in [Limits::depth(10), Limits::nodes(5_000)] {
        let seen = Arc::default();
        let follower = Follower { path: Vec::new(), seen: Arc::clone(&seen) };
        let request = SearchRequest::new(&position, limits);
        let mut searcher = Searcher::with_evaluations([follower]);
        let outcome = searcher.search_with(&request, &table(), &NEVER, &NEVER, &mut Silent);
        assert_eq!(outcome.nodes, search(&position, limits).nodes, "as with the evaluation of the engine");
        assert_eq!(seen.0.load(Ordering::Relaxed), 1, "only the root is left, even after a stop");
        assert!(seen.1.load(Ordering::Relaxed) > 1_000);
    }
}
