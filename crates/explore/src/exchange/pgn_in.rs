//! Games of PGN: evaluations become records, comments become notes, and the moves become links.
//!
//! A link is a record of a move without a score, as learning keeps the moves of a game. An evaluation of the position after
//! a move is the file's; what an engine says of its own move (`+0.25/12`) is that engine's.

use std::collections::HashSet;
use std::io::BufRead;

use mnemon_chess::pgn::{Evaluated, Evaluation, GameError, GameTree, NodeId, PgnGame, PgnReader, prose};
use mnemon_chess::{Color, Position, to_code};
use mnemon_memory::{Claim, Origins, Record, Source, SourceKind};
use mnemon_search::Notation;

use super::author::{source_named, time_of};
use super::intake::{Intake, Report, packed};
use super::{Result, pgn_out};

/// From this halfmove clock on the fifty-move rule may decide, and no evaluation is taken.
const CLOCK_LIMIT: u8 = 60;

/// Takes in every game. One whose main line cannot be read is left out, of the others only the variations that cannot.
pub(super) fn import(reader: impl BufRead, intake: &mut Intake<'_>, report: &mut dyn Report) -> Result {
    for game in PgnReader::new(intake.label().to_owned(), reader).whole() {
        let game = game?;
        let errors = game.tree.iter().flat_map(|tree| &tree.errors);
        for error in game.error.iter().chain(errors) {
            let (line, words) = described(&game, error);
            if let GameError::NullMove { .. } = error {
                report.left_out(line, &words);
            } else if report.broken(line, &words).is_err() {
                return Ok(());
            }
        }
        if let (None, Some(tree)) = (&game.error, &game.tree) {
            Taken::new(&game, tree, intake).game(intake)?;
        }
    }
    Ok(())
}

/// The line of an error, and the error without it.
fn described(game: &PgnGame, error: &GameError) -> (u64, String) {
    let text = error.to_string();
    let line = error.line().unwrap_or(game.line);
    let words =
        text.strip_prefix(&format!("line {line}")).map_or(&*text, |rest| rest.trim_start_matches([',', ':', ' ']));
    (line, format!("game {}: {words}", game.number))
}

/// A game that is taken in.
struct Taken<'g> {
    game: &'g PgnGame,
    tree: &'g GameTree,
    /// The author of evaluations and links.
    file: Source,
    /// The author of the comments.
    annotator: Source,
    /// The engines that play White and Black.
    players: [Source; 2],
    time: u32,
    /// The moves that were played.
    main_line: HashSet<NodeId>,
}

/// A record's score for the side to move, and its depth.
type Scored = (i16, u8);

impl<'g> Taken<'g> {
    fn new(game: &'g PgnGame, tree: &'g GameTree, intake: &Intake<'_>) -> Self {
        let file = Source::file(intake.label());
        let is_engine = |source: &Source| source.kind() == SourceKind::Engine;
        let player = |tag| game.tag(tag).and_then(source_named).filter(is_engine).unwrap_or_else(|| file.clone());
        let players = [player("White"), player("Black")];
        let annotator = game.tag("Annotator").filter(|name| name.len() < 255);
        let annotator = Source::person(annotator.unwrap_or(intake.label()));
        let main_line = tree.main_line().collect();
        Taken { game, tree, annotator, players, time: time_of(game), file, main_line }
    }

    fn game(&self, intake: &mut Intake<'_>) -> Result {
        let mut result = self.note(intake, NodeId::ROOT, &self.game.start);
        if self.tree.moves() == 0 {
            result = result.and(self.position(intake, NodeId::ROOT, &self.game.start));
        }
        self.tree.walk(&self.game.start, |node, before| {
            if result.is_ok() {
                result = self.node(intake, node, before);
            }
        });
        result
    }

