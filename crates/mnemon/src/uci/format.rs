//! The engine's events as lines of UCI.

use std::fmt::Write as _;
use std::time::Duration;

use mnemon_chess::{Color, Move, Position};
use mnemon_engine::book::BookChoice;
use mnemon_engine::search::{Info as SearchInfo, Progress};
use mnemon_engine::{Allotment, Event};
use mnemon_memory::Learned;
use mnemon_memory::policy::PlayerResult;
use mnemon_memory::recall::RecallSummary;
use mnemon_search::{Notation as _, WINS};
use mnemon_table::{Bound as TableBound, Score as SearchScore};
use mnemon_uci::{BestMove, Bound, EngineLine, Info, Score, ScoreValue, Wdl};

use crate::format::results;
use crate::hearsay;
use crate::memory_hints::{self, Interface};
use crate::output::escape_controls;

/// Which lines are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Style {
    /// With the chances to win, draw and lose.
    pub(super) wdl: bool,
    /// With messages that a GUI does not need.
    pub(super) debug: bool,
}

/// What is learned from a game that is over.
fn game_learned(side: Color, result: PlayerResult, moves: usize) -> String {
    let side = if side == Color::White { "White" } else { "Black" };
    let result = match result {
        PlayerResult::Win => "won",
        PlayerResult::Draw => "drew",
        PlayerResult::Loss => "lost",
    };
    let moves = if moves == 1 { "1 move".to_owned() } else { format!("{moves} moves") };
    format!("memory: learning from the game, which {side} {result}: {moves}")
}

/// The line for an event; `None` if it is not worth one.
pub(super) fn line(event: &Event<'_>, style: Style) -> Option<String> {
    let line = match event {
        Event::Begun(time) => time.filter(|_| style.debug).map(|time| message(&allotted(time)))?,
        Event::BookMove(position, choice) => {
            let info = EngineLine::Info(book_info(position, choice.mv));
            return Some(format!("{}\n{info}", message(&book_move(position, choice))));
        }
        Event::BookRefuted(_, 1) => message("book: its move has lost before; the search decides"),
        Event::BookRefuted(_, moves) => {
            message(&format!("book: all of its {moves} moves have lost before; the search decides"))
        }
        Event::Recalled(recalled) => message(&recall(recalled, style.debug)?),
        Event::Hearsay(position, hearsay) => message(&format!("memory: {}", hearsay::text(position, hearsay))),
        Event::Disagrees { position, hearsay, best } => {
            message(&format!("memory: {}", hearsay::disagreement(position, hearsay, *best)))
        }
        Event::Learned(learned) => message(&learning(learned)?),
        Event::GameLearned { side, result, moves } => message(&game_learned(*side, *result, *moves)),
        Event::Failed(why) => message(&format!(
            "error: the search failed ({why}); this is a bug, and the move is the best one found before"
        )),
        Event::Progress(position, progress) => EngineLine::Info(progress_info(position, progress)),
        Event::NotStarted(error) => message(&format!(
            "error: the system gives no thread for the search ({error}); the move is the best one known before"
        )),
        Event::FewerThreads { started, asked } => {
            message(&format!("the system gives no memory or processes for more: {started} of {asked} threads search"))
        }
        Event::MemoryFailed(error) => message(&format!("memory: {}", memory_hints::explain(error, Interface::Uci))),
        Event::MemoryOpening => {
            message("memory: it is still being opened; this search goes on without it, and is learned when it is open")
        }
        Event::MemoryNotOpened(error) => {
            message(&format!("memory: {}; going on without it", memory_hints::explain(error, Interface::Uci)))
        }
        Event::MemoryReadOnly(error) => message(&format!("memory: {}", memory_hints::reading_only(error))),
        Event::Known(position, found) | Event::Line(position, found) => {
            EngineLine::Info(search_info(position, found, style))
        }
        Event::Best { position, best, ponder } => EngineLine::BestMove(best_move(position, *best, *ponder)),
        Event::Divided(position, mv, count) => return Some(format!("{}: {count}", position.uci(*mv))),
        Event::Counted(Some(count), time) => {
            let speed = *count as f64 / time.as_secs_f64().max(1e-9);
            return Some(format!("\nNodes searched: {count}\nNodes/second: {speed:.0}"));
        }
        Event::Counted(None, _) => message("perft was stopped"),
    };
    Some(line.to_string())
}

