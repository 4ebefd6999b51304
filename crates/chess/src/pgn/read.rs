//! Reading PGN: the tags and the main line of each game, or the whole game.
//!
//! Of the main line alone, variations and annotation glyphs are skipped, and of comments the scores of engines are read. A
//! game with a move that cannot be played is given up to that move, with the error. Only one game is in RAM at a time.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use cozy_chess::Move;
use mnemon_search::lines::read_line;
use mnemon_table::Score;

use super::draft::Draft;
use super::{GameError, GameResult, GameTree, PgnError};
use crate::Position;

/// The longest line that is read, in bytes. Some programs write a game in one line.
const MAX_LINE_BYTES: usize = 1 << 22;

/// A game of a file.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct PgnGame {
    /// The game's place in the file, counted from 1.
    pub number: u64,
    /// The line of the file on which it begins, counted from 1.
    pub line: u64,
    /// The position that the game starts from.
    pub start: Position,
    /// The moves of the main line; they end before the first one that cannot be played.
    pub moves: Vec<Move>,
    /// For each move, the score of an engine that the comment after it gives, for the side that made the move: of cutechess
    /// and fastchess (`{+0.25/12 0.5s}`), or of lichess (`{[%eval 0.25]}`).
    pub scores: Vec<Option<Score>>,
    /// The token that ends the movetext; [`GameResult::Unknown`] if there is none.
    pub result: GameResult,
    /// Why there are no more moves, if the game could not be read to its end.
    pub error: Option<GameError>,
    /// The moves with variations, glyphs and comments, if the reader [was asked](PgnReader::whole) for them.
    pub tree: Option<GameTree>,
    pub(super) tags: Vec<(String, String)>,
}

impl PgnGame {
    /// A tag's value; `None` if the tag is missing, blank, or says that the value is not known (`?`, `-`, `????.??.??`).
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        tag.map(|(_, value)| value.as_str()).filter(|value| !value.chars().all(says_nothing))
    }

    /// Every tag with its value, in the order of the text.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// The games of a file, as an iterator. After an error it ends.
pub struct PgnReader<R = BufReader<File>> {
    name: String,
    reader: R,
    /// The first game, which [`open`](Self::open) has read to know that there is one.
    first: Option<PgnGame>,
    /// A line, or the rest of a line, that belongs to the next game.
    held: Option<String>,
    /// The number of the last line that was read.
    line: u64,
    games: u64,
    has_failed: bool,
    is_whole: bool,
}

impl PgnReader {
    /// Opens a file.
    ///
    /// # Errors
    /// A file that cannot be read, or that has no game.
    pub fn open(path: &Path) -> Result<Self, PgnError> {
        Self::open_as(path, false)
    }

    /// Opens a file to read [whole](Self::whole) games.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_whole(path: &Path) -> Result<Self, PgnError> {
        Self::open_as(path, true)
    }

    fn open_as(path: &Path, is_whole: bool) -> Result<Self, PgnError> {
        let file = path.display().to_string();
        let opened = File::open(path).map_err(|error| PgnError::Read { file: file.clone(), error })?;
        let mut games = Self::new(file, BufReader::new(opened));
        games.is_whole = is_whole;
        games.first = games.read_game()?;
        match games.first {
            Some(_) => Ok(games),
            None => Err(PgnError::Empty { file: games.name }),
        }
    }
}

impl<R: BufRead> PgnReader<R> {
    /// The games of a text; `name` is how errors call it.
    pub fn new(name: impl Into<String>, reader: R) -> Self {
        let (first, held, line, games) = (None, None, 0, 0);
        PgnReader { name: name.into(), reader, first, held, line, games, has_failed: false, is_whole: false }
    }

    /// Reads variations, comments and annotation glyphs as well, from the next game on.
    #[must_use]
    pub fn whole(mut self) -> Self {
        self.is_whole = true;
        self
    }

    /// The number of the last line that was read, counted from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The path of the file as it was given, or the name of the text.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn read_game(&mut self) -> Result<Option<PgnGame>, PgnError> {
        let mut draft = Draft::new(self.is_whole);
        while let Some(line) = self.next_line()? {
            draft.begin_line(self.line, &line);
            if line.len() > MAX_LINE_BYTES {
                draft.fail(GameError::TooLarge { line: self.line });
            }
            let is_between = !draft.is_in_comment() && draft.variations == 0;
            if is_between && line.trim_start().starts_with('[') {
                if draft.has_movetext {
                    self.held = Some(line);
                    break;
                }
                draft.tag(&line);
            } else if let Some(rest) = draft.movetext(&line, self.line) {
                self.held = Some(rest.to_owned()).filter(|rest| !rest.trim().is_empty());
                break;
            }
        }
        if draft.is_empty() {
            return Ok(None);
        }
        self.games += 1;
        Ok(Some(draft.finish(self.games, self.line)))
    }

    fn next_line(&mut self) -> Result<Option<String>, PgnError> {
        if let Some(line) = self.held.take() {
            return Ok(Some(line));
        }
        loop {
            let line = read_line(&mut self.reader, MAX_LINE_BYTES);
            let line = line.map_err(|error| PgnError::Read { file: self.name.clone(), error })?;
            let Some(line) = line else { return Ok(None) };
            self.line += 1;
            // The standard reserves lines that begin with % for private data of programs.
            if !line.starts_with(b"%") {
                let line = decoded(line);
                // A byte order mark stands at the start of a file only.
                let start = if self.line == 1 { line.trim_start_matches('\u{feff}') } else { &line };
                return Ok(Some(if start.len() == line.len() { line } else { start.to_owned() }));
            }
        }
    }
}

