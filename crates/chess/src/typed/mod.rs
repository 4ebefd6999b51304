//! Positions as people type them: moves with or without numbers, `startpos`, a FEN of four fields or six, moves after it.

mod spelling;

use cozy_chess::Move;
use mnemon_search::NotationError;

use crate::{ChessError, Position, variation};

pub(crate) use spelling::read_move;

/// Reads a position, and returns where its moves begin, and the moves.
///
/// The text is a FEN of four to six fields, `startpos`, or nothing, each followed by moves, with or without UCI's words
/// `position`, `fen` and `moves`. Moves are in SAN or UCI notation, with or without numbers, commas between them, figurines,
/// or castling with zeros.
///
/// ```
/// use mnemon_chess::read_line_of_play;
///
/// for text in ["startpos moves e2e4 e7e5", "1. e4 e5", "startpos e4 e5", "e4,e5"] {
///     let (start, moves) = read_line_of_play(text)?;
///     assert_eq!((start.san(moves[0]), moves.len()), ("e4".to_owned(), 2));
/// }
/// let error = read_line_of_play("e4 c5 Nf9").unwrap_err();
/// assert_eq!(error.to_string(), "'Nf9' is no move after 1.e4 c5; did you mean Nf3?");
/// # Ok::<(), mnemon_search::NotationError>(())
/// ```
///
/// # Errors
/// A text that is no position, or the first move that is not legal, with the moves before it and what it may have been.
pub fn read_line_of_play(text: &str) -> Result<(Position, Vec<Move>), NotationError> {
    let text = text.trim().trim_matches(['"', '\'', '`']).trim();
    // A FEN in the address of a web page.
    let text = if is_board(text) { text.replace('_', " ") } else { text.to_owned() };
    let all: Vec<&str> = text.split(|letter: char| letter.is_whitespace() || letter == ',').collect();
    let all: Vec<&str> = all.into_iter().filter(|word| !word.is_empty()).collect();
    let mut words = all.as_slice();
    for introduction in ["position", "fen"] {
        words = words.strip_prefix(&[introduction]).unwrap_or(words);
    }
    let start = match words {
        ["startpos" | "start", rest @ ..] => {
            words = rest;
            Some(Position::start())
        }
        [first, ..] if is_board(first) => Some(read_fen(&mut words)?),
        _ => None,
    };
    words = words.strip_prefix(&["moves"]).unwrap_or(words);
    let moves = read_moves(start.as_ref().unwrap_or(&Position::start()), words)?;
    if start.is_none() && moves.is_empty() {
        return Err(NotationError::Position("expected moves such as '1.e4 c5', 'startpos' or a FEN".to_owned()));
    }
    Ok((start.unwrap_or_default(), moves))
}

/// Whether a text begins with the board of a FEN.
fn is_board(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    first.contains('/') && first != "1/2-1/2"
}

/// Takes a FEN from the words.
fn read_fen(words: &mut &[&str]) -> Result<Position, NotationError> {
    let fields = words.iter().take(4).take_while(|&&word| word != "moves").count();
    let missing = |what: &str| NotationError::Position(format!("{what}, as in 'w KQkq -'"));
    match fields {
        1 => return Err(missing("after the board, the side to move is missing, then castling and en passant")),
        2 => return Err(missing("after the side to move, castling and en passant are missing ('-' is none)")),
        3 => return Err(missing("the en passant square is missing ('-' is none)")),
        _ => {}
    }
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let counters = match words[fields..] {
        [halfmoves, number, ..] if is_number(halfmoves) && is_number(number) => 2,
        [halfmoves] | [halfmoves, "moves", ..] if is_number(halfmoves) => 1,
        _ => 0,
    };
    let (fen, rest) = words.split_at(fields + counters);
    *words = rest;
    let fen = if counters == 1 { format!("{} 1", fen.join(" ")) } else { fen.join(" ") };
    fen.parse().map_err(|error: ChessError| NotationError::Position(error.to_string()))
}

fn read_moves(start: &Position, words: &[&str]) -> Result<Vec<Move>, NotationError> {
    let (mut position, mut moves) = (start.clone(), Vec::new());
    for word in words.iter().filter_map(|word| without_move_number(word)).filter(|word| is_meant_as_move(word)) {
        let mv = read_move(&position, word)
            .map_err(|error| NotationError::Move(explained(&position, word, &error, &line_before(start, &moves))))?;
        position = Position::after(&position, mv);
        moves.push(mv);
    }
    Ok(moves)
}

/// The line before a mistake: all of it, or the last moves of a long one.
fn line_before(start: &Position, moves: &[Move]) -> String {
    const MOST_MOVES: usize = 8;
    let (first, last) = moves.split_at(moves.len().saturating_sub(MOST_MOVES));
    let from = first.iter().fold(start.clone(), |position, &mv| Position::after(&position, mv));
    let dots = if first.is_empty() { "" } else { "… " };
    format!("{dots}{}", variation::text(&from, last, None))
}

/// Whether a word of a line is more than a number, a result, an annotation or dots.
fn is_meant_as_move(word: &str) -> bool {
    let is_annotation = word.starts_with('$') || word == "e.p." || word.chars().all(|letter| "!?.…".contains(letter));
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit()) && !["00", "000"].contains(&word);
    !is_annotation && !is_number && !["*", "1-0", "0-1", "1/2-1/2"].contains(&word)
}

/// What is wrong with a word, in which position, and what it may have been.
fn explained(position: &Position, word: &str, error: &ChessError, before: &str) -> String {
    let place = match before {
        "" if *position == Position::start() => "at the start".to_owned(),
        "" => "in this position".to_owned(),
        line => format!("after {line}"),
    };
    let word = crate::error::clipped(word);
    let wrong = match error {
        ChessError::AmbiguousMove { candidates, .. } => return format!("'{word}' {place} can be {candidates}"),
        ChessError::IllegalMove { reason, .. } => format!("'{word}' cannot be played {place}: {reason}"),
        _ => format!("'{word}' is no move {place}"),
    };
    match spelling::nearest(position, &word)[..] {
        [] => wrong,
        ref meant => format!("{wrong}; did you mean {}?", meant.join(" or ")),
    }
}

/// A word of movetext without its move number (`12.Nf3` is `Nf3`); `None` if there is nothing but the number.
pub fn without_move_number(word: &str) -> Option<&str> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    // Castling may be written with zeros, so only digits with a dot after them are a number.
    let rest =
        if word[digits..].starts_with(['.', '…']) { word[digits..].trim_start_matches(['.', '…']) } else { word };
    (!rest.is_empty()).then_some(rest)
}

#[cfg(test)]
mod tests;