/// A message for people, on one line whatever it contains, and without control characters.
pub(super) fn message(text: &str) -> EngineLine {
    EngineLine::Info(Info::message(escape_controls(&text.replace(['\n', '\r'], " "))))
}

fn allotted(time: Allotment) -> String {
    let soft = time.soft.map_or_else(String::new, |soft| format!("{} ms, at most ", soft.as_millis()));
    format!("time for this move: {soft}{} ms", time.hard.as_millis())
}

/// What the memory gave; `None` if that is nothing, except with `debug`.
fn recall(recalled: &RecallSummary, debug: bool) -> Option<String> {
    if recalled.entries == 0 && recalled.root.records.is_empty() && !debug {
        return None;
    }
    let mut text =
        format!("memory: {} recalled in {} ms", positions(recalled.entries as u64), recalled.time.as_millis());
    match recalled.root.value.deepest().1 {
        _ if recalled.root.value.is_empty() => {}
        mnemon_memory::PROVEN => text += ", this position proven",
        depth => _ = write!(text, ", this position known to depth {depth}"),
    }
    if !recalled.is_complete {
        text += "; the Recall Budget was used up before the rest";
    }
    Some(text)
}

/// What was written to the memory; `None` if that is nothing.
fn learning(learned: &Learned) -> Option<String> {
    let Learned { merged, deleted } = learned;
    (merged.added + merged.changed + deleted > 0).then(|| {
        let mut text = format!("memory: {} learned, {} improved", positions(merged.added), merged.changed);
        if *deleted > 0 {
            let _ = write!(text, ", the {deleted} oldest forgotten");
        }
        text
    })
}

fn positions(count: u64) -> String {
    if count == 1 { "1 position".to_owned() } else { format!("{count} positions") }
}

fn best_move(position: &Position, best: Option<Move>, ponder: Option<Move>) -> BestMove {
    let Some(best) = best else { return BestMove { mv: "(none)".to_owned(), ponder: None } };
    let ponder = ponder.map(|reply| position.after(best).uci(reply).to_string());
    BestMove { mv: position.uci(best).to_string(), ponder }
}

/// The book's move, how likely it was, and what was learned of it.
fn book_move(position: &Position, choice: &BookChoice) -> String {
    let BookChoice { mv, share, learned } = choice;
    let learned = learned.map_or_else(String::new, |learned| {
        format!(" ({})", results(&Position::write_score(learned.score), learned.games))
    });
    format!("book: {} {:.0} %{learned}", position.uci(*mv), share * 100.0)
}

/// The line of a move that was not searched: it has no score.
fn book_info(position: &Position, mv: Move) -> Info {
    let pv = vec![position.uci(mv)];
    Info { depth: Some(1), multipv: Some(1), nodes: Some(0), time: Some(0), pv, ..Info::default() }
}

/// How far a search has come within an iteration.
fn progress_info(position: &Position, progress: &Progress) -> Info {
    let Progress { depth, current, nodes, time, hashfull, tbhits } = progress;
    Info {
        depth: Some((*depth).into()),
        currmove: current.map(|(mv, _)| position.uci(mv).to_string()),
        currmovenumber: current.map(|(_, number)| number as u32),
        ..effort(*nodes, *time, *hashfull, *tbhits)
    }
}

