//! Records as text for a terminal.

use mnemon_memory::{Claim, Contributor, Origins, PROVEN, Record, Source, SourceKind};
use mnemon_search::WINS;
use mnemon_table::Score;
use time::OffsetDateTime;

use crate::estimate::Estimate;
use crate::notation::Position;

/// Stands for what is not known.
pub const NOTHING: &str = "-";

/// What the record says of the position's value: `= +0.35` where both ends are known, `~ +0.35` where they nearly agree, or
/// each end, `>= +0.20, <= +0.50`. Scores are for the side to move; the caller's output says so.
pub fn score(position: &dyn Position, record: &Record) -> String {
    match Estimate::new(record, position.near()) {
        Estimate::Exact(score, depth) => {
            // A search that has not reached the end of the game scores an unknown position 0.
            let is_result = score != 0 || depth == PROVEN;
            let verdict = position.verdict(score).filter(|_| is_result);
            let verdict = verdict.map_or_else(String::new, |verdict| format!(" ({verdict})"));
            format!("= {}{verdict}", position.write_score(score))
        }
        Estimate::About(score, _) => format!("~ {}", position.write_score(score)),
        bounds => ends(bounds, |sign, claim| format!("{sign} {}", position.write_score(claim.score))),
    }
}

/// The depth of the record, or those of both ends in the order in which [`score`] gives them.
pub fn depths(position: &dyn Position, record: &Record) -> String {
    match Estimate::new(record, position.near()) {
        Estimate::Exact(score, depth) | Estimate::About(score, depth) => self::depth(Claim::new(score, depth)),
        bounds => ends(bounds, |_, claim| depth(claim)),
    }
}

/// Both ends of the record as they are, and their depths: `>= +0.20, <= +0.28` and `12, 14`.
pub fn both_ends(position: &dyn Position, record: &Record) -> (String, String) {
    let Record { lower, upper, .. } = *record;
    if lower.is_known() && lower.score == upper.score && lower.depth == upper.depth {
        return (score(position, record), depth(lower));
    }
    let each = |write: &dyn Fn(&str, Claim) -> String| {
        let known = [(">=", lower), ("<=", upper)].into_iter().filter(|(_, claim)| claim.is_known());
        let texts: Vec<String> = known.map(|(sign, claim)| write(sign, claim)).collect();
        if texts.is_empty() { NOTHING.to_owned() } else { texts.join(", ") }
    };
    (each(&|sign, claim| format!("{sign} {}", position.write_score(claim.score))), each(&|_, claim| depth(claim)))
}

/// The record's value in as few letters as possible, for a column: `+0.35`, `~+0.35`, `>=+0.20`, `+0.20..+0.50`, `#5`.
pub fn compact(position: &dyn Position, record: &Record) -> String {
    let number = |score: Score| match WINS.plies(score) {
        None => position.write_score(score),
        Some(plies @ 1..) => format!("#{}", (plies + 1) / 2),
        Some(plies) => format!("#-{}", -plies / 2),
    };
    match Estimate::new(record, position.near()) {
        Estimate::Unknown => NOTHING.to_owned(),
        Estimate::Exact(score, _) => number(score),
        Estimate::About(score, _) => format!("~{}", number(score)),
        Estimate::AtLeast(claim) => format!(">={}", number(claim.score)),
        Estimate::AtMost(claim) => format!("<={}", number(claim.score)),
        Estimate::Between(lower, upper) => format!("{}..{}", number(lower.score), number(upper.score)),
    }
}

/// Each end that is known, in one line.
fn ends(estimate: Estimate, write: impl Fn(&str, Claim) -> String) -> String {
    let texts: Vec<String> = estimate.bounds().into_iter().flatten().map(|(sign, claim)| write(sign, claim)).collect();
    if texts.is_empty() { NOTHING.to_owned() } else { texts.join(", ") }
}

/// The depth of a claim in plies, or "proven".
pub fn depth(claim: Claim) -> String {
    if claim.depth == PROVEN { "proven".to_owned() } else { claim.depth.to_string() }
}

/// What the results of games say of a move: `+1.20 over 3 games`.
pub fn results(score: &str, games: u64) -> String {
    format!("{score} over {games} game{}", plural(games))
}

/// The record's best move in the position; a code that is no legal move is shown as it is.
pub fn best(position: &dyn Position, record: &Record) -> String {
    match record.best {
        0 => NOTHING.to_owned(),
        code => position.write_move(code).unwrap_or_else(|| format!("code {code}")),
    }
}

/// The source's name, marked if it is no engine, with the labels of those that it comes from and rests on.
pub fn source(source: &Source, contributors: &[Contributor]) -> String {
    let text = source.described(contributors);
    if source.kind() == SourceKind::Engine { text } else { format!("{text} ({})", source.kind().name()) }
}

/// The names of the origins.
pub fn origins(origins: Origins) -> String {
    let names: Vec<&str> = origins.names().collect();
    if names.is_empty() { NOTHING.to_owned() } else { names.join(", ") }
}

