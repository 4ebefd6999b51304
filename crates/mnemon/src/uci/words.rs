//! What the engine says, as UCI writes it.

use std::fmt::Write as _;
use std::time::Duration;

use mnemon_chess::{Move, Position};
use mnemon_engine::Event;
use mnemon_engine::search::{Info, Progress};
use mnemon_memory::Learned;
use mnemon_memory::recall::RecallSummary;
use mnemon_search::WINS;
use mnemon_table::{Bound, Score};

use crate::memory_hints;
use crate::output::harmless;

/// How the lines are to look.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Style {
    /// With the chances to win, draw and lose.
    pub(super) wdl: bool,
    /// With more words than a GUI needs.
    pub(super) debug: bool,
}

/// The line for an event, if it is worth one.
pub(super) fn line(event: &Event<'_>, style: Style) -> Option<String> {
    match event {
        Event::Begun(None) => None,
        Event::Begun(Some(time)) => style.debug.then(|| {
            let soft = time.soft.map_or_else(String::new, |soft| format!("{} ms, at most ", soft.as_millis()));
            string(&format!("time for this move: {soft}{} ms", time.hard.as_millis()))
        }),
        Event::Recalled(recalled) => recollection(recalled, style.debug).map(|text| string(&text)),
        Event::Learned(learned) => lessons(learned).map(|text| string(&text)),
        Event::Failed(why) => Some(string(&format!(
            "error: the search broke down ({why}); this is a defect of the program, and the move is the best one known"
        ))),
        Event::Progress(position, progress) => Some(self::progress(position, progress)),
        Event::MemoryFailed(error) => Some(string(&format!("memory: {}", memory_hints::explain(error)))),
        Event::Known(position, found) | Event::Line(position, found) => Some(info(position, found, style)),
        Event::Best { position, best: Some(best), ponder } => {
            let after = ponder.map(|reply| format!(" ponder {}", position.after(*best).uci(reply)));
            Some(format!("bestmove {}{}", position.uci(*best), after.unwrap_or_default()))
        }
        Event::Best { best: None, .. } => Some("bestmove (none)".to_owned()),
        Event::Divided(position, mv, count) => Some(format!("{}: {count}", position.uci(*mv))),
        Event::Counted(Some(count), time) => {
            let speed = *count as f64 / time.as_secs_f64().max(1e-9);
            Some(format!("\nNodes searched: {count}\nNodes/second: {speed:.0}"))
        }
        Event::Counted(None, _) => Some(string("the counting was stopped")),
    }
}

/// Words for people, on one line whatever they contain.
pub(super) fn string(text: &str) -> String {
    format!("info string {}", harmless(&text.replace(['\n', '\r'], " ")))
}

fn recollection(recalled: &RecallSummary, debug: bool) -> Option<String> {
    if recalled.entries == 0 && recalled.root.records.is_empty() && !debug {
        return None;
    }
    let mut text = format!("memory: {} recalled in {} ms", positions(recalled.entries), recalled.time.as_millis());
    let depth = recalled.root.records.iter().map(|(_, record)| record.deepest().1).max();
    if let Some(depth) = depth {
        let depth = if depth == mnemon_memory::PROVEN { "its end".to_owned() } else { format!("depth {depth}") };
        let _ = write!(text, ", this one known to {depth}");
    }
    if !recalled.is_complete {
        text += "; there is more, which the Recall Budget leaves out";
    }
    Some(text)
}

fn lessons(learned: &Learned) -> Option<String> {
    let Learned { merged, forgotten } = learned;
    (merged.added + merged.changed + forgotten > 0).then(|| {
        let mut text = format!("memory: {} learned, {} known better", merged.added, merged.changed);
        if *forgotten > 0 {
            let _ = write!(text, ", the {forgotten} oldest forgotten");
        }
        text
    })
}

fn positions(count: usize) -> String {
    if count == 1 { "1 position".to_owned() } else { format!("{count} positions") }
}

/// A sign of life.
fn progress(position: &Position, progress: &Progress) -> String {
    let Progress { depth, current, nodes, time, hashfull, tbhits } = progress;
    let mut text = format!("info depth {depth}");
    if let Some((mv, number)) = current {
        let _ = write!(text, " currmove {} currmovenumber {number}", position.uci(*mv));
    }
    let _ = write!(text, " {}", effort(*nodes, *time, *hashfull, *tbhits));
    text
}

