//! Time management: the soft and hard time limits of a move, from the clock.

use std::time::Duration;

/// The clock of the side to move, in milliseconds as UCI sends them; a clock that has run out may be negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// The remaining time (`wtime`, `btime`); `None` without a clock.
    pub remaining: Option<i64>,
    /// The increment per move (`winc`, `binc`).
    pub increment: i64,
    /// Moves to the next time control (`movestogo`); `None` in sudden death.
    pub moves_to_go: Option<u32>,
    /// A fixed time for this move (`movetime`).
    pub move_time: Option<i64>,
}

/// The time allotted to a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allotment {
    /// Soft limit: as a rule, no new iteration begins after it. `None` if the whole time is to be used.
    pub soft: Option<Duration>,
    /// Hard limit: the search is stopped.
    pub hard: Duration,
}

/// The assumed number of moves to come in sudden death.
const EXPECTED_MOVES: f64 = 24.0;
/// The soft limit, in shares: a share is the usable time divided by the moves to come.
const SOFT_SHARES: f64 = 0.7;
/// The hard limit, in shares.
const HARD_SHARES: f64 = 4.0;
/// The most that the hard limit takes of the usable time.
const MAX_PART: f64 = 0.4;
/// The same for the last move before a time control.
const LAST_MOVE_PART: f64 = 0.9;

impl Clock {
    /// The limits of this move; `None` without a clock. `move_overhead` is the time that passes between the engine's decision
    /// and the moment when the opponent's clock starts.
    ///
    /// The hard limit is at most the remaining time minus the overhead, and at least one millisecond.
    ///
    /// ```
    /// use std::time::Duration;
    /// use mnemon_engine::Clock;
    ///
    /// let clock = Clock { remaining: Some(60_000), increment: 600, ..Clock::default() };
    /// let limits = clock.allot(Duration::from_millis(30)).expect("a clock");
    /// assert!(limits.soft < Some(limits.hard) && limits.hard < Duration::from_secs(24));
    /// ```
    #[must_use]
    pub fn allot(&self, move_overhead: Duration) -> Option<Allotment> {
        let overhead = move_overhead.as_millis().min(i64::MAX as u128) as i64;
        let usable = |time: i64| time.saturating_sub(overhead).max(1);
        let by_clock = self.remaining.map(|left| self.share(usable(left), overhead));
        let by_move = self.move_time.map(|time| Allotment { soft: None, hard: milliseconds(usable(time) as f64) });
        match (by_clock, by_move) {
            // Both: the time of the move counts, up to the remaining time.
            (Some(_), Some(time)) => {
                let most = milliseconds(usable(self.remaining.unwrap_or_default()) as f64);
                Some(Allotment { soft: None, hard: time.hard.min(most) })
            }
            (clock, time) => time.or(clock),
        }
    }

    /// The limits of a move by its share of the usable time.
    fn share(&self, usable: i64, overhead: i64) -> Allotment {
        let usable = usable as f64;
        // Each move to come adds its increment and costs its overhead.
        let gain = (self.increment.max(0) - overhead.min(self.increment.max(0))) as f64;
        let (moves, part) = match self.moves_to_go {
            Some(1) => (1.0, LAST_MOVE_PART),
            Some(moves @ 2..) => (f64::from(moves).min(EXPECTED_MOVES * 2.0), MAX_PART.max(1.2 / f64::from(moves))),
            // Some GUIs send 0 in sudden death.
            Some(0) | None => (EXPECTED_MOVES, MAX_PART),
        };
        let share = (usable + gain * (moves - 1.0)) / moves;
        let spendable = (usable - self.reserve(usable, overhead)).max(1.0);
        let hard = (share * HARD_SHARES).min(spendable * part);
        let soft = (share * SOFT_SHARES).min(hard);
        Allotment { soft: Some(milliseconds(soft)), hard: milliseconds(hard) }
    }

    /// The time reserved for the overhead of later moves, as far as the increment does not pay for it, if each is made in a
    /// millisecond. Before a time control all of it is reserved; in sudden death at most half of the usable time.
    fn reserve(&self, usable: f64, overhead: i64) -> f64 {
        let cost = overhead.saturating_add(1).saturating_sub(self.increment.max(0)).max(0) as f64;
        match self.moves_to_go {
            Some(moves @ 1..) => cost * f64::from(moves - 1),
            Some(0) | None => (cost * EXPECTED_MOVES).min(usable / 2.0),
        }
    }
}

