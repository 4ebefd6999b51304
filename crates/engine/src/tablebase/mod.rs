//! Syzygy endgame tablebases by R. de Man: the exact result of positions with few pieces.
//!
//! WDL tables give win, draw or loss; DTZ tables give the distance to zeroing, the plies to the next capture, pawn move or
//! mate. No other module knows the prober, pyrrhic-rs, a translation of Fathom's probing code (MIT). It supports one set
//! of tables per process and trusts the files, so they are checked before it opens them.

mod attacks;
mod blocks;
mod bytes;
mod code;
mod error;
mod files;
mod header;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use cozy_chess::{Color, Move, Piece, Rank, Square};
use pyrrhic_rs::{DtzProbeValue, DtzResult, TBError, TableBases, WdlProbeResult};

use attacks::Attacks;
use files::Inventory;
use mnemon_chess::Position;

pub use error::TablebaseError;

/// The result for the side to move with best play of both sides, under the fifty-move rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wdl {
    /// Loss.
    Loss,
    /// A loss without the fifty-move rule, and a draw by it.
    BlessedLoss,
    /// Draw.
    Draw,
    /// A win without the fifty-move rule, and a draw by it.
    CursedWin,
    /// Win.
    Win,
}

/// What the tables say about a root: the moves that keep its result and make progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootProbe {
    /// The result with the halfmove clock of the position.
    pub wdl: Wdl,
    /// Distance to zeroing with the best of the moves, in plies; 0 in a draw, `None` where the tables cannot give it.
    pub dtz: Option<u16>,
    /// The moves to choose from.
    pub moves: Vec<Move>,
}

/// The tablebases that this process uses.
pub struct Tablebase {
    tables: TableBases<Attacks>,
    /// The prober reads DTZ tables on one thread at a time.
    dtz_lock: Mutex<()>,
    /// Whether the prober has panicked.
    has_failed: AtomicBool,
    path: String,
    inventory: Inventory,
}

/// The tablebases in use: the prober supports one set per process.
static IN_USE: Mutex<Weak<Tablebase>> = Mutex::new(Weak::new());

impl Tablebase {
    /// The tables in a folder, or in several folders with the system's path separator between them. As long as they are
    /// in use, opening the same path again returns the same tablebases.
    ///
    /// # Errors
    /// A folder that cannot be read or has no WDL table, a damaged table, or another path that is in use.
    pub fn open(path: &str) -> Result<Arc<Self>, TablebaseError> {
        let inventory = files::scan(path)?;
        let path = path.to_owned();
        let mut in_use = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tables) = in_use.upgrade() {
            let other = tables.path.clone();
            return if other == path { Ok(tables) } else { Err(TablebaseError::InUse { path, in_use: other }) };
        }
        let tables = TableBases::new(&path).map_err(|error| refusal(&error, &path))?;
        let tables =
            Tablebase { tables, dtz_lock: Mutex::new(()), has_failed: AtomicBool::new(false), path, inventory };
        let tables = Arc::new(tables);
        *in_use = Arc::downgrade(&tables);
        Ok(tables)
    }

    /// The most pieces, kings included, of a position in the tables.
    pub fn max_pieces(&self) -> u32 {
        self.inventory.max_pieces
    }

    /// How many WDL tables there are.
    pub fn wdl_tables(&self) -> usize {
        self.inventory.wdl_tables
    }

    /// How many DTZ tables there are.
    pub fn dtz_tables(&self) -> usize {
        self.inventory.dtz_tables
    }

    /// The result of the position as if its halfmove clock were 0; `None` if it is not in the tables.
    pub fn probe_wdl(&self, position: &Position) -> Option<Wdl> {
        if !self.covers(position) {
            return None;
        }
        let [white, black, kings, queens, rooks, bishops, knights, pawns] = bitboards(position);
        let (en_passant, is_white) = (en_passant(position), position.side_to_move() == Color::White);
        let probed = self.probe(|tables| {
            tables.probe_wdl(white, black, kings, queens, rooks, bishops, knights, pawns, en_passant, is_white)
        });
        probed.map(Wdl::from)
    }

    /// The best moves with the halfmove clock of the position; `None` if it is not in the tables or has no moves.
    pub fn probe_root(&self, position: &Position) -> Option<RootProbe> {
        if !self.covers(position) {
            return None;
        }
        if may_capture_en_passant(position) {
            return self.probe_root_by_wdl(position);
        }
        let _guard = self.dtz_lock.lock().unwrap_or_else(PoisonError::into_inner);
        let [white, black, kings, queens, rooks, bishops, knights, pawns] = bitboards(position);
        let (en_passant, is_white) = (en_passant(position), position.side_to_move() == Color::White);
        let clock = u32::from(position.halfmove_clock());
        let probed = self.probe(|tables| {
            tables.probe_root(white, black, kings, queens, rooks, bishops, knights, pawns, clock, en_passant, is_white)
        })?;
        let moves: Vec<(Move, Wdl, u16)> =
            probed.moves[..probed.num_moves].iter().filter_map(|value| read_move(position, value)).collect();
        best_moves(&moves)
    }

    /// What the prober says. It panics at values that contradict each other, as those of a damaged table may; then it is
    /// not asked again.
    fn probe<T>(&self, probe: impl FnOnce(&TableBases<Attacks>) -> Result<T, TBError>) -> Option<T> {
        if self.has_failed.load(Ordering::Relaxed) {
            return None;
        }
        let probed = catch_unwind(AssertUnwindSafe(|| probe(&self.tables)));
        self.has_failed.fetch_or(probed.is_err(), Ordering::Relaxed);
        probed.ok()?.ok()
    }

    /// All moves that keep the result, from the WDL tables alone.
    fn probe_root_by_wdl(&self, position: &Position) -> Option<RootProbe> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let probed: Option<Vec<(Move, Wdl)>> =
            moves.into_iter().map(|mv| Some((mv, self.probe_wdl(&position.after(mv))?.for_opponent()))).collect();
        let probed = probed?;
        let wdl = probed.iter().map(|&(_, wdl)| wdl).max()?;
        let moves = probed.into_iter().filter(|&(_, other)| other == wdl).map(|(mv, _)| mv).collect();
        Some(RootProbe { wdl, dtz: None, moves })
    }

    /// Whether the position has few enough pieces and no right to castle, which the tables do not know.
    fn covers(&self, position: &Position) -> bool {
        let board = position.board();
        let castles = Color::ALL.iter().any(|&color| {
            let rights = board.castle_rights(color);
            rights.short.or(rights.long).is_some()
        });
        board.occupied().len() <= self.max_pieces() && !castles
    }
}

