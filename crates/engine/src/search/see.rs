//! Static exchange evaluation: what a capture wins when both sides go on taking on its square with their least men.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};

use mnemon_chess::{Position, piece_value};

/// Whether the exchange that the move begins wins `threshold` or more for the side that plays it.
pub(crate) fn wins(position: &Position, mv: Move, threshold: i32) -> bool {
    let board = position.board();
    let Some(mover) = position.piece_on(mv.from) else { return false };
    let is_castling = board.colors(board.side_to_move()).has(mv.to);
    if is_castling {
        return threshold <= 0;
    }
    // What is left of the threshold after the first capture, and after the capturing man is lost.
    let mut balance = taken(position, mv, mover) - threshold;
    if balance < 0 {
        return false;
    }
    let standing = mv.promotion.unwrap_or(mover);
    balance -= piece_value(standing);
    if balance >= 0 {
        return true;
    }
    // A pawn that takes in turn ends most exchanges that lose, and needs no look at the others.
    let pawns = board.colored_pieces(!board.side_to_move(), Piece::Pawn);
    let by_pawn = !(get_pawn_attacks(mv.to, board.side_to_move()) & pawns).is_empty();
    if by_pawn && -balance - 1 - piece_value(Piece::Pawn) >= 0 {
        return false;
    }
    let mut exchange = Exchange::new(board, mv, mover);
    let mut side = !board.side_to_move();
    while let Some(piece) = exchange.take_least(side) {
        side = !side;
        // Negamax: what the side that has just taken has after losing this man in turn.
        balance = -balance - 1 - piece_value(piece);
        if balance >= 0 {
            // A king may not take what is still protected.
            if piece == Piece::King && exchange.has_attackers(side) {
                side = !side;
            }
            break;
        }
    }
    side != board.side_to_move()
}

/// What the move takes and gains by promotion.
fn taken(position: &Position, mv: Move, mover: Piece) -> i32 {
    let standing = position.piece_on(mv.to);
    let is_en_passant = mover == Piece::Pawn && mv.from.file() != mv.to.file() && standing.is_none();
    let captured = if is_en_passant { Some(Piece::Pawn) } else { standing };
    let gained = mv.promotion.map_or(0, |piece| piece_value(piece) - piece_value(Piece::Pawn));
    captured.map_or(0, piece_value) + gained
}

/// The men that can still take on one square.
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
            // En passant: the captured pawn stands beside.
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

    /// Bishops, rooks and queens that see the square now.
    fn sliders(&self) -> BitBoard {
        let pieces = |piece| self.board.pieces(piece);
        let queens = pieces(Piece::Queen);
        (get_bishop_moves(self.square, self.occupied) & (pieces(Piece::Bishop) | queens))
            | (get_rook_moves(self.square, self.occupied) & (pieces(Piece::Rook) | queens))
    }

    fn has_attackers(&self, side: Color) -> bool {
        !(self.attackers & self.occupied & self.board.colors(side)).is_empty()
    }

    /// The side's least man takes; those behind it come into view.
    fn take_least(&mut self, side: Color) -> Option<Piece> {
        let men = self.attackers & self.occupied & self.board.colors(side);
        let (piece, square) =
            Piece::ALL.iter().find_map(|&piece| Some((piece, (men & self.board.pieces(piece)).next_square()?)))?;
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
        let won = taken(position, mv, mover);
        won - answers(&position.after(mv), mv.to)
    }

    fn answers(position: &Position, square: Square) -> i32 {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let board = position.board();
        let takes = moves.into_iter().filter(|mv| mv.to == square && !board.colors(board.side_to_move()).has(mv.to));
        let least = takes.min_by_key(|mv| position.piece_on(mv.from).map_or(0, piece_value));
        least.map_or(0, |mv| played_out(position, mv).max(0))
    }

    #[test]
    fn exchanges_come_out_as_on_the_board() {
        // No pins, promotions or kings that may not take: there the two must agree.
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
                assert_eq!(wins(&position, mv, threshold), value >= threshold, "{fen}: {value} or {threshold}");
            }
        }
    }
}
