//! Cloud evaluations as lichess gives them.

use mnemon_memory::Record;
use mnemon_search::WINS;

use super::client::{Running, encoded};

const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

fn ask(server: &Running, fen: &str, more: &str) -> (u16, String) {
    let reply = server.get(&format!("/api/cloud-eval?fen={}{more}", encoded(fen)));
    (reply.status, reply.text())
}

#[test]
fn lines_are_for_white_with_castling_onto_the_rook() {
    let server = Running::new();
    server.learn(CASTLING, Record { nodes: 2_345_678, ..Record::exact(41, 20) });
    server.learn_lines(CASTLING, 20, &[(41, "O-O O-O-O"), (30, "O-O-O")]);
    let expected = r#"{"fen":"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1","knodes":2345,"depth":20,"pvs":[{"moves":"e1h1 e8a8","cp":41}]}"#;
    assert_eq!(ask(&server, CASTLING, ""), (200, expected.to_owned()));
    let two = ask(&server, CASTLING, "&multiPv=2&variant=standard").1;
    assert!(two.ends_with(r#""pvs":[{"moves":"e1h1 e8a8","cp":41},{"moves":"e1a1","cp":30}]}"#), "{two}");
    let black = "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1";
    server.learn_lines(black, 15, &[(-41, "O-O-O")]);
    assert!(ask(&server, black, "").1.contains(r#""cp":41"#), "White's view");
}

#[test]
fn without_lines_the_record_answers_and_mates_are_moves() {
    let server = Running::new();
    let black = "8/8/8/8/8/2k5/7r/K7 b - - 0 1";
    let position = mnemon_explore::notation::read(&[black.to_owned()], None).expect("a position");
    let best = position.read_move("Rh1#").expect("a move");
    let lower = mnemon_memory::Claim::new(-WINS.lost_at(1), 7);
    server.learn(black, Record { best, lower, ..Record::default() });
    let expected = format!(r#"{{"fen":"{black}","knodes":0,"depth":7,"pvs":[{{"moves":"h2h1","mate":-1}}]}}"#);
    assert_eq!(ask(&server, black, ""), (200, expected));
}

#[test]
fn what_is_not_known_is_not_found() {
    let server = Running::new();
    let missing = (404, r#"{"error":"No cloud evaluation available for that position"}"#.to_owned());
    assert_eq!(ask(&server, CASTLING, ""), missing);
    server.learn(CASTLING, Record::exact(5, 5));
    assert_eq!(ask(&server, CASTLING, ""), missing, "a score without a move is no line");
    assert_eq!(ask(&server, CASTLING, "&variant=atomic"), missing);
    for more in ["&multiPv=0", "&multiPv=x"] {
        assert_eq!(ask(&server, CASTLING, more).0, 400, "{more}");
    }
    assert_eq!(ask(&server, "nonsense", "").0, 400);
}
