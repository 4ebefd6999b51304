//! `mnemon lab tune fit`: fits the evaluation's weights to samples.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use mnemon_table::file::{OwnKind, replace_file};

use super::data::Data;
use super::descent::{Fit, FitParameters, descend};
use super::features::{Weight, built_in};
use super::loss::{best_width, mean_loss, result_loss, set_targets};
use super::source;
use crate::Result;
use crate::console::{Console, say};

/// How the first line of the source file begins, by which the next fit recognises it.
const HEAD: &str = "The evaluation's weights, fitted to";

/// The source files that this command writes.
const WEIGHTS_FILE: OwnKind = OwnKind::new("a file of weights", |start| {
    start.strip_prefix(b"//! ").is_some_and(|line| line.starts_with(HEAD.as_bytes()))
});

/// The data and the parameters of the fit.
#[derive(Args)]
pub struct Arguments {
    /// Files that `mnemon lab tune play` wrote
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Source file to write
    #[arg(long, default_value = "crates/engine/src/eval/weights.rs", value_name = "FILE")]
    out: PathBuf,
    /// Weight of the game's result, from 0 to 1; the rest is the search's score
    #[arg(long, default_value_t = 0.15, value_parser = share)]
    results: f64,
    /// Regularisation: pull of each weight to its old value, in positions; weights of rare features stay
    #[arg(long, default_value_t = 1_000, value_name = "POSITIONS")]
    anchor: u32,
    /// Epochs: passes over all positions
    #[arg(long, default_value_t = 40)]
    rounds: u32,
    /// Seed that decides which games are for validation, and the order of the others
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(arguments: &Arguments, console: &dyn Console) -> Result {
    // Before the hours of the fit.
    WEIGHTS_FILE.check(&arguments.out)?;
    let mut data = Data::read(&arguments.data, arguments.seed)?;
    let (training, validation, games) = (data.training.len(), data.validation.len(), data.games);
    say(console, format_args!("{games} games: {training} positions for training, {validation} for validation"))?;
    let width = best_width(&data.training);
    say(console, format_args!("expected points: 1 / (1 + e^(-score / {width:.1}))"))?;
    set_targets(&mut data.training, width, arguments.results);
    set_targets(&mut data.validation, width, arguments.results);

    let first = built_in();
    let (anchor, epochs, seed) = (f64::from(arguments.anchor), arguments.rounds, arguments.seed);
    let parameters = FitParameters { width, anchor, epochs, seed };
    let fit = descend(&data.training, &data.validation, &first, parameters);
    report_losses(console, &data, &first, &fit, width)?;

    let text = source::text(&fit.weights, &head(arguments, training + validation))?;
    replace_file(&arguments.out, &WEIGHTS_FILE, |file| file.write_all(text.as_bytes()))?;
    say(console, format_args!("wrote {}", arguments.out.display()))
}

/// The losses before and after, on the training set and on the validation set.
fn report_losses(console: &dyn Console, data: &Data, first: &[Weight], fit: &Fit, width: f64) -> Result {
    say(console, format_args!("mean squared error of expected points, after epoch {}:", fit.epoch))?;
    say(console, "            training   validation   validation, results only")?;
    for (name, weights) in [("before", first), ("after", fit.weights.as_slice())] {
        let [training, validation] = [&data.training, &data.validation].map(|set| mean_loss(set, weights, width));
        let results = result_loss(&data.validation, weights, width);
        say(console, format_args!("{name:>8}    {training:.6}     {validation:.6}     {results:.6}"))?;
    }
    Ok(())
}

/// Where the weights come from, as the file's first lines.
fn head(arguments: &Arguments, positions: usize) -> Vec<String> {
    let file_name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let data: Vec<_> = arguments.data.iter().map(file_name).collect();
    let Arguments { results, anchor, rounds, seed, .. } = arguments;
    vec![
        format!("{HEAD} {positions} positions of games that the engine played against itself."),
        String::new(),
        "Written by this command; `docs/tuning.md` says how to run it again:".to_owned(),
        format!(
            "`mnemon lab tune fit --data {} --results {results} --anchor {anchor} --rounds {rounds} --seed {seed}`",
            data.join(" ")
        ),
    ]
}

fn share(word: &str) -> std::result::Result<f64, &'static str> {
    let number: f64 = word.parse().map_err(|_| "expected a number")?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("expected a number within 0 and 1") }
}
