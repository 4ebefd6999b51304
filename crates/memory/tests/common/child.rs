//! Other processes for tests: the test's own program, started again at one of its ignored tests.
#![allow(dead_code, reason = "each test file uses a part")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The child's memory. Without it the ignored test returns at once.
const MEMORY: &str = "MNEMON_TEST_MEMORY";
/// The child's number.
const NUMBER: &str = "MNEMON_TEST_NUMBER";

/// The command that runs the ignored test `name` in a process of its own. It [reports](say) through its standard error,
/// which the test harness does not capture.
pub(crate) fn command(program: &Path, name: &str, memory: &Path, number: u64) -> Command {
    let mut command = Command::new(program);
    command.args([name, "--exact", "--ignored", "--nocapture", "--test-threads=1"]);
    prepare(&mut command, memory, number);
    command
}

/// The same, for a command that starts the program itself.
pub(crate) fn prepare(command: &mut Command, memory: &Path, number: u64) {
    command.env(MEMORY, memory).env(NUMBER, number.to_string()).stdout(Stdio::null()).stderr(Stdio::piped());
}

/// This program.
pub(crate) fn program() -> PathBuf {
    std::env::current_exe().expect("the test knows its program")
}

/// The child's memory and number; `None` in a process that is no child.
pub(crate) fn task() -> Option<(PathBuf, u64)> {
    let number = std::env::var(NUMBER).ok()?.parse().expect("a number");
    Some((std::env::var_os(MEMORY)?.into(), number))
}

/// Writes one line to the parent in one write.
pub(crate) fn say(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).expect("the parent listens");
}
