//! The tree of a game that is being read. Nothing here recurses: open variations are a stack of bounded height.

use cozy_chess::Move;
use mnemon_search::Notation;

use super::nag;
use super::tree::{GameTree, NodeId};
use super::{GameError, GameResult};
use crate::{Position, variation};

/// The most variations within each other.
const MAX_NESTING: usize = 1 << 14;
/// The most moves of one game with its variations.
const MAX_MOVES: usize = 1 << 18;
/// The most bytes of comments of one game.
const MAX_COMMENT_BYTES: usize = 16 << 20;
/// The most errors that are kept of one game.
const MAX_ERRORS: usize = 16;

/// The end of a line that is being read.
#[derive(Clone)]
struct Line {
    /// The last move.
    node: NodeId,
    /// The position after it.
    position: Position,
    /// The position before it, from which variations start; `None` before the first move.
    before: Option<Position>,
    /// Whether a move of this variation has been read.
    has_moves: bool,
    /// Whether the rest of the line is left out.
    is_broken: bool,
}

/// Builds a tree from the tokens of a movetext.
pub(super) struct TreeBuilder {
    tree: GameTree,
    /// The open lines, the main line first.
    lines: Vec<Line>,
    /// The comment before the first move of a variation.
    starting_comment: String,
    comment_bytes: usize,
    /// The variations that are open within the deepest one that is kept.
    left_out: usize,
}

impl TreeBuilder {
    pub(super) fn new(start: Position) -> Self {
        let main = Line { node: NodeId::ROOT, position: start, before: None, has_moves: false, is_broken: false };
        let (tree, starting_comment) = (GameTree::default(), String::new());
        TreeBuilder { tree, lines: vec![main], starting_comment, comment_bytes: 0, left_out: 0 }
    }

    fn line(&self) -> &Line {
        &self.lines[self.lines.len() - 1]
    }

    fn line_mut(&mut self) -> &mut Line {
        let last = self.lines.len() - 1;
        &mut self.lines[last]
    }

    fn is_left_out(&self) -> bool {
        self.left_out > 0 || self.line().is_broken
    }

    /// `(`: a variation that replaces the last move.
    pub(super) fn open(&mut self, line: u64) {
        if self.is_left_out() {
            return self.left_out += 1;
        }
        let (parent, before) = (self.tree.parent(self.line().node), self.line().before.clone());
        match parent.zip(before).filter(|_| self.lines.len() <= MAX_NESTING) {
            Some((node, position)) => {
                self.lines.push(Line { node, position, before: None, has_moves: false, is_broken: false });
            }
            None => {
                self.left_out += 1;
                let deep = self.lines.len() > MAX_NESTING;
                self.fail(if deep { GameError::TooLarge { line } } else { GameError::Variation { line } });
            }
        }
    }

    /// `)`: the end of a variation; one that closes nothing is ignored.
    pub(super) fn close(&mut self) {
        self.starting_comment.clear();
        if self.left_out > 0 {
            self.left_out -= 1;
        } else if self.lines.len() > 1 {
            self.lines.pop();
        }
    }

    /// A glyph of any line, or a move of a variation. An error ends the variation.
    pub(super) fn word(&mut self, word: &str, line: u64) {
        if self.is_left_out() || word.parse::<GameResult>().is_ok() {
            return;
        }
        if let Some(nag) = nag::read(word) {
            self.nag(nag);
        } else if self.lines.len() > 1 {
            let is_null = ["--", "Z0", "@@@@"].contains(&word);
            let number = || variation::move_number(&self.line().position);
            let played =
                if is_null { Err(GameError::NullMove { line, number: number() }) } else { self.read(word, line) };
            played.unwrap_or_else(|error| {
                self.line_mut().is_broken = true;
                self.fail(error);
            });
        }
    }

    /// A move of the main line, which an error ends.
    pub(super) fn main_move(&mut self, word: &str, line: u64) -> Result<Move, GameError> {
        let result = self.read(word, line);
        self.line_mut().is_broken |= result.is_err();
        result?;
        let node = self.line().node;
        self.tree[node].mv.ok_or(GameError::TooLarge { line })
    }

    /// Reads a move of the open line, with the glyph at its end.
    fn read(&mut self, word: &str, line: u64) -> Result<(), GameError> {
        if self.tree.moves() >= MAX_MOVES {
            return Err(GameError::TooLarge { line });
        }
        let position = &self.line().position;
        let mv = position.read_move(word).map_err(|error| {
            let number = variation::move_number(position);
            GameError::Move { line, number, error }
        })?;
        self.play(mv);
        nag::suffix(word).into_iter().for_each(|nag| self.nag(nag));
        Ok(())
    }

    fn play(&mut self, mv: Move) {
        let node = self.tree.add(self.line().node, mv);
        self.tree[node].before = std::mem::take(&mut self.starting_comment);
        let line = self.line_mut();
        let after = line.position.after(mv);
        line.before = Some(std::mem::replace(&mut line.position, after));
        (line.node, line.has_moves) = (node, true);
    }

    fn nag(&mut self, nag: u8) {
        let node = self.line().node;
        let nags = &mut self.tree[node].nags;
        if node != NodeId::ROOT && !nags.contains(&nag) {
            nags.push(nag);
        }
    }

    /// A comment belongs to the move before it; at the start of a variation, to the move after it.
    pub(super) fn comment(&mut self, text: &str) {
        if self.is_left_out() || self.comment_bytes + text.len() > MAX_COMMENT_BYTES {
            return;
        }
        let (node, is_start) = (self.line().node, self.lines.len() > 1 && !self.line().has_moves);
        let comment = if is_start { &mut self.starting_comment } else { &mut self.tree[node].comment };
        for word in text.split_whitespace() {
            if !comment.is_empty() {
                comment.push(' ');
            }
            comment.push_str(word);
        }
        self.comment_bytes += text.len();
    }

    fn fail(&mut self, error: GameError) {
        if self.tree.errors.len() < MAX_ERRORS {
            self.tree.errors.push(error);
        }
    }

    pub(super) fn finish(self) -> GameTree {
        self.tree
    }
}
