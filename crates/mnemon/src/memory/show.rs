//! `mnemon memory show`: a position, what each source thinks of it, and what is known of each move.

use std::cmp::Reverse;

use clap::Args;
use mnemon_memory::{Claim, Record, Source};
use mnemon_search::WINS;
use mnemon_table::Window;
use serde::Serialize;

use super::asked::Asked;
use super::columns::aligned;
use super::json::{self, Ends, Who};
use super::notation::{Position, to_hex};
use super::place::{self, Place};
use super::subtree::{self, Views};
use super::words;
use crate::{Result, output};

/// Of what.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    asked: Asked,
    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, place: &Place) -> Result<bool> {
    let position = arguments.asked.position()?;
    let store = place.for_reading()?;
    let moves = known_moves(&store, &*position)?;
    let mut views = subtree::views_of(&store, &*position)?;
    views.sort_by_key(|(_, record)| Reverse(trust(record)));
    if arguments.json {
        let memory = place.path().display().to_string();
        output::say(json::line(&Object::new(&memory, &*position, &views, &moves))?)?;
    } else {
        output::show(&text(&*position, &views, &moves))?;
    }
    place::is_sound(&store)
}

/// A move that leads to a position of which something is known.
struct Known {
    code: u16,
    after: Box<dyn Position>,
    /// What each source says of the move, for the side that plays it, the deepest first.
    views: Views,
}

impl Known {
    /// How good the move is for the side that plays it, by what was searched deepest; a move that is at most so good
    /// comes after one that is at least so good.
    fn worth(&self) -> (Option<i16>, bool) {
        let (window, _) = self.views.first().map_or((Window::UNKNOWN, 0), |(_, record)| record.window());
        match window {
            Window { lower: Window::NO_LOWER, upper: Window::NO_UPPER } => (None, false),
            Window { lower: Window::NO_LOWER, upper } => (Some(upper), false),
            Window { lower, .. } => (Some(lower), true),
        }
    }
}

/// The moves of which something is known, the best first.
fn known_moves(store: &dyn mnemon_memory::Store, position: &dyn Position) -> Result<Vec<Known>> {
    let children = position.children();
    let packed: Vec<Vec<u8>> = children.iter().map(|(_, after)| after.packed()).collect();
    let views = subtree::views(store, &position.game(), &packed)?;
    let mut moves = Vec::new();
    for ((code, after), views) in children.into_iter().zip(views) {
        if !views.is_empty() {
            let mut views: Views = views.into_iter().map(|(source, record)| (source, one_ply_up(record))).collect();
            views.sort_by_key(|(_, record)| Reverse(trust(record)));
            moves.push(Known { code, after, views });
        }
    }
    moves.sort_by_key(|known| Reverse(known.worth()));
    Ok(moves)
}

/// How far a record can be trusted.
fn trust(record: &Record) -> u8 {
    record.lower.depth.max(record.upper.depth)
}

/// What a record says to the side that played the last move: its ends change places and signs, and wins are one ply
/// farther away.
fn one_ply_up(record: Record) -> Record {
    let turned = |claim: Claim| Claim::new(-WINS.to_root(Window::exact(claim.score), 1).lower, claim.depth);
    let known = |claim: Claim, otherwise| if claim.is_known() { turned(claim) } else { otherwise };
    let (lower, upper) = (known(record.upper, Claim::NO_LOWER), known(record.lower, Claim::NO_UPPER));
    Record { lower, upper, ..record }
}

fn text(position: &dyn Position, views: &Views, moves: &[Known]) -> String {
    let mut text = format!("{}  {}\n\n{}\n", position.game(), position.text(), position.draw());
    if position.is_known() {
        text += &format!("To move: {}\n", position.mover());
    }
    if let Some(ending) = position.ending() {
        text += &format!("{}{}\n", ending[..1].to_uppercase(), &ending[1..]);
    }
    if views.is_empty() && moves.is_empty() {
        return text + "Nothing is known of this position and its moves.\n";
    }
    text += &format!("Scores are for {}.\n", position.mover());
    let now = words::now();
    if views.is_empty() {
        text += "\nNothing is known of the position itself.\n";
    } else {
        let rows: Vec<_> = views.iter().map(|(source, record)| row(position, position, source, record, now)).collect();
        text += "\nThe position\n";
        text += &aligned(["score", "depth", "best", "source", "age", "origin"], &rows);
    }
    if !moves.is_empty() {
        text += "\nMoves\n";
        text +=
            &aligned(["move", "score", "depth", "reply", "source", "age", "origin"], &move_rows(position, moves, now));
    }
    text
}

