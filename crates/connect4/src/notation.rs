//! Text notation: the columns played from the empty board, counted from 1.

use std::collections::HashSet;

use mnemon_search::{Notation, NotationError};
use mnemon_table::Score;

use crate::drawing::{draw, signed, square};
use crate::sequence::EMPTY_BOARD;
use crate::{Board, Verdict};

/// The search for a move order gives up after this many dead ends: their number is exponential in the worst case.
const MAX_DEAD_ENDS: usize = 100_000;

impl<const WIDTH: usize, const HEIGHT: usize> Notation for Board<WIDTH, HEIGHT> {
    const WRITTEN_AS_LINES: bool = true;

    fn read(text: &str) -> Result<Self, NotationError> {
        let moves = if text == EMPTY_BOARD { "" } else { text };
        Board::parse(moves).map_err(|error| NotationError::Position(error.to_string()))
    }

    fn read_line(text: &str) -> Result<Vec<Self>, NotationError> {
        let moves = if text == EMPTY_BOARD { "" } else { text };
        // A digit is a byte, so every number of bytes is one of moves; the whole text says first what is wrong with it.
        Self::read(text)?;
        (0..=moves.len()).map(|length| Self::read(&moves[..length])).collect()
    }

    fn initial() -> Option<Self> {
        Some(Self::new())
    }

    fn game_ply(&self) -> Option<u16> {
        Some(self.stones() as u16)
    }

    fn write(&self) -> Option<String> {
        if self.stones() == 0 {
            return Some(EMPTY_BOARD.to_owned());
        }
        let mut order = MoveOrder { board: *self, heights: [0; WIDTH], moves: Vec::new(), dead_ends: HashSet::new() };
        for column in 0..WIDTH {
            order.heights[column] =
                (0..HEIGHT).take_while(|&row| self.mask() & square(HEIGHT, column, row) != 0).count();
        }
        order.undo().then(|| order.moves.iter().rev().map(|column| (column + 1).to_string()).collect())
    }

    fn draw(&self) -> String {
        draw(self)
    }

    fn mover(&self) -> &'static str {
        ["x, the first player", "o, the second player"][self.stones() as usize % 2]
    }

    fn ending(&self) -> Option<&'static str> {
        if self.can_win_now() {
            Some("the side to move makes four at once")
        } else {
            self.is_full().then_some("the board is full: a draw")
        }
    }

    fn legal(&self) -> Vec<u8> {
        self.columns().map(|column| column as u8).collect()
    }

    /// `None` for a move that makes four: a board never holds four in a row.
    fn after(&self, column: u8) -> Option<Self> {
        let column = usize::from(column);
        (!self.wins_by(column)).then(|| Board::play(self, column))
    }

    fn read_move(&self, text: &str) -> Result<u8, NotationError> {
        let column = text.parse::<usize>().ok().filter(|column| (1..=WIDTH).contains(column));
        let column =
            column.ok_or_else(|| NotationError::Move(format!("{text:?} is no column: they are 1 to {WIDTH}")))?;
        if self.can_play(column - 1) {
            Ok((column - 1) as u8)
        } else {
            Err(NotationError::Move(format!("column {column} is full")))
        }
    }

    fn write_move(&self, column: u8) -> String {
        (column + 1).to_string()
    }

    fn read_score(text: &str) -> Result<Score, NotationError> {
        let most = Self::new().score_of_win_now() as Score;
        let score = text.parse::<Score>().ok().filter(|score| (-most..=most).contains(score));
        score.ok_or_else(|| {
            NotationError::Score(format!("{text:?} is no score: they are whole numbers from -{most} to {most}"))
        })
    }

    fn write_score(score: Score) -> String {
        signed(score.into())
    }

    fn verdict(&self, score: Score) -> Option<String> {
        Some(Verdict::new(self, score.into()).to_string())
    }
}

/// The search for an order in which the stones of a board can have been played, backwards from the last stone.
struct MoveOrder<const WIDTH: usize, const HEIGHT: usize> {
    board: Board<WIDTH, HEIGHT>,
    /// The stones left in each column.
    heights: [usize; WIDTH],
    /// The columns of the removed stones, the last move first.
    moves: Vec<usize>,
    /// Heights from which no order leads back to the empty board.
    dead_ends: HashSet<[usize; WIDTH]>,
}

impl<const WIDTH: usize, const HEIGHT: usize> MoveOrder<WIDTH, HEIGHT> {
    /// Removes all stones in turn. Returns whether an order was found, which is then in `moves`.
    fn undo(&mut self) -> bool {
        let taken = self.moves.len();
        if taken == self.board.stones() as usize {
            return true;
        }
        if self.dead_ends.len() >= MAX_DEAD_ENDS || self.dead_ends.contains(&self.heights) {
            return false;
        }
        // The side that is not to move played the last stone.
        let mover = if taken.is_multiple_of(2) { self.board.opponent() } else { self.board.own() };
        for column in 0..WIDTH {
            let height = self.heights[column];
            if height == 0 || mover & square(HEIGHT, column, height - 1) == 0 {
                continue;
            }
            self.heights[column] -= 1;
            self.moves.push(column);
            if self.undo() {
                return true;
            }
            self.moves.pop();
            self.heights[column] += 1;
        }
        self.dead_ends.insert(self.heights);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_moves_written_lead_to_the_board() {
        for moves in
            ["-", "4", "44", "4455", "2252576253462244111563365343671351441", "23163416124767223154467471272416755633"]
        {
            let board = <Board>::read(moves).expect("legal moves");
            let written = board.write().expect("an order");
            assert_eq!(<Board>::read(&written), Ok(board), "{moves} as {written}");
        }
    }

    #[test]
    fn a_board_that_no_game_reaches_has_no_moves() {
        // In each of two columns, two stones of one side lie below two of the other: no first move is possible.
        let (own, mask) = (0b1100 | 0b1100 << 7, 0b1111 | 0b1111 << 7);
        let board = <Board>::from_stones(own, mask).expect("stones that stand");
        assert_eq!(board.write(), None);
    }

    #[test]
    fn a_line_has_every_board_from_the_empty_one_on() {
        let line = <Board>::read_line("445").expect("legal moves");
        let texts: Vec<Option<String>> = line.iter().map(Notation::write).collect();
        assert_eq!(texts, ["-", "4", "44", "445"].map(|text| Some(text.to_owned())));
        assert_eq!(line.iter().map(Notation::game_ply).collect::<Vec<_>>(), [0, 1, 2, 3].map(Some));
        assert_eq!(<Board>::read_line("-"), Ok(vec![<Board>::initial().expect("the empty board")]));
        assert_eq!(<Board>::read_line("4é").err(), <Board>::read("4é").err());
    }

    #[test]
    fn moves_and_scores_are_checked() {
        let board = <Board>::read("111111").expect("legal");
        assert_eq!(board.read_move("2"), Ok(1));
        assert!(board.read_move("1").expect_err("full").to_string().contains("full"));
        assert!(board.read_move("8").expect_err("none").to_string().contains("1 to 7"));
        assert_eq!(<Board>::read_score("-21"), Ok(-21));
        assert!(<Board>::read_score("22").is_err() && <Board>::read_score("1.5").is_err());
    }

    #[test]
    fn a_winning_move_can_be_typed_and_leads_nowhere() {
        let board = <Board>::read("121212").expect("legal");
        assert_eq!(board.read_move("1"), Ok(0));
        assert!(board.after(0).is_none() && board.after(1).is_some());
        assert!(board.ending().is_some());
    }
}
