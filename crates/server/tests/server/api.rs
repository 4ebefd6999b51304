//! The JSON API.

use mnemon_memory::{Contributor, Identity, Item, Key, MemoryId, Record, Source};
use serde_json::{Value, json};

use super::client::{Running, encoded};

#[test]
fn a_position_has_its_records_lines_value_and_every_legal_move() {
    let server = Running::new();
    server.learn("startpos", Record { best: 0, ..Record::exact(20, 12).found_at(1_700_000_000) });
    server.learn("startpos moves e4", Record::exact(-30, 15).found_at(1_700_000_000));
    server.learn("startpos moves d4", Record::exact(-10, 15).found_at(1_700_000_000));
    server.learn_lines("startpos", 12, &[(20, "e4 e5 Nf3"), (18, "d4 d5")]);
    let reply = server.get("/api/v1/position?position=startpos");
    assert_eq!(reply.status, 200);
    let answer = reply.json();
    assert_eq!((answer["game"].as_str(), answer["mover"].as_str()), (Some("chess"), Some("White")));
    assert_eq!(answer["moves"].as_array().map(Vec::len), Some(20), "every legal move");
    let first = &answer["moves"][0];
    assert_eq!(
        (&first["text"], &first["uci"], &first["best"]["score"]["value"]),
        (&json!("e4"), &json!("e2e4"), &json!(30))
    );
    assert_eq!(first["value"]["value"], 30, "the mover's view");
    assert_eq!(answer["moves"][1]["text"], "d4");
    assert_eq!(answer["moves"][2]["best"], Value::Null, "what is not known is null");
    assert_eq!(answer["records"][0]["by"], "engine 1");
    assert_eq!(answer["value"]["score"]["value"], 30, "{answer}");
    let line = &answer["lines"][0]["lines"][0];
    assert_eq!((&line["score"]["value"], &line["moves"][2]["uci"]), (&json!(20), &json!("g1f3")));
    assert!(line["moves"][0]["position"].as_str().is_some_and(|fen| fen.contains(" b KQkq ")));
}

#[test]
fn positions_of_any_game_are_understood_in_every_form() {
    let server = Running::new();
    server.learn("4455", Record::exact(3, 9));
    let answer = server.get("/api/v1/position?position=4455").json();
    assert_eq!((&answer["game"], &answer["records"][0]["score"]["value"]), (&json!("connect4-7x6"), &json!(3)));
    assert_eq!(answer["moves"][0]["uci"], Value::Null);
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1";
    assert_eq!(server.get(&format!("/api/v1/position?position={fen}")).status, 200);
    let hidden = server.get("/api/v1/position?game=go&position=hex:00ff").json();
    assert_eq!((&hidden["game"], &hidden["moves"]), (&json!("go"), &json!([])));
}

#[test]
fn errors_have_one_shape_and_the_right_status() {
    let server = Running::new();
    for (path, status, code) in [
        ("/api/v1/position", 400, "missing_position"),
        ("/api/v1/position?position=", 400, "missing_position"),
        ("/api/v1/position?position=xyz", 400, "invalid_position"),
        ("/api/v1/position?position=startpos+moves+e5", 400, "invalid_position"),
        ("/api/v1/position?game=go&position=xyz", 400, "invalid_position"),
        ("/api/v1/position?position=44&position=45", 400, "repeated_parameter"),
        ("/api/v1/position?position=44&depth=3", 400, "unknown_parameter"),
        ("/api/v1/tree?position=44&plies=0", 400, "invalid_parameter"),
        ("/api/v1/tree?position=44&plies=-1", 400, "invalid_parameter"),
        ("/api/v1/recent?limit=501", 400, "invalid_parameter"),
        ("/api/v1/search/7", 404, "not_found"),
        ("/api/v1/search/7/events", 404, "not_found"),
        ("/api/v1/nothing", 404, "not_found"),
        ("/nothing", 404, "not_found"),
        ("/static/nothing", 404, "not_found"),
        ("/api/v1/note", 405, "wrong_method"),
    ] {
        assert_eq!(server.get(path).error(), (status, code.to_owned()), "{path}");
    }
    let long = format!("/api/v1/position?position={}", "4".repeat(9000));
    assert_eq!(server.get(&long).error(), (414, "too_long".to_owned()));
    let answer = server.post("/api/v1/position", "{}");
    assert_eq!(answer.error(), (405, "wrong_method".to_owned()));
}

#[test]
fn the_tree_and_recent_work_are_told() {
    let server = Running::new();
    let root = Record { flags: mnemon_memory::Flags::ROOT, ..Record::exact(20, 12).found_at(1_700_000_000) };
    server.learn("startpos", root);
    server.learn("startpos moves e4", Record::exact(-20, 11));
    let tree = server.get("/api/v1/tree?position=startpos&plies=2").json();
    assert_eq!(tree["nodes"][1]["move"], "e4");
    let recent = server.get("/api/v1/recent?limit=5").json();
    assert_eq!(recent["recent"].as_array().map(Vec::len), Some(1), "roots only");
    assert_eq!(recent["recent"][0]["score"]["text"], "= +0.20");
    assert_eq!(server.get("/api/v1/recent?game=go").json()["recent"], json!([]));
}

