//! `--pgn`: each move of a game beside the engine's choice, and what it loses.

use std::process::ExitCode;

use indicatif::ProgressBar;
use mnemon_chess::{Color, Move, Position, variation};
use mnemon_search::WINS;
use mnemon_table::{Score, Window};

use super::analyst::{Analyst, Findings};
use super::annotated_file::{AnnotatedFile, Remark};
use super::played_line::PlayedLine;
use super::suite::{Unobserved, print_errors};
use super::tally::{GameObject, GameTotalObject, MoveObject, Side, Total};
use super::{Arguments, exit_code, figures, screen, with_moves};
use crate::{Result, output, progress};
use mnemon_chess::pgn::{PgnGame, PgnReader};

/// Scores beyond this, in hundredths of a pawn, count as this: the game is decided, and nothing more can be lost.
const DECIDED: i32 = 600;

/// The least loss, in hundredths of a pawn, for each mark.
const MARKS: [(i32, &str); 3] = [(200, "??"), (100, "?"), (50, "?!")];

pub(super) fn run(arguments: &Arguments, mut games: PgnReader, analyst: &mut dyn Analyst) -> Result<ExitCode> {
    let mut file = arguments.annotate.as_deref().map(AnnotatedFile::create).transpose()?;
    let (mut total, mut is_fine) = (Total::default(), true);
    while let Some(game) = games.next() {
        let game = game?;
        if analyst.is_interrupted() && file.is_none() {
            break;
        }
        let mut remarks = Vec::new();
        if !analyst.is_interrupted() {
            total.games += 1;
            is_fine &= report_errors(games.name(), &game);
            if game.error.is_none() || !game.moves.is_empty() {
                is_fine &= annotate(arguments, &game, analyst, &mut total, &mut remarks)?;
            }
        }
        // After an interrupt the other games are written as they are: none is missing.
        if let Some(file) = &mut file {
            file.add(&game, remarks, &format!("mnemon {}", env!("CARGO_PKG_VERSION")))?;
        }
    }
    file.map_or(Ok(()), AnnotatedFile::finish)?;
    output::say(if arguments.json { output::json_line(&total)? } else { total.text() })?;
    Ok(exit_code(analyst, is_fine))
}

/// Says what is wrong with a game; true if nothing is.
fn report_errors(file: &str, game: &PgnGame) -> bool {
    let rest = if game.moves.is_empty() { "" } else { "; the moves before it are analysed" };
    let main = game.error.iter().map(|error| format!("{file}: game {}: {error}{rest}", game.number));
    let variations = game.tree.iter().flat_map(|tree| &tree.errors);
    let variations = variations.map(|error| format!("{file}: game {}: in a variation: {error}", game.number));
    let errors: Vec<String> = main.chain(variations).collect();
    print_errors(&errors);
    errors.is_empty()
}

/// Judges the moves of a game, and of its variations if they are wanted; true if no error was reported.
fn annotate(
    arguments: &Arguments,
    game: &PgnGame,
    analyst: &mut dyn Analyst,
    total: &mut Total,
    remarks: &mut Vec<Remark>,
) -> Result<bool> {
    let variations = game.tree.as_ref().filter(|_| arguments.variations).map(PlayedLine::variations);
    let mut is_fine = true;
    for line in std::iter::once(PlayedLine::main(game)).chain(variations.into_iter().flatten()) {
        if line.is_variation && analyst.is_interrupted() {
            break;
        }
        let mut annotator = Annotator::new(arguments, game, line);
        is_fine &= annotator.annotate(analyst, total)?;
        remarks.append(&mut annotator.remarks);
    }
    Ok(is_fine)
}

/// A move that was played, judged.
pub(super) struct JudgedMove<'g> {
    /// What the engine found in the position before it.
    pub(super) before: &'g Findings,
    pub(super) played: Move,
    /// Its score for the side that played it.
    pub(super) score: Score,
}

