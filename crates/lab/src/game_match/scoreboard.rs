//! The state of a match, reported game by game and at the end.

use std::time::Duration;

use mnemon_chess::Color;
use mnemon_chess::pgn::GameResult;

use super::pgn::{PgnFile, Tags};
use super::players::{FinishedGame, Forfeit};
use super::score::Score;
use crate::Result;
use crate::console::{Console, say};
use crate::play::{Ending, RuleEnding, SideResult};

/// What an engine did wrong.
#[derive(Clone, Copy, Debug, Default)]
struct Faults {
    time_losses: u32,
    illegal_moves: u32,
    failures: u32,
    illegal_pvs: u32,
}

/// What an engine searched.
#[derive(Clone, Copy, Debug, Default)]
struct SearchTotals {
    moves: u32,
    depths: u64,
    nodes: u64,
    time: Duration,
}

/// A match in progress, from the first engine's point of view.
pub(super) struct Scoreboard<'c> {
    console: &'c dyn Console,
    names: [String; 2],
    /// The time control, or the nodes a move.
    limit: String,
    games: u32,
    score: Score,
    faults: [Faults; 2],
    totals: [SearchTotals; 2],
    pgn: Option<PgnFile>,
}

/// Which game of the match, from which opening, and who has White.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pairing {
    /// The game's number, counted from 0.
    pub(super) game: usize,
    /// The opening's number.
    pub(super) opening: usize,
    /// The first engine's colour.
    pub(super) color: Color,
}

impl Pairing {
    /// The engine that has this colour: 0 for the first.
    fn engine(self, color: Color) -> usize {
        usize::from(color != self.color)
    }
}

impl<'c> Scoreboard<'c> {
    /// A match of this many games. Two engines of one name get numbers.
    pub(super) fn new(
        console: &'c dyn Console,
        names: [&str; 2],
        limit: String,
        games: u32,
        pgn: Option<PgnFile>,
    ) -> Self {
        let names = match names.map(printable) {
            [first, second] if first == second => [format!("{first} (1)"), format!("{second} (2)")],
            names => names,
        };
        let (score, faults, totals) = (Score::default(), [Faults::default(); 2], [SearchTotals::default(); 2]);
        Scoreboard { console, names, limit, games, score, faults, totals, pgn }
    }

    /// Counts a game, writes it to the PGN file and reports how it ended.
    pub(super) fn add(&mut self, pairing: Pairing, game: &FinishedGame) -> Result {
        let winner = game.winner();
        self.score.add(pairing.opening, SideResult::for_side(pairing.color, winner));
        self.count_faults(pairing, game);
        self.count_searches(pairing, game);
        let names = Color::ALL.map(|color| self.names[pairing.engine(color)].as_str());
        let ending = printable(&ending_text(game, names[game.side as usize]));
        if let Some(file) = &mut self.pgn {
            file.add(game, &Tags { round: pairing.game + 1, names, limit: &self.limit, ending: &ending })?;
        }
        let [white, black] = names;
        let (number, games) = (self.score.games(), self.games);
        let result = GameResult::of_winner(winner);
        let moves = match game.game.plies().div_ceil(2) {
            1 => "1 move".to_owned(),
            moves => format!("{moves} moves"),
        };
        let score = &self.score;
        say(self.console, format_args!("{number}/{games}: {white} - {black} {result}, {ending}, {moves}; {score}"))
    }

    fn count_faults(&mut self, pairing: Pairing, game: &FinishedGame) {
        if let Err(forfeit) = &game.ending {
            let faults = &mut self.faults[pairing.engine(game.side)];
            match forfeit {
                Forfeit::Time(_) => faults.time_losses += 1,
                Forfeit::IllegalMove(_) => faults.illegal_moves += 1,
                Forfeit::Engine(_) => faults.failures += 1,
            }
        }
        for color in Color::ALL {
            self.faults[pairing.engine(color)].illegal_pvs += game.illegal_pvs[color as usize];
        }
    }

