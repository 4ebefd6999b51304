//! A test position with its expected moves, and the totals of a suite.

use std::time::Duration;

use mnemon_chess::epd::{Epd, EpdError, ExpectedMoves};
use mnemon_chess::{ChessError, Move, Position};
use mnemon_engine::search::SearchOutcome;

/// A position whose best move is known.
#[derive(Debug)]
pub(super) struct SuitePosition {
    pub(super) position: Position,
    id: String,
    /// The moves that solve it, and those that do not.
    expected: ExpectedMoves,
    /// The points of each move, where the suite gives points.
    points: Vec<(Move, u32)>,
}

/// Why an EPD is no test position.
#[derive(Debug, thiserror::Error)]
pub(super) enum SuitePositionError {
    #[error(transparent)]
    ExpectedMove(#[from] EpdError),
    #[error("no expected move: there is no bm, am, or c8 and c9")]
    NoExpectedMove,
    #[error("there is no legal move")]
    NoLegalMove,
    #[error("c8 and c9 are not of the same length")]
    Lengths,
    #[error("c9: {0}")]
    ScoredMove(ChessError),
    #[error("c8: '{0}' is no number")]
    Points(String),
}

impl SuitePosition {
    /// From an EPD: `bm` and `am` with moves in SAN, and `c9` and `c8` with moves in UCI notation and their points. `line`
    /// names a position without an `id`.
    ///
    /// # Errors
    /// Why the line is no test position.
    pub(super) fn new(epd: &Epd, line: u64) -> Result<SuitePosition, SuitePositionError> {
        let position = epd.position.clone();
        let expected = epd.expected_moves()?;
        let points = points(epd)?;
        if expected == ExpectedMoves::default() && points.is_empty() {
            return Err(SuitePositionError::NoExpectedMove);
        }
        if !position.has_moves() {
            return Err(SuitePositionError::NoLegalMove);
        }
        let id = epd.id().unwrap_or_else(|| format!("line {line}"));
        Ok(SuitePosition { position, id, expected, points })
    }

    /// Whether the move is one of `bm`, if given, and none of `am`. Where only points are given, it is one with most points.
    fn is_solved_by(&self, mv: Move) -> bool {
        self.expected.accept(Some(mv)).unwrap_or_else(|| self.points_of(mv) == self.max_points())
    }

    fn points_of(&self, mv: Move) -> u32 {
        self.points.iter().find(|&&(other, _)| other == mv).map_or(0, |&(_, points)| points)
    }

    fn max_points(&self) -> u32 {
        self.points.iter().map(|&(_, points)| points).max().unwrap_or(0)
    }

    /// The expected moves in SAN.
    fn expected_text(&self) -> String {
        let list = |moves: &[Move]| moves.iter().map(|&mv| self.position.san(mv)).collect::<Vec<_>>().join(" ");
        match (&self.expected.best[..], &self.expected.avoid[..]) {
            ([], []) => {
                let best: Vec<Move> =
                    self.points.iter().filter(|&&(_, points)| points == self.max_points()).map(|&(mv, _)| mv).collect();
                list(&best)
            }
            ([], avoid) => format!("anything but {}", list(avoid)),
            (best, _) => list(best),
        }
    }

    /// The part of the suite that the position belongs to: its name without a number at the end.
    fn theme(&self) -> &str {
        self.id.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.').trim_end()
    }
}

fn points(epd: &Epd) -> Result<Vec<(Move, u32)>, SuitePositionError> {
    let (Some(points), Some(moves)) = (epd.operands("c8"), epd.operands("c9")) else { return Ok(Vec::new()) };
    let (points, moves) = (points.join(" "), moves.join(" "));
    if points.split_whitespace().count() != moves.split_whitespace().count() {
        return Err(SuitePositionError::Lengths);
    }
    let pairs = moves.split_whitespace().zip(points.split_whitespace());
    pairs
        .map(|(mv, points)| {
            let mv = epd.position.parse_uci(mv).map_err(SuitePositionError::ScoredMove)?;
            let points = points.parse().map_err(|_| SuitePositionError::Points(points.to_owned()))?;
            Ok((mv, points))
        })
        .collect()
}

/// The totals of a suite.
#[derive(Default)]
pub(super) struct SuiteTotals {
    positions: u32,
    solved: u32,
    points: u32,
    max_points: u32,
    nodes: u64,
    time: Duration,
    /// Each theme with its points and the greatest possible points, in the file's order.
    themes: Vec<(String, u32, u32)>,
}

impl SuiteTotals {
    /// Counts a search; gives a line about it if it does not solve the position.
    pub(super) fn add(&mut self, position: &SuitePosition, outcome: &SearchOutcome) -> Option<String> {
        let is_solved = outcome.best.is_some_and(|mv| position.is_solved_by(mv));
        let points = outcome.best.map_or(0, |mv| position.points_of(mv));
        self.positions += 1;
        self.solved += u32::from(is_solved);
        self.nodes += outcome.nodes;
        self.time += outcome.time;
        if !position.points.is_empty() {
            self.add_points(position, points);
        }
        if is_solved {
            return None;
        }
        let best = outcome.best.map_or("none".to_owned(), |mv| position.position.san(mv));
        let mut line = format!("{}: {best}", position.id);
        if !position.points.is_empty() {
            line += &format!(", {points} of {} points", position.max_points());
        }
        Some(format!("{line}, expected {} (depth {})", position.expected_text(), outcome.depth))
    }