/// In a win the moves with the smallest distance to zeroing, in a loss those with the largest; in a draw all that keep it.
fn best_moves(moves: &[(Move, Wdl, u16)]) -> Option<RootProbe> {
    let wdl = moves.iter().map(|&(_, wdl, _)| wdl).max()?;
    let keeping = || moves.iter().filter(|&&(_, other, _)| other == wdl);
    let distances = || keeping().map(|&(_, _, dtz)| dtz);
    let dtz = match wdl {
        Wdl::Win | Wdl::CursedWin => distances().min()?,
        Wdl::Loss | Wdl::BlessedLoss => distances().max()?,
        Wdl::Draw => 0,
    };
    let is_best = |&&(_, _, other): &&(Move, Wdl, u16)| wdl == Wdl::Draw || other == dtz;
    Some(RootProbe { wdl, dtz: Some(dtz), moves: keeping().filter(is_best).map(|&(mv, _, _)| mv).collect() })
}

/// Whether a double step may become possible that an enemy pawn can capture en passant. The prober misses these captures
/// when it makes moves itself, as it does for DTZ; its WDL values are right.
fn may_capture_en_passant(position: &Position) -> bool {
    let board = position.board();
    Color::ALL.into_iter().any(|color| {
        let home = board.colored_pieces(color, Piece::Pawn) & Rank::Second.relative_to(color).bitboard();
        let enemies = board.colored_pieces(!color, Piece::Pawn);
        home.into_iter().any(|pawn| {
            enemies.into_iter().any(|enemy| {
                let is_beside = (pawn.file() as i8 - enemy.file() as i8).abs() == 1;
                is_beside && Rank::Fourth as u8 <= enemy.relative_to(color).rank() as u8
            })
        })
    })
}

/// A move of the prober with its result and distance to zeroing; `None` if it is not legal.
fn read_move(position: &Position, value: &DtzProbeValue) -> Option<(Move, Wdl, u16)> {
    let DtzProbeValue::DtzResult(DtzResult { wdl, from_square, to_square, promotion, dtz, .. }) = *value else {
        return None;
    };
    let promotion = match promotion {
        pyrrhic_rs::Piece::Queen => Some(Piece::Queen),
        pyrrhic_rs::Piece::Rook => Some(Piece::Rook),
        pyrrhic_rs::Piece::Bishop => Some(Piece::Bishop),
        pyrrhic_rs::Piece::Knight => Some(Piece::Knight),
        pyrrhic_rs::Piece::Pawn | pyrrhic_rs::Piece::King => None,
    };
    let square = |number: u8| Square::try_index(usize::from(number));
    let mv = Move { from: square(from_square)?, to: square(to_square)?, promotion };
    position.is_legal(mv).then_some((mv, Wdl::from(wdl), dtz))
}

/// White's pieces, Black's, and the pieces of each type.
fn bitboards(position: &Position) -> [u64; 8] {
    let board = position.board();
    let [white, black] = [Color::White, Color::Black].map(|color| board.colors(color).0);
    let [kings, queens, rooks, bishops, knights, pawns] =
        [Piece::King, Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn]
            .map(|piece| board.pieces(piece).0);
    [white, black, kings, queens, rooks, bishops, knights, pawns]
}

/// The number of the en passant square; 0 if there is none.
fn en_passant(position: &Position) -> u32 {
    position.en_passant().map_or(0, |square| square as u32)
}

fn refusal(error: &TBError, path: &str) -> TablebaseError {
    let path = path.to_owned();
    match error {
        TBError::BadPath => TablebaseError::NoTables { path },
        TBError::AlreadyInitialized | TBError::NotSingleton => {
            TablebaseError::InUse { path, in_use: "another path".to_owned() }
        }
        TBError::InitFailed | TBError::ProbeFailed => TablebaseError::Prober { path },
    }
}

impl Wdl {
    /// The same result seen by the opponent.
    fn for_opponent(self) -> Self {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::BlessedLoss => Wdl::CursedWin,
            Wdl::Draw => Wdl::Draw,
            Wdl::CursedWin => Wdl::BlessedLoss,
            Wdl::Win => Wdl::Loss,
        }
    }
}

impl From<WdlProbeResult> for Wdl {
    fn from(result: WdlProbeResult) -> Self {
        match result {
            WdlProbeResult::Loss => Wdl::Loss,
            WdlProbeResult::BlessedLoss => Wdl::BlessedLoss,
            WdlProbeResult::Draw => Wdl::Draw,
            WdlProbeResult::CursedWin => Wdl::CursedWin,
            WdlProbeResult::Win => Wdl::Win,
        }
    }
}
