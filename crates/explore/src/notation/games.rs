//! The games whose rules are known here, and which of them a text is a position of.

use std::collections::HashMap;
use std::sync::Arc;

use mnemon_connect4::Board;

use super::hidden::{Of, Unknown};
use mnemon_memory::Store;
use mnemon_search::{Notation, NotationError};

use super::{HEX, Position, from_hex};
use crate::tree::recent::{KnownLine, lines_from_start};

/// How positions of a known game are read.
#[derive(Clone, Copy)]
struct Rules {
    read: fn(&str) -> Result<Box<dyn Position>, NotationError>,
    unpack: fn(&[u8]) -> Option<Box<dyn Position>>,
    lines_from_start: LinesFromStart,
}

/// Finds known lines from the start of the game to packed positions.
type LinesFromStart = fn(&dyn Store, &[&[u8]]) -> mnemon_memory::Result<Vec<KnownLine>>;

/// The games by their names.
pub struct Games(HashMap<Arc<str>, Rules>);

impl Default for Games {
    fn default() -> Self {
        Games::new()
    }
}

impl Games {
    /// The games that are known here: chess, and Connect Four on the usual board and some smaller and larger ones.
    pub fn new() -> Self {
        let mut games = Games(HashMap::new());
        games.add::<mnemon_chess::Position>();
        games.add::<Board<7, 6>>();
        games.add::<Board<4, 4>>();
        games.add::<Board<5, 4>>();
        games.add::<Board<5, 5>>();
        games.add::<Board<6, 5>>();
        games.add::<Board<6, 6>>();
        games.add::<Board<7, 5>>();
        games.add::<Board<7, 7>>();
        games.add::<Board<8, 6>>();
        games.add::<Board<8, 7>>();
        games.add::<Board<9, 6>>();
        games
    }

    fn add<G: Notation>(&mut self) {
        fn hidden<G: Notation>(position: Of<G>) -> Box<dyn Position> {
            Box::new(position)
        }
        let rules = Rules {
            read: |text| Of::<G>::read(text).map(hidden),
            unpack: |bytes| G::unpack(bytes).map(Of::new).map(hidden),
            lines_from_start: lines_from_start::<G>,
        };
        self.0.insert(G::name().into(), rules);
    }

    /// The position that a memory keeps in this form; `None` if the game is known and the bytes are no position of it.
    pub fn unpack(&self, game: &Arc<str>, packed: &[u8]) -> Option<Box<dyn Position>> {
        match self.0.get(game) {
            Some(rules) => (rules.unpack)(packed),
            None => Some(Box::new(Unknown { game: Arc::clone(game), packed: packed.to_vec() })),
        }
    }

    /// Known lines from the start of the game to these positions; none where the rules are not known.
    pub(crate) fn lines_from_start(
        &self,
        game: &Arc<str>,
        store: &dyn Store,
        positions: &[&[u8]],
    ) -> mnemon_memory::Result<Vec<KnownLine>> {
        self.0.get(game).map_or_else(|| Ok(Vec::new()), |rules| (rules.lines_from_start)(store, positions))
    }

    /// The position of this game that a text describes, in its notation or as `hex:` and its packed form.
    pub fn read(&self, game: &Arc<str>, text: &str) -> Result<Box<dyn Position>, NotationError> {
        if let Some(digits) = text.strip_prefix(HEX) {
            let packed = from_hex(digits).filter(|packed| !packed.is_empty());
            let packed = packed.ok_or_else(|| no_position("these are no pairs of hexadecimal digits"))?;
            return self
                .unpack(game, &packed)
                .ok_or_else(|| no_position(format!("these bytes are no position of {game}")));
        }
        match self.0.get(game) {
            Some(rules) => (rules.read)(text),
            None => Err(no_position(format!(
                "the rules of {game} are not known here: write 'hex:' and the packed position"
            ))),
        }
    }
}

fn no_position(reason: impl Into<String>) -> NotationError {
    NotationError::Position(reason.into())
}

/// The position that the words on the command line describe, of the game that was named or else of the game that their
/// form tells.
pub fn read(words: &[String], game: Option<&str>) -> Result<Box<dyn Position>, NotationError> {
    let text = words.join(" ");
    let text = text.trim().trim_matches(['"', '\'']).trim();
    let game = match game {
        Some(game) => game,
        None => game_by_form(text)?,
    };
    Games::new().read(&game.into(), text).map_err(|error| no_position(explained(text, game, &error)))
}

