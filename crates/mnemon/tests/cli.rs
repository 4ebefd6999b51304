//! The binary as a user meets it: help, mistakes, and what its commands leave behind.

mod binary;

use std::path::Path;

use binary::{fails, mnemon, text};

#[test]
fn help_and_version_are_answers_not_errors() {
    let lines = ["--help", "-h", "bench --help", "lab --help", "lab replacement -h", "lab bounds -h", "solve --help"];
    let more =
        ["solve book -h", "learn -h", "play -h", "play connect4 --help", "uci --help", "completions -h", "man --help"];
    let by_word = ["help", "help solve", "help solve book", "memory help", "memory help show", "lab help", "play help"];
    for line in lines.into_iter().chain(more).chain(by_word) {
        let arguments = &line.split(' ').collect::<Vec<_>>()[..];
        let output = mnemon(arguments);
        assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}");
        assert!(text(&output.stdout).contains("Usage: mnemon"), "{arguments:?}");
    }
    assert_eq!(text(&mnemon(&["--version"]).stdout), concat!("mnemon ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn unknown_words_get_a_suggestion_and_exit_code_2() {
    assert!(fails(&["banch"], 2).contains("did you mean 'bench'?"));
    assert!(fails(&["bench", "--dpeth", "3"], 2).contains("did you mean '--depth'?"));
    assert!(fails(&["lab", "replacment"], 2).contains("did you mean 'replacement'?"));
    assert!(fails(&["lab"], 2).contains("missing"));
    assert!(fails(&["bench", "more"], 2).contains("'more'"));
    assert!(fails(&["hlep"], 2).contains("did you mean 'help'?"));
    assert!(fails(&["help", "slove"], 2).contains("did you mean 'solve'?"));
    assert!(fails(&["memory", "help", "shwo"], 2).contains("did you mean 'show'?"));
}

#[test]
fn help_by_word_is_the_same_as_by_option() {
    for (word, option) in [
        (&["help"][..], &["--help"][..]),
        (&["help", "memory", "put"], &["memory", "put", "--help"]),
        (&["memory", "help", "put"], &["memory", "put", "--help"]),
    ] {
        assert_eq!(text(&mnemon(word).stdout), text(&mnemon(option).stdout), "{word:?}");
    }
}

#[test]
fn every_shell_gets_a_script_that_knows_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = mnemon(&["completions", shell]);
        assert!(output.status.success() && output.stderr.is_empty(), "{shell}");
        let script = text(&output.stdout);
        for word in ["analyze", "learn", "solve", "book", "memory", "backup", "lab", "--multipv", "multipv"] {
            assert!(script.contains(word.trim_start_matches("--")), "{shell}: {word}");
        }
    }
    assert!(fails(&["completions", "bsh"], 2).contains("did you mean 'bash'?"));
    assert!(fails(&["completions"], 2).contains("<SHELL>"));
}

#[cfg(unix)]
#[test]
fn bash_understands_its_script() {
    use std::process::Command;
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(&file, mnemon(&["completions", "bash"]).stdout).expect("written");
    let output = Command::new("bash").arg("-n").arg(file.path()).output().expect("bash runs");
    assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
    // The function that the script defines completes "so" to the command that begins so.
    let ask = format!(
        "source {}; COMP_WORDS=(mnemon so); COMP_CWORD=1; _mnemon mnemon so mnemon; echo \"${{COMPREPLY[@]}}\"",
        file.path().display()
    );
    let output = Command::new("bash").args(["-c", &ask]).output().expect("bash runs");
    assert_eq!(text(&output.stdout), "solve\n", "{}", text(&output.stderr));
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let page = mnemon(&["man"]);
    assert!(page.status.success() && page.stderr.is_empty());
    let folder = tempfile::tempdir().expect("a folder");
    let pages = folder.path().join("man").join("man1");
    let said = mnemon(&["man", "--out", pages.to_str().expect("UTF-8")]);
    assert!(said.status.success() && said.stderr.is_empty(), "{}", text(&said.stderr));
    let names: Vec<_> = std::fs::read_dir(&pages).expect("pages").map(|page| page.expect("a page").path()).collect();
    assert!(text(&said.stdout).starts_with(&format!("{} manual pages written to ", names.len())));
    for name in [
        "mnemon",
        "mnemon-analyze",
        "mnemon-learn",
        "mnemon-solve-book",
        "mnemon-memory-put",
        "mnemon-lab-match",
        "mnemon-man",
    ] {
        let path = pages.join(format!("{name}.1"));
        let page = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(page.contains(&format!(".TH {name} 1")), "{name}");
        for section in [".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION"] {
            assert!(page.contains(section), "{name}: {section}");
        }
    }
    assert_eq!(std::fs::read_to_string(pages.join("mnemon.1")).expect("a page"), text(&page.stdout));
    for name in names {
        // Where there is a formatter, it has nothing to complain about.
        let groff = std::process::Command::new("groff").args(["-man", "-ww", "-Tascii"]).arg(&name).output();
        assert!(groff.is_ok_and(|output| output.stderr.is_empty()) || !has_groff(), "{}", name.display());
    }
    let file = tempfile::NamedTempFile::new().expect("a file");
    let file = file.path().to_str().expect("UTF-8");
    assert!(fails(&["man", "--out", file], 1).contains(file));
}

