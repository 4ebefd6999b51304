//! The lines of one search as the engine prints them: which iteration is finished, and which line belongs to the best move.

use std::collections::BTreeMap;
use std::time::Duration;

use mnemon_chess::{Move, Position};
use mnemon_engine::search::Info;
use mnemon_search::WINS;
use mnemon_table::{Bound, Score, Window};
use mnemon_uci::observer::{legal_prefix, window};
use mnemon_uci::{BestMove, GoCommand, clip};

use super::Heard;

/// The line of the best move; the move and the reply.
type Answer = (Info, (Option<Move>, Option<Move>));

/// The lines of a search.
pub(super) struct SearchLog<'p> {
    position: &'p Position,
    /// The iteration under way.
    depth: u32,
    /// By rank: its exact lines as they were printed last.
    current: BTreeMap<u32, Info>,
    /// The last line of each first move, the newest at the end.
    latest: Vec<Info>,
    is_stopped: bool,
}

impl<'p> SearchLog<'p> {
    pub(super) fn new(position: &'p Position) -> Self {
        SearchLog { position, depth: 0, current: BTreeMap::new(), latest: Vec::new(), is_stopped: false }
    }

    /// Takes a line that came this long after `go`.
    pub(super) fn hear(&mut self, info: &mnemon_uci::Info, elapsed: Duration) -> Heard {
        let mut heard = Heard::default();
        let Some(depth) = info.depth.filter(|&depth| depth > 0) else { return heard };
        if depth > self.depth {
            self.depth = depth;
            heard.finished = std::mem::take(&mut self.current).into_values().collect();
        }
        let Some(line) = converted(self.position, info, elapsed) else { return heard };
        self.latest.retain(|other| other.pv.first() != line.pv.first());
        self.latest.push(line.clone());
        if line.bound != Bound::Exact {
            heard.bound = Some(line);
        } else if depth == self.depth && !self.is_stopped {
            // Engines with several lines print those of the iteration before again.
            self.current.insert(info.multipv.unwrap_or(1), line);
        }
        heard
    }

    /// `stop` was sent: the iteration under way is not finished any more.
    pub(super) fn stop(&mut self) {
        self.is_stopped = true;
        self.current.clear();
    }

    /// The best move has come: the lines of the last iteration, if nothing has cut it.
    pub(super) fn finish(&mut self, go: &GoCommand) -> Vec<Info> {
        let is_whole = !self.is_stopped && !go.may_cut(self.depth);
        std::mem::take(&mut self.current).into_values().filter(|_| is_whole).collect()
    }

    /// The line of the best move, the move and the reply.
    ///
    /// # Errors
    /// What is wrong: the move is illegal, or the engine has printed no score.
    pub(super) fn answer(&self, best: &BestMove) -> std::result::Result<Answer, String> {
        let illegal = |_| format!("gave the move '{}', which is illegal", clip(&best.mv));
        let mv = self.position.parse_uci(&best.mv).map_err(illegal)?;
        let reply = best.ponder.as_ref().and_then(|reply| self.position.after(mv).parse_uci(reply).ok());
        let own = self.latest.iter().rfind(|info| info.pv.first() == Some(&mv));
        let line = own.or(self.latest.last()).cloned().ok_or("gave a move without a score: it prints no info lines")?;
        let pv = if line.pv.first() == Some(&mv) { line.pv } else { vec![mv] };
        Ok((Info { pv, line: 0, bound: Bound::Exact, ..line }, (Some(mv), reply)))
    }
}

/// A line without a score.
pub(super) fn blank() -> Info {
    Info {
        depth: 0,
        seldepth: 0,
        line: 0,
        score: 0,
        bound: Bound::Exact,
        nodes: 0,
        time: Duration::ZERO,
        hashfull: 0,
        tbhits: 0,
        pv: Vec::new(),
        tainted: false,
    }
}

