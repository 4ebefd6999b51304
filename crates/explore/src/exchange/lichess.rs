//! Evaluations of lichess's database: a position a line, with one or more analyses of it.
//!
//! ```json
//! {"fen":"... w - -","evals":[{"pvs":[{"cp":311,"line":"g2e4 f7f5"}],"knodes":206765,"depth":36}]}
//! ```
//!
//! Scores are in White's view. Castling is the king's move onto its rook, or two steps.

use std::borrow::Cow;
use std::io::BufRead;

use mnemon_chess::{Color, Position, to_code};
use mnemon_memory::{Line, LineSet, Lines, Origins, Record, Source};
use mnemon_search::{HIGHEST_POINTS, MAX_DEPTH, WINS};
use mnemon_table::{Score, Window};
use serde::Deserialize;

use super::Result;
use super::intake::{Intake, Report};

/// Longer lines are refused.
const MAX_LINE_BYTES: usize = 1 << 20;
/// Longer mates are read as this.
const MAX_MATE: i64 = 499;

/// The name of the source.
const LICHESS_CLOUD: &str = "lichess cloud";

#[derive(Deserialize)]
struct LichessLine<'l> {
    #[serde(borrow)]
    fen: Cow<'l, str>,
    #[serde(borrow)]
    evals: Vec<Analysis<'l>>,
}

#[derive(Deserialize)]
struct Analysis<'l> {
    #[serde(borrow)]
    pvs: Vec<Pv<'l>>,
    #[serde(default)]
    knodes: u64,
    depth: u32,
}

#[derive(Deserialize)]
struct Pv<'l> {
    cp: Option<i64>,
    mate: Option<i64>,
    #[serde(borrow, alias = "moves")]
    line: Cow<'l, str>,
}

/// Why a line is no evaluation.
#[derive(Debug, thiserror::Error)]
enum LineError {
    #[error("expected a line such as {{\"fen\":..., \"evals\":[...]}}: {0}")]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Chess(#[from] mnemon_chess::ChessError),
    #[error("a variation needs one of \"cp\" and \"mate\"")]
    NoScore,
    #[error("a variation has no move")]
    NoMove,
    #[error("there is no evaluation in this line")]
    NoEvaluation,
    #[error("this line is longer than {MAX_LINE_BYTES} bytes")]
    TooLong,
}

/// A line's position, record and lines.
struct Evaluated {
    packed: Vec<u8>,
    record: Record,
    lines: Lines,
}

/// Takes in every line.
pub(super) fn import(mut reader: impl BufRead, intake: &mut Intake<'_>, report: &mut dyn Report) -> Result {
    let source = Source::engine(LICHESS_CLOUD, "");
    let (mut line, mut number) = (Vec::new(), 0);
    while next_line(&mut reader, &mut line)? {
        number += 1;
        if is_blank(&line) {
            continue;
        }
        match read(&line) {
            Ok(Evaluated { packed, record, lines }) => {
                intake.record(&packed, &source, record)?;
                intake.lines(&packed, &source, lines)?;
            }
            Err(error) => {
                if report.broken(number, &error.to_string()).is_err() {
                    break;
                }
            }
        }
    }
    Ok(())
}

/// Whether there is nothing in a line.
pub(super) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

/// Reads a line into the same bytes again; false after the last. Of one that is too long the beginning is kept.
fn next_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<bool> {
    use std::io::Read;
    line.clear();
    reader.by_ref().take(MAX_LINE_BYTES as u64 + 1).read_until(b'\n', line)?;
    if line.len() > MAX_LINE_BYTES && line.last() != Some(&b'\n') {
        reader.skip_until(b'\n')?;
    }
    Ok(!line.is_empty())
}

fn read(line: &[u8]) -> std::result::Result<Evaluated, LineError> {
    if line.len() > MAX_LINE_BYTES {
        return Err(LineError::TooLong);
    }
    let LichessLine { fen, evals } = serde_json::from_slice(line)?;
    let position: Position = fen.parse()?;
    let mut sets = Vec::with_capacity(evals.len());
    let mut deepest: Option<(u8, u64, Score, u16)> = None;
    for analysis in &evals {
        let depth = analysis.depth.min(MAX_DEPTH.into()) as u8;
        let lines = analysis.pvs.iter().map(|pv| pv.line(&position)).collect::<std::result::Result<Vec<_>, _>>()?;
        let Some(best) = lines.first() else { continue };
        let nodes = analysis.knodes.saturating_mul(1000);
        if deepest.is_none_or(|(known, most, ..)| (known, most) < (depth, nodes)) {
            deepest = Some((depth, nodes, best.window().lower, best.moves()[0]));
        }
        sets.push(LineSet { depth, time: 0, lines });
    }
    let (depth, nodes, score, best) = deepest.ok_or(LineError::NoEvaluation)?;
    let record = Record { best, nodes, origins: Origins::SEARCH, ..Record::exact(score, depth) };
    Ok(Evaluated { packed: super::intake::packed(&position), record, lines: sets.into_iter().collect() })
}

impl Pv<'_> {
    fn line(&self, position: &Position) -> std::result::Result<Line, LineError> {
        let score = self.score(position.side_to_move()).ok_or(LineError::NoScore)?;
        let (mut at, mut moves) = (position.clone(), Vec::with_capacity(16));
        for word in self.line.split_ascii_whitespace() {
            let mv = at.parse_uci(word)?;
            moves.push(to_code(mv).get());
            at = at.after(mv);
        }
        if moves.is_empty() {
            return Err(LineError::NoMove);
        }
        Ok(Line::new(Window::exact(score), moves))
    }

    /// The score for the side to move.
    fn score(&self, side: Color) -> Option<Score> {
        let sign = if side == Color::White { 1 } else { -1 };
        match (self.cp, self.mate) {
            (_, Some(mate)) => {
                let moves = sign * mate.clamp(-MAX_MATE, MAX_MATE);
                let lost = WINS.lost_at(if moves > 0 { 2 * moves - 1 } else { -2 * moves } as u16);
                Some(if moves > 0 { -lost } else { lost })
            }
            (Some(cp), None) => {
                let highest = i64::from(HIGHEST_POINTS);
                Some((sign * cp.clamp(-highest, highest)) as Score)
            }
            (None, None) => None,
        }
    }
}

/// The record and the lines of one line, for tests and fuzzing.
#[doc(hidden)]
pub fn read_evaluation(line: &[u8]) -> Option<(Vec<u8>, Record, Lines)> {
    read(line).ok().map(|evaluated| (evaluated.packed, evaluated.record, evaluated.lines))
}
