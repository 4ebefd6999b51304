//! A chess position: all that decides which continuations are legal, and the move counters of a FEN.

use std::hash::{Hash, Hasher};

use cozy_chess::{BitBoard, Board, BoardBuilder, Color, File, Move, Piece, Rank, Square, get_pawn_attacks};

use crate::ChessError;
use crate::mailbox::Mailbox;
use crate::validate;

/// A position of standard chess or Chess960. It holds no history: repetitions are the game's, not the position's.
///
/// Two positions are equal when the same continuations are legal by the laws of chess: the same pieces on the same
/// squares, the same side to move, the same castling rights, and the same pawn that can be captured en passant. A pawn
/// that has just made a double step makes a difference only if a legal move captures it en passant. The
/// halfmove clock, the fullmove number and the way castling is written ([`is_chess960`](Self::is_chess960)) are carried
/// along, and are no part of equality, of the [key](mnemon_search::Game::key) or of the
/// [packed form](mnemon_search::Game::pack).
///
/// ```
/// use mnemon_chess::Position;
///
/// let after_e4 = Position::start().play_uci("e2e4")?;
/// let by_hand: Position = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1".parse()?;
/// assert_eq!(after_e4, by_hand);
/// assert_eq!(after_e4.en_passant(), None, "no black pawn can capture on e3");
/// # Ok::<(), mnemon_chess::ChessError>(())
/// ```
#[derive(Clone)]
pub struct Position {
    board: Board,
    mailbox: Mailbox,
    /// The file of the pawn that can be captured. The board names one after every double step.
    en_passant: Option<File>,
    chess960: bool,
}

impl Position {
    /// The starting position of standard chess.
    #[must_use]
    pub fn start() -> Self {
        Self::checked(Board::startpos(), false)
    }

    /// The Chess960 starting position with this Scharnagl number, 0 to 959; `None` beyond. 518 is the standard one.
    #[must_use]
    pub fn chess960_start(number: u32) -> Option<Self> {
        let board = (number < 960).then(|| Board::chess960_startpos(number))?;
        Some(Self::checked(board, true))
    }

    /// The position on a board of [`cozy_chess`].
    ///
    /// # Errors
    /// [`ChessError::Fen`] if it is a position that its move generator cannot handle: cozy-chess itself lets a king
    /// stand beside the other, and a builder lets three pieces give check.
    pub fn from_board(board: Board) -> Result<Self, ChessError> {
        validate::check(&board)?;
        let chess960 = !castles_from_standard_squares(&board);
        Ok(Self::checked(board, chess960))
    }

    /// The position on a board that is known to be valid.
    pub(crate) fn checked(board: Board, chess960: bool) -> Self {
        let (mailbox, en_passant) = (Mailbox::new(&board), capturable(&board));
        Position { board, mailbox, en_passant, chess960 }
    }

    /// The position that a builder describes, with standard castling notation if that can express it.
    pub(crate) fn build(builder: &BoardBuilder) -> Result<Self, ChessError> {
        validate::build(builder).and_then(Self::from_board)
    }

