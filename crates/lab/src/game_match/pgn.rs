//! Games as PGN, with what the engines thought of each move.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use mnemon_chess::Color;

use super::game::{Ending, Finished, Thought};
use crate::Result;
use crate::error::cannot;

/// What a game's tags say beside the game itself.
pub(crate) struct Tags<'t> {
    /// The game's number, counted from 1.
    pub(crate) round: usize,
    /// White's and Black's names.
    pub(crate) names: [&'t str; 2],
    /// The time control, or the nodes a move.
    pub(crate) pace: String,
    /// How the game ended, in words.
    pub(crate) ending: String,
}

/// A file to which games are added.
pub(crate) struct PgnFile {
    path: PathBuf,
    file: File,
}

impl PgnFile {
    /// Opens the file; games that are in it stay.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.map_err(cannot("write", path))?;
        Ok(PgnFile { path: path.to_owned(), file })
    }

    /// Adds a game.
    pub(crate) fn add(&mut self, game: &Finished, tags: &Tags<'_>) -> Result {
        let text = text(game, tags, time::OffsetDateTime::now_utc().date());
        self.file.write_all(text.as_bytes()).map_err(cannot("write", &self.path))
    }
}

/// White's points and Black's.
pub(crate) fn result(winner: Option<Color>) -> &'static str {
    match winner {
        Some(Color::White) => "1-0",
        Some(Color::Black) => "0-1",
        None => "1/2-1/2",
    }
}

fn text(game: &Finished, tags: &Tags<'_>, date: time::Date) -> String {
    let result = result(game.winner());
    let [white, black] = tags.names;
    let opening = game.board.opening();
    let termination = match game.ending {
        Ending::Rule(_) => "normal",
        Ending::Agreed(_) => "adjudication",
        Ending::Time(_) => "time forfeit",
        Ending::Illegal(_) => "rules infraction",
        Ending::Failed(_) => "abandoned",
    };
    let (year, month, day) = (date.year(), u8::from(date.month()), date.day());
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    tag("Event", "mnemon lab match");
    tag("Site", "?");
    tag("Date", &format!("{year}.{month:02}.{day:02}"));
    tag("Round", &tags.round.to_string());
    tag("White", white);
    tag("Black", black);
    tag("Result", result);
    tag("SetUp", "1");
    tag("FEN", &opening.to_string());
    tag("TimeControl", &tags.pace);
    tag("Termination", termination);
    text += &format!("\n{}\n\n", wrapped(&movetext(game, &tags.ending, result)));
    text
}

/// The moves with their numbers and comments.
fn movetext(game: &Finished, ending: &str, result: &str) -> Vec<String> {
    let opening = game.board.opening();
    let (mut number, mut side) = (opening.fullmove_number(), opening.side_to_move());
    let mut words = Vec::new();
    for (place, (san, thought)) in game.board.san().iter().zip(&game.thoughts).enumerate() {
        match side {
            Color::White => words.push(format!("{number}.")),
            Color::Black if place == 0 => words.push(format!("{number}...")),
            Color::Black => {}
        }
        words.push(san.clone());
        words.extend(comment(thought));
        number = number.saturating_add(u16::from(side == Color::Black));
        side = !side;
    }
    // A brace would end the comment.
    words.extend(format!("{{{}}}", ending.replace(['{', '}'], "'")).split(' ').map(str::to_owned));
    words.push(result.to_owned());
    words
}

/// `{+0.31/12 0.350s}`: score, depth and time, as GUIs show them.
fn comment(thought: &Thought) -> [String; 2] {
    let score = thought.score.map_or_else(|| "?".to_owned(), |score| format!("{:+.2}", f64::from(score) / 100.0));
    [format!("{{{score}/{}", thought.depth), format!("{:.3}s}}", thought.took.as_secs_f64())]
}

/// Lines of at most 80 characters, as PGN asks for.
fn wrapped(words: &[String]) -> String {
    let (mut text, mut width) = (String::new(), 0);
    for word in words {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > 80 {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text += word;
        width += length;
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::game_match::board::{Board, Rule};

    #[test]
    fn a_game_in_full() {
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2";
        let mut board = Board::new(&fen.parse().expect("a position"));
        board.play("d8h4").expect("legal");
        let thought = Thought { score: Some(99_999), depth: 3, nodes: 10, took: Duration::from_millis(12) };
        let (ending, side) = (Ending::Rule(Rule::Mate), Color::White);
        let game = Finished { board, ending, side, thoughts: vec![thought], faulty_lines: [0; 2], is_broken: false };
        let tags = Tags { round: 7, names: ["A \"x\"", "B"], pace: "2+0.02".to_owned(), ending: "mate".to_owned() };
        let date = time::Date::from_calendar_date(2026, time::Month::March, 5).expect("a day");
        let text = text(&game, &tags, date);
        let expected = [
            "[Date \"2026.03.05\"]",
            "[Round \"7\"]",
            "[White \"A \\\"x\\\"\"]",
            "[Result \"0-1\"]",
            "[FEN \"rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2\"]",
            "[Termination \"normal\"]",
            "\n2... Qh4# {+999.99/3 0.012s} {mate} 0-1\n",
        ];
        for line in expected {
            assert!(text.contains(line), "{line} in {text}");
        }
    }

    #[test]
    fn lines_are_short_and_keep_every_word() {
        let words: Vec<String> = (0..200).map(|number| format!("{}", number * number)).collect();
        let text = wrapped(&words);
        assert!(text.lines().all(|line| line.len() <= 80) && text.lines().count() > 5);
        assert_eq!(text.split_whitespace().collect::<Vec<_>>(), words);
    }
}
