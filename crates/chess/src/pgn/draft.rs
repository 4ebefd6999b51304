//! The parser of one game: tags, then movetext.

use mnemon_search::Notation;

use super::tree_builder::TreeBuilder;
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
    /// Whether the whole game is wanted.
    is_whole: bool,
    /// The tree, if it is wanted and the game has begun.
    tree: Option<TreeBuilder>,
}

/// How much of a comment is kept, in bytes, to look for a score.
const MAX_SCORE_BYTES: usize = 1024;
/// How much of a comment of a whole game is kept, in bytes.
const MAX_COMMENT_BYTES: usize = 1 << 16;

impl Draft {
    pub(super) fn new(is_whole: bool) -> Self {
        Draft { is_whole, ..Draft::default() }
    }

    pub(super) fn is_in_comment(&self) -> bool {
        self.comment.is_some()
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.has_movetext && self.game.tags.is_empty()
    }

    /// Notes where the game begins: at the first line that is not blank.
    pub(super) fn begin_line(&mut self, number: u64, line: &str) {
        if self.game.line == 0 && !line.trim().is_empty() {
            self.game.line = number;
        }
    }

    /// What follows is not read.
    pub(super) fn fail(&mut self, error: GameError) {
        self.game.error.get_or_insert(error);
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
                ';' => {
                    self.line_comment(&rest[1..]);
                    return None;
                }
                '{' => {
                    self.comment = Some(number);
                    self.begin_tree();
                }
                '(' => {
                    self.variations += 1;
                    self.begin_tree();
                    self.tree.iter_mut().for_each(|tree| tree.open(number));
                }
                ')' => {
                    self.variations = self.variations.saturating_sub(1);
                    self.tree.iter_mut().for_each(TreeBuilder::close);
                }
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
        let most = if self.is_whole { MAX_COMMENT_BYTES } else { MAX_SCORE_BYTES };
        let is_kept = self.is_whole || self.variations == 0;
        if is_kept && self.comment_text.len() < most {
            self.comment_text.extend(text.chars().take(most));
            self.comment_text.push(' ');
        }
    }

    /// Ends a comment; a score in it is that of the last move.
    fn end_comment(&mut self) {
        self.comment = None;
        let text = std::mem::take(&mut self.comment_text);
        self.tree.iter_mut().for_each(|tree| tree.comment(&text));
        if self.variations == 0
            && self.game.error.is_none()
            && let (Some(position), Some(last)) = (&self.position, self.game.scores.last_mut())
        {
            *last = comment::score(&text, !position.side_to_move()).or(*last);
        }
    }

    /// A comment from a semicolon to the end of the line.
    fn line_comment(&mut self, text: &str) {
        if self.is_whole {
            self.begin_tree();
            self.comment_part(text);
            let text = std::mem::take(&mut self.comment_text);
            self.tree.iter_mut().for_each(|tree| tree.comment(&text));
        }
    }

    fn word(&mut self, word: &str, line: u64) {
        let is_skipped = self.variations > 0 && !self.is_whole;
        let Some(word) = without_move_number(word).filter(|_| !is_skipped && self.game.error.is_none()) else {
            return;
        };
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        if is_number || word == "e.p." {
            return;
        }
        self.begin_tree();
        if self.variations > 0 {
            // An error of a variation is the tree's.
            self.tree.iter_mut().for_each(|tree| tree.word(word, line));
            return;
        }
        let is_sign = !word.chars().any(char::is_alphanumeric) && word != "--" || word.starts_with('$');
        if is_sign {
            return self.tree.iter_mut().for_each(|tree| tree.word(word, line));
        }
        self.main_move(word, line);
    }

    /// A move of the main line.
    fn main_move(&mut self, word: &str, line: u64) {
        let position = match self.position.take() {
            Some(position) => position,
            None => match self.begin() {
                Ok(position) => position,
                Err(error) => return self.game.error = Some(error),
            },
        };
        let played = match &mut self.tree {
            Some(tree) => tree.main_move(word, line),
            None => position.read_move(word).map_err(|error| {
                let number = variation::move_number(&position);
                GameError::Move { line, number, error }
            }),
        };
        match played {
            Ok(mv) => {
                self.game.moves.push(mv);
                self.game.scores.push(None);
                self.position = Some(position.after(mv));
            }
            Err(error) => self.game.error = Some(error),
        }
    }

    /// Begins the tree of a whole game, unless the game has no position to start from.
    fn begin_tree(&mut self) {
        if self.is_whole && self.tree.is_none() && self.game.error.is_none() {
            match self.begin() {
                Ok(start) => self.tree = Some(TreeBuilder::new(start)),
                Err(error) => self.game.error = Some(error),
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
        self.begin_tree();
        let tree = self.tree.map(TreeBuilder::finish).or_else(|| self.is_whole.then(Default::default));
        PgnGame { number, tree, ..self.game }
    }
}
