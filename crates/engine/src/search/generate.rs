//! Legal moves by what they do: captures, quiet moves, quiet checks. Each is generated only when the search comes to it,
//! a man at a time. Pins are lines that a man may not leave; in check, where few moves are legal, all are generated and
//! sorted out.

use cozy_chess::{
    BitBoard, Board, Move, Piece, PieceMoves, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_line_rays, get_pawn_attacks, get_pawn_quiets, get_rook_moves,
};

use super::checks::Checks;
use crate::eval::masks::{one_ahead, pawn_attacks};

/// Tells who can take what. A pawn on the seventh rank also steps ahead; its promotions are to queens.
pub(super) fn each_capture(board: &Board, mut tell: impl FnMut(Piece, Square, BitBoard)) {
    let side = board.side_to_move();
    let targets = board.colors(!side);
    let passing = en_passant_square(board);
    let seventh = seventh(board);
    if !board.checkers().is_empty() {
        return each_legal(board, board.colors(side), &mut |PieceMoves { piece, from, to }| match piece {
            Piece::Pawn if seventh.has(from) => tell(piece, from, to),
            Piece::Pawn => tell_some(&mut tell, piece, from, to & (targets | passing)),
            _ => tell_some(&mut tell, piece, from, to & targets),
        });
    }
    each_piece(board, |_| targets, &mut tell);
    let king = board.king(side);
    tell_some(&mut tell, Piece::King, king, legal(board, king, get_king_moves(king) & targets));
    let takers = pawn_attacks(!side, targets | passing) | seventh;
    for pawn in board.colored_pieces(side, Piece::Pawn) & takers {
        let attacks = get_pawn_attacks(pawn, side);
        let ahead = one_ahead(side, pawn.bitboard() & seventh) & !board.occupied();
        let to = in_line(board, pawn, attacks & targets | ahead) | legal(board, pawn, attacks & passing);
        tell_some(&mut tell, Piece::Pawn, pawn, to);
    }
}

/// Tells who can go where without taking anything. Castling is the king's move onto its own rook; promotions are
/// [by themselves](each_lesser_promotion).
pub(super) fn each_quiet(board: &Board, mut tell: impl FnMut(Piece, Square, BitBoard)) {
    let side = board.side_to_move();
    let targets = board.colors(!side);
    let pawns = board.colored_pieces(side, Piece::Pawn) & !seventh(board);
    if !board.checkers().is_empty() {
        let passing = en_passant_square(board);
        return each_legal(board, board.colors(side), &mut |PieceMoves { piece, from, to }| match piece {
            Piece::Pawn if !pawns.has(from) => {}
            Piece::Pawn => tell_some(&mut tell, piece, from, to & !(targets | passing)),
            _ => tell_some(&mut tell, piece, from, to & !targets),
        });
    }
    let occupied = board.occupied();
    each_piece(board, |_| !occupied, &mut tell);
    for pawn in pawns & one_ahead(!side, !occupied) {
        tell_some(&mut tell, Piece::Pawn, pawn, in_line(board, pawn, get_pawn_quiets(pawn, side, occupied)));
    }
    let king = board.king(side);
    let rights = board.castle_rights(side);
    let rooks = [rights.short, rights.long].into_iter().flatten().map(|file| Square::new(file, king.rank()).bitboard());
    let to = rooks.fold(get_king_moves(king) & !occupied, |to, rook| to | rook);
    tell_some(&mut tell, Piece::King, king, legal(board, king, to));
}

/// Tells promotions to lesser men than queens, capturing or not.
pub(super) fn each_lesser_promotion(board: &Board, mut tell: impl FnMut(Move)) {
    let pawns = board.colored_pieces(board.side_to_move(), Piece::Pawn) & seventh(board);
    if !pawns.is_empty() {
        each_legal(board, pawns, &mut |moves| {
            moves.into_iter().filter(|mv| mv.promotion != Some(Piece::Queen)).for_each(&mut tell);
        });
    }
}

/// Tells who can give check from an empty square. Discovered checks are not seen, and nobody is in check.
pub(super) fn each_quiet_check(board: &Board, mut tell: impl FnMut(Piece, Square, BitBoard)) {
    let (checks, occupied) = (Checks::new(board), board.occupied());
    each_piece(board, |piece| checks.by(piece) & !occupied, &mut tell);
    let side = board.side_to_move();
    // One step or two behind the squares from which pawns give check.
    let one = one_ahead(!side, checks.by(Piece::Pawn) & !occupied);
    let behind = one | one_ahead(!side, one & !occupied);
    for pawn in board.colored_pieces(side, Piece::Pawn) & behind & !seventh(board) {
        let to = get_pawn_quiets(pawn, side, occupied) & checks.by(Piece::Pawn);
        tell_some(&mut tell, Piece::Pawn, pawn, in_line(board, pawn, to));
    }
}

/// The square behind a pawn that has just made a double step.
fn en_passant_square(board: &Board) -> BitBoard {
    let rank = Rank::Sixth.relative_to(board.side_to_move());
    board.en_passant().map_or(BitBoard::EMPTY, |file| Square::new(file, rank).bitboard())
}

