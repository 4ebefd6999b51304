//! Engines that misbehave: shell scripts that answer line by line.

use std::fs;
use std::time::Duration;

use super::*;

/// Long enough for the slowest machine: only failing tests wait for it.
const LONG: Duration = Duration::from_secs(60);
/// What a test waits for that expects silence.
const SHORT: Duration = Duration::from_millis(200);

/// An engine whose answers to some lines are these shell commands.
struct Fake {
    folder: tempfile::TempDir,
}

impl Fake {
    fn new(answers: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let script = format!("while read -r line; do case \"$line\" in\n{answers}\nesac; done\n");
        fs::write(folder.path().join("engine.sh"), script).expect("written");
        Fake { folder }
    }

    fn command(&self) -> EngineCommand {
        EngineCommand::parse(&format!("sh \"{}\"", self.folder.path().join("engine.sh").display())).expect("a command")
    }

    fn start(&self, timeout: Duration) -> Result<ChildEngine, ChildError> {
        ChildEngine::start(&self.command(), timeout)
    }
}

const POLITE: &str = "uci) echo 'Old Engine, all rights reserved'; echo 'id name Fake 1.0'
    echo 'option name Hash type spin default 16 min 1 max 64'; echo 'option name Clear Hash type button'; echo uciok;;
isready) echo readyok;;
quit) exit 0;;";

fn error<T>(result: Result<T, ChildError>) -> String {
    result.err().expect("an error").to_string()
}

#[test]
fn without_a_thread_that_reads_it_is_not_used_and_that_is_said() {
    let fake = Fake::new(POLITE);
    // No system has room for this stack.
    let refused = || std::thread::Builder::new().stack_size(usize::MAX / 4);
    let said = error(ChildProcess::start_on(refused, &fake.command(), |_| true));
    assert!(said.contains("no thread can be started"), "{said}");
}

#[test]
fn a_polite_engine_is_asked_and_answers() {
    let log = tempfile::NamedTempFile::new().expect("a file");
    let path = log.path().display();
    let fake = Fake::new(&format!(
        "{POLITE}\ngo*) echo \"$line\" >>{path}; echo 'info depth 3 score cp 12 pv e7e5'; echo 'bestmove e7e5 ponder d2d4';;
        *) echo \"$line\" >>{path};;"
    ));
    let mut engine = fake.start(LONG).expect("it starts");
    assert_eq!(engine.name(), "Fake 1.0");
    engine.set_option("hash", "32").expect("it has one");
    engine.set_option("clear hash", "").expect("it has one");
    engine.new_game().expect("ready");
    engine.set_position("8/8/8/8/8/8/8/K1k5 w - - 0 1", &["a1a2".to_owned()]).expect("sent");
    let mut infos = Vec::new();
    let reply = engine.go(&GoCommand::nodes(5), LONG, |info| infos.push(info)).expect("a move");
    assert_eq!((reply.best.mv.as_str(), infos.len()), ("e7e5", 1));
    let left = [Duration::from_millis(1500), Duration::from_millis(900)];
    let clock = GoCommand::clock(left, Duration::from_millis(20));
    engine.go(&clock, LONG, |_| {}).expect("a move");
    engine.quit();
    let sent = fs::read_to_string(log.path()).expect("a log");
    let expected = "setoption name Hash value 32\nsetoption name Clear Hash\nucinewgame\n\
                    position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1 moves a1a2\ngo nodes 5\n\
                    go wtime 1500 btime 900 winc 20 binc 20\n";
    assert_eq!(sent, expected);
}

#[test]
fn a_missing_engine_is_named() {
    let command = EngineCommand::parse("/nowhere/engine uci").expect("a command");
    let error = error(ChildEngine::start(&command, LONG));
    assert!(error.contains("'/nowhere/engine uci'") && error.contains("No such file"), "{error}");
}

#[test]
fn silence_has_an_end() {
    let error = error(Fake::new("x) ;;").start(SHORT));
    assert!(error.contains("no uciok within 200.0ms"), "{error}");
    let fake = Fake::new("uci) echo uciok;;");
    let mut engine = fake.start(LONG).expect("it starts");
    assert_eq!(engine.name(), fake.command().to_string(), "it gave no name");
    engine.timeout = SHORT;
    assert!(matches!(engine.wait_ready(), Err(ChildError::Timeout { expected: "readyok", .. })));
    assert!(matches!(
        engine.go(&GoCommand::nodes(1), SHORT, |_| {}),
        Err(ChildError::Timeout { expected: "bestmove", .. })
    ));
    assert!(matches!(engine.stop(), Err(ChildError::Timeout { expected: "bestmove after stop", .. })));
}

#[test]
fn endless_talk_has_an_end_too() {
    let error = error(Fake::new("uci) while :; do echo 'info string hello'; done;;").start(SHORT));
    assert!(error.contains("no uciok"), "{error}");
}

#[test]
fn a_dying_engine_leaves_its_status_and_last_error_output() {
    let error = error(Fake::new("uci) echo 'no network file' >&2; exit 3;;").start(LONG));
    assert!(error.contains("exit status: 3") && error.contains("no network file"), "{error}");
    let mut engine = Fake::new(&format!("{POLITE}\ngo*) kill -9 $$;;")).start(LONG).expect("it starts");
    let died = engine.go(&GoCommand::nodes(1), LONG, |_| {}).expect_err("an error");
    assert!(matches!(&died, ChildError::Exited { engine, status, .. } if engine == "Fake 1.0" && status.contains('9')));
    assert!(matches!(engine.wait_ready(), Err(ChildError::Exited { .. })), "and stays dead");
}

#[test]
fn a_late_move_can_still_be_waited_for() {
    let mut engine = Fake::new(&format!("{POLITE}\nstop) echo bestmove a2a3;;")).start(LONG).expect("it starts");
    assert!(matches!(engine.go(&GoCommand::nodes(1), SHORT, |_| {}), Err(ChildError::Timeout { .. })));
    engine.stop().expect("the move that was thrown away");
    engine.wait_ready().expect("and it goes on");
}

#[test]
fn options_are_checked_before_they_are_sent() {
    let mut engine = Fake::new(POLITE).start(LONG).expect("it starts");
    assert!(error(engine.set_option("has", "1")).ends_with("has no option 'has'; did you mean 'Hash'?"));
    let bad = error(engine.set_option("Hash", "65"));
    assert!(bad.contains("'65'") && bad.contains("a number from 1 to 64"), "{bad}");
    assert!(error(engine.set_option("Contempt", "1")).ends_with("'Contempt'"));
}
