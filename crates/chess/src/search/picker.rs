//! Moves in the order in which they are likely to cut off, generated only as far as they are needed.

use cozy_chess::{BitBoard, Board, Color, Move, Piece, PieceMoves, Rank};

use super::history::{History, Moved};
use super::see;

/// A move and how promising it is.
#[derive(Clone, Copy)]
pub(crate) struct Ranked {
    mv: Move,
    rank: i32,
}

/// Where a picker is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Hint,
    MakeCaptures,
    GoodCaptures,
    Refutations,
    MakeQuiets,
    Quiets,
    BadCaptures,
    Done,
}

/// What orders quiet moves besides history.
#[derive(Clone, Copy, Default)]
pub(crate) struct Refutations {
    /// Quiet moves that cut off lately at this ply.
    pub(crate) killers: [Option<Move>; 2],
    /// The one that refuted the opponent's last move.
    pub(crate) counter: Option<Move>,
}

/// The moves of one node.
pub(crate) struct Picker {
    stage: Stage,
    hint: Option<Move>,
    refutations: Vec<Move>,
    refutation: usize,
    /// Captures first, those that lose material moved to the front as they are met; then quiet moves.
    list: Vec<Ranked>,
    next: usize,
    bad: usize,
    bad_next: usize,
    /// Captures that win less than this are bad.
    threshold: i32,
    captures_only: bool,
}

impl Picker {
    /// All moves, the hint first if it is legal. `list` is a list to reuse.
    pub(crate) fn new(board: &Board, hint: Option<Move>, refutations: Refutations, mut list: Vec<Ranked>) -> Self {
        list.clear();
        let hint = hint.filter(|&mv| board.is_legal(mv));
        let [first, second] = refutations.killers;
        let mut distinct: Vec<Move> = Vec::with_capacity(3);
        for mv in [first, second, refutations.counter].into_iter().flatten() {
            if Some(mv) != hint && !distinct.contains(&mv) && !is_noisy(board, mv) && board.is_legal(mv) {
                distinct.push(mv);
            }
        }
        Picker {
            stage: Stage::Hint,
            hint,
            refutations: distinct,
            refutation: 0,
            list,
            next: 0,
            bad: 0,
            bad_next: 0,
            threshold: 0,
            captures_only: false,
        }
    }

    /// Captures and promotions only that win the threshold or more, the hint first if it is one.
    pub(crate) fn captures(board: &Board, hint: Option<Move>, threshold: i32, list: Vec<Ranked>) -> Self {
        let hint = hint.filter(|&mv| is_noisy(board, mv));
        let picker = Picker::new(board, hint, Refutations::default(), list);
        Picker { threshold, captures_only: true, ..picker }
    }

    /// The list, to be reused.
    pub(crate) fn into_list(self) -> Vec<Ranked> {
        self.list
    }

