//! Scores that depend on the moves before a position, by the fifty-move rule or a repetition, are not learned as the
//! position's own (the graph-history interaction problem).

mod analyst;
mod endings;

use std::ops::ControlFlow;
use std::sync::Arc;

use analyst::Analyst;
use endings::{Ending, Outcome};
use mnemon_chess::{Piece, Position};
use mnemon_engine::Engine;
use mnemon_memory::policy::{Policy, Resume, Tree};
use mnemon_memory::{Claim, Item, Key, PROVEN, RamStore, Range, Record, Store};
use mnemon_search::random::Random;
use mnemon_search::{Game, WINS};

/// Policies that keep every depth.
const ALL: [Policy; 2] = [
    Policy::Resume(Resume { least_depth: 1, most: 1_000_000, others_fuzz: 20 }),
    Policy::Tree(Tree { least_depth: 1, most: 1_000_000, others_fuzz: 20 }),
];

fn with_clock(fen: &str, clock: u8) -> String {
    format!("{fen} {clock} 80")
}

/// A rook ending that is won unless fifty moves have passed.
const ROOK: &str = "8/8/4k3/8/8/3RK3/8/8 w - -";

#[test]
fn a_draw_by_fifty_moves_is_not_learned() {
    for policy in ALL {
        let store = Arc::new(RamStore::new());
        let mut analyst = Analyst::new(&store, policy);
        let late = analyst.search(&with_clock(ROOK, 98), "", 6);
        assert_eq!(late.score(), 0, "no mate comes in time");
        // With the same table, and with an empty one.
        for analyst in [&mut analyst, &mut Analyst::new(&store, policy)] {
            let early = analyst.search(&with_clock(ROOK, 0), "", 6);
            assert!(early.score() > 300 && early.known.is_none_or(|known| known.score > 300), "{policy:?}");
        }
    }
}

#[test]
fn a_win_is_not_recalled_near_the_fifty_move_limit() {
    for policy in ALL {
        let store = Arc::new(RamStore::new());
        let mut analyst = Analyst::new(&store, policy);
        assert!(analyst.search(&with_clock(ROOK, 0), "", 8).score() > 300);
        for analyst in [&mut analyst, &mut Analyst::new(&store, policy)] {
            let late = analyst.search(&with_clock(ROOK, 98), "", 6);
            assert_eq!((late.score(), late.recalled), (0, 0), "{policy:?}");
            assert!(late.known.is_none(), "{policy:?}");
        }
    }
}

/// A known mate counts only if it comes before the fifty-move limit.
#[test]
fn a_recalled_mate_does_not_count_beyond_the_fifty_move_limit() {
    let score_with = |plies: u16, clock: u8| {
        let store = Arc::new(RamStore::new());
        let root: Position = with_clock(ROOK, 0).parse().expect("a position");
        let lost = Claim::new(WINS.lost_at(plies), PROVEN);
        let record = Record { lower: lost, upper: lost, ..Record::default() };
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        // A record says of every reply that Black is mated in this number of plies.
        let items: Vec<Item> = moves.iter().map(|&mv| Item { key: key(&root.after(mv)), record }).collect();
        store.merge_many(&items).expect("a memory in RAM");
        let log = Analyst::new(&store, ALL[0]).search(&with_clock(ROOK, clock), "", 2);
        assert!(log.recalled == items.len(), "{log:?}");
        log.score()
    };
    assert_eq!(WINS.plies(score_with(40, 0)), Some(41));
    assert_eq!(WINS.plies(score_with(40, 59)), Some(41), "in time: the last ply is the hundredth");
    assert_eq!(WINS.plies(score_with(42, 59)), None, "too late");
}

fn key(position: &Position) -> Key {
    let mut packed = Vec::new();
    position.pack(&mut packed);
    Key::new(&Arc::from(Position::name()), packed, &Engine::source())
}

/// White is going to be mated, but Kh1 repeats a position for the third time.
const MATED: &str = "7k/8/8/8/8/8/qr6/6K1 w - - 0 60";
const THERE_AND_BACK: &str = "g1h1 h8g8 h1g1 g8h8 g1h1 h8g8 h1g1 g8h8";

#[test]
fn a_draw_by_the_games_repetitions_is_not_learned() {
    for policy in ALL {
        let store = Arc::new(RamStore::new());
        let mut analyst = Analyst::new(&store, policy);
        let saved = analyst.search(MATED, THERE_AND_BACK, 6);
        assert_eq!((saved.best.as_str(), saved.score()), ("g1h1", 0), "{policy:?}");
        for analyst in [&mut analyst, &mut Analyst::new(&store, policy)] {
            let lost = analyst.search(MATED, "", 6);
            assert!(lost.known.as_ref().is_none_or(|known| WINS.is_mate(known.score)), "{policy:?}");
            assert!(WINS.is_mate(lost.score()), "{policy:?}: {}", lost.score());
        }
    }
}