impl JudgedMove<'_> {
    pub(super) fn position(&self) -> &Position {
        &self.before.position
    }

    pub(super) fn is_choice(&self) -> bool {
        self.before.best == Some(self.played)
    }

    /// Hundredths of a pawn that the move gives away.
    pub(super) fn loss(&self) -> i32 {
        let limited = |score: Score| i32::from(score).clamp(-DECIDED, DECIDED);
        if self.is_choice() { 0 } else { (limited(self.before.last.score) - limited(self.score)).max(0) }
    }

    pub(super) fn mark(&self) -> &'static str {
        MARKS.into_iter().find(|(least, _)| self.loss() >= *least).map_or("", |(_, mark)| mark)
    }
}

/// The table of one line of a game.
struct Annotator<'g> {
    game: &'g PgnGame,
    line: PlayedLine,
    /// The plies whose moves are to be judged.
    plies: std::ops::Range<usize>,
    json: bool,
    width: Option<usize>,
    sides: [Side; 2],
    remarks: Vec<Remark>,
}

impl<'g> Annotator<'g> {
    fn new(arguments: &Arguments, game: &'g PgnGame, line: PlayedLine) -> Self {
        let numbers = arguments.from_move..=arguments.to_move;
        let first =
            2 * usize::from(game.start.fullmove_number()) + usize::from(game.start.side_to_move() == Color::Black);
        let is_meant = |ply: &usize| u16::try_from((first + ply) / 2).is_ok_and(|number| numbers.contains(&number));
        let mut meant = (line.first..line.moves.len()).filter(is_meant);
        let plies = meant.next().map_or(0..0, |from| from..meant.next_back().unwrap_or(from) + 1);
        let (json, width, sides) = (arguments.json, screen::width(), Default::default());
        Annotator { game, line, plies, json, width, sides, remarks: Vec::new() }
    }

    /// Analyses each position and judges each move; true if no error was reported.
    fn annotate(&mut self, analyst: &mut dyn Analyst, total: &mut Total) -> Result<bool> {
        let bar = progress::bar(self.plies.len() as u64, "moves");
        if !self.json {
            self.say(&bar, &self.head())?;
        } else if !self.line.is_variation {
            self.say(&bar, &output::json_line(&GameObject::new(self.game))?)?;
        }
        let (mut before, mut is_fine): (Option<Findings>, bool) = (None, true);
        let mut history = with_moves(self.game.start.clone(), &self.line.moves[..self.plies.start]);
        for ply in self.plies.start..=self.plies.end {
            let last = before.take();
            let played = last.as_ref().map(|_| self.line.moves[ply - 1]);
            let is_choice = last.as_ref().is_some_and(|last| last.best == played);
            // The score after the last move is needed only to judge that move.
            if self.plies.is_empty() || analyst.is_interrupted() || ply == self.plies.end && is_choice {
                self.judge(&bar, last.as_ref().filter(|_| is_choice), played, (ply, None))?;
                break;
            }
            let now = analyst.analyse(history.clone(), &mut Unobserved)?;
            total.effort.add(&now);
            is_fine &= now.failures.is_empty();
            bar.suspend(|| print_errors(&now.failures));
            // The score of an interrupted search judges no move.
            let judge = Some((now.last.score, now.last.depth)).filter(|_| !analyst.is_interrupted());
            self.judge(&bar, last.as_ref().filter(|_| is_choice || judge.is_some()), played, (ply, judge))?;
            before = Some(now);
            if let Some(&next) = self.line.moves.get(ply) {
                history.play(next);
            }
        }
        bar.finish_and_clear();
        total.moves += self.sides.iter().map(|side| side.moves).sum::<u64>();
        let text = match (self.line.is_variation, self.json) {
            (true, true) => return Ok(is_fine),
            (true, false) => String::new(),
            (false, true) => output::json_line(&self.closing())?,
            (false, false) => self.foot(),
        };
        output::say(output::escape_controls(&text))?;
        Ok(is_fine)
    }

