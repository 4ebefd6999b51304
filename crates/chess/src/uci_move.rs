//! Moves as UCI text (`e2e4`, `e7e8q`), and why a move cannot be played.

use cozy_chess::{
    File, Move, Piece, Rank, Square, get_between_rays, get_bishop_rays, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_pawn_quiets, get_rook_rays,
};

use crate::error::clipped;
use crate::{ChessError, Position, validate};

impl Position {
    /// The move in UCI notation: `e1g1` for castling in standard chess, the king's move onto its own rook (`e1h1`) in
    /// [Chess960](Self::is_chess960).
    ///
    /// ```
    /// use mnemon_chess::{Position, Square};
    ///
    /// let position: Position = "4k3/8/8/8/8/8/8/4K2R w K -".parse()?;
    /// let castling = position.parse_uci("e1g1")?;
    /// assert_eq!((castling.from, castling.to), (Square::E1, Square::H1));
    /// assert_eq!(position.uci(castling), "e1g1");
    /// assert_eq!(position.with_chess960(true).uci(castling), "e1h1");
    /// # Ok::<(), mnemon_chess::ChessError>(())
    /// ```
    #[must_use]
    pub fn uci(&self, mv: Move) -> String {
        match self.castling_wing(mv) {
            Some(wing) if !self.is_chess960() => Move { to: Square::new(wing, mv.from.rank()), ..mv }.to_string(),
            _ => mv.to_string(),
        }
    }

    /// Parses a legal move in UCI notation. Castling from the standard squares is understood in both notations, whichever
    /// [`uci`](Self::uci) would write.
    ///
    /// # Errors
    /// [`ChessError::NotAMove`] if the text is no move, [`ChessError::IllegalMove`] with the reason if it cannot be played.
    pub fn parse_uci(&self, text: &str) -> Result<Move, ChessError> {
        let mv = read_uci(text).ok_or_else(|| ChessError::NotAMove {
            text: clipped(text),
            expected: "expected two squares, and a piece's letter to promote to, as in e2e4 or e7e8q",
        })?;
        match Some(mv).filter(|&mv| self.is_legal(mv)).or_else(|| self.castling_by_king_step(mv)) {
            Some(mv) => Ok(mv),
            None => Err(ChessError::IllegalMove { text: clipped(text), reason: self.why_illegal(mv) }),
        }
    }

    /// The position after a legal move in UCI notation.
    ///
    /// # Errors
    /// As [`parse_uci`](Self::parse_uci).
    pub fn play_uci(&self, text: &str) -> Result<Self, ChessError> {
        self.parse_uci(text).map(|mv| self.after(mv))
    }

    /// The file on which the king ends if the move is castling: G or C.
    pub(crate) fn castling_wing(&self, mv: Move) -> Option<File> {
        let onto_own_piece = self.board().colors(self.side_to_move()).has(mv.to);
        onto_own_piece.then_some(if mv.from.file() < mv.to.file() { File::G } else { File::C })
    }

    /// The castling move that is written as the king's two steps from the e-file, if it is legal.
    pub(crate) fn castling_by_king_step(&self, mv: Move) -> Option<Move> {
        let home = Square::new(File::E, Rank::First.relative_to(self.side_to_move()));
        let corner = match mv.to.file() {
            File::G => File::H,
            File::C => File::A,
            _ => return None,
        };
        let castling = Move { to: Square::new(corner, home.rank()), ..mv };
        let is_king_step =
            mv.from == home && mv.to.rank() == home.rank() && self.board().king(self.side_to_move()) == home;
        (is_king_step && self.is_legal(castling)).then_some(castling)
    }

    /// What is wrong with a move that is not legal.
    pub(crate) fn why_illegal(&self, mv: Move) -> String {
        let (board, side) = (self.board(), self.side_to_move());
        let Some(piece) = board.piece_on(mv.from) else { return format!("{} is empty", mv.from) };
        if !board.colors(side).has(mv.from) {
            return format!("it is {}'s move, and the piece on {} is not", validate::name(side), mv.from);
        }
        let promotes = piece == Piece::Pawn && mv.to.rank() == Rank::Eighth.relative_to(side);
        match mv.promotion {
            None if promotes && self.reaches(piece, mv) => "the pawn must promote: add q, r, b or n".into(),
            Some(_) if !promotes => "nothing promotes there".into(),
            Some(Piece::Pawn | Piece::King) => "a pawn promotes to a queen, rook, bishop or knight".into(),
            _ if self.reaches(piece, mv) && self.is_check() => "it leaves the king in check".into(),
            _ if self.reaches(piece, mv) => "it puts the king in check".into(),
            _ if piece == Piece::King && self.looks_like_castling(mv) => "that is no legal castling".into(),
            _ => format!("the {} cannot go from {} to {}", name(piece), mv.from, mv.to),
        }
    }

    /// Whether the move is pseudo-legal: the piece could go there if it did not matter whether its king is attacked.
    fn reaches(&self, piece: Piece, mv: Move) -> bool {
        let (board, side) = (self.board(), self.side_to_move());
        let slides = || (get_between_rays(mv.from, mv.to) & board.occupied()).is_empty();
        let goes = match piece {
            Piece::Pawn if get_pawn_attacks(mv.from, side).has(mv.to) => board.colors(!side).has(mv.to),
            Piece::Pawn => get_pawn_quiets(mv.from, side, board.occupied()).has(mv.to),
            Piece::Knight => get_knight_moves(mv.from).has(mv.to),
            Piece::Bishop => get_bishop_rays(mv.from).has(mv.to) && slides(),
            Piece::Rook => get_rook_rays(mv.from).has(mv.to) && slides(),
            Piece::Queen => (get_bishop_rays(mv.from) | get_rook_rays(mv.from)).has(mv.to) && slides(),
            Piece::King => get_king_moves(mv.from).has(mv.to),
        };
        goes && !board.colors(side).has(mv.to)
    }

    fn looks_like_castling(&self, mv: Move) -> bool {
        let own_rook = self.board().colored_pieces(self.side_to_move(), Piece::Rook).has(mv.to);
        let two_steps = mv.from.file() == File::E && [File::C, File::G].contains(&mv.to.file());
        mv.from.rank() == mv.to.rank() && (own_rook || two_steps)
    }
}

fn read_uci(text: &str) -> Option<Move> {
    let (from, to) = (text.get(0..2)?.parse().ok()?, text.get(2..4)?.parse().ok()?);
    let promotion = match text.get(4..)? {
        "" => None,
        letter => Some(letter.parse().ok()?),
    };
    Some(Move { from, to, promotion })
}

/// The piece's name.
pub(crate) fn name(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "pawn",
        Piece::Knight => "knight",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Queen => "queen",
        Piece::King => "king",
    }
}
