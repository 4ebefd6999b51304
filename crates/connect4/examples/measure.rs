//! Runs a file of scored positions ("moves score" a line) and prints mean time, mean positions and positions a second.
//!
//! `measure FILE [weak] [first=N] [mb=N] [threads=N] [without=TECHNIQUE | upper-bounds-only] [each]`
//!
//! The table is cleared before each position, and the clearing is inside the clock. `cpu` is the time this process
//! was running on a processor (Linux), which other load on the machine does not change much.

use mnemon_connect4::{Board, Precision, Solver, Technique, Techniques};
use std::error::Error;
use std::time::Instant;

struct Arguments {
    file: String,
    precision: Precision,
    first: usize,
    megabytes: usize,
    threads: usize,
    techniques: Techniques,
    each: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = parse()?;
    let text = std::fs::read_to_string(&arguments.file)?;
    let solver = Solver::<7, 6>::new(arguments.megabytes << 20)?
        .with_threads(arguments.threads)
        .with_techniques(arguments.techniques);
    let cpu_start = cpu_seconds();
    let (mut wall, mut nodes, mut count, mut wrong) = (0.0, 0, 0, 0);
    for line in text.lines().take(arguments.first) {
        let (moves, score) = line.split_once(' ').ok_or("a line is: moves score")?;
        let board = Board::parse(moves)?;
        let expected: i32 = score.trim().parse()?;
        let start = Instant::now();
        solver.clear();
        let solution = solver.solve(&board, arguments.precision)?;
        let seconds = start.elapsed().as_secs_f64();
        wall += seconds;
        nodes += solution.nodes;
        count += 1;
        let expected = if arguments.precision == Precision::Weak { expected.signum() } else { expected };
        wrong += usize::from(solution.score != expected);
        if arguments.each {
            println!("{moves} {} {} {:.0}", solution.score, solution.nodes, seconds * 1e6);
        }
    }
    let cpu = cpu_seconds() - cpu_start;
    let mean = f64::from(count).max(1.0);
    println!(
        "{} {:?} n={count} mean {:.6} s (cpu {:.6} s) nodes {:.1} {:.0} Kpos/s wrong {wrong}",
        arguments.file,
        arguments.precision,
        wall / mean,
        cpu / mean,
        nodes as f64 / mean,
        nodes as f64 / wall / 1e3
    );
    Ok(())
}

fn parse() -> Result<Arguments, Box<dyn Error>> {
    let mut arguments = Arguments {
        file: String::new(),
        precision: Precision::Strong,
        first: usize::MAX,
        megabytes: 64,
        threads: 1,
        techniques: Techniques::All,
        each: false,
    };
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            Some(("first", value)) => arguments.first = value.parse()?,
            Some(("mb", value)) => arguments.megabytes = value.parse()?,
            Some(("threads", value)) => arguments.threads = value.parse()?,
            Some(("without", value)) => {
                arguments.techniques = Techniques::Without(Technique::named(value).ok_or("no such technique")?);
            }
            None if argument == "weak" => arguments.precision = Precision::Weak,
            None if argument == "upper-bounds-only" => arguments.techniques = Techniques::UpperBoundsOnly,
            None if argument == "each" => arguments.each = true,
            _ => arguments.file = argument,
        }
    }
    Ok(arguments)
}

/// Seconds that all threads of this process have run on processors; 0 where the system does not say (Linux does).
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = text.rsplit(')').next().unwrap_or_default();
    let ticks: f64 = after_name.split(' ').skip(12).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum();
    ticks / 100.0
}
