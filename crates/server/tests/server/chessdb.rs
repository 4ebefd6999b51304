//! chessdb's interface, byte for byte.

use mnemon_memory::Record;
use mnemon_search::WINS;

use super::client::{Running, encoded};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

fn ask(server: &Running, action: &str, board: &str) -> String {
    let reply = server.get(&format!("/cdb.php?action={action}&board={}", encoded(board)));
    assert_eq!(reply.status, 200);
    reply.text()
}

/// The start with two replies known behind e4, and a bad move.
fn server() -> Running {
    let server = Running::new();
    server.learn("startpos", Record { game_ply: 0, ..Record::exact(35, 10) });
    server.learn("startpos moves e4", Record { game_ply: 1, ..Record::exact(-35, 20) });
    server.learn("startpos moves e4 e5", Record::exact(35, 18));
    server.learn("startpos moves e4 a5", Record::exact(120, 18));
    server.learn("startpos moves d4", Record::exact(-33, 20));
    server.learn("startpos moves c4", Record::exact(-27, 20));
    server.learn("startpos moves g4", Record::exact(110, 20));
    server
}

#[test]
fn queryall_in_both_forms() {
    let server = server();
    let text = "move:e2e4,score:35,rank:2,note:! (02-01),winrate:52.65|move:d2d4,score:33,rank:2,note:! (00-00),winrate:52.50|\
                move:c2c4,score:27,rank:1,note:* (00-00),winrate:52.04|move:g2g4,score:-110,rank:0,note:? (00-00),winrate:41.74\0";
    assert_eq!(ask(&server, "queryall", START), text);
    let json = r#"{"status":"ok","moves":[{"uci":"e2e4","san":"e4","score":35,"rank":2,"note":"! (02-01)","winrate":"52.65"},{"uci":"d2d4","san":"d4","score":33,"rank":2,"note":"! (00-00)","winrate":"52.50"},{"uci":"c2c4","san":"c4","score":27,"rank":1,"note":"* (00-00)","winrate":"52.04"},{"uci":"g2g4","san":"g4","score":-110,"rank":0,"note":"? (00-00)","winrate":"41.74"}],"ply":0}"#;
    let reply = server.get(&format!("/cdb.php?action=queryall&json=1&board={}", encoded(START)));
    assert_eq!(reply.text(), json);
    assert!(reply.head.contains("content-type: application/json") && reply.head.contains("cache-control: no-cache"));
    let body = format!("action=queryall&json=1&board={}", encoded(START));
    let posted = server.post_with(
        "/cdb.php",
        &body,
        &[("Content-Type", "application/x-www-form-urlencoded"), ("Authorization", "")],
    );
    assert_eq!(posted.text(), json, "a form is as good");
}

#[test]
fn moves_that_are_not_known_are_shown_on_request() {
    let server = server();
    let all = ask(&server, "queryall&showall=1", START);
    assert_eq!(all.matches("score:??").count(), 16);
    assert!(all.contains("|move:a2a3,score:??,rank:0,note:? (??-??)|"), "{all}");
    let not_learning = ask(&server, "queryall&learn=0", START);
    assert!(
        not_learning.starts_with("move:e2e4,score:35,") && not_learning.contains("|move:c2c4,score:??,"),
        "{not_learning}"
    );
    let json = ask(&server, "queryall&showall=1&json=1", "4k3/8/8/8/8/8/4P3/4K3 w - -");
    assert!(
        json.starts_with(
            r#"{"status":"ok","moves":[{"uci":"e2e3","san":"e3","score":"??","rank":0,"note":"? (??-??)"}"#
        ),
        "{json}"
    );
}

