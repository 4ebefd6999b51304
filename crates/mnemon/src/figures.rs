//! Numbers, times and scores in few characters.

use std::time::Duration;

use mnemon_search::WINS;
use mnemon_table::Score;

/// Three digits and a unit: `950`, `12.3k`, `4.56M`.
pub(crate) fn count(number: u64) -> String {
    const UNITS: [(f64, &str); 4] = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    // From here on a number rounds up to the next unit.
    let unit = UNITS.into_iter().find(|(size, _)| number as f64 >= size * 0.9995);
    let Some((size, name)) = unit else { return number.to_string() };
    let value = number as f64 / size;
    let decimals = if value < 9.995 { 2 } else { usize::from(value < 99.95) };
    format!("{value:.decimals$}{name}")
}

/// Nodes a second.
pub(crate) fn speed(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-3)) as u64
}

/// `12 ms`, `3.4 s`, `2:05` minutes or `1:02:05` hours.
pub(crate) fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 0.9995 {
        return format!("{:.0} ms", seconds * 1e3);
    }
    if seconds < 59.95 {
        return format!("{seconds:.1} s");
    }
    let whole = seconds.round() as u64;
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// Pawns such as `+0.35`, or `#3` for a mate in three moves and `#-3` for being mated in three.
pub(crate) fn score(score: Score) -> String {
    match mate(score) {
        None => format!("{:+.2}", f64::from(score) / 100.0),
        Some(moves) => format!("#{moves}"),
    }
}

/// The moves to a mate, negative for being mated; `None` if there is none.
pub(crate) fn mate(score: Score) -> Option<i32> {
    let plies = i32::from(WINS.plies(score)?);
    // Rounded away from zero: a mate in one is a mate in one for both sides.
    Some((plies + plies.signum()) / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_say_enough() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1.00k"),
            (12_345, "12.3k"),
            (999_499, "999k"),
            (999_600, "1.00M"),
            (4_560_000, "4.56M"),
            (9_996_000, "10.0M"),
            (2_000_000_000_000_000, "2000T"),
        ] {
            assert_eq!(count(number), text);
        }
    }

    #[test]
    fn times_are_as_on_a_clock() {
        for (milliseconds, text) in [
            (12, "12 ms"),
            (999, "999 ms"),
            (3420, "3.4 s"),
            (59_990, "1:00"),
            (125_000, "2:05"),
            (3_725_000, "1:02:05"),
        ] {
            assert_eq!(time(Duration::from_millis(milliseconds)), text);
        }
    }

    #[test]
    fn mates_count_in_moves() {
        assert_eq!([0, 2, 4].map(|plies| score(WINS.lost_at(plies))), ["#0", "#-1", "#-2"]);
        assert_eq!([1, 3].map(|plies| score(-WINS.lost_at(plies))), ["#1", "#2"]);
        assert_eq!([1, 2, 3].map(|plies| score(WINS.lost_at(plies))), ["#-1", "#-1", "#-2"], "for the other side");
        assert_eq!((score(-35), score(0)), ("-0.35".to_owned(), "+0.00".to_owned()));
    }
}