fn has_groff() -> bool {
    std::process::Command::new("groff").arg("--version").output().is_ok()
}

#[test]
fn numbers_out_of_range_name_the_range() {
    for arguments in
        [&["bench", "--depth", "0"][..], &["bench", "--depth", "99999999999999999999"], &["bench", "--hash", "-1"]]
    {
        assert!(fails(arguments, 2).contains("--"), "{arguments:?}");
    }
    assert!(fails(&["bench", "--depth", "61"], 2).contains("1..=60"));
}

#[test]
fn without_arguments_and_without_a_terminal_it_is_an_engine() {
    let output = binary::fed(&[], b"uci\n");
    assert!(output.status.success() && output.stderr.is_empty());
    assert!(text(&output.stdout).ends_with("uciok\n"));
    let output = mnemon(&[]);
    assert!(output.status.success() && output.stdout.is_empty(), "the end of input is the end");
}

#[test]
fn a_table_that_does_not_fit_is_an_error_not_a_crash() {
    assert!(fails(&["bench", "--hash", "33554432"], 1).contains("ask for less"));
}

#[test]
fn the_bench_signature_repeats() {
    let nodes = || {
        let output = mnemon(&["bench", "--depth", "7", "--chess-depth", "4"]);
        assert!(output.status.success());
        let count =
            |name| text(&output.stdout).lines().find(|line| line.starts_with(name)).expect("a count").to_owned();
        [count("Nodes: "), count("Chess nodes: ")]
    };
    assert_eq!(nodes(), nodes());
}

#[test]
fn the_replacement_lab_writes_its_results() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("new").join("results");
    let lab = |jobs: &str| {
        let out = out.to_str().expect("UTF-8");
        mnemon(&["lab", "replacement", "--depth", "5", "--positions", "2", "--jobs", jobs, "--out", out])
    };
    let output = lab("1");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let read = |name: &str| std::fs::read_to_string(Path::new(&out).join(name)).expect("written");
    let csv = read("replacement.csv");
    assert_eq!(csv.lines().count(), 9, "a heading and a line for each size");
    assert_eq!(
        csv.lines().next(),
        Some("Entries,New,Old,Deep,Big1,BigAll,TwoTier,TwoDeep,TwoBig1,Worth,Aged,Extreme,Exact")
    );
    assert!(read("replacement.md").contains("| 2^13 |") || read("replacement.md").contains(" 2^13 |"));
    assert!(read("replacement.svg").starts_with("<svg") && read("replacement-unhinted.svg").starts_with("<svg"));
    assert!(lab("2").status.success());
    assert_eq!(read("replacement.csv"), csv, "the counts do not depend on the number of jobs");
}

#[test]
fn results_that_cannot_be_written_name_the_place() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let out = file.path().join("below").to_str().expect("UTF-8").to_owned();
    let output = mnemon(&["lab", "replacement", "--depth", "1", "--positions", "1", "--out", &out]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains(&out));
}
