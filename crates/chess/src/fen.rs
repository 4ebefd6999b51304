//! Forsyth-Edwards Notation: a strict parser whose errors name the field and the reason, and the writer.
//!
//! Four fields are enough; the two move counters may be left out. Castling rights are read as in standard chess
//! (`KQkq`), in X-FEN (the same letters for the outermost rook) and in Shredder-FEN (the rook's file, `HAha`). An en
//! passant square must be one that a pawn can have passed; it is dropped if no legal move captures there.

use std::fmt::{self, Write};
use std::str::FromStr;

use cozy_chess::{BoardBuilder, Color, File, Piece, Rank, Square};

use crate::error::clipped;
use crate::{ChessError, Field, Position, validate};

impl FromStr for Position {
    type Err = ChessError;

    /// Reads a FEN.
    ///
    /// ```
    /// use mnemon_chess::Position;
    ///
    /// let position: Position = "8/8/4k3/8/8/4K3/4P3/8 w - -".parse()?;
    /// assert_eq!(position.to_string(), "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1");
    ///
    /// let error = "8/8/4k3/8/8/8/4P3/8 w - -".parse::<Position>().unwrap_err();
    /// assert_eq!(error.to_string(), "the FEN's board is wrong: the board has no white king");
    /// # Ok::<(), mnemon_chess::ChessError>(())
    /// ```
    fn from_str(fen: &str) -> Result<Self, ChessError> {
        let mut fields = fen.split_ascii_whitespace();
        let found = fields.clone().count();
        if found != 4 && found != 6 {
            return Err(ChessError::FieldCount { found });
        }
        let mut next = |default| fields.next().unwrap_or(default);
        let mut builder = BoardBuilder::empty();
        read_board(next(""), &mut builder)?;
        builder.side_to_move = side_to_move(next(""))?;
        // The pieces are checked first: errors about castling rights refer to them.
        Position::build(&builder)?;
        let by_file = read_castling(next(""), &mut builder)?;
        builder.en_passant = read_en_passant(next(""), builder.side_to_move)?;
        builder.halfmove_clock = halfmove_clock(next("0"))?;
        builder.fullmove_number = fullmove_number(next("1"))?;
        Ok(Position::build(&builder)?.with_chess960(by_file))
    }
}

fn read_board(text: &str, builder: &mut BoardBuilder) -> Result<(), ChessError> {
    let ranks = text.split('/').count();
    if ranks != Rank::NUM {
        return Err(Field::Board.error(format!("it has {ranks} ranks, not 8")));
    }
    for (row, &rank) in text.split('/').zip(Rank::ALL.iter().rev()) {
        read_rank(row, rank, builder)?;
    }
    Ok(())
}

fn read_rank(row: &str, rank: Rank, builder: &mut BoardBuilder) -> Result<(), ChessError> {
    let mut squares = 0;
    for letter in row.chars() {
        if let Some(empty @ 1..=8) = letter.to_digit(10) {
            squares += empty as usize;
            continue;
        }
        let Some(piece) = piece(letter) else {
            let reason =
                format!("{letter:?} on rank {rank} is no piece (PNBRQK, pnbrqk) and no number of empty squares");
            return Err(Field::Board.error(reason));
        };
        if let Some(file) = File::try_index(squares) {
            *builder.square_mut(Square::new(file, rank)) = Some(piece);
        }
        squares += 1;
    }
    match squares {
        File::NUM => Ok(()),
        _ => Err(Field::Board.error(format!("rank {rank} has {squares} squares, not 8"))),
    }
}

fn piece(letter: char) -> Option<(Piece, Color)> {
    let piece = Piece::try_from(letter.to_ascii_lowercase()).ok()?;
    Some((piece, color_of(letter)))
}

fn color_of(letter: char) -> Color {
    if letter.is_ascii_uppercase() { Color::White } else { Color::Black }
}

fn side_to_move(text: &str) -> Result<Color, ChessError> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(Field::SideToMove.error(format!("\"{}\" is neither w nor b", clipped(text)))),
    }
}

/// Sets the rights that the field names. Returns whether it names a rook by its file.
fn read_castling(text: &str, builder: &mut BoardBuilder) -> Result<bool, ChessError> {
    let mut by_file = false;
    for letter in if text == "-" { "" } else { text }.chars() {
        let color = color_of(letter);
        let (king, rook) = castling_pair(letter, color, builder)?;
        let rights = builder.castle_rights_mut(color);
        let right = if king < rook { &mut rights.short } else { &mut rights.long };
        if right.replace(rook).is_some() {
            return Err(castling_error(letter, "a second right to castle on that side"));
        }
        by_file |= !"KQkq".contains(letter);
    }
    Ok(by_file)
}

