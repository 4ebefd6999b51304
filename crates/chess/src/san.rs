//! Standard Algebraic Notation: `Nf3`, `exd5`, `O-O`, `e8=Q+`.

use cozy_chess::{BitBoard, File, Move, Piece, Rank, Square};

use crate::error::clipped;
use crate::uci_move::name;
use crate::{ChessError, Position};

impl Position {
    /// A legal move in SAN, with the shortest origin that makes it unambiguous.
    ///
    /// ```
    /// use mnemon_chess::Position;
    ///
    /// let position: Position = "3k4/8/8/8/8/8/8/R3K2R w KQ -".parse()?;
    /// let castling = position.parse_san("0-0-0")?;
    /// assert_eq!(position.san(castling), "O-O-O+");
    /// assert_eq!(position.san(position.parse_uci("a1a8")?), "Ra8+");
    /// # Ok::<(), mnemon_chess::ChessError>(())
    /// ```
    #[must_use]
    pub fn san(&self, mv: Move) -> String {
        let mut text = match self.castling_wing(mv) {
            Some(File::G) => "O-O".to_owned(),
            Some(_) => "O-O-O".to_owned(),
            None => self.plain_san(mv),
        };
        let after = self.after(mv);
        if after.is_check() {
            text.push(if after.has_moves() { '+' } else { '#' });
        }
        text
    }

    /// Parses a legal move in SAN. Check marks, annotations (`!?`) and captures' `x` may be missing or wrong,
    /// castling may be written with zeros, and promotions without `=`; a longer origin than needed (`Ng1f3`, `e2-e4`) is
    /// understood.
    ///
    /// # Errors
    /// [`ChessError::NotAMove`] if the text is no SAN, [`ChessError::IllegalMove`] with the reason if it cannot be played,
    /// [`ChessError::AmbiguousMove`] if several legal moves fit.
    pub fn parse_san(&self, text: &str) -> Result<Move, ChessError> {
        let pattern = Pattern::read(text).ok_or_else(|| ChessError::NotAMove {
            text: clipped(text),
            expected: "expected algebraic notation, as in Nf3, exd5, O-O or e8=Q",
        })?;
        let mut fits = self.moves_of(pattern.piece());
        fits.retain(|&mv| pattern.fits(self, mv));
        match fits[..] {
            [mv] => Ok(mv),
            [] => Err(ChessError::IllegalMove { text: clipped(text), reason: self.why_nothing_fits(&pattern) }),
            _ => {
                let candidates: Vec<_> = fits.iter().map(|&mv| self.san(mv)).collect();
                Err(ChessError::AmbiguousMove { text: clipped(text), candidates: candidates.join(" or ") })
            }
        }
    }

    fn plain_san(&self, mv: Move) -> String {
        let board = self.board();
        let piece = board.piece_on(mv.from).unwrap_or(Piece::Pawn);
        let is_capture = board.occupied().has(mv.to) || piece == Piece::Pawn && mv.from.file() != mv.to.file();
        let mut text = String::new();
        if piece == Piece::Pawn {
            if is_capture {
                text.push(mv.from.file().into());
            }
        } else {
            text.push(letter(piece));
            text += &self.origin(piece, mv);
        }
        if is_capture {
            text.push('x');
        }
        text += &mv.to.to_string();
        if let Some(piece) = mv.promotion {
            text.push('=');
            text.push(letter(piece));
        }
        text
    }

    /// The origin that tells the piece from others of its type that can move to the same square: file, else rank, else both.
    fn origin(&self, piece: Piece, mv: Move) -> String {
        let others = self.moves_of(piece).into_iter().filter(|other| other.to == mv.to && other.from != mv.from);
        let rivals = others.fold(BitBoard::EMPTY, |rivals, other| rivals | other.from.bitboard());
        if rivals.is_empty() {
            String::new()
        } else if rivals.is_disjoint(mv.from.file().bitboard()) {
            mv.from.file().to_string()
        } else if rivals.is_disjoint(mv.from.rank().bitboard()) {
            mv.from.rank().to_string()
        } else {
            mv.from.to_string()
        }
    }