/// What is wrong with a text that was to be a position of the game: of a line, the move that cannot be played; otherwise
/// that it is no position, and why.
pub fn explained(text: &str, game: &str, error: &NotationError) -> String {
    const LONGEST: usize = 60;
    let text = text.trim();
    let shown: String = text.chars().take(LONGEST).collect();
    let shown = if shown.len() < text.len() { format!("{shown}…") } else { shown };
    match error {
        NotationError::Move(reason) => format!("{shown}: {reason}"),
        error => format!("{shown:?} is no position of {game}: {error}"),
    }
}

/// The game whose positions have this form.
fn game_by_form(text: &str) -> Result<&'static str, NotationError> {
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    if first.starts_with(HEX) {
        return Err(no_position("a packed position needs the name of its game: add --game"));
    }
    let has_letters = |word: &str| word.contains(|letter: char| letter.is_alphabetic());
    let is_number = first.bytes().all(|byte| byte.is_ascii_digit());
    let is_move_number = first.starts_with(|start: char| start.is_ascii_digit())
        && (first.contains('.') || is_number && words.any(has_letters));
    if ["startpos", "start", "position", "fen"].contains(&first)
        || first.contains('/')
        || is_move_number
        || is_like_a_move(first)
    {
        Ok("chess")
    } else if first.starts_with(|start: char| start.is_ascii_digit() || start == '-') {
        Ok("connect4-7x6")
    } else {
        Err(no_position(format!(
            "{text:?} is no position: expected a FEN, 'startpos' or moves such as '1.e4 c5' for chess, columns such as 4455 \
             or '-' for Connect Four, or another game's with --game"
        )))
    }
}

/// Whether a word is spelt like a move of chess, right or wrong: a few letters, then a number; or castling.
fn is_like_a_move(word: &str) -> bool {
    let word = word.split(',').next().unwrap_or_default().trim_end_matches(['!', '?', '+', '#']);
    let is_piece = |letter: char| "abcdefghxKQRBNkqrn♔♕♖♗♘♙♚♛♜♝♞♟".contains(letter);
    let begins = word.starts_with(is_piece) && word.chars().count() <= 8;
    let is_castling = ["O-O", "O-O-O", "0-0", "0-0-0", "o-o", "o-o-o"].contains(&word);
    is_castling || begins && word.contains(|letter: char| letter.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game_of(text: &str) -> String {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        match read(&words, None) {
            Ok(position) => position.game().to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_position_looks_like_its_game() {
        assert_eq!(game_of("4455"), "connect4-7x6");
        assert_eq!(game_of("-"), "connect4-7x6");
        assert_eq!(game_of("startpos"), "chess");
        assert_eq!(game_of("startpos moves e2e4"), "chess");
        for typed in
            ["1.e4 c5 2.Nf3", "1. e4", "1 e4 c5", "e4 c5", "e2e4", "Nf3", "♘f3", "e4,c5", "startpos e4", "nf3 d5"]
        {
            assert_eq!(game_of(typed), "chess", "{typed}");
        }
        assert_eq!(game_of("8/8/4k3/8/8/4K3/4P3/8 w - -"), "chess");
        assert!(game_of("hex:00").contains("--game"));
        assert!(game_of("hello").contains("is no position"));
        assert!(game_of("448").contains("columns are 1 to 7"));
        assert!(game_of("44x").contains("no column"), "{}", game_of("44x"));
        assert_eq!(game_of("e4 c5 Nf9"), "e4 c5 Nf9: 'Nf9' is no move after 1.e4 c5; did you mean Nf3?");
        assert!(
            game_of("8/8 w").starts_with("\"8/8 w\" is no position of chess: after the side to move"),
            "{}",
            game_of("8/8 w")
        );
        assert!(game_of(&"e4 ".repeat(100)).len() < 250);
    }

    #[test]
    fn a_game_that_is_not_known_has_packed_positions() {
        let words = ["hex:0aff".to_owned()];
        let position = read(&words, Some("go")).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((position.packed(), position.text()), (vec![10, 255], "hex:0aff".to_owned()));
        assert!(position.children().is_empty() && !position.is_known());
        for bad in ["hex:", "hex:0", "hex:xy", "4455"] {
            assert!(read(&[bad.to_owned()], Some("go")).is_err(), "{bad}");
        }
        assert!(read(&["hex:00".to_owned()], Some("chess")).is_err());
    }

    #[test]
    fn every_game_reads_what_it_writes() {
        for text in ["-", "4", "445566", "startpos", "startpos moves e2e4", "startpos moves e4 e5 Nf3"] {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            let position = read(&words, None).unwrap_or_else(|error| panic!("{error}"));
            let again = read(&[position.text()], Some(&position.game())).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(again.packed(), position.packed(), "{text}");
            let hex = format!("{HEX}{}", super::super::to_hex(&position.packed()));
            let unpacked = read(&[hex], Some(&position.game())).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(unpacked.packed(), position.packed(), "{text}");
        }
    }
}
