//! Games that both sides take for decided are ended before the rules end them.
//!
//! Testing frameworks (fishtest, OpenBench) do the same. Here both sides must agree: a game that one of them misjudges
//! is played on.

use mnemon_chess::Color;

use super::{Ending, Game};

/// When a game is ended although the rules let it go on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Adjudication {
    /// When it is won.
    pub(crate) win: Option<WinRule>,
    /// When it is drawn.
    pub(crate) draw: Option<DrawRule>,
    /// It is drawn after this many plies.
    pub(crate) max_plies: usize,
}

/// A game is won when both sides give one side `score` centipawns or more for `plies` plies without a break.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WinRule {
    pub(crate) score: i32,
    pub(crate) plies: u32,
}

/// A game is drawn when both sides give at most `score` centipawns to either for `plies` plies without a break.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DrawRule {
    pub(crate) score: i32,
    pub(crate) plies: u32,
    /// Plies count from this move number on.
    pub(crate) counted_from_move: u16,
    /// No game with fewer plies is drawn.
    pub(crate) min_plies: usize,
    /// Whether a capture or a pawn move starts the count again.
    pub(crate) restarts: bool,
}

/// Counts how long the scores of one game have agreed.
#[derive(Debug)]
pub(crate) struct Adjudicator<'r> {
    rules: &'r Adjudication,
    /// Plies without a break for which White, then Black, was called the winner.
    won: [u32; 2],
    drawn: u32,
}

impl<'r> Adjudicator<'r> {
    /// For a game that begins.
    pub(crate) fn new(rules: &'r Adjudication) -> Self {
        Adjudicator { rules, won: [0; 2], drawn: 0 }
    }

    /// Takes note of a mover's score for the move that it made, and of the game after that move. Gives the ending, if
    /// the game is to be ended here.
    pub(crate) fn note(&mut self, mover: Color, score: Option<i32>, after: &Game) -> Option<Ending> {
        let &Adjudication { win, draw, max_plies } = self.rules;
        if after.plies() >= max_plies {
            return Some(Ending::MaxPlies);
        }
        let won = win.and_then(|rule| self.winner(rule, mover, score));
        let is_drawn = draw.is_some_and(|rule| self.is_drawn(rule, score, after));
        won.map(|winner| Ending::Adjudicated(Some(winner))).or_else(|| is_drawn.then_some(Ending::Adjudicated(None)))
    }

    fn winner(&mut self, rule: WinRule, mover: Color, score: Option<i32>) -> Option<Color> {
        let winner = match score {
            Some(score) if score >= rule.score => Some(mover),
            Some(score) if score <= -rule.score => Some(!mover),
            _ => None,
        };
        for color in Color::ALL {
            let plies = &mut self.won[color as usize];
            *plies = if winner == Some(color) { *plies + 1 } else { 0 };
        }
        winner.filter(|&winner| self.won[winner as usize] >= rule.plies)
    }

    fn is_drawn(&mut self, rule: DrawRule, score: Option<i32>, after: &Game) -> bool {
        let is_level = score.is_some_and(|score| score.abs() <= rule.score);
        let position = after.position();
        let restarts = rule.restarts && position.halfmove_clock() == 0;
        let counts = is_level && !restarts && position.fullmove_number() >= rule.counted_from_move;
        self.drawn = if counts { self.drawn + 1 } else { 0 };
        self.drawn >= rule.plies && after.plies() >= rule.min_plies
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_match::ADJUDICATION as RULES;

    const LATE: &str = "4k3/8/8/8/8/8/R7/4K3 w - - 8 60";

    fn game(fen: &str) -> Game {
        Game::new(&fen.parse().expect("a position"))
    }

    /// The ply after which the game is over, if these scores of White and Black repeat for ever.
    fn ends(scores: [Option<i32>; 2], fen: &str) -> Option<(u32, Option<Color>)> {
        let (mut adjudicator, after) = (Adjudicator::new(&RULES), game(fen));
        (1..=200).find_map(|ply| {
            let mover = if ply % 2 == 1 { Color::White } else { Color::Black };
            match adjudicator.note(mover, scores[mover as usize], &after)? {
                Ending::Adjudicated(winner) => Some((ply, winner)),
                ending => panic!("{ending:?}"),
            }
        })
    }

    #[test]
    fn both_must_agree_on_the_winner() {
        assert_eq!(ends([Some(600), Some(-700)], LATE), Some((8, Some(Color::White))));
        assert_eq!(ends([Some(-900), Some(100_000)], LATE), Some((8, Some(Color::Black))));
        assert_eq!(ends([Some(900), Some(-599)], LATE), None);
        assert_eq!(ends([Some(900), Some(900)], LATE), None);
        assert_eq!(ends([Some(900), None], LATE), None);
    }

    #[test]
    fn draws_are_level_quiet_and_late() {
        assert_eq!(ends([Some(-10), Some(10)], LATE), Some((16, None)));
        assert_eq!(ends([Some(0), Some(11)], LATE), None);
        assert_eq!(ends([Some(0), None], LATE), None);
        assert_eq!(ends([Some(0), Some(0)], "4k3/8/8/8/8/8/R7/4K3 w - - 0 60"), None, "a capture or a pawn move");
        assert_eq!(ends([Some(0), Some(0)], "4k3/8/8/8/8/8/R7/4K3 w - - 8 39"), None);
    }

    #[test]
    fn one_doubt_begins_the_count_anew() {
        let (mut adjudicator, after) = (Adjudicator::new(&RULES), game(LATE));
        let mut note = |score: i32| adjudicator.note(Color::White, Some(score), &after);
        assert_eq!([900, 900, 900, 900, 900, 900, 900, 599].map(&mut note), [None; 8]);
        assert_eq!([900; 7].map(&mut note), [None; 7]);
        assert_eq!(note(900), Some(Ending::Adjudicated(Some(Color::White))));
        assert_eq!(note(-900), None, "the other side is winning now");
    }

    #[test]
    fn a_draw_waits_for_the_least_length() {
        let draw = DrawRule { score: 8, plies: 2, counted_from_move: 0, min_plies: 4, restarts: false };
        let rules = Adjudication { win: None, draw: Some(draw), max_plies: 6 };
        let (mut adjudicator, mut game) = (Adjudicator::new(&rules), Game::default());
        let mut ending_after = |mv: &str, score: i32| {
            let mover = game.side_to_move();
            game.play(game.position().parse_uci(mv).expect("legal"));
            adjudicator.note(mover, Some(score), &game)
        };
        for mv in ["e2e4", "e7e5", "d2d4"] {
            assert_eq!(ending_after(mv, 0), None, "level for long enough, but too early");
        }
        assert_eq!(ending_after("d7d5", 0), Some(Ending::Adjudicated(None)));
        assert_eq!(ending_after("c2c4", 9), None);
        assert_eq!(ending_after("c7c5", 0), Some(Ending::MaxPlies));
    }
}
