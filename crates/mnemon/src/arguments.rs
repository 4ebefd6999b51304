//! Values of arguments that several commands take.

use std::time::Duration;

/// A time: a number with a unit.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    const UNITS: [(&str, f64); 4] = [("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    const LONGEST: f64 = 365.0 * 86_400.0;
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number = digits.parse::<f64>().ok().filter(|_| is_number);
    let unit = UNITS.iter().find(|(name, _)| *name == &text[digits.len()..]);
    let (Some(number), Some((_, seconds))) = (number, unit) else {
        return Err("expected a number with its unit, as in 10s, 500ms, 2m or 1.5h".to_owned());
    };
    match number * seconds {
        time if time < 1e-3 => Err("this is too short: at least 1ms".to_owned()),
        time if time > LONGEST => Err("this is longer than a year; --infinite searches until Ctrl-C".to_owned()),
        time => Ok(Duration::from_secs_f64(time)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_number_with_its_unit() {
        for (text, milliseconds) in
            [("10s", 10_000), ("500ms", 500), ("2m", 120_000), ("1.5h", 5_400_000), (".5s", 500)]
        {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for bad in ["", "10", "s", "-5s", "1e3s", "10 s", "ten", "1.2.3s", "5d", "5S", "infs", "nans", "é", "5é"] {
            assert!(duration(bad).is_err_and(|why| why.contains("500ms")), "{bad}");
        }
        assert!(duration("0s").is_err_and(|why| why.contains("at least")));
        assert!(duration("9999999h").is_err_and(|why| why.contains("--infinite")));
    }
}
