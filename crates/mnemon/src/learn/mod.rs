//! `mnemon learn`: learns from the results of a player's games in a PGN file.

mod game;
mod game_batch;
mod input;
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
use game::PlayerGame;
use game_batch::GameBatch;
use input::Input;
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
    batch: Option<GameBatch>,
}

impl<'a> Learner<'a> {
    fn new(location: &'a MemoryLocation, player: PlayerName, again: bool) -> Self {
        let (tally, roster) = (Tally::default(), Roster::new(&player));
        Learner { location, player, again, tally, roster, batch: None }
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
        self.batch.as_mut().map_or(Ok(()), GameBatch::flush)
    }

    fn game(&mut self, game: &PgnGame) -> Result {
        let Some((name, sides)) = self.player.sides(game) else {
            if !self.has_player() {
                self.roster.add(game);
            }
            return Ok(());
        };
        let player_game = match PlayerGame::new(game, &sides) {
            Ok(player_game) => player_game,
            Err(skipped) => {
                self.tally.skip(skipped);
                return Ok(());
            }
        };
        let batch = match &mut self.batch {
            Some(batch) => batch,
            none => none.insert(GameBatch::new(self.location.for_adding()?, name, self.again)?),
        };
        if batch.is_known(&player_game)? {
            self.tally.skip(game::Skipped::LearnedBefore);
            return Ok(());
        }
        self.tally.learn(&player_game);
        batch.add(player_game)
    }

    /// Says what was learned. That there was nothing new is an error.
    fn finish(self, input: &Input) -> Result<ExitCode> {
        let Some(batch) = self.batch else {
            output::show(&self.tally.text(&self.player.to_string(), 0))?;
            return Ok(ExitCode::SUCCESS);
        };
        if self.tally.has_only_known() {
            let problem = self.tally.refusal(batch.player());
            return Err(format!("{}: {problem}", input.name()).into());
        }
        batch.sync()?;
        output::show(&self.tally.text(batch.player(), batch.new_positions()))?;
        let is_fine = memory_location::is_sound(batch.store())?;
        Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// A name that means nobody in the file.
fn unknown_player(problem: String) -> Box<dyn std::error::Error> {
    UsageError(problem).into()
}
