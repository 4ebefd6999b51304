//! Requests that mean harm: the server lives, nothing is lost, and others are answered.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use mnemon_memory::Record;
use serde_json::json;

use super::client::Running;

/// A server whose patience is short.
fn impatient() -> Running {
    Running::with(|settings| {
        settings.limits.header_time = Duration::from_millis(300);
        settings.limits.body_time = Duration::from_millis(300);
        settings.limits.write_time = Duration::from_millis(300);
    })
}

fn lives(server: &Running) -> bool {
    server.get("/api/v1/status").status == 200
}

#[test]
fn huge_bodies_and_heads_are_refused() {
    let server = Running::new();
    let note = |length: usize| json!({"position": "startpos", "text": "x".repeat(length)}).to_string();
    assert_eq!(server.post("/api/v1/note", &note(100_000)).error(), (413, "too_large".to_owned()));
    let declared = server.post_with("/api/v1/note", "", &[("Content-Length", "99999999999")]);
    assert!(declared.status == 400 || declared.status == 413, "{declared:?}");
    // Chunks whose whole length is not declared.
    let head = format!(
        "POST /api/v1/note HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\nAuthorization: Bearer {1}\r\n\
         Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n",
        server.host(),
        server.token
    );
    let mut request = head.into_bytes();
    for _ in 0..100 {
        request.extend_from_slice(b"1000\r\n");
        request.extend_from_slice(&[b' '; 0x1000]);
        request.extend_from_slice(b"\r\n");
    }
    request.extend_from_slice(b"0\r\n\r\n");
    assert_eq!(server.raw(&request).status, 413);
    let header = format!("GET / HTTP/1.1\r\nHost: {}\r\nX: {}\r\n\r\n", server.host(), "x".repeat(100_000));
    assert_eq!(server.raw(header.as_bytes()).status, 431);
    let many = format!("GET / HTTP/1.1\r\nHost: {}\r\n{}\r\n", server.host(), "A: b\r\n".repeat(1000));
    assert_eq!(server.raw(many.as_bytes()).status, 431);
    assert_eq!(
        server.post("/api/v1/note", &note(20_000)).error(),
        (400, "invalid_item".to_owned()),
        "a note's own limit"
    );
    let deep = format!("{{\"position\":{}", "[".repeat(50_000));
    assert_eq!(server.post("/api/v1/note", &deep).error(), (400, "invalid_json".to_owned()));
    assert!(lives(&server));
}

#[test]
fn slow_clients_are_cut_off_and_others_do_not_wait() {
    let server = impatient();
    server.learn("startpos", Record::exact(1, 1));
    let mut slow: Vec<_> = (0..200).map(|_| server.connect()).collect();
    for stream in &mut slow {
        stream.write_all(b"GET / HTTP/1.1\r\nHost: ").expect("sent");
    }
    let mut body = server.connect();
    let head = format!(
        "POST /api/v1/note HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\nAuthorization: Bearer {1}\r\n\
         Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{",
        server.host(),
        server.token
    );
    body.write_all(head.as_bytes()).expect("sent");
    let begun = Instant::now();
    assert!(lives(&server) && begun.elapsed() < Duration::from_secs(5));
    for stream in &mut slow {
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
    }
    let mut answer = String::new();
    let _ = body.read_to_string(&mut answer);
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(begun.elapsed() < Duration::from_secs(30), "all were cut off");
    assert!(lives(&server));
}

#[test]
fn a_client_that_never_reads_is_cut_off() {
    let server = impatient();
    let mut stream = server.connect();
    stream.set_write_timeout(Some(Duration::from_secs(20))).expect("a timeout");
    let request = format!("GET /api/v1/position?position=startpos HTTP/1.1\r\nHost: {}\r\n\r\n", server.host());
    let begun = Instant::now();
    // Answers that nobody takes fill the buffers on both sides; then the connection is closed and writing fails.
    let is_cut = (0..1_000_000).any(|_| stream.write_all(request.as_bytes()).is_err());
    assert!(is_cut && begun.elapsed() < Duration::from_secs(60));
    assert!(lives(&server));
}

