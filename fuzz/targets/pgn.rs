//! The games of a text have legal moves, and a game that is written is read as it was: its main line, and with its
//! variations, glyphs and comments.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mnemon_chess::pgn::{Evaluation, GameTree, NodeId, PgnGame, PgnReader, PgnWriter, prose, without_evaluation};

const TAGS: [&str; 3] = ["Event", "White", "Black"];

fuzz_target!(|data: &[u8]| {
    for (index, game) in PgnReader::new("fuzzed", data).enumerate() {
        let game = game.expect("RAM can be read");
        assert_eq!(game.number, index as u64 + 1);
        let text = written(&game);
        let mut reader = PgnReader::new("written", text.as_bytes());
        let again = reader.next().expect("a game").expect("RAM can be read");
        assert!(reader.next().is_none(), "{text}");
        assert_eq!((&again.error, &again.start, again.result), (&None, &game.start, game.result), "{text}");
        assert_eq!(again.moves, game.moves, "{text}");
        for tag in TAGS {
            // A carriage return may end a line.
            let expected = game.tag(tag).map(|value| value.replace('\r', " "));
            assert_eq!(again.tag(tag), expected.as_deref(), "{text}");
        }
    }
    let mut plain = PgnReader::new("fuzzed", data);
    for game in PgnReader::new("fuzzed", data).whole() {
        let (game, plain) = (game.expect("RAM can be read"), plain.next().expect("as many").expect("RAM can be read"));
        assert_eq!((&game.moves, game.result), (&plain.moves, plain.result));
        check_tree(&game);
    }
    assert!(plain.next().is_none());
});

fn check_tree(game: &PgnGame) {
    let tree = without_braces(game);
    let mut writer = PgnWriter::new(&game.start);
    writer.tag("Event", "?").setup_tags().tree(&tree);
    let text = writer.finish(game.result);
    let again = PgnReader::new("written", text.as_bytes()).whole().next().expect("a game").expect("RAM can be read");
    assert!(again.tree.as_ref() == Some(&tree), "{text}");
}

/// The tree with what PGN can escape, and its comments understood.
fn without_braces(game: &PgnGame) -> GameTree {
    let mut tree = game.tree.clone().expect("a tree");
    let mut nodes = vec![NodeId::ROOT];
    tree.walk(&game.start, |node, position| {
        assert!(tree[node].mv.is_some_and(|mv| position.is_legal(mv)));
        nodes.push(node);
    });
    for node in nodes {
        let node = &mut tree[node];
        if let Some(evaluation) = Evaluation::of_comment(&node.comment) {
            let score = evaluation.score(mnemon_chess::Color::White);
            let written = Evaluation::after_move(score, mnemon_chess::Color::White, evaluation.depth);
            let read = Evaluation::of_comment(&written.to_string()).expect("an evaluation");
            assert_eq!(read.score(mnemon_chess::Color::White), score, "{written}");
        }
        let _ = (prose(&node.comment), without_evaluation(&node.comment));
        node.before = node.before.replace(['{', '}'], "'");
        node.comment = node.comment.replace(['{', '}'], "'");
    }
    tree
}

fn written(game: &PgnGame) -> String {
    let mut writer = PgnWriter::new(&game.start);
    for tag in TAGS {
        writer.tag(tag, game.tag(tag).unwrap_or("?"));
    }
    writer.setup_tags();
    for &mv in &game.moves {
        assert!(writer.position().is_legal(mv));
        writer.play(mv);
        // What a reader must skip.
        writer.comment(game.tag("Annotator").unwrap_or("; 1. e4 ("));
    }
    writer.finish(game.result)
}
