//! The tuner's two commands, from games to weights.

mod binary;

use std::fs;
use std::path::Path;

use binary::{fails, mnemon, text};

/// Plays games of the engine against itself to a file of this folder; returns the file's text.
fn play(folder: &Path, name: &str, options: &[&str]) -> String {
    let path = folder.join(name);
    let out = path.to_str().expect("UTF-8");
    let output = mnemon(&[&["lab", "tune", "play", "--nodes", "60", "--out", out], options].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    fs::read_to_string(path).expect("written")
}

#[test]
fn a_run_is_resumed_and_threads_change_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let two = play(folder.path(), "a", &["--games", "2"]);
    assert_eq!(two.matches("\n\n").count(), 2);
    assert!(two.lines().filter(|line| !line.is_empty()).all(|line| line.split(" | ").count() == 3), "{two}");
    fs::write(folder.path().join("a"), two.clone() + "rnbqkbnr/ppp").expect("a game cut off");
    let six = play(folder.path(), "a", &["--games", "6"]);
    assert!(six.starts_with(&two) && six.matches("\n\n").count() == 6);
    assert_eq!(play(folder.path(), "b", &["--games", "6", "--threads", "3"]), six);
    assert_ne!(play(folder.path(), "c", &["--games", "2", "--seed", "2"]), two);
}

#[test]
fn weights_are_written_and_repeat() {
    let folder = tempfile::tempdir().expect("a folder");
    play(folder.path(), "games", &["--games", "40"]);
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let fit = |name: &str, seed: &str| {
        let output = mnemon(&["lab", "tune", "fit", "--data", &path("games"), "--seed", seed, "--out", &path(name)]);
        let said = text(&output.stdout).to_owned();
        assert!(output.status.success() && said.contains("for validation"), "{said}{}", text(&output.stderr));
        fs::read_to_string(path(name)).expect("written")
    };
    let weights = fit("a.rs", "1");
    assert!(weights.starts_with("//! The evaluation's weights, fitted to "), "{weights}");
    assert!(weights.contains("\n    // material\n    p(") && weights.ends_with("),\n];\n"), "{weights}");
    assert_eq!(fit("b.rs", "1"), weights);
    assert_ne!(fit("c.rs", "2"), weights);
}

#[test]
fn errors_name_the_file_and_the_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, out) = (folder.path().join("data"), folder.path().join("weights.rs"));
    let (data_word, out_word) = (data.to_str().expect("UTF-8"), out.to_str().expect("UTF-8"));
    let good = "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1 | 80 | 1-0\n";
    let fit = |text: &str| {
        fs::write(&data, text).expect("written");
        fails(&["lab", "tune", "fit", "--data", data_word, "--out", out_word], 1)
    };
    assert!(fit(&format!("{good}\n{good}8/8 w - - | 0 | 1-0\n")).contains(&format!("{data_word}: line 4: ")));
    assert!(fit(&format!("{good}{}\n", "x".repeat(100_000))).contains("line 2: "));
    assert!(fit(good).contains("1 games are too few"));
    assert!(!out.exists());
    fs::remove_file(&data).expect("gone");
    assert!(fails(&["lab", "tune", "fit", "--data", data_word], 1).contains("cannot read"));
    assert!(fails(&["lab", "tune", "fit", "--data", data_word, "--results", "2"], 2).contains("within 0 and 1"));
    assert!(fails(&["lab", "tune", "play", "--game", "2", "--out", data_word], 2).contains("--games"));
    assert!(fails(&["lab", "tune", "tweak"], 2).contains("tweak"));
}

#[test]
fn a_file_of_another_kind_is_not_touched() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("notes");
    let word = path.to_str().expect("UTF-8");
    for notes in ["buy milk\n\nand bread\n", "buy milk"] {
        fs::write(&path, notes).expect("written");
        assert!(
            fails(&["lab", "tune", "play", "--games", "1", "--out", word], 1).contains("this is no file of samples")
        );
        assert_eq!(fs::read_to_string(&path).expect("there"), notes);
    }
}
