//! Static exchange evaluation (SEE): what a capture wins when both sides go on capturing on its square, each with its least
//! valuable piece.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};

use mnemon_chess::{Position, piece_value};

/// Whether the static exchange evaluation of a move is `threshold` or more for the side that makes it.
pub(crate) fn see_ge(position: &Position, mv: Move, threshold: i32) -> bool {
    let board = position.board();
    let Some(mover) = position.piece_on(mv.from) else { return false };
    let is_castling = board.colors(board.side_to_move()).has(mv.to);
    if is_castling {
        return threshold <= 0;
    }
    // The material won beyond the threshold: after the first capture, then after the loss of the capturing piece.
    let mut balance = gain(position, mv, mover) - threshold;
    if balance < 0 {
        return false;
    }
    balance -= piece_value(mv.promotion.unwrap_or(mover));
    if balance >= 0 {
        return true;
    }
    // A recapture by a pawn decides most losing exchanges, without the other attackers.
    let pawns = board.colored_pieces(!board.side_to_move(), Piece::Pawn);
    let by_pawn = !(get_pawn_attacks(mv.to, board.side_to_move()) & pawns).is_empty();
    if by_pawn && -balance - 1 - piece_value(Piece::Pawn) >= 0 {
        return false;
    }
    let mut exchange = Exchange::new(board, mv, mover);
    let mut side = !board.side_to_move();
    while let Some(piece) = exchange.take_least_valuable(side) {
        side = !side;
        // Negamax: the balance of the side that has just captured, after it loses this piece in turn.
        balance = -balance - 1 - piece_value(piece);
        if balance >= 0 {
            // A king may not capture a protected piece.
            if piece == Piece::King && exchange.has_attackers(side) {
                side = !side;
            }
            break;
        }
    }
    side != board.side_to_move()
}

/// The value of what the move captures, and of its promotion.
fn gain(position: &Position, mv: Move, mover: Piece) -> i32 {
    let target = position.piece_on(mv.to);
    let is_en_passant = mover == Piece::Pawn && mv.from.file() != mv.to.file() && target.is_none();
    let victim = if is_en_passant { Some(Piece::Pawn) } else { target };
    let promotion = mv.promotion.map_or(0, |piece| piece_value(piece) - piece_value(Piece::Pawn));
    victim.map_or(0, piece_value) + promotion
}

/// The pieces that can still capture on one square.
struct Exchange<'b> {
    board: &'b Board,
    square: Square,
    occupied: BitBoard,
    attackers: BitBoard,
}

impl<'b> Exchange<'b> {
    fn new(board: &'b Board, mv: Move, mover: Piece) -> Self {
        let square = mv.to;
        let mut occupied = (board.occupied() ^ mv.from.bitboard()) | square.bitboard();
        if mover == Piece::Pawn && mv.from.file() != square.file() && !board.occupied().has(square) {
            // En passant: the captured pawn is not on the target square.
            occupied ^= Square::new(square.file(), mv.from.rank()).bitboard();
        }
        let pieces = |piece| board.pieces(piece);
        let pawns = |side: Color| get_pawn_attacks(square, !side) & board.colored_pieces(side, Piece::Pawn);
        let leapers = pawns(Color::White)
            | pawns(Color::Black)
            | (get_knight_moves(square) & pieces(Piece::Knight))
            | (get_king_moves(square) & pieces(Piece::King));
        let mut exchange = Exchange { board, square, occupied, attackers: leapers };
        exchange.attackers |= exchange.sliders();
        exchange
    }

    /// Bishops, rooks and queens that attack the square with the present occupancy.
    fn sliders(&self) -> BitBoard {
        let pieces = |piece| self.board.pieces(piece);
        let queens = pieces(Piece::Queen);
        (get_bishop_moves(self.square, self.occupied) & (pieces(Piece::Bishop) | queens))
            | (get_rook_moves(self.square, self.occupied) & (pieces(Piece::Rook) | queens))
    }

    fn has_attackers(&self, side: Color) -> bool {
        !(self.attackers & self.occupied & self.board.colors(side)).is_empty()
    }

    /// The side's least valuable attacker captures, and opens the lines behind it (X-rays); `None` if there is none.
    fn take_least_valuable(&mut self, side: Color) -> Option<Piece> {
        let attackers = self.attackers & self.occupied & self.board.colors(side);
        let (piece, square) = Piece::ALL
            .iter()
            .find_map(|&piece| Some((piece, (attackers & self.board.pieces(piece)).next_square()?)))?;
        self.occupied ^= square.bitboard();
        self.attackers |= self.sliders();
        Some(piece)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The exchange played out by plain minimax on the board, with legal captures on the square only.
    fn played_out(position: &Position, mv: Move) -> i32 {
        let Some(mover) = position.piece_on(mv.from) else { return 0 };
        gain(position, mv, mover) - best_recapture(&position.after(mv), mv.to)
    }

    fn best_recapture(position: &Position, square: Square) -> i32 {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let board = position.board();
        let captures = moves.into_iter().filter(|mv| mv.to == square && !board.colors(board.side_to_move()).has(mv.to));
        let least_valuable = captures.min_by_key(|mv| position.piece_on(mv.from).map_or(0, piece_value));
        least_valuable.map_or(0, |mv| played_out(position, mv).max(0))
    }

    #[test]
    fn exchanges_come_out_as_on_the_board() {
        // No pins, promotions or kings that may not capture: there both must agree.
        for (fen, mv) in [
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5"),
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5"),
            ("4k3/8/2n5/3p4/4P3/8/8/3QK3 w - - 0 1", "e4d5"),
            ("4k3/8/2n1p3/3p4/4P3/2N5/8/3QK3 w - - 0 1", "e4d5"),
            ("3rk3/3r4/8/3p4/8/8/3Q4/3RK3 w - - 0 1", "d2d5"),
            ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 2", "d5c6"),
        ] {
            let position: Position = fen.parse().expect(fen);
            let mv = position.parse_uci(mv).expect(mv);
            let value = played_out(&position, mv);
            for threshold in -1000..=1000 {
                assert_eq!(
                    see_ge(&position, mv, threshold),
                    value >= threshold,
                    "{fen}: {value}, threshold {threshold}"
                );
            }
        }
    }
}