/// A window as a score; a mate without a bound, as engines write it.
pub(super) fn exact_bound(window: Window) -> Option<(Score, Bound)> {
    let (score, bound) = window.bound(Score::MIN)?;
    let is_claim = matches!((bound, score > 0), (Bound::AtLeast, true) | (Bound::AtMost, false));
    Some((score, if is_claim && WINS.is_mate(score) { Bound::Exact } else { bound }))
}

/// The line with moves up to the first illegal one; `None` without a score.
fn converted(position: &Position, info: &mnemon_uci::Info, elapsed: Duration) -> Option<Info> {
    let given = info.score?;
    let exact = window(mnemon_uci::Score { bound: mnemon_uci::Bound::Exact, ..given })?;
    let short = |depth: Option<u32>| depth.map_or(0, |depth| u8::try_from(depth).unwrap_or(u8::MAX - 1));
    Some(Info {
        depth: short(info.depth),
        seldepth: short(info.seldepth),
        line: info.multipv.map_or(0, |rank| rank.saturating_sub(1) as usize),
        score: exact.bound(Score::MIN)?.0,
        bound: match given.bound {
            mnemon_uci::Bound::Exact => Bound::Exact,
            mnemon_uci::Bound::Lower => Bound::AtLeast,
            mnemon_uci::Bound::Upper => Bound::AtMost,
        },
        nodes: info.nodes.unwrap_or(0),
        time: info.time.map_or(elapsed, Duration::from_millis),
        hashfull: info.hashfull.unwrap_or(0),
        tbhits: info.tbhits.unwrap_or(0),
        pv: legal_prefix(position, &info.pv),
        tainted: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use mnemon_uci::EngineLine;

    fn hear(log: &mut SearchLog<'_>, line: &str) -> Vec<(u8, Score)> {
        let EngineLine::Info(info) = EngineLine::parse(line) else { panic!("{line}") };
        let heard = log.hear(&info, Duration::from_millis(5));
        heard.finished.iter().map(|info| (info.depth, info.score)).collect()
    }

    fn best(mv: &str) -> BestMove {
        BestMove { mv: mv.to_owned(), ponder: None }
    }

    #[test]
    fn an_iteration_is_finished_when_the_next_begins_or_nothing_cut_the_last() {
        let position = Position::start();
        let mut log = SearchLog::new(&position);
        assert_eq!(hear(&mut log, "info depth 1 score cp 20 pv e2e4"), []);
        assert_eq!(hear(&mut log, "info depth 1 multipv 2 score cp 10 pv d2d4"), []);
        assert_eq!(hear(&mut log, "info depth 2 currmove e2e4"), [(1, 20), (1, 10)]);
        assert_eq!(hear(&mut log, "info depth 2 score cp 25 pv e2e4 e7e5"), []);
        assert_eq!(hear(&mut log, "info depth 1 multipv 2 score cp 11 pv d2d4"), [], "of the iteration before");
        assert_eq!(log.finish(&GoCommand { depth: Some(2), ..GoCommand::default() }).len(), 1);
        hear(&mut log, "info depth 3 score cp 7 pv e2e4");
        assert!(log.finish(&GoCommand::nodes(100)).is_empty(), "the nodes may have cut it");
    }

    #[test]
    fn the_answer_is_the_line_of_the_best_move() {
        let position = Position::start();
        let mut log = SearchLog::new(&position);
        assert!(log.answer(&best("e2e4")).is_err_and(|why| why.contains("score")), "no line at all");
        hear(&mut log, "info depth 5 score cp 20 pv e2e4 e7e5");
        hear(&mut log, "info depth 6 score cp 40 lowerbound pv d2d4 d7d5");
        let score = |mv| log.answer(&best(mv)).ok().map(|(info, _)| (info.score, info.pv.len()));
        assert_eq!((score("d2d4"), score("e2e4"), score("a2a3")), (Some((40, 2)), Some((20, 2)), Some((40, 1))));
        for illegal in ["(none)", "e2e5"] {
            assert!(log.answer(&best(illegal)).is_err_and(|why| why.contains(illegal)));
        }
    }
}
