//! What was learned, in numbers.

use indicatif::HumanCount;
use mnemon_chess::Color;
use mnemon_memory::policy::PlayerResult;

use super::game::{PlayerGame, Skipped};
use crate::format::plural;

/// The games of a player.
#[derive(Debug, Default)]
pub(super) struct Tally {
    games: u64,
    /// By side: White, Black.
    sides: [u64; 2],
    won: u64,
    drawn: u64,
    lost: u64,
    moves: u64,
    broken_off: u64,
    /// In the order of [`WHY_SKIPPED`].
    skipped: [u64; WHY_SKIPPED.len()],
}

/// Each reason with its words, after the number of games.
const WHY_SKIPPED: [(Skipped, &str); 5] = [
    (Skipped::LearnedBefore, "learned before"),
    (Skipped::Unfinished, "unfinished"),
    (Skipped::OtherVariant, "of another variant"),
    (Skipped::InvalidStart, "with an invalid FEN"),
    (Skipped::NoMoves, "without a move of the player"),
];

impl Tally {
    /// Counts a game that is learned.
    pub(super) fn learn(&mut self, player_game: &PlayerGame) {
        self.games += 1;
        self.moves += player_game.moves() as u64;
        self.broken_off += u64::from(player_game.is_broken_off);
        for side in &player_game.sides {
            self.sides[usize::from(side.side == Color::Black)] += 1;
            match side.result {
                PlayerResult::Win => self.won += 1,
                PlayerResult::Draw => self.drawn += 1,
                PlayerResult::Loss => self.lost += 1,
            }
        }
    }

    /// Counts a game that is not.
    pub(super) fn skip(&mut self, why: Skipped) {
        let counts = WHY_SKIPPED.iter().zip(&mut self.skipped);
        counts.filter(|((reason, _), _)| *reason == why).for_each(|(_, count)| *count += 1);
    }

    /// The number of the player's games, learned or not.
    pub(super) fn all(&self) -> u64 {
        self.games + self.skipped()
    }

    fn skipped(&self) -> u64 {
        self.skipped.iter().sum()
    }

    /// Whether games were left out because they were learned before, and nothing else was there to learn.
    pub(super) fn has_only_known(&self) -> bool {
        self.games == 0 && self.skipped[0] > 0
    }

    /// Why nothing was learned.
    pub(super) fn refusal(&self, player: &str) -> String {
        let known = self.skipped[0];
        format!(
            "every finished game of {player} there ({}) was learned before: nothing was changed; --again counts them \
             once more",
            HumanCount(known)
        )
    }

    /// What was learned of the player, in one line.
    pub(super) fn text(&self, player: &str, new_positions: u64) -> String {
        let Tally { games, sides: [white, black], won, drawn, lost, moves, .. } = *self;
        let count = |number: u64, what: &str| format!("{} {what}{}", HumanCount(number), plural(number));
        let [white, black, won, drawn, lost] = [white, black, won, drawn, lost].map(HumanCount);
        let mut text = format!("learned from {} of {player}", count(games, "game"));
        if games > 0 {
            text += &format!(" (white {white}, black {black}): {won} won, {drawn} drawn, {lost} lost; ");
            text += &format!("{}, {}", count(moves, "move"), count(new_positions, "new position"));
        }
        if self.broken_off > 0 {
            let broken_off = count(self.broken_off, "game");
            text += &format!("; {broken_off} learned only up to a move that cannot be played");
        }
        if self.skipped() > 0 {
            let reasons = WHY_SKIPPED.iter().zip(&self.skipped).filter(|&(_, &games)| games > 0);
            let reasons: Vec<String> =
                reasons.map(|((_, words), &games)| format!("{} {words}", HumanCount(games))).collect();
            text += &format!("; {} skipped: {}", count(self.skipped(), "game"), reasons.join(", "));
        }
        text + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_there_was() {
        let tally = Tally {
            games: 312,
            sides: [160, 152],
            won: 140,
            drawn: 90,
            lost: 82,
            moves: 11_820,
            broken_off: 1,
            skipped: [0, 2, 1, 0, 0],
        };
        let expected = "learned from 312 games of Ada (white 160, black 152): 140 won, 90 drawn, 82 lost; 11,820 moves, \
            9,001 new positions; 1 game learned only up to a move that cannot be played; 3 games skipped: 2 unfinished, \
            1 of another variant\n";
        assert_eq!(tally.text("Ada", 9_001), expected);
        let mut unfinished = Tally::default();
        unfinished.skip(Skipped::Unfinished);
        assert_eq!(unfinished.text("Ada", 0), "learned from 0 games of Ada; 1 game skipped: 1 unfinished\n");
        assert!(unfinished.all() == 1 && !unfinished.has_only_known());
    }
}
