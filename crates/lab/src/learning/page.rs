//! The page of results.

use std::fmt::Write as _;

use super::Arguments;
use super::schedule::{Learner, Schedule};
use crate::play::SideResult;
use crate::results::{Grid, Page};
use crate::statistics::{Interval, student_mean, wilson};

/// A learner's result in one line, reported before the next learner begins.
pub(super) fn summary(learner: &Learner) -> String {
    let score = score(&learner.rounds);
    format!("{}: {:.3} ({:.3} to {:.3}), {} records", learner.name, score.mean, score.low, score.high, learner.records)
}

/// The score of each round, by learner.
pub(super) fn scores(learners: &[Learner]) -> Grid {
    let rounds = learners.first().map_or(0, |learner| learner.rounds.len());
    let row = |round: usize| {
        let scores = learners.iter().map(|learner| score(&learner.rounds[round..=round]).mean);
        ((round + 1).to_string(), scores.collect())
    };
    Grid {
        corner: "round".to_owned(),
        columns: learners.iter().map(|learner| learner.name.to_owned()).collect(),
        rows: (0..rounds).map(row).collect(),
    }
}

/// The page of results; the first learner does not learn.
pub(super) fn page(arguments: &Arguments, schedule: &Schedule, learners: &[Learner]) -> String {
    let Some((off, others)) = learners.split_first() else { return String::new() };
    let page = Page {
        title: "Learning from games",
        conclusion: conclusion(off, others),
        table: gains(off, others),
        command: arguments.command(),
        method: method(schedule),
        details: format!(
            "## Score in each round\n\nPoints a game, with the interval that holds the expected score in at least 95 of 100 \
             cases.\n\n{}\n![Score in each round](learning.svg)\n",
            by_round(learners),
        ),
    };
    page.to_string()
}

fn method(schedule: &Schedule) -> String {
    format!(
        "The experiment of \"Learning in Bebe\" (Scherzer, Scherzer and Tjaden 1990): {} rounds against the same opponent, in \
         each {} games, from {} openings with both colours. The learner searches {} nodes a move, the opponent, the same \
         engine without a memory, {}; then come {} rounds against a stranger with {} nodes, during which nothing is learned. \
         Opponents' nodes vary by up to {} % from move to move, so that games are similar but not the same; they vary alike \
         for all learners. Before each game everything but the memory is cleared. Games end by the rules, when both sides \
         have given one side 8 pawns for four plies in turn, or as draws after 240 plies.\n\n{METHOD}",
        schedule.rounds,
        schedule.openings.len() * 2,
        schedule.openings.len(),
        schedule.nodes,
        schedule.opponent_nodes,
        schedule.stranger_rounds,
        schedule.stranger_nodes,
        schedule.variation,
    )
}

/// The score of some rounds.
pub(super) fn score(rounds: &[Vec<SideResult>]) -> Interval {
    wilson(rounds.iter().flatten().map(|result| result.points()))
}

/// The points a game that a learner has more than one without learning in the same games. A game is similar in every
/// round, so the openings with their colours count as the independent trials.
fn gain(learner: &[Vec<SideResult>], off: &[Vec<SideResult>]) -> Interval {
    let games = learner.first().map_or(0, Vec::len);
    let of_game = |game: usize| {
        let differences = learner.iter().zip(off).map(|(learner, off)| learner[game].points() - off[game].points());
        differences.sum::<f64>() / learner.len() as f64
    };
    student_mean(&(0..games).map(of_game).collect::<Vec<_>>())
}

/// The first third of the rounds, and the last.
fn thirds(rounds: &[Vec<SideResult>]) -> [&[Vec<SideResult>]; 2] {
    let third = rounds.len().div_ceil(3);
    [&rounds[..third], &rounds[rounds.len() - third..]]
}

fn gains(off: &Learner, others: &[Learner]) -> String {
    let mut text =
        "| policy | score | gain, all rounds | first third | last third | score against the stranger | gain | \
                    records |\n|---|--:|--:|--:|--:|--:|--:|--:|\n"
            .to_owned();
    let stranger = |learner: &Learner| interval_text(&score(&learner.stranger));
    let off_score = interval_text(&score(&off.rounds));
    let _ = writeln!(text, "| off | {off_score} | | | | {} | | {} |", stranger(off), off.records);
    for learner in others {
        let [first, last] = [0, 1].map(|third| gain(thirds(&learner.rounds)[third], thirds(&off.rounds)[third]));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            learner.name,
            interval_text(&score(&learner.rounds)),
            gain_text(&gain(&learner.rounds, &off.rounds)),
            gain_text(&first),
            gain_text(&last),
            stranger(learner),
            gain_text(&gain(&learner.stranger, &off.stranger)),
            learner.records,
        );
    }
    text + "\nPoints a game, and how much more than without learning, with 95 % intervals.\n"
}

