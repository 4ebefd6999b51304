//! What a match has come to so far, said game by game and at the end.

use std::time::Duration;

use mnemon_chess::Color;
use mnemon_chess::pgn::GameResult;

use super::adjudicate::Agreed;
use super::board::Rule;
use super::game::{Ending, Finished};
use super::pgn::{PgnFile, Tags};
use super::score::{Outcome, Score};
use crate::Result;
use crate::report::{Report, say};

/// What an engine did wrong.
#[derive(Clone, Copy, Debug, Default)]
struct Faults {
    time_losses: u32,
    illegal_moves: u32,
    breakdowns: u32,
    faulty_lines: u32,
}

/// What an engine searched.
#[derive(Clone, Copy, Debug, Default)]
struct Work {
    moves: u32,
    depths: u64,
    nodes: u64,
    time: Duration,
}

/// A match under way, from the first engine's point of view.
pub(crate) struct Scoreboard {
    names: [String; 2],
    /// The time control, or the nodes a move.
    pace: String,
    games: usize,
    score: Score,
    faults: [Faults; 2],
    work: [Work; 2],
    pgn: Option<PgnFile>,
}

/// A game's place in the match.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// The game's number, counted from 0.
    pub(crate) game: usize,
    /// The opening's number.
    pub(crate) opening: usize,
    /// What the first engine played.
    pub(crate) color: Color,
}

impl Scoreboard {
    /// A match of so many games; two engines of one name are told apart.
    pub(crate) fn new(names: [&str; 2], pace: String, games: usize, pgn: Option<PgnFile>) -> Self {
        let names = match names.map(printable) {
            [first, second] if first == second => [format!("{first} (1)"), format!("{second} (2)")],
            names => names,
        };
        let (score, faults, work) = (Score::default(), [Faults::default(); 2], [Work::default(); 2]);
        Scoreboard { names, pace, games, score, faults, work, pgn }
    }

    /// Counts a game and says how it ended.
    pub(crate) fn add(&mut self, report: &dyn Report, place: Place, game: &Finished) -> Result {
        let outcome = match game.winner() {
            None => Outcome::Draw,
            Some(winner) if winner == place.color => Outcome::Win,
            Some(_) => Outcome::Loss,
        };
        self.score.add(place.opening, outcome);
        self.count(place, game);
        let engine = |color: Color| usize::from(color != place.color);
        let names = Color::ALL.map(|color| self.names[engine(color)].as_str());
        let ending = words(game, names[game.side as usize]);
        let tags = Tags { round: place.game + 1, names, pace: self.pace.clone(), ending: ending.clone() };
        if let Some(file) = &mut self.pgn {
            file.add(game, &tags)?;
        }
        let [white, black] = names;
        let (number, games, result) = (self.score.games(), self.games, GameResult::of_winner(game.winner()));
        let moves = match game.board.moves().len().div_ceil(2) {
            1 => "1 move".to_owned(),
            moves => format!("{moves} moves"),
        };
        let ending = ending.replace('\n', " ");
        say(report, format_args!("{number}/{games}: {white} - {black} {result}, {ending}, {moves}; {}", self.score))
    }

    fn count(&mut self, place: Place, game: &Finished) {
        let engine = |color: Color| usize::from(color != place.color);
        if let Some(side) = game.at_fault() {
            let faults = &mut self.faults[engine(side)];
            match game.ending {
                Ending::Time(_) => faults.time_losses += 1,
                Ending::Illegal(_) => faults.illegal_moves += 1,
                _ => faults.breakdowns += 1,
            }
        }
        for color in Color::ALL {
            self.faults[engine(color)].faulty_lines += game.faulty_lines[color as usize];
        }
        let mut mover = game.board.opening().side_to_move();
        for thought in &game.thoughts {
            let work = &mut self.work[engine(mover)];
            work.moves += 1;
            work.depths += u64::from(thought.depth);
            work.nodes += thought.nodes;
            work.time += thought.took;
            mover = !mover;
        }
    }

    /// Says what the match came to.
    pub(crate) fn conclude(&self, report: &dyn Report, terms: &str) -> Result {
        let [first, second] = &self.names;
        say(report, format_args!("\n{first} against {second}, {} games, {terms}", self.score.games()))?;
        say(report, format_args!("Score:         {}", self.score))?;
        say(report, format_args!("Elo:           {}", difference(&self.score)))?;
        let faults = |fault: fn(&Faults) -> u32| self.faults.map(|faults| fault(&faults));
        let both = |[ours, theirs]: [u32; 2]| format!("{ours} of {first}, {theirs} of {second}");
        say(report, format_args!("Time losses:   {}", both(faults(|faults| faults.time_losses))))?;
        say(report, format_args!("Illegal moves: {}", both(faults(|faults| faults.illegal_moves))))?;
        say(report, format_args!("Breakdowns:    {}", both(faults(|faults| faults.breakdowns))))?;
        say(report, format_args!("Faulty lines:  {}", both(faults(|faults| faults.faulty_lines))))?;
        for (name, work) in self.names.iter().zip(&self.work) {
            let moves = f64::from(work.moves.max(1));
            let speed = work.nodes as f64 / work.time.as_secs_f64().max(1e-9);
            let (depth, time) = (work.depths as f64 / moves, work.time.as_secs_f64() / moves * 1e3);
            say(report, format_args!("{name}: depth {depth:.1}, {time:.0} ms a move, {speed:.0} nodes/s"))?;
        }
        Ok(())
    }
}

/// An engine's name without control characters: it goes to files and terminals.
fn printable(name: &str) -> String {
    name.chars().map(|character| if character.is_control() { '?' } else { character }).collect()
}

/// The difference in Elo with its interval, in words.
fn difference(score: &Score) -> String {
    match score.elo() {
        (difference, _) if difference.is_infinite() => "cannot be told: one side has all the points".to_owned(),
        (difference, None) => format!("{difference:+.0}, from too few different openings for an interval"),
        (difference, Some([low, high])) => format!("{difference:+.0}, 95 % between {low:+.0} and {high:+.0}"),
    }
}

/// How a game ended; `name` is the engine of [`Finished::side`].
fn words(game: &Finished, name: &str) -> String {
    match &game.ending {
        Ending::Rule(Rule::Mate) => "mate".to_owned(),
        Ending::Rule(Rule::Stalemate) => "stalemate".to_owned(),
        Ending::Rule(Rule::Repetition) => "third repetition".to_owned(),
        Ending::Rule(Rule::FiftyMoves) => "fifty moves".to_owned(),
        Ending::Rule(Rule::Material) => "nothing left to mate with".to_owned(),
        Ending::Agreed(Agreed::Won(_)) => "both see it won".to_owned(),
        Ending::Agreed(Agreed::Drawn) => "both see it drawn".to_owned(),
        Ending::Time(Some(late)) => format!("{name} lost on time, {:.1} ms late", late.as_secs_f64() * 1e3),
        Ending::Time(None) => format!("{name} lost on time, without a move"),
        Ending::Illegal(why) => format!("illegal move of {name}: {why}"),
        Ending::Failed(error) => error.to_string(),
    }
}
