//! Live searches by an engine that is a shell script.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Write};
use std::time::{Duration, Instant};

use mnemon_uci::child::EngineCommand;
use serde_json::{Value, json};

use super::client::Running;

/// An engine whose answer to `go` is this shell command; it stops when it is told to.
fn engine(folder: &tempfile::TempDir, go: &str) -> EngineCommand {
    let script = format!(
        "while read -r line; do case \"$line\" in\nuci) echo 'id name Fake 1.0'; echo 'option name MultiPV type spin default 1 min 1 max 9'; echo uciok;;\n\
         isready) echo readyok;;\ngo*) {go};;\nstop) echo bestmove e2e4;;\nquit) exit 0;;\nesac; done\n"
    );
    let path = folder.path().join("engine.sh");
    std::fs::write(&path, script).expect("written");
    EngineCommand::parse(&format!("sh \"{}\"", path.display())).expect("a command")
}

const TWO_ITERATIONS: &str = "echo 'info depth 1 score cp 10 nodes 20 pv e2e4'; echo 'info depth 2 score cp 25 nodes 99 pv e2e4 e7e5'; echo 'bestmove e2e4'";
const ENDLESS: &str = "echo 'info depth 1 score cp 10 pv e2e4'; echo 'info depth 2 score cp 12 pv d2d4'";

fn running(go: &str) -> (Running, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let command = engine(&folder, go);
    (Running::with(|settings| settings.engines = vec![("fake".to_owned(), command)]), folder)
}

fn start(server: &Running, body: &Value) -> String {
    let reply = server.post("/api/v1/search", &body.to_string());
    assert_eq!(reply.status, 201, "{}", reply.text());
    reply.json()["id"].as_str().expect("an id").to_owned()
}

/// The events up to the end, as names and data.
fn events(server: &Running, id: &str) -> Vec<(String, Value)> {
    let text = server.get(&format!("/api/v1/search/{id}/events")).text();
    parse(&text)
}

/// Listens until an event has this text; the rest of the stream.
fn wait_for(server: &Running, id: &str, text: &str) -> std::io::Lines<BufReader<std::net::TcpStream>> {
    let mut stream = server.connect();
    let request = format!("GET /api/v1/search/{id}/events HTTP/1.1\r\nHost: {}\r\n\r\n", server.host());
    stream.write_all(request.as_bytes()).expect("sent");
    let mut lines = BufReader::new(stream).lines();
    assert!(lines.any(|line| line.is_ok_and(|line| line.contains(text))), "{text} has come");
    lines
}

fn parse(text: &str) -> Vec<(String, Value)> {
    let mut events = Vec::new();
    for block in text.split("\n\n") {
        let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
        if let (Some(name), Some(data)) = (field("event: "), field("data: ")) {
            events.push((name, serde_json::from_str(&data).expect("JSON")));
        }
    }
    events
}

#[test]
fn lines_come_as_events_and_are_learned_and_come_first_the_next_time() {
    let (server, _folder) = running(TWO_ITERATIONS);
    let id = start(&server, &json!({"position": "startpos", "seconds": 5, "depth": 2}));
    let heard = events(&server, &id);
    let (last, lines) = heard.split_last().expect("events");
    assert_eq!(
        (&*last.0, &last.1["state"], &last.1["reason"]),
        ("done", &json!("done"), &json!("finished")),
        "{heard:?}"
    );
    assert_eq!((&last.1["best"]["uci"], &last.1["learned"]["added"]), (&json!("e2e4"), &json!(2)), "{heard:?}");
    let line = &lines.last().expect("a line").1;
    assert_eq!((&line["from"], &line["depth"], &line["score"]["value"]), (&json!("engine"), &json!(2), &json!(25)));
    assert_eq!((&line["moves"][1]["text"], &line["moves"][1]["uci"]), (&json!("e5"), &json!("e7e5")));
    let known = server.get("/api/v1/position?position=startpos").json();
    assert_eq!((&known["records"][0]["by"], &known["records"][0]["score"]["value"]), (&json!("Fake 1.0"), &json!(25)));
    let again = events(&server, &start(&server, &json!({"position": "startpos", "seconds": 5, "depth": 2})));
    assert_eq!((&again[0].1["from"], &again[0].1["depth"]), (&json!("memory"), &json!(2)), "{again:?}");
    assert!(
        again.iter().all(|(name, data)| name != "line" || data["depth"] == 2),
        "nothing shallower is told: {again:?}"
    );
    let report = server.get(&format!("/api/v1/search/{id}")).json();
    assert_eq!((&report["state"], &report["engine"]), (&json!("done"), &json!("fake")));
}