    /// The board, for move generation and bitboards. Its own `en_passant` and `hash` include every double step:
    /// use [`en_passant`](Self::en_passant) and [`hash_key`](Self::hash_key) of the position instead.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The piece type on a square, of either side.
    #[inline]
    #[must_use]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.mailbox.on(square)
    }

    /// The piece type on each square, and the Zobrist keys of parts of the position.
    pub fn mailbox(&self) -> &Mailbox {
        &self.mailbox
    }

    /// The side to move.
    #[must_use]
    pub fn side_to_move(&self) -> Color {
        self.board.side_to_move()
    }

    /// The square behind a pawn that can legally be captured en passant.
    #[must_use]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant.map(|file| Square::new(file, Rank::Sixth.relative_to(self.side_to_move())))
    }

    /// Plies since the last capture or pawn move, at most 100.
    #[must_use]
    pub fn halfmove_clock(&self) -> u8 {
        self.board.halfmove_clock()
    }

    /// The number of the move to be played, which counts from 1 and goes up after Black's.
    #[must_use]
    pub fn fullmove_number(&self) -> u16 {
        self.board.fullmove_number()
    }

    /// Whether castling is written as in Chess960: by the rook's file in a FEN (`HAha`), and as the king's move onto its
    /// own rook in UCI (`e1h1`). Otherwise it is `KQkq` and `e1g1`.
    #[must_use]
    pub fn is_chess960(&self) -> bool {
        self.chess960
    }

    /// The same position, with castling written as in Chess960 or not. Where a right to castle belongs to a king or rook
    /// that does not stand as in standard chess, it stays Chess960.
    #[must_use]
    pub fn with_chess960(self, chess960: bool) -> Self {
        let chess960 = chess960 || !castles_from_standard_squares(&self.board);
        Position { chess960, ..self }
    }

    /// Whether the side to move is in check.
    #[must_use]
    pub fn is_check(&self) -> bool {
        !self.board.checkers().is_empty()
    }

    /// Whether there is any legal move.
    #[must_use]
    pub fn has_moves(&self) -> bool {
        self.board.generate_moves(|_| true)
    }

    /// Whether neither side can mate by any sequence of moves, since the material is insufficient: bare kings, one knight,
    /// or only bishops that are all on squares of one colour.
    #[must_use]
    pub fn is_dead(&self) -> bool {
        let pieces = |piece| self.board.pieces(piece);
        let (knights, bishops) = (pieces(Piece::Knight), pieces(Piece::Bishop));
        let one_colour = bishops.is_subset(BitBoard::DARK_SQUARES) || bishops.is_disjoint(BitBoard::DARK_SQUARES);
        (pieces(Piece::Pawn) | pieces(Piece::Rook) | pieces(Piece::Queen)).is_empty()
            && (knights.is_empty() && one_colour || knights.len() == 1 && bishops.is_empty())
    }

    /// Whether the move is legal. Castling is the king's move onto its own rook.
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        self.board.is_legal(mv)
    }

    /// Appends the legal moves, also where the game is drawn by insufficient material or the fifty-move rule.
    pub fn legal_moves(&self, moves: &mut Vec<Move>) {
        self.board.generate_moves(|some| {
            moves.extend(some);
            false
        });
    }

    /// The position after a legal move (copy-make: this one stays as it is).
    ///
    /// The move must be legal, as [`is_legal`](Self::is_legal) tells: another one panics or gives an invalid position.
    ///
    /// ```
    /// use mnemon_chess::Position;
    ///
    /// let start = Position::start();
    /// let after = start.after(start.parse_san("Nf3")?);
    /// assert_eq!(after.to_string(), "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1");
    /// # Ok::<(), mnemon_chess::ChessError>(())
    /// ```
    #[must_use]
    pub fn after(&self, mv: Move) -> Self {
        self.play_with_prefetch(mv, |_| ())
    }

    /// The position after a legal move, as [`after`](Self::after). Before the move is made on the board, `prefetch` is called
    /// with the key that the new position will most likely have (see [`prefetch_key`](Self::prefetch_key)), so that a table
    /// lookup can start early.
    #[inline]
    pub fn play_with_prefetch(&self, mv: Move, prefetch: impl FnOnce(u64)) -> Self {
        let side = self.side_to_move();
        let castles = self.board.colors(side).has(mv.to);
        let mut after = self.clone();
        after.mailbox.play(side, mv, castles);
        prefetch(self.prefetch_key(&after.mailbox));
        after.board.play_unchecked(mv);
        after.en_passant = capturable(&after.board);
        after
    }

    /// The position after a null move: the side to move passes. `None` in check.
    pub fn after_null_move(&self) -> Option<Self> {
        let board = self.board.null_move()?;
        Some(Position { board, mailbox: self.mailbox, en_passant: None, chess960: self.chess960 })
    }

    /// The 64-bit Zobrist key: equal for equal positions, updated incrementally.
    pub fn hash_key(&self) -> u64 {
        // The board hashes the file of every double step.
        if self.en_passant.is_some() { self.board.hash() } else { self.board.hash_without_ep() }
    }
}

impl Default for Position {
    fn default() -> Self {
        Self::start()
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        let (ours, theirs) = (&self.board, &other.board);
        self.hash_key() == other.hash_key()
            && Color::ALL.iter().all(|&color| {
                ours.colors(color) == theirs.colors(color) && ours.castle_rights(color) == theirs.castle_rights(color)
            })
            && Piece::ALL.iter().all(|&piece| ours.pieces(piece) == theirs.pieces(piece))
            && ours.side_to_move() == theirs.side_to_move()
            && self.en_passant == other.en_passant
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash_key().hash(state);
    }
}

/// Whether every right to castle belongs to a king on the e-file and a rook in its corner.
pub(crate) fn castles_from_standard_squares(board: &Board) -> bool {
    Color::ALL.iter().all(|&color| {
        let rights = board.castle_rights(color);
        let home = board.king(color).file() == File::E
            && rights.short.is_none_or(|file| file == File::H)
            && rights.long.is_none_or(|file| file == File::A);
        home || rights.short.or(rights.long).is_none()
    })
}

/// The file of the last double step if a legal move captures the pawn en passant.
fn capturable(board: &Board) -> Option<File> {
    let file = board.en_passant()?;
    let color = board.side_to_move();
    let to = Square::new(file, Rank::Sixth.relative_to(color));
    let neighbours = get_pawn_attacks(to, !color) & board.colored_pieces(color, Piece::Pawn);
    neighbours.into_iter().any(|from| board.is_legal(Move { from, to, promotion: None })).then_some(file)
}
