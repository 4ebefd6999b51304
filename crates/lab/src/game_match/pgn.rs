//! Games as PGN, with each move's score, depth and time in a comment.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use mnemon_chess::pgn::{GameResult, PgnWriter};
use mnemon_table::file::{OwnKind, open_to_append};

use super::players::{FinishedGame, Forfeit, MoveStats};
use crate::Result;
use crate::error::cannot;
use crate::play::Ending;

/// What a game's tags and last comment hold beside the game itself.
pub(super) struct Tags<'t> {
    /// The game's number, counted from 1.
    pub(super) round: usize,
    /// White's and Black's names.
    pub(super) names: [&'t str; 2],
    /// The time control, or the nodes a move.
    pub(super) limit: &'t str,
    /// How the game ended.
    pub(super) ending: &'t str,
}

/// A file to which games are appended.
pub(super) struct PgnFile {
    path: PathBuf,
    file: File,
}

impl PgnFile {
    /// Opens the file; games that are in it stay, and a file of anything else is refused.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let file = open_to_append(path, &OwnKind::PGN)?;
        Ok(PgnFile { path: path.to_owned(), file })
    }

    /// Adds a game.
    pub(super) fn add(&mut self, game: &FinishedGame, tags: &Tags<'_>) -> Result {
        let text = text(game, tags, time::OffsetDateTime::now_utc().date());
        self.file.write_all(text.as_bytes()).map_err(cannot("write", &self.path))
    }
}

fn text(game: &FinishedGame, tags: &Tags<'_>, date: time::Date) -> String {
    let result = GameResult::of_winner(game.winner());
    let [white, black] = tags.names;
    let termination = match game.ending {
        Ok(Ending::Rule(_)) => "normal",
        Ok(Ending::Adjudicated(_) | Ending::MaxPlies) => "adjudication",
        Err(Forfeit::Time(_)) => "time forfeit",
        Err(Forfeit::IllegalMove(_)) => "rules infraction",
        Err(Forfeit::Engine(_)) => "abandoned",
    };
    let (year, month, day) = (date.year(), u8::from(date.month()), date.day());
    let mut pgn = PgnWriter::new(game.game.start());
    pgn.tag("Event", "mnemon lab match")
        .tag("Site", "?")
        .tag("Date", &format!("{year}.{month:02}.{day:02}"))
        .tag("Round", &tags.round.to_string())
        .tag("White", white)
        .tag("Black", black)
        .tag("Result", result.as_str())
        .setup_tags()
        .tag("TimeControl", tags.limit)
        .tag("Termination", termination);
    for (&mv, stats) in game.game.moves().iter().zip(&game.stats) {
        pgn.play(mv).comment(&comment(stats));
    }
    pgn.comment(tags.ending);
    pgn.finish(result)
}

/// `+0.31/12 0.350s`: score, depth and time, as GUIs show them.
fn comment(stats: &MoveStats) -> String {
    let score = stats.score.map_or_else(|| "?".to_owned(), |score| format!("{:+.2}", f64::from(score) / 100.0));
    format!("{score}/{} {:.3}s", stats.depth, stats.time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mnemon_chess::Color;

    use super::*;
    use crate::play::{Game, RuleEnding};

    #[test]
    fn a_game_in_full() {
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2";
        let mut game = Game::new(&fen.parse().expect("a position"));
        game.play(game.position().parse_uci("d8h4").expect("legal"));
        let stats = MoveStats { score: Some(99_999), depth: 3, nodes: 10, time: Duration::from_millis(12) };
        let (ending, side) = (Ok(Ending::Rule(RuleEnding::Checkmate)), Color::White);
        let game = FinishedGame { game, ending, side, stats: vec![stats], illegal_pvs: [0; 2], is_broken: false };
        let tags = Tags { round: 7, names: ["A \"x\"", "B"], limit: "2+0.02", ending: "mate" };
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
