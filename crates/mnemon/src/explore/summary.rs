//! What is said before and after an exploration.

use std::path::Path;

use mnemon_explore::grow::{Explored, MainLine, Outcome};
use mnemon_search::Notation;

use super::watcher::Tally;
use crate::format::plural;
use crate::{figures, screen};

/// The root, the engines and the memory, and what is known.
pub(super) fn head<G: Explored + Notation>(tally: &Tally<G>, engines: &[String], memory: &Path) -> String {
    let root = tally.root.write().unwrap_or_else(|| "a position that no game reaches".to_owned());
    let known = match tally.now.score {
        Some(score) => {
            let score = G::write_score(score);
            format!("{score} by {}; {}", line(&tally.now.line), positions(tally.positions()))
        }
        None => "nothing".to_owned(),
    };
    paragraphs(&[
        ("Root", format!("{root} ({} to move)", tally.root.mover())),
        ("Engine", engines.join(", ")),
        ("Memory", memory.display().to_string()),
        ("Known", known),
    ])
}

/// Why it ended, what changed, and the main lines.
pub(super) fn summary<G: Explored + Notation>(tally: &Tally<G>, lines: &[MainLine], why: &str) -> String {
    let barren = match tally.barren {
        0 => String::new(),
        1 => "; one found nothing that may be kept".to_owned(),
        count => format!("; {count} found nothing that may be kept"),
    };
    let searches = format!(
        "{} in {}, {:.0} a minute, {} nodes{barren}",
        tally.searches,
        figures::time(tally.start.elapsed()),
        tally.rate(),
        figures::count(tally.nodes),
    );
    let tree = format!("{}, {} new, by ply {}", positions(tally.positions()), tally.added(), by_ply(&tally.now.by_ply));
    let mut text = paragraphs(&[
        ("Ended", why.to_owned()),
        ("Value", value(tally)),
        ("Main line", line(&tally.now.line)),
        ("Tree", tree),
        ("Searches", searches),
    ]);
    let width = screen::width();
    for (number, main) in lines.iter().enumerate() {
        let label = if number == 0 { "Best moves" } else { "" };
        let note = if main.is_in_tree { "" } else { " (not searched by itself)" };
        let words = format!("{:>6}  {}{note}", G::write_score(main.score), main.line.join(" "));
        text += "\n";
        text += &screen::labelled(label, &words, width);
    }
    text
}

/// The root's value and move, and what they were before.
fn value<G: Explored + Notation>(tally: &Tally<G>) -> String {
    let text = |overview: &mnemon_explore::grow::Overview| {
        let score = overview.score?;
        let verdict = tally.root.verdict(score).filter(|_| overview.is_settled);
        let verdict = verdict.map_or_else(String::new, |verdict| format!(" ({verdict})"));
        let best = overview.line.first().map_or_else(String::new, |best| format!(" by {best}"));
        Some(format!("{}{verdict}{best}", G::write_score(score)))
    };
    let changes = tally.changes.len().saturating_sub(1);
    match (text(&tally.before), text(&tally.now)) {
        (_, None) => "not searched yet".to_owned(),
        (None, Some(now)) => format!("{now}; changed {}", times(changes)),
        (Some(before), Some(now)) if before == now => format!("{now}, as before; changed {}", times(changes)),
        (Some(before), Some(now)) => format!("{now}; before {before}; changed {}", times(changes)),
    }
}

fn times(count: usize) -> String {
    match count {
        0 => "not at all".to_owned(),
        1 => "once".to_owned(),
        count => format!("{count} times"),
    }
}

/// Why the exploration ended.
pub(super) fn why<G>(outcome: &Outcome, tally: &Tally<G>, was_pressed: bool) -> String {
    let text = match outcome {
        Outcome::Stopped if was_pressed => "by Ctrl-C",
        Outcome::Stopped => "stopped",
        Outcome::Limit => "the limit is reached",
        Outcome::Complete if tally.now.is_settled => "the root is proven",
        Outcome::Complete => "nothing is left to search within the limits",
        Outcome::NoEngine(_) => "no engine is left",
        Outcome::Memory(_) => "the memory failed",
    };
    text.to_owned()
}

/// A line with its length.
pub(super) fn line(moves: &[String]) -> String {
    match moves.len() {
        0 => "-".to_owned(),
        length => format!("{} ({length} pl{})", moves.join(" "), if length == 1 { "y" } else { "ies" }),
    }
}

/// The positions at each distance from the root.
pub(super) fn by_ply(counts: &[usize]) -> String {
    let texts: Vec<String> = counts.iter().map(usize::to_string).collect();
    if texts.is_empty() { "-".to_owned() } else { texts.join(" ") }
}

/// A number of positions.
pub(super) fn positions(count: usize) -> String {
    format!("{count} position{}", plural(count as u64))
}

fn paragraphs(paragraphs: &[(&str, String)]) -> String {
    let width = screen::width();
    let lines: Vec<String> = paragraphs.iter().map(|(label, words)| screen::labelled(label, words, width)).collect();
    lines.join("\n")
}
