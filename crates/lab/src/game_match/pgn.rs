//! Games as PGN, with what the engines thought of each move.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use mnemon_chess::pgn::{GameResult, PgnWriter};

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

fn text(game: &Finished, tags: &Tags<'_>, date: time::Date) -> String {
    let result = GameResult::of_winner(game.winner());
    let [white, black] = tags.names;
    let termination = match game.ending {
        Ending::Rule(_) => "normal",
        Ending::Agreed(_) => "adjudication",
        Ending::Time(_) => "time forfeit",
        Ending::Illegal(_) => "rules infraction",
        Ending::Failed(_) => "abandoned",
    };
    let (year, month, day) = (date.year(), u8::from(date.month()), date.day());
    let mut pgn = PgnWriter::new(game.board.opening());
    pgn.tag("Event", "mnemon lab match")
        .tag("Site", "?")
        .tag("Date", &format!("{year}.{month:02}.{day:02}"))
        .tag("Round", &tags.round.to_string())
        .tag("White", white)
        .tag("Black", black)
        .tag("Result", result.as_str())
        .setup_tags()
        .tag("TimeControl", &tags.pace)
        .tag("Termination", termination);
    for (&mv, thought) in game.board.played().iter().zip(&game.thoughts) {
        pgn.play(mv).comment(&comment(thought));
    }
    pgn.comment(&tags.ending);
    pgn.finish(result)
}

/// `+0.31/12 0.350s`: score, depth and time, as GUIs show them.
fn comment(thought: &Thought) -> String {
    let score = thought.score.map_or_else(|| "?".to_owned(), |score| format!("{:+.2}", f64::from(score) / 100.0));
    format!("{score}/{} {:.3}s", thought.depth, thought.took.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mnemon_chess::Color;

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
}