#[test]
fn notes_are_written_replaced_and_taken_back() {
    let server = Running::new();
    let write = |text: &str| {
        let body = json!({"position": "startpos", "text": text, "by": "Ada"}).to_string();
        server.post("/api/v1/note", &body).json()
    };
    let notes = || server.get("/api/v1/position?position=startpos").json()["notes"].clone();
    assert_eq!(write("best by test")["replaced"], Value::Null);
    assert_eq!(write("or so they say")["replaced"], "best by test");
    assert_eq!((&notes()[0]["text"], &notes()[0]["by"]), (&json!("or so they say"), &json!("Ada")));
    let advice = json!({"position": "startpos", "move": "e4", "by": "Ada"}).to_string();
    assert_eq!(server.post("/api/v1/advice", &advice).status, 200);
    assert_eq!(write(" ")["replaced"], "or so they say");
    assert_eq!(notes(), json!([]));
    let records = server.get("/api/v1/position?position=startpos").json()["records"].clone();
    assert_eq!(records[0]["best"]["text"], "e4", "the advice stays");
}

#[test]
fn advice_is_kept_as_a_persons_and_replaced() {
    let server = Running::new();
    let advise = |body: Value| server.post("/api/v1/advice", &body.to_string());
    let first = advise(json!({"position": "startpos", "move": "d4", "score": "0.5", "depth": 3, "bound": "lower"}));
    let answer = first.json();
    assert_eq!((first.status, &answer["record"]["kind"]), (200, &json!("person")), "{answer}");
    assert_eq!((&answer["record"]["score"]["bound"], &answer["replaced"]), (&json!("lower"), &Value::Null));
    let second = advise(json!({"position": "startpos", "score": "#3"})).json();
    assert_eq!(second["replaced"]["best"]["text"], "d4");
    for (body, code) in [
        (json!({"position": "startpos"}), "no_advice"),
        (json!({"position": "startpos", "depth": 3, "move": "e4"}), "no_score"),
        (json!({"position": "startpos", "move": "e5"}), "invalid_move"),
        (json!({"position": "startpos", "score": "much"}), "invalid_score"),
        (json!({"position": "startpos", "score": "1", "bound": "left"}), "invalid_bound"),
        (json!({"position": "startpos", "score": "1", "depth": 200}), "invalid_item"),
        (json!({"position": "startpos", "move": "e4", "by": ""}), "invalid_item"),
        (json!({"position": "startpos", "move": "e4", "colour": "red"}), "invalid_json"),
        (json!({"position": "startpos", "move": 4}), "invalid_json"),
    ] {
        assert_eq!(advise(body.clone()).error(), (400, code.to_owned()), "{body}");
    }
}

#[test]
fn the_memory_is_told_in_numbers_and_trust_is_given_and_taken() {
    let server = Running::new();
    let friend = MemoryId::from([7; 16]);
    let identity = Identity { id: friend, label: "Bob".to_owned() };
    server.store.set_contributor(&Contributor::new(identity, 5)).expect("RAM");
    let theirs = Source::engine("engine", "1").contributed_by(friend);
    let start = mnemon_explore::notation::read(&["startpos".to_owned()], None).expect("a position");
    let key = Key::new(&start.game(), start.packed(), &theirs);
    server.store.merge_many(&[Item { key, record: Record::exact(5, 9).found_at(1_700_000_000) }]).expect("RAM");
    server.learn("44", Record::exact(1, 9).found_at(1_700_086_400));
    let memory = server.get("/api/v1/memory").json();
    assert_eq!((&memory["records"], &memory["is_writable"]), (&json!(2), &json!(true)));
    assert_eq!(memory["games"], json!([{"game": "chess", "records": 1}, {"game": "connect4-7x6", "records": 1}]));
    assert_eq!(
        (&memory["sources"][0]["by"], &memory["sources"][0]["is_believed"]),
        (&json!("engine 1 of Bob"), &json!(false))
    );
    assert_eq!(
        (&memory["contributors"][0]["label"], &memory["contributors"][0]["records"]),
        (&json!("Bob"), &json!(1))
    );
    let growth = memory["growth"].as_array().expect("a list");
    assert_eq!((growth.len(), &growth[1]["total"]), (2, &json!(2)));
    let trust = |name: &str, trusted: bool| {
        server.post("/api/v1/trust", &json!({"contributor": name, "trusted": trusted}).to_string())
    };
    assert_eq!(trust("Bob", true).json()["contributor"]["trusted"], true);
    assert_eq!(server.get("/api/v1/memory").json()["sources"][0]["is_believed"], true);
    assert_eq!(trust(&friend.to_string(), false).json()["contributor"]["trusted"], false);
    assert_eq!(trust("Eve", true).error(), (404, "not_found".to_owned()));
}

#[test]
fn a_memory_for_reading_is_not_written() {
    let server = Running::with(|settings| settings.is_writable = false);
    let note = json!({"position": "startpos", "text": "x"}).to_string();
    assert_eq!(server.post("/api/v1/note", &note).error(), (403, "read_only".to_owned()));
    assert_eq!(server.get("/cdb.php?action=queue&board=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR+w").body, b"\0");
    assert_eq!(server.get("/api/v1/status").json()["is_writable"], false);
    assert!(server.store.statistics().expect("RAM").counts.is_empty());
}

#[test]
fn pages_are_rendered_and_static_files_served() {
    let server = Running::new();
    for path in
        ["/chess", "/connect4?pos=44", "/memory", &format!("/chess?fen={}", encoded("8/8/8/8/8/8/8/K1k5 w - - 0 1"))]
    {
        let reply = server.get(path);
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        assert!(reply.head.contains("content-type: text/html"), "{path}");
    }
    let hostile = server.get(&format!("/chess?fen={}", encoded("<script>alert(1)</script>")));
    assert!(hostile.status == 400 && !hostile.text().contains("<script>alert"), "{}", hostile.text());
}