#[test]
fn connections_are_bounded_and_make_room_again() {
    let server = Running::with(|settings| {
        settings.limits.connections = 16;
        settings.limits.header_time = Duration::from_millis(300);
    });
    let idle: Vec<_> = (0..40).map(|_| server.connect()).collect();
    assert!(lives(&server), "answered as soon as the idle ones are cut off");
    drop(idle);
    assert!(lives(&server));
}

#[test]
fn no_path_leads_out_of_the_embedded_files() {
    let server = Running::new();
    for path in [
        "/static/../Cargo.toml",
        "/static/..%2fCargo.toml",
        "/static/%2e%2e/%2e%2e/etc/passwd",
        "/static//etc/passwd",
        "/static/..\\..\\etc\\passwd",
        "/static/page.css%00.js",
        "/static/%ff",
        "/../etc/passwd",
        "/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/chess/../../etc/passwd",
        "/api/v1/../../etc/passwd",
        "/api/v1/search/..%2f..%2fstatus",
    ] {
        let reply = server.get(path);
        assert!([400, 404].contains(&reply.status), "{path}: {}", reply.status);
        assert!(!reply.text().contains("root:"), "{path}");
    }
}

/// 10^5 broken queries, many on one connection. Each is answered, none is answered by a failure of the server.
#[test]
fn a_hundred_thousand_malformed_queries_are_refused_in_bounded_time() {
    const THREADS: u64 = 4;
    const EACH: u64 = 25_000;
    let server = Running::new();
    server.learn("startpos", Record::exact(20, 9));
    let before = server.store.statistics().expect("RAM").records();
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let server = &server;
            scope.spawn(move || hammer(server, thread, EACH));
        }
    });
    assert!(begun.elapsed() < Duration::from_secs(120), "{:?}", begun.elapsed());
    assert_eq!(server.store.statistics().expect("RAM").records(), before);
    assert!(lives(&server));
}

fn hammer(server: &Running, seed: u64, count: u64) {
    const BATCH: u64 = 500;
    let mut random = mnemon_search::random::Random::new(seed + 1);
    for _ in 0..count / BATCH {
        let mut stream = server.connect();
        let mut requests = String::new();
        for number in 0..BATCH {
            let last = if number + 1 == BATCH { "Connection: close\r\n" } else { "" };
            requests += &format!("GET {} HTTP/1.1\r\nHost: {}\r\n{last}\r\n", malformed(&mut random), server.host());
        }
        let mut writer = stream.try_clone().expect("a handle");
        let written = std::thread::spawn(move || writer.write_all(requests.as_bytes()));
        let mut answers = String::new();
        stream.read_to_string(&mut answers).expect("answers");
        written.join().expect("no panic").expect("sent");
        let statuses: Vec<&str> = answers.split("HTTP/1.1 ").skip(1).map(|answer| &answer[..3]).collect();
        assert_eq!(statuses.len() as u64, BATCH, "each is answered");
        assert!(!statuses.iter().any(|status| status.starts_with('5')), "{statuses:?}");
    }
}

/// A query whose parts are legal in an address and mean nothing, or nearly something.
fn malformed(random: &mut mnemon_search::random::Random) -> String {
    // Of the pages only what is no position: a good one would be drawn, and solved.
    const PATHS: [&str; 7] = [
        "/api/v1/position?",
        "/api/v1/tree?plies=x&",
        "/api/v1/recent?",
        "/cdb.php?",
        "/api/cloud-eval?",
        "/chess?fen=%00&",
        "/connect4?pos=0&",
    ];
    const NAMES: [&str; 10] =
        ["position", "game", "plies", "limit", "action", "board", "fen", "pos", "json", "multiPv"];
    const WORDS: [&str; 16] = [
        "startpos",
        "moves",
        "queryall",
        "%00",
        "%ff",
        "%",
        "9999999999999999999999",
        "-1",
        "rnbqkbnr/pppppppp/8",
        "w",
        "KQkq",
        "hex:",
        "44444444",
        "chess",
        "+",
        "%F0%9F%92%A9",
    ];
    let mut path = PATHS[random.below(PATHS.len())].to_owned();
    for number in 0..random.below(4) {
        path += if number == 0 { "" } else { "&" };
        path += NAMES[random.below(NAMES.len())];
        path += "=";
        for _ in 0..random.below(5) {
            path += WORDS[random.below(WORDS.len())];
            path += ["", "+", "_", "/"][random.below(4)];
        }
    }
    path
}
