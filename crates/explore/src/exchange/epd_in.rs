//! Lines of EPD: an analysis becomes a record and its line, a name becomes a note.

use std::io::BufRead;

use mnemon_chess::epd::{Epd, EpdAnalysis, EpdError};
use mnemon_chess::{Position, to_code};
use mnemon_memory::{Line, LineSet, Lines, Origins, Record, Source};
use mnemon_search::lines::read_line;
use mnemon_table::Window;

use super::Result;
use super::author::source_named;
use super::intake::{Intake, Report, packed};

/// The longest line that is read, in bytes.
const MAX_LINE_BYTES: usize = 1 << 16;

/// Takes in every line.
pub(super) fn import(mut reader: impl BufRead, intake: &mut Intake<'_>, report: &mut dyn Report) -> Result {
    let mut number = 0;
    while let Some(line) = read_line(&mut reader, MAX_LINE_BYTES)? {
        number += 1;
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_matches(|letter: char| letter == '\0' || letter == '\u{feff}' || letter.is_whitespace());
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        match read(text, line.len()) {
            Ok((position, analysis)) => take(&position, &analysis, intake)?,
            Err(error) => {
                if report.broken(number, &error.to_string()).is_err() {
                    break;
                }
            }
        }
    }
    Ok(())
}

fn read(text: &str, bytes: usize) -> std::result::Result<(Position, EpdAnalysis), EpdError> {
    if bytes > MAX_LINE_BYTES {
        return Err(EpdError::TooLong);
    }
    let epd: Epd = text.parse()?;
    let analysis = epd.analysis()?;
    Ok((epd.position, analysis))
}

fn take(position: &Position, analysis: &EpdAnalysis, intake: &mut Intake<'_>) -> Result {
    let packed = packed(position);
    let named = analysis.comment.as_deref().and_then(source_named);
    let source = named.unwrap_or_else(|| Source::file(intake.label()));
    let record = record(analysis);
    // The results of games are no analyses, and only games have them.
    if !record.is_empty() && !source.is_player() {
        let origins = if source.is_person() { Origins::ADVICE } else { Origins::SEARCH };
        intake.record(&packed, &source, Record { origins, ..record })?;
    }
    if let (Some(score), false, false) =
        (analysis.score, analysis.pv.is_empty(), source.is_person() || source.is_player())
    {
        let line = Line::new(Window::exact(score), analysis.pv.iter().map(|&mv| to_code(mv).get()));
        let set = LineSet { depth: analysis.depth.unwrap_or(0), time: 0, lines: vec![line] };
        intake.lines(&packed, &source, Lines::from(set))?;
    }
    match analysis.id.as_deref().map(str::trim).filter(|id| !id.is_empty()) {
        None => Ok(()),
        Some(id) => {
            let person = if source.is_person() { source } else { Source::person(intake.label()) };
            intake.note(&packed, &person, id, 0)
        }
    }
}

/// What an analysis says of its position; empty if it is neither a score nor a move.
fn record(analysis: &EpdAnalysis) -> Record {
    let best = analysis.best.iter().find(|mv| analysis.pv.first() == Some(mv));
    let best = best.or(analysis.pv.first()).or(analysis.best.first()).map_or(0, |&mv| to_code(mv).get());
    let record = analysis.score.map_or_else(Record::default, |score| Record::exact(score, analysis.depth.unwrap_or(0)));
    Record { best, nodes: analysis.nodes.unwrap_or(0), ..record }
}
