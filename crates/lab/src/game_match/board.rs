//! A game as it is played: the moves so far, and when the rules of chess end it.

use mnemon_chess::{ChessError, Color, Move, Position};

/// A game from an opening on.
pub(crate) struct Board {
    /// Every position, the opening first.
    positions: Vec<Position>,
    /// The moves as UCI writes them.
    moves: Vec<String>,
    /// The moves played.
    played: Vec<Move>,
}

/// How the rules ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// The side to move is mated.
    Mate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// The position stands for the third time.
    Repetition,
    /// A hundred plies without a capture or a pawn move.
    FiftyMoves,
    /// Neither side could mate by any moves.
    Material,
}

impl Board {
    /// A game that begins here.
    pub(crate) fn new(opening: &Position) -> Self {
        Board { positions: vec![opening.clone()], moves: Vec::new(), played: Vec::new() }
    }

    /// The position on the board.
    pub(crate) fn position(&self) -> &Position {
        &self.positions[self.positions.len() - 1]
    }

    /// The opening.
    pub(crate) fn opening(&self) -> &Position {
        &self.positions[0]
    }

    /// The side to move.
    pub(crate) fn to_move(&self) -> Color {
        self.position().side_to_move()
    }

    /// The moves played, as UCI writes them.
    pub(crate) fn moves(&self) -> &[String] {
        &self.moves
    }

    /// The moves played.
    pub(crate) fn played(&self) -> &[Move] {
        &self.played
    }

    /// Plays the move that an engine wrote.
    ///
    /// # Errors
    /// If it is no move or not legal; the game then stands as before.
    pub(crate) fn play(&mut self, uci: &str) -> Result<(), ChessError> {
        let position = self.position();
        let mv = position.parse_uci(uci)?;
        let (uci, next) = (position.uci(mv), position.after(mv));
        self.played.push(mv);
        self.moves.push(uci);
        self.positions.push(next);
        Ok(())
    }

    /// The first move of a line that cannot be played from here, and why.
    pub(crate) fn fault_in(&self, line: &[String]) -> Option<ChessError> {
        let mut position = self.position().clone();
        for mv in line {
            match position.play_uci(mv) {
                Ok(next) => position = next,
                Err(error) => return Some(error),
            }
        }
        None
    }

    /// The rule that ends the game here, if one does.
    pub(crate) fn over(&self) -> Option<Rule> {
        let position = self.position();
        if !position.has_moves() {
            return Some(if position.is_check() { Rule::Mate } else { Rule::Stalemate });
        }
        let times = self.positions.iter().filter(|&other| other == position).count();
        if position.is_dead() {
            Some(Rule::Material)
        } else if times >= 3 {
            Some(Rule::Repetition)
        } else {
            (position.halfmove_clock() >= 100).then_some(Rule::FiftyMoves)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(fen: &str, moves: &str) -> Board {
        let mut board = Board::new(&fen.parse().expect("a position"));
        for mv in moves.split_whitespace() {
            assert_eq!(board.over(), None, "before {mv}");
            board.play(mv).expect("legal");
        }
        board
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn the_rules_end_games() {
        assert_eq!(played(START, "f2f3 e7e5 g2g4 d8h4").over(), Some(Rule::Mate));
        assert_eq!(played("7k/5Q2/8/8/8/8/8/K7 w - - 0 1", "f7f6 h8h7 f6f7 h7h8 f7g6").over(), Some(Rule::Stalemate));
        assert_eq!(played("8/8/4k3/8/8/3pK3/8/8 w - - 0 1", "e3d3").over(), Some(Rule::Material));
        let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
        assert_eq!(played(START, shuffle).over(), Some(Rule::Repetition));
        assert_eq!(played("4k3/8/8/8/8/8/R7/4K3 w - - 98 80", "a2a3 e8e7").over(), Some(Rule::FiftyMoves));
    }

    #[test]
    fn mate_goes_before_the_fiftieth_move() {
        assert_eq!(played("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a8").over(), Some(Rule::Mate));
    }

    #[test]
    fn what_cannot_be_played_leaves_the_game_as_it_is() {
        let mut board = played(START, "e2e4");
        for word in ["e2e4", "e7e4", "0000", "(none)", "", "resign"] {
            assert!(board.play(word).is_err(), "{word}");
        }
        assert_eq!((board.moves(), board.played().len()), (&["e2e4".to_owned()][..], 1));
        let line = ["e7e5", "g1f3", "e5e4"].map(str::to_owned);
        assert!(board.fault_in(&line[..2]).is_none());
        assert!(board.fault_in(&line).is_some_and(|fault| fault.to_string().contains("e5e4")));
    }
}
