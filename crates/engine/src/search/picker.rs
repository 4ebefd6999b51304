//! Moves in the order in which they are likely to cut off, generated only as far as they are needed.

use cozy_chess::{BitBoard, Board, Move, Piece, Rank, Square};

use super::captures::{capture_rank, is_noisy};
use super::checks::Checks;
use super::generate::{each_capture, each_lesser_promotion, each_quiet};
use super::history::QuietHistory;
use super::lesser::LesserThreats;
use super::ranking::Ranking;
use super::see;
use super::view::View;

/// What a check is worth among quiet moves, which history ranks.
const CHECK_RANK: i32 = 12_000;
/// What it is worth to leave a square where a lesser man attacks, and what it costs to go to one.
const ESCAPE_RANK: i32 = 4_200;

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
pub(crate) struct Hints {
    /// Quiet moves that cut off lately at this ply.
    pub(crate) killers: [Option<Move>; 2],
    /// The one that refuted the opponent's last move.
    pub(crate) counter: Option<Move>,
    /// Where men give check.
    pub(crate) checks: Checks,
}

/// The room that a picker needs, to be used again by another.
#[derive(Default)]
pub(crate) struct MoveBuffers {
    /// Captures first, then quiet moves.
    pub(crate) ranking: Ranking,
    /// Captures that lose material, for the end.
    bad: Vec<Move>,
}

/// The moves of one node.
pub(crate) struct Picker {
    stage: Stage,
    hint: Option<Move>,
    refutations: [Option<Move>; 3],
    refutation: usize,
    checks: Checks,
    /// The squares that no enemy attacks, as soon as quiet moves are made.
    unattacked: BitBoard,
    /// The quiet move that comes next.
    following: Option<Move>,
    room: MoveBuffers,
    bad_next: usize,
    /// Captures that win less than this are bad.
    threshold: i32,
    captures_only: bool,
    quiets_skipped: bool,
}

impl Picker {
    /// All moves, the hint first if it is legal.
    pub(crate) fn new(board: &Board, hint: Option<Move>, hints: Hints, mut room: MoveBuffers) -> Self {
        room.ranking.clear();
        room.bad.clear();
        let [first, second] = hints.killers;
        Picker {
            stage: Stage::Hint,
            hint: hint.filter(|&mv| board.is_legal(mv)),
            refutations: [first, second, hints.counter],
            checks: hints.checks,
            unattacked: BitBoard::EMPTY,
            refutation: 0,
            following: None,
            room,
            bad_next: 0,
            threshold: 0,
            captures_only: false,
            quiets_skipped: false,
        }
    }

    /// Captures and promotions only that win the threshold or more, the hint first if it is one.
    pub(crate) fn captures(board: &Board, hint: Option<Move>, threshold: i32, room: MoveBuffers) -> Self {
        let hint = hint.filter(|&mv| is_noisy(board, mv));
        let picker = Picker::new(board, hint, Hints::default(), room);
        Picker { threshold, captures_only: true, ..picker }
    }

    /// The room, for another picker.
    pub(crate) fn into_room(self) -> MoveBuffers {
        self.room
    }

    /// Leaves out the quiet moves that were not picked yet.
    pub(crate) fn skip_quiets(&mut self) {
        self.quiets_skipped = true;
    }

    /// The quiet move that comes after the last one, if quiet moves have their turn.
    #[inline]
    pub(crate) fn following(&self) -> Option<Move> {
        self.following
    }

    /// Whether the move is known to lose nothing where it goes: the square is not attacked, nor is the one that it leaves,
    /// so that no line is opened. Only quiet moves are known.
    pub(crate) fn is_safe(&self, mv: Move) -> bool {
        (mv.from.bitboard() | mv.to.bitboard()).is_subset(self.unattacked)
    }

