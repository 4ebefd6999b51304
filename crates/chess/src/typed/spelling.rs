//! Moves as people spell them, and the legal moves that a misspelt one may have been.

use cozy_chess::{Move, Square};
use mnemon_search::Notation;

use crate::{ChessError, Position};

/// The legal move that a text describes: in SAN, in UCI notation, or in one of the usual variants of the two. A text that is
/// valid in several of them means the same move in each.
///
/// # Errors
/// What is wrong with the text as SAN, or, if it looks like UCI notation, as that.
pub(crate) fn read_move(position: &Position, text: &str) -> Result<Move, ChessError> {
    let error = match read_exactly(position, text) {
        Ok(mv) => return Ok(mv),
        Err(error @ ChessError::AmbiguousMove { .. }) => return Err(error),
        Err(error) => error,
    };
    let mut respelt = spellings(text).into_iter().map(|spelling| read_exactly(position, &spelling));
    match respelt.find(|result| matches!(result, Ok(_) | Err(ChessError::AmbiguousMove { .. }))) {
        Some(result) => result,
        None => Err(error),
    }
}

fn read_exactly(position: &Position, text: &str) -> Result<Move, ChessError> {
    let looks_like_uci = text.len() >= 4 && text.is_char_boundary(2) && text[..2].parse::<Square>().is_ok();
    position.parse_san(text).or_else(|error| if looks_like_uci { position.parse_uci(text) } else { Err(error) })
}

/// Other spellings that the text may stand for: letters for figurines, capital letters for pieces, signs for castling.
fn spellings(text: &str) -> Vec<String> {
    let plain = text.trim_end_matches(['.', ';', ':']).replace("e.p", "");
    let plain: String = plain.chars().filter_map(letter_of).collect();
    let signs: String = plain.chars().filter(|letter| !"+#!?".contains(*letter)).collect();
    match signs.to_ascii_lowercase().replace('0', "o").as_str() {
        "oo" | "o-o" => return vec!["O-O".to_owned()],
        "ooo" | "o-o-o" => return vec!["O-O-O".to_owned()],
        _ => {}
    }
    let mut first_large = plain.clone();
    first_large.get_mut(..1).into_iter().for_each(str::make_ascii_uppercase);
    let mut last_large = signs.clone();
    let last = last_large.len().saturating_sub(1);
    last_large.get_mut(last..).into_iter().for_each(str::make_ascii_uppercase);
    let small = signs.to_ascii_lowercase();
    vec![plain, last_large, small, first_large]
}

/// The letter that a figurine stands for; `None` for a pawn's, which has none.
fn letter_of(letter: char) -> Option<char> {
    Some(match letter {
        '♔' | '♚' => 'K',
        '♕' | '♛' => 'Q',
        '♖' | '♜' => 'R',
        '♗' | '♝' => 'B',
        '♘' | '♞' => 'N',
        '♙' | '♟' | '\u{fe0e}' | '\u{fe0f}' => return None,
        '–' | '—' | '‑' => '-',
        '×' => 'x',
        letter => letter,
    })
}

/// At most this many moves are suggested, and only those that differ by no more than this many letters.
const MOST_SUGGESTED: usize = 3;
const MOST_WRONG: usize = 2;

/// The legal moves that are spelt most like the text; none if many are, or all are quite different.
pub(super) fn nearest(position: &Position, text: &str) -> Vec<String> {
    let plain = |text: &str| text.trim_end_matches(['+', '#', '!', '?']).to_owned();
    let text: Vec<char> = plain(text).chars().collect();
    let legal = position.legal().into_iter().map(|mv| plain(&position.san(mv)));
    let mut all: Vec<(usize, String)> =
        legal.map(|san| (distance(&text, &san.chars().collect::<Vec<_>>()), san)).collect();
    all.sort();
    let Some(&(least, _)) = all.first().filter(|&&(least, _)| least <= MOST_WRONG && least < text.len()) else {
        return Vec::new();
    };
    let nearest: Vec<String> = all.into_iter().filter(|&(distance, _)| distance == least).map(|(_, san)| san).collect();
    if nearest.len() <= MOST_SUGGESTED { nearest } else { Vec::new() }
}

/// The least number of letters to add, remove or replace to make one text of the other (Levenshtein).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.iter().enumerate() {
        let mut before = std::mem::replace(&mut row[0], i + 1);
        for (j, other) in b.iter().enumerate() {
            let replaced = before + usize::from(letter != other);
            before = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(before + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_counts_letters() {
        let of = |a: &str, b: &str| distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        assert_eq!((of("Nf9", "Nf3"), of("Nf", "Nf3"), of("", "abc"), of("Nbd2", "Nd2")), (1, 1, 3, 1));
        assert_eq!((of("kitten", "sitting"), of("e4", "e4")), (3, 0));
    }
}
