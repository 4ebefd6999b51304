//! Staged generation of legal moves: captures, quiet moves, quiet checks, each only when the search gets there.
//!
//! Moves are visited one piece at a time, as a set of target squares. A pinned piece stays on the line of its pin. In
//! check, where few moves are legal, all are generated and filtered.

use cozy_chess::{
    BitBoard, Board, Move, Piece, PieceMoves, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_line_rays, get_pawn_attacks, get_pawn_quiets, get_rook_moves,
};

use super::checks::Checks;
use crate::eval::masks::{one_ahead, pawn_attacks};

/// Visits captures and, for pawns on the seventh rank, all target squares: their moves are promotions to a queen.
pub(super) fn for_each_capture(board: &Board, mut visit: impl FnMut(Piece, Square, BitBoard)) {
    let side = board.side_to_move();
    let targets = board.colors(!side);
    let en_passant = en_passant_square(board);
    let seventh = seventh(board);
    if !board.checkers().is_empty() {
        return for_each_legal(board, board.colors(side), &mut |PieceMoves { piece, from, to }| match piece {
            Piece::Pawn if seventh.has(from) => visit(piece, from, to),
            Piece::Pawn => visit_nonempty(&mut visit, piece, from, to & (targets | en_passant)),
            _ => visit_nonempty(&mut visit, piece, from, to & targets),
        });
    }
    for_each_piece_move(board, |_| targets, &mut visit);
    let king = board.king(side);
    visit_nonempty(&mut visit, Piece::King, king, legal(board, king, get_king_moves(king) & targets));
    let takers = pawn_attacks(!side, targets | en_passant) | seventh;
    for pawn in board.colored_pieces(side, Piece::Pawn) & takers {
        let attacks = get_pawn_attacks(pawn, side);
        let ahead = one_ahead(side, pawn.bitboard() & seventh) & !board.occupied();
        let to = within_pin(board, pawn, attacks & targets | ahead) | legal(board, pawn, attacks & en_passant);
        visit_nonempty(&mut visit, Piece::Pawn, pawn, to);
    }
}

/// Visits quiet moves without [underpromotions](for_each_underpromotion). Castling is the king's move onto its own rook.
pub(super) fn for_each_quiet(board: &Board, mut visit: impl FnMut(Piece, Square, BitBoard)) {
    let side = board.side_to_move();
    let targets = board.colors(!side);
    let pawns = board.colored_pieces(side, Piece::Pawn) & !seventh(board);
    if !board.checkers().is_empty() {
        let en_passant = en_passant_square(board);
        return for_each_legal(board, board.colors(side), &mut |PieceMoves { piece, from, to }| match piece {
            Piece::Pawn if !pawns.has(from) => {}
            Piece::Pawn => visit_nonempty(&mut visit, piece, from, to & !(targets | en_passant)),
            _ => visit_nonempty(&mut visit, piece, from, to & !targets),
        });
    }
    let occupied = board.occupied();
    for_each_piece_move(board, |_| !occupied, &mut visit);
    for pawn in pawns & one_ahead(!side, !occupied) {
        visit_nonempty(&mut visit, Piece::Pawn, pawn, within_pin(board, pawn, get_pawn_quiets(pawn, side, occupied)));
    }
    let king = board.king(side);
    let rights = board.castle_rights(side);
    let rooks = [rights.short, rights.long].into_iter().flatten().map(|file| Square::new(file, king.rank()).bitboard());
    let to = rooks.fold(get_king_moves(king) & !occupied, |to, rook| to | rook);
    visit_nonempty(&mut visit, Piece::King, king, legal(board, king, to));
}

/// Visits underpromotions, capturing or not.
pub(super) fn for_each_underpromotion(board: &Board, mut visit: impl FnMut(Move)) {
    let pawns = board.colored_pieces(board.side_to_move(), Piece::Pawn) & seventh(board);
    if !pawns.is_empty() {
        for_each_legal(board, pawns, &mut |moves| {
            moves.into_iter().filter(|mv| mv.promotion != Some(Piece::Queen)).for_each(&mut visit);
        });
    }
}

/// Visits quiet moves that give direct check; discovered checks are left out. The side to move is not in check.
pub(super) fn for_each_quiet_check(board: &Board, mut visit: impl FnMut(Piece, Square, BitBoard)) {
    let (checks, occupied) = (Checks::new(board), board.occupied());
    for_each_piece_move(board, |piece| checks.squares(piece) & !occupied, &mut visit);
    let side = board.side_to_move();
    // One or two steps behind the squares from which pawns give check.
    let one = one_ahead(!side, checks.squares(Piece::Pawn) & !occupied);
    let behind = one | one_ahead(!side, one & !occupied);
    for pawn in board.colored_pieces(side, Piece::Pawn) & behind & !seventh(board) {
        let to = get_pawn_quiets(pawn, side, occupied) & checks.squares(Piece::Pawn);
        visit_nonempty(&mut visit, Piece::Pawn, pawn, within_pin(board, pawn, to));
    }
}

