//! What is asked of a search, within its bounds.

use mnemon_chess::{Position, read_line_of_play};
use mnemon_uci::observer::GameHistory;
use mnemon_uci::{GoCommand, PositionCommand};
use serde::Deserialize;

use crate::error::{ApiError, ApiResult};
use crate::limits::Limits;

/// The body of `POST /api/v1/search`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchBody {
    position: String,
    game: Option<String>,
    engine: Option<String>,
    seconds: Option<u64>,
    depth: Option<u8>,
    lines: Option<u32>,
    threads: Option<u32>,
    hash: Option<u32>,
}

/// A search within the bounds.
#[derive(Clone, Debug)]
pub(crate) struct SearchPlan {
    pub(crate) engine: Option<String>,
    /// The game before the position, and the position.
    pub(crate) game: GameHistory,
    /// The same for the engine.
    pub(crate) command: PositionCommand,
    pub(crate) chess960: bool,
    pub(crate) seconds: u64,
    pub(crate) depth: Option<u8>,
    pub(crate) lines: u32,
    pub(crate) threads: u32,
    pub(crate) hash: u32,
}

/// The time of a search that names none, in seconds.
const DEFAULT_SECONDS: u64 = 60;
/// The hash table of a search that names none, in MiB.
const DEFAULT_HASH: u32 = 64;
const MAX_DEPTH: u8 = mnemon_search::MAX_DEPTH;

impl SearchBody {
    /// The search that is asked for.
    ///
    /// # Errors
    /// 400: no position of chess, one without moves, a number out of bounds.
    pub(crate) fn plan(self, limits: &Limits) -> ApiResult<SearchPlan> {
        if self.game.as_deref().is_some_and(|game| game != "chess") {
            let message = "engines search chess only; Connect Four is solved by GET /api/v1/connect4";
            return Err(ApiError::bad_request("not_searchable", message));
        }
        let (start, moves) =
            read_line_of_play(self.position.replace('_', " ").trim()).map_err(ApiError::invalid_position)?;
        let chess960 = start.is_chess960();
        let command = PositionCommand { fen: Some(start.to_string()), moves: in_uci(&start, &moves) };
        let mut game = GameHistory::at(start);
        moves.into_iter().for_each(|mv| game.play(mv));
        if !game.root().has_moves() {
            return Err(ApiError::bad_request("game_over", "the game is over here: there is nothing to search"));
        }
        let longest = limits.search_time.as_secs().max(1);
        Ok(SearchPlan {
            engine: self.engine,
            game,
            command,
            chess960,
            seconds: within("seconds", self.seconds, longest, DEFAULT_SECONDS)?,
            depth: self.depth.map(|depth| within("depth", Some(depth), MAX_DEPTH, depth)).transpose()?,
            lines: within("lines", self.lines, limits.search_lines, 1)?,
            threads: within("threads", self.threads, limits.search_threads, 1)?,
            hash: within("hash", self.hash, limits.search_hash, DEFAULT_HASH)?,
        })
    }
}

impl SearchPlan {
    /// The command for the engine. Its time is bounded by the server, too.
    pub(crate) fn go(&self) -> GoCommand {
        let milliseconds = i64::try_from(self.seconds.saturating_mul(1000)).unwrap_or(i64::MAX);
        GoCommand { depth: self.depth, movetime: Some(milliseconds), ..GoCommand::default() }
    }
}

/// The number from 1 to `most`, or the default, which may be no more either.
fn within<N: Copy + PartialOrd + std::fmt::Display + From<u8>>(
    name: &str,
    given: Option<N>,
    most: N,
    default: N,
) -> ApiResult<N> {
    let least = N::from(1);
    match given {
        None => Ok(if default > most { most } else { default }),
        Some(number) if number >= least && number <= most => Ok(number),
        Some(number) => {
            let message = format!("'{name}' must be a number from 1 to {most}, not {number}");
            Err(ApiError::bad_request("out_of_bounds", message))
        }
    }
}

fn in_uci(start: &Position, moves: &[mnemon_chess::Move]) -> Vec<String> {
    let mut at = start.clone();
    let text = |&mv: &mnemon_chess::Move| {
        let text = at.uci(mv);
        at = at.after(mv);
        text
    };
    moves.iter().map(text).collect()
}
