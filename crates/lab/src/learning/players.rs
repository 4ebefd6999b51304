//! One game of the experiment: the learner against an opponent.

use mnemon_chess::{Color, Move, Position};

use super::engine::EnginePlayer;
use crate::play::{Adjudication, Choice, Game, Players, SideResult, WinRule, play};
use crate::{LabError, Result};

/// A game is won when both sides have given eight pawns to one side four plies in turn: the rest would be no test of
/// learning. It is drawn after 240 plies, those of the opening included.
const ADJUDICATION: Adjudication =
    Adjudication { win: Some(WinRule { score: 800, plies: 4 }), draw: None, max_plies: 240 };

/// The two sides of a game.
pub(super) struct LearnerGame<'g> {
    pub(super) learner: &'g mut EnginePlayer,
    pub(super) opponent: &'g mut EnginePlayer,
    /// The learner's colour.
    pub(super) side: Color,
    pub(super) learner_nodes: u64,
    /// The opponent's nodes at each ply.
    pub(super) opponent_nodes: &'g dyn Fn(usize) -> u64,
}

impl LearnerGame<'_> {
    /// Plays the game from the opening on; the result is the learner's.
    pub(super) fn play(mut self, opening: &[Move]) -> Result<SideResult> {
        self.learner.new_game();
        self.opponent.new_game();
        let mut game = Game::new(&Position::start());
        opening.iter().for_each(|&mv| game.play(mv));
        let ending = play(&mut game, &mut self, &ADJUDICATION)?;
        Ok(SideResult::for_side(self.side, ending.winner(&game)))
    }
}

impl Players for LearnerGame<'_> {
    type Failure = LabError;

    fn choose(&mut self, game: &Game) -> Result<Choice> {
        if game.side_to_move() == self.side {
            self.learner.choose(game, self.learner_nodes)
        } else {
            self.opponent.choose(game, (self.opponent_nodes)(game.plies()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::{Adjudicator, Ending};

    #[test]
    fn a_game_is_won_when_both_sides_agree_for_four_plies() {
        let game = Game::default();
        let mut adjudicator = Adjudicator::new(&ADJUDICATION);
        let mut note = |side, score| adjudicator.note(side, Some(score), &game);
        for (side, score) in [(Color::White, 900), (Color::Black, -850), (Color::White, 900)] {
            assert_eq!(note(side, score), None);
        }
        assert_eq!(note(Color::Black, -799), None, "one side does not agree");
        for (side, score) in [(Color::White, 900), (Color::Black, -850), (Color::White, 900)] {
            assert_eq!(note(side, score), None);
        }
        assert_eq!(note(Color::Black, -900), Some(Ending::Adjudicated(Some(Color::White))));
        assert_eq!(note(Color::White, -900), None);
    }
}
