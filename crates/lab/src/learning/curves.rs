//! A plot for each learner and opponent: its score by round within its interval, and the score without learning.

use plotters::prelude::*;

use super::gains::Outcome;
use super::series::Opponent;
use crate::Result;
use crate::plot::{self, Area};

/// Plots side by side.
const COLUMNS: usize = 3;
/// A plot's size in pixels.
const SIZE: (u32, u32) = (340, 260);

/// The learners as an SVG file's text; the first one does not learn. The opponent that varies comes first.
pub(super) fn svg(outcome: &Outcome<'_>) -> Result<String> {
    let others = 1..outcome.learners.len();
    let opponents = [Opponent::Varying, Opponent::Same];
    let plots: Vec<_> =
        opponents.into_iter().flat_map(|opponent| others.clone().map(move |it| (it, opponent))).collect();
    let rows = plots.len().div_ceil(COLUMNS).max(1);
    let size = (SIZE.0 * COLUMNS as u32, SIZE.1 * rows as u32);
    plot::svg(size, |area| {
        let parts = area.split_evenly((rows, COLUMNS));
        plots.iter().zip(&parts).try_for_each(|(&(learner, opponent), part)| draw(outcome, learner, opponent, part))
    })
}

/// One learner: its score as a line within its interval, and the score without learning as a thin line.
fn draw(outcome: &Outcome<'_>, learner: usize, opponent: Opponent, area: &Area<'_>) -> Result {
    let rounds = outcome.scores(learner, opponent).seeds.first().map_or(0, Vec::len);
    let mut chart = ChartBuilder::on(area)
        .caption(format!("{}, {} opponent (grey: off)", outcome.learners[learner], opponent.name()), ("sans-serif", 15))
        .margin(8)
        .x_label_area_size(32)
        .y_label_area_size(44)
        .build_cartesian_2d(1.0..rounds.max(2) as f64, 0.0..1.0)?;
    chart
        .configure_mesh()
        .x_labels(rounds.min(6))
        .y_labels(6)
        .x_label_formatter(&|round| format!("{round:.0}"))
        .y_label_formatter(&|score| format!("{score:.1}"))
        .x_desc("round")
        .y_desc("points a game")
        .light_line_style(WHITE)
        .draw()?;
    let points = |of: usize| -> Vec<_> {
        (0..rounds).map(|round| ((round + 1) as f64, outcome.round_score(of, opponent, round))).collect()
    };
    let color = Palette99::pick(0);
    let of_learner = points(learner);
    let lows = of_learner.iter().map(|(round, score)| (*round, score.low.clamp(0.0, 1.0)));
    let highs = of_learner.iter().rev().map(|(round, score)| (*round, score.high.clamp(0.0, 1.0)));
    chart.draw_series([Polygon::new(lows.chain(highs).collect::<Vec<_>>(), color.mix(0.15).filled())])?;
    chart.draw_series(LineSeries::new(points(0).iter().map(|(round, score)| (*round, score.mean)), BLACK.mix(0.4)))?;
    let style = color.stroke_width(2);
    chart.draw_series(LineSeries::new(of_learner.iter().map(|(round, score)| (*round, score.mean)), style))?;
    Ok(())
}
