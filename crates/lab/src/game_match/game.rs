//! One game between two engines.

use std::time::Duration;

use mnemon_chess::{Color, Position};

use super::adjudicate::{Adjudicator, Agreed};
use super::board::{Board, Rule};
use super::clock::{Clocks, TimeControl};
use mnemon_uci::child::{ChildEngine, ChildError};
use mnemon_uci::{GoCommand, Info, ScoreValue};

/// The terms of every game of a match.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    /// How long, or how many nodes, a move may take.
    pub(crate) pace: Pace,
    /// How much too late a move may come.
    pub(crate) margin: Duration,
    /// Whether games are ended that both engines take for decided.
    pub(crate) adjudicate: bool,
    /// How long a move may take where no clock runs.
    pub(crate) patience: Duration,
}

/// How long engines think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// By the clock.
    Time(TimeControl),
    /// So many nodes a move.
    Nodes(u64),
}

/// Why a game ended. What an engine did wrong is [`Finished::at_fault`]'s.
#[derive(Debug)]
pub(crate) enum Ending {
    /// By the rules of chess.
    Rule(Rule),
    /// Both engines took it for decided.
    Agreed(Agreed),
    /// A flag fell; how much too late the move came, if it came.
    Time(Option<Duration>),
    /// A move that cannot be played: which, and why.
    Illegal(String),
    /// An engine died or fell silent.
    Failed(ChildError),
}

/// What an engine said about a move.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Thought {
    /// The score in hundredths of a pawn, if it said one.
    pub(crate) score: Option<i32>,
    /// The depth that it reached.
    pub(crate) depth: u32,
    /// The nodes that it searched.
    pub(crate) nodes: u64,
    /// How long it took.
    pub(crate) took: Duration,
}

/// A game that is over.
pub(crate) struct Finished {
    /// The moves.
    pub(crate) board: Board,
    /// Why it is over.
    pub(crate) ending: Ending,
    /// The side that was to move, or whose engine broke down.
    pub(crate) side: Color,
    /// One for each move.
    pub(crate) thoughts: Vec<Thought>,
    /// Lines of play that cannot be played, of White and of Black. They cost nothing and are a mistake all the same.
    pub(crate) faulty_lines: [u32; 2],
    /// Whether that side's engine has to be started again.
    pub(crate) is_broken: bool,
}

impl Finished {
    /// Who won.
    pub(crate) fn winner(&self) -> Option<Color> {
        match self.ending {
            Ending::Rule(Rule::Mate) | Ending::Time(_) | Ending::Illegal(_) | Ending::Failed(_) => Some(!self.side),
            Ending::Rule(_) | Ending::Agreed(Agreed::Drawn) => None,
            Ending::Agreed(Agreed::Won(color)) => Some(color),
        }
    }

    /// The side whose engine lost by something else than chess.
    pub(crate) fn at_fault(&self) -> Option<Color> {
        let is_fault = matches!(self.ending, Ending::Time(_) | Ending::Illegal(_) | Ending::Failed(_));
        is_fault.then_some(self.side)
    }
}

/// How long after its flag a move is still waited for, to say how late it was.
const GRACE: Duration = Duration::from_millis(250);

/// A game under way.
struct Game<'t> {
    terms: &'t Terms,
    board: Board,
    fen: String,
    clocks: Option<Clocks>,
    adjudicator: Adjudicator,
    thoughts: Vec<Thought>,
    faulty_lines: [u32; 2],
    is_broken: bool,
}

