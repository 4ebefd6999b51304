//! Processes that write into one memory: this test binary, run again for one of its ignored tests.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use mnemon_memory::{Item, Key, Record, Source};

/// What a child is told: the memory's file, and two numbers.
pub(crate) struct Orders {
    pub(crate) path: std::path::PathBuf,
    pub(crate) first: u32,
    pub(crate) count: u32,
}

const PATH: &str = "MNEMON_TEST_MEMORY";
const NUMBERS: &str = "MNEMON_TEST_NUMBERS";

/// What this process was told; `None` if it is nobody's child.
pub(crate) fn orders() -> Option<Orders> {
    let path = std::env::var_os(PATH)?.into();
    let numbers = std::env::var(NUMBERS).ok()?;
    let (first, count) = numbers.split_once(' ')?;
    Some(Orders { path, first: first.parse().ok()?, count: count.parse().ok()? })
}

/// The command that runs the ignored test `name` with these orders, what it prints being read.
pub(crate) fn child(name: &str, orders: &Orders) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this is a program"));
    command.args(["--exact", name, "--ignored", "--nocapture", "--test-threads=1"]);
    tell(&mut command, orders);
    command
}

/// Gives any command the orders.
pub(crate) fn tell(command: &mut Command, orders: &Orders) {
    command.env(PATH, &orders.path).env(NUMBERS, format!("{} {}", orders.first, orders.count));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
}

/// Starts it.
pub(crate) fn start(name: &str, path: &Path, first: u32, count: u32) -> Child {
    child(name, &Orders { path: path.to_owned(), first, count }).spawn().expect("a process")
}

/// How many items a batch has of its own.
pub(crate) const BATCH: u32 = 40;
/// How many positions every batch has in common with all others.
pub(crate) const SHARED: u32 = 5;

/// The batch with this number: items of its own, and shared ones, which know the deepest batch.
pub(crate) fn batch(number: u32) -> Vec<Item> {
    let own = (0..BATCH).map(|index| (1_000 + number * BATCH + index, (number % 200) as i16, 7));
    let shared = (0..SHARED).map(|index| (index, 0, (number % 250) as u8));
    own.chain(shared).map(|(position, score, depth)| item(position, score, depth)).collect()
}

fn item(position: u32, score: i16, depth: u8) -> Item {
    // Spread over the file, so that a batch touches many pages.
    let position = position.wrapping_mul(0x9e37_79b1).to_be_bytes();
    let key = Key::new(&"chess".into(), position, &Source::engine("tested", "1"));
    Item { key, record: Record { best: 9, time: 1_800_000_000, nodes: 12_345, ..Record::exact(score, depth) } }
}
