//! The server under load, on the loopback interface: many event streams that stay open while many clients ask.
//!
//!     cargo run --release -p mnemon-server --example load -- [SECONDS] [STREAMS] [CLIENTS]
//!
//! Three things are asked in turns, a few seconds each, so that a busy machine is fair to all of them: bytes that the server
//! has ready, `queryall` of one known position, and the same with other move counters each time, which no kept answer
//! answers. The server is a process of its own, whose memory is watched. Docs: docs/results/serve.md.

mod clients;
mod server;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use clients::{Question, Samples, Streams};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.get(1).map(String::as_str) {
        Some("serve") => server::serve(),
        Some("engine") => server::engine(),
        _ => measure(&arguments),
    }
}

/// How long one question is asked before the next one's turn.
const TURN: Duration = Duration::from_secs(4);

fn measure(arguments: &[String]) {
    let number = |at: usize, default: u64| arguments.get(at).and_then(|text| text.parse().ok()).unwrap_or(default);
    let (seconds, streams, clients) = (number(1, 120), number(2, 1000) as usize, number(3, 100) as usize);
    let (mut child, address, token) = start();
    println!("before: {} KiB", resident(child.id()));
    let search = clients::start_search(&address, &token, seconds + 30);
    let open = Streams::open(&address, &search, streams);
    let mut samples: Vec<Samples> = Question::ALL.iter().map(|_| Samples::default()).collect();
    let (begun, mut memory) = (Instant::now(), Vec::new());
    while begun.elapsed() < Duration::from_secs(seconds) {
        for (question, samples) in Question::ALL.iter().zip(&mut samples) {
            samples.extend(clients::ask(&address, *question, clients, TURN));
        }
        memory.push(resident(child.id()));
        println!("{:4} s: {} KiB", begun.elapsed().as_secs(), memory.last().copied().unwrap_or(0));
    }
    report(&samples);
    let lost = open.finish();
    println!("streams: {streams} open, {} events heard, {} ended early, {} gaps", lost.events, lost.ended, lost.gaps);
    println!("memory: {} KiB after the first round, {} KiB after the last", memory[0], memory[memory.len() - 1]);
    let _ = child.kill();
    let _ = child.wait();
}

fn report(samples: &[Samples]) {
    let base = samples[0].rate();
    println!(
        "| question | requests | failed | per second | of the fixed answer | p50 ms | p99 ms |\n|---|---|---|---|---|---|---|"
    );
    for (question, samples) in Question::ALL.iter().zip(samples) {
        let (p50, p99) = samples.percentiles();
        println!(
            "| {} | {} | {} | {:.0} | {:.2} | {p50:.2} | {p99:.2} |",
            question.name(),
            samples.count(),
            samples.failed,
            samples.rate(),
            samples.rate() / base,
        );
    }
}

/// Starts the server; its first two lines are its address and its token.
fn start() -> (Child, String, String) {
    let program = std::env::current_exe().expect("a path");
    let mut child = Command::new(program).arg("serve").stdout(Stdio::piped()).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut line = || lines.next().expect("a line").expect("text");
    let (address, token) = (line(), line());
    (child, address, token)
}

/// The resident memory of a process in KiB; 0 where the system does not tell it so.
fn resident(pid: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
