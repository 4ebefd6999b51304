//! `mnemon learn`: learns from the results of a player's games in a PGN file.

mod game;
mod input;
mod lessons;
mod players;
mod tally;

use std::cell::Cell;
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;

use clap::Args;
use mnemon_chess::pgn::{PgnError, PgnGame, PgnReader};

use crate::memory_location::{self, MemoryLocation, default_path};
use crate::progress::DelayedBar;
use crate::{Result, UsageError, output};
use game::Lesson;
use input::Input;
use lessons::Lessons;
use players::{PlayerName, Roster};
use tally::Tally;

/// The games, and whose they are.
#[derive(Args)]
#[command(after_help = concat!("\
Every position after a move of the player gets the mean of his results there; a search with the policy 'result' plays \
what won and leaves what lost, and 'mnemon memory show' shows the results of each move. A game is learned once: those that \
the memory has learned before are left out, so that a file that has grown may be learned again. 'mnemon memory forget \
--source NAME' takes a player out again.

Without --memory it is MNEMON_MEMORY, or else ", default_path!(), "."))]
pub(crate) struct Arguments {
    /// A PGN file; '-' is stdin
    #[arg(value_name = "GAMES.pgn")]
    games: PathBuf,
    /// The player, as the tags White and Black name him; a part of the name will do if it is of one player only
    #[arg(long, value_name = "NAME")]
    player: PlayerName,
    /// The memory's file; it is created if it does not exist
    #[arg(long, value_name = "FILE")]
    memory: Option<PathBuf>,
    /// Count games that were learned before once more
    #[arg(long)]
    again: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let location = MemoryLocation::choose(arguments.memory.as_deref())?;
    let input = Input::new(&arguments.games);
    let mut learner = Learner::new(&location, arguments.player.clone(), arguments.again);
    learner.read(&input)?;
    if !learner.has_player() {
        let name = learner.roster.only_similar(&input, &learner.player)?;
        let line = format!("no player is named '{}'; taking '{name}', the only name with it", learner.player);
        eprintln!("mnemon: {}", output::escape_controls(&line));
        learner = Learner::new(&location, name, arguments.again);
        learner.read(&input)?;
    }
    learner.finish(&input)
}

/// Learns the games of one player.
struct Learner<'a> {
    location: &'a MemoryLocation,
    player: PlayerName,
    again: bool,
    tally: Tally,
    /// The other players, as long as no game of this one was found.
    roster: Roster,
    /// `None` before the first game that there is something to learn from: a mistyped name creates no memory.
    lessons: Option<Lessons>,
}

impl<'a> Learner<'a> {
    fn new(location: &'a MemoryLocation, player: PlayerName, again: bool) -> Self {
        let (tally, roster) = (Tally::default(), Roster::new(&player));
        Learner { location, player, again, tally, roster, lessons: None }
    }

    fn has_player(&self) -> bool {
        self.tally.all() > 0
    }

    /// Learns every game of the player in the file.
    fn read(&mut self, input: &Input) -> Result {
        let (bytes, position) = (input.bytes(), Rc::new(Cell::new(0)));
        let bar = DelayedBar::new(bytes, "learn");
        for game in PgnReader::new(input.name(), input.open(&position)?) {
            self.game(&game?)?;
            bar.set(position.get(), bytes);
        }
        if self.roster.games() == 0 && !self.has_player() {
            return Err(PgnError::Empty { file: input.name().to_owned() }.into());
        }
        self.lessons.as_mut().map_or(Ok(()), Lessons::flush)
    }

    fn game(&mut self, game: &PgnGame) -> Result {
        let Some((name, sides)) = self.player.sides(game) else {
            if !self.has_player() {
                self.roster.add(game);
            }
            return Ok(());
        };
        let lesson = match Lesson::new(game, &sides) {
            Ok(lesson) => lesson,
            Err(skipped) => {
                self.tally.skip(skipped);
                return Ok(());
            }
        };
        let lessons = match &mut self.lessons {
            Some(lessons) => lessons,
            none => none.insert(Lessons::new(self.location.for_adding()?, name)?),
        };
        if lessons.is_known(&lesson)? && !self.again {
            self.tally.skip(game::Skipped::LearnedBefore);
            return Ok(());
        }
        self.tally.learn(&lesson);
        lessons.add(lesson)
    }

    /// Says what was learned. That there was nothing new is an error.
    fn finish(self, input: &Input) -> Result<ExitCode> {
        let Some(lessons) = self.lessons else {
            output::show(&self.tally.text(&self.player.to_string(), 0))?;
            return Ok(ExitCode::SUCCESS);
        };
        if self.tally.has_only_known() {
            let problem = self.tally.refusal(lessons.player());
            return Err(format!("{}: {problem}", input.name()).into());
        }
        lessons.sync()?;
        output::show(&self.tally.text(lessons.player(), lessons.new_positions()))?;
        let is_fine = memory_location::is_sound(lessons.store())?;
        Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// A name that means nobody in the file.
fn unknown_player(problem: String) -> Box<dyn std::error::Error> {
    UsageError(problem).into()
}