/// The rank before the last one.
fn seventh(board: &Board) -> BitBoard {
    Rank::Seventh.relative_to(board.side_to_move()).bitboard()
}

/// All moves but those of king and pawns, to the squares that are asked for, when not in check.
#[inline]
fn each_piece(board: &Board, targets: impl Fn(Piece) -> BitBoard, tell: &mut impl FnMut(Piece, Square, BitBoard)) {
    let occupied = board.occupied();
    let straight = |from| get_rook_moves(from, occupied);
    let diagonal = |from| get_bishop_moves(from, occupied);
    each_of(board, Piece::Knight, get_knight_moves, &targets, tell);
    each_of(board, Piece::Bishop, diagonal, &targets, tell);
    each_of(board, Piece::Rook, straight, &targets, tell);
    each_of(board, Piece::Queen, |from| diagonal(from) | straight(from), &targets, tell);
}

#[inline]
fn each_of(
    board: &Board,
    piece: Piece,
    sees: impl Fn(Square) -> BitBoard,
    targets: &impl Fn(Piece) -> BitBoard,
    tell: &mut impl FnMut(Piece, Square, BitBoard),
) {
    let targets = targets(piece);
    for from in board.colored_pieces(board.side_to_move(), piece) {
        tell_some(tell, piece, from, in_line(board, from, sees(from) & targets));
    }
}

/// The legal moves of these men. Not inlined: it is needed seldom, and large.
#[inline(never)]
fn each_legal(board: &Board, men: BitBoard, tell: &mut dyn FnMut(PieceMoves)) {
    board.generate_moves_for(men, |moves| {
        tell(moves);
        false
    });
}

#[inline]
fn tell_some(tell: &mut impl FnMut(Piece, Square, BitBoard), piece: Piece, from: Square, to: BitBoard) {
    if !to.is_empty() {
        tell(piece, from, to);
    }
}

/// The squares that a man can go to although it may be pinned, when not in check.
#[inline]
fn in_line(board: &Board, from: Square, to: BitBoard) -> BitBoard {
    if board.pinned().has(from) { to & get_line_rays(board.king(board.side_to_move()), from) } else { to }
}

/// The squares that a man can go to, each asked for by itself.
#[inline]
fn legal(board: &Board, from: Square, to: BitBoard) -> BitBoard {
    let legal = to.into_iter().filter(|&to| board.is_legal(Move { from, to, promotion: None }));
    legal.fold(BitBoard::EMPTY, |all, to| all | to.bitboard())
}

#[cfg(test)]
mod tests {
    use super::super::captures::is_noisy;
    use super::*;
    use mnemon_chess::random_games::walk;

    fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<u16> {
        let mut codes: Vec<u16> = moves.into_iter().map(|mv| mnemon_chess::to_code(mv).get()).collect();
        codes.sort_unstable();
        codes
    }

    fn told(generate: impl FnOnce(&mut dyn FnMut(Piece, Square, BitBoard)), promotion: Option<Piece>) -> Vec<Move> {
        let mut all = Vec::new();
        generate(&mut |piece, from, squares| {
            let last = Rank::First.bitboard() | Rank::Eighth.bitboard();
            let promotes = |to| promotion.filter(|_| piece == Piece::Pawn && last.has(to));
            all.extend(squares.into_iter().map(|to| Move { from, to, promotion: promotes(to) }));
        });
        all
    }

    /// Captures, quiet moves and lesser promotions are the legal moves, each of its kind.
    #[test]
    fn every_legal_move_is_of_one_kind() {
        walk(7, 30_000, |position, moves, _| {
            let board = position.board();
            let is_lesser = |mv: &Move| mv.promotion.is_some_and(|piece| piece != Piece::Queen);
            let (lesser, rest): (Vec<Move>, Vec<Move>) = moves.iter().partition(|mv| is_lesser(mv));
            let (noisy, quiet): (Vec<Move>, Vec<Move>) = rest.into_iter().partition(|&mv| is_noisy(board, mv));
            let captures = told(|tell| each_capture(board, tell), Some(Piece::Queen));
            assert_eq!(sorted(captures), sorted(noisy), "{position}");
            assert_eq!(sorted(told(|tell| each_quiet(board, tell), None)), sorted(quiet), "{position}");
            let mut promotions = Vec::new();
            each_lesser_promotion(board, |mv| promotions.push(mv));
            assert_eq!(sorted(promotions), sorted(lesser), "{position}");
        });
    }

    /// Quiet checks are the quiet moves that give check from where they go.
    #[test]
    fn quiet_checks_are_quiet_and_give_check() {
        walk(8, 30_000, |position, moves, _| {
            let board = position.board();
            if position.is_check() {
                return;
            }
            let checks = Checks::new(board);
            let gives_check = |mv: &Move| {
                let is_castling = board.colors(board.side_to_move()).has(mv.to);
                let piece = position.piece_on(mv.from);
                !is_castling && piece.is_some_and(|piece| checks.has(piece, *mv))
            };
            let quiet = moves.iter().copied().filter(|&mv| mv.promotion.is_none() && !is_noisy(board, mv));
            let told = told(|tell| each_quiet_check(board, tell), None);
            assert_eq!(sorted(told), sorted(quiet.filter(gives_check)), "{position}");
        });
    }
}
