//! Files in and out of a memory: what goes out comes in again, and no input panics.

use std::ops::ControlFlow;
use std::path::Path;

use mnemon_chess::pgn::{Evaluation, GameResult, GameTree, NodeId, PgnWriter};
use mnemon_chess::polyglot::BookWriter;
use mnemon_chess::{Position, to_code};
use mnemon_explore::exchange::{
    FileFormat, Input, Intake, KnownTree, Report, Stop, TreeLimits, TreeRoot, write_book, write_pgn,
};
use mnemon_memory::{Content, Identity, Item, MemoryId, RamStore, Range, Record, Source, Store};
use mnemon_search::Game;
use mnemon_search::random::Random;

/// Hears of what is broken, and goes on.
#[derive(Default)]
struct Broken(Vec<(u64, String)>);

impl Report for Broken {
    fn broken(&mut self, line: u64, error: &str) -> Result<(), Stop> {
        self.0.push((line, error.to_owned()));
        Ok(())
    }

    fn left_out(&mut self, _: u64, _: &str) {}
}

/// A memory with the contents of a file, and what is broken in it.
fn imported(bytes: &[u8], format: Option<FileFormat>) -> (RamStore, Broken) {
    let (store, mut broken) = (RamStore::new(), Broken::default());
    let origin = Identity { id: MemoryId::of_text("file"), label: "file".to_owned() };
    let mut intake = Intake::new(origin, &store).expect("an intake");
    let input = Input::new(Path::new("file"), bytes, format).expect("readable");
    // A book that is none is refused as a whole.
    let _ = input.import(&Position::start(), &mut intake, &mut broken);
    intake.finish().expect("valid entries");
    (store, broken)
}

fn items(store: &RamStore) -> Vec<Item> {
    let mut items = Vec::new();
    let mut take = |item| {
        items.push(item);
        ControlFlow::Continue(())
    };
    store.scan(&Range::default(), &mut take).expect("readable");
    items
}

fn notes(store: &RamStore) -> Vec<(Box<[u8]>, String)> {
    let mut notes = Vec::new();
    store
        .scan_annotations(&Range::default(), &mut |annotation| {
            if let Content::Note(note) = annotation.content {
                notes.push((annotation.key.position, note.text));
            }
            ControlFlow::Continue(())
        })
        .expect("readable");
    notes
}

/// A random tree in which every position has an evaluation, and some a comment. A position has one evaluation, by its hash.
fn random_tree(random: &mut Random, moves: usize) -> GameTree {
    let mut tree = GameTree::default();
    let mut known = vec![(NodeId::ROOT, Position::start())];
    let comment = |position: &Position| {
        let hash = position.key();
        let score = (hash % 400) as i16 - 200;
        let evaluation = Evaluation::after_move(score, position.side_to_move(), Some((hash % 30) as u8));
        if hash.is_multiple_of(3) { format!("{evaluation} note {}", hash % 1000) } else { evaluation.to_string() }
    };
    tree[NodeId::ROOT].comment = comment(&Position::start());
    for _ in 0..moves {
        let at = if random.below(3) > 0 { known.len() - 1 } else { random.below(known.len()) };
        let (parent, position) = known[at].clone();
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        let Some(&mv) = legal.get(random.below(legal.len().max(1))) else { continue };
        if tree.children(parent).any(|child| tree[child].mv == Some(mv)) || position.halfmove_clock() > 50 {
            continue;
        }
        let node = tree.add(parent, mv);
        let after = position.after(mv);
        tree[node].comment = comment(&after);
        known.push((node, after));
    }
    tree
}

#[test]
fn a_tree_comes_back_as_it_went_out() {
    let mut random = Random::new(18);
    for round in 1..60 {
        let tree = random_tree(&mut random, 2 * round);
        let mut writer = PgnWriter::new(&Position::start());
        writer.tag("Annotator", "Ada").tree(&tree);
        let text = writer.finish(GameResult::Unknown);
        let (first, broken) = imported(text.as_bytes(), None);
        assert!(broken.0.is_empty(), "{:?}", broken.0);
        let limits = TreeLimits { plies: 500, width: 500, within: None, positions: 100_000 };
        let known = KnownTree::read(&first, &Position::start(), limits, &|_| true).expect("readable");
        assert!(!known.is_cut);
        let root = TreeRoot { start: Position::start(), moves: Vec::new() };
        let (second, broken) = imported(write_pgn(&known, &root).as_bytes(), None);
        assert!(broken.0.is_empty(), "{:?}", broken.0);
        // What the main line is depends on the values: it is not what was played in the first game.
        let plain = |store: &RamStore| -> Vec<(Box<[u8]>, i16, u8)> {
            let all = items(store).into_iter();
            all.map(|item| (item.key.position, item.record.lower.score, item.record.lower.depth)).collect()
        };
        assert_eq!(plain(&second), plain(&first), "{text}");
        assert_eq!(notes(&second), notes(&first), "{text}");
    }
}

