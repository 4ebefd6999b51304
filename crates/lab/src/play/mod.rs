//! The loop that plays a chess game: whoever plays, by whatever rules the game is adjudicated.
//!
//! Matches between UCI engines, learning experiments and self-play for tuning all run through [`play`].

mod adjudicate;
mod game;

use mnemon_chess::{Color, Move};

pub(crate) use adjudicate::{Adjudication, Adjudicator, DrawRule, WinRule};
pub(crate) use game::{Game, RuleEnding};

/// The two sides of a game.
pub(crate) trait Players {
    /// Why there is no move. It ends the game.
    type Failure;

    /// The move of the side to move. The game is not over, so there is a legal move.
    fn choose(&mut self, game: &Game) -> Result<Choice, Self::Failure>;
}

/// A move and what its player thinks of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// A legal move.
    pub(crate) mv: Move,
    /// The score in centipawns from the mover's point of view, if the player gave one.
    pub(crate) score: Option<i32>,
}

/// How a game ended that was played to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// By the rules of chess.
    Rule(RuleEnding),
    /// Both sides agreed on the result for long enough: who wins, or `None` for a draw.
    Adjudicated(Option<Color>),
    /// As a draw, because it reached the greatest length.
    MaxPlies,
}

impl Ending {
    /// Who won the game that ended like this; `None` after a draw.
    pub(crate) fn winner(self, game: &Game) -> Option<Color> {
        match self {
            Ending::Rule(RuleEnding::Checkmate) => Some(!game.side_to_move()),
            Ending::Adjudicated(winner) => winner,
            Ending::Rule(_) | Ending::MaxPlies => None,
        }
    }
}

/// Plays on until the game ends. The rules of chess come before adjudication.
///
/// # Errors
/// A side that has no move to give.
pub(crate) fn play<P: Players>(
    game: &mut Game,
    players: &mut P,
    adjudication: &Adjudication,
) -> Result<Ending, P::Failure> {
    let mut adjudicator = Adjudicator::new(adjudication);
    loop {
        let side = game.side_to_move();
        let Choice { mv, score } = players.choose(game)?;
        game.play(mv);
        let adjudicated = adjudicator.note(side, score, game);
        if let Some(ending) = game.rule_ending().map(Ending::Rule).or(adjudicated) {
            return Ok(ending);
        }
    }
}

/// A game's result for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SideResult {
    Loss,
    Draw,
    Win,
}

impl SideResult {
    /// The result for this side.
    pub(crate) fn for_side(side: Color, winner: Option<Color>) -> Self {
        match winner {
            None => SideResult::Draw,
            Some(winner) if winner == side => SideResult::Win,
            Some(_) => SideResult::Loss,
        }
    }

    /// 0, 1/2 or 1.
    pub(crate) fn points(self) -> f64 {
        f64::from(self as u8) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays these moves with these scores, then fails.
    struct Script<'s>(Vec<(&'s str, i32)>);

    impl Players for Script<'_> {
        type Failure = &'static str;

        fn choose(&mut self, game: &Game) -> Result<Choice, &'static str> {
            if self.0.is_empty() {
                return Err("no more moves");
            }
            let (mv, score) = self.0.remove(0);
            Ok(Choice { mv: game.position().parse_uci(mv).expect("legal"), score: Some(score) })
        }
    }

    const NEVER: Adjudication = Adjudication { win: None, draw: None, max_plies: usize::MAX };

    fn played(moves: &str, adjudication: &Adjudication) -> (Result<Ending, &'static str>, usize) {
        let mut game = Game::default();
        let script = moves.split(' ').map(|mv| (mv, 900)).collect();
        (play(&mut game, &mut Script(script), adjudication), game.plies())
    }

    #[test]
    fn a_game_ends_by_the_rules_by_its_length_or_by_a_failure() {
        let mate = "f2f3 e7e5 g2g4 d8h4";
        assert_eq!(played(mate, &NEVER), (Ok(Ending::Rule(RuleEnding::Checkmate)), 4));
        assert_eq!(played(&mate[..14], &NEVER), (Err("no more moves"), 3));
        assert_eq!(played(mate, &Adjudication { max_plies: 2, ..NEVER }), (Ok(Ending::MaxPlies), 2));
        let at_mate = Adjudication { max_plies: 4, ..NEVER };
        assert_eq!(played(mate, &at_mate).0, Ok(Ending::Rule(RuleEnding::Checkmate)), "rules come first");
    }

    #[test]
    fn winners_and_results() {
        let mut game = Game::default();
        let script = vec![("f2f3", 0), ("e7e5", 0), ("g2g4", 0), ("d8h4", 0)];
        let ending = play(&mut game, &mut Script(script), &NEVER).expect("moves");
        let winner = ending.winner(&game);
        assert_eq!(winner, Some(Color::Black));
        assert_eq!(SideResult::for_side(Color::White, winner), SideResult::Loss);
        assert_eq!(SideResult::for_side(Color::Black, winner).points(), 1.0);
        assert_eq!(SideResult::for_side(Color::White, Ending::MaxPlies.winner(&game)).points(), 0.5);
    }
}
