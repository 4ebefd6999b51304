//! Running the binary.

#![allow(dead_code, unreachable_pub, reason = "each test file uses some of these")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The command with these arguments, before it runs.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mnemon"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What the command does with nothing on stdin.
pub fn mnemon(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the binary runs")
}

/// What the command does with this on stdin.
pub fn fed(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = command(arguments).stdin(Stdio::piped()).spawn().expect("the binary runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // The command may end before it has read everything; that is its right.
    let feeder = std::thread::spawn(move || _ = stdin.write_all(&input));
    let output = child.wait_with_output().expect("it ends");
    feeder.join().expect("fed");
    output
}

/// Output as text.
pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// One line on stderr, nothing on stdout, and the exit code.
pub fn fails(arguments: &[&str], code: i32) -> String {
    let output = mnemon(arguments);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
    assert!(error.starts_with("mnemon: "), "{error}");
    error.to_owned()
}

/// The public test sets, where they are at hand: `$MNEMON_SHARED`, or `shared/` beside a folder above this crate.
pub fn sets() -> Option<PathBuf> {
    let inside = |shared: PathBuf| {
        let sets = shared.join("data/connect4");
        sets.is_dir().then_some(sets)
    };
    if let Some(shared) = std::env::var_os("MNEMON_SHARED") {
        return inside(shared.into());
    }
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().find_map(|folder| inside(folder.join("shared")))
}
