//! The page of results.

use std::fmt::Write as _;

use super::Arguments;
use super::gains::{Outcome, Part};
use super::learner::{LEARNERS, Learner};
use super::series::{Opponent, Schedule};
use crate::results::{Grid, Page};
use crate::statistics::Interval;

/// The score of each round against the opponent that varies, by learner.
pub(super) fn scores(outcome: &Outcome<'_>) -> Grid {
    let rounds = outcome.scores(0, Opponent::Varying).seeds.first().map_or(0, Vec::len);
    let row = |round: usize| {
        let mean = |learner| outcome.round_score(learner, Opponent::Varying, round).mean;
        ((round + 1).to_string(), (0..outcome.learners.len()).map(mean).collect())
    };
    Grid {
        corner: "round".to_owned(),
        columns: outcome.learners.iter().map(|&name| name.to_owned()).collect(),
        rows: (0..rounds).map(row).collect(),
    }
}

/// The page of results; the first learner does not learn.
pub(super) fn page(arguments: &Arguments, schedule: &Schedule, outcome: &Outcome<'_>) -> String {
    let page = Page {
        title: "Learning from games",
        conclusion: conclusion(outcome),
        table: format!("{}\n{}", main_table(outcome), strangers(outcome)),
        command: arguments.command(),
        method: method(arguments, schedule, outcome),
        details: format!(
            "## Score in each round\n\nAgainst the opponent that varies; points a game.\n\n{}\n\
             ![Score in each round, with intervals of 95 %](learning.svg)\n",
            scores(outcome).to_markdown(3),
        ),
    };
    page.to_string()
}

/// What gains and what does not, in two sentences: the main question, then the strangers.
fn conclusion(outcome: &Outcome<'_>) -> String {
    let main = verdict(outcome, Opponent::Varying, Part::Last);
    let same = verdict(outcome, Opponent::Same, Part::Last);
    let strangers: Vec<String> = [Opponent::Stranger, Opponent::Foreign]
        .into_iter()
        .filter(|&opponent| outcome.has(opponent))
        .map(|opponent| format!("against the {} {}", described(opponent), verdict(outcome, opponent, Part::All)))
        .collect();
    let strangers = if strangers.is_empty() { String::new() } else { format!("; {}", strangers.join("; ")) };
    format!(
        "Against an opponent that varies, in the last third of the rounds, {main}. Against one that always plays the same, \
         {same}{strangers}."
    )
}

fn described(opponent: Opponent) -> &'static str {
    match opponent {
        Opponent::Same => "opponent that repeats itself",
        Opponent::Varying => "opponent that varies",
        Opponent::Stranger => "stranger",
        Opponent::Foreign => "other engine",
    }
}

/// The policies whose gain has an interval that excludes zero, corrected for their number.
fn verdict(outcome: &Outcome<'_>, opponent: Opponent, part: Part) -> String {
    let gains: Vec<(&str, Interval)> = policies(outcome)
        .map(|learner| {
            let gain = outcome.gain(learner, opponent, part, outcome.joint_confidence());
            (outcome.learners[learner], gain)
        })
        .collect();
    let listed = |sign: f64| -> Vec<String> {
        let is_beyond = |(_, gain): &&(&str, Interval)| gain.excludes_zero() && gain.mean * sign > 0.0;
        gains.iter().filter(is_beyond).map(|(name, gain)| format!("{name} ({})", gain_text(gain))).collect()
    };
    let verdicts: Vec<String> = [("gains", listed(1.0)), ("loses", listed(-1.0))]
        .into_iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(verb, names)| format!("{} {verb} points a game", names.join(", ")))
        .collect();
    if verdicts.is_empty() {
        "no policy differs from playing without learning by more than chance".to_owned()
    } else {
        verdicts.join(" and ")
    }
}

/// The numbers of the learners that are no controls.
fn policies<'o>(outcome: &'o Outcome<'_>) -> impl Iterator<Item = usize> + 'o {
    (0..outcome.learners.len()).filter(|&learner| LEARNERS.contains(&outcome.learners[learner]))
}