#[test]
fn a_recalled_score_does_not_hide_a_draw_by_the_games_repetitions() {
    for policy in ALL {
        let store = Arc::new(RamStore::new());
        let mut analyst = Analyst::new(&store, policy);
        assert!(WINS.is_mate(analyst.search(MATED, "", 6).score()));
        for analyst in [&mut analyst, &mut Analyst::new(&store, policy)] {
            let saved = analyst.search(MATED, THERE_AND_BACK, 6);
            assert!(saved.recalled > 0);
            assert_eq!((saved.best.as_str(), saved.score()), ("g1h1", 0), "{policy:?}");
        }
    }
}

/// A perpetual check is the position's own score: it needs no move before the root.
#[test]
fn a_perpetual_check_is_learned_at_its_root() {
    let perpetual = "6k1/6p1/8/7Q/8/8/rrq3PP/7K w - - 0 1";
    for policy in ALL {
        let store = Arc::new(RamStore::new());
        assert_eq!(Analyst::new(&store, policy).search(perpetual, "", 10).score(), 0);
        let known = Analyst::new(&store, policy).search(perpetual, "", 10).known.expect("a known position");
        assert_eq!(known.score, 0, "{policy:?}");
        // After a repetition in the game, the same draw comes a move sooner.
        let repeated = Analyst::new(&store, policy).search(perpetual, "h5e8 g8h7 e8h5 h7g8", 8);
        assert_eq!((repeated.best.as_str(), repeated.score()), ("h5e8", 0), "{policy:?}");
    }
}

/// Many searches of a rook ending, with halfmove clocks and repetitions of all kinds: no record contradicts the retrograde
/// analysis, which has no history.
#[test]
fn no_record_contradicts_the_solved_ending() {
    let ending = Ending::solved(Piece::Rook);
    for policy in ALL {
        let store = Arc::new(RamStore::new());
        let mut random = Random::new(7);
        for game in 0..15 {
            let mut analyst = Analyst::new(&store, policy);
            let start = with_clock(ROOK, [0, 40, 59][game % 3]);
            let mut moves = String::new();
            for _ in 0..10 {
                analyst.search(&start, &moves, 3 + random.below(6) as u8);
                moves += &random_move(&start, &moves, &mut random);
            }
        }
        let (mut judged, mut false_claims) = (0, Vec::new());
        store
            .scan(&Range::default(), &mut |Item { key, record }| {
                let position = Position::unpack(&key.position).expect("a position");
                let is_deep = record.deepest().1 >= DEEP_ENOUGH;
                if let Some(outcome) = ending.outcome(&position).filter(|_| is_deep) {
                    judged += 1;
                    if !allows(&record, outcome) {
                        false_claims.push(format!("{position} is {outcome:?}: {record:?}"));
                    }
                }
                ControlFlow::Continue(())
            })
            .expect("a memory in RAM");
        assert!(judged > 300, "{policy:?}: only {judged} positions");
        assert!(false_claims.is_empty(), "{policy:?}: {} of {judged}: {}", false_claims.len(), false_claims[0]);
    }
}

/// A shallower search may prune all moves but those that lose the rook, and so find a draw in a won position.
const DEEP_ENOUGH: u8 = 3;

/// A legal move, often the one that takes back the side's last move.
fn random_move(start: &str, moves: &str, random: &mut Random) -> String {
    let start: Position = start.parse().expect("a position");
    let position = moves.split_whitespace().fold(start, |position, mv| position.play_uci(mv).expect("legal"));
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);
    let texts: Vec<String> = legal.iter().map(|&mv| position.uci(mv)).collect();
    let back = moves.split_whitespace().rev().nth(1).map(|mv| format!("{}{}", &mv[2..4], &mv[..2]));
    let back = back.filter(|back| texts.contains(back) && random.below(2) == 0);
    let chosen = back.unwrap_or_else(|| texts[random.below(texts.len())].clone());
    format!(" {chosen}")
}

/// Whether the record's bounds from deep searches agree with the outcome: no draw in a won position, and no mate that is
/// shorter than the shortest. The two bounds may come from searches of different depths.
fn allows(record: &Record, outcome: Outcome) -> bool {
    let deep = |claim: Claim| Some(claim.score).filter(|_| claim.is_known() && claim.depth >= DEEP_ENOUGH);
    let (lower, upper) = (deep(record.lower), deep(record.upper));
    match outcome {
        Outcome::Drawn => {
            let is_won = lower.is_some_and(|score| score > 0 && WINS.is_mate(score));
            let is_lost = upper.is_some_and(|score| score < 0 && WINS.is_mate(score));
            !is_won && !is_lost
        }
        Outcome::Won(plies) => {
            lower.is_none_or(|score| score <= -WINS.lost_at(plies)) && upper.is_none_or(|score| score > 0)
        }
        Outcome::Lost(plies) => {
            upper.is_none_or(|score| score >= WINS.lost_at(plies)) && lower.is_none_or(|score| score < 0)
        }
    }
}
