//! The move picker: a node's moves in the order in which they are likely to fail high, generated in stages as they are
//! needed.

use cozy_chess::{BitBoard, Board, Move, Piece, Rank, Square};

use super::captures::{capture_score, is_noisy};
use super::checks::Checks;
use super::generate::{for_each_capture, for_each_quiet, for_each_underpromotion};
use super::move_list::MoveList;
use super::picker_context::{PickerContext, QuietOrdering};
use super::quiet_scores::QuietScores;
use super::see::see_ge;
use super::threats::LesserThreats;

/// The stage that a picker has reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    HashMove,
    GenerateCaptures,
    GoodCaptures,
    /// Killers and the countermove.
    Refutations,
    GenerateQuiets,
    Quiets,
    BadCaptures,
    Done,
}

/// The buffers of a picker, to be used again by the next.
#[derive(Default)]
pub(crate) struct MoveBuffers {
    /// Captures first, then quiet moves.
    pub(crate) moves: MoveList,
    /// Captures that lose material, for the last stage.
    bad_captures: Vec<Move>,
}

/// The moves of one node.
pub(crate) struct Picker {
    stage: Stage,
    hash_move: Option<Move>,
    refutations: [Option<Move>; 3],
    next_refutation: usize,
    checks: Checks,
    /// The squares that the opponent does not attack; empty before quiet moves are generated.
    unattacked: BitBoard,
    next_quiet: Option<Move>,
    buffers: MoveBuffers,
    next_bad_capture: usize,
    /// Captures whose static exchange evaluation is less are bad.
    threshold: i32,
    captures_only: bool,
    skips_quiets: bool,
}

impl Picker {
    /// All moves, the hash move first if it is legal.
    pub(crate) fn new(
        board: &Board,
        hash_move: Option<Move>,
        ordering: QuietOrdering,
        mut buffers: MoveBuffers,
    ) -> Self {
        buffers.moves.clear();
        buffers.bad_captures.clear();
        let [first, second] = ordering.killers;
        Picker {
            stage: Stage::HashMove,
            hash_move: hash_move.filter(|&mv| board.is_legal(mv)),
            refutations: [first, second, ordering.countermove],
            checks: ordering.checks,
            unattacked: BitBoard::EMPTY,
            next_refutation: 0,
            next_quiet: None,
            buffers,
            next_bad_capture: 0,
            threshold: 0,
            captures_only: false,
            skips_quiets: false,
        }
    }

    /// Captures and queen promotions whose static exchange evaluation is `threshold` or more, the hash move first if it
    /// is one of them.
    pub(crate) fn captures(board: &Board, hash_move: Option<Move>, threshold: i32, buffers: MoveBuffers) -> Self {
        let hash_move = hash_move.filter(|&mv| is_noisy(board, mv));
        let picker = Picker::new(board, hash_move, QuietOrdering::default(), buffers);
        Picker { threshold, captures_only: true, ..picker }
    }

    /// The buffers, for another picker.
    pub(crate) fn into_buffers(self) -> MoveBuffers {
        self.buffers
    }

    /// Leaves out the quiet moves that were not picked yet.
    pub(crate) fn skip_quiets(&mut self) {
        self.skips_quiets = true;
    }

    /// The quiet move that [`next`](Self::next) returns next; `None` in other stages.
    #[inline]
    pub(crate) fn next_quiet(&self) -> Option<Move> {
        self.next_quiet
    }

    /// Whether a quiet move is known to lose nothing by exchanges: neither its target square is attacked nor the square
    /// that it leaves, so that it opens no line. False before quiet moves are generated.
    pub(crate) fn is_safe(&self, mv: Move) -> bool {
        (mv.from.bitboard() | mv.to.bitboard()).is_subset(self.unattacked)
    }

