//! The key of a position in Polyglot books.

use cozy_chess::{Color, File, Piece, Rank, Square, get_pawn_attacks};

use super::random64::RANDOM64;
use crate::Position;

/// Where the numbers for the four rights to castle begin: White short and long, Black short and long.
const CASTLING: usize = 768;
/// Where the numbers for the files of en passant captures begin.
const EN_PASSANT: usize = 772;
/// The number for White to move.
const WHITE_TO_MOVE: usize = 780;

impl Position {
    /// The position's key in Polyglot books: the exclusive or of the format's numbers for each piece on its square, each
    /// right to castle, the file of a pawn's double step if an enemy pawn stands beside the pawn, and White to move.
    ///
    /// After such a double step the key differs even where no legal move captures en passant, so two equal positions can
    /// have two keys: it depends on the last move. An [unpacked](mnemon_search::Game::unpack) position knows of no such
    /// step.
    ///
    /// ```
    /// use mnemon_chess::Position;
    ///
    /// assert_eq!(Position::start().polyglot_key(), 0x463b_9618_1691_fc9c);
    /// ```
    #[must_use]
    pub fn polyglot_key(&self) -> u64 {
        let board = self.board();
        let mut key = 0;
        for color in Color::ALL {
            for piece in Piece::ALL {
                let kind = 2 * piece as usize + usize::from(color == Color::White);
                for square in board.colored_pieces(color, piece) {
                    key ^= RANDOM64[64 * kind + square as usize];
                }
            }
            let (rights, first) = (board.castle_rights(color), CASTLING + 2 * color as usize);
            key ^= rights.short.map_or(0, |_| RANDOM64[first]) ^ rights.long.map_or(0, |_| RANDOM64[first + 1]);
        }
        key ^= self.double_step_beside_pawn().map_or(0, |square| RANDOM64[EN_PASSANT + square.file() as usize]);
        if self.side_to_move() == Color::White { key ^ RANDOM64[WHITE_TO_MOVE] } else { key }
    }

    /// Every key under which a book may have this position: its own one first. Where a double step may have been the last
    /// move, and no legal move captures en passant, programs that look only at the pawns beside it have a second key.
    #[must_use]
    pub fn polyglot_keys(&self) -> Vec<u64> {
        let own = self.polyglot_key();
        let mut keys = vec![own];
        if self.en_passant().is_none() {
            let marked = self.double_step_beside_pawn();
            let plain = own ^ marked.map_or(0, |square| RANDOM64[EN_PASSANT + square.file() as usize]);
            let steps = File::ALL.into_iter().filter(|&file| self.may_have_stepped(file));
            keys.extend(steps.map(|file| plain ^ RANDOM64[EN_PASSANT + file as usize]));
            keys.push(plain);
            keys[1..].sort_unstable();
            keys.dedup();
            let mut is_first = true;
            keys.retain(|&key| key != own || std::mem::take(&mut is_first));
        }
        keys
    }

    /// Whether the last move may have been the double step of the pawn on this file, with a pawn beside it.
    fn may_have_stepped(&self, file: File) -> bool {
        let (board, side) = (self.board(), self.side_to_move());
        let at = |rank: Rank| Square::new(file, rank.relative_to(side));
        let stands = board.colored_pieces(!side, Piece::Pawn).has(at(Rank::Fifth));
        let way_is_free = !board.occupied().has(at(Rank::Sixth)) && !board.occupied().has(at(Rank::Seventh));
        let attackers = get_pawn_attacks(at(Rank::Sixth), !side) & board.colored_pieces(side, Piece::Pawn);
        stands && way_is_free && !attackers.is_empty()
    }

    /// The square that the last move's pawn has passed, if a pawn of the side to move attacks it, pinned or not.
    fn double_step_beside_pawn(&self) -> Option<Square> {
        let (board, side) = (self.board(), self.side_to_move());
        let passed = Square::new(board.en_passant()?, Rank::Sixth.relative_to(side));
        let attackers = get_pawn_attacks(passed, !side) & board.colored_pieces(side, Piece::Pawn);
        (!attackers.is_empty()).then_some(passed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the format's document.
    #[test]
    fn keys_are_those_of_the_format() {
        for (moves, key) in [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ] {
            let mut position = Position::start();
            for mv in moves.split_whitespace() {
                position = position.play_uci(mv).expect("legal");
            }
            assert_eq!(position.polyglot_key(), key, "{moves}: {:016x}", position.polyglot_key());
            let again: Position = position.to_string().parse().expect("a FEN");
            assert_eq!(again.polyglot_key(), key, "{position}");
        }
    }

    #[test]
    fn a_pinned_pawn_beside_a_double_step_counts() {
        let before: Position = "8/8/8/8/k1p4R/8/3P4/4K3 w - -".parse().expect("a position");
        let after = before.play_uci("d2d4").expect("legal");
        assert_eq!(after.en_passant(), None, "the capture would leave the king in check");
        let without: Position = "8/8/8/8/k1pP3R/8/8/4K3 b - -".parse().expect("a position");
        assert_eq!(after, without);
        assert_eq!(after.polyglot_key() ^ without.polyglot_key(), RANDOM64[EN_PASSANT + 3]);
        assert_eq!(after.polyglot_keys(), [after.polyglot_key(), without.polyglot_key()]);
        assert_eq!(without.polyglot_keys(), [without.polyglot_key(), after.polyglot_key()]);
    }

    #[test]
    fn a_pawn_that_can_be_captured_has_one_key() {
        let before: Position = "4k3/8/8/8/2p5/8/3P4/4K3 w - -".parse().expect("a position");
        let after = before.play_uci("d2d4").expect("legal");
        assert_eq!(after.polyglot_keys(), [after.polyglot_key()]);
        assert_eq!(Position::start().polyglot_keys(), [Position::start().polyglot_key()]);
    }
}
