//! The time of each contender as a multiple of a bare memory read. All contenders run in turn, round after round in one
//! process, and only a thread's own time on a processor counts, so that other load on the machine affects them little and
//! alike. Prints Markdown.
//!
//! ```text
//! cargo bench -p mnemon-table --bench ratios                  # 16 MiB
//! cargo bench -p mnemon-table --bench ratios -- --large       # 4 GiB
//! cargo bench -p mnemon-table --bench ratios -- --mib 64 --rounds 5 --batch 1000000 --case Hit
//! ```

mod contenders;

use std::thread;
use std::time::Duration;

use contenders::{
    Bare, Case, CompactTable, Contender, Dash, DenseTable, FullTable, Plain, Sharded, WideTable, filled, run,
};

/// What is measured, and how long.
struct Plan {
    bytes: usize,
    rounds: usize,
    batch: u64,
    /// Only cases whose name contains this are measured.
    case: String,
}

impl Plan {
    fn from_arguments() -> Plan {
        let arguments: Vec<String> = std::env::args().collect();
        let large = arguments.iter().any(|argument| argument == "--large");
        let after = |name: &str| {
            let at = arguments.iter().position(|argument| argument == name)?;
            arguments.get(at + 1).cloned()
        };
        let number = |name: &str, default: usize| after(name).and_then(|given| given.parse().ok()).unwrap_or(default);
        Plan {
            bytes: number("--mib", if large { 4096 } else { 16 }) << 20,
            rounds: number("--rounds", 9),
            batch: number("--batch", 2_000_000) as u64,
            case: after("--case").unwrap_or_default(),
        }
    }
}

/// A filled contender behind a pointer, its type erased.
trait Runner {
    fn name(&self) -> &'static str;

    /// Nanoseconds per operation when each of `threads` threads makes `batch` operations.
    fn time(&self, case: Case, threads: u64, seed: u64, batch: u64) -> f64;
}

impl<C: Contender> Runner for C {
    fn name(&self) -> &'static str {
        C::NAME
    }

    fn time(&self, case: Case, threads: u64, seed: u64, batch: u64) -> f64 {
        let timed = move |seed| {
            let start = thread_time();
            run(self, case, seed, batch);
            (thread_time() - start).as_nanos() as f64 / batch as f64
        };
        let times: f64 = thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|other| scope.spawn(move || timed(seed ^ other << 32))).collect();
            timed(seed) + others.into_iter().map(|other| other.join().expect("no panic")).sum::<f64>()
        });
        times / (threads * threads) as f64
    }
}

/// The time that this thread has run on a processor, so that other load on the machine does not count.
#[cfg(unix)]
#[allow(unsafe_code, reason = "the standard library has no clock of a thread")]
fn thread_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes to `time` and nothing else.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(result, 0, "every Unix has this clock");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The time that has passed: this system has no clock of a thread that we use.
#[cfg(not(unix))]
fn thread_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

fn boxed<C: Contender + 'static>(bytes: usize) -> Box<dyn Runner> {
    Box::new(filled::<C>(bytes))
}

/// Makes a filled contender of the given size in bytes.
type Make = fn(usize) -> Box<dyn Runner>;

/// The contenders that are in memory at the same time; each group includes the bare read.
fn groups(plan: &Plan) -> Vec<Vec<Make>> {
    let tables: [Make; 5] =
        [boxed::<Plain>, boxed::<WideTable>, boxed::<FullTable>, boxed::<DenseTable>, boxed::<CompactTable>];
    let maps: [Make; 2] = [boxed::<Dash>, boxed::<Sharded>];
    if plan.bytes <= 1 << 30 {
        return vec![[&[boxed::<Bare> as Make], &tables[..], &maps].concat()];
    }
    let beside_bare = |makes: &[Make]| [&[boxed::<Bare> as Make], makes].concat();
    vec![beside_bare(&tables[..2]), beside_bare(&tables[2..]), beside_bare(&maps[..1]), beside_bare(&maps[1..])]
}

/// One contender's times in one case, round by round.
struct Times {
    name: &'static str,
    case: Case,
    alone: Vec<f64>,
    pair: Vec<f64>,
    /// Each round's time divided by the bare read's time in that round.
    ratios: Vec<f64>,
}

impl Times {
    fn new(name: &'static str, case: Case) -> Self {
        Times { name, case, alone: Vec::new(), pair: Vec::new(), ratios: Vec::new() }
    }
}

fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// Measures one case with all contenders of the group, the first of which is the bare read.
fn measure(plan: &Plan, case: Case, group: &[Box<dyn Runner>]) -> Vec<Times> {
    let mut all: Vec<Times> = group.iter().map(|runner| Times::new(runner.name(), case)).collect();
    for round in 0..=plan.rounds as u64 {
        let seed = round << 8 | 1;
        let alone: Vec<f64> = group.iter().map(|runner| runner.time(case, 1, seed, plan.batch)).collect();
        let pair: Vec<f64> = group.iter().map(|runner| runner.time(case, 2, seed, plan.batch)).collect();
        let is_warm = round > 0;
        for (number, times) in all.iter_mut().enumerate().filter(|_| is_warm) {
            times.alone.push(alone[number]);
            times.pair.push(pair[number]);
            times.ratios.push(alone[number] / alone[0]);
        }
    }
    all
}

/// Prints the rows of one case, in the order in which the contenders were first measured.
fn print_case(case: Case, all: &[Times]) {
    let of_case: Vec<&Times> = all.iter().filter(|times| times.case == case).collect();
    let ratio = |times: &Times| median(&times.ratios);
    let dash = of_case.iter().find(|times| times.name == Dash::NAME).map(|times| ratio(times));
    let mut seen = Vec::new();
    for times in of_case {
        if seen.contains(&times.name) {
            continue;
        }
        seen.push(times.name);
        let (alone, pair) = (median(&times.alone), median(&times.pair));
        let scaling: Vec<f64> = times.alone.iter().zip(&times.pair).map(|(alone, pair)| alone / pair).collect();
        let faster = dash.map_or(String::new(), |dash| format!("{:.1}", dash / ratio(times)));
        println!(
            "| {case:?} | {} | {alone:.1} | {:.2} | {pair:.1} | {:.2} | {faster} |",
            times.name,
            ratio(times),
            median(&scaling)
        );
    }
}

fn main() {
    let plan = Plan::from_arguments();
    let mut all = Vec::new();
    for makes in groups(&plan) {
        let group: Vec<Box<dyn Runner>> = makes.iter().map(|make| make(plan.bytes)).collect();
        let cases = Case::ALL.into_iter().filter(|case| format!("{case:?}").contains(&plan.case));
        all.extend(cases.flat_map(|case| measure(&plan, case, &group)));
    }
    println!("{} MiB, {} rounds of {} operations, medians", plan.bytes >> 20, plan.rounds, plan.batch);
    println!();
    println!("| Case | Contender | ns | × bare | ns, 2 threads | speed of 2 threads | × faster than dashmap |");
    println!("|---|---|--:|--:|--:|--:|--:|");
    Case::ALL.into_iter().for_each(|case| print_case(case, &all));
}
