//! The fault layer: compiled by the system's C compiler, and preloaded into a child.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::child;

/// The file in the watched directory that never fails: the child's report.
pub(crate) const REPORT: &str = "journal-of-the-test";

/// A child that takes longer hangs. The longest takes a second.
const DEADLINE: Duration = Duration::from_secs(300);

/// The compiled layer.
pub(crate) struct Shim(PathBuf);

impl Shim {
    /// Compiles the layer into the directory. `None`, said aloud, where there is no compiler or no preloading.
    pub(crate) fn compile(directory: &Path) -> Option<Self> {
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/faults/shim.c");
        let library = directory.join("shim.so");
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let mut command = Command::new(&compiler);
        command.args(["-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o"]).arg(&library).arg(source);
        match command.args(["-ldl", "-lpthread"]).status() {
            Ok(status) if status.success() => Some(Shim(library)),
            Ok(status) => panic!("{compiler} does not compile {source}: {status}"),
            Err(error) => {
                // Past the harness, which keeps what a passing test prints.
                child::say(&format!(
                    "!!! NOT RUN: the fault layer needs a C compiler, and {compiler} is none ({error})"
                ));
                None
            }
        }
    }

    /// Runs the ignored test `name` on the directory, under the layer; returns how it ended. It must not be killed by a
    /// signal, panic or hang.
    pub(crate) fn run(&self, name: &str, directory: &Path, fault: Option<&str>, trace: Option<&Path>) {
        let mut command = child::command(&child::program(), name, directory, 0);
        command.env("LD_PRELOAD", &self.0).env("MNEMON_SHIM_DIRECTORY", directory).env("SQLITE_TMPDIR", directory);
        command.env_remove("MNEMON_SHIM_FAULT").env_remove("MNEMON_SHIM_TRACE");
        fault.map(|fault| command.env("MNEMON_SHIM_FAULT", fault));
        trace.map(|trace| command.env("MNEMON_SHIM_TRACE", trace));
        let errors = directory.with_extension("stderr");
        command.stderr(Stdio::from(fs::File::create(&errors).expect("a file")));
        let mut process = command.spawn().expect("a process");
        let start = Instant::now();
        let status = loop {
            if let Some(status) = process.try_wait().expect("a child") {
                break status;
            }
            if start.elapsed() > DEADLINE {
                process.kill().expect("it can be killed");
                process.wait().expect("it is dead");
                panic!("{fault:?}: it hangs; {}", report(directory));
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        let said = fs::read_to_string(&errors).expect("a file");
        assert!(status.success(), "{fault:?}: {status}\n{said}\n{}", report(directory));
    }
}

/// What the child reported.
pub(crate) fn report(directory: &Path) -> String {
    fs::read_to_string(directory.join(REPORT)).unwrap_or_default()
}