fn move_rows(position: &dyn Position, moves: &[Known], now: u32) -> Vec<[String; 7]> {
    let of_move = |known: &Known| -> Vec<[String; 7]> {
        let name = position.write_move(known.code).unwrap_or_default();
        let with_name = |(source, record): &(Source, Record)| {
            let [score, depth, reply, source, age, origin] = row(position, &*known.after, source, record, now);
            [name.clone(), score, depth, reply, source, age, origin]
        };
        known.views.iter().map(with_name).collect()
    };
    moves.iter().flat_map(of_move).collect()
}

/// A record in words. Its scores are for the side to move in `position`, its best move is played in `after`.
fn row(position: &dyn Position, after: &dyn Position, source: &Source, record: &Record, now: u32) -> [String; 6] {
    [
        words::score(position, record),
        words::depths(record),
        words::best(after, record),
        words::source(source),
        words::age(record.time, now),
        words::origins(record.origins),
    ]
}

/// The members of the JSON object.
#[derive(Serialize)]
struct Object<'a> {
    memory: &'a str,
    game: String,
    position: String,
    packed: String,
    /// Whose view every score is, also those of the moves.
    scores_for: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ending: Option<&'static str>,
    records: Vec<View>,
    moves: Vec<Move>,
}

#[derive(Serialize)]
struct Move {
    #[serde(rename = "move")]
    name: Option<String>,
    code: u16,
    position: String,
    packed: String,
    records: Vec<View>,
}

#[derive(Serialize)]
struct View {
    source: Who,
    score: String,
    #[serde(flatten)]
    ends: Ends,
    #[serde(skip_serializing_if = "Option::is_none")]
    best_move: Option<String>,
    origins: Vec<&'static str>,
    time: u32,
}

impl View {
    fn new(position: &dyn Position, after: &dyn Position, (source, record): &(Source, Record)) -> Self {
        View {
            source: Who::new(source),
            score: words::score(position, record),
            ends: Ends::new(record),
            best_move: after.write_move(record.best),
            origins: record.origins.names().collect(),
            time: record.time,
        }
    }
}

impl<'a> Object<'a> {
    fn new(memory: &'a str, position: &dyn Position, views: &Views, moves: &[Known]) -> Self {
        let of_move = |known: &Known| Move {
            name: position.write_move(known.code),
            code: known.code,
            position: known.after.text(),
            packed: to_hex(&known.after.packed()),
            records: known.views.iter().map(|view| View::new(position, &*known.after, view)).collect(),
        };
        Object {
            memory,
            game: position.game().to_string(),
            position: position.text(),
            packed: to_hex(&position.packed()),
            scores_for: position.mover(),
            ending: position.ending(),
            records: views.iter().map(|view| View::new(position, position, view)).collect(),
            moves: moves.iter().map(of_move).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_ply_up_the_ends_change_places_and_a_mate_is_farther_away() {
        let record = Record { lower: Claim::new(20, 9), upper: Claim::new(50, 7), ..Record::default() };
        let up = one_ply_up(record);
        assert_eq!((up.lower, up.upper), (Claim::new(-50, 7), Claim::new(-20, 9)));
        let at_least = one_ply_up(Record::between(Window::at_least(20), 9));
        assert_eq!((at_least.lower, at_least.upper), (Claim::NO_LOWER, Claim::new(-20, 9)));
        // Mated on the spot is a mate in one ply for the side that played the move.
        let mated = one_ply_up(Record::exact(WINS.lost_at(0), 0));
        assert_eq!(WINS.plies(mated.lower.score), Some(1));
    }
}