/// Plays a game; the first engine has White.
pub(crate) fn play(opening: &Position, players: [&mut ChildEngine; 2], terms: &Terms) -> Finished {
    let clocks = match terms.pace {
        Pace::Time(control) => Some(Clocks::new(control)),
        Pace::Nodes(_) => None,
    };
    let mut game = Game {
        terms,
        board: Board::new(opening),
        fen: opening.to_string(),
        clocks,
        adjudicator: Adjudicator::default(),
        thoughts: Vec::new(),
        faulty_lines: [0; 2],
        is_broken: false,
    };
    let [white, black] = players;
    for (color, client) in [(Color::White, &mut *white), (Color::Black, &mut *black)] {
        if let Err(error) = client.new_game() {
            game.is_broken = true;
            return game.finished(Ending::Failed(error), color);
        }
    }
    loop {
        let mover = game.board.to_move();
        let client = if mover == Color::White { &mut *white } else { &mut *black };
        if let Some(ending) = game.turn(client, mover) {
            let side = if ending.is_fault() { mover } else { game.board.to_move() };
            return game.finished(ending, side);
        }
    }
}

impl Ending {
    fn is_fault(&self) -> bool {
        !matches!(self, Ending::Rule(_) | Ending::Agreed(_))
    }
}

impl Game<'_> {
    /// Asks for a move and plays it. Gives the ending, if that was the last one.
    fn turn(&mut self, client: &mut ChildEngine, mover: Color) -> Option<Ending> {
        let (mv, thought, line) = match self.ask(client, mover) {
            Ok(answer) => answer,
            Err(ending) => return Some(ending),
        };
        if self.board.fault_in(&line).is_some() {
            self.faulty_lines[mover as usize] += 1;
        }
        if let Err(error) = self.board.play(&mv) {
            return Some(Ending::Illegal(error.to_string()));
        }
        self.thoughts.push(thought);
        let agreed = self.adjudicator.heard(mover, thought.score, self.board.position());
        let agreed = agreed.filter(|_| self.terms.adjudicate);
        self.board.over().map(Ending::Rule).or_else(|| agreed.map(Ending::Agreed))
    }

    /// The engine's move, what it thought, and its line of play; or the ending, if there is no move in time.
    fn ask(&mut self, client: &mut ChildEngine, mover: Color) -> Result<(String, Thought, Vec<String>), Ending> {
        let (limit, patience) = match (self.terms.pace, self.clocks) {
            (Pace::Nodes(nodes), _) => (GoCommand::nodes(nodes), self.terms.patience),
            (Pace::Time(_), None) => return Err(Ending::Time(None)),
            (Pace::Time(_), Some(Clocks { left, increment })) => {
                (GoCommand::clock(left, increment), left[mover as usize] + self.terms.margin + GRACE)
            }
        };
        let (mut thought, mut line) = (Thought::default(), Vec::new());
        let answer = client
            .set_position(&self.fen, self.board.moves())
            .and_then(|()| client.go(&limit, patience, |info| listen(info, &mut thought, &mut line)));
        match answer {
            Ok(reply) => {
                thought.took = reply.elapsed;
                self.press(mover, reply.elapsed)?;
                Ok((reply.best.mv, thought, line))
            }
            Err(ChildError::Timeout { .. }) if self.clocks.is_some() => {
                self.is_broken = client.stop().is_err();
                Err(Ending::Time(None))
            }
            Err(error) => {
                self.is_broken = true;
                Err(Ending::Failed(error))
            }
        }
    }

    fn press(&mut self, mover: Color, took: Duration) -> Result<(), Ending> {
        let pressed = self.clocks.as_mut().map(|clocks| clocks.press(mover, took, self.terms.margin));
        pressed.unwrap_or(Ok(())).map_err(|late| Ending::Time(Some(late)))
    }

    fn finished(self, ending: Ending, side: Color) -> Finished {
        let Game { board, thoughts, faulty_lines, is_broken, .. } = self;
        Finished { board, ending, side, thoughts, faulty_lines, is_broken }
    }
}

/// Keeps the last that an engine says of its best line.
fn listen(info: Info, thought: &mut Thought, line: &mut Vec<String>) {
    if info.multipv.unwrap_or(1) != 1 {
        return;
    }
    thought.depth = info.depth.unwrap_or(thought.depth);
    thought.nodes = info.nodes.unwrap_or(thought.nodes);
    thought.score = info.exact_score().map(ScoreValue::centipawns).or(thought.score);
    if !info.pv.is_empty() {
        *line = info.pv;
    }
}
