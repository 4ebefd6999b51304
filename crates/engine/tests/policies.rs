//! Each learning policy has, in the engine, the effect that its author described.
//!
//! The positions are traps: a shallow search plays the losing move, and only a search of the position after the refutation
//! finds the loss.

mod analyst;

use std::sync::Arc;

use analyst::{Analyst, BISHOP, MATE, SearchLog, Trap};
use mnemon_chess::Position;
use mnemon_engine::GoParams;
use mnemon_memory::RamStore;
use mnemon_memory::policy::{Policy, Resume, Rote};
use mnemon_search::WINS;

/// Plays the game: a search of the position and, if it plays the mistake, one of the position after the refutation.
fn play(trap: &Trap, store: &Arc<RamStore>, policy: Policy) -> (SearchLog, Option<SearchLog>) {
    let mut player = Analyst::new(store, policy);
    let first = player.search(trap.fen, "", trap.shallow_depth);
    let second = (first.best == trap.mistake).then(|| player.search(trap.fen, &trap.line(), trap.deep_depth));
    (first, second)
}

fn named(policy: &str) -> Policy {
    Policy::named(policy).expect("a policy")
}

/// A lost game is not lost the same way again.
fn assert_learns_from_loss(trap: &Trap, policy: &str) {
    let store = Arc::new(RamStore::new());
    let (first, second) = play(trap, &store, named(policy));
    let second = second.unwrap_or_else(|| panic!("{policy}: {} is not played but {}", trap.mistake, first.best));
    assert!(second.score() < first.score() - 100, "{policy}: {} after {}", second.score(), first.score());
    let (again, nothing) = play(trap, &store, named(policy));
    assert!(again.recalled > 0, "{policy}");
    assert!(nothing.is_none(), "{policy}: {} again", trap.mistake);
    assert_eq!(
        Analyst::without_memory().search(trap.fen, "", trap.shallow_depth).best,
        trap.mistake,
        "memory made the difference"
    );
}

#[test]
fn slate_a_lost_game_is_not_lost_the_same_way_again() {
    assert_learns_from_loss(&BISHOP, "slate");
}

#[test]
fn slate_keeps_only_roots_whose_score_dropped() {
    let store = Arc::new(RamStore::new());
    play(&MATE, &store, named("slate"));
    let mut player = Analyst::new(&store, named("slate"));
    assert_eq!(player.search(MATE.fen, "", MATE.shallow_depth).recalled, 0, "the first iteration found the mate");
}

#[test]
fn crafty_a_lost_game_is_not_lost_the_same_way_again() {
    assert_learns_from_loss(&MATE, "crafty");
    assert_learns_from_loss(&BISHOP, "crafty");
}

#[test]
fn bebe_a_lost_game_is_not_lost_the_same_way_again() {
    assert_learns_from_loss(&MATE, "bebe");
    assert_learns_from_loss(&BISHOP, "bebe");
}

/// As Scherzer, Scherzer and Tjaden describe it, every root of a game is known when it occurs again.
#[test]
fn bebe_every_root_of_the_first_game_is_known_in_the_second() {
    let store = Arc::new(RamStore::new());
    let start = "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6";
    let mut player = Analyst::new(&store, named("bebe"));
    let (mut moves, mut first_game) = (String::new(), Vec::new());
    for _ in 0..6 {
        let log = player.search(start, &moves, 5);
        let next = format!("{moves} {}", log.best);
        first_game.push((std::mem::replace(&mut moves, next), log));
    }
    let mut second_player = Analyst::new(&store, named("bebe"));
    for (moves, before) in first_game {
        let again = second_player.search(start, &moves, 1);
        let known = again.known.unwrap_or_else(|| panic!("nothing is known after {moves}"));
        let score = if before.score() == 0 { -10 } else { before.score() };
        assert_eq!((known.score, known.depth, known.pv[0]), (score, 5, before.last().pv[0]), "after {moves}");
    }
}

/// Samuel's effect: a search with a known position at a leaf is effectively deeper, and its root becomes known in turn.
#[test]
fn rote_a_recalled_score_deepens_the_search() {
    let store = Arc::new(RamStore::new());
    let rote = Policy::Rote(Rote::default());
    let refuted = Analyst::new(&store, rote).search(BISHOP.fen, &BISHOP.line(), BISHOP.deep_depth);
    let errs = |log: &SearchLog| log.best == BISHOP.mistake;
    // The known position is two plies from the root, a leaf of a search to depth 2.
    assert!(errs(&Analyst::without_memory().search(BISHOP.fen, "", 2)));
    let deepened = Analyst::new(&store, rote).search(BISHOP.fen, "", 2);
    assert!(!errs(&deepened), "{deepened:?}");
    // After the mistake there is only one good reply: the score is the recalled one, nearer to zero by one.
    let reply = Analyst::new(&store, rote).search(BISHOP.fen, BISHOP.mistake, 1);
    assert_eq!((reply.best.as_str(), reply.score()), (BISHOP.refutation, -(refuted.score() + 1)));
    // With that root known, a search to depth 1 avoids the mistake.
    let chained = Analyst::new(&store, rote).search(BISHOP.fen, "", 1);
    assert!(!errs(&chained) && errs(&Analyst::without_memory().search(BISHOP.fen, "", 1)));
}

