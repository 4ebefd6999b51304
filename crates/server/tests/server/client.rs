//! A server on a free port, and a client that sends what it is told to, byte for byte.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use mnemon_explore::notation;
use mnemon_memory::{Item, Key, Line, LineSet, RamStore, Record, Source, Store};
use mnemon_server::{ServeError, Server, Settings, Stop};
use mnemon_table::Window;
use serde_json::Value;

/// Only failing tests wait for it.
pub(crate) const LONG: Duration = Duration::from_secs(60);

/// A running server, which ends with this.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) token: String,
    pub(crate) store: Arc<dyn Store>,
    stop: Stop,
    thread: Option<JoinHandle<Result<(), ServeError>>>,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Running {
    /// With an empty memory in RAM.
    pub(crate) fn new() -> Self {
        Self::with(|_| {})
    }

    /// With settings of the test's own.
    pub(crate) fn with(change: impl FnOnce(&mut Settings)) -> Self {
        let store: Arc<dyn Store> = Arc::new(RamStore::new());
        let mut settings = Settings::new(store, Source::engine("mnemon", "0.1.0"));
        change(&mut settings);
        let store = Arc::clone(&settings.store);
        let server = Server::bind(settings).expect("a free port");
        let (address, stop) = (server.address(), server.stop());
        let token = server.token().as_str().to_owned();
        assert_eq!(server.start_url(), format!("http://{address}/#token={token}"));
        let thread = Some(std::thread::spawn(move || server.run()));
        Running { address, token, store, stop, thread }
    }

    /// A record of the engine `engine 1`.
    pub(crate) fn learn(&self, position: &str, record: Record) {
        let position = notation::read(&[position.to_owned()], None).expect("a position");
        let key = Key::new(&position.game(), position.packed(), &Source::engine("engine", "1"));
        self.store.merge_many(&[Item { key, record }]).expect("RAM");
    }

    /// Lines of the engine `engine 1`, each with its score and moves.
    pub(crate) fn learn_lines(&self, position: &str, depth: u8, lines: &[(i16, &str)]) {
        let position = notation::read(&[position.to_owned()], None).expect("a position");
        let line = |&(score, moves): &(i16, &str)| Line::new(Window::exact(score), codes(&*position, moves));
        let set = LineSet { depth, time: 1_700_000_000, lines: lines.iter().map(line).collect() };
        let key = Key::new(&position.game(), position.packed(), &Source::engine("engine", "1"));
        let content = mnemon_memory::Content::Lines(set.into());
        self.store.merge_annotations(&[mnemon_memory::Annotation { key, content }]).expect("RAM");
    }

    pub(crate) fn host(&self) -> String {
        self.address.to_string()
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(LONG)).expect("a timeout");
        stream
    }

    /// Sends bytes and reads the answer to its end.
    pub(crate) fn raw(&self, request: &[u8]) -> Reply {
        let mut stream = self.connect();
        // A server that has refused already may have closed the connection.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        Reply::parse(&bytes)
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.raw(format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.host()).as_bytes())
    }

    /// A write as the page makes it.
    pub(crate) fn post(&self, path: &str, body: &str) -> Reply {
        self.post_with(path, body, &[])
    }

    /// The same with other headers in the place of those of these names; an empty one is left out.
    pub(crate) fn post_with(&self, path: &str, body: &str, changed: &[(&str, &str)]) -> Reply {
        let (host, token) = (self.host(), format!("Bearer {}", self.token));
        let origin = format!("http://{host}");
        let usual =
            [("Host", &*host), ("Origin", &origin), ("Content-Type", "application/json"), ("Authorization", &token)];
        let value = |name: &str, value: &str| {
            changed.iter().find(|(other, _)| *other == name).map_or(value.to_owned(), |(_, other)| (*other).to_owned())
        };
        let mut request = format!("POST {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        for (name, usual) in usual {
            let value = value(name, usual);
            if !value.is_empty() {
                request += &format!("{name}: {value}\r\n");
            }
        }
        for (name, value) in changed.iter().filter(|(name, _)| !usual.iter().any(|(known, _)| known == name)) {
            request += &format!("{name}: {value}\r\n");
        }
        self.raw(format!("{request}\r\n{body}").as_bytes())
    }

    /// Ends the server; true if it ended by itself.
    pub(crate) fn end(mut self) -> bool {
        self.stop.stop();
        let thread = self.thread.take().expect("it runs");
        thread.join().expect("no panic").is_ok()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Reply {
    fn parse(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|part| part == b"\r\n\r\n");
        let Some(end) = end else { return Reply { status: 0, head: String::new(), body: bytes.to_vec() } };
        let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let body = &bytes[end + 4..];
        let body = if head.contains("transfer-encoding: chunked") { dechunked(body) } else { body.to_vec() };
        Reply { status, head, body }
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// The status and the error's code. Every error has the one shape, and tells no path.
    pub(crate) fn error(&self) -> (u16, String) {
        let json = self.json();
        let error = json["error"].as_object().unwrap_or_else(|| panic!("{json}"));
        assert_eq!(error.len(), 2);
        assert!(!error["message"].as_str().expect("a message").contains("/work"), "{json}");
        (self.status, error["code"].as_str().expect("a code").to_owned())
    }
}

fn dechunked(mut body: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(end) = body.windows(2).position(|part| part == b"\r\n") {
        let size = usize::from_str_radix(&String::from_utf8_lossy(&body[..end]), 16).unwrap_or(0);
        let data = &body[end + 2..];
        whole.extend_from_slice(&data[..size.min(data.len())]);
        if size == 0 || data.len() < size + 2 {
            break;
        }
        body = &data[size + 2..];
    }
    whole
}

/// The codes of moves in the game's notation.
fn codes(position: &dyn notation::Position, moves: &str) -> Vec<u16> {
    let mut codes = Vec::new();
    let mut at: Option<Box<dyn notation::Position>> = None;
    for text in moves.split_whitespace() {
        let here = at.as_deref().unwrap_or(position);
        let code = here.read_move(text).expect("a legal move");
        let after = here.children().into_iter().find(|(known, _)| *known == code).map(|(_, after)| after);
        codes.push(code);
        at = after;
    }
    codes
}

/// A text in an address.
pub(crate) fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}
