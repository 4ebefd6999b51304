//! Random conversations with the engine: exactly one legal move for each `go`, never early, every `isready` answered, and a
//! clean end in every state.
//!
//! By hand: `MNEMON_UCI_SESSIONS=N` holds N conversations, `MNEMON_UCI_SEED=S` begins with this seed.

mod gui;
mod random_session;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use random_session::{Measured, Template};

/// How long conversations are held in the suite.
const BUDGET: Duration = Duration::from_secs(35);

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|text| text.parse().expect("a number"))
}

#[test]
fn random_sessions() {
    let seed = number("MNEMON_UCI_SEED");
    let sessions = number("MNEMON_UCI_SESSIONS").or(seed.map(|_| 1));
    let (first, start) = (seed.unwrap_or(1), Instant::now());
    let (template, next) = (Template::new(), AtomicU64::new(first));
    let (total, failures) = (Mutex::new(Measured::default()), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            let is_over = sessions.map_or(start.elapsed() > BUDGET, |sessions| seed >= first + sessions);
            if is_over || failures.lock().expect("no panic").len() >= 3 {
                return;
            }
            match random_session::run(seed, &template) {
                Ok(measured) => add(&mut total.lock().expect("no panic"), measured),
                Err(failure) => failures.lock().expect("no panic").push(failure),
            }
        }
    };
    // Sessions mostly wait: more of them than processors give more races.
    let workers = 2 * std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..workers).for_each(|_| _ = scope.spawn(work)));
    let (total, failures) = (total.into_inner().expect("no panic"), failures.into_inner().expect("no panic"));
    println!(
        "{} sessions from seed {first} in {:.0} s: {} searches; slowest isready {:?}, slowest end {:?}",
        total.sessions,
        start.elapsed().as_secs_f64(),
        total.gos,
        total.slowest_ready,
        total.slowest_end
    );
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(total.gos > 0 || sessions.is_some_and(|sessions| sessions < 10), "nothing was searched");
}

fn add(total: &mut Measured, measured: Measured) {
    total.sessions += measured.sessions;
    total.gos += measured.gos;
    total.slowest_ready = total.slowest_ready.max(measured.slowest_ready);
    total.slowest_end = total.slowest_end.max(measured.slowest_end);
}
