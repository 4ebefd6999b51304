//! The growth of the memory as a plot: how many of its records were last changed up to a time.

use std::ops::ControlFlow;

use mnemon_explore::format;
use mnemon_memory::{Range, Store};

use super::super::plot;
use super::grouped;
use crate::error::ApiResult;

const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 180.0;

/// The height below the plot for the times.
const MARGIN: f64 = 18.0;

/// The number of points of the curve.
const STEPS: usize = 120;

/// The plot, with its ends in words.
pub(super) fn plot(store: &dyn Store) -> ApiResult<String> {
    let mut times = times(store)?;
    times.sort_unstable();
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else {
        return Ok("<p class=\"muted\">Nothing was learned yet.</p>".to_owned());
    };
    let total = times.len();
    let points = points(&times);
    Ok(format!(
        "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {}\" role=\"img\" aria-label=\"From {} to {} the memory grew to {} records\">\
         <path class=\"area\" d=\"{}\"/><path class=\"axis\" d=\"M0 {HEIGHT}H{WIDTH}\"/><path class=\"curve\" d=\"{}\"/>\
         <text x=\"2\" y=\"{:.0}\">{}</text><text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{}</text>\
         <text x=\"2\" y=\"12\">{}</text></svg>",
        HEIGHT + MARGIN,
        day(first),
        day(last),
        grouped(total as u64),
        plot::area(&points, HEIGHT),
        plot::curve(&points),
        HEIGHT + 13.0,
        day(first),
        WIDTH - 2.0,
        HEIGHT + 13.0,
        day(last),
        grouped(total as u64),
    ))
}

/// When each record was last learned or used; those without a time are left out.
fn times(store: &dyn Store) -> ApiResult<Vec<u32>> {
    let mut times = Vec::new();
    store.scan(&Range::default(), &mut |item| {
        times.extend(Some(item.record.time).filter(|&time| time > 0));
        ControlFlow::Continue(())
    })?;
    Ok(times)
}

/// The curve through the counts at equal distances of time.
fn points(times: &[u32]) -> Vec<(f64, f64)> {
    let (first, last) = (f64::from(times[0]), f64::from(times[times.len() - 1]));
    let span = (last - first).max(1.0);
    let place = |step: usize| {
        let part = step as f64 / STEPS as f64;
        let count = times.partition_point(|&time| f64::from(time) <= first + part * span + 1e-6);
        (part * WIDTH, HEIGHT - (HEIGHT - 18.0) * count as f64 / times.len() as f64)
    };
    (0..=STEPS).map(place).collect()
}

/// The day and minute of a time.
fn day(time: u32) -> String {
    format::moment(time)[..16].replace('T', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_rises_to_all_records() {
        let points = points(&[100, 100, 150, 200]);
        assert_eq!((points[0], points[STEPS]), ((0.0, HEIGHT - 81.0), (WIDTH, 18.0)));
        assert!(points.is_sorted_by(|a, b| a.0 < b.0 && a.1 >= b.1));
        assert_eq!(points.len(), STEPS + 1);
    }
}
