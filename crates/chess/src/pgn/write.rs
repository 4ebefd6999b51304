//! Writing PGN: escaped tags, numbered moves, comments, glyphs, variations, lines of at most 80 characters.

use std::fmt::Write as _;

use cozy_chess::{Color, Move};

use super::GameResult;
use crate::{Position, variation};

/// The longest line of movetext, as the PGN standard asks for.
const MAX_LINE_CHARS: usize = 80;

/// Builds the text of one game. Tags are written in the order in which they are given.
pub struct PgnWriter {
    start: Position,
    position: Position,
    tags: String,
    /// The tokens of the movetext; a line may be broken between any two of them.
    tokens: Vec<String>,
    /// The position before the last move, from which a variation starts.
    before: Option<Position>,
    /// For each open variation, the positions after and before the move that it replaces.
    open: Vec<(Position, Option<Position>)>,
    /// Whether the next move has its number in any case: at the start of a line, and after a comment or variation.
    is_number_due: bool,
    /// What stands before the next token without a space.
    prefix: &'static str,
}

impl PgnWriter {
    /// A game that starts from this position. Where it is not the standard one, [`setup_tags`](Self::setup_tags) must
    /// be called, or readers will not know.
    #[must_use]
    pub fn new(start: &Position) -> Self {
        let (start, position, tags, tokens) = (start.clone(), start.clone(), String::new(), Vec::new());
        PgnWriter { start, position, tags, tokens, before: None, open: Vec::new(), is_number_due: true, prefix: "" }
    }

    /// Adds a tag; its value is escaped. Line ends in the value become spaces.
    pub fn tag(&mut self, name: &str, value: &str) -> &mut Self {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
        let _ = writeln!(self.tags, "[{name} \"{value}\"]");
        self
    }

    /// Adds the tags `SetUp` and `FEN`, which give the position that the game starts from.
    pub fn setup_tags(&mut self) -> &mut Self {
        let fen = self.start.to_string();
        self.tag("SetUp", "1").tag("FEN", &fen)
    }

    /// The position after the moves that were added.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Adds a legal move, in SAN and with its number where one is due.
    pub fn play(&mut self, mv: Move) -> &mut Self {
        if self.is_number_due || self.position.side_to_move() == Color::White {
            self.token(variation::move_number(&self.position));
        }
        self.token(self.position.san(mv));
        let after = self.position.after(mv);
        self.before = Some(std::mem::replace(&mut self.position, after));
        self.is_number_due = false;
        self
    }

    /// Adds an annotation glyph of the last move: 2 is `$2`, a mistake.
    pub fn nag(&mut self, nag: u8) -> &mut Self {
        self.token(format!("${nag}"));
        self
    }

    /// Adds a comment, unless it is blank. Braces in it become apostrophes, since PGN cannot escape them.
    pub fn comment(&mut self, text: &str) -> &mut Self {
        if text.chars().all(char::is_whitespace) {
            return self;
        }
        let text = format!("{{{}}}", text.trim().replace(['{', '}'], "'"));
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            let mut token = word.to_owned();
            // A command in brackets stays in one line.
            let is_open = |command: &str| !command.contains(']') && command.len() < MAX_LINE_CHARS;
            while token.rfind("[%").is_some_and(|at| is_open(&token[at..]))
                && let Some(next) = words.next()
            {
                token.push(' ');
                token += next;
            }
            self.token(token);
        }
        self.is_number_due = true;
        self
    }

    /// Begins a variation that replaces the last move. Without a move before it, it begins where the game does.
    pub fn begin_variation(&mut self) -> &mut Self {
        let replaced = self.before.take();
        let start = replaced.clone().unwrap_or_else(|| self.position.clone());
        self.open.push((std::mem::replace(&mut self.position, start), replaced));
        self.is_number_due = true;
        self.prefix = "(";
        self
    }

    /// Ends the variation that was begun last; what follows continues the line that it left.
    pub fn end_variation(&mut self) -> &mut Self {
        if let Some((position, before)) = self.open.pop() {
            (self.position, self.before) = (position, before);
            self.is_number_due = true;
            if std::mem::take(&mut self.prefix).is_empty() {
                self.tokens.last_mut().into_iter().for_each(|token| token.push(')'));
            }
        }
        self
    }

    fn token(&mut self, text: String) {
        let prefix = std::mem::take(&mut self.prefix);
        self.tokens.push(if prefix.is_empty() { text } else { format!("{prefix}{text}") });
    }

    /// The text of the game, with an empty line after it. The tag `Result` is the caller's to add, since it belongs
    /// among the first seven.
    #[must_use]
    pub fn finish(mut self, result: GameResult) -> String {
        while !self.open.is_empty() {
            self.end_variation();
        }
        self.tokens.push(result.to_string());
        format!("{}\n{}\n\n", self.tags, wrapped(&self.tokens))
    }
}

/// The tokens with spaces or line ends between them.
fn wrapped(tokens: &[String]) -> String {
    let (mut text, mut width) = (String::new(), 0);
    for token in tokens {
        let length = token.chars().count();
        // Readers skip a line that begins with %, as the standard asks them to.
        if width > 0 && width + 1 + length > MAX_LINE_CHARS && !token.starts_with('%') {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text += token;
        width += length;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::PgnReader;

    #[test]
    fn lines_are_short_and_keep_every_token() {
        let tokens: Vec<String> = (0..200).map(|number| format!("{}", number * number)).collect();
        let text = wrapped(&tokens);
        assert!(text.lines().all(|line| line.len() <= MAX_LINE_CHARS) && text.lines().count() > 5);
        assert_eq!(text.split_whitespace().collect::<Vec<_>>(), tokens);
    }

    #[test]
    fn no_line_of_a_comment_begins_with_a_percent_sign() {
        let mut writer = PgnWriter::new(&Position::start());
        for san in ["e4", "e5"] {
            let mv = writer.position().parse_san(san).expect("a legal move");
            writer.play(mv).comment(&"%50 ".repeat(60));
        }
        let text = writer.finish(GameResult::Draw);
        assert!(text.lines().all(|line| !line.starts_with('%')), "{text}");
        let game = PgnReader::new("text", text.as_bytes()).next().expect("a game").expect("read");
        assert_eq!((game.moves.len(), game.result, game.error), (2, GameResult::Draw, None));
    }

    #[test]
    fn a_game_is_written_as_it_is_read() {
        let start: Position = "4k3/8/8/8/8/8/4p3/R3K3 b Q - 3 40".parse().expect("a position");
        let mut writer = PgnWriter::new(&start);
        writer.tag("Event", "a \"quoted\" \\ name").setup_tags();
        for san in ["Kd7", "Kxe2", "Kc6"] {
            let mv = writer.position().parse_san(san).expect("a legal move");
            writer.play(mv).comment("a {brace} and\na line end");
        }
        let text = writer.finish(GameResult::Draw);
        let start_of_moves = "\n\n40... Kd7 {a 'brace' and a line end} ";
        assert!(text.contains(start_of_moves), "{text}");
        let mut games = PgnReader::new("text", text.as_bytes());
        let game = games.next().expect("a game").expect("read");
        assert!(games.next().is_none());
        assert_eq!(
            (game.tag("Event"), &game.start, game.result),
            (Some("a \"quoted\" \\ name"), &start, GameResult::Draw)
        );
        assert_eq!(variation::text(&game.start, &game.moves, None), "40...Kd7 41.Kxe2 Kc6");
        assert_eq!(game.error, None);
    }
}
