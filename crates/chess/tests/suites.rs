//! Test suites beside the project, where they are installed: every position and every `bm` and `am` move is read.

mod common;

use common::{beside_the_project, legal_moves};
use mnemon_chess::epd::{Epd, ExpectedMoves};

/// The suites, each with a lower bound of the moves that its `bm` and `am` operations name.
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

/// Misprints of the files themselves, and their corrections.
const MISPRINTS: [(&str, &str); 3] = [(" - -1 ", " - - 1 "), (" Bcx3 ", " Bxc3 "), ("am Ne5", "am Ngxe5")];

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
    let epd: Epd = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
    let ExpectedMoves { best, avoid } = epd.expected_moves().unwrap_or_else(|error| panic!("{line}: {error}"));
    let legal = legal_moves(&epd.position);
    assert!(best.iter().chain(&avoid).all(|mv| legal.contains(mv)), "{line}");
    best.len() + avoid.len()
}