    fn say(&self, bar: &ProgressBar, text: &str) -> Result {
        Ok(bar.suspend(|| output::say(output::escape_controls(text)))?)
    }

    /// Judges the move that was played in the position of `before`; `after` is the score and depth of the position that it
    /// led to, at this ply of the game.
    fn judge(
        &mut self,
        bar: &ProgressBar,
        before: Option<&Findings>,
        played: Option<Move>,
        (ply, after): (usize, Option<(Score, u8)>),
    ) -> Result {
        let (Some(before), Some(played)) = (before, played) else { return Ok(()) };
        let score = match after {
            Some((after, _)) if before.best != Some(played) => from_parent(after),
            _ => before.last.score,
        };
        let judged = JudgedMove { before, played, score };
        self.sides[before.position.side_to_move() as usize].add(&judged);
        self.remarks.extend(self.line.node(ply - 1).map(|node| Remark::new(node, &judged, after)));
        bar.inc(1);
        self.say(
            bar,
            &if self.json {
                output::json_line(&MoveObject::new(self.game.number, &judged, self.line.is_variation))?
            } else {
                self.row(&judged)
            },
        )
    }

    fn head(&self) -> String {
        if self.line.is_variation {
            let before = variation::text(&self.game.start, &self.line.moves[..self.line.first], None);
            let place = if before.is_empty() { "at the start".to_owned() } else { format!("after {before}") };
            return format!("Variation {place}\n");
        }
        let tag = |name| self.game.tag(name);
        let players = format!("{} - {}", tag("White").unwrap_or("White"), tag("Black").unwrap_or("Black"));
        let more = ["Event", "Site", "Date", "Result"].into_iter().filter_map(tag);
        let tags: Vec<&str> = std::iter::once(players.as_str()).chain(more).collect();
        let columns = row("move", "", ["score", "engine", "score", "loss"], "better was");
        format!("Game {}: {}\n\n{columns}", self.game.number, tags.join(", "))
    }

    /// A move of the game, with scores for White.
    fn row(&self, judged: &JudgedMove<'_>) -> String {
        let position = judged.position();
        let for_white =
            |score: Score| figures::score(if position.side_to_move() == Color::White { score } else { -score });
        let (played, best) = (for_white(judged.score), for_white(judged.before.last.score));
        let engine = judged.before.best.map_or_else(String::new, |mv| position.san(mv));
        let loss = if judged.is_choice() { "-".to_owned() } else { format!("{:.2}", f64::from(judged.loss()) / 100.0) };
        let san = format!("{}{}", position.san(judged.played), judged.mark());
        let taken = row("", "", [""; 4], "").chars().count();
        let room = self.width.map(|width| width.saturating_sub(taken));
        let pv = &judged.before.last.pv;
        let better = if judged.mark().is_empty() { String::new() } else { variation::text(position, pv, room) };
        let text = row(&variation::move_number(position), &san, [&played, &engine, &best, &loss], &better);
        text.trim_end().to_owned()
    }

    fn foot(&self) -> String {
        let [white, black] = &self.sides;
        format!("\nWhite  {}\nBlack  {}\n", white.text(), black.text())
    }

    fn closing(&self) -> GameTotalObject<'_> {
        let [white, black] = &self.sides;
        GameTotalObject { game: self.game.number, white, black }
    }
}

/// A position's score for the side that has just moved, with mates one ply farther.
fn from_parent(score: Score) -> Score {
    -WINS.to_root(Window::exact(score), 1).lower
}

fn row(number: &str, san: &str, [played, engine, best, loss]: [&str; 4], better: &str) -> String {
    format!("{number:>6}{san:<10} {played:>7}  {engine:<8} {best:>7} {loss:>6}  {better}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_is_one_ply_farther_for_the_side_that_moves_into_it() {
        assert_eq!(WINS.plies(from_parent(WINS.lost_at(0))), Some(1));
        assert_eq!(WINS.plies(from_parent(-WINS.lost_at(3))), Some(-4));
        assert_eq!(from_parent(35), -35);
    }
}
