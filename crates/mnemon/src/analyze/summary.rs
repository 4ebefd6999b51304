//! The summary of an analysis: the move, what was recalled, what is new, and what the memory saved.

use std::time::Duration;

use indicatif::HumanCount;
use mnemon_engine::search::Info;
use mnemon_memory::policy::Policy;
use mnemon_memory::recall::{Hearsay, RecallSummary};
use mnemon_memory::{Learned, PROVEN, Record};
use mnemon_search::WINS;
use mnemon_table::Bound;

use super::analyst::{Analyst, Findings};
use super::{figures, screen};
use crate::{format, hearsay};
use mnemon_chess::{to_code, variation};
use mnemon_search::Notation;

/// The paragraphs after the table.
pub(super) fn text(findings: &Findings, analyst: &dyn Analyst, width: Option<usize>) -> String {
    let policy = &analyst.terms().policy;
    let mut paragraphs = vec![("Best", best(findings))];
    if analyst.memory().is_some() {
        paragraphs.push(("Remembered", remembered(findings)));
        paragraphs.extend(said(findings).map(|words| ("Said", words)));
        paragraphs.push(("New", new(findings, policy)));
        let is_own = analyst.engine_name().is_none();
        paragraphs.push(("Saved", if is_own { saved(findings, policy) } else { saved_for_others(findings, policy) }));
    }
    let lines = paragraphs.iter().map(|(label, words)| screen::labelled(label, words, width) + "\n");
    std::iter::once("\n".to_owned()).chain(lines).collect()
}

/// What the memory put into the table, before the search.
pub(super) fn recalled(recalled: &RecallSummary) -> String {
    if recalled.entries == 0 && recalled.root.records.is_empty() {
        return "nothing: the memory knows no position of chess that helps here".to_owned();
    }
    let mut text = format!("{} in {}", positions(recalled.entries as u64), figures::time(recalled.time));
    text += &match deepest(recalled) {
        Some(record) => format!(", this one known to depth {}", depth(record.deepest().1)),
        None => ", this one not among them".to_owned(),
    };
    if !recalled.is_complete {
        text += "; there is more, for which there was no time";
    }
    text
}

fn best(findings: &Findings) -> String {
    let Findings { position, best, ponder, last, .. } = findings;
    let Some(best) = *best else {
        let ending = position.ending().unwrap_or("no legal move");
        return format!("none: {ending}");
    };
    let line = variation::text(position, &[best], None);
    let mut text = format!("{line}, {} for {}", figures::score(last.score), position.mover());
    text += &match last.depth {
        0 => " without a search".to_owned(),
        depth => format!(" at depth {}", self::depth(depth)),
    };
    if let Some(reply) = *ponder {
        let after = position.after(best);
        text += &format!("; expecting {}", variation::text(&after, &[reply], None));
    }
    text
}

fn remembered(findings: &Findings) -> String {
    let Some(recalled) = &findings.recalled else {
        let why = match findings.best {
            None => "the game is over",
            Some(_) => "the fifty-move rule is too near, which a memory does not record",
        };
        return format!("nothing was recalled: {why}");
    };
    let Some(record) = deepest(recalled) else {
        return match recalled.entries {
            0 => "nothing: this position is new to the memory".to_owned(),
            count => format!("{}, but not this one", positions(count as u64)),
        };
    };
    let mut text = positions(recalled.entries as u64);
    text += &format!("; this one to depth {}", depth(record.deepest().1));
    if let Some(known) = &findings.known {
        text += &format!(", {}", bounded(known));
    }
    if record.time > 0 {
        text += &format!(
            ", learned {} ({})",
            format::age(record.time, mnemon_memory::unix_time()),
            format::moment(record.time)
        );
    }
    text
}

fn new(findings: &Findings, policy: &Policy) -> String {
    let Learned { merged, deleted } = findings.learned;
    if matches!(policy, Policy::ReadOnly(_)) {
        return "nothing: the memory is only read".to_owned();
    }
    if merged.added + merged.changed + deleted == 0 {
        return match findings.last.nodes {
            0 => "nothing: nothing was searched".to_owned(),
            _ => format!("nothing that was not known and that the policy {} keeps", policy.name()),
        };
    }
    let mut text = format!("{} learned, {} known better", positions(merged.added), HumanCount(merged.changed));
    if deleted > 0 {
        text += &format!(", the {} oldest forgotten", HumanCount(deleted));
    }
    let known = findings.known.as_ref().map_or(0, |known| known.depth);
    match findings.sound_depth {
        Some(depth) if depth > known && resumes(policy) => text += &format!("; this one now to depth {depth}"),
        sound if resumes(policy) && sound < findings.lines.first().map(|line| line.depth) => {
            text += &format!("; the score of depth {} depends on a repetition and is not kept", findings.last.depth);
        }
        _ if findings.lines.is_empty() => text += "; no iteration was finished, but what it found on its way is kept",
        _ => {}
    }
    text
}