    fn add_points(&mut self, position: &SuitePosition, points: u32) {
        let max_points = position.max_points();
        self.points += points;
        self.max_points += max_points;
        match self.themes.iter_mut().find(|(theme, ..)| theme == position.theme()) {
            Some((_, sum, max_sum)) => (*sum, *max_sum) = (*sum + points, *max_sum + max_points),
            None => self.themes.push((position.theme().to_owned(), points, max_points)),
        }
    }

    /// The totals as lines of text.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (theme, points, max_points) in &self.themes {
            lines.push(format!("{theme}: {points} of {max_points} points"));
        }
        let speed = self.nodes as f64 / self.time.as_secs_f64().max(1e-9);
        lines.push(format!("Solved:  {} of {}", self.solved, self.positions));
        if self.max_points > 0 {
            // The suites give 10 points to each best move.
            let (moves, max_moves) = (f64::from(self.points) / 10.0, f64::from(self.max_points) / 10.0);
            let percent = moves / max_moves * 100.0;
            lines.push(format!(
                "Points:  {} of {}: {moves:.1} of {max_moves:.0} best moves' worth, {percent:.1} %",
                self.points, self.max_points
            ));
        }
        lines.push(format!("Nodes:   {}", self.nodes));
        lines.push(format!("Nodes/s: {speed:.0}"));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAC: &str = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"WAC.001\";";
    const STS: &str = "1kr5/3n4/q3p2p/p2n2p1/PppB1P2/5BP1/1P2Q2P/3R2K1 w - - bm f5; id \"STS(v1.0) Undermine.001\"; \
                       c0 \"f5=10, Be5+=2\"; c8 \"10 2 3 2\"; c9 \"f4f5 d4e5 d4f2 f3g4\";";

    fn position(line: &str) -> Result<SuitePosition, SuitePositionError> {
        SuitePosition::new(&line.parse().expect("an EPD"), 1)
    }

    fn outcome(position: &SuitePosition, uci: &str) -> SearchOutcome {
        let best = position.position.parse_uci(uci).ok();
        let time = Duration::from_millis(500);
        SearchOutcome {
            best,
            pv: Vec::new(),
            score: 0,
            depth: 9,
            tainted: false,
            tbhits: 0,
            nodes: 1000,
            used: Vec::new(),
            time,
        }
    }

    #[test]
    fn best_moves_and_moves_to_avoid() {
        let solves = |line: &str, uci| {
            let position = position(line).expect("a position");
            let mv = position.position.parse_uci(uci).expect("a move");
            position.is_solved_by(mv)
        };
        assert!(solves(WAC, "g3g6") && !solves(WAC, "g3g4"));
        let two = WAC.replace("bm Qg6", "bm Qg6, Nfd7");
        assert!(solves(&two, "g3g6") && solves(&two, "f6d7") && !solves(&two, "g3g4"));
        assert!(solves(&WAC.replace("Qg6", "Qg6 +"), "g3g6"));
        let avoid = WAC.replace("bm", "am");
        assert!(!solves(&avoid, "g3g6") && solves(&avoid, "g3g4"));
        let points_only = STS.replace("bm f5; ", "");
        assert!(solves(&points_only, "f4f5") && !solves(&points_only, "d4e5"));
    }

    #[test]
    fn points_are_added_and_misses_named() {
        let (sts, wac) = (position(STS).expect("a position"), position(WAC).expect("a position"));
        let mut totals = SuiteTotals::default();
        assert_eq!(totals.add(&sts, &outcome(&sts, "f4f5")), None);
        let missed = totals.add(&sts, &outcome(&sts, "d4f2")).expect("a line");
        assert_eq!(missed, "STS(v1.0) Undermine.001: Bf2, 3 of 10 points, expected f5 (depth 9)");
        assert!(
            totals.add(&wac, &outcome(&wac, "g3g4")).is_some_and(|line| line.starts_with("WAC.001: Qg4, expected Qg6"))
        );
        let expected = [
            "STS(v1.0) Undermine: 13 of 20 points",
            "Solved:  1 of 3",
            "Points:  13 of 20: 1.3 of 2 best moves' worth, 65.0 %",
            "Nodes:   3000",
            "Nodes/s: 2000",
        ];
        assert_eq!(totals.lines(), expected);
    }

    #[test]
    fn a_line_without_a_valid_expected_move_is_an_error() {
        let error = |from: &str, to: &str| position(&STS.replace(from, to)).expect_err("an error").to_string();
        assert!(error("bm f5", "bm f9").starts_with("bm: "));
        assert!(error("10 2 3 2", "10 2 3").contains("same length"));
        assert!(error("10 2 3 2", "10 2 3 x").contains("'x'"));
        assert!(error("d4e5", "d4d5").starts_with("c9: "));
        assert!(
            position("4k3/8/8/8/8/8/R7/4K3 w - - id \"x\";").is_err_and(|error| error.to_string().contains("no bm"))
        );
        assert!(position("7k/5Q2/6K1/8/8/8/8/8 b - - am Kg8;").is_err(), "not legal");
    }
}
