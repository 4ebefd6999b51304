//! The two kinds of [`Position`]: of a known game, and of one whose rules are not known here.

use std::sync::Arc;

use mnemon_memory::subtree::{Subtree, SubtreeQuery, subtree};
use mnemon_memory::{Source, Store};
use mnemon_search::{Game, Notation, NotationError};
use mnemon_table::Score;

use super::{Position, longer_line, to_hex};
use crate::backed_up::BackedUp;
use crate::tree::{self, Before, Tree, TreeQuery};

/// A position of a game that is known here.
pub(super) struct Of<G> {
    position: G,
    /// The moves that led here, if they are known and are how the game's positions are written.
    line: Option<String>,
    /// The positions of the line that was read, in the order of the game, without this one.
    before: Vec<G>,
}

impl<G: Notation> Of<G> {
    /// The position, without the moves that led to it.
    pub(super) fn new(position: G) -> Self {
        Of { position, line: None, before: Vec::new() }
    }

    /// The position that a text describes.
    pub(super) fn read(text: &str) -> Result<Self, NotationError> {
        let mut before = G::read_line(text)?;
        let position = before.pop().ok_or_else(|| NotationError::Position("there is no position".to_owned()))?;
        Ok(Of { position, line: G::WRITTEN_AS_LINES.then(|| text.to_owned()), before })
    }

    /// The line of moves after one more.
    fn longer_line(&self, mv: G::Move) -> Option<String> {
        Some(longer_line(self.line.as_deref()?, &self.position.write_move(mv)))
    }

    fn with_code(&self, code: u16) -> Option<G::Move> {
        self.position.legal().into_iter().find(|&mv| G::code(mv).get() == code)
    }
}

impl<G: Notation> Position for Of<G> {
    fn game(&self) -> Arc<str> {
        G::name().into()
    }

    fn is_known(&self) -> bool {
        true
    }

    fn packed(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        Game::pack(&self.position, &mut bytes);
        bytes
    }

    fn notation(&self) -> Option<String> {
        self.line.clone().or_else(|| self.position.write())
    }

    fn draw(&self) -> String {
        self.position.draw()
    }

    fn mover(&self) -> &'static str {
        self.position.mover()
    }

    fn ending(&self) -> Option<&'static str> {
        self.position.ending()
    }

    fn children(&self) -> Vec<(u16, Box<dyn Position>)> {
        let child = |mv| {
            let child = Of { position: self.position.after(mv)?, line: self.longer_line(mv), before: Vec::new() };
            Some((G::code(mv).get(), Box::new(child) as Box<dyn Position>))
        };
        self.position.legal().into_iter().filter_map(child).collect()
    }

    fn read_move(&self, text: &str) -> Result<u16, NotationError> {
        self.position.read_move(text).map(|mv| G::code(mv).get())
    }

    fn write_move(&self, code: u16) -> Option<String> {
        self.with_code(code).map(|mv| self.position.write_move(mv))
    }

    fn read_score(&self, text: &str) -> Result<Score, NotationError> {
        G::read_score(text)
    }

    fn write_score(&self, score: Score) -> String {
        G::write_score(score)
    }

    fn verdict(&self, score: Score) -> Option<String> {
        self.position.verdict(score)
    }

    fn near(&self) -> Score {
        G::NEAR
    }

    fn tree(&self, store: &dyn Store, query: &TreeQuery<'_>) -> mnemon_memory::Result<Tree> {
        tree::build(&self.position, self, &Before { positions: &self.before }, store, query)
    }

    fn backed_up(&self, store: &dyn Store, own: &Source) -> mnemon_memory::Result<Option<BackedUp>> {
        BackedUp::of(&self.position, store, own)
    }

    fn subtree(&self, store: &dyn Store) -> mnemon_memory::Result<Subtree> {
        let (first, start) = (self.before.first().unwrap_or(&self.position), G::initial());
        let query = SubtreeQuery {
            root: &self.position,
            before: &self.before,
            ply: first.game_ply().map(|ply| ply.saturating_add(self.before.len() as u16)),
            start: start.as_ref(),
            // The moves that the rules allow, also where the `Game` ends in a draw or before a winning move.
            children: |position, visit| {
                for mv in position.legal() {
                    if let Some(child) = position.after(mv) {
                        visit(G::code(mv).get(), &child);
                    }
                }
            },
        };
        subtree(store, query)
    }

    fn moves_text(&self, codes: &[u16]) -> String {
        let mut words = Vec::new();
        let mut at = self.position.clone();
        for &code in codes {
            let Some(mv) = at.legal().into_iter().find(|&mv| G::code(mv).get() == code) else { break };
            words.push(at.write_move(mv));
            let Some(after) = at.after(mv) else { break };
            at = after;
        }
        words.join(" ")
    }
}

/// A position of a game whose rules are not known here.
pub(super) struct Unknown {
    pub(super) game: Arc<str>,
    pub(super) packed: Vec<u8>,
}

impl Unknown {
    fn reason(&self) -> String {
        format!("the rules of {} are not known here", self.game)
    }
}

impl Position for Unknown {
    fn game(&self) -> Arc<str> {
        Arc::clone(&self.game)
    }

    fn is_known(&self) -> bool {
        false
    }

    fn packed(&self) -> Vec<u8> {
        self.packed.clone()
    }

    fn notation(&self) -> Option<String> {
        None
    }

    fn draw(&self) -> String {
        format!("{}\n", to_hex(&self.packed))
    }

    fn mover(&self) -> &'static str {
        "the side to move"
    }

    fn ending(&self) -> Option<&'static str> {
        None
    }

    fn children(&self) -> Vec<(u16, Box<dyn Position>)> {
        Vec::new()
    }

    fn read_move(&self, _text: &str) -> Result<u16, NotationError> {
        Err(NotationError::Move(self.reason()))
    }

    fn write_move(&self, _code: u16) -> Option<String> {
        None
    }

    fn read_score(&self, _text: &str) -> Result<Score, NotationError> {
        Err(NotationError::Score(self.reason()))
    }

    fn write_score(&self, score: Score) -> String {
        format!("{score:+}")
    }

    fn verdict(&self, _score: Score) -> Option<String> {
        None
    }

    fn near(&self) -> Score {
        0
    }

    fn tree(&self, store: &dyn Store, query: &TreeQuery<'_>) -> mnemon_memory::Result<Tree> {
        tree::without_rules(self, store, query)
    }

    fn backed_up(&self, _store: &dyn Store, _own: &Source) -> mnemon_memory::Result<Option<BackedUp>> {
        Ok(None)
    }

    fn subtree(&self, _store: &dyn Store) -> mnemon_memory::Result<Subtree> {
        Ok(Subtree::of_root_alone(&self.packed))
    }

    fn moves_text(&self, _codes: &[u16]) -> String {
        String::new()
    }
}
