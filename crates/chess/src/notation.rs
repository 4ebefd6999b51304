//! Chess for command lines and files: a FEN or `startpos`, optionally followed by moves in SAN or UCI notation.

use cozy_chess::{Board, Color, File, Move, Rank, Square};
use mnemon_search::{HIGHEST_POINTS, Notation, NotationError, WINS};
use mnemon_table::Score;

use crate::{ChessError, Position};

impl Notation for Position {
    /// A quarter of a pawn.
    const NEAR: Score = 25;

    fn read(text: &str) -> Result<Self, NotationError> {
        let (start, moves) = read_line_of_play(text)?;
        Ok(moves.into_iter().fold(start, |position, mv| Position::after(&position, mv)))
    }

    fn read_line(text: &str) -> Result<Vec<Self>, NotationError> {
        let (start, moves) = read_line_of_play(text)?;
        let mut line = vec![start];
        for mv in moves {
            line.extend(line.last().map(|position| Position::after(position, mv)));
        }
        Ok(line)
    }

    /// The start of standard chess, which nearly all games begin with.
    fn initial() -> Option<Self> {
        Some(Position::start())
    }

    /// By the move number. Number 1 also stands for a number that is not known, so that only the start of the game has it.
    fn game_ply(&self) -> Option<u16> {
        let before_move = match self.fullmove_number() {
            0 | 1 => (*self == Position::start()).then_some(0)?,
            number => (number - 1).saturating_mul(2),
        };
        Some(before_move.saturating_add(u16::from(self.side_to_move() == Color::Black)))
    }

    fn write(&self) -> Option<String> {
        Some(self.to_string())
    }

    fn draw(&self) -> String {
        let mut text = String::new();
        for &rank in Rank::ALL.iter().rev() {
            text += &format!("  {rank}");
            for file in File::ALL {
                text.push(' ');
                text.push(piece_letter(self.board(), Square::new(file, rank)));
            }
            text.push('\n');
        }
        text + "    a b c d e f g h\n"
    }

    fn mover(&self) -> &'static str {
        match self.side_to_move() {
            Color::White => "White",
            Color::Black => "Black",
        }
    }

    fn ending(&self) -> Option<&'static str> {
        match (self.has_moves(), self.is_check()) {
            (false, true) => Some("checkmate"),
            (false, false) => Some("stalemate"),
            (true, _) => self.is_dead().then_some("neither side can mate: a draw"),
        }
    }

    fn legal(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves
    }

    fn after(&self, mv: Move) -> Option<Self> {
        Some(Position::after(self, mv))
    }

    /// SAN is tried first; a text that is valid in both notations means the same move in both.
    fn read_move(&self, text: &str) -> Result<Move, NotationError> {
        let looks_like_uci = text.len() >= 4 && text.is_char_boundary(2) && text[..2].parse::<Square>().is_ok();
        match self.parse_san(text) {
            Ok(mv) => Ok(mv),
            Err(_) if looks_like_uci => self.parse_uci(text).map_err(|error| NotationError::Move(error.to_string())),
            Err(error) => Err(NotationError::Move(error.to_string())),
        }
    }

    fn write_move(&self, mv: Move) -> String {
        self.san(mv)
    }

    fn write_in_line(&self, mv: Move, ply: Option<u16>, is_first: bool) -> String {
        let san = self.san(mv);
        match ply {
            Some(ply) if ply % 2 == 0 => format!("{}.{san}", ply / 2 + 1),
            Some(ply) if is_first => format!("{}...{san}", ply / 2 + 1),
            _ => san,
        }
    }

    /// Pawns, such as `-0.35`, or `#3` for a mate in three moves and `#-3` for being mated in three.
    fn read_score(text: &str) -> Result<Score, NotationError> {
        let score = match text.strip_prefix('#') {
            Some(moves) => mate(moves),
            None => pawns(text),
        };
        score.ok_or_else(|| {
            NotationError::Score(format!(
                "{text:?} is no score: expected pawns such as -0.35 (at most 149.99), or #3 or #-3 for a mate"
            ))
        })
    }

    fn write_score(score: Score) -> String {
        match WINS.plies(score) {
            None => format!("{:+.2}", f64::from(score) / 100.0),
            Some(plies @ 1..) => format!("mate in {}", (plies + 1) / 2),
            Some(0) => "mated".to_owned(),
            Some(plies) => format!("mated in {}", -plies / 2),
        }
    }

    /// Never needed: a mate score says how long it takes.
    fn verdict(&self, _score: Score) -> Option<String> {
        None
    }
}

/// Reads `startpos` or a FEN, with or without UCI's `position` and `fen` before it, and the moves after the word `moves`.
/// Returns the position and the moves from there.
///
/// ```
/// use mnemon_chess::read_line_of_play;
///
/// let (start, moves) = read_line_of_play("startpos moves 1. e4 e7e5 2. Nf3")?;
/// assert_eq!((start.san(moves[0]), moves.len()), ("e4".to_owned(), 3));
/// # Ok::<(), mnemon_search::NotationError>(())
/// ```
///
/// # Errors
/// A text that is no position, or the first move that is not legal.
pub fn read_line_of_play(text: &str) -> Result<(Position, Vec<Move>), NotationError> {
    let mut words = text.split_whitespace().peekable();
    words.next_if_eq(&"position");
    words.next_if_eq(&"fen");
    let setup: Vec<&str> = std::iter::from_fn(|| words.next_if(|&word| word != "moves")).collect();
    let start = match setup[..] {
        ["startpos"] => Position::start(),
        _ => setup.join(" ").parse().map_err(|error: ChessError| NotationError::Position(error.to_string()))?,
    };
    let (mut position, mut moves) = (start.clone(), Vec::new());
    for (number, word) in words.skip(1).filter_map(without_move_number).enumerate() {
        let mv =
            position.read_move(word).map_err(|error| NotationError::Move(format!("ply {}: {error}", number + 1)))?;
        position = Position::after(&position, mv);
        moves.push(mv);
    }
    Ok((start, moves))
}

