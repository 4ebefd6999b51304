//! One game of a match: two UCI engines, the clocks, and what an engine can do wrong.

use std::time::Duration;

use mnemon_chess::{ChessError, Color, Position};
use mnemon_uci::child::{ChildEngine, ChildError};
use mnemon_uci::{GoCommand, Info, ScoreValue};

use super::clock::{Clocks, TimeControl};
use crate::play::{Adjudication, Choice, Ending, Game, Players, play};

/// The terms of every game of a match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    /// The limit of each move's search.
    pub(super) limit: SearchLimit,
    /// The delay by which a move may exceed its clock.
    pub(super) margin: Duration,
    /// When games are ended that both engines take for decided.
    pub(super) adjudication: Adjudication,
    /// The longest time for a move where no clock runs.
    pub(super) timeout: Duration,
}

/// What ends the search of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchLimit {
    /// The clock.
    Time(TimeControl),
    /// A number of nodes.
    Nodes(u64),
}

/// What an engine did to lose a game by something else than chess.
#[derive(Debug)]
pub(super) enum Forfeit {
    /// Its time ran out: by how much its move was late, if it came at all.
    Time(Option<Duration>),
    /// Its move cannot be played.
    IllegalMove(ChessError),
    /// The engine ended or did not answer.
    Engine(ChildError),
}

/// What an engine reported about a move.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MoveStats {
    /// The score in centipawns, if it gave one.
    pub(super) score: Option<i32>,
    /// The depth that it reached.
    pub(super) depth: u32,
    /// The nodes that it searched.
    pub(super) nodes: u64,
    /// From the command to the move.
    pub(super) time: Duration,
}

/// A game that is over.
pub(super) struct FinishedGame {
    /// The moves.
    pub(super) game: Game,
    /// How it ended; an error is the forfeit of [`side`](Self::side).
    pub(super) ending: Result<Ending, Forfeit>,
    /// The side to move at the end.
    pub(super) side: Color,
    /// One for each move.
    pub(super) stats: Vec<MoveStats>,
    /// Principal variations with an illegal move, of White and of Black. They lose nothing, but are defects.
    pub(super) illegal_pvs: [u32; 2],
    /// Whether the engine of that side has to be started again.
    pub(super) is_broken: bool,
}

impl FinishedGame {
    /// Who won.
    pub(super) fn winner(&self) -> Option<Color> {
        match self.ending {
            Ok(ending) => ending.winner(&self.game),
            Err(_) => Some(!self.side),
        }
    }
}

/// The time that is waited for a move after its flag fell, to say how late it was.
const GRACE: Duration = Duration::from_millis(250);

/// Plays a game; the first engine has White.
pub(super) fn play_game(opening: &Position, engines: [&mut ChildEngine; 2], terms: &Terms) -> FinishedGame {
    let clocks = match terms.limit {
        SearchLimit::Time(control) => Some(Clocks::new(control)),
        SearchLimit::Nodes(_) => None,
    };
    let fen = opening.to_string();
    let mut players =
        UciPlayers { engines, terms, fen, clocks, stats: Vec::new(), illegal_pvs: [0; 2], is_broken: false };
    let mut game = Game::new(opening);
    let (ending, side) = match players.new_game() {
        Ok(()) => {
            let ending = play(&mut game, &mut players, &terms.adjudication);
            (ending, game.side_to_move())
        }
        Err((side, forfeit)) => (Err(forfeit), side),
    };
    let UciPlayers { stats, illegal_pvs, is_broken, .. } = players;
    FinishedGame { game, ending, side, stats, illegal_pvs, is_broken }
}

/// Two engines over one board.
struct UciPlayers<'e> {
    /// White and Black.
    engines: [&'e mut ChildEngine; 2],
    terms: &'e Terms,
    /// The opening.
    fen: String,
    clocks: Option<Clocks>,
    stats: Vec<MoveStats>,
    illegal_pvs: [u32; 2],
    is_broken: bool,
}

