//! `--annotate`: the games with evaluations, marks and better lines, as PGN.

use std::io::Write;
use std::path::{Path, PathBuf};

use mnemon_chess::Move;
use mnemon_chess::pgn::{Evaluation, GameTree, NodeId, PgnGame, PgnWriter, nag_of_mark, without_evaluation};
use mnemon_search::WINS;
use mnemon_table::Score;
use mnemon_table::file::{OwnKind, PendingFile};

use super::annotate::JudgedMove;
use crate::Result;

/// The games that this command writes. Only such a file is replaced.
const ANNOTATED_GAMES: OwnKind = OwnKind::new("a file of games that mnemon has annotated", |start| {
    let mut lines = start.split(|&byte| byte == b'\n');
    let is_ours = |line: &[u8]| line.starts_with(b"[Annotator \"") && line.windows(6).any(|word| word == b"mnemon");
    lines.any(is_ours)
});

/// The file that is being written. It gets its name when it is finished.
pub(super) struct AnnotatedFile {
    path: PathBuf,
    pending: PendingFile,
}

/// What is written about a move.
pub(super) struct Remark {
    node: NodeId,
    /// The value of the position after the move.
    evaluation: Evaluation,
    mark: &'static str,
    /// The line that is better than a move with a mark, and its value.
    better: Option<(Vec<Move>, Evaluation)>,
}

impl Remark {
    /// The remark on a judged move; `after` is what was found after it, if that was searched.
    pub(super) fn new(node: NodeId, judged: &JudgedMove<'_>, after: Option<(Score, u8)>) -> Self {
        let (side, last) = (judged.position().side_to_move(), &judged.before.last);
        let below = last.depth.saturating_sub(1);
        let (score, depth) = after.unwrap_or((from_child(judged.score), below));
        let better = (!judged.mark().is_empty() && !last.pv.is_empty())
            .then(|| (last.pv.clone(), Evaluation::after_move(from_child(last.score), !side, Some(below))));
        Remark { node, evaluation: Evaluation::after_move(score, !side, Some(depth)), mark: judged.mark(), better }
    }

    /// Writes the remark into the game. What stood there stays, but for an evaluation.
    fn apply(self, tree: &mut GameTree) {
        let node = &mut tree[self.node];
        let words = without_evaluation(&node.comment);
        node.comment = format!("{} {words}", self.evaluation).trim_end().to_owned();
        let is_marked = node.nags.iter().any(|nag| (1..=6).contains(nag));
        node.nags.extend(nag_of_mark(self.mark).filter(|_| !is_marked));
        let Some(((line, value), parent)) = self.better.zip(tree.parent(self.node)) else { return };
        let is_there = tree.children(parent).any(|child| tree[child].mv == line.first().copied());
        if !is_there {
            let nodes: Vec<NodeId> = line
                .iter()
                .scan(parent, |at, &mv| {
                    *at = tree.add(*at, mv);
                    Some(*at)
                })
                .collect();
            nodes.first().into_iter().for_each(|&first| tree[first].comment = value.to_string());
        }
    }
}

/// A score of the side to move from the view of the other side after the move that it rests on: a mate is one ply nearer.
fn from_child(score: Score) -> Score {
    match WINS.plies(score) {
        Some(plies @ 1..) => WINS.lost_at(plies as u16 - 1),
        Some(0) | None => -score,
        Some(plies) => -WINS.lost_at(plies.unsigned_abs() - 1),
    }
}

impl AnnotatedFile {
    pub(super) fn create(path: &Path) -> Result<Self> {
        let pending = PendingFile::replacing(path, &ANNOTATED_GAMES)?;
        Ok(AnnotatedFile { path: path.to_owned(), pending })
    }

    /// Adds a game with the remarks on its moves.
    pub(super) fn add(&mut self, game: &PgnGame, remarks: Vec<Remark>, annotator: &str) -> Result {
        let mut tree = game.tree.clone().unwrap_or_default();
        remarks.into_iter().for_each(|remark| remark.apply(&mut tree));
        let mut writer = PgnWriter::new(&game.start);
        let before = game.tags().find(|(name, _)| name.eq_ignore_ascii_case("Annotator"));
        for (name, value) in game.tags().filter(|(name, _)| !name.is_empty() && !name.eq_ignore_ascii_case("Annotator"))
        {
            writer.tag(name, value);
        }
        let before =
            before.map(|(_, value)| value).filter(|value| game.tag("Annotator").is_some() && *value != annotator);
        let annotator = before.map_or(annotator.to_owned(), |before| format!("{before}, {annotator}"));
        writer.tag("Annotator", &annotator).tree(&tree);
        let text = writer.finish(game.result);
        let cannot = |error| format!("cannot write {}: {error}", self.path.display());
        Ok(self.pending.as_file_mut().write_all(text.as_bytes()).map_err(cannot)?)
    }

    /// Gives the file its name.
    pub(super) fn finish(self) -> Result {
        Ok(self.pending.replace()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_is_one_ply_nearer_after_its_move() {
        assert_eq!(WINS.plies(from_child(-WINS.lost_at(5))), Some(-4));
        assert_eq!(WINS.plies(from_child(WINS.lost_at(4))), Some(3));
        assert_eq!(from_child(35), -35);
    }

    #[test]
    fn only_annotated_games_are_replaced() {
        let ours = b"[Event \"?\"]\n[Annotator \"Ada, mnemon 0.1.0\"]\n\n1. e4 *";
        assert!(ANNOTATED_GAMES.recognizes(ours) && !ANNOTATED_GAMES.recognizes(b"[White \"mnemon\"]\n\n1. e4 *"));
    }
}