impl<R: BufRead> Iterator for PgnReader<R> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(game) = self.first.take() {
            return Some(Ok(game));
        }
        if self.has_failed {
            return None;
        }
        let game = self.read_game();
        self.has_failed = game.is_err();
        game.transpose()
    }
}

/// Whether a tag's value of such letters alone is none.
fn says_nothing(letter: char) -> bool {
    letter.is_whitespace() || "?.-".contains(letter)
}

/// The line as UTF-8, or else as Latin-1, the encoding of the PGN standard.
fn decoded(line: Vec<u8>) -> String {
    let text = String::from_utf8(line);
    text.unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variation;

    fn games(text: &[u8]) -> Vec<PgnGame> {
        PgnReader::new("test", text).map(|game| game.expect("read")).collect()
    }

    fn error(game: &PgnGame) -> String {
        game.error.as_ref().map(ToString::to_string).unwrap_or_default()
    }

    fn line(game: &PgnGame) -> String {
        variation::text(&game.start, &game.moves, None)
    }

    #[test]
    fn the_main_line_is_what_is_left() {
        let text = b"%escaped\n[Event \"A \\\"b\\\"\"]\n[White \"M\xfcller\"]\n[Black \"?\"]\n\n1. e4 {a (comment\n [that] goes on} e5 \
            (1... c5 2. Nf3 (2. c3) d6) 2.Nf3 $1 Nc6 ; the rest 3. Bb5\n3.Bc4! 3... Bc5 4 O-O?! += Nf6 1-0\n";
        let games = games(text);
        assert_eq!(games.len(), 1);
        assert_eq!(line(&games[0]), "1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5 4.O-O Nf6");
        assert_eq!((games[0].tag("event"), games[0].tag("White")), (Some("A \"b\""), Some("Müller")));
        assert_eq!((games[0].tag("Black"), &games[0].error), (None, &None));
    }

    #[test]
    fn a_tag_without_a_value_is_none() {
        for value in ["", "?", "????.??.??", "-", "\r\r", "\u{a0}"] {
            let games = games(format!("[Event \"{value}\"]\n\n1. e4 *\n").as_bytes());
            assert_eq!(games[0].tag("Event"), None, "{value:?}");
        }
    }

    #[test]
    fn a_score_belongs_to_the_move_before_it() {
        let text = b"{+9.00/1} 1. e4 {+0.25/12\n0.5s} e5 (1... c5 {+8.00/9}) {[%eval 0.3]} {and a word} 2. Nf3 Nc6 {+0.10/8} 2. Ke3 {-1.00/9} *";
        let games = games(text);
        assert_eq!(games[0].scores, [Some(25), Some(-30), None, Some(10)]);
        let long = format!("1. e4 {{+0.25/12 {}\n{}}} e5 *", "x".repeat(5000), "y".repeat(5000));
        assert_eq!(self::games(long.as_bytes())[0].scores, [Some(25), None]);
    }

    #[test]
    fn games_follow_each_other() {
        let games = games(b"1.e4 e5 * 1.d4 1/2-1/2\n[White \"A\"]\n\n1. c4\n[White \"B\"]\n[Black \"C\"]\n\n\n*\n");
        let lines: Vec<String> = games.iter().map(line).collect();
        assert_eq!(lines, ["1.e4 e5", "1.d4", "1.c4", ""]);
        assert_eq!((games[1].result, games[2].result), (GameResult::Draw, GameResult::Unknown));
        assert_eq!((games[2].tag("White"), games[3].tag("White"), games[3].number), (Some("A"), Some("B"), 4));
        assert!(self::games(b"\n\n").is_empty());
    }

    #[test]
    fn a_game_may_begin_anywhere() {
        let games = games(b"[FEN \"8/8/4k3/8/8/4K3/4P3/8 b - - 0 40\"]\n\n40... Kd5 41. Kd3 *\n");
        assert_eq!(line(&games[0]), "40...Kd5 41.Kd3");
    }

    #[test]
    fn a_move_that_cannot_be_ends_the_game_there() {
        let games = games(b"1. e4 e5\n2. Ke3 Nc6 *\n1. d4 *");
        assert_eq!((line(&games[0]), line(&games[1])), ("1.e4 e5".to_owned(), "1.d4".to_owned()));
        assert!(error(&games[0]).starts_with("line 2, move 2.: "), "{games:?}");
        for (text, words) in [
            (&b"[FEN \"8/8\"]\n\n1. e4 *"[..], "its FEN tag"),
            (b"[Variant \"Atomic\"]\n\n1. e4 *", "rules of atomic"),
            (b"1. e4 -- 2. d4 *", "line 1, move 1...: "),
            (b"1. e4 {never ending\n\n1. d4 *", "line 1: a comment begins"),
        ] {
            let games = self::games(text);
            assert!(error(&games[0]).contains(words), "{games:?}");
        }
    }
}
