//! One thread of a search: its stack, its statistics, and the small questions that nodes ask.

use cozy_chess::{Board, Color, Move, Piece};
use mnemon_search::WINS;
use mnemon_table::{Entry, Origin, Score, Table, Window};

use super::control::{Control, Stopped};
use super::history::{History, Moved};
use super::picker::MoveBuffers;
use super::progress::Watch;
use super::root::RootMoves;
use super::view::View;
use super::{SearchRequest, Thread};
use crate::eval::Evaluator;
use crate::tablebase::Tablebase;
use mnemon_chess::{Position, to_code};

/// The seldepth ply of a search.
pub(crate) const DEEPEST_PLY: usize = 120;
/// Wider than any score.
pub(crate) const INFINITY: Score = 16_383;
/// The score of a draw.
pub(crate) const DRAW: Score = 0;

/// The smallest ply of the path that a score depends on, because a repetition leads back to it.
pub(crate) type Dependence = i16;
/// On none: the score is the position's own.
pub(crate) const CLEAN: Dependence = Dependence::MAX;
/// On the game before the root, or on a move counter.
pub(crate) const BEFORE_ROOT: Dependence = -1;

/// What is known of one ply of the path.
#[derive(Clone, Default)]
pub(crate) struct Frame {
    /// The static evaluation, corrected; `None` in check.
    pub(crate) eval: Option<Score>,
    /// The man that moved from here, and where to; `None` for a null move.
    pub(crate) moved: Option<Moved>,
    pub(crate) killers: [Option<Move>; 2],
    /// The move that a search for alternatives leaves out.
    pub(crate) excluded: Option<Move>,
    /// How often lines were extended by more than one ply up to here.
    pub(crate) double_extensions: u8,
    /// Cutoffs among this ply's children.
    pub(crate) cutoff_count: u8,
    pub(crate) line: Vec<Move>,
}

