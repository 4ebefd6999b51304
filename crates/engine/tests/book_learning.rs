//! Book learning over games: a line that lost is not repeated, one that won is, and the book's file stays as it is.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, Mutex};

use mnemon_chess::polyglot::{Book, BookWriter};
use mnemon_chess::{Color, Position};
use mnemon_engine::book::OpeningBook;
use mnemon_engine::{Engine, Event, GameHistory, GoParams};
use mnemon_memory::policy::Policy;
use mnemon_memory::{RamStore, Source, Store};
use mnemon_search::random::Random;

/// The first moves of the book; behind each stands one more move after one reply.
const LINES: [(&str, u16, &str, &str); 3] =
    [("e2e4", 50, "e7e5", "g1f3"), ("d2d4", 30, "d7d5", "c2c4"), ("c2c4", 20, "e7e5", "b1c3")];

/// What the engine said of a move.
#[derive(Clone, Debug, Default, PartialEq)]
struct Said {
    best: Vec<String>,
    /// The chosen move's share in percent, and its learned score.
    book: Option<(u32, Option<i16>)>,
    is_refuted: bool,
    has_searched: bool,
}

struct Player {
    engine: Engine,
    said: Arc<Mutex<Said>>,
}

impl Player {
    fn new(book: &Path, store: Option<&Arc<RamStore>>, policy: &str, seed: u64) -> Self {
        let said = Arc::new(Mutex::new(Said::default()));
        let log = Arc::clone(&said);
        let listener = move |event: Event<'_>| {
            let mut said = log.lock().expect("no panic");
            match event {
                Event::BookMove(_, choice) => {
                    let percent = (choice.share * 100.0).round() as u32;
                    said.book = Some((percent, choice.learned.map(|learned| learned.score)));
                }
                Event::BookRefuted(..) => said.is_refuted = true,
                Event::Line(..) => said.has_searched = true,
                Event::Best { position, best: Some(best), .. } => said.best.push(position.uci(best)),
                _ => {}
            }
        };
        let mut engine = Engine::new(1 << 20, Arc::new(listener)).expect("a small table");
        if let Some(store) = store {
            let policy = Policy::named(policy).expect("a policy");
            engine.set_memory(Some((Arc::clone(store) as Arc<dyn Store>, policy)));
        }
        let book = Book::open(book).expect("a book");
        engine.set_book(Some(OpeningBook::with_seed(Arc::new(book), seed)));
        Player { engine, said }
    }

    fn go(&mut self, moves: &str, params: GoParams) -> Said {
        let game = GameHistory::new(Position::start(), moves.split_whitespace()).expect("legal moves");
        self.engine.set_game(game);
        self.engine.go(params);
        self.engine.wait();
        std::mem::take(&mut *self.said.lock().expect("no panic"))
    }

    /// A game against an opponent who knows the replies of the book, and then plays at random; returns the first two moves
    /// of the engine. The winner is decided by them.
    fn play(&mut self, winner: impl Fn(&str) -> Option<Color>) -> [String; 2] {
        let mut random = Random::new(9);
        let (mut position, mut moves) = (Position::start(), Vec::new());
        while position.has_moves() && moves.len() < 40 {
            moves.push(self.go(&moves.join(" "), to_depth(1)).best.remove(0));
            position = position.play_uci(&moves[moves.len() - 1]).expect("legal");
            let mut replies = Vec::new();
            position.legal_moves(&mut replies);
            let known = LINES.iter().find(|line| moves == [line.0]).map(|line| line.2.to_owned());
            let any = || replies.get(random.below(replies.len().max(1))).map(|&reply| position.uci(reply));
            let Some(reply) = known.or_else(any) else { break };
            position = position.play_uci(&reply).expect("legal");
            moves.push(reply);
        }
        self.engine.game_over(winner(&moves[0]));
        assert!(self.engine.settle());
        [moves[0].clone(), moves[2].clone()]
    }
}

fn to_depth(depth: u8) -> GoParams {
    GoParams { depth: Some(depth), ..GoParams::default() }
}

fn after(moves: &[&str]) -> Position {
    moves.iter().fold(Position::start(), |position, mv| position.play_uci(mv).expect("legal"))
}

