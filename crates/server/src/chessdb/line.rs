//! `querypv`: the line that goes on from the best move.

use mnemon_chess::{Move, Position};
use mnemon_memory::{Content, Trust};
use mnemon_search::Game;
use mnemon_uci::remembered::decoded;

use super::answer::Answer;
use super::known::KnownPosition;
use crate::app::App;
use crate::error::ApiResult;

/// The longest line.
const LONGEST: usize = 60;

/// The best known move, and the line behind it: of the deepest search that begins with it, then from position to position
/// by what is known best there.
pub(crate) fn principal(
    app: &App,
    position: &Position,
    known: &KnownPosition,
    source: Option<&str>,
) -> ApiResult<Answer> {
    let Some(best) = known.moves.first() else { return Ok(Answer::Word("unknown")) };
    let mut line = remembered(app, position, best.mv, source)?;
    let mut seen = vec![position.clone()];
    for &mv in &line {
        let after = seen.last().unwrap_or(position).after(mv);
        seen.push(after);
    }
    while line.len() < LONGEST {
        let Some(at) = seen.last().filter(|at| at.has_moves()) else { break };
        let next = KnownPosition::read(app, at, source, false)?;
        let Some(best) = next.moves.first() else { break };
        let after = at.after(best.mv);
        // A position for the second time adds nothing.
        if seen.contains(&after) {
            break;
        }
        line.push(best.mv);
        seen.push(after);
    }
    Ok(Answer::line(position, best.score, &line))
}

/// The longest of the deepest lines that begin with the move; the move alone if there is none.
fn remembered(app: &App, position: &Position, first: Move, source: Option<&str>) -> ApiResult<Vec<Move>> {
    let mut packed = Vec::new();
    position.pack(&mut packed);
    let trust = Trust::recorded(&app.store.contributors()?);
    let mut deepest: Option<(u8, Vec<Move>)> = None;
    for (author, content) in app.store.annotations(&Position::name(), &packed)? {
        let counts =
            source.map_or_else(|| trust.believes(&author), |name| author.to_string() == name || author.name() == name);
        let Content::Lines(lines) = content else { continue };
        for (set, line) in lines.sets().iter().flat_map(|set| set.lines.iter().map(move |line| (set, line))) {
            let moves = decoded(position, line.moves());
            let is_deeper =
                deepest.as_ref().is_none_or(|(depth, known)| (set.depth, moves.len()) > (*depth, known.len()));
            if counts && moves.first() == Some(&first) && is_deeper {
                deepest = Some((set.depth, moves));
            }
        }
    }
    Ok(deepest.map_or_else(|| vec![first], |(_, moves)| moves))
}
