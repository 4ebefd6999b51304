//! The page of results, the numbers, and the plot.

use std::fmt::Write as _;

use mnemon_table::Score;

use super::methods::{Answer, Method};
use super::{Arguments, CHECKPOINTS, Case, JUDGE_FACTOR};
use crate::Result;
use crate::plot::grid_lines;
use crate::results::{Grid, Page};

/// A value counts as the judge's if it is this near.
const NEAR: i32 = 25;
/// Beyond this a difference of values says no more.
const FAR: i32 = 300;

pub(super) fn page(arguments: &Arguments, cases: &[Case]) -> String {
    let table = format!("{}\n![Error of the root's value by nodes](explore.svg)", table(cases));
    let page = Page {
        title: "A growing tree against one long search",
        conclusion: conclusion(arguments, cases),
        table,
        command: arguments.command(),
        method: method(arguments),
        details: details(cases),
    };
    page.to_string()
}

/// How far an answer's value is from the judge's, in centipawns.
fn error(score: Score, judge: Score) -> i32 {
    (i32::from(score) - i32::from(judge)).abs().min(FAR)
}

/// The figures of one method over some cases.
struct Figures {
    count: usize,
    same_move: usize,
    near_value: usize,
    error: f64,
    second: usize,
    second_exact: usize,
    second_error: Option<f64>,
    reply: usize,
    searched: f64,
}

fn figures(cases: &[&Case], method: usize) -> Figures {
    let last = |case: &Case| case.results[method].answers[CHECKPOINTS.len() - 1];
    let counted = |is: &dyn Fn(&Case) -> bool| cases.iter().filter(|case| is(case)).count();
    let near = |case: &Case, answer: Answer| error(answer.score, case.judgement.score) <= NEAR;
    let errors: Vec<f64> = cases.iter().filter_map(|case| value_error(case, method, CHECKPOINTS.len() - 1)).collect();
    let second_errors: Vec<f64> = cases
        .iter()
        .filter_map(|case| Some(f64::from(error(case.results[method].second.score?, case.judgement.second?.1))))
        .collect();
    Figures {
        count: cases.len(),
        same_move: counted(&|case| last(case).is_some_and(|answer| answer.best == case.judgement.best)),
        near_value: counted(&|case| last(case).is_some_and(|answer| near(case, answer))),
        error: mean(&errors).unwrap_or(f64::NAN),
        second: counted(&|case| case.results[method].second.is_known),
        second_exact: second_errors.len(),
        second_error: mean(&second_errors),
        reply: counted(&|case| case.results[method].second.has_reply),
        searched: mean(&cases.iter().map(|case| case.results[method].searched as f64).collect::<Vec<_>>())
            .unwrap_or(0.0),
    }
}

fn value_error(case: &Case, method: usize, checkpoint: usize) -> Option<f64> {
    let answer = case.results[method].answers[checkpoint]?;
    Some(f64::from(error(answer.score, case.judgement.score)))
}

fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