/// What a search has done so far.
fn effort(nodes: u64, time: Duration, hashfull: u32, tbhits: u64) -> Info {
    let speed = nodes as f64 / time.as_secs_f64().max(1e-3);
    Info {
        nodes: Some(nodes),
        nps: Some(speed.round_ties_even() as u64),
        hashfull: Some(hashfull),
        tbhits: Some(tbhits),
        time: Some(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
        ..Info::default()
    }
}

/// A line of play that a search found.
fn search_info(position: &Position, found: &SearchInfo, style: Style) -> Info {
    let SearchInfo { depth, seldepth, line, score, bound, nodes, time, hashfull, tbhits, pv, tainted: _ } = found;
    let bound = match bound {
        TableBound::Exact => Bound::Exact,
        TableBound::AtLeast => Bound::Lower,
        TableBound::AtMost => Bound::Upper,
    };
    Info {
        depth: Some((*depth).into()),
        seldepth: Some((*seldepth.max(depth)).into()),
        multipv: Some(*line as u32 + 1),
        score: Some(Score { value: score_value(*score), bound }),
        wdl: style.wdl.then(|| chances(*score)),
        pv: variation(position, pv),
        ..effort(*nodes, *time, *hashfull, *tbhits)
    }
}

/// The moves as UCI writes them, up to the first illegal one: with several threads a line from the table may be broken.
fn variation(position: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    let mut texts = Vec::with_capacity(moves.len());
    for &mv in moves {
        if !position.is_legal(mv) {
            break;
        }
        texts.push(position.uci(mv).to_string());
        position = position.after(mv);
    }
    texts
}

/// Centipawns, or a mate in moves: negative if the side to move is mated.
fn score_value(score: SearchScore) -> ScoreValue {
    match WINS.plies(score).map(i32::from) {
        None => ScoreValue::Centipawns(score.into()),
        Some(plies) if plies > 0 => ScoreValue::Mate((plies + 1) / 2),
        Some(plies) => ScoreValue::Mate(plies / 2),
    }
}

/// With this advantage, in centipawns, half of the games are won.
const HALF_WON_AT: f64 = 140.0;
/// This many centipawns change the odds of winning by a factor of e.
const WIN_SPREAD: f64 = 60.0;

/// The chances to win, draw and lose in permille, by one logistic curve: a score of s wins with the probability
/// 1 / (1 + exp((HALF_WON_AT - s) / WIN_SPREAD)), loses with that of -s, and the rest is drawn. With these constants an
/// advantage of one pawn wins about one game in three, and one of three pawns nearly all. They are not fitted to games.
fn chances(score: SearchScore) -> Wdl {
    if WINS.is_mate(score) {
        let (win, loss) = if score > 0 { (1000, 0) } else { (0, 1000) };
        return Wdl { win, draw: 0, loss };
    }
    let wins = |score: f64| (1000.0 / (1.0 + ((HALF_WON_AT - score) / WIN_SPREAD).exp())).round() as u32;
    let (win, loss) = (wins(score.into()), wins(-f64::from(score)));
    Wdl { win, draw: 1000 - win - loss, loss }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_in_moves() {
        let score = |score| score_value(score).to_string();
        let won = |plies| -WINS.lost_at(plies);
        assert_eq!([won(1), won(2), won(3)].map(score), ["mate 1", "mate 1", "mate 2"]);
        assert_eq!([0, 2, 4].map(|plies| score(WINS.lost_at(plies))), ["mate 0", "mate -1", "mate -2"]);
        assert_eq!(score(-35), "cp -35");
    }

    #[test]
    fn chances_add_up_and_grow_with_the_score() {
        for score in -16_000..=16_000 {
            let Wdl { win, draw, loss } = chances(score);
            assert_eq!(win + draw + loss, 1000, "{score}");
            assert_eq!(win, chances(-score).loss, "{score}");
            assert!(score == 16_000 || win <= chances(score + 1).win, "{score}");
        }
        assert!((300..380).contains(&chances(100).win) && chances(300).win > 900 && chances(0).draw > 800);
    }

    #[test]
    fn messages_stay_on_one_line() {
        assert_eq!(message("a\nbestmove e2e4\r\u{1b}").to_string(), "info string a bestmove e2e4 \\u{1b}");
    }
}
