//! Lines of play as people write them: `12.Nf3 d5 13.e4`.

use cozy_chess::{Color, Move};

use crate::Position;

/// The moves in SAN with their numbers, cut behind a whole move where they would be longer than `width`.
pub fn text(position: &Position, moves: &[Move], width: Option<usize>) -> String {
    /// What stands for the moves that were cut off.
    const MORE: &str = " …";
    let width = width.unwrap_or(usize::MAX);
    let (mut text, mut length) = (String::new(), 0);
    let words = words(position, moves);
    for (place, word) in words.iter().enumerate() {
        let space = usize::from(place > 0);
        let is_last = place + 1 == words.len();
        let more = if is_last { 0 } else { MORE.chars().count() };
        if place > 0 && length + space + word.len() + more > width {
            return text + MORE;
        }
        text.extend((place > 0).then_some(' '));
        text += word;
        length += space + word.len();
    }
    text
}

/// Each move with its number where one is to be written.
fn words(position: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    let mut words = Vec::new();
    for &mv in moves {
        // A table that two threads write to may give a line that goes astray.
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

/// Each move in SAN and as UCI writes it, as far as they are legal.
pub fn san_and_uci(position: &Position, moves: &[Move]) -> (Vec<String>, Vec<String>) {
    let mut position = position.clone();
    let mut both = (Vec::new(), Vec::new());
    for &mv in moves.iter() {
        if !position.is_legal(mv) {
            break;
        }
        both.0.push(position.san(mv));
        both.1.push(position.uci(mv));
        position = position.after(mv);
    }
    both
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
    fn a_line_is_cut_behind_a_move() {
        let moves = "startpos moves e4 e5 Nf3";
        assert_eq!(line(moves, Some(13)), "1.e4 e5 2.Nf3", "it fits exactly");
        assert_eq!(line(moves, Some(12)), "1.e4 e5 …");
        assert_eq!(line(moves, Some(8)), "1.e4 …");
        assert_eq!(line(moves, Some(0)), "1.e4 …", "one move at least");
    }
}
