//! Who says so, and when, by what a file tells of it.

use mnemon_chess::pgn::PgnGame;
use mnemon_memory::{Source, SourceKind};
use time::{Date, Month, PrimitiveDateTime, Time};

/// The longest name that is kept.
const MAX_NAME_BYTES: usize = 255;

/// The source that a text names: `Stockfish 15.1` is an engine, `Ada (person)` a person. The version is what follows the
/// name of an engine from its last word with a digit on. `None` if nothing is named.
pub(super) fn source_named(text: &str) -> Option<Source> {
    let text: String = text.chars().filter(|letter| !letter.is_control()).collect();
    let text = text.trim();
    if text.is_empty() || text.len() > MAX_NAME_BYTES {
        return None;
    }
    for (kind, name) in SourceKind::ALL {
        let mark = format!(" ({name})");
        if let Some(author) = text.strip_suffix(&mark).filter(|author| !author.is_empty()) {
            return Some(if kind == SourceKind::Engine {
                Source::engine(author, "")
            } else {
                Source::new(kind, author, "")
            });
        }
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let at = words.iter().rposition(|word| word.bytes().any(|byte| byte.is_ascii_digit()));
    let at = at.filter(|&at| at > 0).unwrap_or(words.len());
    Some(Source::engine(&words[..at].join(" "), &words[at..].join(" ")))
}

/// The text that [`source_named`] reads: without contributors, which are the file's affair.
pub(super) fn name_of(source: &Source) -> String {
    let text = source.to_string();
    let is_engine = source.kind() == SourceKind::Engine;
    let is_clear = is_engine
        && source_named(&text).is_some_and(|read| {
            (read.kind(), read.name(), read.version()) == (source.kind(), source.name(), source.version())
        });
    if is_clear { text } else { format!("{text} ({})", source.kind().name()) }
}

/// When a game was played, in seconds since 1970, by its tags; 0 if they do not tell the day.
pub(super) fn time_of(game: &PgnGame) -> u32 {
    let numbers = |text: &str, separator: char| -> Option<[u16; 3]> {
        let mut parts = text.trim().splitn(3, separator).map(|part| part.parse().ok());
        Some([parts.next()??, parts.next()??, parts.next()??])
    };
    let day = || {
        let [year, month, day] = numbers(game.tag("UTCDate").or_else(|| game.tag("Date"))?, '.')?;
        Date::from_calendar_date(year.into(), Month::try_from(month as u8).ok()?, day as u8).ok()
    };
    let time = game.tag("UTCTime").and_then(|text| numbers(text, ':'));
    let time = time.and_then(|[hour, minute, second]| Time::from_hms(hour as u8, minute as u8, second as u8).ok());
    let moment = day().map(|day| PrimitiveDateTime::new(day, time.unwrap_or(Time::MIDNIGHT)).assume_utc());
    moment.and_then(|moment| u32::try_from(moment.unix_timestamp()).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_as_it_is_written() {
        for source in [
            Source::engine("Stockfish", "15.1"),
            Source::engine("Stockfish", "15.1 64"),
            Source::engine("lichess cloud", ""),
            Source::engine("x", "dev"),
            Source::engine("4ku", "1"),
            Source::person("Ada L."),
            Source::file("games.pgn"),
        ] {
            let text = name_of(&source);
            let read = source_named(&text).unwrap_or_else(|| panic!("{text}"));
            let is_split = source.version() == "dev" || source.version().contains(' ');
            assert!(read == source || is_split, "{text}: {read:?}");
        }
        assert_eq!(source_named("Fish 1.0 beta"), Some(Source::engine("Fish", "1.0 beta")));
        assert_eq!((source_named(" "), source_named(&"x".repeat(256))), (None, None));
    }
}
