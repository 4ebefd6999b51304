//! The position that a command is about, as its arguments give it.

use clap::Args;
use mnemon_explore::notation::{self, Position};

use crate::memory::SourceArgs;
use crate::{Result, UsageError};

/// A position on the command line.
#[derive(Args)]
pub(crate) struct PositionArg {
    /// The position: moves such as '1.e4 c5', 'startpos', or a FEN, perhaps with moves after it, for chess; columns such as
    /// 4455, or '-' for the empty board, for Connect Four; 'hex:' and the packed form for any game
    #[arg(required = true, value_name = "POSITION")]
    position: Vec<String>,
    /// The game, where the position's form does not tell it: chess, connect4-7x6, connect4-6x5...
    #[arg(long, value_name = "NAME")]
    game: Option<String>,
}

/// A position that may be left out.
#[derive(Args)]
pub(crate) struct OptionalPositionArg {
    /// The position, as for 'show'
    #[arg(value_name = "POSITION")]
    position: Vec<String>,
    /// The game, where the position's form does not tell it: chess, connect4-7x6, connect4-6x5...
    #[arg(long, value_name = "NAME")]
    game: Option<String>,
}

impl OptionalPositionArg {
    /// The position that the arguments describe; `None` if there is none.
    pub(crate) fn read(&self) -> Result<Option<Box<dyn Position>>> {
        if self.position.is_empty() {
            return Ok(None);
        }
        Ok(Some(notation::read(&self.position, self.game.as_deref()).map_err(UsageError::new)?))
    }

    /// The position that the arguments describe; without one, where the game begins: chess, if none is named.
    pub(crate) fn read_or_start(&self) -> Result<Box<dyn Position>> {
        if !self.position.is_empty() {
            return Ok(notation::read(&self.position, self.game.as_deref()).map_err(UsageError::new)?);
        }
        let game = self.game.as_deref().unwrap_or("chess");
        let start = if game == "chess" { "startpos" } else { "-" };
        Ok(notation::read(&[start.to_owned()], Some(game)).map_err(UsageError::new)?)
    }

    /// The game that was named.
    pub(crate) fn game(&self) -> Option<&str> {
        self.game.as_deref()
    }
}

/// A position to look up.
#[derive(Args)]
pub(crate) struct PositionQuery {
    #[command(flatten)]
    position: PositionArg,
    #[command(flatten)]
    pub(crate) sources: SourceArgs,
    /// Answer with one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// A position to show.
#[derive(Args)]
pub(crate) struct ShowQuery {
    #[command(flatten)]
    pub(crate) query: PositionQuery,
    /// Read everything below the position for its value, however long it takes
    #[arg(long)]
    pub(crate) whole: bool,
}

impl PositionQuery {
    /// The position that the arguments describe.
    pub(crate) fn position(&self) -> Result<Box<dyn Position>> {
        self.position.read()
    }
}

impl PositionArg {
    /// The position that the arguments describe.
    pub(crate) fn read(&self) -> Result<Box<dyn Position>> {
        Ok(notation::read(&self.position, self.game.as_deref()).map_err(UsageError::new)?)
    }
}
