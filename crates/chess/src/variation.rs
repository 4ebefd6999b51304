//! Variations as text: `12.Nf3 d5 13.e4`.

use cozy_chess::{Color, Move};

use crate::Position;

/// The moves in SAN with their numbers, up to the first one that is not legal. A text longer than `width` characters is cut
/// after a whole move, but keeps at least one.
///
/// ```
/// use mnemon_chess::{read_line_of_play, variation};
///
/// let (start, moves) = read_line_of_play("startpos moves e2e4 e7e5 g1f3")?;
/// assert_eq!(variation::text(&start, &moves, None), "1.e4 e5 2.Nf3");
/// assert_eq!(variation::text(&start, &moves, Some(9)), "1.e4 e5 …");
/// # Ok::<(), mnemon_search::NotationError>(())
/// ```
pub fn text(position: &Position, moves: &[Move], width: Option<usize>) -> String {
    /// Marks the moves that were cut off.
    const MORE: &str = " …";
    let width = width.unwrap_or(usize::MAX);
    let (mut text, mut length) = (String::new(), 0);
    let words = words(position, moves);
    for (index, word) in words.iter().enumerate() {
        let space = usize::from(index > 0);
        let is_last = index + 1 == words.len();
        let more = if is_last { 0 } else { MORE.chars().count() };
        if index > 0 && length + space + word.len() + more > width {
            return text + MORE;
        }
        text.extend((index > 0).then_some(' '));
        text += word;
        length += space + word.len();
    }
    text
}

/// Each move in SAN, with its number where one is due.
fn words(position: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    let mut words = Vec::new();
    for &mv in moves {
        // A line that was read from a transposition table may end in a move of another position.
        if !position.is_legal(mv) {
            break;
        }
        let is_white = position.side_to_move() == Color::White;
        let san = position.san(mv);
        words.push(if is_white || words.is_empty() { format!("{}{san}", move_number(&position)) } else { san });
        position = position.after(mv);
    }
    words
}

/// The number of the move to be played: `12.` or `12...`.
pub fn move_number(position: &Position) -> String {
    let dots = if position.side_to_move() == Color::White { "." } else { "..." };
    format!("{}{dots}", position.fullmove_number())
}

/// The moves in SAN and in UCI notation, up to the first one that is not legal.
pub fn san_and_uci(position: &Position, moves: &[Move]) -> (Vec<String>, Vec<String>) {
    let mut position = position.clone();
    let (mut san, mut uci) = (Vec::new(), Vec::new());
    for &mv in moves {
        if !position.is_legal(mv) {
            break;
        }
        san.push(position.san(mv));
        uci.push(position.uci(mv));
        position = position.after(mv);
    }
    (san, uci)
}

#[cfg(test)]
mod tests {
    use crate::read_line_of_play;

    fn line(text: &str, width: Option<usize>) -> String {
        let (start, moves) = read_line_of_play(text).expect("legal moves");
        super::text(&start, &moves, width)
    }

    #[test]
    fn moves_are_numbered() {
        assert_eq!(line("startpos moves e4 e5 Nf3", None), "1.e4 e5 2.Nf3");
        let black = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 moves c5 Nf3 d6";
        assert_eq!(line(black, None), "1...c5 2.Nf3 d6");
        assert_eq!(line("startpos", None), "");
    }

    #[test]
    fn a_line_is_cut_after_a_whole_move() {
        let moves = "startpos moves e4 e5 Nf3";
        assert_eq!(line(moves, Some(13)), "1.e4 e5 2.Nf3", "it fits exactly");
        assert_eq!(line(moves, Some(12)), "1.e4 e5 …");
        assert_eq!(line(moves, Some(8)), "1.e4 …");
        assert_eq!(line(moves, Some(0)), "1.e4 …", "one move at least");
    }
}