/// The files of the king and the rook that a letter of the castling field means.
fn castling_pair(letter: char, color: Color, builder: &BoardBuilder) -> Result<(File, File), ChessError> {
    let named = File::try_from(letter.to_ascii_lowercase()).ok();
    if named.is_none() && !"KQkq".contains(letter) {
        return Err(castling_error(letter, "the letters are KQkq, or the files of the rooks"));
    }
    let side = validate::name(color);
    let king = File::ALL
        .into_iter()
        .find(|&file| stands_on_first_rank(builder, Piece::King, color, file))
        .ok_or_else(|| castling_error(letter, format!("the {side} king is not on its first rank")))?;
    let is_meant = |file: &File| match named {
        Some(named) => *file == named,
        None => (*file > king) == letter.eq_ignore_ascii_case(&'k'),
    };
    let mut rooks = File::ALL.into_iter().filter(is_meant);
    let has_rook = |file: &File| stands_on_first_rank(builder, Piece::Rook, color, *file);
    // In X-FEN, K and Q mean the outermost rook.
    let rook = if letter.eq_ignore_ascii_case(&'k') { rooks.rfind(has_rook) } else { rooks.find(has_rook) };
    let rook = rook.ok_or_else(|| castling_error(letter, format!("there is no {side} rook to castle with")))?;
    Ok((king, rook))
}

fn castling_error(letter: char, reason: impl fmt::Display) -> ChessError {
    Field::Castling.error(format!("{letter:?}: {reason}"))
}

fn stands_on_first_rank(builder: &BoardBuilder, piece: Piece, color: Color, file: File) -> bool {
    builder.square(Square::new(file, Rank::First.relative_to(color))) == Some((piece, color))
}

fn read_en_passant(text: &str, side: Color) -> Result<Option<Square>, ChessError> {
    if text == "-" {
        return Ok(None);
    }
    let square: Square =
        text.parse().map_err(|_| Field::EnPassant.error(format!("\"{}\" is neither a square nor -", clipped(text))))?;
    let rank = Rank::Sixth.relative_to(side);
    if square.rank() != rank {
        let reason = format!("with {} to move, the square is on rank {rank}, not {square}", validate::name(side));
        return Err(Field::EnPassant.error(reason));
    }
    Ok(Some(square))
}

/// Numbers beyond 100 are read as 100: either way the game is drawn by the fifty-move rule.
fn halfmove_clock(text: &str) -> Result<u8, ChessError> {
    digits(text, Field::HalfmoveClock).map(|plies| plies.min(100) as u8)
}

/// Some programs count from 0, which is read as 1.
fn fullmove_number(text: &str) -> Result<u16, ChessError> {
    digits(text, Field::FullmoveNumber).map(|number| number.clamp(1, u16::MAX.into()) as u16)
}

fn digits(text: &str, field: Field) -> Result<u64, ChessError> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // A number too large for a `u64` is clamped by the callers anyway.
    is_number
        .then(|| text.parse().unwrap_or(u64::MAX))
        .ok_or_else(|| field.error(format!("\"{}\" is no number", clipped(text))))
}

impl fmt::Display for Position {
    /// Writes the FEN, with castling as [`is_chess960`](Position::is_chess960) says, and with an en passant square only
    /// where a legal move captures.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &rank in Rank::ALL.iter().rev() {
            self.write_rank(formatter, rank)?;
            formatter.write_str(if rank == Rank::First { " " } else { "/" })?;
        }
        write!(formatter, "{} ", self.side_to_move())?;
        self.write_castling(formatter)?;
        match self.en_passant() {
            Some(square) => write!(formatter, " {square}")?,
            None => formatter.write_str(" -")?,
        }
        write!(formatter, " {} {}", self.halfmove_clock(), self.fullmove_number())
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Position({self})")
    }
}

impl Position {
    fn write_rank(&self, formatter: &mut fmt::Formatter<'_>, rank: Rank) -> fmt::Result {
        let mut empty = 0;
        for file in File::ALL {
            let square = Square::new(file, rank);
            let Some(piece) = self.piece_on(square) else {
                empty += 1;
                continue;
            };
            write_empty(formatter, std::mem::take(&mut empty))?;
            formatter.write_char(cased(piece.into(), self.board().colors(Color::White).has(square)))?;
        }
        write_empty(formatter, empty)
    }

    fn write_castling(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut none = true;
        for color in Color::ALL {
            let rights = self.board().castle_rights(color);
            for (right, letter) in [(rights.short, 'k'), (rights.long, 'q')] {
                if let Some(file) = right {
                    none = false;
                    let letter = if self.is_chess960() { file.into() } else { letter };
                    formatter.write_char(cased(letter, color == Color::White))?;
                }
            }
        }
        if none { formatter.write_char('-') } else { Ok(()) }
    }
}

fn write_empty(formatter: &mut fmt::Formatter<'_>, squares: u8) -> fmt::Result {
    if squares == 0 { Ok(()) } else { write!(formatter, "{squares}") }
}

fn cased(letter: char, upper: bool) -> char {
    if upper { letter.to_ascii_uppercase() } else { letter }
}
