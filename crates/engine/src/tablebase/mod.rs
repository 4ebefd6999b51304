//! Endgame tables: what positions of few men are worth, by R. de Man's Syzygy files.
//!
//! This is the only place that knows who reads the files: pyrrhic-rs, a translation of the probing code of Fathom
//! (MIT). It has one set of tables in a process and trusts what it reads, so that the files are looked at
//! before it sees them.

mod attacks;
mod files;

use std::sync::{Arc, Mutex, PoisonError, Weak};

use cozy_chess::{Color, Move, Piece, Rank, Square};
use pyrrhic_rs::{DtzProbeValue, DtzResult, TBError, TableBases, WdlProbeResult};

use attacks::Attacks;
use files::Found;
use mnemon_chess::{ChessError, Position};

/// What a position is worth to the side to move with best play, the fifty-move rule included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Lost.
    Loss,
    /// Lost but for the fifty-move rule, by which it is drawn.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won but for the fifty-move rule, by which it is drawn.
    CursedWin,
    /// Won.
    Win,
}

/// The moves that keep what a position is worth and make progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// What they come to, with the halfmove clock as it stands.
    pub verdict: Verdict,
    /// Plies to the next capture, pawn move or mate by the best of them; 0 in a draw, `None` where it is not known.
    pub distance: Option<u16>,
    /// The moves.
    pub moves: Vec<Move>,
}

/// Endgame tables that are in use.
pub struct Tablebase {
    tables: TableBases<Attacks>,
    /// Distances are read by one thread at a time.
    distances: Mutex<()>,
    path: String,
    found: Found,
}

/// The tables that this process uses.
static IN_USE: Mutex<Weak<Tablebase>> = Mutex::new(Weak::new());

impl Tablebase {
    /// The tables in a folder, or in several with the system's separator of paths between them. GoParams for again while
    /// they are in use, the same ones.
    ///
    /// # Errors
    /// [`ChessError::Tables`] if there is no such folder, no table in it, or one that is damaged, or if this process uses
    /// others.
    pub fn open(path: &str) -> Result<Arc<Self>, ChessError> {
        let refused = |reason: String| ChessError::Tables { path: path.to_owned(), reason };
        let found = files::look(path).map_err(refused)?;
        let mut in_use = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tables) = in_use.upgrade() {
            let is_same = tables.path == path;
            return if is_same { Ok(tables) } else { Err(refused(format!("{} is in use", tables.path))) };
        }
        let tables = TableBases::new(path).map_err(|error| refused(described(error)))?;
        let tables = Arc::new(Tablebase { tables, distances: Mutex::new(()), path: path.to_owned(), found });
        *in_use = Arc::downgrade(&tables);
        Ok(tables)
    }

    /// The most men, kings included, of a position in the tables.
    pub fn max_pieces(&self) -> u32 {
        self.found.men
    }

    /// How many tables say who wins, and how many say how far it is.
    pub fn count(&self) -> (usize, usize) {
        (self.found.verdicts, self.found.distances)
    }

    /// What the position is worth if its halfmove clock stands at 0; `None` if it is not in the tables.
    pub fn probe(&self, position: &Position) -> Option<Verdict> {
        if !self.covers(position) {
            return None;
        }
        let [white, black, kings, queens, rooks, bishops, knights, pawns] = bitboards(position);
        let (passed, is_white) = (passed(position), position.side_to_move() == Color::White);
        let probed =
            self.tables.probe_wdl(white, black, kings, queens, rooks, bishops, knights, pawns, passed, is_white);
        probed.ok().map(Verdict::from)
    }

    /// The best moves with the halfmove clock as it stands; `None` if the position is not in the tables or has no moves.
    pub fn advise(&self, position: &Position) -> Option<Advice> {
        if !self.covers(position) {
            return None;
        }
        if may_meet(position) {
            return self.advise_without_distances(position);
        }
        let _guard = self.distances.lock().unwrap_or_else(PoisonError::into_inner);
        let [white, black, kings, queens, rooks, bishops, knights, pawns] = bitboards(position);
        let (passed, is_white) = (passed(position), position.side_to_move() == Color::White);
        let clock = u32::from(position.halfmove_clock());
        let probed = self
            .tables
            .probe_root(white, black, kings, queens, rooks, bishops, knights, pawns, clock, passed, is_white)
            .ok()?;
        let moves: Vec<(Move, Verdict, u16)> =
            probed.moves[..probed.num_moves].iter().filter_map(|value| read(position, value)).collect();
        advice(&moves)
    }

    /// All moves that keep what the position is worth.
    fn advise_without_distances(&self, position: &Position) -> Option<Advice> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let judged: Option<Vec<(Move, Verdict)>> =
            moves.into_iter().map(|mv| Some((mv, self.probe(&position.after(mv))?.reversed()))).collect();
        let judged = judged?;
        let verdict = judged.iter().map(|&(_, verdict)| verdict).max()?;
        let moves = judged.into_iter().filter(|&(_, other)| other == verdict).map(|(mv, _)| mv).collect();
        Some(Advice { verdict, distance: None, moves })
    }

    fn covers(&self, position: &Position) -> bool {
        let board = position.board();
        let castles = Color::ALL.iter().any(|&color| {
            let rights = board.castle_rights(color);
            rights.short.or(rights.long).is_some()
        });
        board.occupied().len() <= self.max_pieces() && !castles
    }
}