#[test]
fn resume_a_restarted_analysis_continues() {
    let resume = Policy::Resume(Resume::default());
    let (mut again, mut anew) = (0, 0);
    for fen in [
        "r2q1rk1/1b2bppp/p2ppn2/1p6/3NPPP1/1BN1B3/PPPQ3P/2KR3R b - - 0 13",
        "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "2r2rk1/1bqnbppp/pp1ppn2/8/2PNPP2/1PN1B3/P3B1PP/2RQ1RK1 w - - 0 14",
        "8/5pk1/4q1p1/7p/7P/3Q2P1/5P1K/8 w - - 0 40",
    ] {
        let store = Arc::new(RamStore::new());
        let cold = Analyst::new(&store, resume).search(fen, "", 11);
        let warm = Analyst::new(&store, resume).search(fen, "", 12);
        let known = warm.known.as_ref().expect("a known position");
        let clean = cold.lines.iter().rev().find(|line| !line.tainted).expect("a score of its own");
        assert_eq!((known.depth, known.score), (clean.depth, clean.score));
        assert_eq!(warm.lines[0].depth, known.depth + 1, "the first iteration is the next one");
        again += warm.last().nodes;
        anew += Analyst::without_memory().search(fen, "", 12).last().nodes;
    }
    assert!(again * 2 < anew, "{again} nodes to continue, {anew} from depth 1");
}

/// After a deeper search of a variation, the root's value has changed before the root is searched again.
#[test]
fn tree_a_deeper_search_below_changes_the_value_at_once() {
    let store = Arc::new(RamStore::new());
    let mut analyst = Analyst::new(&store, named("tree"));
    let after_mistake = |analyst: &mut Analyst| analyst.search(MATE.fen, MATE.mistake, 1);
    let shallow = after_mistake(&mut analyst);
    assert!(!WINS.is_mate(shallow.score()), "{shallow:?}");
    let found = analyst.search(MATE.fen, &MATE.line(), 4);
    assert_eq!(WINS.plies(found.score()), Some(-2), "White is mated by Black's next move");
    let known = after_mistake(&mut analyst).known.expect("a known position");
    assert_eq!(WINS.plies(known.score), Some(3), "Black mates in two: {known:?}");
    let position: Position = MATE.fen.parse().expect("a position");
    let position = position.play_uci(MATE.mistake).expect("legal");
    assert_eq!(position.uci(known.pv[0]), MATE.refutation);
}

/// A refuted line lowers the root's value at once, and the next search plays another move.
#[test]
fn tree_a_refuted_line_is_avoided_at_once() {
    let store = Arc::new(RamStore::new());
    let mut analyst = Analyst::new(&store, named("tree"));
    let before = analyst.search(BISHOP.fen, "", BISHOP.shallow_depth);
    assert_eq!(before.best, BISHOP.mistake);
    let refuted = analyst.search(BISHOP.fen, &BISHOP.line(), BISHOP.deep_depth);
    let after = analyst.search(BISHOP.fen, "", BISHOP.shallow_depth);
    let known = after.known.as_ref().expect("a known position");
    assert!(known.score <= refuted.score().max(before.score() - 50), "{known:?} after {}", before.score());
    assert_ne!(after.best, BISHOP.mistake);
}

/// A refuted move is not repeated where the limits allow no iteration behind the known depth.
#[test]
fn resume_a_refuted_line_is_not_repeated_at_the_known_depth() {
    let store = Arc::new(RamStore::new());
    let mut analyst = Analyst::new(&store, Policy::Resume(Resume { least_depth: 1, ..Resume::default() }));
    let before = analyst.search(BISHOP.fen, "", BISHOP.shallow_depth);
    assert_eq!(before.best, BISHOP.mistake);
    analyst.search(BISHOP.fen, &BISHOP.line(), BISHOP.deep_depth);
    for params in [
        GoParams { depth: Some(BISHOP.shallow_depth), ..GoParams::default() },
        GoParams { nodes: Some(400), ..GoParams::default() },
    ] {
        let mut restarted = Analyst::new(&store, Policy::Resume(Resume::default()));
        let again = restarted.go(BISHOP.fen, "", params);
        assert!(again.last().depth > 0, "{again:?}");
        assert_ne!(again.best, BISHOP.mistake, "{again:?}");
    }
}

/// Where the first iteration behind the known depth is not finished, the answer is what was searched before.
#[test]
fn resume_an_iteration_that_is_not_finished_does_not_answer() {
    let store = Arc::new(RamStore::new());
    let fen = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10";
    let before = Analyst::new(&store, Policy::Resume(Resume::default())).search(fen, "", 10);
    let known = before.lines.iter().rev().find(|line| !line.tainted).expect("a score of its own");
    for nodes in [1, 400, before.last().nodes + 1] {
        let again = Analyst::new(&store, Policy::Resume(Resume::default())).go(
            fen,
            "",
            GoParams { nodes: Some(nodes), ..GoParams::default() },
        );
        assert!(again.last().depth > 0, "{nodes}: {again:?}");
        if again.last().depth == known.depth {
            assert_eq!((again.score(), again.last().pv[0]), (known.score, known.pv[0]), "{nodes}");
        }
    }
}

/// A later verdict on a root stands as a whole, also if the search was shallower.
#[test]
fn bebe_a_later_verdict_stands() {
    for policy in ["rote", "bebe"] {
        let store = Arc::new(RamStore::new());
        let deep = Analyst::new(&store, named(policy)).search(BISHOP.fen, &BISHOP.line(), 8);
        let later = Analyst::new(&store, named(policy)).search(BISHOP.fen, &BISHOP.line(), 5);
        let known = Analyst::new(&store, named(policy)).search(BISHOP.fen, &BISHOP.line(), 1).known.expect("known");
        assert_eq!(known.depth, 5, "{policy}: {deep:?} {later:?}");
    }
}