#[test]
fn a_book_is_found_under_either_key() {
    // After d2-d4 a pinned pawn stands beside the double step: the position has two keys in books.
    let before: Position = "8/8/8/8/k1p4R/8/3P4/4K3 w - -".parse().expect("a position");
    let step = before.parse_uci("d2d4").expect("legal");
    let after = before.after(step);
    let unmarked: Position = "8/8/8/8/k1pP3R/8/8/4K3 b - -".parse().expect("a position");
    let reply = after.parse_uci("a4b3").expect("legal");
    for known in [&after, &unmarked] {
        let mut writer = BookWriter::new();
        writer.add(&before, step, 1).add(known, reply, 1);
        let store = RamStore::new();
        let origin = Identity { id: MemoryId::of_text("book"), label: "book".to_owned() };
        let mut intake = Intake::new(origin, &store).expect("an intake");
        let bytes = writer.finish();
        let input = Input::new(Path::new("book.bin"), &bytes[..], None).expect("readable");
        input.import(&before, &mut intake, &mut Broken::default()).expect("a book");
        intake.finish().expect("valid entries");
        let best: Vec<u16> = items(&store).iter().map(|item| item.record.best).collect();
        assert!(best.contains(&to_code(reply).get()) && best.len() == 2, "{best:?}");
    }
}

#[test]
fn a_book_has_both_moves_of_a_transposition() {
    let (store, _) = imported(b"1. e4 (1. d4 d5 2. e4 e6) e6 2. d4 d5 3. Nc3 *", None);
    let limits = TreeLimits { plies: 10, width: 9, within: None, positions: 100 };
    let known = KnownTree::read(&store, &Position::start(), limits, &|_| true).expect("readable");
    let (bytes, moves) = write_book(&known);
    assert_eq!(bytes.len() as u64, 16 * moves);
    let (again, _) = imported(&bytes, Some(FileFormat::Polyglot));
    let positions = |store: &RamStore| items(store).into_iter().map(|item| item.key.position).collect::<Vec<_>>();
    assert_eq!(positions(&again), positions(&store), "every position that has a move");
}

#[test]
fn sources_that_are_not_meant_do_not_count() {
    let (store, _) = imported(b"{[%eval 0.1,9]} 1. e4 {[%eval 0.1,9]} *", None);
    let none = KnownTree::read(&store, &Position::start(), TreeLimits::default(), &|_| false).expect("readable");
    assert!(none.nodes.len() == 1 && none.nodes[0].score.is_none());
    let person = Source::person("Ada");
    let advice = Record { best: 1, origins: mnemon_memory::Origins::ADVICE, ..Record::exact(900, 90) };
    let mut packed = Vec::new();
    Position::start().pack(&mut packed);
    let key = mnemon_memory::Key::new(&Position::name().into(), packed, &person);
    store.merge_many(&[Item { key, record: advice }]).expect("valid");
    let known = KnownTree::read(&store, &Position::start(), TreeLimits::default(), &|_| true).expect("readable");
    assert_eq!(known.nodes[0].score, Some((10, 9)), "advice is no score of a search");
}

/// Damaged inputs are refused or read, whatever they are taken for, and what is read can be kept.
#[test]
fn no_input_panics() {
    let seeds = [
        "[White \"Fish 1\"]\n\n{[%eval 0.3,9] a} 1. e4! {+0.25/12 0.5s} (1. d4 $5 {b} d5) e5 {d=16, wv=1.08,} *\n",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - acd 24; bm e4; c0 \"Ada (person)\"; ce 31; id \"x\"; pv e4 e5;\n",
        "{\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\",\"evals\":[{\"pvs\":[{\"cp\":31,\"line\":\"e2e4 e7e5\"}],\"knodes\":7,\"depth\":30}]}\n",
        "{\"game\":\"chess\",\"position\":\"startpos\",\"source\":{\"engine\":\"e\"},\"lower\":3,\"lower_depth\":4}\n",
    ];
    let formats = [FileFormat::Json, FileFormat::Pgn, FileFormat::Epd, FileFormat::Lichess, FileFormat::Polyglot];
    let mut random = Random::new(7);
    let (mut read, mut refused) = (0, 0);
    for _ in 0..1_500 {
        let mut bytes = seeds[random.below(seeds.len())].repeat(1 + random.below(2)).into_bytes();
        for _ in 0..random.below(6) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes[at] = random.bits() as u8,
                1 => _ = bytes.remove(at),
                _ => bytes.insert(at, b"{}();\"[]/ 0\n"[random.below(12)]),
            }
        }
        let format = Some(formats[random.below(formats.len())]).filter(|_| random.below(2) == 0);
        let (store, broken) = imported(&bytes, format);
        read += items(&store).len();
        refused += broken.0.len();
        for item in items(&store) {
            item.validate().expect("a valid record");
        }
    }
    assert!(read > 500 && refused > 200, "{read} {refused}");
}