    /// The next move; `None` after the last.
    pub(crate) fn next(&mut self, context: &PickerContext<'_>) -> Option<Move> {
        loop {
            match self.stage {
                Stage::HashMove => {
                    self.stage = Stage::GenerateCaptures;
                    if self.hash_move.is_some() {
                        return self.hash_move;
                    }
                }
                Stage::GenerateCaptures => {
                    self.generate_captures(context);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.good_capture(context) {
                    Some(mv) => return Some(mv),
                    None if self.captures_only => self.stage = Stage::Done,
                    None => self.stage = Stage::Refutations,
                },
                Stage::Refutations | Stage::GenerateQuiets | Stage::Quiets if self.skips_quiets => {
                    self.stage = Stage::BadCaptures;
                }
                Stage::Refutations => match self.refutation(context) {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::GenerateQuiets,
                },
                Stage::GenerateQuiets => {
                    self.generate_quiets(context);
                    self.next_quiet = self.buffers.moves.take_best();
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.next_quiet {
                    Some(mv) => {
                        self.next_quiet = self.buffers.moves.take_best();
                        return Some(mv);
                    }
                    None => self.stage = Stage::BadCaptures,
                },
                Stage::BadCaptures => match self.buffers.bad_captures.get(self.next_bad_capture) {
                    Some(&mv) => {
                        self.next_bad_capture += 1;
                        return Some(mv);
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    // Not inlined: its constants would be computed at each call of `next`.
    #[inline(never)]
    fn generate_captures(&mut self, context: &PickerContext<'_>) {
        for_each_capture(context.board(), |piece, from, squares| self.score_captures(context, piece, from, squares));
    }

    // Not inlined: one copy serves all piece types.
    #[inline(never)]
    fn score_captures(&mut self, context: &PickerContext<'_>, piece: Piece, from: Square, squares: BitBoard) {
        let seventh = Rank::Seventh.relative_to(context.board().side_to_move()).bitboard();
        let promotion = (piece == Piece::Pawn && seventh.has(from)).then_some(Piece::Queen);
        for to in squares {
            let mv = Move { from, to, promotion };
            if Some(mv) != self.hash_move {
                self.buffers.moves.push(mv, capture_score(context.position, piece, mv, context.history));
            }
        }
    }

    /// The best remaining capture that does not lose material; `None` if there is none left.
    fn good_capture(&mut self, context: &PickerContext<'_>) -> Option<Move> {
        loop {
            let mv = self.buffers.moves.take_best()?;
            if see_ge(context.position, mv, self.threshold) {
                return Some(mv);
            }
            self.buffers.bad_captures.push(mv);
        }
    }

    /// The next killer or countermove that is legal and quiet; `None` if there is none left. Refutations that
    /// are not are erased, so that `refutations` holds exactly those that were returned or are the hash move.
    fn refutation(&mut self, context: &PickerContext<'_>) -> Option<Move> {
        let board = context.board();
        while self.next_refutation < self.refutations.len() {
            let (earlier, rest) = self.refutations.split_at_mut(self.next_refutation);
            self.next_refutation += 1;
            let next = rest[0].filter(|&mv| !earlier.contains(&rest[0]) && !is_noisy(board, mv) && board.is_legal(mv));
            rest[0] = next;
            if next.is_some() && next != self.hash_move {
                return next;
            }
        }
        None
    }

    #[inline(never)]
    fn generate_quiets(&mut self, context: &PickerContext<'_>) {
        let board = context.board();
        let [first, second, countermove] = self.refutations;
        let searched = [self.hash_move, first, second, countermove];
        self.buffers.moves.clear();
        let threats = LesserThreats::new(board);
        self.unattacked = threats.unattacked();
        let mut scores = QuietScores {
            history: context.history.quiet_history(board.side_to_move(), context.prior),
            threats,
            checks: self.checks,
            searched_from: searched.iter().flatten().fold(BitBoard::EMPTY, |all, mv| all | mv.from.bitboard()),
            searched,
            moves: &mut self.buffers.moves,
        };
        for_each_quiet(board, |piece, from, squares| scores.add(piece, from, squares));
        for_each_underpromotion(board, |mv| {
            if !searched.contains(&Some(mv)) {
                self.buffers.moves.push(mv, i32::MIN);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::History;
    use super::*;
    use mnemon_chess::Position;
    use mnemon_chess::random_games::walk;

    fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
        moves.sort_by_key(|mv| mnemon_chess::to_code(*mv));
        moves
    }

    fn picked(mut picker: Picker, position: &Position) -> Vec<Move> {
        let context = PickerContext { position, history: &History::new(), prior: &[None; 3] };
        std::iter::from_fn(|| picker.next(&context)).collect()
    }

    /// Every legal move exactly once, whatever the hash move and the refutations.
    #[test]
    fn every_move_comes_once() {
        walk(3, 20_000, |position, moves, random| {
            let mut any = || Some(moves[random.below(moves.len())]);
            let checks = Checks::new(position.board());
            let ordering = QuietOrdering { killers: [any(), any()], countermove: any(), checks };
            let hash_move = any();
            let picked = picked(Picker::new(position.board(), hash_move, ordering, MoveBuffers::default()), position);
            assert_eq!(picked.first().copied(), hash_move);
            assert_eq!(sorted(picked), sorted(moves.to_vec()), "{position}");
        });
    }

    /// Safe moves lose nothing by exchanges.
    #[test]
    fn safe_moves_lose_nothing() {
        let mut safe = 0;
        walk(8, 5_000, |position, _, _| {
            let context = PickerContext { position, history: &History::new(), prior: &[None; 3] };
            let mut picker = Picker::new(position.board(), None, QuietOrdering::default(), MoveBuffers::default());
            while let Some(mv) = picker.next(&context) {
                if !is_noisy(position.board(), mv) && picker.is_safe(mv) {
                    safe += 1;
                    assert!(see_ge(position, mv, 0), "{position}: {mv}");
                }
            }
        });
        assert!(safe > 10_000, "{safe}");
    }

    /// With a threshold that every move reaches: all captures and queen promotions, and an underpromotion only as hash move.
    #[test]
    fn captures_are_all_captures() {
        walk(4, 20_000, |position, moves, random| {
            let board = position.board();
            let hash_move = Some(moves[random.below(moves.len())]);
            let picked = picked(Picker::captures(board, hash_move, -100_000, MoveBuffers::default()), position);
            let is_left_out =
                |mv: Move| mv.promotion.is_some_and(|piece| piece != Piece::Queen) && Some(mv) != hash_move;
            let noisy = moves.iter().copied().filter(|&mv| is_noisy(board, mv) && !is_left_out(mv)).collect();
            assert_eq!(sorted(picked), sorted(noisy), "{position}");
        });
    }
}
