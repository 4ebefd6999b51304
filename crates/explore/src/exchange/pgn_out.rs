//! The known tree as one game of PGN: the best moves are the main line, the others variations.

use std::collections::BTreeSet;

use mnemon_chess::pgn::{Evaluation, GameResult, GameTree, NodeId, PgnWriter};
use mnemon_chess::{Move, Position, variation};
use mnemon_search::MAX_DEPTH;

use super::known_tree::{KnownTree, TreeNode, TreeRoot};

/// The event of a written tree, by which a former export is recognised.
const EVENT: &str = "mnemon tree";

/// What stands before the line that a transposition refers to.
const REFERENCE: &str = "Transposition: ";

/// Whether a comment only refers to the place where its position is continued.
pub(super) fn is_reference(comment: &str) -> bool {
    comment.starts_with(REFERENCE)
}

/// The text of the tree. A position that several lines lead to is continued once, and referred to elsewhere.
///
/// [`is_written_tree`] recognises the text by its first bytes.
#[must_use]
pub fn write_pgn(known: &KnownTree, root: &TreeRoot) -> String {
    let mut writer = PgnWriter::new(&root.start);
    writer.tag("Event", EVENT).tag("Site", "?").tag("Date", "????.??.??").tag("Round", "?");
    writer.tag("White", "?").tag("Black", "?").tag("Result", "*");
    if root.start.is_chess960() {
        writer.tag("Variant", "Chess960");
    }
    let is_standard = root.start == Position::start() && root.start.fullmove_number() == 1;
    if !is_standard || root.start.is_chess960() {
        writer.setup_tags();
    }
    if let Some(annotator) = annotator(known) {
        writer.tag("Annotator", &annotator);
    }
    writer.tree(&Builder::new(known, root).build());
    writer.finish(GameResult::Unknown)
}

/// Whether a file that begins with these bytes is one that [`write_pgn`] wrote.
#[must_use]
pub fn is_written_tree(start: &[u8]) -> bool {
    start.starts_with(format!("[Event \"{EVENT}\"]").as_bytes())
}

/// The author of all notes, if there is one.
fn annotator(known: &KnownTree) -> Option<String> {
    let people: BTreeSet<&str> =
        known.nodes.iter().flat_map(|node| &node.notes).map(|(person, _)| person.name()).collect();
    (people.len() == 1).then(|| people.first().map(|&name| name.to_owned())).flatten()
}

/// A node that is still to be continued.
struct Pending {
    number: usize,
    at: NodeId,
}

struct Builder<'k> {
    known: &'k KnownTree,
    root: &'k TreeRoot,
    tree: GameTree,
    /// Where each position is continued.
    written: Vec<Option<NodeId>>,
    has_several_authors: bool,
}

impl<'k> Builder<'k> {
    fn new(known: &'k KnownTree, root: &'k TreeRoot) -> Self {
        let has_several_authors = annotator(known).is_none();
        let (tree, written) = (GameTree::default(), vec![None; known.nodes.len()]);
        Builder { known, root, tree, written, has_several_authors }
    }

    fn build(mut self) -> GameTree {
        let at = self.root.moves.iter().fold(NodeId::ROOT, |at, &mv| self.tree.add(at, mv));
        let mut pending = vec![Pending { number: 0, at }];
        self.written[0] = Some(at);
        self.tree[at].comment = self.comment(&self.known.nodes[0]);
        while let Some(Pending { number, at }) = pending.pop() {
            let mut new = Vec::new();
            for &(mv, child) in &self.known.nodes[number].moves {
                let node = self.tree.add(at, mv);
                new.push((child, node));
            }
            // The best move is continued first, with everything below it.
            for (child, node) in new.into_iter().rev() {
                pending.push(Pending { number: child, at: node });
            }
            // What is popped next has its turn: it is continued here unless it is continued elsewhere already.
            while let Some(next) = pending.last() {
                let (number, at) = (next.number, next.at);
                match self.written[number] {
                    None => {
                        self.written[number] = Some(at);
                        self.tree[at].comment = self.comment(&self.known.nodes[number]);
                        break;
                    }
                    Some(known) => {
                        self.tree[at].comment = self.reference(number, known);
                        pending.pop();
                    }
                }
            }
        }
        self.tree
    }

    /// What is known of a position: its evaluation, and what people wrote.
    fn comment(&self, node: &TreeNode) -> String {
        let evaluation = node.score.map(|(score, depth)| {
            Evaluation::after_move(score, node.position.side_to_move(), Some(depth.min(MAX_DEPTH))).to_string()
        });
        let notes = node.notes.iter().map(|(person, note)| match self.has_several_authors {
            true => format!("{}: {}", person.name(), note.text),
            false => note.text.clone(),
        });
        evaluation.into_iter().chain(notes).collect::<Vec<_>>().join(" ")
    }

    /// Says where a position is continued; nothing if there is nothing to continue.
    fn reference(&self, number: usize, at: NodeId) -> String {
        let node = &self.known.nodes[number];
        if node.moves.is_empty() && node.notes.is_empty() {
            return self.comment(node);
        }
        let mut moves: Vec<Move> =
            std::iter::successors(Some(at), |&at| self.tree.parent(at)).filter_map(|at| self.tree[at].mv).collect();
        moves.reverse();
        match moves.is_empty() {
            true => format!("{REFERENCE}the start"),
            false => format!("{REFERENCE}{}", variation::text(&self.root.start, &moves, None)),
        }
    }
}