/// The en passant square, if a pawn has just made a double step.
fn en_passant_square(board: &Board) -> BitBoard {
    let rank = Rank::Sixth.relative_to(board.side_to_move());
    board.en_passant().map_or(BitBoard::EMPTY, |file| Square::new(file, rank).bitboard())
}

/// The seventh rank of the side to move.
fn seventh(board: &Board) -> BitBoard {
    Rank::Seventh.relative_to(board.side_to_move()).bitboard()
}

/// Visits the moves of knights, bishops, rooks and queens to the given squares, when not in check.
#[inline]
fn for_each_piece_move(
    board: &Board,
    targets: impl Fn(Piece) -> BitBoard,
    visit: &mut impl FnMut(Piece, Square, BitBoard),
) {
    let occupied = board.occupied();
    let straight = |from| get_rook_moves(from, occupied);
    let diagonal = |from| get_bishop_moves(from, occupied);
    for_each_move_of(board, Piece::Knight, get_knight_moves, &targets, visit);
    for_each_move_of(board, Piece::Bishop, diagonal, &targets, visit);
    for_each_move_of(board, Piece::Rook, straight, &targets, visit);
    for_each_move_of(board, Piece::Queen, |from| diagonal(from) | straight(from), &targets, visit);
}

#[inline]
fn for_each_move_of(
    board: &Board,
    piece: Piece,
    attacks: impl Fn(Square) -> BitBoard,
    targets: &impl Fn(Piece) -> BitBoard,
    visit: &mut impl FnMut(Piece, Square, BitBoard),
) {
    let targets = targets(piece);
    for from in board.colored_pieces(board.side_to_move(), piece) {
        visit_nonempty(visit, piece, from, within_pin(board, from, attacks(from) & targets));
    }
}

/// Visits the legal moves of these pieces. Not inlined: it is large and rarely needed.
#[inline(never)]
fn for_each_legal(board: &Board, pieces: BitBoard, visit: &mut dyn FnMut(PieceMoves)) {
    board.generate_moves_for(pieces, |moves| {
        visit(moves);
        false
    });
}

#[inline]
fn visit_nonempty(visit: &mut impl FnMut(Piece, Square, BitBoard), piece: Piece, from: Square, to: BitBoard) {
    if !to.is_empty() {
        visit(piece, from, to);
    }
}

/// The target squares that a pin allows, when not in check.
#[inline]
fn within_pin(board: &Board, from: Square, to: BitBoard) -> BitBoard {
    if board.pinned().has(from) { to & get_line_rays(board.king(board.side_to_move()), from) } else { to }
}

/// The target squares that are legal, each checked by itself.
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

    fn visited(generate: impl FnOnce(&mut dyn FnMut(Piece, Square, BitBoard)), promotion: Option<Piece>) -> Vec<Move> {
        let mut all = Vec::new();
        generate(&mut |piece, from, squares| {
            let last = Rank::First.bitboard() | Rank::Eighth.bitboard();
            let promotes = |to| promotion.filter(|_| piece == Piece::Pawn && last.has(to));
            all.extend(squares.into_iter().map(|to| Move { from, to, promotion: promotes(to) }));
        });
        all
    }

    /// Captures, quiet moves and underpromotions together are the legal moves, each once.
    #[test]
    fn every_legal_move_is_of_one_kind() {
        walk(7, 30_000, |position, moves, _| {
            let board = position.board();
            let is_underpromotion = |mv: &Move| mv.promotion.is_some_and(|piece| piece != Piece::Queen);
            let (underpromotions, rest): (Vec<Move>, Vec<Move>) = moves.iter().partition(|mv| is_underpromotion(mv));
            let (noisy, quiet): (Vec<Move>, Vec<Move>) = rest.into_iter().partition(|&mv| is_noisy(board, mv));
            let captures = visited(|visit| for_each_capture(board, visit), Some(Piece::Queen));
            assert_eq!(sorted(captures), sorted(noisy), "{position}");
            assert_eq!(sorted(visited(|visit| for_each_quiet(board, visit), None)), sorted(quiet), "{position}");
            let mut promotions = Vec::new();
            for_each_underpromotion(board, |mv| promotions.push(mv));
            assert_eq!(sorted(promotions), sorted(underpromotions), "{position}");
        });
    }

    /// Quiet checks are the quiet moves that give check from their target square.
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
                !is_castling && piece.is_some_and(|piece| checks.gives_check(piece, *mv))
            };
            let quiet = moves.iter().copied().filter(|&mv| mv.promotion.is_none() && !is_noisy(board, mv));
            let visited = visited(|visit| for_each_quiet_check(board, visit), None);
            assert_eq!(sorted(visited), sorted(quiet.filter(gives_check)), "{position}");
        });
    }
}