/// A thread at work.
pub(crate) struct Worker<'a> {
    pub(crate) table: &'a Table,
    pub(crate) control: &'a Control<'a>,
    pub(crate) history: &'a mut History,
    pub(crate) evaluator: &'a mut Evaluator,
    pub(crate) frames: Vec<Frame>,
    /// The keys of the game's positions, then of the path's.
    keys: Vec<u64>,
    /// How many of the keys stand before the root.
    keys_before: usize,
    /// The first of the keys that moves lead back to: the one behind the last null move.
    repeatable_from: usize,
    pub(crate) root: RootMoves,
    pub(crate) nodes: u64,
    pub(crate) seldepth: usize,
    next_look: u64,
    nodes_told: u64,
    /// No null move before this ply, while one is verified.
    pub(crate) null_from: usize,
    /// What the last score returned depends on.
    pub(crate) depends_on: Dependence,
    /// Whether the table holds recalled entries.
    recalls: bool,
    pub(super) tables: Option<&'a Tablebase>,
    pub(super) progress: Watch<'a>,
    rooms: Vec<MoveBuffers>,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(
        table: &'a Table,
        control: &'a Control<'a>,
        thread: &'a mut Thread,
        question: &SearchRequest<'a>,
        root: RootMoves,
    ) -> Self {
        let keys = question.before.to_vec();
        Worker {
            table,
            control,
            history: &mut thread.history,
            evaluator: &mut thread.evaluator,
            frames: vec![Frame::default(); DEEPEST_PLY + 8],
            keys_before: keys.len(),
            keys,
            repeatable_from: 0,
            root,
            nodes: 0,
            seldepth: 0,
            next_look: 0,
            nodes_told: 0,
            null_from: 0,
            depends_on: CLEAN,
            recalls: question.recalled,
            tables: question.tables,
            progress: Watch::default(),
            rooms: Vec::new(),
        }
    }

    /// Counts a node, and says whether to go on.
    pub(crate) fn enter(&mut self, ply: usize) -> Result<(), Stopped> {
        if self.nodes >= self.next_look {
            self.tell_nodes()?;
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        Ok(())
    }

    /// Tells the others how many nodes were searched.
    pub(crate) fn tell_nodes(&mut self) -> Result<(), Stopped> {
        let new = self.nodes - self.nodes_told;
        self.nodes_told = self.nodes;
        self.control.look(new)?;
        self.next_look = self.nodes + self.control.until_next_look();
        self.tell_sometimes();
        Ok(())
    }

    /// Remembers that the path goes through this key, while `search` runs.
    pub(crate) fn with_path_key<T>(&mut self, key: u64, search: impl FnOnce(&mut Self) -> T) -> T {
        self.keys.push(key);
        let result = search(self);
        self.keys.pop();
        result
    }

    /// As [`along`](Self::along), with the turn passed: nothing before it can come back by moves that are legal.
    pub(crate) fn with_null_move_key<T>(&mut self, key: u64, search: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.repeatable_from, self.keys.len() + 1);
        let result = self.with_path_key(key, search);
        self.repeatable_from = before;
        result
    }

    /// The score of a draw by repetition, by fifty moves or by material, and what it depends on; `None` if it is none.
    /// The position is not yet among the path's keys.
    pub(crate) fn drawn(&self, position: &Position, key: u64, ply: usize) -> Option<(Score, Dependence)> {
        let clock = usize::from(position.halfmove_clock());
        if clock >= 100 && (!position.is_check() || position.has_moves()) {
            return Some((DRAW, BEFORE_ROOT));
        }
        if let Some(dependence) = self.repeated(key, clock, ply) {
            return Some((DRAW, dependence));
        }
        position.is_dead().then_some((DRAW, CLEAN))
    }

    /// The ply on the path where the same position stood, or before the root if it stood there twice.
    fn repeated(&self, key: u64, clock: usize, ply: usize) -> Option<Dependence> {
        let mut times_before = 0;
        for back in (4..=clock.min(self.keys.len() - self.repeatable_from)).step_by(2) {
            let place = self.keys.len() - back;
            if self.keys[place] == key {
                if place >= self.keys_before {
                    return Some((ply - back) as Dependence);
                }
                times_before += 1;
                if times_before == 2 {
                    return Some(BEFORE_ROOT);
                }
            }
        }
        None
    }

    /// The static evaluation, as the errors of similar ones suggest.
    pub(crate) fn corrected(&self, position: &Position, raw: Score) -> Score {
        let limit = i32::from(mnemon_search::HIGHEST_POINTS);
        (i32::from(raw) + self.history.correction(position)).clamp(-limit, limit) as Score
    }

    /// The evaluation that the table remembers, or a new one.
    pub(crate) fn raw_eval(&mut self, board: &Board, entry: Option<&Entry>) -> Score {
        entry.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluator.evaluate(board))
    }

    /// The evaluation, as far as the table does not know better. What a repetition made is no evaluation: nothing that is
    /// found by it would be marked.
    pub(crate) fn better_known(&self, eval: Score, entry: Option<&Entry>) -> Score {
        let own = entry.filter(|entry| !entry.tainted);
        own.map_or(eval, |entry| eval.max(entry.window.lower).min(entry.window.upper))
    }

    /// The moves before this ply that continuation statistics look at: one, two and four plies ago.
    pub(crate) fn before(&self, ply: usize) -> [Option<Moved>; 3] {
        [1, 2, 4].map(|back| ply.checked_sub(back).and_then(|ply| self.frames[ply].moved))
    }

    /// What a picker looks at.
    pub(crate) fn view<'v>(&'v self, position: &'v Position, before: &'v [Option<Moved>; 3]) -> View<'v> {
        View { position, history: self.history, before }
    }

    /// The position after a move. What the table knows of it is being fetched meanwhile.
    pub(crate) fn after(&self, position: &Position, mv: Move) -> Position {
        position.play_with_prefetch(mv, |likely_key| self.table.prefetch(likely_key))
    }

    /// Keeps a node's result in the table.
    pub(crate) fn keep(&self, key: u64, ply: usize, kept: Kept) {
        let Kept { window, depth, best, eval, nodes } = kept;
        let entry = Entry {
            window: WINS.to_node(window, ply as u16),
            depth: depth.clamp(0, i32::from(mnemon_search::MAX_DEPTH)) as u8,
            best: best.map_or(0, |mv| to_code(mv).get()),
            eval,
            nodes,
            tainted: self.depends_on < ply as Dependence,
            ..Entry::default()
        };
        self.table.store(key, entry);
    }

    /// What the table says of a position, its scores counted from the root.
    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        let entry = self.table.probe(key)?;
        Some(Entry { window: WINS.to_root(entry.window, ply as u16), ..entry })
    }

    /// Whether a memory may know the positions behind the moves of this ply. Only near the root: there its experience
    /// decides, and elsewhere the question would cost more than it is worth.
    pub(crate) fn may_remember(&self, ply: usize) -> bool {
        const NEAR: usize = 4;
        self.recalls && ply < NEAR
    }

    /// Whether a memory knows the position behind a move.
    pub(crate) fn is_remembered(&self, position: &Position, mv: Move, ply: usize) -> bool {
        self.may_remember(ply) && self.is_recalled_behind(position, mv)
    }

    #[cold]
    fn is_recalled_behind(&self, position: &Position, mv: Move) -> bool {
        self.table.probe(position.after(mv).hash_key()).as_ref().is_some_and(is_recalled)
    }

    /// MoveBuffers for a picker.
    pub(crate) fn take_room(&mut self) -> MoveBuffers {
        self.rooms.pop().unwrap_or_default()
    }

    /// MoveBuffers that is no longer used.
    pub(crate) fn give_room(&mut self, room: MoveBuffers) {
        self.rooms.push(room);
    }

    /// The line of a node is its move and its child's line.
    pub(crate) fn set_line(&mut self, ply: usize, mv: Move) {
        let [frame, child] = &mut self.frames[ply..ply + 2] else { return };
        frame.line.clear();
        frame.line.push(mv);
        frame.line.extend_from_slice(&child.line);
    }
}

/// Whether an entry comes from a memory or from a person, and not from this search.
pub(crate) fn is_recalled(entry: &Entry) -> bool {
    entry.origin != Origin::Search
}

/// What a node leaves in the table.
pub(crate) struct Kept {
    pub(crate) window: Window,
    pub(crate) depth: i32,
    pub(crate) best: Option<Move>,
    pub(crate) eval: Option<Score>,
    pub(crate) nodes: u64,
}

/// Whether the side to move has anything but pawns: without it a null move proves nothing.
pub(crate) fn has_pieces(board: &Board, side: Color) -> bool {
    let pawns_and_king = board.pieces(Piece::Pawn) | board.pieces(Piece::King);
    !(board.colors(side) & !pawns_and_king).is_empty()
}
