//! Clients: those who listen, and those who ask one question after another.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// What is asked.
#[derive(Clone, Copy)]
pub(crate) enum Question {
    Fixed,
    Known,
    LookedUp,
}

impl Question {
    pub(crate) const ALL: [Question; 3] = [Question::Fixed, Question::Known, Question::LookedUp];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Question::Fixed => "the same number of bytes, ready",
            Question::Known => "queryall of one position",
            Question::LookedUp => "queryall, each one looked up",
        }
    }

    fn path(self, number: u64) -> String {
        const BOARD: &str = "/cdb.php?action=queryall&board=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR+w+KQkq+-";
        match self {
            Question::Fixed => "/fixed".to_owned(),
            Question::Known => BOARD.to_owned(),
            Question::LookedUp => format!("{BOARD}+0+{number}"),
        }
    }
}

/// How long requests took.
#[derive(Default)]
pub(crate) struct Samples {
    times: Vec<u32>,
    seconds: f64,
    pub(crate) failed: u64,
}

impl Samples {
    pub(crate) fn extend(&mut self, other: Samples) {
        self.times.extend(other.times);
        self.seconds += other.seconds;
        self.failed += other.failed;
    }

    pub(crate) fn count(&self) -> usize {
        self.times.len()
    }

    pub(crate) fn rate(&self) -> f64 {
        self.times.len() as f64 / self.seconds
    }

    /// The median and the 99th percentile in milliseconds.
    pub(crate) fn percentiles(&self) -> (f64, f64) {
        let mut sorted = self.times.clone();
        sorted.sort_unstable();
        let at =
            |share: f64| sorted.get((sorted.len() as f64 * share) as usize).map_or(0.0, |&us| f64::from(us) / 1000.0);
        (at(0.5), at(0.99))
    }
}

static NUMBER: AtomicU64 = AtomicU64::new(0);

/// Lets clients ask for a time, each on a connection of its own, one question after the other.
pub(crate) fn ask(address: &str, question: Question, clients: usize, time: Duration) -> Samples {
    let begun = Instant::now();
    let one = || {
        let mut samples = Samples::default();
        let mut stream = BufReader::new(TcpStream::connect(address).expect("it listens"));
        while begun.elapsed() < time {
            let path = question.path(NUMBER.fetch_add(1, Relaxed));
            let asked = Instant::now();
            let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n");
            stream.get_mut().write_all(request.as_bytes()).expect("sent");
            let is_good = answered(&mut stream);
            samples.times.push(asked.elapsed().as_micros() as u32);
            samples.failed += u64::from(!is_good);
        }
        samples
    };
    let mut all = Samples::default();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..clients).map(|_| scope.spawn(one)).collect();
        threads.into_iter().for_each(|thread| all.extend(thread.join().expect("no panic")));
    });
    all.seconds = begun.elapsed().as_secs_f64();
    all
}

/// Reads one answer; whether its status is 200 and it has a body.
fn answered(stream: &mut BufReader<TcpStream>) -> bool {
    let (mut line, mut status, mut length) = (String::new(), false, 0);
    loop {
        line.clear();
        if stream.read_line(&mut line).unwrap_or(0) == 0 {
            return false;
        }
        status |= line.starts_with("HTTP/1.1 200");
        if let Some(value) = line.strip_prefix("content-length: ") {
            length = value.trim().parse().unwrap_or(0);
        }
        if line == "\r\n" {
            break;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).is_ok() && status && length > 0
}

/// Starts a search and returns its number.
pub(crate) fn start_search(address: &str, token: &str, seconds: u64) -> String {
    let body = format!("{{\"position\":\"startpos\",\"seconds\":{seconds}}}");
    let request = format!(
        "POST /api/v1/search HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.write_all(request.as_bytes()).expect("sent");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("an answer");
    let id = text.split("\"id\":\"").nth(1).and_then(|rest| rest.split('"').next());
    id.unwrap_or_else(|| panic!("{text}")).to_owned()
}

/// Streams that are open.
pub(crate) struct Streams {
    threads: Vec<std::thread::JoinHandle<Heard>>,
    stop: Arc<AtomicBool>,
}

/// What the streams heard.
#[derive(Default)]
pub(crate) struct Heard {
    pub(crate) events: u64,
    pub(crate) ended: u64,
    pub(crate) gaps: u64,
}

impl Streams {
    /// Opens streams, and returns when each has heard an event.
    pub(crate) fn open(address: &str, search: &str, count: usize) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let heard = Arc::new(AtomicU64::new(0));
        let request = format!("GET /api/v1/search/{search}/events HTTP/1.1\r\nHost: {address}\r\n\r\n");
        let one = |_| {
            let (stop, heard) = (Arc::clone(&stop), Arc::clone(&heard));
            let mut stream = TcpStream::connect(address).expect("it listens");
            stream.write_all(request.as_bytes()).expect("sent");
            let builder = std::thread::Builder::new().stack_size(128 << 10);
            builder.spawn(move || listen(stream, &stop, &heard)).expect("a thread")
        };
        let threads = (0..count).map(one).collect();
        while heard.load(Relaxed) < count as u64 {
            std::thread::sleep(Duration::from_millis(50));
        }
        Streams { threads, stop }
    }

    /// Closes them.
    pub(crate) fn finish(self) -> Heard {
        self.stop.store(true, Relaxed);
        let mut all = Heard::default();
        for thread in self.threads {
            let heard = thread.join().expect("no panic");
            all.events += heard.events;
            all.ended += heard.ended;
            all.gaps += heard.gaps;
        }
        all
    }
}

fn listen(stream: TcpStream, stop: &AtomicBool, first: &AtomicU64) -> Heard {
    let mut heard = Heard::default();
    let mut lines = BufReader::with_capacity(4096, stream).lines();
    while !stop.load(Relaxed) {
        let Some(Ok(line)) = lines.next() else {
            heard.ended = 1;
            break;
        };
        heard.gaps += u64::from(line == "event: gap");
        if line == "event: line" {
            heard.events += 1;
            if heard.events == 1 {
                first.fetch_add(1, Relaxed);
            }
        }
    }
    heard
}
