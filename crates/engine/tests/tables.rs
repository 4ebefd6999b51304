//! Endgame tables against retrograde analysis. The tables are no part of the project: `SYZYGY_PATH` names their folder.
//! Those of three and four men come with the source of python-chess on PyPI, in `data/syzygy/regular`.

mod endings;

use std::sync::{Arc, Mutex};

use endings::{Ending, Outcome};
use mnemon_chess::{ChessError, Piece, Position};
use mnemon_engine::tablebase::{Tablebase, Verdict};
use mnemon_engine::{Engine, Event, GameHistory, GoParams};
use mnemon_search::WINS;

/// The tables, where there are any; says so if there are none.
fn tables() -> Option<Arc<Tablebase>> {
    let Ok(path) = std::env::var("SYZYGY_PATH") else {
        eprintln!("skipped: SYZYGY_PATH names no folder");
        return None;
    };
    Some(Tablebase::open(&path).expect("tables"))
}

fn position(fen: &str) -> Position {
    fen.parse().expect("a position")
}

#[test]
fn what_is_no_folder_of_tables_is_refused_with_its_reason() {
    for (path, said) in [("", "the path is empty"), (" ", "empty"), ("/not/there", "/not/there"), ("src", "no table")] {
        let Err(ChessError::Tables { reason, .. }) = Tablebase::open(path) else { panic!("'{path}' has tables") };
        assert!(reason.contains(said), "{path}: {reason}");
    }
}

/// Every position with a queen or a rook against a bare king: who wins; and of some, how far it is, and that the moves
/// advised are the nearest to the mate, or the farthest from it. `MNEMON_TABLES=all` asks that of every one, too, which
/// takes minutes.
#[test]
fn three_men_are_judged_as_retrograde_analysis_judges_them() {
    let Some(tables) = tables() else { return };
    for piece in [Piece::Queen, Piece::Rook] {
        let ending = Ending::solved(piece);
        let step = if std::env::var_os("MNEMON_TABLES").is_some() { 1 } else { 61 };
        let mut judged = 0;
        for (position, outcome) in ending.positions() {
            judged += 1;
            let (verdict, plies) = match outcome {
                Outcome::Drawn => (Verdict::Draw, 0),
                Outcome::Won(plies) => (Verdict::Win, plies),
                Outcome::Lost(plies) => (Verdict::Loss, plies),
            };
            assert_eq!(tables.probe(&position), Some(verdict), "{position}");
            if judged % step != 0 {
                continue;
            }
            let Some(advice) = tables.advise(&position) else {
                assert!(!position.has_moves(), "{position} is not advised on");
                continue;
            };
            assert_eq!((advice.verdict, advice.distance), (verdict, Some(plies)), "{position}");
            for mv in advice.moves {
                let after = ending.outcome(&position.after(mv)).unwrap_or(Outcome::Drawn);
                let expected = match outcome {
                    Outcome::Drawn => Outcome::Drawn,
                    Outcome::Won(plies) => Outcome::Lost(plies - 1),
                    Outcome::Lost(plies) => Outcome::Won(plies - 1),
                };
                assert_eq!(after, expected, "{position} {mv}");
            }
        }
        assert!(judged > 300_000, "{piece:?}: {judged}");
    }
}

/// A pawn's double step that is answered en passant is no win: the prober itself takes it for one.
#[test]
fn a_double_step_is_advised_only_if_no_capture_in_passing_answers_it() {
    let Some(tables) = tables().filter(|tables| tables.max_pieces() >= 4) else { return };
    for (fen, verdict, mistake) in [
        ("3k4/6p1/K7/5P2/8/8/8/8 b - - 20 1", Verdict::Win, "g7g5"),
        ("8/8/4k3/8/3p4/6K1/2P5/8 w - - 60 1", Verdict::Draw, "c2c4"),
    ] {
        let position = position(fen);
        let advice = tables.advise(&position).expect("four men");
        assert_eq!((tables.probe(&position), advice.verdict), (Some(verdict), verdict), "{fen}");
        let moves: Vec<String> = advice.moves.iter().map(|&mv| position.uci(mv)).collect();
        assert!(!moves.is_empty() && !moves.iter().any(|mv| mv == mistake), "{fen}: {moves:?}");
    }
}

#[test]
fn positions_outside_of_the_tables_are_not_judged() {
    let Some(tables) = tables() else { return };
    assert_eq!(tables.probe(&Position::start()), None);
    let castles = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    assert_eq!((tables.probe(&position(castles)), tables.advise(&position(castles))), (None, None));
}

/// The engine wins what is won in time, and says how often the tables helped.
#[test]
fn the_engine_makes_progress_and_counts_what_the_tables_gave() {
    let Some(tables) = tables().filter(|tables| tables.max_pieces() >= 4) else { return };
    let told = Arc::new(Mutex::new((String::new(), 0, 0)));
    let log = Arc::clone(&told);
    let listener = move |event: Event<'_>| {
        let mut log = log.lock().expect("no panic");
        match event {
            Event::Line(_, info) => (log.1, log.2) = (info.score, info.tbhits),
            Event::Best { position, best: Some(best), .. } => log.0 = position.uci(best),
            _ => {}
        }
    };
    let mut engine = Engine::new(1 << 20, Arc::new(listener)).expect("a small table");
    engine.set_tablebase(Some(tables));
    // Bishop and knight: a mate that no search to depth 2 finds.
    let start = position("8/8/8/8/3k4/8/8/KBN5 w - - 0 1");
    let (mut moves, mut now) = (Vec::<String>::new(), start.clone());
    while now.has_moves() {
        assert!(moves.len() < 100, "{moves:?}");
        engine.set_game(GameHistory::new(start.clone(), moves.iter().map(String::as_str)).expect("legal moves"));
        engine.go(GoParams { depth: Some(2), ..GoParams::default() });
        engine.wait();
        moves.push(told.lock().expect("no panic").0.clone());
        now = now.play_uci(moves.last().expect("a move")).expect("a legal move");
    }
    assert!(now.is_check(), "mated: {moves:?}");
    // A capture into the tables decides, and is no mate yet.
    let capture = position("8/8/3k4/8/8/1n6/1R6/KB6 w - - 0 1");
    engine.set_game(GameHistory::new(capture, []).expect("no moves"));
    engine.go(GoParams { depth: Some(3), ..GoParams::default() });
    engine.wait();
    let (_, score, hits) = told.lock().expect("no panic").clone();
    assert!(hits > 0 && score == 14_500 && !WINS.is_mate(score), "{score} after {hits} hits");
}
