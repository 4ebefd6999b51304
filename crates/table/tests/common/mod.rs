//! Shared by several test files: spread numbers, what a layout keeps of an entry, tests in a child process.
#![allow(dead_code, reason = "each test file uses its part")]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::channel;
use std::time::Duration;

use mnemon_table::{Entry, Layout};

/// A bijection that spreads a number over all 64 bits (the finalizer of SplitMix64).
pub(crate) fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The entry as the layout keeps it.
pub(crate) fn kept<L: Layout>(key: u64, entry: &Entry) -> Entry {
    L::decode(L::encode(key, entry, 0).expect("the entry says something"), 0)
}

/// Whether this process is the child that [`passes_under`] started.
pub(crate) fn is_child() -> bool {
    std::env::var_os("MNEMON_TEST_CHILD").is_some()
}

/// Whether the named test of this binary passes in a child process, started from a shell after `settings` (say,
/// `umask 027`). In the child, [`is_child`] is true and the working folder is `folder`.
pub(crate) fn passes_under(settings: &str, test: &str, folder: &Path) -> bool {
    let binary = std::env::current_exe().expect("this test runs from a file");
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("{settings}; exec \"$0\" --exact {test}"))
        .arg(binary)
        .env("MNEMON_TEST_CHILD", "1")
        .current_dir(folder)
        .output()
        .expect("a shell starts");
    let said = String::from_utf8_lossy(&output.stdout);
    eprintln!("{said}{}", String::from_utf8_lossy(&output.stderr));
    output.status.success() && said.contains("1 passed")
}

/// The names of the files in a folder.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<String> = names.map(|file| file.expect("a file").file_name().display().to_string()).collect();
    names.sort();
    names
}

/// Makes a FIFO, to which no process writes.
pub(crate) fn make_fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo runs").success());
}

/// What `work` returns; fails if it blocks.
pub(crate) fn in_time<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (send, result) = channel();
    std::thread::spawn(move || send.send(work()));
    result.recv_timeout(Duration::from_secs(20)).expect("it neither blocks nor panics")
}
