//! What a memory gives back to an engine's `go`: remembered lines, whole and deepest first, with the values that deeper
//! analysis of following positions gives; and whether they answer the `go`.
//!
//! ```
//! use mnemon_chess::Position;
//! use mnemon_memory::{RamStore, Source, Trust};
//! use mnemon_uci::observer::{EngineProfile, GameHistory, Observer};
//! use mnemon_uci::remembered::{Reader, Remembered};
//! use mnemon_uci::{EngineLine, GoCommand};
//!
//! let (store, game) = (RamStore::new(), GameHistory::at(Position::start()));
//! let go = GoCommand { depth: Some(9), ..GoCommand::default() };
//! let mut observer = Observer::new(game.clone(), &go, &EngineProfile::new("x 1"), 0).expect("nothing forbids it");
//! let EngineLine::Info(info) = EngineLine::parse("info depth 9 score cp 30 pv e2e4 e7e5") else { panic!("a line") };
//! observer.hear(&info);
//! observer.finish().write_to(&store)?;
//!
//! let reader = Reader { source: Source::engine("x", "1"), trust: Trust::default() };
//! let remembered = Remembered::read(&store, &reader, &game, 1, Remembered::BUDGET)?;
//! assert!(remembered.covers(&go));
//! let first = remembered.infos(0).next().expect("a line").to_string();
//! assert_eq!(first, "info depth 9 multipv 1 score cp 30 nodes 0 nps 0 hashfull 0 tbhits 0 time 0 pv e2e4 e7e5");
//! assert_eq!(remembered.best_move().expect("a move").to_string(), "bestmove e2e4 ponder e7e5");
//! # Ok::<(), mnemon_memory::MemoryError>(())
//! ```

mod backed_up;
mod opinion;
#[cfg(test)]
mod tests;

use std::time::Duration;

use mnemon_chess::{Move, Position, from_code};
use mnemon_memory::recall::Budget;
use mnemon_memory::{Content, Lines, Record, Result, Source, Store, Trust};
use mnemon_search::{Game, WINS};
use mnemon_table::Window;

pub use opinion::{Opinion, opinions};

use crate::observer::{GameHistory, is_verdict, packed, score};
use crate::{BestMove, GoCommand, Info};

/// Whose knowledge is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reader {
    /// The engine.
    pub source: Source,
    /// Those whose memories' records of the same engine are believed.
    pub trust: Trust,
}

impl Reader {
    /// Whether the source is the engine: in this memory, or in one that is trusted.
    pub fn is(&self, source: &Source) -> bool {
        source.is_same_engine(&self.source) && self.trust.trusts(source)
    }
}

/// A remembered line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RememberedLine {
    /// The depth to which its score holds.
    pub depth: u8,
    /// Its score for the side to move: exact, a mate, or a bound.
    pub window: Window,
    /// The moves; one at least.
    pub moves: Vec<Move>,
    /// Whether the score comes from analysis of the positions that follow, and not from a search of this one.
    pub is_backed_up: bool,
}

/// What is known of a position for a `go`.
#[derive(Clone, Debug)]
pub struct Remembered {
    game: GameHistory,
    /// How many lines are asked for, and possible.
    wanted: usize,
    lines: Vec<RememberedLine>,
    /// What is known of the position itself.
    record: Option<Record>,
    /// How many known positions were read.
    positions: usize,
}

impl Remembered {
    /// How much is read of a memory for one `go`.
    pub const BUDGET: Budget = Budget { positions: 20_000, plies: 128, time: Duration::from_millis(50) };

    /// What the engine knows of the end of the game: as many lines as are known, at most `multipv`. Nothing where the value
    /// may not be the position's own (see [`GameHistory::is_plain`]).
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn read(
        store: &dyn Store,
        reader: &Reader,
        game: &GameHistory,
        multipv: usize,
        budget: Budget,
    ) -> Result<Remembered> {
        let (mut moves, root) = (Vec::new(), game.root());
        root.legal_moves(&mut moves);
        let wanted = multipv.min(moves.len());
        let mut remembered = Remembered { game: game.clone(), wanted, lines: Vec::new(), record: None, positions: 0 };
        if wanted == 0 || !game.is_plain() {
            return Ok(remembered);
        }
        let record = own_record(store, reader, root)?;
        let searched = searched_lines(root, &own_lines(store, reader, root)?, record);
        remembered.record = record;
        (remembered.lines, remembered.positions) = backed_up::improved(store, reader, root, searched, budget)?;
        remembered.lines.truncate(wanted);
        Ok(remembered)
    }

    /// The lines, the best first.
    pub fn lines(&self) -> &[RememberedLine] {
        &self.lines
    }

    /// The game at whose end they are.
    pub fn game(&self) -> &GameHistory {
        &self.game
    }

    /// The engine's record of the position, if there is one.
    pub fn record(&self) -> Option<&Record> {
        self.record.as_ref()
    }

