//! One thread of a search: its stack of frames, its statistics, and its access to the table.

use cozy_chess::{Board, Color, Move, Piece};
use mnemon_chess::{Position, to_code};
use mnemon_search::{PathDependency, WINS};
use mnemon_table::{Entry, Origin, Score, Window};

use super::control::{Control, Stopped};
use super::history::{History, PieceTo};
use super::path::Path;
use super::picker::MoveBuffers;
use super::picker_context::PickerContext;
use super::progress::ProgressReporter;
use super::root::RootMoves;
use super::{OpenWindow, SearchRequest, ThreadState};
use crate::Table;
use crate::tablebase::Tablebase;

/// No node is searched deeper than this.
pub(crate) const MAX_PLY: usize = 120;
/// Wider than any score.
pub(crate) const INFINITY: Score = 16_383;
/// The score of a draw.
pub(crate) const DRAW: Score = 0;

/// What is known of one ply of the path.
#[derive(Clone, Default)]
pub(crate) struct Frame {
    /// The static evaluation after correction history; `None` in check.
    pub(crate) eval: Option<Score>,
    /// The piece that moved from here, and its target square; `None` for a null move.
    pub(crate) moved: Option<PieceTo>,
    pub(crate) killers: [Option<Move>; 2],
    /// The move that the search for a singular extension leaves out.
    pub(crate) excluded: Option<Move>,
    /// How often the path was extended by more than one ply, down to here.
    pub(crate) double_extensions: u8,
    /// How many nodes at this ply failed high since their parent began its move loop.
    pub(crate) cutoff_count: u8,
    /// The principal variation from here.
    pub(crate) line: Vec<Move>,
}

/// One thread of a search.
pub(crate) struct Worker<'a, E> {
    pub(crate) table: &'a Table,
    pub(crate) control: &'a Control<'a>,
    pub(crate) history: &'a mut History,
    pub(crate) evaluation: &'a mut E,
    /// By ply.
    pub(crate) frames: Vec<Frame>,
    pub(super) path: Path,
    pub(crate) root: RootMoves,
    pub(crate) nodes: u64,
    pub(crate) seldepth: usize,
    /// The node count at which the limits are checked again.
    next_check: u64,
    /// The nodes that `control` has counted already.
    nodes_reported: u64,
    /// The node count at which the quiescence search in hand only evaluates.
    pub(super) quiescence_end: u64,
    /// No null move above this ply, while a null-move cutoff is verified.
    pub(crate) null_move_from: usize,
    /// Whether the table holds recalled entries.
    has_recalled: bool,
    pub(super) open_window: OpenWindow,
    /// The keys of recalled entries whose windows were used.
    pub(super) used: Vec<u64>,
    pub(super) tablebase: Option<&'a Tablebase>,
    pub(super) progress: ProgressReporter<'a>,
    /// Buffers that no picker uses at present.
    free_buffers: Vec<MoveBuffers>,
}

impl<'a, E> Worker<'a, E> {
    pub(crate) fn new(
        table: &'a Table,
        control: &'a Control<'a>,
        thread: &'a mut ThreadState<E>,
        request: &SearchRequest<'a>,
        root: RootMoves,
    ) -> Self {
        Worker {
            table,
            control,
            history: &mut thread.history,
            evaluation: &mut thread.evaluation,
            frames: vec![Frame::default(); MAX_PLY + 8],
            path: Path::new(request.game_keys),
            root,
            nodes: 0,
            seldepth: 0,
            next_check: 0,
            nodes_reported: 0,
            quiescence_end: 0,
            null_move_from: 0,
            has_recalled: request.recalled,
            open_window: request.open_window,
            used: Vec::new(),
            tablebase: request.tablebase,
            progress: ProgressReporter::default(),
            free_buffers: Vec::new(),
        }
    }