    /// The legal moves of all pieces of a type.
    fn moves_of(&self, piece: Piece) -> Vec<Move> {
        let mut moves = Vec::new();
        self.board().generate_moves_for(self.board().pieces(piece), |some| {
            moves.extend(some);
            false
        });
        moves
    }

    fn why_nothing_fits(&self, pattern: &Pattern) -> String {
        let Pattern::Plain { piece, file, rank, to, promotion } = *pattern else {
            return "castling is not possible now".into();
        };
        let pieces = self.board().colored_pieces(self.side_to_move(), piece);
        let here =
            |from: &Square| file.is_none_or(|file| file == from.file()) && rank.is_none_or(|rank| rank == from.rank());
        let mut meant = pieces.into_iter().filter(here);
        match (meant.next(), meant.next()) {
            (Some(from), None) => self.why_illegal(Move { from, to, promotion }),
            (None, _) => format!("there is no such {}", name(piece)),
            _ => format!("no such {} can go to {to}", name(piece)),
        }
    }
}

/// The parts of a move that a SAN text gives.
enum Pattern {
    /// Castling, by the file on which the king ends.
    Castling(File),
    Plain {
        piece: Piece,
        file: Option<File>,
        rank: Option<Rank>,
        to: Square,
        promotion: Option<Piece>,
    },
}

impl Pattern {
    /// Parses a text from both ends: the piece, then back from the promotion and the destination to the origin.
    fn read(text: &str) -> Option<Self> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        match text {
            "O-O" | "0-0" => return Some(Pattern::Castling(File::G)),
            "O-O-O" | "0-0-0" => return Some(Pattern::Castling(File::C)),
            _ => {}
        }
        let (piece, text) = match text.chars().next().and_then(piece) {
            Some(piece) => (piece, &text[1..]),
            None => (Piece::Pawn, text),
        };
        let (promotion, text) = match text.chars().last().and_then(self::piece) {
            Some(piece) => (Some(piece), without_last(&text[..text.len() - 1], &['='])),
            None => (None, text),
        };
        let (origin, to) = text.split_at_checked(text.len().checked_sub(2)?)?;
        let mut origin = without_last(origin, &['x', '-']).chars().peekable();
        let file = origin.next_if(|&letter| File::try_from(letter).is_ok()).and_then(|letter| letter.try_into().ok());
        let rank = origin.next_if(|&letter| Rank::try_from(letter).is_ok()).and_then(|letter| letter.try_into().ok());
        let plain = Pattern::Plain { piece, file, rank, to: to.parse().ok()?, promotion };
        origin.next().is_none().then_some(plain)
    }

    fn piece(&self) -> Piece {
        match self {
            Pattern::Castling(_) => Piece::King,
            Pattern::Plain { piece, .. } => *piece,
        }
    }

    fn fits(&self, position: &Position, mv: Move) -> bool {
        let wing = position.castling_wing(mv);
        match *self {
            Pattern::Castling(side) => wing == Some(side),
            Pattern::Plain { file, rank, to, promotion, .. } => {
                wing.is_none()
                    && mv.to == to
                    && mv.promotion == promotion
                    && file.is_none_or(|file| file == mv.from.file())
                    && rank.is_none_or(|rank| rank == mv.from.rank())
            }
        }
    }
}

/// The text without its last letter, if that is one of these.
fn without_last<'a>(text: &'a str, letters: &[char]) -> &'a str {
    text.strip_suffix(letters).unwrap_or(text)
}

/// The piece that a capital letter names.
fn piece(letter: char) -> Option<Piece> {
    let piece = letter.is_ascii_uppercase().then(|| Piece::try_from(letter.to_ascii_lowercase()).ok())?;
    piece.filter(|&piece| piece != Piece::Pawn)
}

fn letter(piece: Piece) -> char {
    char::from(piece).to_ascii_uppercase()
}