    /// How many known positions, this one and those that follow, the lines were taken from.
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// Nodes of the largest search of the position.
    fn nodes(&self) -> u64 {
        self.record.map_or(0, |record| record.nodes)
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Whether what is known answers the `go`: every line that is asked for is known, exactly and without a repetition of
    /// the game, and deeply enough for one of the limits. With a clock, with some of the moves only and without a limit it
    /// never does. Whether the answer may be given at once is for the caller to say: not under `infinite` or `ponder`.
    pub fn covers(&self, go: &GoCommand) -> bool {
        let has_clock = go.wtime.is_some() || go.btime.is_some();
        if has_clock || !go.searchmoves.is_empty() || go.perft.is_some() || self.lines.len() < self.wanted.max(1) {
            return false;
        }
        if !self.lines.iter().all(|line| is_verdict(line.window) && !self.repeats_game(line)) {
            return false;
        }
        let is_deep = |depth: u8| self.lines.iter().all(|line| line.depth >= depth);
        let is_mate = |moves: u16| {
            let plies = WINS.plies(self.lines[0].window.lower).filter(|&plies| plies > 0);
            plies.is_some_and(|plies| i32::from(plies) < 2 * i32::from(moves))
        };
        go.depth.is_some_and(is_deep)
            || go.nodes.is_some_and(|nodes| self.nodes() >= nodes)
            || go.mate.is_some_and(is_mate)
    }

    fn repeats_game(&self, line: &RememberedLine) -> bool {
        let mut at = self.game.root().clone();
        line.moves.iter().any(|&mv| {
            at = at.after(mv);
            self.game.contains(&at)
        })
    }

    /// The lines as an engine would print them, `time` milliseconds after its `go`.
    pub fn infos(&self, time: u64) -> impl Iterator<Item = Info> {
        self.lines.iter().enumerate().map(move |(number, line)| Info {
            depth: Some(line.depth.into()),
            multipv: Some(number as u32 + 1),
            score: score(line.window),
            nodes: Some(self.nodes()),
            nps: Some(0),
            hashfull: Some(0),
            tbhits: Some(0),
            time: Some(time),
            pv: written(self.game.root(), &line.moves),
            ..Info::default()
        })
    }

    /// The first line's move, and the reply in it.
    pub fn best_move(&self) -> Option<BestMove> {
        let mut pv = written(self.game.root(), &self.lines.first()?.moves).into_iter();
        Some(BestMove { mv: pv.next()?, ponder: pv.next() })
    }

    /// What is said of the lines, for people.
    pub fn summary(&self, source: &Source) -> String {
        let depths = self.lines.iter().map(|line| line.depth);
        let (least, most) = (depths.clone().min().unwrap_or(0), depths.max().unwrap_or(0));
        let depth = if least == most { format!("depth {most}") } else { format!("depths {least} to {most}") };
        let count = match self.lines.len() {
            1 => "one line".to_owned(),
            count => format!("{count} lines"),
        };
        let backed_up = self.lines.iter().filter(|line| line.is_backed_up).count();
        let from = match backed_up {
            0 => "",
            _ => ", with values backed up from analysis of following positions",
        };
        format!("memory: {count} of {depth} by {source}{from}")
    }
}

/// The lines of the engine's own searches of the position: those of the deepest set first, then what a set with more lines
/// adds. Without lines, the record's move.
fn searched_lines(root: &Position, known: &Lines, record: Option<Record>) -> Vec<RememberedLine> {
    let mut lines: Vec<RememberedLine> = Vec::new();
    for set in known.sets() {
        for line in &set.lines {
            let moves = decoded(root, line.moves());
            let is_new = |first| lines.iter().all(|line| line.moves[0] != first);
            if moves.first().is_some_and(|&first| is_new(first)) {
                lines.push(RememberedLine { depth: set.depth, window: line.window(), moves, is_backed_up: false });
            }
        }
    }
    if let (true, Some(record)) = (lines.is_empty(), record) {
        let (window, depth) = record.window();
        let moves = decoded(root, &[record.best]);
        if !moves.is_empty() && window.lower != Window::NO_LOWER {
            lines.push(RememberedLine { depth, window, moves, is_backed_up: false });
        }
    }
    lines
}

/// The join of the engine's records of a position.
fn own_record(store: &dyn Store, reader: &Reader, position: &Position) -> Result<Option<Record>> {
    let mut found: Option<Record> = None;
    store.get_many(&Position::name(), &[&packed(position)], &mut |_, source, record| {
        if reader.is(source) {
            found = Some(found.map_or(record, |known| mnemon_memory::merge(&known, &record)));
        }
    })?;
    Ok(found)
}

/// The join of the engine's lines of a position.
fn own_lines(store: &dyn Store, reader: &Reader, position: &Position) -> Result<Lines> {
    let annotations = store.annotations(&Position::name(), &packed(position))?;
    let own = annotations.iter().filter_map(|(source, content)| match content {
        Content::Lines(lines) if reader.is(source) => Some(lines),
        _ => None,
    });
    Ok(own.fold(Lines::default(), |all, lines| all.merge(lines)))
}

/// The moves with these codes, up to the first that cannot be played.
pub fn decoded(position: &Position, codes: &[u16]) -> Vec<Move> {
    let (mut at, mut moves) = (position.clone(), Vec::with_capacity(codes.len()));
    for &code in codes {
        let mv = std::num::NonZeroU16::new(code).and_then(from_code);
        let Some(mv) = mv.filter(|&mv| at.is_legal(mv)) else { break };
        at = at.after(mv);
        moves.push(mv);
    }
    moves
}

/// The moves in UCI's notation.
fn written(position: &Position, moves: &[Move]) -> Vec<String> {
    let mut at = position.clone();
    let text = |&mv: &Move| {
        let text = at.uci(mv);
        at = at.after(mv);
        text
    };
    moves.iter().map(text).collect()
}