    /// The next move.
    pub(crate) fn next(&mut self, view: &View<'_>) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Hint => {
                    self.stage = Stage::MakeCaptures;
                    if self.hint.is_some() {
                        return self.hint;
                    }
                }
                Stage::MakeCaptures => {
                    self.make_captures(view);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.good_capture(view) {
                    Some(mv) => return Some(mv),
                    None if self.captures_only => self.stage = Stage::Done,
                    None => self.stage = Stage::Refutations,
                },
                Stage::Refutations | Stage::MakeQuiets | Stage::Quiets if self.quiets_skipped => {
                    self.stage = Stage::BadCaptures;
                }
                Stage::Refutations => match self.next_refutation(view) {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::MakeQuiets,
                },
                Stage::MakeQuiets => {
                    self.make_quiets(view);
                    self.following = self.room.ranking.take_best();
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.following {
                    Some(mv) => {
                        self.following = self.room.ranking.take_best();
                        return Some(mv);
                    }
                    None => self.stage = Stage::BadCaptures,
                },
                Stage::BadCaptures => match self.room.bad.get(self.bad_next) {
                    Some(&mv) => {
                        self.bad_next += 1;
                        return Some(mv);
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    // Not inlined: what it needs would be computed at each call of `next`.
    #[inline(never)]
    fn make_captures(&mut self, view: &View<'_>) {
        each_capture(view.board(), |piece, from, squares| self.rank_captures(view, piece, from, squares));
    }

    // Not inlined: once, and not for each kind of man.
    #[inline(never)]
    fn rank_captures(&mut self, view: &View<'_>, piece: Piece, from: Square, squares: BitBoard) {
        let seventh = Rank::Seventh.relative_to(view.board().side_to_move()).bitboard();
        let promotion = (piece == Piece::Pawn && seventh.has(from)).then_some(Piece::Queen);
        for to in squares {
            let mv = Move { from, to, promotion };
            if Some(mv) != self.hint {
                self.room.ranking.push(mv, capture_rank(view.position, piece, mv, view.history));
            }
        }
    }

    /// The best capture that is left and does not lose material.
    fn good_capture(&mut self, view: &View<'_>) -> Option<Move> {
        loop {
            let mv = self.room.ranking.take_best()?;
            if see::wins(view.position, mv, self.threshold) {
                return Some(mv);
            }
            self.room.bad.push(mv);
        }
    }

    /// The next killer or counter move that can be played. Those that cannot are forgotten: what is left here was tried.
    fn next_refutation(&mut self, view: &View<'_>) -> Option<Move> {
        let board = view.board();
        while self.refutation < self.refutations.len() {
            let (before, rest) = self.refutations.split_at_mut(self.refutation);
            self.refutation += 1;
            let next = rest[0].filter(|&mv| !before.contains(&rest[0]) && !is_noisy(board, mv) && board.is_legal(mv));
            rest[0] = next;
            if next.is_some() && next != self.hint {
                return next;
            }
        }
        None
    }

    #[inline(never)]
    fn make_quiets(&mut self, view: &View<'_>) {
        let board = view.board();
        let [first, second, counter] = self.refutations;
        let tried = [self.hint, first, second, counter];
        self.room.ranking.clear();
        let lesser = LesserThreats::new(board);
        self.unattacked = lesser.unattacked();
        let mut quiets = Quiets {
            past: view.history.past(board.side_to_move(), view.before),
            lesser,
            checks: self.checks,
            tried_from: tried.iter().flatten().fold(BitBoard::EMPTY, |all, mv| all | mv.from.bitboard()),
            tried,
            ranking: &mut self.room.ranking,
        };
        each_quiet(board, |piece, from, squares| quiets.rank(piece, from, squares));
        each_lesser_promotion(board, |mv| {
            if !tried.contains(&Some(mv)) {
                self.room.ranking.push(mv, i32::MIN);
            }
        });
    }
}

/// What ranks quiet moves.
struct Quiets<'p> {
    past: QuietHistory<'p>,
    lesser: LesserThreats,
    checks: Checks,
    /// What came before, and which men made it.
    tried: [Option<Move>; 4],
    tried_from: BitBoard,
    ranking: &'p mut Ranking,
}

impl Quiets<'_> {
    /// Where a man went that was tried.
    fn tried_to(&self, from: Square) -> BitBoard {
        let tried = self.tried.iter().flatten().filter(|mv| mv.from == from);
        tried.fold(BitBoard::EMPTY, |all, mv| all | mv.to.bitboard())
    }

    /// Ranks a man's moves.
    #[inline(never)]
    fn rank(&mut self, piece: Piece, from: Square, squares: BitBoard) {
        let tried = if self.tried_from.has(from) { self.tried_to(from) } else { BitBoard::EMPTY };
        let (past, checks) = (self.past.of_man(piece, from), self.checks.by(piece));
        let danger = self.lesser.attacks(piece);
        let escapes = i32::from(danger.has(from));
        for to in squares & !tried {
            let check = i32::from(checks.has(to)) * CHECK_RANK;
            let escape = (escapes - i32::from(danger.has(to))) * ESCAPE_RANK;
            self.ranking.push(Move { from, to, promotion: None }, past.to(to) + check + escape);
        }
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
        let view = View { position, history: &History::new(), before: &[None; 3] };
        std::iter::from_fn(|| picker.next(&view)).collect()
    }

    /// Every legal move exactly once, whatever the hint and the refutations.
    #[test]
    fn every_move_comes_once() {
        walk(3, 20_000, |position, moves, random| {
            let mut any = || Some(moves[random.below(moves.len())]);
            let checks = Checks::new(position.board());
            let hints = Hints { killers: [any(), any()], counter: any(), checks };
            let hint = any();
            let picked = picked(Picker::new(position.board(), hint, hints, MoveBuffers::default()), position);
            assert_eq!(picked.first().copied(), hint);
            assert_eq!(sorted(picked), sorted(moves.to_vec()), "{position}");
        });
    }

    /// What is called safe loses nothing by exchanges.
    #[test]
    fn safe_moves_lose_nothing() {
        let mut safe = 0;
        walk(8, 5_000, |position, _, _| {
            let view = View { position, history: &History::new(), before: &[None; 3] };
            let mut picker = Picker::new(position.board(), None, Hints::default(), MoveBuffers::default());
            while let Some(mv) = picker.next(&view) {
                if !is_noisy(position.board(), mv) && picker.is_safe(mv) {
                    safe += 1;
                    assert!(see::wins(position, mv, 0), "{position}: {mv}");
                }
            }
        });
        assert!(safe > 10_000, "{safe}");
    }

    /// All captures and promotions to a queen, where nothing is too bad; to lesser men only what the hint says.
    #[test]
    fn captures_are_all_captures() {
        walk(4, 20_000, |position, moves, random| {
            let board = position.board();
            let hint = Some(moves[random.below(moves.len())]);
            let picked = picked(Picker::captures(board, hint, -100_000, MoveBuffers::default()), position);
            let is_lesser = |mv: Move| mv.promotion.is_some_and(|piece| piece != Piece::Queen) && Some(mv) != hint;
            let noisy = moves.iter().copied().filter(|&mv| is_noisy(board, mv) && !is_lesser(mv)).collect();
            assert_eq!(sorted(picked), sorted(noisy), "{position}");
        });
    }
}