/// A book in a file of its own folder.
fn book_file() -> (tempfile::TempDir, std::path::PathBuf) {
    let start = Position::start();
    let mut writer = BookWriter::new();
    for (first, weight, reply, second) in LINES {
        let position = after(&[first, reply]);
        writer.add(&start, start.parse_uci(first).expect("legal"), weight);
        writer.add(&position, position.parse_uci(second).expect("legal"), 1);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("book.bin");
    std::fs::write(&file, writer.finish()).expect("writable");
    (folder, file)
}

/// Plays a game with this first move of the book and this winner.
fn play_line(file: &Path, store: &Arc<RamStore>, first: &str, winner: Option<Color>) {
    let (book, start) = (file.with_file_name("line.bin"), Position::start());
    let bytes = BookWriter::new().add(&start, start.parse_uci(first).expect("legal"), 1).finish();
    std::fs::write(&book, bytes).expect("writable");
    let [played, _] = Player::new(&book, Some(store), "resume", 1).play(|_| winner);
    assert_eq!(played, first);
}

#[test]
fn without_a_memory_the_frequencies_follow_the_weights() {
    let (_folder, file) = book_file();
    for (store, policy) in [(None, "off"), (Some(Arc::new(RamStore::new())), "resume")] {
        let mut player = Player::new(&file, store.as_ref(), policy, 3);
        let firsts: Vec<String> = (0..500).map(|_| player.go("", to_depth(1)).best.remove(0)).collect();
        for (first, weight, ..) in LINES {
            let percent = firsts.iter().filter(|mv| *mv == first).count() / 5;
            assert!(percent.abs_diff(usize::from(weight)) <= 6, "{first}: {percent} % instead of {weight} %");
        }
    }
}

#[test]
fn over_ten_games_what_lost_is_not_repeated_and_what_won_is() {
    let (_folder, file) = book_file();
    let bytes = std::fs::read(&file).expect("a file");
    for (seed, policy) in (0..6).zip(["resume", "result", "rote"].into_iter().cycle()) {
        let store = Arc::new(RamStore::new());
        let winner = |first: &str| Some(if first == "c2c4" { Color::White } else { Color::Black });
        // A new process for each game: only the memory remains.
        let play = |_| Player::new(&file, Some(&store), policy, seed).play(winner);
        let games: Vec<[String; 2]> = (0..10).map(play).collect();
        let firsts: Vec<&str> = games.iter().map(|[first, _]| first.as_str()).collect();
        for [first, second] in &games {
            assert!(LINES.iter().any(|line| line.0 == first && line.3 == second), "{policy}: {first} {second}");
        }
        let won = firsts.iter().position(|&first| first == "c2c4").expect("the line that wins");
        assert!(won <= 2, "{policy}: {firsts:?}: each of the others loses once");
        assert!(firsts[won..].iter().all(|&first| first == "c2c4"), "{policy}: {firsts:?}: what won is repeated");
        let lost: HashSet<&str> = firsts[..won].iter().copied().collect();
        assert_eq!(lost.len(), won, "{policy}: {firsts:?}: what lost is not repeated");
    }
    assert_eq!(std::fs::read(&file).expect("a file"), bytes);
}

#[test]
fn what_won_and_lost_is_one_move_among_others() {
    let (_folder, file) = book_file();
    let store = Arc::new(RamStore::new());
    let first = |seed| Player::new(&file, Some(&store), "resume", seed).go("", to_depth(1)).best.remove(0);
    play_line(&file, &store, "c2c4", Some(Color::White));
    assert!((0..10).all(|seed| first(seed) == "c2c4"));
    play_line(&file, &store, "c2c4", Some(Color::Black));
    assert!((0..20).any(|seed| first(seed) == "e2e4"), "the other moves have their chance again");
}

#[test]
fn where_all_lines_have_lost_the_engine_searches() {
    let (_folder, file) = book_file();
    let store = Arc::new(RamStore::new());
    LINES.iter().for_each(|line| play_line(&file, &store, line.0, Some(Color::Black)));
    let said = Player::new(&file, Some(&store), "read-only", 1).go("", to_depth(2));
    assert!(said.is_refuted && said.has_searched && said.book.is_none(), "{said:?}");
    assert_eq!(said.best.len(), 1);
    // The results count for nothing where the policy is off.
    let said = Player::new(&file, Some(&store), "off", 1).go("", to_depth(2));
    assert!(!said.is_refuted && said.book.is_some() && !said.has_searched, "{said:?}");
}

#[test]
fn the_choice_is_said_with_its_share_and_what_was_learned() {
    let (_folder, file) = book_file();
    let store = Arc::new(RamStore::new());
    let said = |seed| Player::new(&file, Some(&store), "resume", seed).go("", to_depth(1));
    let shares: Vec<_> = (0..20).filter_map(|seed| said(seed).book).collect();
    assert!(shares.iter().all(|share| [(50, None), (30, None), (20, None)].contains(share)), "{shares:?}");
    play_line(&file, &store, "d2d4", Some(Color::White));
    for (share, score) in (0..5).filter_map(|seed| said(seed).book) {
        assert!(share == 100 && score.is_some_and(|score| score >= 50), "{share} {score:?}");
    }
}

#[test]
fn results_are_kept_for_the_book_only_where_the_memory_is_written() {
    let (_folder, file) = book_file();
    for (policy, is_kept) in [("off", false), ("read-only", false), ("crafty", true)] {
        let store = Arc::new(RamStore::new());
        Player::new(&file, Some(&store), policy, 1).play(|_| Some(Color::White));
        let counts = store.statistics().expect("statistics").counts;
        let kept = counts.iter().any(|count| count.source == Source::player("mnemon"));
        assert_eq!(kept, is_kept, "{policy}: {counts:?}");
    }
    let store = Arc::new(RamStore::new());
    let mut player = Player::new(&file, Some(&store), "crafty", 1);
    player.engine.set_book(None);
    player.go("", to_depth(1));
    player.engine.game_over(Some(Color::White));
    assert!(player.engine.settle());
    let counts = store.statistics().expect("statistics").counts;
    assert!(counts.iter().all(|count| !count.source.is_player()), "there is no book to correct");
}

#[test]
fn an_analysis_is_not_answered_from_the_book() {
    let (_folder, file) = book_file();
    let mut player = Player::new(&file, None, "off", 1);
    let start = Position::start();
    let some_moves = GoParams { moves: vec![start.parse_uci("a2a3").expect("legal")], ..to_depth(2) };
    for params in [some_moves, GoParams { mate: Some(1), ..to_depth(2) }] {
        let said = player.go("", params);
        assert!(said.has_searched && said.book.is_none() && said.best.len() == 1, "{said:?}");
    }
    player.engine.settings.lines = 2;
    assert!(player.go("", to_depth(2)).book.is_none());
    player.engine.settings.lines = 1;
    assert!(player.go("", to_depth(2)).book.is_some());
    assert!(player.go("a2a3", to_depth(2)).book.is_none(), "the book does not know it");
    player.engine.set_book(None);
    assert!(player.go("", to_depth(2)).book.is_none());
}
