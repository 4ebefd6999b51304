//! Each learning policy has, in the engine, the effect that its author described.
//!
//! The positions are traps: a shallow search takes the bait, and only a search from behind it sees the loss.

mod analyst;

use std::sync::Arc;

use analyst::{Analyst, Thought};
use mnemon_chess::Position;
use mnemon_memory::RamStore;
use mnemon_memory::policy::{Policy, Resume, Rote};
use mnemon_search::WINS;

/// A position with a bait, the answer to it, and the depths at which the bait is taken and the loss is seen.
struct Trap {
    fen: &'static str,
    bait: &'static str,
    answer: &'static str,
    careless: u8,
    careful: u8,
}

impl Trap {
    /// The game up to the position behind the answer.
    fn behind(&self) -> String {
        format!("{} {}", self.bait, self.answer)
    }

    /// Plays the game: the first move, and what comes of it.
    fn play(&self, store: &Arc<RamStore>, policy: Policy) -> (Thought, Option<Thought>) {
        let mut player = Analyst::new(store, policy);
        let first = player.think(self.fen, "", self.careless);
        let second = (first.best == self.bait).then(|| player.think(self.fen, &self.behind(), self.careful));
        (first, second)
    }
}

/// The queen takes a rook, and is too far away when Black's goes to h3: mate on g2.
const MATE: Trap = Trap {
    fen: "5rk1/3q1ppp/8/r7/8/5pP1/5P1P/Q3R1K1 w - - 0 1",
    bait: "a1a5",
    answer: "d7h3",
    careless: 2,
    careful: 2,
};

/// The bishop takes a pawn, and is shut in by another.
const BISHOP: Trap = Trap {
    fen: "2k5/ppp2ppp/5n2/8/8/4B3/1PP2PPP/6K1 w - - 0 1",
    bait: "e3a7",
    answer: "b7b6",
    careless: 3,
    careful: 8,
};

fn named(policy: &str) -> Policy {
    Policy::named(policy).expect("a policy")
}

/// A lost game is not lost the same way again.
fn assert_learns_from_its_loss(trap: &Trap, policy: &str) {
    let store = Arc::new(RamStore::new());
    let (first, second) = trap.play(&store, named(policy));
    let second = second.unwrap_or_else(|| panic!("{policy}: {} is not taken but {}", trap.bait, first.best));
    assert!(second.score() < first.score() - 100, "{policy}: {} after {}", second.score(), first.score());
    let (again, nothing) = trap.play(&store, named(policy));
    assert!(again.recalled > 0, "{policy}");
    assert!(nothing.is_none(), "{policy}: {} again", trap.bait);
    assert_eq!(
        Analyst::without_memory().think(trap.fen, "", trap.careless).best,
        trap.bait,
        "memory made the difference"
    );
}

#[test]
fn slate_a_lost_game_is_not_lost_the_same_way_again() {
    assert_learns_from_its_loss(&BISHOP, "slate");
}

#[test]
fn slate_keeps_only_what_looked_better_at_first() {
    let store = Arc::new(RamStore::new());
    MATE.play(&store, named("slate"));
    let mut player = Analyst::new(&store, named("slate"));
    assert_eq!(player.think(MATE.fen, "", MATE.careless).recalled, 0, "the mate was seen by the first iteration");
}

#[test]
fn crafty_a_lost_game_is_not_lost_the_same_way_again() {
    assert_learns_from_its_loss(&MATE, "crafty");
    assert_learns_from_its_loss(&BISHOP, "crafty");
}

#[test]
fn bebe_a_lost_game_is_not_lost_the_same_way_again() {
    assert_learns_from_its_loss(&MATE, "bebe");
    assert_learns_from_its_loss(&BISHOP, "bebe");
}

/// As Scherzer, Scherzer and Tjaden describe it, every root of a game is there when it is met again.
#[test]
fn bebe_the_second_game_knows_the_first() {
    let store = Arc::new(RamStore::new());
    let start = "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6";
    let mut player = Analyst::new(&store, named("bebe"));
    let (mut moves, mut first_game) = (String::new(), Vec::new());
    for _ in 0..6 {
        let thought = player.think(start, &moves, 5);
        let next = format!("{moves} {}", thought.best);
        first_game.push((std::mem::replace(&mut moves, next), thought));
    }
    let mut second_player = Analyst::new(&store, named("bebe"));
    for (moves, before) in first_game {
        let again = second_player.think(start, &moves, 1);
        let known = again.known.unwrap_or_else(|| panic!("nothing is known after {moves}"));
        let score = if before.score() == 0 { -10 } else { before.score() };
        assert_eq!((known.score, known.depth, known.pv[0]), (score, 5, before.last().pv[0]), "after {moves}");
    }
}

