//! EPD and PGN of any content: read or refused, never a panic.

use mnemon_chess::Position;
use mnemon_chess::epd::Epd;
use mnemon_chess::pgn::{GameResult, PgnReader, PgnWriter};
use mnemon_chess::random_games::walk;
use mnemon_search::random::Random;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn no_line_of_an_epd_file_panics(text in "\\PC{0,80}", tail in "([a-z0-9]{1,4}( [a-hNBRQKO+#x,\"1-8é-]{0,5}){0,3};? ?){0,4}") {
        let position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        for line in [text.clone(), format!("{position}{text}"), format!("{position} {tail}")] {
            if let Ok(epd) = line.parse::<Epd>() {
                let _ = (epd.id(), epd.expected_moves());
            }
        }
    }

    /// Every game of a text has moves that can be played from its start.
    #[test]
    fn no_pgn_panics(bytes in prop::collection::vec(any::<u8>(), 0..120), text in "([1-3][.]|e4|e5|Nf3|[{}();%\\[\\]$é*\" \n]|1-0|--){0,40}") {
        for bytes in [&bytes[..], text.as_bytes()] {
            for game in PgnReader::new("text", bytes) {
                let game = game.expect("a text in RAM can be read");
                let end = game.moves.iter().try_fold(game.start.clone(), |position, &mv| {
                    position.is_legal(mv).then(|| position.after(mv))
                });
                prop_assert!(end.is_some());
            }
        }
    }
}

/// A short random game from a position, written as PGN with comments and read back.
fn check_round_trip(start: &Position, random: &mut Random) {
    let mut writer = PgnWriter::new(start);
    writer.tag("Variant", if start.is_chess960() { "Chess960" } else { "Standard" }).setup_tags();
    let mut played = Vec::new();
    for _ in 0..12 {
        let mut moves = Vec::new();
        writer.position().legal_moves(&mut moves);
        let Some(&mv) = moves.get(random.below(moves.len().max(1))) else { break };
        writer.play(mv).comment("a comment (with [all] that; a reader { skips }");
        played.push(mv);
    }
    let text = writer.finish(GameResult::Draw);
    assert!(text.lines().all(|line| line.len() <= 80 || line.starts_with('[')), "{text}");
    let game = PgnReader::new("text", text.as_bytes()).next().expect("a game").expect("readable");
    assert_eq!((game.error, &game.start, game.moves), (None, start, played), "{text}");
    assert_eq!(game.result, GameResult::Draw);
}

#[test]
fn written_games_are_read_back() {
    let mut games = 0;
    walk(21, 4_000, |position, _, random| {
        if random.below(10) == 0 {
            check_round_trip(position, random);
            games += 1;
        }
    });
    assert!(games > 200, "{games}");
}
