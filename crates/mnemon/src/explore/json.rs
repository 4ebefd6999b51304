//! An exploration as JSON objects, one a line. Their members are described in docs/explore.md and do not change their
//! meaning.

use std::path::Path;

use mnemon_explore::grow::{Evaluation, Explored, Job, Learned, MainLine, Overview, move_texts};
use mnemon_search::Notation;
use mnemon_table::Score;
use serde_json::{Value, json};

use super::watcher::Tally;
use crate::figures;

/// A score for the side to move: hundredths of a pawn, moves to a mate, or points.
fn score<G: Explored>(score: Score) -> Value {
    match figures::mate(score) {
        Some(moves) => json!({ "mate": moves }),
        None if G::IS_PROOF => json!({ "points": score }),
        None => json!({ "cp": score }),
    }
}

fn root<G: Explored>(overview: &Overview) -> Value {
    json!({
        "score": overview.score.map(score::<G>),
        "settled": overview.is_settled,
        "line": overview.line,
        "positions": overview.by_ply.iter().sum::<usize>(),
        "by_ply": overview.by_ply,
    })
}

pub(super) fn begun<G: Explored + Notation>(tally: &Tally<G>, engines: &[String], memory: &Path) -> Value {
    json!({
        "type": "explore",
        "game": G::name(),
        "position": tally.root.write(),
        "scores_for": "side to move at the root",
        "engines": engines,
        "memory": memory.display().to_string(),
        "root": root::<G>(&tally.now),
    })
}

pub(super) fn searched<G: Explored + Notation>(
    tally: &Tally<G>,
    job: &Job<G>,
    found: &Evaluation,
    learned: Learned,
) -> Value {
    let proven = found.proven.map(|window| [score::<G>(window.lower), score::<G>(window.upper)]);
    json!({
        "type": "search",
        "position": job.position.write(),
        "line": move_texts(&tally.root, &job.line),
        "moves": if job.is_rest() { "rest" } else { "all" },
        "among": job.request().moves.len(),
        "cost": job.cost,
        "score": found.lines.first().map(|line| score::<G>(line.window().lower)),
        "proven": proven,
        "pv": found.lines.first().map(|line| move_texts(&job.position, line.moves())),
        "depth": found.depth,
        "nodes": found.nodes,
        "learned": learned.has_learned,
        "milliseconds": tally.start.elapsed().as_millis() as u64,
        "root": root::<G>(&tally.now),
    })
}

pub(super) fn ended<G: Explored + Notation>(tally: &Tally<G>, lines: &[MainLine], why: &str) -> Value {
    let lines: Vec<Value> = lines
        .iter()
        .map(|main| json!({ "score": score::<G>(main.score), "line": main.line, "searched": main.is_in_tree }))
        .collect();
    json!({
        "type": "end",
        "why": why,
        "searches": tally.searches,
        "nodes": tally.nodes,
        "milliseconds": tally.start.elapsed().as_millis() as u64,
        "changes": tally.changes.len().saturating_sub(1),
        "before": root::<G>(&tally.before),
        "root": root::<G>(&tally.now),
        "lines": lines,
    })
}
