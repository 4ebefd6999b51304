//! `mnemon serve` as a user starts it.

mod binary;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// A running server with what it printed.
struct Served {
    child: Child,
    address: String,
    token: String,
}

impl Served {
    fn start(memory: &Path, more: &[&str]) -> Self {
        let path = memory.to_str().expect("UTF-8");
        let arguments = [&["serve", "--listen", "127.0.0.1:0", "--memory", path], more].concat();
        let mut child = binary::command(&arguments).stderr(Stdio::inherit()).spawn().expect("the binary runs");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        let url = line.trim().rsplit_once(" at http://").expect("an address").1;
        let (address, token) = url.split_once("/#token=").expect("a token");
        Served { child, address: address.to_owned(), token: token.to_owned() }
    }

    fn connect(&self, request: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a timeout");
        stream.write_all(request.as_bytes()).expect("sent");
        stream
    }

    fn get(&self, path: &str) -> String {
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address);
        let mut answer = String::new();
        self.connect(&request).read_to_string(&mut answer).expect("an answer");
        answer
    }

    fn post(&self, path: &str, body: &str) -> String {
        let Served { address, token, .. } = self;
        let mut answer = String::new();
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        self.connect(&request).read_to_string(&mut answer).expect("an answer");
        answer
    }

    /// Ends it as Ctrl-C does; the exit code, and how long it took.
    #[cfg(unix)]
    fn interrupt(mut self) -> (Option<i32>, Duration) {
        let begun = Instant::now();
        let killed = std::process::Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
        assert!(killed.expect("kill runs").success());
        let status = self.child.wait().expect("it ends");
        (status.code(), begun.elapsed())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_port_in_use_and_an_open_address_are_one_clear_line() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let folder = tempfile::tempdir().expect("a folder");
    let memory = folder.path().join("m.mnemon");
    let memory = memory.to_str().expect("UTF-8");
    let error = binary::fails(&["serve", "--listen", &address, "--memory", memory], 1);
    assert!(error.contains(&address) && error.contains("is in use"), "{error}");
    let error = binary::fails(&["serve", "--listen", "0.0.0.0:0", "--memory", memory], 2);
    assert!(error.contains("other machines") && error.contains("--public"), "{error}");
    let error = binary::fails(&["serve", "--read-only", "--memory", memory], 1);
    assert!(error.contains("no such memory") || error.contains("there is no"), "{error}");
    let error = binary::fails(&["serve", "--engine", "a=x", "--engine", "a=y", "--memory", memory], 2);
    assert!(error.contains("two engines are named 'a'"), "{error}");
}

/// The own engine searches, its lines come as events, are learned in the served memory, and come first the next time.
#[cfg(unix)]
#[test]
fn the_own_engine_searches_and_what_it_finds_is_kept_after_ctrl_c() {
    let folder = tempfile::tempdir().expect("a folder");
    let memory = folder.path().join("m.mnemon");
    let served = Served::start(&memory, &[]);
    let search = r#"{"position":"startpos moves e4 e5","depth":9,"seconds":60,"lines":2}"#;
    assert!(served.post("/api/v1/search", search).contains("201 Created"));
    let events = served.get("/api/v1/search/1/events");
    assert!(events.contains("event: done") && events.contains(r#""reason":"finished""#), "{events}");
    assert!(
        events.contains(r#""from":"engine","rank":2,"depth":9"#) && !events.contains(r#""from":"memory""#),
        "{events}"
    );
    assert!(served.post("/api/v1/search", search).contains("201 Created"));
    let events = served.get("/api/v1/search/2/events");
    assert!(events.contains(r#""from":"memory","rank":1,"depth":9"#), "{events}");
    // A search without an end, and a stream that is open.
    assert!(served.post("/api/v1/search", r#"{"position":"startpos","seconds":600}"#).contains("201 Created"));
    let open = served.connect(&format!("GET /api/v1/search/3/events HTTP/1.1\r\nHost: {}\r\n\r\n", served.address));
    let mut lines = BufReader::new(open).lines();
    assert!(lines.any(|line| line.is_ok_and(|line| line.contains(r#""depth":6"#))));
    let (code, took) = served.interrupt();
    assert_eq!(code, Some(0));
    assert!(took < Duration::from_secs(15), "{took:?}");
    let shown = binary::mnemon(&["memory", "show", "startpos", "--json", "--memory", memory.to_str().expect("UTF-8")]);
    let shown: serde_json::Value = serde_json::from_slice(&shown.stdout).expect("JSON");
    let depth = shown["records"][0]["lower_depth"].as_u64();
    assert!(depth.is_some_and(|depth| depth >= 5), "{shown}");
}

#[test]
fn reading_only_leaves_the_folder_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let memory = folder.path().join("m.mnemon");
    let path = memory.to_str().expect("UTF-8");
    assert!(binary::mnemon(&["memory", "note", "startpos", "hello", "--by", "Ada", "--memory", path]).status.success());
    let served = Served::start(&memory, &["--read-only"]);
    assert!(served.get("/api/v1/position?position=startpos").contains(r#""text":"hello""#));
    assert!(served.get("/chess").contains("hello"));
    assert!(served.post("/api/v1/note", r#"{"position":"startpos","text":"x"}"#).contains("read_only"));
    assert!(served.get("/cdb.php?action=queryall&board=4k3/8/8/8/8/8/4P3/4K3+w").ends_with("unknown\0"));
    drop(served);
    assert!(!folder.path().join("m.mnemon.queue").exists());
}
