//! The evaluations along the line as a graph. Each of its points is a link to the position.

use mnemon_chess::{Color, Position, variation};
use mnemon_explore::views;
use mnemon_search::{Game, Notation};
use mnemon_table::Score;

use super::super::address::Line;
use super::super::html::escape;
use super::super::{chance, plot};
use super::tree::deepest;
use crate::app::App;
use crate::error::ApiResult;

const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 120.0;

/// What is known of each position of the line, for White: the memory's deepest record, or what the game's text says.
pub(super) fn evaluations(app: &App, line: &Line) -> ApiResult<Vec<Option<Score>>> {
    let positions = line.positions();
    let pack = |position: &Position| {
        let mut bytes = Vec::new();
        Game::pack(position, &mut bytes);
        bytes
    };
    let packed: Vec<Vec<u8>> = positions.iter().map(pack).collect();
    let known = views(&*app.store, "chess", &packed)?;
    let of_position = |(index, (position, views)): (usize, (&Position, &mnemon_explore::Views))| {
        let record = deepest(views);
        let claims = record.map(|record| [record.lower, record.upper]).into_iter().flatten();
        let score = claims.filter(|claim| claim.is_known()).max_by_key(|claim| claim.depth).map(|claim| claim.score);
        let for_white = score.map(|score| if position.side_to_move() == Color::White { score } else { -score });
        for_white.or_else(|| *line.scores.get(index.checked_sub(1)?)?)
    };
    Ok(positions.iter().zip(&known).enumerate().map(of_position).collect())
}

/// The graph; nothing for a line without moves.
pub(super) fn graph(line: &Line, evaluations: &[Option<Score>]) -> String {
    if line.moves.is_empty() {
        return "<div data-part=\"graph\"></div>".to_owned();
    }
    let step = WIDTH / evaluations.len() as f64;
    let place = |index: usize, score: Score| {
        ((index as f64 + 0.5) * step, 4.0 + (HEIGHT - 8.0) * (1.0 - chance::of_score(score)))
    };
    let known = evaluations.iter().enumerate().filter_map(|(index, score)| Some(place(index, (*score)?)));
    let points: Vec<(f64, f64)> = known.collect();
    let dots: String = points
        .iter()
        .map(|(x, y)| {
            format!("<circle class=\"point\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\"/>", (step / 4.0).clamp(1.0, 3.5))
        })
        .collect();
    let links: String = (0..evaluations.len()).map(|at| link(line, at, evaluations[at], step)).collect();
    let known = points.len();
    format!(
        "<figure class=\"graph\" data-part=\"graph\"><figcaption class=\"muted\">Evaluations for White, {known} of {} \
         positions</figcaption>\n<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"group\" aria-label=\"Graph of \
         the evaluations\"><path class=\"area\" d=\"{}\"/><path class=\"axis\" d=\"M0 60h600\"/>{links}<path class=\"curve\" \
         d=\"{}\"/>{dots}</svg></figure>",
        evaluations.len(),
        plot::area(&points, HEIGHT / 2.0),
        plot::curve(&points),
    )
}

/// The strip of the graph that belongs to a position.
fn link(line: &Line, at: usize, score: Option<Score>, step: f64) -> String {
    let score = score.map_or_else(|| "not known".to_owned(), Position::write_score);
    let name = match at.checked_sub(1) {
        None => "Start".to_owned(),
        Some(before) => variation::text(&line.at(before).position(), &[line.moves[before]], None),
    };
    let current = if at == line.at { " aria-current=\"true\"" } else { "" };
    format!(
        "<a href=\"{}\"{current} aria-label=\"{}, {score}\"><title>{} {score}</title><rect class=\"hit\" x=\"{:.1}\" y=\"0\" \
         width=\"{step:.1}\" height=\"{HEIGHT}\"/></a>",
        escape(&line.at(at).address()),
        escape(&name),
        escape(&name),
        at as f64 * step,
    )
}
