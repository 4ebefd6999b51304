//! The games of a text have legal moves, and a game that is written is read as it was.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mnemon_chess::pgn::{PgnGame, PgnReader, PgnWriter};

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
});

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
