//! JSON lines, as `memory export` writes them.

use std::io::BufRead;

use mnemon_search::lines::read_line;

use super::intake::{Intake, Report};
use super::{Result, lichess};
use crate::notation::Games;
use crate::record_json::{self, Entry, JsonError};

/// Longer lines are refused: no record, and no set of lines that a search gives, needs as much.
const MAX_LINE_BYTES: usize = 256 << 10;

/// Takes in every line.
pub(super) fn import(mut reader: impl BufRead, intake: &mut Intake<'_>, report: &mut dyn Report) -> Result {
    let (games, mut number) = (Games::new(), 0);
    while let Some(line) = read_line(&mut reader, MAX_LINE_BYTES)? {
        number += 1;
        if lichess::is_blank(&line) {
            continue;
        }
        let read = match line.len() {
            length if length > MAX_LINE_BYTES => Err(JsonError::TooLong(MAX_LINE_BYTES)),
            _ => record_json::read(&line, &games),
        };
        match read {
            Ok((entry, contributors)) => {
                contributors.into_iter().for_each(|identity| intake.introduce(identity));
                match entry {
                    Entry::Record(item) => intake.item(item)?,
                    Entry::Annotation(annotation) => intake.annotation(annotation)?,
                }
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
