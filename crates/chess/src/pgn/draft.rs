//! The parser of one game: tags, then movetext.

use mnemon_search::Notation;

use super::{GameError, PgnGame, comment};
use crate::{Position, variation, without_move_number};

/// A game that is being read.
#[derive(Default)]
pub(super) struct Draft {
    game: PgnGame,
    /// The position after the moves so far; `None` before the first one.
    position: Option<Position>,
    pub(super) has_movetext: bool,
    /// How many variations are open, one within the other.
    pub(super) variations: usize,
    /// The line in which a comment began that is still open.
    comment: Option<u64>,
    /// The beginning of the last comment.
    comment_text: String,
}

/// How much of a comment is kept, in bytes, to look for a score.
const MAX_COMMENT_BYTES: usize = 1024;

impl Draft {
    pub(super) fn is_in_comment(&self) -> bool {
        self.comment.is_some()
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.has_movetext && self.game.tags.is_empty()
    }

    /// Reads `[Name "value"]`.
    pub(super) fn tag(&mut self, line: &str) {
        let inside = line.trim().trim_start_matches('[').trim_end_matches(']');
        let (name, value) = inside.trim().split_once(char::is_whitespace).unwrap_or((inside, ""));
        let value = value.trim();
        let value = value.strip_prefix('"').unwrap_or(value);
        let value = value.strip_suffix('"').unwrap_or(value);
        self.game.tags.push((name.to_owned(), value.replace("\\\"", "\"").replace("\\\\", "\\")));
    }

    /// Reads a line of moves. Returns the rest of the line after the token that ends the game; `None` if the game goes on.
    pub(super) fn movetext<'t>(&mut self, line: &'t str, number: u64) -> Option<&'t str> {
        let mut rest = line;
        loop {
            if self.is_in_comment() {
                let Some((text, after)) = rest.split_once('}') else {
                    self.comment_part(rest);
                    return None;
                };
                self.comment_part(text);
                self.end_comment();
                rest = after;
            }
            rest = rest.trim_start();
            let first = rest.chars().next()?;
            self.has_movetext = true;
            match first {
                ';' => return None,
                '{' => self.comment = Some(number),
                '(' => self.variations += 1,
                ')' => self.variations = self.variations.saturating_sub(1),
                _ => {
                    let end = rest.find(|letter: char| letter.is_whitespace() || "{}();".contains(letter));
                    let (word, after) = rest.split_at(end.unwrap_or(rest.len()).max(first.len_utf8()));
                    rest = after;
                    if self.variations == 0
                        && let Ok(result) = word.parse()
                    {
                        self.game.result = result;
                        return Some(rest);
                    }
                    self.word(word, number);
                    continue;
                }
            }
            rest = &rest[first.len_utf8()..];
        }
    }

    /// Adds a line of a comment to what is kept of it.
    fn comment_part(&mut self, text: &str) {
        if self.variations == 0 && self.comment_text.len() < MAX_COMMENT_BYTES {
            self.comment_text.extend(text.chars().take(MAX_COMMENT_BYTES));
            self.comment_text.push(' ');
        }
    }

    /// Ends a comment; a score in it is that of the last move.
    fn end_comment(&mut self) {
        self.comment = None;
        let text = std::mem::take(&mut self.comment_text);
        if self.variations == 0
            && self.game.error.is_none()
            && let (Some(position), Some(last)) = (&self.position, self.game.scores.last_mut())
        {
            *last = comment::score(&text, !position.side_to_move()).or(*last);
        }
    }

    fn word(&mut self, word: &str, line: u64) {
        let Some(word) = without_move_number(word).filter(|_| self.variations == 0 && self.game.error.is_none()) else {
            return;
        };
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        let is_sign = !word.chars().any(char::is_alphanumeric) && word != "--" || word.starts_with('$');
        if is_number || is_sign || word == "e.p." {
            return;
        }
        let position = match self.position.take() {
            Some(position) => position,
            None => match self.begin() {
                Ok(position) => position,
                Err(error) => return self.game.error = Some(error),
            },
        };
        match position.read_move(word) {
            Ok(mv) => {
                self.game.moves.push(mv);
                self.game.scores.push(None);
                self.position = Some(position.after(mv));
            }
            Err(error) => {
                let number = variation::move_number(&position);
                self.game.error = Some(GameError::Move { line, number, error });
            }
        }
    }

    /// The position that the game starts from, by its tags.
    fn begin(&mut self) -> Result<Position, GameError> {
        let variant = self.game.tag("Variant").unwrap_or("Standard").to_lowercase();
        let is_chess960 = ["960", "fischer"].iter().any(|name| variant.contains(name));
        if !is_chess960 && !["standard", "normal", "chess", "from position"].contains(&variant.as_str()) {
            return Err(GameError::Variant(variant));
        }
        let start = match self.game.tag("FEN") {
            Some(fen) => fen.parse::<Position>().map_err(GameError::Fen)?,
            None => Position::start(),
        };
        self.game.start = start.clone();
        Ok(start)
    }

    pub(super) fn finish(mut self, number: u64, last_line: u64) -> PgnGame {
        if self.position.is_none() && self.game.error.is_none() {
            self.game.error = self.begin().err();
        }
        if let Some(line) = self.comment {
            self.game.error.get_or_insert(GameError::UnclosedComment { line, last_line });
        }
        PgnGame { number, ..self.game }
    }
}
