//! Tablebases against retrograde analysis. The tables are no part of the project: `SYZYGY_PATH` names their folder. Those
//! of three and four pieces come with the source of python-chess on PyPI, in `data/syzygy/regular`.

mod endings;

use std::sync::{Arc, Mutex};

use endings::{Ending, Outcome};
use mnemon_chess::{Piece, Position};
use mnemon_engine::tablebase::{Tablebase, Wdl};
use mnemon_engine::{Engine, Event, GameHistory, GoParams};
use mnemon_search::WINS;

/// The tables, where they are installed; says so if they are not.
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
        let Err(error) = Tablebase::open(path) else { panic!("'{path}' has tables") };
        assert!(error.to_string().contains(said), "{path}: {error}");
    }
}

/// WDL of every position with a queen or a rook against a bare king; and of some, DTZ, and that the moves of the root probe
/// are the nearest to the mate, or the farthest from it. `MNEMON_TABLES=all` does that with every position, too, which
/// takes minutes.
#[test]
fn three_pieces_have_the_values_of_retrograde_analysis() {
    let Some(tables) = tables() else { return };
    for piece in [Piece::Queen, Piece::Rook] {
        let ending = Ending::solved(piece);
        let step = if std::env::var_os("MNEMON_TABLES").is_some() { 1 } else { 61 };
        let mut judged = 0;
        for (position, outcome) in ending.positions() {
            judged += 1;
            let (wdl, plies) = match outcome {
                Outcome::Drawn => (Wdl::Draw, 0),
                Outcome::Won(plies) => (Wdl::Win, plies),
                Outcome::Lost(plies) => (Wdl::Loss, plies),
            };
            assert_eq!(tables.probe_wdl(&position), Some(wdl), "{position}");
            if judged % step != 0 {
                continue;
            }
            let Some(root) = tables.probe_root(&position) else {
                assert!(!position.has_moves(), "{position} has no root probe");
                continue;
            };
            assert_eq!((root.wdl, root.dtz), (wdl, Some(plies)), "{position}");
            for mv in root.moves {
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

/// A double step that is answered en passant is no win, although the prober itself takes it for one.
#[test]
fn a_root_probe_gives_no_double_step_that_loses_to_a_capture_en_passant() {
    let Some(tables) = tables().filter(|tables| tables.max_pieces() >= 4) else { return };
    for (fen, wdl, mistake) in [
        ("3k4/6p1/K7/5P2/8/8/8/8 b - - 20 1", Wdl::Win, "g7g5"),
        ("8/8/4k3/8/3p4/6K1/2P5/8 w - - 60 1", Wdl::Draw, "c2c4"),
    ] {
        let position = position(fen);
        let root = tables.probe_root(&position).expect("four pieces");
        assert_eq!((tables.probe_wdl(&position), root.wdl), (Some(wdl), wdl), "{fen}");
        let moves: Vec<String> = root.moves.iter().map(|&mv| position.uci(mv)).collect();
        assert!(!moves.is_empty() && !moves.iter().any(|mv| mv == mistake), "{fen}: {moves:?}");
    }
}

#[test]
fn positions_outside_of_the_tables_have_no_value() {
    let Some(tables) = tables() else { return };
    assert_eq!(tables.probe_wdl(&Position::start()), None);
    let castles = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    assert_eq!((tables.probe_wdl(&position(castles)), tables.probe_root(&position(castles))), (None, None));
}

/// The engine converts a win within the fifty-move rule, and counts its tablebase hits.
#[test]
fn the_engine_makes_progress_and_counts_tablebase_hits() {
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
