//! Plots as SVG text.

mod bars;
mod lines;

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::Result;

pub(crate) use bars::ratio_bars;
pub(crate) use lines::grid_lines;

/// A part of a plot to draw on.
pub(crate) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The text of an SVG file of this many pixels, white where `draw` leaves it.
pub(crate) fn svg(size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Result) -> Result<String> {
    let mut text = String::new();
    let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
    area.fill(&WHITE)?;
    draw(&area)?;
    area.present()?;
    drop(area);
    Ok(text)
}