fn main_table(outcome: &Outcome<'_>) -> String {
    let mut text =
        "| | varying: score, last third | gain, last third | gain, first third | same: score, last third | gain, last \
                    third | records |\n|---|--:|--:|--:|--:|--:|--:|\n"
            .to_owned();
    for (learner, name) in outcome.learners.iter().enumerate() {
        let gain = |opponent, part| gain_cell(outcome, learner, opponent, part);
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {} | {} | {} | {} |",
            score_text(&outcome.score(learner, Opponent::Varying, Part::Last)),
            gain(Opponent::Varying, Part::Last),
            gain(Opponent::Varying, Part::First),
            score_text(&outcome.score(learner, Opponent::Same, Part::Last)),
            gain(Opponent::Same, Part::Last),
            outcome.scores(learner, Opponent::Varying).records,
        );
    }
    let confidence = 100.0 * outcome.joint_confidence();
    text + &format!(
        "\nPoints a game with intervals of 95 %; gains over `off` in the same games with intervals of {confidence:.1} %, so that \
         all of a column hold together in 95 of 100 cases. `off`, `off-varied` and `repeat-wins` are controls.\n"
    )
}

fn strangers(outcome: &Outcome<'_>) -> String {
    let met: Vec<Opponent> =
        [Opponent::Stranger, Opponent::Foreign].into_iter().filter(|&opponent| outcome.has(opponent)).collect();
    if met.is_empty() {
        return String::new();
    }
    let mut text = "| |".to_owned();
    for opponent in &met {
        let _ = write!(text, " {}: score | gain |", described(*opponent));
    }
    text += &format!("\n|---|{}\n", "--:|--:|".repeat(met.len()));
    for (learner, name) in outcome.learners.iter().enumerate() {
        let _ = write!(text, "| {name} |");
        for &opponent in &met {
            let score = score_text(&outcome.score(learner, opponent, Part::All));
            let _ = write!(text, " {score} | {} |", gain_cell(outcome, learner, opponent, Part::All));
        }
        text += "\n";
    }
    text + "\nStrangers were never met before, and nothing is learned from them.\n"
}

fn gain_cell(outcome: &Outcome<'_>, learner: usize, opponent: Opponent, part: Part) -> String {
    if learner == 0 {
        return String::new();
    }
    gain_text(&outcome.gain(learner, opponent, part, outcome.joint_confidence()))
}

fn score_text(interval: &Interval) -> String {
    format!("{:.3} ({:.2} to {:.2})", interval.mean, interval.low.max(0.0), interval.high.min(1.0))
}

fn gain_text(interval: &Interval) -> String {
    if !interval.low.is_finite() {
        return "not measured".to_owned();
    }
    format!("{:+.3}, {:+.3} to {:+.3}", interval.mean, interval.low, interval.high)
}

fn method(arguments: &Arguments, schedule: &Schedule, outcome: &Outcome<'_>) -> String {
    let Schedule { nodes, opponent_nodes, stranger_nodes, variation, rounds, stranger_rounds, .. } = schedule;
    let foreign = schedule.foreign.as_ref().map_or(String::new(), |(command, nodes)| {
        format!(" and {stranger_rounds} against `{command}` with {nodes} nodes")
    });
    format!(
        "The experiment of \"Learning in Bebe\" (Scherzer, Scherzer and Tjaden 1990): {rounds} rounds against one opponent, in \
         each {} games, from {} openings with both colours. The learner searches {nodes} nodes a move, the opponent, the same \
         engine without a memory, {opponent_nodes}; they vary by up to {variation} % from move to move, alike for all learners, \
         or are always the same. After the rounds against the opponent that varies come {stranger_rounds} rounds against a \
         stranger with {stranger_nodes} nodes{foreign}, during which nothing is learned. Before each game everything but the \
         memory is cleared. Games end by the rules, when both sides have given one side 8 pawns for four plies in turn, or as \
         draws after 240 plies.\n\n\
         - The main question, named beforehand: the last third of the rounds against the opponent that varies.\n\
         - An opening with a colour is one independent trial, with all its rounds and {} seeds: {} trials. Intervals are \
         Student's.\n\
         {METHOD}\n- Controls: {}.",
        schedule.round_games(),
        schedule.openings.len(),
        arguments.size().2,
        schedule.round_games(),
        outcome
            .learners
            .iter()
            .take(Learner::CONTROLS.len())
            .map(|name| format!("`{name}`"))
            .collect::<Vec<_>>()
            .join(", "),
    )
}

const METHOD: &str = "\
- Settings were chosen on the other half of the openings.
- Every game is played as a GUI plays it with this engine: recall before each search, learning after it, `ucinewgame` \
between games. Searches begin with the first iteration, as against a clock.
- `resume` and `tree` keep what was searched to the least depth given in the command, rather than their defaults, which \
are for analyses of millions of nodes.
- `study` is `resume` with an analysis after each game: of its first ten moves with ten times the nodes.
- `off-varied` varies its own nodes, and learns nothing; `repeat-wins` plays the moves of a game that it won as long as the \
game is the same, and otherwise varies its nodes: against an opponent that repeats itself nothing can do better.
- The same command gives the same table, and goes on where it was interrupted.";
