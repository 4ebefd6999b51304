//! The server that is measured, and an engine that talks without an end.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use mnemon_explore::notation::{self, Position};
use mnemon_memory::{Access, Item, Key, Record, Source, Store, open};
use mnemon_server::{Server, Settings};
use mnemon_uci::child::EngineCommand;

/// Serves a memory on disk in which the start and the two plies below it are known.
pub(crate) fn serve() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path().join("load.mnemon"), Access::Create).expect("a memory");
    fill(&*store);
    let program = std::env::current_exe().expect("a path").display().to_string();
    let command = EngineCommand::from_words([program, "engine".to_owned()]).expect("a command");
    let mut settings = Settings::new(Arc::clone(&store), Source::engine("mnemon", "0.1.0"));
    settings.engines = vec![("talker".to_owned(), command)];
    settings.limits.search_time = Duration::from_secs(3600);
    settings.fixed_answer = Some(fixed());
    let server = Server::bind(settings).expect("a port");
    println!("{}\n{}", server.address(), server.token().as_str());
    std::io::stdout().flush().expect("a pipe");
    server.run().expect("it runs");
}

/// Records of all positions up to two plies from the start.
fn fill(store: &dyn Store) {
    let source = Source::engine("engine", "1");
    let start = notation::read(&["startpos".to_owned()], None).expect("a position");
    let item = |position: &dyn Position, score: i16| {
        let key = Key::new(&position.game(), position.packed(), &source);
        Item { key, record: Record::exact(score, 12).found_at(1_700_000_000) }
    };
    let mut items = vec![item(&*start, 20)];
    for (number, (_, after)) in start.children().into_iter().enumerate() {
        items.push(item(&*after, number as i16 - 20));
        items.extend(after.children().iter().map(|(code, reply)| item(&**reply, (*code % 90) as i16)));
    }
    store.merge_many(&items).expect("written");
}

/// What the interface of chessdb answers for the start, as long as the real answer.
fn fixed() -> String {
    let one = "move:e2e4,score:20,rank:2,note:! (20-05),winrate:51.51";
    vec![one; 20].join("|") + "\0"
}

/// An engine that prints a line every 100 milliseconds and never deepens, so that nothing is learned.
pub(crate) fn engine() {
    let (sender, received) = std::sync::mpsc::channel();
    std::thread::spawn(move || std::io::stdin().lines().map_while(Result::ok).for_each(|line| _ = sender.send(line)));
    let mut is_searching = false;
    loop {
        match received.recv_timeout(Duration::from_millis(100)) {
            Ok(line) if line == "uci" => println!("id name talker 1\nuciok"),
            Ok(line) if line == "isready" => println!("readyok"),
            Ok(line) if line.starts_with("go") => is_searching = true,
            Ok(line) if line == "stop" => {
                is_searching = false;
                println!("bestmove e2e4");
            }
            Ok(line) if line == "quit" => return,
            Ok(_) => {}
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) if is_searching => {
                println!("info depth 9 score cp 20 nodes 1000 pv e2e4 e7e5 g1f3 b8c6 f1b5 a7a6");
            }
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {}
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => return,
        }
    }
}
