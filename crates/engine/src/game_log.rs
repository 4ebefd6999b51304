//! The engine's own moves in the game that it plays: what it learns from when the game is over.
//!
//! No GUI tells an engine how a game has ended. So it is known by the rules where the last position shows it, or by a score
//! beyond doubt, as in Crafty, once another game begins.

use cozy_chess::{Color, Move};
use mnemon_chess::Position;
use mnemon_memory::learn::PlayedGame;
use mnemon_memory::policy::PlayerResult;
use mnemon_search::{Game as _, Outcome};
use mnemon_table::Score;

use crate::GameHistory;

/// A last score of this size leaves no doubt who wins.
const BEYOND_DOUBT: Score = 500;

/// The moves that the engine has chosen in the present game, for one side or for both.
#[derive(Clone, Debug, Default)]
pub(crate) struct GameLog {
    moves: Vec<LoggedMove>,
    /// The winner, if the rules have ended the game.
    ending: Option<Option<Color>>,
}

#[derive(Clone, Debug)]
struct LoggedMove {
    position: Position,
    ply: u16,
    mv: Move,
    score: Option<Score>,
    /// The key of the position after the move.
    key_after: u64,
}

/// The moves of one side in a game that is over.
pub(crate) struct FinishedGame {
    pub(crate) side: Color,
    pub(crate) game: PlayedGame,
    pub(crate) result: PlayerResult,
}

impl GameLog {
    /// Whether this is the game of the log, or the log is empty. Moves that were not played, or were taken back, are dropped
    /// from the log.
    pub(crate) fn continues_in(&mut self, game: &GameHistory) -> bool {
        let was_played = |logged: &LoggedMove| {
            let plies_ago = usize::from(game.ply()).checked_sub(usize::from(logged.ply) + 1);
            match plies_ago {
                None => false,
                Some(0) => game.position().key() == logged.key_after,
                // Of a long game only the last keys are known.
                Some(plies) => game.before().iter().rev().nth(plies - 1).is_none_or(|&key| key == logged.key_after),
            }
        };
        let played = self.moves.iter().take_while(|logged| was_played(logged)).count();
        let is_same = played > 0 || self.moves.first().is_none_or(|first| is_at(first, game));
        if is_same {
            self.moves.truncate(played);
        }
        is_same
    }

    /// Notes the move that the engine has chosen, with its score if it searched.
    pub(crate) fn note(&mut self, game: &GameHistory, mv: Move, score: Option<Score>) {
        let position = game.position();
        let after = position.after(mv);
        let logged = LoggedMove { position: position.clone(), ply: game.ply(), mv, score, key_after: after.key() };
        self.moves.push(logged);
        let mut game = game.clone();
        game.play(mv);
        self.note_position(&game);
    }

    /// Notes the end of the game, if the position on the board shows it.
    fn note_position(&mut self, game: &GameHistory) {
        let position = game.position();
        let times = 1 + game.before().iter().filter(|&&key| key == position.key()).count();
        self.ending = match position.outcome() {
            Some(Outcome::Loss) => Some(Some(!position.side_to_move())),
            Some(_) => Some(None),
            None if times >= 3 || position.is_drawn_by_counter() || position.is_dead() => Some(None),
            None => None,
        };
    }

    /// Notes the end of the game of the log, if the position on the board shows it.
    pub(crate) fn note_end(&mut self, game: &GameHistory) {
        if !self.moves.is_empty() && self.clone().continues_in(game) {
            self.note_position(game);
        }
    }

    /// The winner as far as the game shows it, by the rules or by a last score beyond doubt: `Some(None)` for a draw, `None` if
    /// the result is not known.
    pub(crate) fn winner(&self) -> Option<Option<Color>> {
        let by_score = || {
            let last = self.moves.iter().rev().find(|logged| logged.score.is_some())?;
            let (side, score) = (last.position.side_to_move(), last.score?);
            let is_decided = score.unsigned_abs() >= BEYOND_DOUBT.unsigned_abs();
            is_decided.then_some(Some(if score > 0 { side } else { !side }))
        };
        self.ending.or_else(by_score)
    }