/// How long ago a time was, in its largest unit.
pub fn age(time: u32, now: u32) -> String {
    const UNITS: [(u32, &str); 6] = [
        (365 * 86_400, "year"),
        (30 * 86_400, "month"),
        (7 * 86_400, "week"),
        (86_400, "day"),
        (3_600, "hour"),
        (60, "minute"),
    ];
    if time == 0 {
        return NOTHING.to_owned();
    }
    let seconds = now.saturating_sub(time);
    let Some((length, unit)) = UNITS.into_iter().find(|&(length, _)| seconds >= length) else {
        return "just now".to_owned();
    };
    let count = seconds / length;
    format!("{count} {unit}{} ago", plural(count.into()))
}

/// A time in UTC, as in `2026-11-16T00:27:30Z`.
pub fn moment(time: u32) -> String {
    let Ok(moment) = OffsetDateTime::from_unix_timestamp(time.into()) else { return time.to_string() };
    let (year, month, day) = moment.to_calendar_date();
    let (hour, minute, second) = moment.to_hms();
    format!("{year:04}-{:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z", u8::from(month))
}

/// A number of things: `1 line`, `3 lines`, `12,345 lines`.
pub fn count(count: u64, thing: &str) -> String {
    format!("{} {thing}{}", grouped(count), plural(count))
}

/// A number with a comma after each three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let comma = |(index, digit): (usize, char)| {
        let is_before_three = index > 0 && (digits.len() - index).is_multiple_of(3);
        is_before_three.then_some(',').into_iter().chain([digit])
    };
    digits.chars().enumerate().flat_map(comma).collect()
}

/// The plural ending of a word for `count` things.
pub const fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

#[cfg(test)]
mod tests {
    use mnemon_table::Window;

    use super::*;
    use crate::notation;

    fn position(text: &str) -> Box<dyn Position> {
        notation::read(&[text.to_owned()], None).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn each_end_has_its_sign_and_depth() {
        let chess = position("startpos");
        let both = Record { lower: Claim::new(20, 12), upper: Claim::new(50, 10), ..Record::default() };
        for (record, score_words, depth_words) in [
            (Record::exact(35, 12), "= +0.35", "12"),
            (Record::between(Window::at_least(20), 9), ">= +0.20", "9"),
            (Record::between(Window::at_most(-20), PROVEN), "<= -0.20", "proven"),
            (both, ">= +0.20, <= +0.50", "12, 10"),
            (Record { upper: Claim::new(20, 10), ..both }, "= +0.20", "10"),
            (Record { upper: Claim::new(28, 14), ..both }, "~ +0.28", "14"),
            (Record { best: 1, ..Record::default() }, "-", "-"),
            (Record::exact(15_991, PROVEN), "= mate in 5", "proven"),
        ] {
            assert_eq!((score(&*chess, &record), depths(&*chess, &record)), (score_words.into(), depth_words.into()));
        }
    }

    #[test]
    fn both_ends_are_there_for_those_who_ask() {
        let chess = position("startpos");
        let both = Record { lower: Claim::new(20, 12), upper: Claim::new(28, 10), ..Record::default() };
        assert_eq!(both_ends(&*chess, &both), (">= +0.20, <= +0.28".into(), "12, 10".into()));
        assert_eq!(both_ends(&*chess, &Record::exact(20, 12)), ("= +0.20".into(), "12".into()));
        assert_eq!(both_ends(&*chess, &Record::default()), ("-".into(), "-".into()));
    }

    #[test]
    fn a_column_has_short_values() {
        let chess = position("startpos");
        for (record, text) in [
            (Record::exact(35, 12), "+0.35"),
            (Record::between(Window::at_least(20), 9), ">=+0.20"),
            (Record::between(Window { lower: -20, upper: 150 }, 9), "-0.20..+1.50"),
            (Record::between(Window { lower: -20, upper: -18 }, 9), "~-0.20"),
            (Record::exact(15_991, PROVEN), "#5"),
            (Record::exact(-15_990, PROVEN), "#-5"),
            (Record::default(), "-"),
        ] {
            assert_eq!(compact(&*chess, &record), text);
        }
    }

    #[test]
    fn a_score_of_connect_four_has_words_where_it_is_a_result() {
        let board = position("112");
        assert_eq!(score(&*board, &Record::exact(3, PROVEN)), "= +3 (wins in 18 moves)");
        assert_eq!(score(&*board, &Record::exact(0, PROVEN)), "= 0 (draw)");
        assert_eq!(score(&*board, &Record::exact(0, 9)), "= 0");
        assert_eq!(score(&*board, &Record::between(Window::at_least(3), 9)), ">= +3");
    }

    #[test]
    fn ages_are_rounded_down_to_the_largest_unit() {
        let now = 2_000_000_000;
        for (seconds, words) in [
            (0, "just now"),
            (59, "just now"),
            (60, "1 minute ago"),
            (3 * 86_400 + 5, "3 days ago"),
            (13 * 86_400, "1 week ago"),
            (400 * 86_400, "1 year ago"),
        ] {
            assert_eq!(age(now - seconds, now), words);
        }
        assert_eq!(age(now + 5, now), "just now");
        assert_eq!(age(0, now), "-");
        assert_eq!(moment(0), "1970-01-01T00:00:00Z");
        assert_eq!(moment(1_794_788_850), "2026-11-16T00:27:30Z");
    }
}
