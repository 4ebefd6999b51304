//! One game between two players, from an opening to its end.

use mnemon_chess::{Color, Position};
use mnemon_engine::GameHistory;
use mnemon_search::{Game as _, Outcome};
use mnemon_table::Score;

use super::player::Player;
use crate::Result;

/// What a game is worth to the learner, in half points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Points {
    Lost,
    Drawn,
    Won,
}

impl Points {
    /// 0, 1/2 or 1.
    pub(super) fn value(self) -> f64 {
        f64::from(self as u8) / 2.0
    }

    fn of(winner: Option<Color>, side: Color) -> Self {
        match winner {
            None => Points::Drawn,
            Some(winner) if winner == side => Points::Won,
            Some(_) => Points::Lost,
        }
    }
}

/// A game to be played.
pub(super) struct Game<'g> {
    /// The first moves, as UCI writes them.
    pub(super) opening: &'g [String],
    pub(super) learner: Color,
    pub(super) learner_nodes: u64,
    /// The opponent's nodes at each ply.
    pub(super) opponent_nodes: &'g dyn Fn(usize) -> u64,
}

/// Nobody waits longer for a result: it is a draw.
const LONGEST: usize = 240;

impl Game<'_> {
    /// Plays it, and gives the learner's points.
    pub(super) fn play(&self, learner: &mut Player, opponent: &mut Player) -> Result<Points> {
        learner.new_game();
        opponent.new_game();
        let mut moves = self.opening.to_vec();
        let mut agreed = Agreement::default();
        while moves.len() < LONGEST {
            let game = GameHistory::new(Position::start(), moves.iter().map(String::as_str))?;
            let position = game.position();
            if let Some(winner) = ended(&game).or_else(|| agreed.winner().map(Some)) {
                return Ok(Points::of(winner, self.learner));
            }
            let side = position.side_to_move();
            let (mv, score) = if side == self.learner {
                learner.choose(&game, self.learner_nodes)?
            } else {
                opponent.choose(&game, (self.opponent_nodes)(moves.len()))?
            };
            agreed.note(side, score);
            moves.push(position.uci(mv));
        }
        Ok(Points::Drawn)
    }
}

/// Who has won, if the rules end the game; `Some(None)` is a draw.
fn ended(game: &GameHistory) -> Option<Option<Color>> {
    let position = game.position();
    let key = position.key();
    let times_before = game.before().iter().filter(|&&before| before == key).count();
    match position.outcome() {
        Some(Outcome::Loss) => Some(Some(!position.side_to_move())),
        Some(_) => Some(None),
        None => (times_before >= 2 || position.is_drawn_by_counter()).then_some(None),
    }
}

/// Games are decided when both players have said so for a while: what follows would be no test of learning.
#[derive(Default)]
struct Agreement {
    winning: Option<Color>,
    plies: u32,
}

impl Agreement {
    /// Eight pawns, said four times in turns.
    const SCORE: Score = 800;
    const PLIES: u32 = 4;

    fn note(&mut self, side: Color, score: Score) {
        let winning = if score >= Self::SCORE {
            Some(side)
        } else if score <= -Self::SCORE {
            Some(!side)
        } else {
            None
        };
        self.plies = if winning.is_some() && winning == self.winning { self.plies + 1 } else { 1 };
        self.winning = winning;
    }

    fn winner(&self) -> Option<Color> {
        self.winning.filter(|_| self.plies >= Self::PLIES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(start: &str, moves: &str) -> Option<Option<Color>> {
        ended(&GameHistory::new(start.parse().unwrap(), moves.split_whitespace()).unwrap())
    }

    #[test]
    fn the_rules_end_games() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(after(start, "f2f3 e7e5 g2g4 d8h4"), Some(Some(Color::Black)));
        let there_and_back = "g1f3 g8f6 f3g1 f6g8";
        assert_eq!(after(start, there_and_back), None, "it stands for the second time");
        assert_eq!(after(start, &[there_and_back; 2].join(" ")), Some(None), "and for the third");
        assert_eq!(after("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", ""), Some(None), "stalemate");
        assert_eq!(after("8/8/4k3/8/8/3RK3/8/8 b - - 99 80", "e6e5"), Some(None), "fifty moves");
    }

    #[test]
    fn a_game_is_decided_when_both_agree_for_a_while() {
        let mut agreed = Agreement::default();
        for (side, score) in [(Color::White, 900), (Color::Black, -850), (Color::White, 900)] {
            agreed.note(side, score);
            assert_eq!(agreed.winner(), None);
        }
        agreed.note(Color::Black, -799);
        assert_eq!(agreed.winner(), None, "one does not believe it");
        for (side, score) in [(Color::White, 900), (Color::Black, -850), (Color::White, 900), (Color::Black, -900)] {
            agreed.note(side, score);
        }
        assert_eq!(agreed.winner(), Some(Color::White));
        agreed.note(Color::White, -900);
        assert_eq!(agreed.winner(), None);
    }
}
