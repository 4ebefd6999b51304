//! `mnemon solve` and input that is no position: one clear error each, and everything else still answered.

mod binary;

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use binary::{command, fails, fed, mnemon, text};

const GOOD: &str = "7422341735647741166133573473242566";

/// Feeds the bytes as the second of three lines, and gives what is said about it.
fn said_about(line: &[u8]) -> String {
    let input = [GOOD.as_bytes(), b"\n", line, b"\n", GOOD.as_bytes(), b"\n"].concat();
    let output = fed(&["solve"], &input);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        text(&output.stdout).lines().filter(|line| line.starts_with(GOOD)).count(),
        2,
        "the others are answered"
    );
    let error = text(&output.stderr).trim_end();
    assert!(!error.contains('\n') && error.len() < 200, "one short line: {error}");
    error.strip_prefix("mnemon: stdin: line 2: ").expect("the line's number").to_owned()
}

#[test]
fn every_bad_line_is_named_and_the_others_answered() {
    assert_eq!(said_about(b"1111111"), "move 7: column 1 is full");
    assert_eq!(said_about(b"448"), "move 3: there is no column 8, columns are 1 to 7");
    assert_eq!(said_about(b"0"), "move 1: there is no column 0, columns are 1 to 7");
    assert_eq!(said_about(b"1122334"), "move 7: column 4 makes four: the game is over");
    assert_eq!(said_about(b"11223344"), "move 7: column 4 makes four: the game is over");
    assert_eq!(said_about(b"44x"), "move 3: 'x' is no column number");
    assert_eq!(said_about(b"\x1b[2J"), "move 1: '\\u{1b}' is no column number");
    assert_eq!(said_about(b""), "no moves; '-' is the empty board");
    assert_eq!(said_about(b"   "), "no moves; '-' is the empty board");
    assert_eq!(said_about(b" 1"), "no moves; '-' is the empty board");
    assert_eq!(said_about(b"44 good"), "\"good\" is no score");
    assert_eq!(said_about(b"44 99999999999"), "\"99999999999\" is no score");
    assert_eq!(said_about(b"44\xff\xfe"), "not text: these bytes are no UTF-8");
    assert_eq!(said_about(b"44\0"), "move 3: '\\0' is no column number");
}

#[test]
fn a_line_of_a_megabyte_is_not_repeated() {
    assert_eq!(said_about(&vec![b'4'; 1 << 20]), "longer than 1000 bytes");
    assert_eq!(said_about(&vec![0xff; 1 << 20]), "longer than 1000 bytes");
    assert_eq!(said_about(&vec![b' '; 1 << 20]), "longer than 1000 bytes");
}

#[test]
fn bad_arguments_are_counted_too() {
    let output = mnemon(&["solve", GOOD, "99", GOOD]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout).lines().count(), 2);
    assert_eq!(text(&output.stderr), "mnemon: position 2: move 1: there is no column 9, columns are 1 to 7\n");
}

#[test]
fn files_that_cannot_be_read_are_named_and_the_others_answered() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, missing) = (folder.path().join("good"), folder.path().join("missing"));
    std::fs::write(&path, GOOD).expect("written");
    let words = [folder.path(), &missing, &path].map(|path| path.to_str().expect("UTF-8"));
    let output = mnemon(&["solve", "--file", words[0], "--file", words[1], "--file", words[2]]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).starts_with(GOOD));
    let errors = text(&output.stderr);
    assert!(errors.lines().count() == 2 && errors.contains(&format!("mnemon: {}: ", words[1])), "{errors}");
}

#[test]
fn nothing_at_all_is_answered_with_nothing() {
    let output = fed(&["solve"], b"");
    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty());
    assert!(fed(&["solve"], b"# only a remark\n").status.success());
}

#[test]
fn mistyped_commands_are_told_what_was_meant() {
    assert!(fails(&["solve", "bok"], 1).contains("'book'"));
    assert!(fails(&["solve", "bok", "--depth", "3"], 2).contains("it belongs to 'mnemon solve book'"));
    assert!(fails(&["solve", "44", "--treads", "2"], 2).contains("did you mean '--threads'?"));
    assert!(fails(&["solve", "44", "--without", "forcd"], 2).contains("did you mean 'forced'?"));
    assert!(fails(&["solve", "44", "--threads", "0"], 2).contains("1..=1024"));
    assert!(fails(&["solve", "44", "--json", "--draw"], 2).contains("--draw"));
    assert!(fails(&["solve", "book"], 2).contains("--depth"));
    assert!(fails(&["sovle", "44"], 2).contains("did you mean 'solve'?"));
}

#[test]
fn a_table_that_does_not_fit_is_an_error_not_a_crash() {
    fails(&["solve", GOOD, "--hash", "33554432"], 1);
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let mut child = command(&["solve"]).stdin(Stdio::piped()).spawn().expect("the binary runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut answers = BufReader::new(child.stdout.take().expect("a pipe"));
    writeln!(stdin, "{GOOD}").expect("fed");
    let mut first = String::new();
    answers.read_line(&mut first).expect("an answer at once, not at the end");
    assert!(first.starts_with(GOOD));
    drop(answers);
    writeln!(stdin, "{GOOD}").expect("fed");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_no_text_is_a_bad_position() {
    use std::os::unix::ffi::OsStrExt;
    let word = std::ffi::OsStr::from_bytes(b"44\xff");
    let output = command(&["solve", GOOD]).arg(word).output().expect("the binary runs");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr), "mnemon: position 2: not text: these bytes are no UTF-8\n");
}