    fn count_searches(&mut self, pairing: Pairing, game: &FinishedGame) {
        let mut mover = game.game.start().side_to_move();
        for stats in &game.stats {
            let totals = &mut self.totals[pairing.engine(mover)];
            totals.moves += 1;
            totals.depths += u64::from(stats.depth);
            totals.nodes += stats.nodes;
            totals.time += stats.time;
            mover = !mover;
        }
    }

    /// Reports the result of the match.
    pub(super) fn conclude(&self, terms: &str) -> Result {
        let [first, second] = &self.names;
        let say = |line: std::fmt::Arguments<'_>| say(self.console, line);
        say(format_args!("\n{first} against {second}, {} games, {terms}", self.score.games()))?;
        say(format_args!("Score:         {}", self.score))?;
        say(format_args!("Elo:           {}", elo_text(&self.score)))?;
        let faults = |fault: fn(&Faults) -> u32| {
            let [ours, theirs] = self.faults.map(|faults| fault(&faults));
            format!("{ours} of {first}, {theirs} of {second}")
        };
        say(format_args!("Time losses:   {}", faults(|faults| faults.time_losses)))?;
        say(format_args!("Illegal moves: {}", faults(|faults| faults.illegal_moves)))?;
        say(format_args!("Failures:      {}", faults(|faults| faults.failures)))?;
        say(format_args!("Illegal PVs:   {}", faults(|faults| faults.illegal_pvs)))?;
        for (name, totals) in self.names.iter().zip(&self.totals) {
            let moves = f64::from(totals.moves.max(1));
            let speed = totals.nodes as f64 / totals.time.as_secs_f64().max(1e-9);
            let (depth, time) = (totals.depths as f64 / moves, totals.time.as_secs_f64() / moves * 1e3);
            say(format_args!("{name}: depth {depth:.1}, {time:.0} ms a move, {speed:.0} nodes/s"))?;
        }
        Ok(())
    }
}

/// The text in one line and without control characters: names and errors of engines go to files and terminals.
fn printable(text: &str) -> String {
    let clean = |character: char| match character {
        '\n' => ' ',
        control if control.is_control() => '?',
        character => character,
    };
    text.chars().map(clean).collect()
}

/// The difference in Elo with its interval.
fn elo_text(score: &Score) -> String {
    match score.elo() {
        (difference, _) if difference.is_infinite() => "unknown: one side has all the points".to_owned(),
        (difference, None) => format!("{difference:+.0}, without an interval: the openings differ too little in score"),
        (difference, Some([low, high])) => format!("{difference:+.0}, 95 % between {low:+.0} and {high:+.0}"),
    }
}

/// How a game ended; `name` is the engine of [`FinishedGame::side`].
fn ending_text(game: &FinishedGame, name: &str) -> String {
    let text = match &game.ending {
        Ok(Ending::Rule(RuleEnding::Checkmate)) => "checkmate",
        Ok(Ending::Rule(RuleEnding::Stalemate)) => "stalemate",
        Ok(Ending::Rule(RuleEnding::Repetition)) => "threefold repetition",
        Ok(Ending::Rule(RuleEnding::FiftyMoves)) => "fifty-move rule",
        Ok(Ending::Rule(RuleEnding::InsufficientMaterial)) => "insufficient material",
        Ok(Ending::Adjudicated(Some(_))) => "adjudicated as won",
        Ok(Ending::Adjudicated(None)) => "adjudicated as drawn",
        Ok(Ending::MaxPlies) => "drawn by length",
        Err(Forfeit::Time(Some(late))) => {
            return format!("{name} lost on time, {:.1} ms late", late.as_secs_f64() * 1e3);
        }
        Err(Forfeit::Time(None)) => return format!("{name} lost on time, without a move"),
        Err(Forfeit::IllegalMove(error)) => return format!("illegal move of {name}: {error}"),
        Err(Forfeit::Engine(error)) => return error.to_string(),
    };
    text.to_owned()
}
