//! Endgames of three pieces by retrograde analysis: the slow and obvious oracle for tablebases.

#![allow(dead_code, unreachable_pub, reason = "each test file uses some of these")]

use mnemon_chess::cozy_chess::BoardBuilder;
use mnemon_chess::{Color, Piece, Position, Square};

/// The result of a position with best play of both sides, in plies to mate; the fifty-move rule is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Drawn,
    Won(u16),
    Lost(u16),
}

/// A king and one piece of White's against Black's king.
pub struct Ending {
    piece: Piece,
    outcomes: Vec<Option<Outcome>>,
    /// What the pawn becomes.
    promoted: Vec<Ending>,
}

/// Where a move leads: to a position of the ending, or out of it.
#[derive(Clone, Copy)]
enum Next {
    Inside(u32),
    Outside(Outcome),
}

/// Two sides to move, and three pieces on 64 squares each.
const COUNT: usize = 2 << 18;

impl Ending {
    /// Solves the ending with a queen or a rook.
    pub fn solved(piece: Piece) -> Self {
        Self::solved_with(piece, Vec::new())
    }

    /// Solves the ending with a pawn. Its plies count to the promotion only.
    pub fn of_a_pawn() -> Self {
        Self::solved_with(Piece::Pawn, [Piece::Queen, Piece::Rook].map(Self::solved).into())
    }

    fn solved_with(piece: Piece, promoted: Vec<Ending>) -> Self {
        let mut ending = Ending { piece, outcomes: vec![None; COUNT], promoted };
        let successors: Vec<Option<Vec<Next>>> = (0..COUNT).map(|number| ending.successors(number)).collect();
        for (number, successors) in successors.iter().enumerate() {
            let mated = |number| ending.position(number).is_some_and(|position| position.is_check());
            ending.outcomes[number] = successors.as_ref().map(|moves| match moves.is_empty() && mated(number) {
                true => Outcome::Lost(0),
                false => Outcome::Drawn,
            });
        }
        for plies in 1.. {
            let settled: Vec<_> = (0..COUNT)
                .filter(|&number| ending.outcomes[number] == Some(Outcome::Drawn))
                .filter_map(|number| {
                    let after = successors[number].iter().flatten().map(|&next| ending.after(next));
                    Some((number, decided(after, plies)?))
                })
                .collect();
            if settled.is_empty() {
                return ending;
            }
            for (number, outcome) in settled {
                ending.outcomes[number] = Some(outcome);
            }
        }
        unreachable!("the loop ends as soon as nothing more is settled")
    }

    /// The result of the position; `None` if it is not of this ending.
    pub fn outcome(&self, position: &Position) -> Option<Outcome> {
        let board = position.board();
        let piece = board.colored_pieces(Color::White, self.piece);
        if board.occupied().len() != 3 || piece.len() != 1 {
            return None;
        }
        let squares = [board.king(Color::White), board.king(Color::Black), piece.next_square()?];
        self.outcomes[numbered(position.side_to_move(), squares)]
    }

    /// Every position of the ending with its outcome.
    pub fn positions(&self) -> impl Iterator<Item = (Position, Outcome)> {
        (0..COUNT).filter_map(|number| Some((self.position(number)?, self.outcomes[number]?)))
    }

    fn after(&self, next: Next) -> Outcome {
        match next {
            Next::Inside(number) => self.outcomes[number as usize].unwrap_or(Outcome::Drawn),
            Next::Outside(outcome) => outcome,
        }
    }

    /// The result where the ending is left: the pawn is promoted, or else the piece is gone, and the game is drawn.
    fn outside(&self, position: &Position) -> Outcome {
        match self.promoted.iter().find_map(|ending| ending.outcome(position)) {
            Some(Outcome::Lost(_)) => Outcome::Lost(0),
            _ => Outcome::Drawn,
        }
    }

    /// The positions after each legal move; `None` if there is no such position.
    fn successors(&self, number: usize) -> Option<Vec<Next>> {
        let position = self.position(number)?;
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let numbered = |position: Position| {
            let board = position.board();
            let Some(piece) = board.colored_pieces(Color::White, self.piece).next_square() else {
                return Next::Outside(self.outside(&position));
            };
            let squares = [board.king(Color::White), board.king(Color::Black), piece];
            Next::Inside(numbered(position.side_to_move(), squares) as u32)
        };
        Some(moves.into_iter().map(|mv| numbered(position.after(mv))).collect())
    }

    fn position(&self, number: usize) -> Option<Position> {
        let [white, black, piece] = [number >> 12, number >> 6, number].map(|bits| Square::index(bits & 63));
        if white == black || white == piece || black == piece {
            return None;
        }
        let mut builder = BoardBuilder::empty();
        *builder.square_mut(white) = Some((Piece::King, Color::White));
        *builder.square_mut(black) = Some((Piece::King, Color::Black));
        *builder.square_mut(piece) = Some((self.piece, Color::White));
        builder.side_to_move = if number >> 18 == 0 { Color::White } else { Color::Black };
        Position::from_board(builder.build().ok()?).ok()
    }
}

fn numbered(side: Color, squares: [Square; 3]) -> usize {
    squares.into_iter().fold(side as usize, |number, square| number << 6 | square as usize)
}

/// The result of a position whose successors decide it in exactly `plies`; `None` if they do not yet.
fn decided(after: impl Iterator<Item = Outcome>, plies: u16) -> Option<Outcome> {
    let (mut count, mut all_lose) = (0, true);
    for outcome in after {
        count += 1;
        match outcome {
            Outcome::Lost(after) if after < plies => return Some(Outcome::Won(plies)),
            Outcome::Won(after) if after < plies => {}
            _ => all_lose = false,
        }
    }
    (count > 0 && all_lose).then_some(Outcome::Lost(plies))
}