fn interval_text(interval: &Interval) -> String {
    format!("{:.3} ({:.2} to {:.2})", interval.mean, interval.low, interval.high)
}

fn gain_text(interval: &Interval) -> String {
    if !interval.low.is_finite() {
        return "not measured".to_owned();
    }
    format!("{:+.3} ({:+.2} to {:+.2})", interval.mean, interval.low, interval.high)
}

/// Which gains are more than chance.
fn conclusion(off: &Learner, others: &[Learner]) -> String {
    let last = |learner: &Learner| gain(thirds(&learner.rounds)[1], thirds(&off.rounds)[1]);
    let stranger = |learner: &Learner| gain(&learner.stranger, &off.stranger);
    format!(
        "In the last third of the rounds {}; against the stranger {}. (One interval in twenty misses the truth, and there \
         are {} of them here.)",
        beyond_chance(others, &last),
        beyond_chance(others, &stranger),
        2 * others.len(),
    )
}

/// The learners whose gain has an interval that excludes zero.
fn beyond_chance(learners: &[Learner], gain: &dyn Fn(&Learner) -> Interval) -> String {
    let names = |sign: f64| {
        let is_beyond = |learner: &&Learner| gain(learner).excludes_zero() && gain(learner).mean * sign > 0.0;
        learners.iter().filter(is_beyond).map(|learner| learner.name).collect::<Vec<_>>().join(", ")
    };
    let listed =
        |verdict: &str, names: String| (!names.is_empty()).then(|| format!("{verdict} beyond chance: {names}"));
    let verdicts = [listed("better than without learning", names(1.0)), listed("worse", names(-1.0))];
    let verdicts: Vec<String> = verdicts.into_iter().flatten().collect();
    if verdicts.is_empty() {
        return "no policy differs from playing without learning by more than chance".to_owned();
    }
    verdicts.join(", ")
}

fn by_round(learners: &[Learner]) -> String {
    let names: Vec<_> = learners.iter().map(|learner| learner.name).collect();
    let mut text = format!("| round | {} |\n|--:|{}\n", names.join(" | "), "--:|".repeat(names.len()));
    let rounds = learners.first().map_or(0, |learner| learner.rounds.len());
    for round in 0..rounds {
        let cells: Vec<_> =
            learners.iter().map(|learner| interval_text(&score(&learner.rounds[round..=round]))).collect();
        let _ = writeln!(text, "| {} | {} |", round + 1, cells.join(" | "));
    }
    text
}

const METHOD: &str = "\
- Every game is played as a GUI plays it with this engine: recall before each search, learning after it, `ucinewgame` \
between games. Searches begin with the first iteration, as against a clock.
- `resume` and `tree` keep what was searched to the least depth given in the command, rather than their defaults, which \
are for analyses of millions of nodes.
- The same command gives the same table.";

#[cfg(test)]
mod tests {
    use super::*;

    const L: SideResult = SideResult::Loss;
    const D: SideResult = SideResult::Draw;
    const W: SideResult = SideResult::Win;

    #[test]
    fn a_gain_is_over_the_same_games() {
        let off = vec![vec![L, D, W], vec![L, D, W]];
        let learner = vec![vec![L, W, W], vec![W, W, D]];
        // Game by game, means over the rounds: 0 and 1, 1/2 and 1/2, 0 and -1/2.
        let interval = gain(&learner, &off);
        assert!((interval.mean - (0.5 + 0.5 - 0.25) / 3.0).abs() < 1e-12, "{interval:?}");
        assert_eq!(gain(&off, &off), Interval { mean: 0.0, low: 0.0, high: 0.0 });
    }

    #[test]
    fn thirds_are_as_long_as_each_other() {
        let rounds = vec![vec![L], vec![D], vec![W], vec![W]];
        assert_eq!(thirds(&rounds), [&rounds[..2], &rounds[2..]]);
        assert_eq!(thirds(&rounds[..1]), [&rounds[..1], &rounds[..1]]);
    }
}