fn effort(nodes: u64, time: Duration, hashfull: u32, tbhits: u64) -> String {
    let speed = nodes as f64 / time.as_secs_f64().max(1e-3);
    format!("nodes {nodes} nps {speed:.0} hashfull {hashfull} tbhits {tbhits} time {}", time.as_millis())
}

/// A line of a search.
fn info(position: &Position, info: &Info, style: Style) -> String {
    let Info { depth, seldepth, line, score, bound, nodes, time, hashfull, tbhits, pv, tainted: _ } = info;
    let mut text = format!("info depth {depth} seldepth {} multipv {} score ", seldepth.max(depth), line + 1);
    text += &self::score(*score);
    text += match bound {
        Bound::Exact => "",
        Bound::AtLeast => " lowerbound",
        Bound::AtMost => " upperbound",
    };
    if style.wdl {
        let [win, draw, loss] = chances(*score);
        let _ = write!(text, " wdl {win} {draw} {loss}");
    }
    let _ = write!(text, " {}", effort(*nodes, *time, *hashfull, *tbhits));
    if !pv.is_empty() {
        text += " pv";
        variation(position, pv, &mut text);
    }
    text
}

fn variation(position: &Position, moves: &[Move], text: &mut String) {
    let mut position = position.clone();
    for &mv in moves.iter() {
        // A table that two threads write to may give a line that goes astray.
        if !position.is_legal(mv) {
            return;
        }
        let _ = write!(text, " {}", position.uci(mv));
        position = position.after(mv);
    }
}

/// `cp` in hundredths of a pawn, or `mate` in moves: negative if the side to move is mated.
pub(super) fn score(score: Score) -> String {
    match WINS.plies(score) {
        None => format!("cp {score}"),
        Some(plies) if plies > 0 => format!("mate {}", (plies + 1) / 2),
        Some(plies) => format!("mate {}", plies / 2),
    }
}

/// With this advantage, in hundredths of a pawn, half of the games are won.
const HALF_WON_AT: f64 = 140.0;
/// So much more or less changes the odds of winning by a factor of e.
const WIN_SPREAD: f64 = 60.0;

/// The chances to win, draw and lose in per mille, by one logistic curve: a score of s wins with the probability
/// 1 / (1 + exp((HALF_WON_AT - s) / WIN_SPREAD)), loses with that of -s, and what is left is drawn. By these constants an
/// advantage of one pawn wins about one game in three, and one of three pawns nearly all; they are a picture of the
/// score, and no statistic of games has gone into them yet.
fn chances(score: Score) -> [u32; 3] {
    if WINS.is_mate(score) {
        return if score > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let wins = |score: f64| (1000.0 / (1.0 + ((HALF_WON_AT - score) / WIN_SPREAD).exp())).round() as u32;
    let (win, loss) = (wins(score.into()), wins(-f64::from(score)));
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_in_moves() {
        let won = |plies| -WINS.lost_at(plies);
        assert_eq!([won(1), won(2), won(3)].map(score), ["mate 1", "mate 1", "mate 2"]);
        assert_eq!([0, 2, 4].map(|plies| score(WINS.lost_at(plies))), ["mate 0", "mate -1", "mate -2"]);
        assert_eq!(score(-35), "cp -35");
    }

    #[test]
    fn chances_add_up_and_grow_with_the_score() {
        for score in -16_000..=16_000 {
            assert_eq!(chances(score).iter().sum::<u32>(), 1000, "{score}");
            assert_eq!(chances(score)[0], chances(-score)[2], "{score}");
            assert!(score == 16_000 || chances(score)[0] <= chances(score + 1)[0], "{score}");
        }
        assert!((300..380).contains(&chances(100)[0]) && chances(300)[0] > 900 && chances(0)[1] > 800);
    }

    #[test]
    fn strings_stay_on_one_line() {
        assert_eq!(string("a\nbestmove e2e4\r\u{1b}"), "info string a bestmove e2e4 \\u{1b}");
    }
}
