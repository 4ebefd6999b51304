//! The totals of annotated games, as text and as JSON objects.

use std::time::Duration;

use indicatif::HumanCount;
use serde::Serialize;

use super::analyst::Findings;
use super::annotate::JudgedMove;
use super::figures;
use super::objects::{Points, ResultMembers, side};
use crate::format::plural;
use mnemon_chess::pgn::PgnGame;

/// One side's moves in a game.
#[derive(Debug, Default, Serialize)]
pub(super) struct Side {
    pub(super) moves: u64,
    /// Those that the engine would have played.
    engine_moves: u64,
    /// Hundredths of a pawn, in all.
    loss_cp: u64,
    inaccuracies: u64,
    mistakes: u64,
    blunders: u64,
}

impl Side {
    pub(super) fn add(&mut self, judged: &JudgedMove<'_>) {
        self.moves += 1;
        self.engine_moves += u64::from(judged.is_choice());
        self.loss_cp += u64::from(judged.loss().unsigned_abs());
        match judged.mark() {
            "?!" => self.inaccuracies += 1,
            "?" => self.mistakes += 1,
            "??" => self.blunders += 1,
            _ => {}
        }
    }

    pub(super) fn text(&self) -> String {
        let Side { moves, engine_moves, loss_cp, inaccuracies, mistakes, blunders } = *self;
        if moves == 0 {
            return "no moves".to_owned();
        }
        let average = loss_cp as f64 / moves as f64 / 100.0;
        format!(
            "{engine_moves} of {moves} moves as the engine's, {average:.2} lost a move; {inaccuracies} ?!, {mistakes} ?, \
             {blunders} ??"
        )
    }
}

/// What the searches of a file cost, and what was learned.
#[derive(Default, Serialize)]
pub(super) struct Effort {
    nodes: u64,
    milliseconds: u64,
    learned: u64,
    improved: u64,
}

impl Effort {
    pub(super) fn add(&mut self, findings: &Findings) {
        self.nodes += findings.last.nodes;
        self.milliseconds += findings.last.time.as_millis() as u64;
        self.learned += findings.learned.merged.added;
        self.improved += findings.learned.merged.changed;
    }

    pub(super) fn text(&self) -> String {
        let Effort { nodes, milliseconds, learned, improved } = *self;
        let time = figures::time(Duration::from_millis(milliseconds));
        let mut text = format!("{} nodes in {time}", figures::count(nodes));
        if learned + improved > 0 {
            text += &format!("; {} positions learned, {} known better", HumanCount(learned), HumanCount(improved));
        }
        text
    }
}

/// All games of a file.
#[derive(Default, Serialize)]
#[serde(tag = "type", rename = "total")]
pub(super) struct Total {
    pub(super) games: u64,
    pub(super) moves: u64,
    #[serde(flatten)]
    pub(super) effort: Effort,
}

impl Total {
    pub(super) fn text(&self) -> String {
        let Total { games, moves, effort } = self;
        let (of_games, of_moves, effort) = (plural(*games), plural(*moves), effort.text());
        format!("{games} game{of_games}, {moves} move{of_moves}; {effort}. Scores are for White.")
    }
}

/// The beginning of a game.
#[derive(Serialize)]
#[serde(tag = "type", rename = "game")]
pub(super) struct GameObject<'g> {
    game: u64,
    white: Option<&'g str>,
    black: Option<&'g str>,
    event: Option<&'g str>,
    date: Option<&'g str>,
    result: Option<&'g str>,
    start: String,
    plies: usize,
    fault: Option<String>,
}

impl<'g> GameObject<'g> {
    pub(super) fn new(game: &'g PgnGame) -> Self {
        let tag = |name| game.tag(name);
        let (white, black, event) = (tag("White"), tag("Black"), tag("Event"));
        let (date, result, fault) = (tag("Date"), tag("Result"), game.error.as_ref().map(ToString::to_string));
        let (start, plies) = (game.start.to_string(), game.moves.len());
        GameObject { game: game.number, white, black, event, date, result, start, plies, fault }
    }
}

/// A move of a game.
#[derive(Serialize)]
#[serde(tag = "type", rename = "move")]
pub(super) struct MoveObject {
    game: u64,
    move_number: u16,
    side: &'static str,
    played: String,
    played_san: String,
    played_score: Points,
    loss_cp: i32,
    mark: &'static str,
    /// Only in a variation, which no player has played.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    variation: bool,
    #[serde(flatten)]
    result: ResultMembers,
}

impl MoveObject {
    pub(super) fn new(game: u64, judged: &JudgedMove<'_>, variation: bool) -> Self {
        let position = judged.position();
        MoveObject {
            game,
            move_number: position.fullmove_number(),
            side: side(position),
            played: position.uci(judged.played),
            played_san: position.san(judged.played),
            played_score: Points::new(judged.score),
            loss_cp: judged.loss(),
            mark: judged.mark(),
            variation,
            result: ResultMembers::new(judged.before),
        }
    }
}

/// The end of a game.
#[derive(Serialize)]
#[serde(tag = "type", rename = "game_total")]
pub(super) struct GameTotalObject<'s> {
    pub(super) game: u64,
    pub(super) white: &'s Side,
    pub(super) black: &'s Side,
}