/// Samuel's effect: where a search ends at a remembered position, it is deeper than it looks, and what it finds is
/// remembered in turn.
#[test]
fn rote_a_remembered_score_deepens_the_search() {
    let store = Arc::new(RamStore::new());
    let rote = Policy::Rote(Rote::default());
    let behind = Analyst::new(&store, rote).think(BISHOP.fen, &BISHOP.behind(), BISHOP.careful);
    let baited = |thought: &Thought| thought.best == BISHOP.bait;
    // The remembered position stands two plies from the root, where a search to depth 2 ends.
    assert!(baited(&Analyst::without_memory().think(BISHOP.fen, "", 2)));
    let deepened = Analyst::new(&store, rote).think(BISHOP.fen, "", 2);
    assert!(!baited(&deepened), "{deepened:?}");
    // Behind the bait there is only one good answer: its score is the remembered one, nearer to zero by one.
    let answered = Analyst::new(&store, rote).think(BISHOP.fen, BISHOP.bait, 1);
    assert_eq!((answered.best.as_str(), answered.score()), (BISHOP.answer, -(behind.score() + 1)));
    // And from one ply before, that new root is enough.
    let chained = Analyst::new(&store, rote).think(BISHOP.fen, "", 1);
    assert!(!baited(&chained) && baited(&Analyst::without_memory().think(BISHOP.fen, "", 1)));
}

#[test]
fn resume_a_restarted_analysis_goes_on() {
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
        let cold = Analyst::new(&store, resume).think(fen, "", 11);
        let warm = Analyst::new(&store, resume).think(fen, "", 12);
        let known = warm.known.as_ref().expect("a known position");
        let clean = cold.lines.iter().rev().find(|line| !line.tainted).expect("a score of its own");
        assert_eq!((known.depth, known.score), (clean.depth, clean.score));
        assert_eq!(warm.lines[0].depth, known.depth + 1, "the first iteration is the next one");
        again += warm.last().nodes;
        anew += Analyst::without_memory().think(fen, "", 12).last().nodes;
    }
    assert!(again * 2 < anew, "{again} nodes to go on, {anew} to begin again");
}

/// Forward into a variation, a deeper look, and back: the root's value has changed before anything is searched.
#[test]
fn tree_going_forward_and_back_changes_the_value_at_once() {
    let store = Arc::new(RamStore::new());
    let mut analyst = Analyst::new(&store, named("tree"));
    let after_bait = |analyst: &mut Analyst| analyst.think(MATE.fen, MATE.bait, 1);
    let shallow = after_bait(&mut analyst);
    assert!(!WINS.is_mate(shallow.score()), "{shallow:?}");
    let found = analyst.think(MATE.fen, &MATE.behind(), 4);
    assert_eq!(WINS.plies(found.score()), Some(-2), "White is mated by Black's next move");
    let known = after_bait(&mut analyst).known.expect("a known position");
    assert_eq!(WINS.plies(known.score), Some(3), "Black mates in two: {known:?}");
    let position: Position = MATE.fen.parse().expect("a position");
    let position = position.play_uci(MATE.bait).expect("legal");
    assert_eq!(position.uci(known.pv[0]), MATE.answer);
}

/// A line that turns out worse takes the value down with it, and the next search begins with another move.
#[test]
fn tree_a_refuted_line_is_left_at_once() {
    let store = Arc::new(RamStore::new());
    let mut analyst = Analyst::new(&store, named("tree"));
    let before = analyst.think(BISHOP.fen, "", BISHOP.careless);
    assert_eq!(before.best, BISHOP.bait);
    let behind = analyst.think(BISHOP.fen, &BISHOP.behind(), BISHOP.careful);
    let after = analyst.think(BISHOP.fen, "", BISHOP.careless);
    let known = after.known.as_ref().expect("a known position");
    assert!(known.score <= behind.score().max(before.score() - 50), "{known:?} after {}", before.score());
    assert_ne!(after.best, BISHOP.bait);
}