    /// Takes in a move, and the position before it if the move continues a line.
    fn node(&self, intake: &mut Intake<'_>, node: NodeId, before: &Position) -> Result {
        let (Some(mv), Some(parent)) = (self.tree[node].mv, self.tree.parent(node)) else { return Ok(()) };
        let after = before.after(mv);
        if self.tree.children(parent).next() == Some(node) {
            self.position(intake, parent, before)?;
        }
        if self.tree.children(node).next().is_none() {
            self.position(intake, node, &after)?;
        }
        self.engine_says(intake, node, before)?;
        self.note(intake, node, &after)
    }

    /// Takes in the position after a move (of the root, the start): its evaluation, and the move that follows.
    fn position(&self, intake: &mut Intake<'_>, node: NodeId, position: &Position) -> Result {
        let next = self.tree.children(node).next();
        let scored = self.evaluation(node, Evaluated::AfterMove, position);
        let code = next.and_then(|next| self.tree[next].mv).map_or(0, |mv| to_code(mv).get());
        let is_played = next.is_some_and(|next| self.main_line.contains(&next));
        let origins = if is_played { Origins::GAME } else { Origins::IMPORT };
        let link = Record { origins, game_ply: position.game_ply().unwrap_or(Record::NO_PLY), ..Record::default() };
        let record = match scored {
            None if code == 0 => return Ok(()),
            None => Record { best: code, time: self.time, ..link },
            Some((score, depth)) => {
                let is_proof = next.is_none_or(|next| self.holds(next, position, score));
                let (lower, upper) = (Claim::new(score, depth), Claim::new(score, depth));
                Record { lower, upper, best: if is_proof { code } else { 0 }, ..link }.found_at(self.time)
            }
        };
        intake.record(&packed(position), &self.file, record)
    }

    /// Whether the move is not known to be worse than the position's evaluation: then it is what the score rests on.
    fn holds(&self, next: NodeId, position: &Position, score: i16) -> bool {
        let Some(mv) = self.tree[next].mv else { return false };
        let after = self.evaluation(next, Evaluated::AfterMove, &position.after(mv));
        after.is_none_or(|(after, depth)| Record::exact(after, depth).from_parent().lower.score >= score)
    }

    /// Takes in what an engine says of its own move.
    fn engine_says(&self, intake: &mut Intake<'_>, node: NodeId, before: &Position) -> Result {
        let Some((score, depth)) = self.evaluation(node, Evaluated::BeforeMove, before) else { return Ok(()) };
        let engine = &self.players[usize::from(before.side_to_move() == Color::Black)];
        let best = self.tree[node].mv.map_or(0, |mv| to_code(mv).get());
        let game_ply = before.game_ply().unwrap_or(Record::NO_PLY);
        let record = Record { best, game_ply, ..Record::exact(score, depth) }.found_at(self.time);
        intake.record(&packed(before), engine, record)
    }

    /// The evaluation in the comment of a move, if it is of this position.
    fn evaluation(&self, node: NodeId, of: Evaluated, position: &Position) -> Option<Scored> {
        let comment = &self.tree[node].comment;
        let is_usable = !comment.is_empty() && position.halfmove_clock() < CLOCK_LIMIT;
        let evaluation = is_usable.then(|| Evaluation::of_comment(comment)).flatten()?;
        let scored = (evaluation.score(position.side_to_move()), evaluation.depth.unwrap_or(0));
        (evaluation.of == of).then_some(scored)
    }

    /// Takes in the words on the position after a move, and those before the first move of a variation.
    fn note(&self, intake: &mut Intake<'_>, node: NodeId, after: &Position) -> Result {
        let node = &self.tree[node];
        if node.comment.is_empty() && node.before.is_empty() {
            return Ok(());
        }
        let words = [&node.before, &node.comment].map(|comment| prose(comment));
        let text = words.into_iter().filter(|words| !words.is_empty() && !pgn_out::is_reference(words));
        let text = text.collect::<Vec<_>>().join(" ");
        if text.is_empty() { Ok(()) } else { intake.note(&packed(after), &self.annotator, &text, self.time) }
    }
}