impl UciPlayers<'_> {
    /// Tells both engines that a game begins; the side that does not take it forfeits the game.
    fn new_game(&mut self) -> Result<(), (Color, Forfeit)> {
        for color in Color::ALL {
            if let Err(error) = self.engines[color as usize].new_game() {
                self.is_broken = true;
                return Err((color, Forfeit::Engine(error)));
            }
        }
        Ok(())
    }

    /// The move as the engine wrote it, with what it reported and its principal variation.
    fn search(&mut self, game: &Game) -> Result<(String, MoveStats, Vec<String>), Forfeit> {
        let mover = game.side_to_move();
        let (limit, timeout) = match (self.terms.limit, self.clocks) {
            (SearchLimit::Nodes(nodes), _) => (GoCommand::nodes(nodes), self.terms.timeout),
            (SearchLimit::Time(_), None) => return Err(Forfeit::Time(None)),
            (SearchLimit::Time(_), Some(Clocks { left, increment })) => {
                (GoCommand::clock(left, increment), left[mover as usize] + self.terms.margin + GRACE)
            }
        };
        let engine = &mut *self.engines[mover as usize];
        let (mut stats, mut pv) = (MoveStats::default(), Vec::new());
        let reply = engine
            .set_position(&self.fen, game.uci_moves())
            .and_then(|()| engine.go(&limit, timeout, |info| note(info, &mut stats, &mut pv)));
        match reply {
            Ok(reply) => {
                stats.time = reply.elapsed;
                self.press_clock(mover, reply.elapsed)?;
                Ok((reply.best.mv, stats, pv))
            }
            Err(ChildError::Timeout { .. }) if self.clocks.is_some() => {
                self.is_broken = engine.stop().is_err();
                Err(Forfeit::Time(None))
            }
            Err(error) => {
                self.is_broken = true;
                Err(Forfeit::Engine(error))
            }
        }
    }

    fn press_clock(&mut self, mover: Color, time: Duration) -> Result<(), Forfeit> {
        let pressed = self.clocks.as_mut().map(|clocks| clocks.press(mover, time, self.terms.margin));
        pressed.unwrap_or(Ok(())).map_err(|late| Forfeit::Time(Some(late)))
    }
}

impl Players for UciPlayers<'_> {
    type Failure = Forfeit;

    fn choose(&mut self, game: &Game) -> Result<Choice, Forfeit> {
        let (mv, stats, pv) = self.search(game)?;
        if first_illegal_move(game.position(), &pv).is_some() {
            self.illegal_pvs[game.side_to_move() as usize] += 1;
        }
        let mv = game.position().parse_uci(&mv).map_err(Forfeit::IllegalMove)?;
        self.stats.push(stats);
        Ok(Choice { mv, score: stats.score })
    }
}

/// Why a variation cannot be played from here, at the first move of it that cannot.
fn first_illegal_move(position: &Position, variation: &[String]) -> Option<ChessError> {
    let mut position = position.clone();
    for mv in variation {
        match position.play_uci(mv) {
            Ok(next) => position = next,
            Err(error) => return Some(error),
        }
    }
    None
}

/// Keeps the last that an engine reports of its best line.
fn note(info: Info, stats: &mut MoveStats, pv: &mut Vec<String>) {
    if info.multipv.unwrap_or(1) != 1 {
        return;
    }
    stats.depth = info.depth.unwrap_or(stats.depth);
    stats.nodes = info.nodes.unwrap_or(stats.nodes);
    stats.score = info.exact_score().map(ScoreValue::centipawns).or(stats.score);
    if !info.pv.is_empty() {
        *pv = info.pv;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_played_is_refused() {
        let position = Position::start().play_uci("e2e4").expect("legal");
        for word in ["e2e4", "e7e4", "0000", "(none)", "", "resign"] {
            assert!(position.parse_uci(word).is_err(), "{word}");
        }
        let line = ["e7e5", "g1f3", "e5e4"].map(str::to_owned);
        assert!(first_illegal_move(&position, &line[..2]).is_none());
        assert!(first_illegal_move(&position, &line).is_some_and(|error| error.to_string().contains("e5e4")));
    }
}
