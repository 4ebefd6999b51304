//! Plays the games of a match on several threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use mnemon_chess::{Color, Position};

use super::engine::Participant;
use super::players::{Terms, play_game};
use super::scoreboard::{Pairing, Scoreboard};
use crate::Result;
use crate::console::Console;
use crate::threads::run_workers;

/// What the threads of a match share.
pub(super) struct Match<'m> {
    games: usize,
    openings: &'m [Position],
    terms: Terms,
    scoreboard: Mutex<Scoreboard<'m>>,
    next: AtomicUsize,
    /// Set when a thread cannot go on.
    is_aborted: AtomicBool,
}

impl<'m> Match<'m> {
    /// A match of this many games. There must be at least one opening.
    pub(super) fn new(games: usize, openings: &'m [Position], terms: Terms, scoreboard: Scoreboard<'m>) -> Self {
        let (next, is_aborted) = (AtomicUsize::new(0), AtomicBool::new(false));
        Match { games, openings, terms, scoreboard: Mutex::new(scoreboard), next, is_aborted }
    }

    /// Plays all games, on a thread for each pair of participants.
    pub(super) fn run(self, console: &dyn Console, pairs: Vec<[Participant; 2]>) -> Result<Scoreboard<'m>> {
        let this = &self;
        let workers = pairs.into_iter().map(|pair| move || this.work(pair)).collect();
        run_workers(console, workers)?.into_iter().collect::<Result>()?;
        Ok(self.scoreboard.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Plays one game after the other until none is left.
    fn work(&self, mut participants: [Participant; 2]) -> Result {
        while !self.is_aborted.load(Ordering::Relaxed) {
            let game = self.next.fetch_add(1, Ordering::Relaxed);
            if game >= self.games {
                break;
            }
            if let Err(error) = self.play(game, &mut participants) {
                self.is_aborted.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
        participants.into_iter().for_each(Participant::quit);
        Ok(())
    }

    fn play(&self, game: usize, participants: &mut [Participant; 2]) -> Result {
        let opening = game / 2 % self.openings.len();
        let color = if game.is_multiple_of(2) { Color::White } else { Color::Black };
        let [first, second] = participants;
        let (white, black) = if color == Color::White { (first, second) } else { (second, first) };
        let finished = play_game(&self.openings[opening], [white.engine()?, black.engine()?], &self.terms);
        if finished.is_broken {
            let broken = if finished.side == Color::White { white } else { black };
            broken.discard();
        }
        let mut scoreboard = self.scoreboard.lock().unwrap_or_else(PoisonError::into_inner);
        scoreboard.add(Pairing { game, opening, color }, &finished)
    }
}
