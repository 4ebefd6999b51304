//! `mnemon play connect4` through a pipe.

mod binary;

use binary::{fails, fed, text};

/// What is shown when these lines are typed.
fn session(options: &[&str], typed: &str) -> String {
    let output = fed(&[&["play", "connect4"], options].concat(), typed.as_bytes());
    assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
    text(&output.stdout).to_owned()
}

#[test]
fn whoever_begins_has_x() {
    assert!(session(&["--level", "1"], "y\nquit\n").contains("You are x."));
    assert!(session(&["--level", "1"], "n\nquit\n").contains("You are o."));
    let shown = session(&["--level", "1", "--start", "computer"], "");
    assert!(shown.contains("You are o.") && shown.contains("The computer plays 4."), "{shown}");
}

#[test]
fn bad_input_gets_a_line_and_the_prompt_again() {
    let shown = session(&["--level", "1"], "perhaps\ny\nfour\n0\n8\n99999999999999999999\nundo\n\nquit\n");
    assert!(shown.contains("Please answer y or n."));
    assert_eq!(shown.matches("x > ").count(), 7, "{shown}");
    assert_eq!(shown.matches("Columns are 1 to 7.").count(), 2, "{shown}");
    assert!(shown.contains("There is nothing to undo."));
    assert!(!shown.contains("The computer plays"));
}

#[test]
fn a_full_column_is_refused() {
    // One move ahead, the computer answers in the centre while it can.
    let shown = session(&["--level", "1", "--start", "me"], "4\n4\n4\n4\nquit\n");
    assert!(shown.contains("That column is full."), "{shown}");
}

#[test]
fn an_undone_move_takes_its_answer_with_it() {
    let shown = session(&["--level", "1", "--start", "me"], "1\nundo\nquit\n");
    let rows: Vec<_> = shown.lines().filter(|line| line.starts_with("   ")).collect();
    let boards: Vec<_> = rows.chunks(7).collect();
    assert_eq!(boards.len(), 3, "{shown}");
    assert_eq!(boards[0], boards[2]);
    assert_ne!(boards[0], boards[1]);
}

#[test]
fn a_game_can_be_won_against_the_weakest_and_is_over_then() {
    // Looking one move ahead, it sees its own wins only.
    let shown = session(&["--level", "1", "--start", "me"], "1\n1\n1\n1\n4\n");
    assert!(shown.trim_end().ends_with("You win!"), "{shown}");
}

#[test]
fn mistakes_on_the_command_line() {
    assert!(fails(&["play"], 2).contains("missing"));
    assert!(fails(&["play", "conect4"], 2).contains("did you mean 'connect4'?"));
    assert!(fails(&["play", "connect4", "--start", "you"], 2).contains("me, computer"));
    assert!(fails(&["play", "connect4", "--level", "9"], 2).contains("1..=8"));
}