/// The depths that need not be searched again, and their nodes if the memory has them.
fn saved(findings: &Findings, policy: &Policy) -> String {
    let record = findings.recalled.as_ref().and_then(deepest);
    let (Some(known), Some(record)) = (&findings.known, record) else {
        return format!("nothing yet{}", promise(findings, policy));
    };
    match findings.first_depth {
        Some(1) => "no depth was left out, but the search met what was recalled wherever it came by".to_owned(),
        Some(first) => {
            let cost = cost(record, findings.speed()).unwrap_or_default();
            format!("depths 1 to {}: this search began with depth {first}{cost}", first - 1)
        }
        None if findings.last.nodes == 0 => {
            format!("the whole search: depth {} was known, and no more was asked for", depth(known.depth))
        }
        None => format!("depths 1 to {}: this search began behind them", depth(known.depth)),
    }
}

/// The same for another engine, which gets its lines back and not its table.
fn saved_for_others(findings: &Findings, policy: &Policy) -> String {
    match &findings.known {
        None if findings.sound_depth.is_some() && resumes(policy) => {
            "nothing yet; the next analysis of this position begins with these lines".to_owned()
        }
        None => "nothing yet".to_owned(),
        Some(known) if findings.last.nodes == 0 => {
            format!("the whole search: depth {} was known, and no more was asked for", depth(known.depth))
        }
        Some(known) => format!(
            "the wait for what was known to depth {}; the engine's own table cannot be filled, so it searched from depth 1",
            depth(known.depth)
        ),
    }
}

/// The depth with which the next analysis of this position will begin.
fn promise(findings: &Findings, policy: &Policy) -> String {
    match findings.sound_depth {
        Some(depth) if findings.lines.len() == 1 && resumes(policy) && !WINS.is_mate(findings.last.score) => {
            format!("; the next analysis of this position begins with depth {}", depth + 1)
        }
        _ => String::new(),
    }
}

/// Whether every root that was searched is kept.
fn resumes(policy: &Policy) -> bool {
    matches!(policy, Policy::Resume(_) | Policy::Tree(_))
}

/// The nodes of the search that the record comes from, if the memory has them.
fn cost(record: &Record, speed: u64) -> Option<String> {
    let time = Duration::from_secs_f64(record.nodes as f64 / speed.max(1) as f64);
    let (nodes, time) = (figures::count(record.nodes), figures::time(time));
    let words = format!("; the score comes from a search of {nodes} nodes ({time} at this speed)");
    (record.nodes > 0 && speed > 0).then_some(words)
}

/// What is believed of the position itself.
pub(super) fn deepest(recalled: &RecallSummary) -> Option<&Record> {
    Some(&recalled.root.value).filter(|value| !value.is_empty())
}

/// What others say of the position whose scores are not believed, and where the search disagrees with a person.
fn said(findings: &Findings) -> Option<String> {
    let position = &findings.position;
    let hearsay = findings.recalled.as_ref().map(|recalled| &recalled.hearsay).filter(|said| !said.is_empty())?;
    let one = |said: &Hearsay| match findings.best {
        Some(best) if said.source.is_person() && ![0, to_code(best).get()].contains(&said.record.best) => {
            hearsay::disagreement(position, said, best)
        }
        _ => hearsay::text(position, said),
    };
    Some(hearsay.iter().map(one).collect::<Vec<_>>().join(". "))
}

/// A score with the sign of a bound.
pub(super) fn bounded(info: &Info) -> String {
    let sign = match info.bound {
        Bound::Exact => "",
        Bound::AtLeast => "≥ ",
        Bound::AtMost => "≤ ",
    };
    format!("{sign}{}", figures::score(info.score))
}

/// A depth beyond any search's says that a score is proven.
pub(super) fn depth(depth: u8) -> String {
    if depth >= 127 || depth == PROVEN { "∞".to_owned() } else { depth.to_string() }
}

fn positions(count: u64) -> String {
    format!("{} position{}", HumanCount(count), format::plural(count))
}