/// A word of movetext without its move number (`12.Nf3` is `Nf3`); `None` if there is nothing but the number.
pub fn without_move_number(word: &str) -> Option<&str> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    // Castling may be written with zeros, so only digits with a dot after them are a number.
    let rest = if word[digits..].starts_with('.') { word[digits..].trim_start_matches('.') } else { word };
    (!rest.is_empty()).then_some(rest)
}

/// A number of pawns with at most two decimals, in hundredths.
fn pawns(text: &str) -> Option<Score> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(part) || part.len() > 2 || whole.len() + part.len() == 0 {
        return None;
    }
    let score: i32 = format!("0{whole}{part:0<2}").parse().ok()?;
    (score <= HIGHEST_POINTS.into()).then_some((sign * score) as Score)
}

/// The score of a mate in `moves` moves; negative for being mated.
fn mate(moves: &str) -> Option<Score> {
    let moves: i16 = moves.parse().ok()?;
    match moves {
        1..=500 => Some(-WINS.lost_at(2 * moves as u16 - 1)),
        -499..=0 => Some(WINS.lost_at(2 * moves.unsigned_abs())),
        _ => None,
    }
}

/// The piece on a square as a FEN writes it; a dot for none.
fn piece_letter(board: &Board, square: Square) -> char {
    let Some(piece) = board.piece_on(square) else { return '.' };
    let letter: char = piece.into();
    if board.colors(Color::White).has(square) { letter.to_ascii_uppercase() } else { letter }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Position {
        <Position as Notation>::read(text).unwrap_or_else(|fault| panic!("{text}: {fault}"))
    }

    #[test]
    fn a_position_may_be_written_in_many_ways() {
        let open = read("startpos moves e2e4 e7e5");
        for text in [
            "startpos moves e4 e5",
            "startpos moves 1. e4 e5",
            "position startpos moves 1.e4 1...e5",
            "fen rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - moves e5",
        ] {
            assert_eq!(read(text), open, "{text}");
        }
        let castled = read("startpos moves e4 e5 Nf3 Nc6 Bc4 Bc5 0-0");
        assert_eq!(castled, read("startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1"));
    }

    #[test]
    fn a_line_has_every_position_from_its_start_on() {
        let line = Position::read_line("startpos moves e4 c5").expect("legal moves");
        assert_eq!(line, ["startpos", "startpos moves e4", "startpos moves e4 c5"].map(read));
        assert_eq!(Position::read_line("startpos").expect("a position"), [Position::start()]);
        assert_eq!(Position::read_line("startpos moves e5").err(), Position::read("startpos moves e5").err());
    }

    #[test]
    fn move_number_1_tells_a_ply_only_of_the_start() {
        for (fen, ply) in [
            ("startpos", Some(0)),
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", None),
            ("rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6", Some(10)),
            ("rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N1B3/PPP2PPP/R2QKB1R b KQkq - 1 6", Some(11)),
            ("startpos moves e4 c5 Nf3", Some(3)),
        ] {
            assert_eq!(read(fen).game_ply(), ply, "{fen}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let fault = |text| <Position as Notation>::read(text).expect_err(text).to_string();
        assert!(fault("startpos moves e4 e4").starts_with("ply 2: "));
        assert!(fault("startpos moves e2e5").contains("e2e5 is not legal here"));
        assert!(fault("8/8/8 w - -").contains("ranks"));
        assert!(fault("").contains("FEN"));
    }

    #[test]
    fn scores_are_pawns_or_mates() {
        let round = |text| <Position as Notation>::read_score(text).map(<Position as Notation>::write_score);
        for (text, written) in [
            ("0.35", "+0.35"),
            ("-1.2", "-1.20"),
            ("+3", "+3.00"),
            ("0", "+0.00"),
            ("-.5", "-0.50"),
            ("1.", "+1.00"),
            ("149.99", "+149.99"),
            ("#5", "mate in 5"),
            ("#1", "mate in 1"),
            ("#-3", "mated in 3"),
            ("#0", "mated"),
        ] {
            assert_eq!(round(text).as_deref(), Ok(written), "{text}");
        }
        for bad in ["", "x", "1.234", "150", "1e3", "--1", "+-1", "#", "#501", "nan", ".", "99999999999"] {
            assert!(round(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_picture_stands_as_white_sees_it() {
        let picture = read("startpos moves e4").draw();
        assert!(picture.starts_with("  8 r n b q k b n r\n"), "{picture}");
        assert!(picture.contains("  4 . . . . P . . .\n") && picture.ends_with("    a b c d e f g h\n"), "{picture}");
    }
}
