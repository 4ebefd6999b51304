//! Measures an import of lichess evaluations into a new memory: `import_lichess FILE MEMORY`. Says the lines a second of
//! processor time, all threads together, and the most RAM that was used (Linux only).

use std::error::Error;
use std::fs::{File, read_to_string};
use std::path::Path;
use std::time::Instant;

use mnemon_chess::Position;
use mnemon_explore::exchange::{Input, Intake, Report, Stop};
use mnemon_memory::{Access, Identity, MemoryId, open};

/// Ends at the first line that is broken.
struct Strict;

impl Report for Strict {
    fn broken(&mut self, line: u64, error: &str) -> Result<(), Stop> {
        eprintln!("line {line}: {error}");
        Err(Stop)
    }

    fn left_out(&mut self, _: u64, _: &str) {}
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(memory)) = (arguments.next(), arguments.next()) else {
        return Err("usage: import_lichess FILE MEMORY".into());
    };
    let store = open(Path::new(&memory), Access::Create)?;
    let origin = Identity { id: MemoryId::of_text(&file), label: file.clone() };
    let mut intake = Intake::new(origin, &*store)?;
    let (started, before) = (Instant::now(), processor_seconds());
    Input::new(Path::new(&file), File::open(&file)?, None)?.import(&Position::start(), &mut intake, &mut Strict)?;
    let (merged, _) = intake.finish()?;
    let (lines, seconds) = (merged.added + merged.changed + merged.known, processor_seconds() - before);
    println!("{lines} lines: {merged:?}");
    println!("{seconds:.2} s of processor time, {:.2} s elapsed", started.elapsed().as_secs_f64());
    println!("{:.0} lines a second of processor time, {} of RAM at most", lines as f64 / seconds, peak_memory());
    Ok(())
}

/// User and system time of this process so far.
fn processor_seconds() -> f64 {
    /// Clock ticks a second, which Linux has fixed for programs.
    const TICKS: f64 = 100.0;
    let stat = read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |index: usize| fields.get(index).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / TICKS
}

fn peak_memory() -> String {
    let status = read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or("?".to_owned(), |line| line.trim().to_owned())
}
