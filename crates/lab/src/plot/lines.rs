//! A line for each column of a grid over its rows, on a logarithmic scale.

use plotters::prelude::*;

use super::{Area, svg};
use crate::Result;
use crate::results::Grid;

/// The grid as an SVG file's text.
pub(crate) fn grid_lines(grid: &Grid, title: &str, unit: &str) -> Result<String> {
    svg((900, 560), |area| draw(grid, title, unit, area))
}

fn draw(grid: &Grid, title: &str, unit: &str, area: &Area<'_>) -> Result {
    let numbers = || grid.rows.iter().flat_map(|(_, numbers)| numbers).copied();
    let (min, max) = (numbers().fold(f64::INFINITY, f64::min), numbers().fold(0.0, f64::max));
    let last = grid.rows.len().saturating_sub(1) as f64;
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 20))
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(72)
        .build_cartesian_2d(0.0..last, (min * 0.9..max * 1.1).log_scale())?;
    chart
        .configure_mesh()
        .x_labels(grid.rows.len())
        .x_label_formatter(&|row| {
            grid.rows.get(row.round() as usize).map_or_else(String::new, |(name, _)| name.clone())
        })
        .y_label_formatter(&|number| format!("{number:.1}"))
        .x_desc(grid.corner.as_str())
        .y_desc(unit)
        .light_line_style(WHITE)
        .draw()?;
    for (column, name) in grid.columns.iter().enumerate() {
        let color = Palette99::pick(column).to_rgba();
        let points = grid.rows.iter().enumerate().map(|(row, (_, numbers))| (row as f64, numbers[column]));
        let style = color.stroke_width(2);
        chart
            .draw_series(LineSeries::new(points, style).point_size(3))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
    }
    chart.configure_series_labels().border_style(BLACK.mix(0.3)).background_style(WHITE.mix(0.9)).draw()?;
    Ok(())
}
