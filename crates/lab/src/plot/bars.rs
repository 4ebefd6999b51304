//! A bar for each named ratio, and a line at 1.

use plotters::prelude::*;

use super::{Area, svg};
use crate::Result;

/// The plot's width in pixels.
const WIDTH: u32 = 900;
/// Pixels above and below the bars.
const MARGIN: i32 = 48;
/// Pixels for the names, left of the bars.
const NAMES: i32 = 210;
/// Pixels for the numbers, right of the longest bar.
const NUMBERS: i32 = 80;
/// Pixels from one bar to the next.
const STEP: i32 = 30;

/// The ratios as an SVG file's text.
pub(crate) fn ratio_bars(ratios: &[(&str, f64)], title: &str) -> Result<String> {
    let height = 2 * MARGIN as u32 + STEP as u32 * ratios.len() as u32;
    svg((WIDTH, height), |area| draw(ratios, title, area))
}

fn draw(ratios: &[(&str, f64)], title: &str, area: &Area<'_>) -> Result {
    let max = ratios.iter().map(|&(_, ratio)| ratio).fold(1.0, f64::max);
    let x = |ratio: f64| NAMES + (ratio / max * f64::from(WIDTH as i32 - NAMES - NUMBERS)) as i32;
    let font = ("sans-serif", 15).into_font();
    area.draw(&Text::new(title, (16, 16), ("sans-serif", 20).into_font()))?;
    for (row, &(name, ratio)) in ratios.iter().enumerate() {
        let top = MARGIN + row as i32 * STEP;
        let bar = [(NAMES, top), (x(ratio), top + STEP - 8)];
        area.draw(&Rectangle::new(bar, Palette99::pick(0).filled()))?;
        area.draw(&Text::new(name, (16, top + 3), font.clone()))?;
        // The number must not cross the line at 1.
        area.draw(&Text::new(format!("{ratio:.2}"), (x(ratio.max(1.0)) + 6, top + 3), font.clone()))?;
    }
    let end = MARGIN + ratios.len() as i32 * STEP;
    area.draw(&PathElement::new([(x(1.0), MARGIN - 6), (x(1.0), end)], BLACK.stroke_width(1)))?;
    area.draw(&Text::new("1", (x(1.0) - 4, end + 6), font))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_and_number_is_in_the_plot() {
        let svg = ratio_bars(&[("mirror", 1.5), ("history", 0.98)], "Ratios").unwrap();
        assert!(svg.starts_with("<svg"));
        for word in ["Ratios", "mirror", "1.50", "history", "0.98"] {
            assert!(svg.contains(word), "{word}");
        }
    }
}
