//! Sub-trees of chess positions, where pieces go back and forth: `memory export --from` and `memory forget --subtree`.

mod binary;
mod memories;

use memories::{Memory, lines, sorted};
use serde_json::{Value, json};

/// The Najdorf variation: White's sixth move is next.
const NAJDORF: &str = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6";
/// The position after 6.Be3, with the move number that belongs to it.
const AFTER_BE3: &str = "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N1B3/PPP2PPP/R2QKB1R b KQkq - 1 6";

/// What is below 6.Be3 and nowhere else. Black's knight goes back, White's bishop too, and both return: so there are moves
/// from 6.Be3 to the position before it, and to 6.Bg5.
const OWN: [&str; 6] = ["Be3", "Be3 e5", "Be3 Ng8", "Be3 Ng8 Bc1", "Be3 Ng8 Bd2", "Be3 Ng8 Bd2 Nf6"];
/// What stood before, and other sixth moves.
const AROUND: [&str; 5] = ["", "Bg5", "Bg5 e6", "Nb3", "Nb3 e5"];
/// The line that [`AROUND`] transposes to: 6.Nb3 e5 7.Be3.
const TRANSPOSED: &str = "Be3 e5 Nb3";

fn line(moves: &str) -> String {
    format!("startpos moves {NAJDORF} {moves}")
}

/// A record at this ply of its game, if that is known, `below` plies below the root of its search.
fn record(position: &str, plies: Option<(usize, usize)>) -> Value {
    let mut value = json!({
        "game": "chess", "position": position, "source": {"engine": "fish", "version": "1"},
        "lower": 10, "lower_depth": 9, "upper": 10, "upper_depth": 9, "origins": ["search"], "time": 1_000_000_000,
    });
    if let Some((ply, below)) = plies {
        value["game_ply"] = json!(ply);
        value["root_ply"] = json!(below);
    }
    value
}

/// The records of the variation, with the plies that `plies` gives to each, by its distance from the Najdorf.
fn najdorf(plies: impl Fn(usize) -> Option<(usize, usize)>) -> Vec<Value> {
    let moves = OWN.iter().chain(&AROUND).chain([&TRANSPOSED]);
    moves.map(|moves| record(&line(moves), plies(moves.split_whitespace().count()))).collect()
}

/// The positions of an export, sorted.
fn positions(lines: &str) -> Vec<String> {
    let position = |line: String| serde_json::from_str::<Value>(&line).expect("JSON")["position"].to_string();
    let mut positions: Vec<String> = sorted(lines).into_iter().map(position).collect();
    positions.sort();
    positions
}

/// The export of exactly these positions.
fn of(moves: &[&str]) -> Vec<String> {
    positions(&Memory::of(&lines(moves.iter().map(|moves| record(&line(moves), None)))).says(&["export"]))
}

fn check_export(memory: &Memory, position: &str) {
    let found = positions(&memory.says(&["export", "--from", position]));
    assert_eq!(found, of(&[&OWN[..], &[TRANSPOSED]].concat()), "from {position}");
}

#[test]
fn moves_back_and_forth_lead_to_no_other_variation() {
    let memory = Memory::of(&lines(najdorf(|_| None)));
    let back = positions(&Memory::of(&lines([record(&line("Be3 Ng8 Bd2 Nf6 Bg5"), None)])).says(&["export"]));
    assert_eq!(back, of(&["Bg5"]), "the same position two moves later");
    check_export(&memory, &line("Be3"));
    check_export(&memory, &line("Be3 Ng8 Bc1 Nf6 Be3"));
    let bg5 = positions(&memory.says(&["export", "--from", &line("Bg5")]));
    assert_eq!(bg5, of(&["Bg5", "Bg5 e6"]));
}

#[test]
fn forgetting_a_variation_leaves_the_others() {
    let memory = Memory::of(&lines(najdorf(|_| None)));
    let said = memory.says(&["forget", &line("Be3"), "--subtree", "--yes"]);
    assert_eq!(
        said,
        "6 records of 6 positions forgotten\n\
         1 record of 1 position kept, where other lines lead, too, such as e5 Nb3\n"
    );
    assert_eq!(positions(&memory.says(&["export"])), of(&[&AROUND[..], &[TRANSPOSED]].concat()));
    let again = memory.says(&["forget", &line("Be3"), "--subtree", "--yes"]);
    assert!(
        again.contains("nothing is known of rnbqkb1r/"),
        "6.Be3 e5 is unknown now, what follows it is not reached: {again}"
    );
}

#[test]
fn what_only_transpositions_reach_is_kept_and_said() {
    let known = ["", "Nb3", "Nb3 e5", "Be3 e5 Nb3"];
    let memory = Memory::of(&lines(known.iter().map(|moves| record(&line(moves), None))));
    // The position itself is not known, so that nothing goes.
    let said = memory.says(&["forget", &line("Be3 e5"), "--subtree", "--yes"]);
    assert_eq!(said, "nothing was forgotten\n1 record of 1 position kept, where other lines lead, too, such as Nb3\n");
    assert_eq!(memory.records().len(), known.len());
}

#[test]
fn a_source_narrows_what_goes_and_not_the_lines() {
    let memory = Memory::of(&lines(najdorf(|_| None)));
    for moves in ["Be3", "Be3 Ng8"] {
        memory.says(&["put", &line(moves), "--score", "0", "--by", "Ada"]);
    }
    let ada = memory.says(&["export", "--from", &line("Be3"), "--source", "Ada"]);
    assert_eq!(positions(&ada), of(&["Be3", "Be3 Ng8"]));
    let said = memory.says(&["forget", &line("Be3"), "--subtree", "--source", "Ada", "--yes"]);
    assert_eq!(said, "2 records of 2 positions forgotten\n");
    check_export(&memory, &line("Be3"));
}

#[test]
fn a_fen_is_placed_by_what_the_memory_knows() {
    let unnumbered = AFTER_BE3.replace(" 1 6", " 0 1");
    // By the plies of analyses of the variation.
    let searched = Memory::of(&lines(najdorf(|below| Some((10 + below, below)))));
    check_export(&searched, AFTER_BE3);
    check_export(&searched, &unnumbered);
    // By plies that count from a FEN without a number; a line from the start does not confuse them.
    let counted_from_zero = Memory::of(&lines(najdorf(|below| Some((below, below)))));
    check_export(&counted_from_zero, &unnumbered);
    check_export(&counted_from_zero, &line("Be3"));
    // By a position from which a pawn has moved since, though nothing tells its ply.
    let mut records = najdorf(|_| None);
    records.push(record("startpos moves e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3", None));
    check_export(&Memory::of(&lines(records)), &unnumbered);
}

#[test]
fn help_states_the_rule_in_one_sentence() {
    let memory = Memory::new();
    for command in ["export", "forget"] {
        let help = memory.says(&[command, "--help"]).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            help.contains("is every known position to which a shortest line of known positions passes it")
                && help.contains("takes only those to which every shortest line does"),
            "{help}"
        );
    }
}