#[test]
fn a_search_is_stopped_and_an_engine_searches_one_thing_at_a_time() {
    let (server, _folder) = running(ENDLESS);
    let id = start(&server, &json!({"position": "startpos", "seconds": 60}));
    wait_for(&server, &id, "\"depth\":2");
    let busy = server.post("/api/v1/search", &json!({"position": "startpos"}).to_string());
    assert_eq!(busy.error(), (409, "engine_busy".to_owned()));
    let status = server.get("/api/v1/status").json();
    assert_eq!((&status["engines"][0]["is_busy"], &status["searches"][0]["id"]), (&json!(true), &json!(id)));
    assert_eq!(server.post(&format!("/api/v1/search/{id}/stop"), "{}").status, 200);
    let heard = events(&server, &id);
    assert_eq!(heard.last().expect("events").1["reason"], "stopped");
    assert_eq!(server.get("/api/v1/status").json()["searches"], json!([]));
    // The finished iteration is kept, the one that was cut is not.
    let known = server.get("/api/v1/position?position=startpos").json();
    assert_eq!(known["records"][0]["score"]["value"], 10);
}

#[test]
fn an_engine_that_searches_too_long_is_stopped() {
    let (server, _folder) = running(ENDLESS);
    let id = start(&server, &json!({"position": "startpos", "seconds": 1}));
    let begun = Instant::now();
    let heard = events(&server, &id);
    assert_eq!(heard.last().expect("events").1["reason"], "time");
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[test]
fn what_goes_wrong_with_an_engine_is_told_without_its_path() {
    let (server, folder) = running("exit 3");
    let id = start(&server, &json!({"position": "startpos"}));
    let heard = events(&server, &id);
    let message = heard.last().expect("events").1["message"].as_str().expect("a message").to_owned();
    assert!(
        message.contains("'fake' has exited") && !message.contains(&folder.path().display().to_string()),
        "{message}"
    );
    let missing = EngineCommand::parse("/nowhere/engine").expect("a command");
    let server = Running::with(|settings| settings.engines = vec![("gone".to_owned(), missing)]);
    let heard = events(&server, &start(&server, &json!({"position": "startpos"})));
    let done = &heard.last().expect("events").1;
    assert_eq!((&done["state"], &done["message"]), (&json!("failed"), &json!("the engine 'gone' cannot be started")));
}

#[test]
fn bounds_of_a_search_are_kept() {
    let (server, _folder) = running(TWO_ITERATIONS);
    let refused = |body: Value| server.post("/api/v1/search", &body.to_string()).error();
    for (body, status, code) in [
        (json!({"position": "startpos", "seconds": 0}), 400, "out_of_bounds"),
        (json!({"position": "startpos", "seconds": 100_000}), 400, "out_of_bounds"),
        (json!({"position": "startpos", "threads": 100_000}), 400, "out_of_bounds"),
        (json!({"position": "startpos", "hash": 1_000_000}), 400, "out_of_bounds"),
        (json!({"position": "startpos", "lines": 50}), 400, "out_of_bounds"),
        (json!({"position": "startpos", "depth": 200}), 400, "out_of_bounds"),
        (json!({"position": "4455", "game": "connect4-7x6"}), 400, "not_searchable"),
        (json!({"position": "7k/5KQ1/8/8/8/8/8/8 b - - 0 1"}), 400, "game_over"),
        (json!({"position": "nonsense"}), 400, "invalid_position"),
        (json!({"position": "startpos", "engine": "sh"}), 404, "no_engine"),
        (json!({"position": "startpos", "command": "sh"}), 400, "invalid_json"),
    ] {
        assert_eq!(refused(body.clone()), (status, code.to_owned()), "{body}");
    }
    let none = Running::new();
    let reply = none.post("/api/v1/search", &json!({"position": "startpos"}).to_string());
    assert_eq!(reply.error(), (404, "no_engine".to_owned()));
}

#[test]
fn the_server_ends_at_once_with_open_streams_and_keeps_what_was_found() {
    let (server, _folder) = running(ENDLESS);
    let id = start(&server, &json!({"position": "startpos", "seconds": 60}));
    let mut lines = wait_for(&server, &id, "\"depth\":2");
    let (begun, store) = (Instant::now(), std::sync::Arc::clone(&server.store));
    assert!(server.end());
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    assert!(lines.all(|line| line.is_ok()), "the stream ends in order");
    assert_eq!(store.statistics().expect("RAM").records(), 1, "the finished iteration is kept");
}
