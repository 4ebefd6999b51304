//! The time control of a match, and the two clocks of a game.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use mnemon_chess::Color;

/// Time for the whole game and what each move adds: `2+0.02` is two seconds and twenty milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimeControl {
    /// For the whole game.
    pub(super) base: Duration,
    /// Added after each move.
    pub(super) increment: Duration,
}

/// The text is no time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected seconds for the game and seconds a move, as in 2+0.02")]
pub(super) struct NotATimeControl;

impl FromStr for TimeControl {
    type Err = NotATimeControl;

    fn from_str(text: &str) -> Result<Self, NotATimeControl> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let control = seconds(base).zip(seconds(increment));
        match control {
            Some((base, increment)) if base >= Duration::from_millis(1) => Ok(TimeControl { base, increment }),
            _ => Err(NotATimeControl),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

/// A number of seconds from 0 to a day.
fn seconds(text: &str) -> Option<Duration> {
    let number = text.trim().parse::<f64>().ok()?;
    (0.0..=86_400.0).contains(&number).then(|| Duration::from_secs_f64(number))
}

/// The clocks of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clocks {
    /// White's and Black's time.
    pub(super) left: [Duration; 2],
    /// Added after each move.
    pub(super) increment: Duration,
}

impl Clocks {
    /// Both clocks at the beginning.
    pub(super) fn new(control: TimeControl) -> Self {
        Clocks { left: [control.base; 2], increment: control.increment }
    }

    /// Takes a move's time off the mover's clock and adds the increment. The error is the time by which the move was late;
    /// `margin` is forgiven.
    pub(super) fn press(&mut self, mover: Color, time: Duration, margin: Duration) -> Result<(), Duration> {
        let left = &mut self.left[mover as usize];
        if time > *left + margin {
            return Err(time - *left);
        }
        *left = left.saturating_sub(time) + self.increment;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_read_and_written() {
        let read = |text: &str| text.parse::<TimeControl>().map(|control| control.to_string());
        assert_eq!(read("2+0.02"), Ok("2+0.02".to_owned()));
        assert_eq!(read("60"), Ok("60+0".to_owned()));
        for text in ["", "+", "0", "-1", "2+-1", "x", "nan", "inf", "1e9", "2+0.02+1", "1+"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_flag_falls_when_the_time_is_over() {
        let milliseconds = Duration::from_millis;
        let control = TimeControl { base: milliseconds(100), increment: milliseconds(10) };
        let mut clocks = Clocks::new(control);
        assert_eq!(clocks.press(Color::White, milliseconds(60), Duration::ZERO), Ok(()));
        assert_eq!(clocks.left, [milliseconds(50), milliseconds(100)]);
        assert_eq!(clocks.press(Color::White, milliseconds(53), Duration::ZERO), Err(milliseconds(3)));
        assert_eq!(clocks.press(Color::White, milliseconds(53), milliseconds(5)), Ok(()));
        assert_eq!(clocks.left[0], milliseconds(10));
    }
}
