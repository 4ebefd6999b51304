//! Games that both engines take for decided need not be played out.
//!
//! As the field's testers do (fishtest, OpenBench), but only where both engines agree: what one of them misjudges is
//! played on. The numbers lie on the careful side of those in use.

use mnemon_chess::{Color, Position};

/// A game is won where both engines say so by so much, in hundredths of a pawn,
const WON: i32 = 600;
/// for so many moves each on end.
const WON_MOVES: u32 = 4;
/// A game is drawn where both engines see no more than this,
const DRAWN: i32 = 10;
/// for so many moves each on end, without a capture or a pawn move between them,
const DRAWN_MOVES: u32 = 8;
/// from this move on.
const DRAWN_FROM: u16 = 40;

/// What both engines agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Agreed {
    /// This side wins.
    Won(Color),
    /// Nobody does.
    Drawn,
}

/// Listens to the scores of one game.
#[derive(Debug, Default)]
pub(crate) struct Adjudicator {
    /// Plies on end for which White, then Black, was called the winner.
    won: [u32; 2],
    drawn: u32,
}

impl Adjudicator {
    /// Takes note of the mover's score of its own move, in hundredths of a pawn, and of the position after it.
    pub(crate) fn heard(&mut self, mover: Color, score: Option<i32>, after: &Position) -> Option<Agreed> {
        let winner = match score {
            Some(score) if score >= WON => Some(mover),
            Some(score) if score <= -WON => Some(!mover),
            _ => None,
        };
        for color in Color::ALL {
            let plies = &mut self.won[color as usize];
            *plies = if winner == Some(color) { *plies + 1 } else { 0 };
        }
        let is_level = score.is_some_and(|score| score.abs() <= DRAWN);
        let counts = is_level && after.halfmove_clock() > 0 && after.fullmove_number() >= DRAWN_FROM;
        self.drawn = if counts { self.drawn + 1 } else { 0 };
        let won = Color::ALL.into_iter().find(|&color| self.won[color as usize] >= 2 * WON_MOVES);
        won.map(Agreed::Won).or_else(|| (self.drawn >= 2 * DRAWN_MOVES).then_some(Agreed::Drawn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ply after which the game is over, if these scores of White and Black repeat for ever.
    fn ends(scores: [Option<i32>; 2], fen: &str) -> Option<(u32, Agreed)> {
        let (mut adjudicator, after) = (Adjudicator::default(), fen.parse().expect("a position"));
        (1..=200).find_map(|ply| {
            let mover = if ply % 2 == 1 { Color::White } else { Color::Black };
            Some((ply, adjudicator.heard(mover, scores[mover as usize], &after)?))
        })
    }

    const LATE: &str = "4k3/8/8/8/8/8/R7/4K3 w - - 8 60";

    #[test]
    fn both_must_agree_on_the_winner() {
        assert_eq!(ends([Some(600), Some(-700)], LATE), Some((8, Agreed::Won(Color::White))));
        assert_eq!(ends([Some(-900), Some(100_000)], LATE), Some((8, Agreed::Won(Color::Black))));
        assert_eq!(ends([Some(900), Some(-599)], LATE), None);
        assert_eq!(ends([Some(900), Some(900)], LATE), None);
        assert_eq!(ends([Some(900), None], LATE), None);
    }

    #[test]
    fn draws_are_level_quiet_and_late() {
        assert_eq!(ends([Some(-10), Some(10)], LATE), Some((16, Agreed::Drawn)));
        assert_eq!(ends([Some(0), Some(11)], LATE), None);
        assert_eq!(ends([Some(0), None], LATE), None);
        assert_eq!(ends([Some(0), Some(0)], "4k3/8/8/8/8/8/R7/4K3 w - - 0 60"), None, "a capture or a pawn move");
        assert_eq!(ends([Some(0), Some(0)], "4k3/8/8/8/8/8/R7/4K3 w - - 8 39"), None);
    }

    #[test]
    fn one_doubt_begins_the_count_anew() {
        let (mut adjudicator, after) = (Adjudicator::default(), LATE.parse().expect("a position"));
        let mut heard = |score: i32| adjudicator.heard(Color::White, Some(score), &after);
        assert_eq!([900, 900, 900, 900, 900, 900, 900, 599].map(&mut heard), [None; 8]);
        assert_eq!([900; 7].map(&mut heard), [None; 7]);
        assert_eq!(heard(900), Some(Agreed::Won(Color::White)));
    }
}