    /// Counts a node, and fails if the search has to stop.
    pub(crate) fn count_node(&mut self, ply: usize) -> Result<(), Stopped> {
        if self.nodes >= self.next_check {
            self.report_nodes()?;
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        Ok(())
    }

    /// Adds this thread's new nodes to the shared count, and fails if the search has to stop.
    pub(crate) fn report_nodes(&mut self) -> Result<(), Stopped> {
        let new = self.nodes - self.nodes_reported;
        self.nodes_reported = self.nodes;
        self.control.check(new)?;
        self.next_check = self.nodes + self.control.nodes_until_check();
        self.report_progress_sometimes();
        Ok(())
    }

    /// The static evaluation after correction history.
    pub(crate) fn corrected_eval(&self, position: &Position, raw: Score) -> Score {
        let limit = i32::from(mnemon_search::HIGHEST_POINTS);
        (i32::from(raw) + self.history.correction(position)).clamp(-limit, limit) as Score
    }

    /// The evaluation, moved into the window that the table proves. The window of a tainted entry is not used: what is
    /// derived from it would not be marked as tainted.
    pub(crate) fn eval_within_table(&self, eval: Score, entry: Option<&Entry>) -> Score {
        let untainted = entry.filter(|entry| !entry.tainted);
        untainted.map_or(eval, |entry| eval.max(entry.window.lower).min(entry.window.upper))
    }

    /// The moves one, two and four plies before this ply, which continuation history is indexed by.
    pub(crate) fn prior_moves(&self, ply: usize) -> [Option<PieceTo>; 3] {
        [1, 2, 4].map(|back| ply.checked_sub(back).and_then(|ply| self.frames[ply].moved))
    }

    /// What a picker orders moves by.
    pub(crate) fn picker_context<'v>(
        &'v self,
        position: &'v Position,
        prior: &'v [Option<PieceTo>; 3],
    ) -> PickerContext<'v> {
        PickerContext { position, history: self.history, prior }
    }

    /// Stores a node's result in the table.
    pub(crate) fn store(&self, key: u64, ply: usize, result: NodeResult) {
        let NodeResult { window, depends_on, depth, best, eval, nodes } = result;
        let entry = Entry {
            window: WINS.to_node(window, ply as u16),
            depth: depth.clamp(0, i32::from(mnemon_search::MAX_DEPTH)) as u8,
            best: best.map_or(0, |mv| to_code(mv).get()),
            eval,
            nodes,
            tainted: depends_on.taints(ply as u16),
            ..Entry::default()
        };
        self.table.store(key, entry);
    }

    /// The table's entry for a position, with mate scores counted from the root; `None` if it has none.
    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        let entry = self.table.probe(key)?;
        Some(Entry { window: WINS.to_root(entry.window, ply as u16), ..entry })
    }

    /// Notes that the window of the entry decided a node.
    pub(super) fn note_use(&mut self, key: u64, entry: &Entry) {
        if is_recalled(entry) && self.used.last() != Some(&key) {
            self.used.push(key);
        }
    }

    /// Whether moves of this ply may lead to recalled positions. Only near the root: there a recalled score decides,
    /// and further down the probes would cost more than they are worth.
    pub(crate) fn may_lead_to_recalled(&self, ply: usize) -> bool {
        const NEAR_ROOT: usize = 4;
        self.has_recalled && ply < NEAR_ROOT
    }

    /// Whether a move leads to a recalled position, and so must not be pruned.
    pub(crate) fn leads_to_recalled(&self, position: &Position, mv: Move, ply: usize) -> bool {
        self.may_lead_to_recalled(ply) && self.is_recalled_after(position, mv)
    }

    /// Only the key of the position after the move is needed, so the move is not made on the path.
    #[cold]
    fn is_recalled_after(&self, position: &Position, mv: Move) -> bool {
        self.table.probe(position.after(mv).hash_key()).as_ref().is_some_and(is_recalled)
    }

    /// Buffers for a picker; give them back by [`return_buffers`](Self::return_buffers).
    pub(crate) fn take_buffers(&mut self) -> MoveBuffers {
        self.free_buffers.pop().unwrap_or_default()
    }

    /// Takes back buffers, for the next picker.
    pub(crate) fn return_buffers(&mut self, buffers: MoveBuffers) {
        self.free_buffers.push(buffers);
    }

    /// Makes the move, followed by the child's line, the line of this ply.
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

/// What a node stores in the table.
pub(crate) struct NodeResult {
    /// What the search proved of the value, with mate scores counted from the root.
    pub(crate) window: Window,
    pub(crate) depends_on: PathDependency,
    pub(crate) depth: i32,
    pub(crate) best: Option<Move>,
    /// The static evaluation before any correction.
    pub(crate) eval: Option<Score>,
    pub(crate) nodes: u64,
}

/// Whether the side has a piece other than king and pawns. Without one zugzwang is common, and a null move proves
/// nothing.
pub(crate) fn has_pieces(board: &Board, side: Color) -> bool {
    let pawns_and_king = board.pieces(Piece::Pawn) | board.pieces(Piece::King);
    !(board.colors(side) & !pawns_and_king).is_empty()
}
