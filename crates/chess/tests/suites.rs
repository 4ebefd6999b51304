//! The test suites beside the project, where there are any: every position is read, and so is every best move.

mod common;

use common::{beside_the_project, legal_moves, position};
use mnemon_chess::Position;

/// The suites, with how many moves to find or to avoid they name at least.
const SUITES: [(&str, usize); 10] = [
    ("arasan2024.epd", 200),
    ("bratko-kopec.epd", 24),
    ("eet.epd", 100),
    ("fine70.epd", 1),
    ("hard-mates.epd", 23),
    ("hardzugs.epd", 3),
    ("kaufman.epd", 25),
    ("nolot.epd", 11),
    ("sts1500.epd", 1_500),
    ("wac.epd", 300),
];

/// What is wrong in the files themselves.
const MISPRINTS: [(&str, &str); 2] = [(" - -1 ", " - - 1 "), (" Bcx3 ", " Bxc3 ")];

#[test]
fn every_position_and_its_moves_are_read() {
    for (name, least) in SUITES {
        let Some(text) = beside_the_project(&format!("chess/{name}")) else { continue };
        let text = MISPRINTS.iter().fold(text, |text, (wrong, right)| text.replace(wrong, right));
        let lines = text.lines().filter(|line| !line.trim_matches(['\0', ' ']).is_empty());
        let moves: usize = lines.map(named_moves).sum();
        assert!(moves >= least, "{name}: {moves} moves");
    }
}

/// How many moves the line's `bm` and `am` operations name, all of them legal.
fn named_moves(line: &str) -> usize {
    let (position, operations) = read(line);
    let words = operations
        .split(|letter: char| letter == ';' || letter.is_whitespace() || letter.is_control())
        .filter(|word| !word.is_empty());
    let named = words.skip_while(|word| !["bm", "am"].contains(word)).skip(1);
    let named = named.take_while(|word| !["id", "dm", "c0", "am"].contains(word)).filter(|word| *word != "+");
    named
        .map(|san| {
            let mv = position.parse_san(san).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert!(legal_moves(&position).contains(&mv), "{line}");
        })
        .count()
}

/// A line's position, with its move counters if it has them, and the rest.
fn read(line: &str) -> (Position, &str) {
    let ends = line.match_indices(' ').filter(|&(at, _)| !line[..at].ends_with(' ')).map(|(at, _)| at);
    let ends: Vec<_> = ends.collect();
    let has_counters = ends.len() > 5 && line[ends[3]..ends[5]].chars().all(|c| c.is_ascii_digit() || c == ' ');
    let end = ends[if has_counters { 5 } else { 3 }];
    (position(&line[..end]), &line[end..])
}