fn groups(cases: &[Case]) -> [(&'static str, Vec<&Case>); 3] {
    [
        ("all", cases.iter().collect()),
        ("middle games", cases.iter().filter(|case| !case.position.is_opening).collect()),
        ("openings", cases.iter().filter(|case| case.position.is_opening).collect()),
    ]
}

fn table(cases: &[Case]) -> String {
    let mut text =
        "| positions | method | positions searched | same best move | value within 0.25 | mean error of the value \
         | second best move known | with an exact value | its mean error | reply to it known |\n\
         |---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n"
            .to_owned();
    for (group, cases) in groups(cases) {
        for (number, method) in Method::ALL.into_iter().enumerate() {
            let figures = figures(&cases, number);
            let second_error =
                figures.second_error.map_or_else(|| "-".to_owned(), |error| format!("{:.2}", error / 100.0));
            let _ = writeln!(
                text,
                "| {group} ({}) | {} | {:.0} | {} | {} | {:.2} | {} | {} | {second_error} | {} |",
                figures.count,
                method.name(),
                figures.searched,
                figures.same_move,
                figures.near_value,
                figures.error / 100.0,
                figures.second,
                figures.second_exact,
                figures.reply,
            );
        }
    }
    text
}

fn conclusion(arguments: &Arguments, cases: &[Case]) -> String {
    let all: Vec<&Case> = cases.iter().collect();
    let [long, dropout, decay] = [0, 1, 2].map(|method| figures(&all, method));
    // Fewer positions than this are chance.
    const CLEAR: i64 = 4;
    let verdict = match long.same_move as i64 - dropout.same_move.max(decay.same_move) as i64 {
        CLEAR.. => "For the best move and its value alone, one long search is the better use of the nodes",
        difference if difference > -CLEAR => {
            "For the best move alone, a tree and one long search do not differ clearly"
        }
        _ => "Even for the best move alone, a tree is the better use of the nodes",
    };
    format!(
        "{verdict}: with {} nodes the long search agrees with a search of {JUDGE_FACTOR} times as many on the move in {} of {} \
         positions, drop-out in {}, decay in {}; the mean error of the value is {:.2}, {:.2} and {:.2} pawns. What a tree adds \
         is an exact value of the second best move, which is known in {}, {} and {} positions; a move to try against it is in \
         the memory of all three, in {}, {} and {} positions.",
        arguments.nodes,
        long.same_move,
        long.count,
        dropout.same_move,
        decay.same_move,
        long.error / 100.0,
        dropout.error / 100.0,
        decay.error / 100.0,
        long.second_exact,
        dropout.second_exact,
        decay.second_exact,
        long.reply,
        dropout.reply,
        decay.reply,
    )
}

fn method(arguments: &Arguments) -> String {
    format!(
        "Each method spends {} nodes on each position, with a new engine of {} MiB of table and an empty memory: one search \
         of the root, learned by the policy `resume`; or a tree whose searches have {} nodes each. The judge is one search of \
         {} nodes for the two best lines. Differences of values are counted up to {:.2} pawns. A second best move is known if \
         the memory has a bound of its value, and its reply if the memory has a move in the position behind it. The middle \
         games are twelve of games of mnemon against itself, and the Bratko-Kopec positions 3, 5, 11, 13, 17, 18, 22 and 24; \
         the openings are eight plies of well-known ones. One thread: all numbers repeat exactly.",
        arguments.nodes,
        arguments.hash,
        arguments.each,
        arguments.nodes * JUDGE_FACTOR,
        f64::from(FAR) / 100.0,
    )
}

fn details(cases: &[Case]) -> String {
    let mut text = "## The answers\n\n| position | judge | second best |".to_owned();
    for method in Method::ALL {
        let _ = write!(text, " {} |", method.name());
    }
    text += "\n|---|---|---|---|---|---|\n";
    for case in cases {
        let position = &case.position.position;
        let words = |mv, score: Score| format!("{} {:+.2}", position.san(mv), f64::from(score) / 100.0);
        let second = case.judgement.second.map_or_else(|| "-".to_owned(), |(mv, score)| words(mv, score));
        let judge = words(case.judgement.best, case.judgement.score);
        let _ = write!(text, "| {} | {judge} | {second} |", case.position.name);
        for result in &case.results {
            let answer = result.answers[CHECKPOINTS.len() - 1];
            let _ =
                write!(text, " {} |", answer.map_or_else(|| "-".to_owned(), |answer| words(answer.best, answer.score)));
        }
        text += "\n";
    }
    text
}

/// Every answer as comma-separated values; scores in centipawns.
pub(super) fn csv(cases: &[Case]) -> String {
    let mut text =
        "position,method,nodes,searched,move,value,judge's move,judge's value,second known,second value,reply known\n"
            .to_owned();
    for case in cases {
        let position = &case.position.position;
        for (method, result) in Method::ALL.into_iter().zip(&case.results) {
            let answer = result.answers[CHECKPOINTS.len() - 1];
            let _ = writeln!(
                text,
                "{},{},{},{},{},{},{},{},{},{},{}",
                case.position.name,
                method.name(),
                result.nodes,
                result.searched,
                answer.map_or_else(String::new, |answer| position.san(answer.best)),
                answer.map_or_else(String::new, |answer| answer.score.to_string()),
                position.san(case.judgement.best),
                case.judgement.score,
                result.second.is_known,
                result.second.score.map_or_else(String::new, |score| score.to_string()),
                result.second.has_reply,
            );
        }
    }
    text
}

/// The mean error of the value by the nodes that were spent.
pub(super) fn plot(arguments: &Arguments, cases: &[Case]) -> Result<String> {
    let columns = Method::ALL.map(|method| method.name().to_owned()).to_vec();
    let row = |(number, nodes): (usize, u64)| {
        let errors = (0..Method::ALL.len()).map(|method| {
            let errors: Vec<f64> = cases.iter().filter_map(|case| value_error(case, method, number)).collect();
            // The scale is logarithmic.
            mean(&errors).unwrap_or(f64::from(FAR)).max(0.1)
        });
        (nodes.to_string(), errors.collect())
    };
    let rows = arguments.checkpoints().into_iter().enumerate().map(row).collect();
    let grid = Grid { corner: "nodes".to_owned(), columns, rows };
    grid_lines(&grid, "Mean error of the root's value", "centipawns")
}
