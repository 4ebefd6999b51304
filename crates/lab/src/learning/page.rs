//! What was measured, in words and tables.

use std::fmt::Write as _;

use super::Arguments;
use super::schedule::{Learner, Schedule};
use crate::play::SideResult;
use crate::results::{self, Grid};
use crate::statistics::{Interval, student_mean, wilson};

/// A learner's result in one line, while others still play.
pub(super) fn summary(learner: &Learner) -> String {
    let met = score(&learner.rounds);
    format!("{}: {:.3} ({:.3} to {:.3}), {} records", learner.name, met.mean, met.low, met.high, learner.records)
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

pub(super) fn markdown(arguments: &Arguments, schedule: &Schedule, learners: &[Learner]) -> String {
    let Some((off, others)) = learners.split_first() else { return String::new() };
    let games = schedule.openings.len() * 2;
    format!(
        "# Learning from games\n\n{}\n\
         The experiment of \"Learning in Bebe\" (Scherzer, Scherzer and Tjaden 1990): {} rounds against the same \
         opponent, in each {games} games, from {} openings with both colours. The learner searches {} nodes a move, the \
         opponent, the same engine without a memory, {}; then come {} rounds against a stranger with {} nodes, during \
         which nothing is learned. Opponents' nodes vary by up to {} % from move to move, so that games are alike but not \
         the same; they do so alike for all learners. Before each game everything but the memory is forgotten. Games end by \
         the rules, when both sides have called them lost by 8 pawns four times in turns, or as draws after 240 plies.\n\n\
         ## What learning gains\n\n{}\n{}\n\
         ## Score in each round\n\n\
         Points a game, with the interval that holds the expected score in at least 95 of 100 cases.\n\n{}\n\
         ![Score in each round](learning.svg)\n\n{NOTES}",
        results::circumstances(&arguments.command()),
        schedule.rounds,
        schedule.openings.len(),
        schedule.nodes,
        schedule.opponent_nodes,
        schedule.stranger_rounds,
        schedule.stranger_nodes,
        schedule.variation,
        gains(off, others),
        verdict(off, others),
        by_round(learners),
    )
}

/// The score of some rounds.
pub(super) fn score(rounds: &[Vec<SideResult>]) -> Interval {
    wilson(rounds.iter().flatten().map(|result| result.points()))
}

/// Points a game that one learner has more than another in the same games. A game comes again in every round, much the
/// same; so the openings with their colours are what is counted as independent.
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
    let mut text = "Points a game, and what they are more than without learning, with 95 % intervals.\n\n\
         | policy | score | gain, all rounds | first third | last third | score against the stranger | gain | records |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|\n"
        .to_owned();
    let stranger = |learner: &Learner| words(&score(&learner.stranger));
    let _ = writeln!(text, "| off | {} | | | | {} | | {} |", words(&score(&off.rounds)), stranger(off), off.records);
    for learner in others {
        let [first, last] = [0, 1].map(|third| gain(thirds(&learner.rounds)[third], thirds(&off.rounds)[third]));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            learner.name,
            words(&score(&learner.rounds)),
            signed(&gain(&learner.rounds, &off.rounds)),
            signed(&first),
            signed(&last),
            stranger(learner),
            signed(&gain(&learner.stranger, &off.stranger)),
            learner.records,
        );
    }
    text
}

fn words(interval: &Interval) -> String {
    format!("{:.3} ({:.2} to {:.2})", interval.mean, interval.low, interval.high)
}

fn signed(interval: &Interval) -> String {
    if !interval.low.is_finite() {
        return "not measured".to_owned();
    }
    format!("{:+.3} ({:+.2} to {:+.2})", interval.mean, interval.low, interval.high)
}

/// Which gains are more than chance.
fn verdict(off: &Learner, others: &[Learner]) -> String {
    let names = |is_so: &dyn Fn(&Learner) -> bool| {
        let names: Vec<_> = others.iter().filter(|learner| is_so(learner)).map(|learner| learner.name).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    let last = |learner: &Learner| gain(thirds(&learner.rounds)[1], thirds(&off.rounds)[1]);
    let stranger = |learner: &Learner| gain(&learner.stranger, &off.stranger);
    let line = |of: &dyn Fn(&Learner) -> Interval| {
        let better = names(&|learner| of(learner).excludes_zero() && of(learner).mean > 0.0);
        let worse = names(&|learner| of(learner).excludes_zero() && of(learner).mean < 0.0);
        format!("better than without learning: {better}; worse: {worse}")
    };
    format!(
        "Beyond chance, in the last third of the rounds: {}. Against the stranger: {}. (One interval in twenty misses the \
         truth, and there are {} of them here.)\n",
        line(&last),
        line(&stranger),
        2 * others.len(),
    )
}

fn by_round(learners: &[Learner]) -> String {
    let names: Vec<_> = learners.iter().map(|learner| learner.name).collect();
    let mut text = format!("| round | {} |\n|--:|{}\n", names.join(" | "), "--:|".repeat(names.len()));
    let rounds = learners.first().map_or(0, |learner| learner.rounds.len());
    for round in 0..rounds {
        let cells: Vec<_> = learners.iter().map(|learner| words(&score(&learner.rounds[round..=round]))).collect();
        let _ = writeln!(text, "| {} | {} |", round + 1, cells.join(" | "));
    }
    text
}

const NOTES: &str = "\
## Notes

- Every game is as a GUI plays it with this engine: recall before each search, learning after it, `ucinewgame` between \
games. Searches begin with the first iteration, as against a clock.
- `resume` and `tree` keep what was searched to the least depth given in the command, rather than their defaults, which \
are for analyses of millions of nodes.
- The same command gives the same table.
";

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
