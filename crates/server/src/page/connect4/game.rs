//! A game of Connect Four as an address has it: the columns that were played, with the move that made four if it did.

use mnemon_connect4::{Board, HEIGHT, WIDTH};

use crate::error::{ApiError, ApiResult};

/// The columns, and where the stones lie.
pub(super) struct Played {
    /// As in the address: digits from 1.
    pub(super) moves: String,
    /// The position; before the last move if that made four.
    pub(super) board: Board,
    /// The stones that make four, from the bottom left as (column, row); empty while the game goes on.
    pub(super) four: Vec<(usize, usize)>,
    /// For each column, its stones from below: whether the first player's.
    pub(super) stones: [Vec<bool>; WIDTH],
}

impl Played {
    /// Reads the columns.
    ///
    /// # Errors
    /// What is no column, a full column, or a move after the game was over.
    pub(super) fn read(text: &str) -> ApiResult<Self> {
        let moves: String = text.chars().filter(|character| !character.is_whitespace() && *character != '-').collect();
        let (mut board, mut stones) =
            (Board::parse("").map_err(|error| invalid(&error.to_string()))?, <[Vec<bool>; WIDTH]>::default());
        let mut is_won = false;
        for (index, digit) in moves.chars().enumerate() {
            let column = digit.to_digit(10).map(|digit| digit as usize).filter(|column| (1..=WIDTH).contains(column));
            let column = column
                .ok_or_else(|| invalid(&format!("'{digit}' is no column: expected digits from 1 to {WIDTH}")))?
                - 1;
            if is_won {
                return Err(invalid(&format!("the game was over after {index} moves")));
            }
            if !board.can_play(column) {
                return Err(invalid(&format!("column {digit} is full at move {}", index + 1)));
            }
            stones[column].push(index % 2 == 0);
            is_won = board.wins_by(column);
            if !is_won {
                board = board.play(column);
            }
        }
        let four = if is_won { four(&stones) } else { Vec::new() };
        Ok(Played { moves, board, four, stones })
    }

    /// Whether nothing can be played any more.
    pub(super) fn is_over(&self) -> bool {
        !self.four.is_empty() || self.board.is_full()
    }

    /// Whether the first player is to move.
    pub(super) fn is_first_to_move(&self) -> bool {
        self.moves.len().is_multiple_of(2)
    }
}

/// All stones of one colour that stand in a row of four or more.
fn four(stones: &[Vec<bool>; WIDTH]) -> Vec<(usize, usize)> {
    let at = |column: i32, row: i32| {
        let column = usize::try_from(column).ok()?;
        stones.get(column)?.get(usize::try_from(row).ok()?).copied()
    };
    let mut found = Vec::new();
    for column in 0..WIDTH as i32 {
        for row in 0..HEIGHT as i32 {
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let squares = [0, 1, 2, 3].map(|step| (column + step * dx, row + step * dy));
                let colours = squares.map(|(x, y)| at(x, y));
                if colours[0].is_some() && colours.iter().all(|colour| *colour == colours[0]) {
                    found.extend(squares.map(|(x, y)| (x as usize, y as usize)));
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn invalid(message: &str) -> ApiError {
    ApiError::bad_request("invalid_position", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_move_that_makes_four_ends_the_game() {
        let won = Played::read("1212121").expect("a game");
        assert_eq!(won.four, [(0, 0), (0, 1), (0, 2), (0, 3)]);
        assert!(won.is_over() && Played::read("12121212").is_err());
        assert!(!Played::read("-").expect("the empty board").is_over());
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        for bad in ["8", "0", "x", "1111111", "<"] {
            assert!(Played::read(bad).is_err(), "{bad}");
        }
    }
}