    /// The next move.
    pub(crate) fn next(&mut self, board: &Board, history: &History, before: &[Option<Moved>; 3]) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Hint => {
                    self.stage = Stage::MakeCaptures;
                    if self.hint.is_some() {
                        return self.hint;
                    }
                }
                Stage::MakeCaptures => {
                    self.make_captures(board, history);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.good_capture(board) {
                    Some(mv) => return Some(mv),
                    None if self.captures_only => self.stage = Stage::Done,
                    None => self.stage = Stage::Refutations,
                },
                Stage::Refutations => match self.refutations.get(self.refutation) {
                    Some(&mv) => {
                        self.refutation += 1;
                        return Some(mv);
                    }
                    None => self.stage = Stage::MakeQuiets,
                },
                Stage::MakeQuiets => {
                    self.make_quiets(board, history, before);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.take_best() {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::BadCaptures,
                },
                Stage::BadCaptures if self.bad_next < self.bad => {
                    self.bad_next += 1;
                    return Some(self.list[self.bad_next - 1].mv);
                }
                Stage::BadCaptures => self.stage = Stage::Done,
                Stage::Done => return None,
            }
        }
    }

    fn make_captures(&mut self, board: &Board, history: &History) {
        let side = board.side_to_move();
        let targets = board.colors(!side);
        let promoting = Rank::Seventh.relative_to(side).bitboard() & board.colored_pieces(side, Piece::Pawn);
        let en_passant = en_passant_square(board);
        board.generate_moves(|mut moves: PieceMoves| {
            let pawn = moves.piece == Piece::Pawn;
            let promotes = pawn && promoting.has(moves.from);
            if !promotes {
                moves.to &= if pawn { targets | en_passant } else { targets };
            }
            for mv in moves {
                if Some(mv) != self.hint && mv.promotion.is_none_or(|piece| piece == Piece::Queen) {
                    self.list.push(Ranked { mv, rank: capture_rank(board, side, moves.piece, mv, history) });
                }
            }
            false
        });
    }

    /// The best capture that is left and does not lose material.
    fn good_capture(&mut self, board: &Board) -> Option<Move> {
        loop {
            let mv = self.take_best()?;
            if see::wins(board, mv, self.threshold) {
                return Some(mv);
            }
            self.list.swap(self.bad, self.next - 1);
            self.bad += 1;
        }
    }

    fn make_quiets(&mut self, board: &Board, history: &History, before: &[Option<Moved>; 3]) {
        let side = board.side_to_move();
        let others = board.colors(!side);
        let en_passant = en_passant_square(board);
        self.list.truncate(self.bad);
        self.next = self.bad;
        board.generate_moves(|mut moves: PieceMoves| {
            let pawn = moves.piece == Piece::Pawn;
            let promotes = pawn && moves.from.rank() == Rank::Seventh.relative_to(side);
            if !promotes {
                moves.to &= if pawn { !(others | en_passant) } else { !others };
            }
            for mv in moves {
                let known = Some(mv) == self.hint || self.refutations.contains(&mv);
                if known || promotes && mv.promotion == Some(Piece::Queen) {
                    continue;
                }
                let moved = Moved::new(side, moves.piece, mv);
                // Underpromotions come last.
                let rank = if promotes { i32::MIN } else { history.quiet(side, mv, moved, before) };
                self.list.push(Ranked { mv, rank });
            }
            false
        });
    }

    fn take_best(&mut self) -> Option<Move> {
        let rest = &mut self.list[self.next..];
        let best = (0..rest.len()).max_by_key(|&number| rest[number].rank)?;
        rest.swap(0, best);
        self.next += 1;
        Some(self.list[self.next - 1].mv)
    }
}

/// Whether the move takes something or promotes to a queen. Castling, the king's move onto its own rook, does not.
pub(crate) fn is_noisy(board: &Board, mv: Move) -> bool {
    mv.promotion == Some(Piece::Queen) || captured(board, mv).is_some()
}

/// What the move takes.
pub(crate) fn captured(board: &Board, mv: Move) -> Option<Piece> {
    if board.colors(!board.side_to_move()).has(mv.to) {
        return board.piece_on(mv.to);
    }
    let is_pawn = board.pieces(Piece::Pawn).has(mv.from);
    (is_pawn && mv.from.file() != mv.to.file()).then_some(Piece::Pawn)
}

fn en_passant_square(board: &Board) -> BitBoard {
    board
        .en_passant()
        .map_or(BitBoard::EMPTY, |file| file.bitboard() & Rank::Sixth.relative_to(board.side_to_move()).bitboard())
}

/// The more is taken the better, and among equals what has done well.
fn capture_rank(board: &Board, side: Color, piece: Piece, mv: Move, history: &History) -> i32 {
    let taken = captured(board, mv);
    let gained = taken.map_or(0, see::value);
    let promoted = if mv.promotion.is_some() { see::value(Piece::Queen) } else { 0 };
    let past = taken.map_or(0, |taken| history.capture(Moved::new(side, piece, mv), taken));
    16 * (gained + promoted) + past / 4
}

#[cfg(test)]
mod tests {
    use mnemon_search::random::Random;

    use super::*;
    use crate::Position;

    /// Every legal move exactly once, whatever the hint and the refutations.
    #[test]
    fn every_move_comes_once() {
        let mut random = Random::new(3);
        let history = History::new();
        let mut position = Position::start();
        for _ in 0..20_000 {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            if moves.is_empty() || position.is_dead() {
                position = Position::start();
                continue;
            }
            let mut any = || Some(moves[random.below(moves.len())]);
            let refutations = Refutations { killers: [any(), any()], counter: any() };
            let hint = any();
            let mut picker = Picker::new(position.board(), hint, refutations, Vec::new());
            let mut picked = Vec::new();
            while let Some(mv) = picker.next(position.board(), &history, &[None; 3]) {
                picked.push(mv);
            }
            assert_eq!(picked.first().copied(), hint);
            let sorted = |mut moves: Vec<Move>| {
                moves.sort_by_key(|mv| crate::to_code(*mv));
                moves
            };
            assert_eq!(sorted(picked), sorted(moves.clone()), "{position}");
            position = position.after(moves[random.below(moves.len())]);
        }
    }
}
