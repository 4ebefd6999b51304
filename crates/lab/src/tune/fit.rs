//! `mnemon lab tune fit`: weights that agree with games and searches.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use mnemon_table::file::replace_file;

use super::data::Data;
use super::descent::{Found, Way, descend};
use super::error::{aim, best_width, mean_error, result_error};
use super::features::{Weight, built_in};
use super::source;
use crate::Result;
use crate::report::{Report, say};

/// What to fit to, and how.
#[derive(Args)]
pub struct Arguments {
    /// Files that `mnemon lab tune play` wrote
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    data: Vec<PathBuf>,
    /// The source file that is written
    #[arg(long, default_value = "crates/engine/src/eval/weights.rs", value_name = "FILE")]
    out: PathBuf,
    /// How much the game's result counts, from 0 to 1; the rest is the search's score
    #[arg(long, default_value_t = 0.15, value_parser = share)]
    results: f64,
    /// How many positions speak for each weight as it was: what is rarely seen stays
    #[arg(long, default_value_t = 1_000, value_name = "POSITIONS")]
    anchor: u32,
    /// How often to go through all positions
    #[arg(long, default_value_t = 40)]
    rounds: u32,
    /// Which games are kept aside, and in which order the others come
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(arguments: &Arguments, report: &dyn Report) -> Result {
    let mut data = Data::read(&arguments.data, arguments.seed)?;
    let (learning, judging, games) = (data.learning.len(), data.judging.len(), data.games);
    say(report, format_args!("{games} games: {learning} positions to learn from, {judging} kept aside"))?;
    let width = best_width(&data.learning);
    say(report, format_args!("expected points: 1 / (1 + e^(-score / {width:.1}))"))?;
    aim(&mut data.learning, width, arguments.results);
    aim(&mut data.judging, width, arguments.results);

    let first = built_in();
    let (anchor, rounds, seed) = (f64::from(arguments.anchor), arguments.rounds, arguments.seed);
    let found = descend(&data.learning, &data.judging, &first, Way { width, anchor, rounds, seed });
    tell(report, &data, &first, &found, width)?;

    let text = source::text(&found.weights, &head(arguments, learning + judging))?;
    replace_file(&arguments.out, |file| file.write_all(text.as_bytes()))?;
    say(report, format_args!("wrote {}", arguments.out.display()))
}

/// The errors before and after, of what was learned from and of what was kept aside.
fn tell(report: &dyn Report, data: &Data, first: &[Weight], found: &Found, width: f64) -> Result {
    say(report, format_args!("mean squared error of expected points, after round {}:", found.round))?;
    say(report, "            learning   kept aside   kept aside, results only")?;
    for (name, weights) in [("before", first), ("after", found.weights.as_slice())] {
        let [learning, judging] = [&data.learning, &data.judging].map(|part| mean_error(part, weights, width));
        let results = result_error(&data.judging, weights, width);
        say(report, format_args!("{name:>8}    {learning:.6}     {judging:.6}     {results:.6}"))?;
    }
    Ok(())
}

/// Where the weights come from, as the file's first lines.
fn head(arguments: &Arguments, positions: usize) -> Vec<String> {
    let file_name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let data: Vec<_> = arguments.data.iter().map(file_name).collect();
    let Arguments { results, anchor, rounds, seed, .. } = arguments;
    vec![
        format!(
            "The evaluation's weights, fitted to {positions} positions of games that the engine played against itself."
        ),
        String::new(),
        "Written by this command; `docs/tuning.md` says how to run it again:".to_owned(),
        format!(
            "`mnemon lab tune fit --data {} --results {results} --anchor {anchor} --rounds {rounds} --seed {seed}`",
            data.join(" ")
        ),
    ]
}

fn share(word: &str) -> std::result::Result<f64, String> {
    let number: f64 = word.parse().map_err(|_| "it is no number".to_owned())?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("it is not within 0 and 1".to_owned()) }
}
