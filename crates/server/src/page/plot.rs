//! Curves as SVG, with the numbers rounded to what a pixel can show.

/// The path of a curve through the points.
pub(super) fn curve(points: &[(f64, f64)]) -> String {
    let mut path = String::new();
    for (index, (x, y)) in points.iter().enumerate() {
        path += &format!("{}{x:.1} {y:.1}", if index == 0 { "M" } else { "L" });
    }
    path
}

/// The path around the area between the curve and the height `base`.
pub(super) fn area(points: &[(f64, f64)], base: f64) -> String {
    match (points.first(), points.last()) {
        (Some((first, _)), Some((last, _))) => {
            format!("{}L{last:.1} {base:.1}L{first:.1} {base:.1}Z", curve(points))
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_a_path() {
        let points = [(0.0, 1.0), (10.0, 2.55)];
        assert_eq!(curve(&points), "M0.0 1.0L10.0 2.5");
        assert_eq!(area(&points, 5.0), "M0.0 1.0L10.0 2.5L10.0 5.0L0.0 5.0Z");
        assert_eq!(area(&[], 5.0), "");
    }
}