#[test]
fn the_other_queries_in_both_forms() {
    let server = server();
    server.learn_lines("startpos", 10, &[(35, "e4 e5 Nf3 Nc6")]);
    for (action, text, json) in [
        ("querybest", "move:e2e4\0", r#"{"status":"ok","move":"e2e4"}"#),
        ("query", "move:e2e4\0", r#"{"status":"ok","move":"e2e4"}"#),
        (
            "querysearch",
            "search:e2e4|search:d2d4|search:c2c4\0",
            r#"{"status":"ok","search_moves":[{"uci":"e2e4","san":"e4"},{"uci":"d2d4","san":"d4"},{"uci":"c2c4","san":"c4"}]}"#,
        ),
        ("queryscore", "eval:35\0", r#"{"status":"ok","eval":35,"ply":0}"#),
        (
            "querypv",
            "score:35,depth:4,pv:e2e4|e7e5|g1f3|b8c6\0",
            r#"{"status":"ok","score":35,"depth":4,"pv":["e2e4","e7e5","g1f3","b8c6"],"pvSAN":["e4","e5","Nf3","Nc6"]}"#,
        ),
        ("queue", "ok\0", r#"{"status":"ok"}"#),
        ("store&move=move:e2e4", "\0", "{}"),
        ("store&move=e2e4&score=5&token=x", "tokenerror\0", "{}"),
        ("nonsense", "\0", "{}"),
    ] {
        assert_eq!(ask(&server, action, START), text, "{action}");
        assert_eq!(ask(&server, &format!("{action}&json=1"), START), json, "{action}");
    }
}

#[test]
fn one_known_move_is_a_move_and_a_bad_one_is_none() {
    let server = Running::new();
    server.learn("startpos moves e4", Record::exact(-20, 9));
    assert_eq!(ask(&server, "querysearch", START), "move:e2e4\0");
    server.learn("startpos moves e4 f6", Record::exact(80, 9));
    let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
    assert_eq!(ask(&server, "queryscore", after), "eval:-80\0");
    for action in ["querybest", "query", "querysearch"] {
        assert_eq!(ask(&server, action, after), "nobestmove\0", "below -50");
    }
}

#[test]
fn words_for_what_is_not_known_or_over() {
    let server = Running::new();
    let (mated, stalemate) = ("7k/5KQ1/8/8/8/8/8/8 b - -", "7k/5K2/6Q1/8/8/8/8/8 b - -");
    for (action, board, text) in [
        ("queryall", START, "unknown\0"),
        ("queryscore", START, "unknown\0"),
        ("querypv", START, "unknown\0"),
        ("querybest", START, "nobestmove\0"),
        ("queryall", mated, "checkmate\0"),
        ("queryscore", mated, "checkmate\0"),
        ("querypv", stalemate, "stalemate\0"),
        ("querybest", mated, "nobestmove\0"),
        ("queue", mated, "\0"),
        ("queue", "4k3/8/8/8/8/8/4P3/4K3 w - -", "\0"),
        ("queryall", "x", "invalid board\0"),
        ("queryall", "8/8/8/8/8/8/8/8 w - -", "invalid board\0"),
    ] {
        assert_eq!(ask(&server, action, board), text, "{action} {board}");
    }
    assert_eq!(ask(&server, "queryall&json=1", "x"), r#"{"status":"invalid board"}"#);
    assert_eq!(server.get("/cdb.php?action=queryall").text(), "invalid parameters\0");
    assert_eq!(server.get("/cdb.php?action=queryall&json=true").text(), r#"{"status":"invalid parameters"}"#);
    assert_eq!(server.get("/cdb.php").body, b"");
}

#[test]
fn mates_are_counted_from_30000_and_have_no_win_rate() {
    let server = Running::new();
    let board = "6k1/5ppp/8/8/8/8/8/K2R4 w - -";
    assert_eq!(
        ask(&server, "queryall", board),
        "move:d1d8,score:29999,rank:2,note:! (00-00)\0",
        "the rules alone say it"
    );
    // A mate is a claim of one end: in three moves at the latest.
    let lower = mnemon_memory::Claim::new(-WINS.lost_at(5), 9);
    server.learn("8/8/8/8/8/2k5/7r/K7 b - - 0 1", Record { lower, ..Record::default() });
    server.learn("8/8/8/8/8/2k5/8/K6r w - - 0 1", Record::exact(-300, 9));
    assert_eq!(ask(&server, "queryscore", "8/8/8/8/8/2k5/7r/1K6 w - -"), "eval:-29994\0");
}

#[test]
fn answers_follow_the_memory() {
    let server = Running::new();
    assert_eq!(ask(&server, "queryscore", START), "unknown\0");
    let body = serde_json::json!({"position": "startpos moves e4", "text": "a change through the server"}).to_string();
    server.learn("startpos moves e4", Record::exact(-20, 9));
    assert_eq!(server.post("/api/v1/note", &body).status, 200);
    assert_eq!(ask(&server, "queryscore", START), "eval:20\0", "no old answer is given after a change");
    assert_eq!(ask(&server, "queryscore&source=nobody", START), "unknown\0");
    assert_eq!(ask(&server, &format!("queryscore&source={}", encoded("engine 1")), START), "eval:20\0");
}
