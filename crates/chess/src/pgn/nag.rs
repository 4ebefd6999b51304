//! Numeric annotation glyphs (NAG): a judgement of a move or a position as a number.

/// The glyphs with a sign of their own, and the numbers that they stand for.
const SIGNS: [(&str, u8); 20] = [
    ("!", 1),
    ("?", 2),
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("=", 10),
    ("∞", 13),
    ("+=", 14),
    ("⩲", 14),
    ("+/=", 14),
    ("=+", 15),
    ("⩱", 15),
    ("=/+", 15),
    ("±", 16),
    ("+/-", 16),
    ("∓", 17),
    ("-/+", 17),
    ("+-", 18),
    ("-+", 19),
];

/// The number of a glyph: `$14`, `!?` or `±`; `None` if the word is none.
pub(super) fn read(word: &str) -> Option<u8> {
    match word.strip_prefix('$') {
        Some(number) => number.parse().ok(),
        None => SIGNS.into_iter().find(|(sign, _)| *sign == word).map(|(_, number)| number),
    }
}

/// The glyph at the end of a move: 5 for `Nf3!?`.
pub(super) fn suffix(word: &str) -> Option<u8> {
    let start = word.trim_end_matches(['!', '?']).len();
    read(&word[start..])
}

/// The number of a mark of moves: 1 to 6 for `!`, `?`, `!!`, `??`, `!?` and `?!`; `None` for another text.
///
/// ```
/// assert_eq!(mnemon_chess::pgn::nag_of_mark("?!"), Some(6));
/// assert_eq!(mnemon_chess::pgn::nag_of_mark("="), None);
/// ```
#[must_use]
pub fn nag_of_mark(mark: &str) -> Option<u8> {
    read(mark).filter(|number| (1..=6).contains(number) && !mark.starts_with('$'))
}