    /// Empties the log; returns the moves of each side that has any, and how the game ended for it.
    pub(crate) fn take(&mut self, winner: Option<Color>) -> Vec<FinishedGame> {
        let moves = std::mem::take(self).moves;
        let of_side = |side: Color| {
            let mut game = PlayedGame::default();
            for logged in moves.iter().filter(|logged| logged.position.side_to_move() == side) {
                game.push(&logged.position, logged.ply, logged.mv, logged.score);
            }
            let result = match winner {
                Some(winner) if winner == side => PlayerResult::Win,
                Some(_) => PlayerResult::Loss,
                None => PlayerResult::Draw,
            };
            FinishedGame { side, game, result }
        };
        [Color::White, Color::Black].map(of_side).into_iter().filter(|finished| !finished.game.is_empty()).collect()
    }
}

/// Whether the move was chosen in the position on the board, which is searched again.
fn is_at(logged: &LoggedMove, game: &GameHistory) -> bool {
    logged.ply == game.ply() && logged.position.key() == game.position().key()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &str) -> GameHistory {
        GameHistory::new(Position::start(), moves.split_whitespace()).expect("legal moves")
    }

    /// A log of the moves that White has chosen in these games, each after the other.
    fn log(choices: &[(&str, &str, Score)]) -> GameLog {
        let mut log = GameLog::default();
        for &(moves, choice, score) in choices {
            let game = game(moves);
            assert!(log.continues_in(&game), "{moves}");
            log.note(&game, game.position().parse_uci(choice).expect("legal"), Some(score));
        }
        log
    }

    fn moves(log: &mut GameLog) -> Vec<usize> {
        log.take(None).iter().map(|finished| finished.game.len()).collect()
    }

    #[test]
    fn a_game_goes_on_with_the_moves_that_were_chosen() {
        let mut log = log(&[("", "e2e4", 20), ("e2e4 e7e5", "g1f3", 30)]);
        assert!(log.continues_in(&game("e2e4 e7e5 g1f3 b8c6")));
        assert!(!log.clone().continues_in(&game("d2d4 d7d5")), "another game");
        let mut taken_back = log.clone();
        assert!(taken_back.continues_in(&game("e2e4")));
        assert_eq!(moves(&mut taken_back), [1]);
        assert_eq!(moves(&mut log), [2]);
    }

    #[test]
    fn a_move_that_was_not_played_is_dropped() {
        // The opponent did not play what was pondered on.
        let mut log = log(&[("", "e2e4", 20), ("e2e4 e7e5", "g1f3", 30), ("e2e4 c7c5", "b1c3", 10)]);
        assert!(log.continues_in(&game("e2e4 c7c5 b1c3 d7d6")));
        assert_eq!(moves(&mut log), [2]);
    }

    #[test]
    fn a_position_may_be_searched_again_and_both_sides_may_be_played() {
        let mut log = log(&[("", "e2e4", 20), ("", "d2d4", 20), ("d2d4", "d7d5", -10), ("d2d4 d7d5", "c2c4", 15)]);
        assert_eq!(moves(&mut log), [2, 1]);
    }

    #[test]
    fn the_winner_is_known_by_the_rules_or_beyond_doubt() {
        let mate = [("", "f2f3", -80), ("f2f3 e7e5", "g2g4", -90)];
        let mut lost = log(&mate);
        assert_eq!(lost.winner(), None, "a bad score is no proof");
        lost.note_end(&game("f2f3 e7e5 g2g4 d8h4"));
        assert_eq!(lost.winner(), Some(Some(Color::Black)));
        let [finished] = &lost.take(Some(Color::Black))[..] else { panic!("one side") };
        assert_eq!((finished.side, finished.result), (Color::White, PlayerResult::Loss));
        assert_eq!(log(&[("", "e2e4", 20), ("e2e4 e7e5", "g1f3", 500)]).winner(), Some(Some(Color::White)));
        assert_eq!(log(&[("", "e2e4", 20), ("e2e4 e7e5", "g1f3", -501)]).winner(), Some(Some(Color::Black)));
        assert_eq!(log(&[("", "e2e4", 20), ("e2e4 e7e5", "g1f3", 499)]).winner(), None);
        let drawn = [
            ("", "g1f3", 0),
            ("g1f3 g8f6", "f3g1", 0),
            ("g1f3 g8f6 f3g1 f6g8", "g1f3", 0),
            ("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6", "f3g1", 0),
        ];
        assert_eq!(log(&drawn).winner(), None, "no position for the third time yet");
        let mut drawn = log(&drawn);
        assert!(drawn.continues_in(&game("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8")));
        let third = game("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
        drawn.note(&third, third.position().parse_uci("g1f3").expect("legal"), Some(0));
        assert_eq!(drawn.winner(), Some(None));
    }
}
