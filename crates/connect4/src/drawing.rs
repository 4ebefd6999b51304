//! Drawing a board as text.

use crate::Board;

/// The symbols of the first and the second player.
pub const STONES: [char; 2] = ['x', 'o'];

/// The board in several lines of text, with the numbers of the columns below it.
pub fn draw<const WIDTH: usize, const HEIGHT: usize>(board: &Board<WIDTH, HEIGHT>) -> String {
    let [own, other] = if board.stones().is_multiple_of(2) { STONES } else { [STONES[1], STONES[0]] };
    let stone = |column: usize, row: usize| match square(HEIGHT, column, row) {
        square if board.own() & square != 0 => own,
        square if board.opponent() & square != 0 => other,
        _ => '.',
    };
    let mut text = String::new();
    for row in (0..HEIGHT).rev() {
        text += &cells((0..WIDTH).map(|column| stone(column, row).to_string()));
    }
    text + &cells((1..=WIDTH).map(|column| column.to_string()))
}

/// The board after these columns, counted from 0, in the form of [`draw`]: also after a move that made four, which no
/// [`Board`] holds.
///
/// # Panics
/// If a column is not on the board.
pub fn draw_game<const WIDTH: usize, const HEIGHT: usize>(columns: impl IntoIterator<Item = usize>) -> String {
    let mut stacks = vec![Vec::new(); WIDTH];
    for (number, column) in columns.into_iter().enumerate() {
        stacks[column].push(STONES[number % 2]);
    }
    let mut text = String::new();
    for row in (0..HEIGHT).rev() {
        text += &cells(stacks.iter().map(|stack| stack.get(row).copied().unwrap_or('.').to_string()));
    }
    text + &cells((1..=WIDTH).map(|column| column.to_string()))
}

/// One line of text with a cell of equal width for each column.
pub fn cells(cells: impl Iterator<Item = String>) -> String {
    cells.map(|cell| format!("{cell:>4}")).chain(["\n".to_owned()]).collect()
}

/// A score with its sign, which says who wins: `+3`, `-3`, `0`.
pub fn signed(score: i32) -> String {
    if score == 0 { "0".to_owned() } else { format!("{score:+}") }
}

/// The bit of a square in a board's masks.
pub(crate) const fn square(height: usize, column: usize, row: usize) -> u64 {
    1 << (column * (height + 1) + row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_drawn_as_the_game_that_led_to_it() {
        for moves in ["", "1", "112", "4455"] {
            let columns = moves.bytes().map(|digit| usize::from(digit - b'1'));
            assert_eq!(draw(&<Board>::parse(moves).expect("legal")), draw_game::<7, 6>(columns));
        }
    }
}
