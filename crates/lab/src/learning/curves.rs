//! A plot for each policy: its score by round, and the score without learning.

use plotters::prelude::*;

use super::page::score;
use super::schedule::Learner;
use crate::Result;
use crate::plot::{self, Area};

/// Plots side by side.
const COLUMNS: usize = 3;
/// A plot's size in pixels.
const SIZE: (u32, u32) = (340, 260);

/// The learners as an SVG file's text; the first one does not learn.
pub(super) fn svg(learners: &[Learner]) -> Result<String> {
    let Some((off, others)) = learners.split_first() else { return Ok(String::new()) };
    let columns = others.len().clamp(1, COLUMNS);
    let rows = others.len().div_ceil(columns).max(1);
    let size = (SIZE.0 * columns as u32, SIZE.1 * rows as u32);
    plot::svg(size, |area| {
        let parts = area.split_evenly((rows, columns));
        others.iter().zip(&parts).try_for_each(|(learner, part)| draw(learner, off, part))
    })
}

/// One learner: its score as a line within its interval, and the score without learning as a thin line.
fn draw(learner: &Learner, off: &Learner, area: &Area<'_>) -> Result {
    let last = learner.rounds.len().max(2) as f64;
    let mut chart = ChartBuilder::on(area)
        .caption(format!("{} (grey: off)", learner.name), ("sans-serif", 16))
        .margin(8)
        .x_label_area_size(32)
        .y_label_area_size(44)
        .build_cartesian_2d(1.0..last, 0.0..1.0)?;
    chart
        .configure_mesh()
        .x_labels(learner.rounds.len().min(6))
        .y_labels(6)
        .x_label_formatter(&|round| format!("{round:.0}"))
        .y_label_formatter(&|score| format!("{score:.1}"))
        .x_desc("round")
        .y_desc("points a game")
        .light_line_style(WHITE)
        .draw()?;
    let points = |of: &Learner| -> Vec<_> {
        of.rounds.chunks(1).enumerate().map(|(round, points)| ((round + 1) as f64, score(points))).collect()
    };
    let color = Palette99::pick(0);
    let of_learner = points(learner);
    let lows = of_learner.iter().map(|(round, score)| (*round, score.low));
    let highs = of_learner.iter().rev().map(|(round, score)| (*round, score.high));
    chart.draw_series([Polygon::new(lows.chain(highs).collect::<Vec<_>>(), color.mix(0.15).filled())])?;
    chart
        .draw_series(LineSeries::new(points(off).iter().map(|(round, score)| (*round, score.mean)), BLACK.mix(0.4)))?;
    let style = color.stroke_width(2);
    chart.draw_series(LineSeries::new(of_learner.iter().map(|(round, score)| (*round, score.mean)), style))?;
    Ok(())
}
