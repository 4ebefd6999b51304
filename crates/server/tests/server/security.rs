//! Who is refused: other hosts, other origins, without a token, with another content type.

use mnemon_memory::Record;
use serde_json::json;

use super::client::Running;

fn note() -> String {
    json!({"position": "startpos", "text": "x"}).to_string()
}

/// Nothing was written.
fn is_empty(server: &Running) -> bool {
    server.get("/api/v1/position?position=startpos").json()["notes"] == json!([])
}

#[test]
fn a_rebound_name_is_refused_before_anything_else() {
    let server = Running::new();
    let port = server.address.port();
    let ask =
        |host: &str| server.raw(format!("GET /chess HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes());
    for good in [format!("localhost:{port}"), format!("127.0.0.1:{port}"), format!("[::1]:{port}")] {
        assert_eq!(ask(&good).status, 200, "{good}");
    }
    for bad in
        ["evil.example".to_owned(), format!("evil.example:{port}"), "localhost".to_owned(), "127.0.0.1:1".to_owned()]
    {
        assert_eq!(ask(&bad).error(), (421, "wrong_host".to_owned()), "{bad}");
    }
    let none = server.raw(b"GET /chess HTTP/1.1\r\nConnection: close\r\n\r\n");
    assert_eq!(none.error(), (400, "missing_host".to_owned()));
    let host = server.host();
    let two = format!("GET /chess HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assert_eq!(server.raw(two.as_bytes()).error(), (400, "missing_host".to_owned()));
    let absolute = format!("GET http://evil.example/chess HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    assert_eq!(server.raw(absolute.as_bytes()).error(), (421, "wrong_host".to_owned()));
    let rebound =
        server.post_with("/api/v1/note", &note(), &[("Host", "evil.example"), ("Origin", "http://evil.example")]);
    assert_eq!(rebound.error(), (421, "wrong_host".to_owned()));
    assert!(is_empty(&server));
}

#[test]
fn names_can_be_allowed() {
    let server = Running::with(|settings| settings.allowed_hosts = vec!["chess.lan".to_owned()]);
    let reply = server.raw(b"GET /api/v1/status HTTP/1.1\r\nHost: chess.lan\r\nConnection: close\r\n\r\n");
    assert_eq!(reply.status, 200);
    let note = server.post_with("/api/v1/note", &note(), &[("Host", "chess.lan"), ("Origin", "http://chess.lan")]);
    assert_eq!(note.status, 200, "{}", note.text());
}

#[test]
fn a_write_needs_token_origin_and_json() {
    let server = Running::new();
    let refused = |changed: &[(&str, &str)]| server.post_with("/api/v1/note", &note(), changed).error();
    for origin in ["http://evil.example", "null", "https://127.0.0.1:1", ""] {
        assert_eq!(refused(&[("Origin", origin)]), (403, "wrong_origin".to_owned()), "{origin}");
    }
    assert_eq!(refused(&[("Origin", ""), ("Sec-Fetch-Site", "cross-site")]), (403, "wrong_origin".to_owned()));
    for token in ["", "Bearer ", "Bearer 0123456789abcdef0123456789abcdef", "Basic eA=="] {
        assert_eq!(refused(&[("Authorization", token)]), (401, "no_token".to_owned()), "{token}");
    }
    for kind in ["", "text/plain", "application/x-www-form-urlencoded", "application/jsonp", "multipart/form-data"] {
        assert_eq!(refused(&[("Content-Type", kind)]), (415, "not_json".to_owned()), "{kind}");
    }
    for path in ["/api/v1/advice", "/api/v1/trust", "/api/v1/search", "/api/v1/search/1/stop", "/api/v1/import"] {
        let reply = server.post_with(path, "{}", &[("Authorization", "")]);
        assert_eq!(reply.error(), (401, "no_token".to_owned()), "{path}");
    }
    assert!(is_empty(&server));
    let by_fetch =
        [("Origin", ""), ("Sec-Fetch-Site", "same-origin"), ("Content-Type", "application/json; charset=utf-8")];
    assert_eq!(server.post_with("/api/v1/note", &note(), &by_fetch).status, 200);
    assert!(!is_empty(&server));
}

#[test]
fn every_answer_has_the_headers_of_a_careful_server() {
    let server = Running::new();
    for path in
        ["/chess", "/nothing", "/api/v1/status", "/api/v1/position", "/static/page.css", "/cdb.php?action=queryall"]
    {
        let head = server.get(path).head;
        for header in [
            "content-security-policy: default-src 'none'; script-src 'self'",
            "frame-ancestors 'none'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cross-origin-opener-policy: same-origin",
            "cross-origin-resource-policy: same-origin",
            "cache-control: no-",
        ] {
            assert!(head.contains(header), "{path}: {header} in {head}");
        }
        assert!(!head.contains("unsafe-inline") && !head.contains("access-control"), "{path}: {head}");
    }
}

#[test]
fn other_sites_may_read_two_interfaces_where_the_user_says_so() {
    let server = Running::with(|settings| settings.has_cors = true);
    for path in ["/cdb.php?action=queryall&board=x", "/api/cloud-eval?fen=8/8/8/8/8/8/8/K1k5+w+-+-+0+1"] {
        assert!(server.get(path).head.contains("access-control-allow-origin: *"), "{path}");
    }
    for path in ["/api/v1/position?position=startpos", "/chess", "/static/page.css"] {
        assert!(!server.get(path).head.contains("access-control"), "{path}");
    }
}

#[test]
fn a_page_of_another_site_cannot_fill_the_queue() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("m.mnemon");
    let store = mnemon_memory::open(&file, mnemon_memory::Access::Create).expect("a memory");
    let server = Running::with(|settings| settings.store = store);
    let path = "/cdb.php?action=queue&board=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR+w+KQkq+-";
    let from = |header: &str| {
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n{header}Connection: close\r\n\r\n", server.host());
        server.raw(request.as_bytes()).body
    };
    assert_eq!(from("Sec-Fetch-Site: cross-site\r\n"), b"\0");
    assert_eq!(from("Origin: http://evil.example\r\n"), b"\0");
    let queue = folder.path().join("m.mnemon.queue");
    assert!(!queue.exists());
    assert_eq!(from(""), b"ok\0");
    assert!(std::fs::read_to_string(&queue).expect("a queue").starts_with("chess\trnbqkbnr/"));
}

#[test]
fn learn_0_writes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("m.mnemon");
    let store = mnemon_memory::open(&file, mnemon_memory::Access::Create).expect("a memory");
    let server = Running::with(|settings| settings.store = store);
    server.learn("startpos moves e4", Record::exact(-30, 12));
    let before = server.store.statistics().expect("read").records();
    let queue = folder.path().join("m.mnemon.queue");
    for action in ["queryall", "querybest", "query", "querysearch", "queryscore", "querypv"] {
        for board in ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR+w+KQkq+-", "4k3/8/8/8/8/8/4P3/4K3+w+-+-"] {
            let reply = server.get(&format!("/cdb.php?action={action}&learn=0&board={board}"));
            assert_eq!(reply.status, 200);
        }
    }
    assert!(!queue.exists() && server.store.statistics().expect("read").records() == before);
    server.get("/cdb.php?action=queryall&board=4k3/8/8/8/8/8/4P3/4K3+w+-+-");
    assert!(queue.exists(), "with learning, an unknown position is queued as chessdb does");
}