/// Of a won position the moves that zero the clock soonest, of a lost one those that put it off; otherwise all that keep
/// the draw.
fn advice(moves: &[(Move, Verdict, u16)]) -> Option<Advice> {
    let verdict = moves.iter().map(|&(_, verdict, _)| verdict).max()?;
    let keeping = || moves.iter().filter(|&&(_, other, _)| other == verdict);
    let distances = || keeping().map(|&(_, _, distance)| distance);
    let distance = match verdict {
        Verdict::Win | Verdict::CursedWin => distances().min()?,
        Verdict::Loss | Verdict::BlessedLoss => distances().max()?,
        Verdict::Draw => 0,
    };
    let is_best = |&&(_, _, other): &&(Move, Verdict, u16)| verdict == Verdict::Draw || other == distance;
    Some(Advice { verdict, distance: Some(distance), moves: keeping().filter(is_best).map(|&(mv, _, _)| mv).collect() })
}

/// Whether a pawn that has not moved yet may pass an enemy's. The prober overlooks captures en passant when it plays
/// moves itself, as it does for distances: there only its verdicts are right.
fn may_meet(position: &Position) -> bool {
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

/// A move as the tables name it.
fn read(position: &Position, value: &DtzProbeValue) -> Option<(Move, Verdict, u16)> {
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
    position.is_legal(mv).then_some((mv, Verdict::from(wdl), dtz))
}

/// White's men, Black's, and the men of each kind.
fn bitboards(position: &Position) -> [u64; 8] {
    let board = position.board();
    let [white, black] = [Color::White, Color::Black].map(|color| board.colors(color).0);
    let [kings, queens, rooks, bishops, knights, pawns] =
        [Piece::King, Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn]
            .map(|piece| board.pieces(piece).0);
    [white, black, kings, queens, rooks, bishops, knights, pawns]
}

/// The square that a pawn has passed, where it can be captured; 0 for none.
fn passed(position: &Position) -> u32 {
    position.en_passant().map_or(0, |square| square as u32)
}

fn described(error: TBError) -> String {
    match error {
        TBError::BadPath => "there are no tables".to_owned(),
        TBError::AlreadyInitialized | TBError::NotSingleton => "other tables are in use".to_owned(),
        TBError::InitFailed | TBError::ProbeFailed => "the tables cannot be read".to_owned(),
    }
}

impl Verdict {
    /// The other side's.
    fn reversed(self) -> Self {
        match self {
            Verdict::Loss => Verdict::Win,
            Verdict::BlessedLoss => Verdict::CursedWin,
            Verdict::Draw => Verdict::Draw,
            Verdict::CursedWin => Verdict::BlessedLoss,
            Verdict::Win => Verdict::Loss,
        }
    }
}

impl From<WdlProbeResult> for Verdict {
    fn from(result: WdlProbeResult) -> Self {
        match result {
            WdlProbeResult::Loss => Verdict::Loss,
            WdlProbeResult::BlessedLoss => Verdict::BlessedLoss,
            WdlProbeResult::Draw => Verdict::Draw,
            WdlProbeResult::CursedWin => Verdict::CursedWin,
            WdlProbeResult::Win => Verdict::Win,
        }
    }
}