/// At least a millisecond, so that something is searched.
fn milliseconds(time: f64) -> Duration {
    Duration::from_secs_f64(time.clamp(1.0, 1e12) / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn clock(left: i64, increment: i64, moves_to_go: Option<u32>) -> Clock {
        Clock { remaining: Some(left), increment, moves_to_go, move_time: None }
    }

    fn allotted(clock: Clock) -> (i64, i64) {
        let Allotment { soft, hard } = clock.allot(OVERHEAD).expect("a clock");
        (soft.map_or(-1, |soft| soft.as_millis() as i64), hard.as_millis() as i64)
    }

    #[test]
    fn the_hard_limit_never_exceeds_the_remaining_time() {
        let numbers = [i64::MIN, -1000, -1, 0, 1, 5, 10, 11, 12, 50, 999, 10_000, 7_200_000, i64::MAX];
        for left in numbers {
            for increment in numbers {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(3), Some(40), Some(u32::MAX)] {
                    let clock = clock(left, increment, moves_to_go);
                    let (soft, hard) = allotted(clock);
                    assert!(1 <= soft && soft <= hard, "{clock:?}: {soft} {hard}");
                    assert!(hard <= left.saturating_sub(10).max(1), "{clock:?}: {hard}");
                }
            }
        }
    }

    /// A server counts the time for the move and the overhead.
    #[test]
    fn hard_limit_and_overhead_fit_the_remaining_time() {
        for overhead in [0, 1, 30, 1000, 10_000] {
            for left in (0..3000).chain([10_000, 10_001, 60_000]) {
                for (increment, moves_to_go) in [(0, None), (1, None), (5000, None), (0, Some(1)), (3, Some(2))] {
                    for move_time in [None, Some(1), Some(5000)] {
                        let clock = Clock { remaining: Some(left), increment, moves_to_go, move_time };
                        let overhead = Duration::from_millis(overhead);
                        let hard = clock.allot(overhead).expect("a clock").hard;
                        let there_is = Duration::from_millis(left as u64);
                        let is_hopeless = there_is <= overhead && hard == Duration::from_millis(1);
                        assert!(hard + overhead <= there_is || is_hopeless, "{clock:?} {overhead:?}: {hard:?}");
                    }
                }
            }
        }
    }

    /// Every move takes its hard limit and the whole overhead.
    #[test]
    fn a_game_of_the_slowest_moves_does_not_lose_on_time() {
        for (start, increment, period) in [(60_000, 0, None), (1000, 20, None), (10_000, 0, Some(40)), (300, 11, None)]
        {
            let mut left = start;
            for ply in 0..200 {
                let moves_to_go = period.map(|period| period - ply % period);
                let (_, hard) = allotted(clock(left, increment, moves_to_go));
                left -= hard + 10;
                if left < 0 {
                    assert!(increment == 0 && period.is_none() && ply > 15, "{start}+{increment}: lost at ply {ply}");
                    break;
                }
                left += increment + if moves_to_go == Some(1) { start } else { 0 };
            }
        }
    }

    #[test]
    fn sudden_death_leaves_time_for_many_moves() {
        let (soft, hard) = allotted(clock(60_000, 0, None));
        assert!((1000..3000).contains(&soft) && (5000..15_000).contains(&hard), "{soft} {hard}");
        let mut left = 60_000;
        for _ in 0..100 {
            left -= allotted(clock(left, 0, None)).0 + 10;
        }
        assert!(left > 1000, "{left} ms remain after a hundred moves");
    }

    #[test]
    fn increments_are_used_without_losing_on_time() {
        let mut left = 100;
        for _ in 0..300 {
            let (_, hard) = allotted(clock(left, 1000, None));
            left -= hard + 10;
            assert!(left >= 0, "{left}");
            left += 1000;
        }
        let (soft, _) = allotted(clock(2000, 1000, None));
        assert!(soft > 500, "{soft}");
    }

    #[test]
    fn the_last_move_before_a_time_control_may_use_most_of_the_time() {
        let (soft, hard) = allotted(clock(10_000, 0, Some(1)));
        assert!(soft > 5000 && (8000..9990).contains(&hard), "{soft} {hard}");
        let (_, twenty) = allotted(clock(10_000, 0, Some(20)));
        assert!(twenty < hard / 2, "{twenty}");
    }

    #[test]
    fn an_empty_clock_still_gives_a_millisecond() {
        for left in [1, 0, -1, -100_000] {
            assert_eq!(allotted(clock(left, 0, None)), (1, 1));
        }
    }

    #[test]
    fn a_fixed_move_time_is_used_whole() {
        let exact = |move_time, left| Clock { move_time: Some(move_time), remaining: left, ..Clock::default() };
        assert_eq!(allotted(exact(1000, None)), (-1, 990));
        assert_eq!(allotted(exact(1, None)), (-1, 1));
        assert_eq!(allotted(exact(-5, None)), (-1, 1));
        assert_eq!(allotted(exact(1000, Some(60_000))), (-1, 990));
        assert_eq!(allotted(exact(1000, Some(500))).1, 490, "the clock has no more");
        assert_eq!(Clock::default().allot(OVERHEAD), None);
    }
}
