//! Whatever is written is read back as it was, and whatever comes in is read without a panic.

use mnemon_uci::{
    BestMove, Bound, Command, EngineLine, GoCommand, Info, OptionDecl, OptionKind, ParsedCommand, PositionCommand,
    Score, ScoreValue, Wdl,
};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

/// A move, or what an engine takes for one.
fn mv() -> impl Strategy<Value = String> {
    "[a-h][1-8][a-h][1-8][qrbn]?|0000|\\(none\\)|NULL"
}

/// One to three words that name no field.
fn words() -> impl Strategy<Value = String> {
    "[A-Z][a-zA-Z0-9_]{0,6}( [A-Z][a-zA-Z0-9_]{0,6}){0,2}"
}

/// A rest of a line: with blanks inside but not around it.
fn text() -> impl Strategy<Value = String> {
    "[!-~éß]([ -~é]{0,20}[!-~])?"
}

prop_compose! {
    fn score()(cp in any::<bool>(), number: i32, bound in 0..3) -> Score {
        let value = if cp { ScoreValue::Centipawns(number) } else { ScoreValue::Mate(number) };
        Score { value, bound: [Bound::Exact, Bound::Lower, Bound::Upper][bound as usize] }
    }
}

prop_compose! {
    fn wdl()(win: u32, draw: u32, loss: u32) -> Wdl {
        Wdl { win, draw, loss }
    }
}

prop_compose! {
    fn info()(
        (depth, seldepth, multipv) in any::<(Option<u32>, Option<u32>, Option<u32>)>(),
        (score, wdl) in (of(score()), of(wdl())),
        (nodes, nps, tbhits, time) in any::<(Option<u64>, Option<u64>, Option<u64>, Option<u64>)>(),
        (hashfull, currmovenumber) in any::<(Option<u32>, Option<u32>)>(),
        (currmove, pv, string) in (of(mv()), vec(mv(), 0..6), of(text())),
    ) -> Info {
        Info {
            depth, seldepth, multipv, score, wdl, nodes, nps, hashfull, tbhits, time, currmove, currmovenumber, pv, string,
        }
    }
}

fn kind() -> impl Strategy<Value = OptionKind> {
    prop_oneof![
        of(any::<bool>()).prop_map(|default| OptionKind::Check { default }),
        (any::<Option<i64>>(), any::<i64>(), any::<i64>()).prop_map(|(default, min, max)| OptionKind::Spin {
            default,
            min,
            max
        }),
        (of(words()), vec(words(), 0..5)).prop_map(|(default, choices)| OptionKind::Combo { default, choices }),
        Just(OptionKind::Button),
        of(prop_oneof![Just(String::new()), words()]).prop_map(|default| OptionKind::Text { default }),
    ]
}

fn engine_line() -> impl Strategy<Value = EngineLine> {
    prop_oneof![
        text().prop_map(EngineLine::IdName),
        text().prop_map(EngineLine::IdAuthor),
        (words(), kind()).prop_map(|(name, kind)| EngineLine::Option(OptionDecl { name, kind })),
        Just(EngineLine::UciOk),
        Just(EngineLine::ReadyOk),
        info().prop_map(EngineLine::Info),
        (mv(), of(mv())).prop_map(|(mv, ponder)| EngineLine::BestMove(BestMove { mv, ponder })),
        text().prop_map(|text| EngineLine::Other(format!("# {text}"))),
    ]
}

prop_compose! {
    fn go()(
        (wtime, btime) in any::<(Option<i64>, Option<i64>)>(),
        (winc, binc) in (of(0..=i64::MAX), of(0..=i64::MAX)),
        (movestogo, movetime, depth) in (any::<Option<u32>>(), of(1..=i64::MAX), of(1..=u8::MAX)),
        (nodes, mate, perft) in (of(1..=i64::MAX as u64), of(1..=u16::MAX), of(0..=20_u8)),
        (infinite, ponder) in any::<(bool, bool)>(),
        searchmoves in vec(mv(), 0..4),
    ) -> GoCommand {
        GoCommand {
            wtime, btime, winc, binc, movestogo, movetime, depth, nodes, mate, perft, infinite, ponder, searchmoves,
        }
    }
}

fn command() -> impl Strategy<Value = Command> {
    let fen = "[1-8]/[1-8]( [wb] - - [0-9]{1,2} [0-9]{1,2})?";
    prop_oneof![
        Just(Command::Uci),
        any::<bool>().prop_map(Command::Debug),
        Just(Command::IsReady),
        (words(), of(prop_oneof![Just(String::new()), text()]))
            .prop_map(|(name, value)| Command::SetOption { name, value }),
        Just(Command::NewGame),
        (of(fen), vec(mv(), 0..8)).prop_map(|(fen, moves)| Command::Position(PositionCommand { fen, moves })),
        go().prop_map(Command::Go),
        Just(Command::Stop),
        Just(Command::PonderHit),
        Just(Command::Quit),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn engine_lines_are_read_as_they_were_written(line in engine_line()) {
        prop_assert_eq!(EngineLine::parse(&line.to_string()), line);
    }

    #[test]
    fn commands_are_read_as_they_were_written(command in command()) {
        let expected = ParsedCommand { command: Some(command.clone()), complaints: Vec::new() };
        prop_assert_eq!(Command::parse(&command.to_string()), expected);
    }

    #[test]
    fn words_in_any_order_are_read_and_the_rest_is_stable(
        words in vec(prop_oneof![
            prop::sample::select(vec![
                "uci", "info", "depth", "pv", "score", "cp", "mate", "lowerbound", "wdl", "string", "option", "name", "type",
                "spin", "combo", "var", "default", "min", "bestmove", "ponder", "go", "searchmoves", "nodes", "position",
                "fen", "startpos", "moves", "setoption", "value", "id", "<empty>", "-1", "999999999999999999999", "e2e4", "é",
            ]).prop_map(str::to_owned),
            "[ -~]{0,5}",
        ], 0..12),
    ) {
        let line = words.join(" ");
        // What was understood of a line is understood again when it is written.
        let understood = EngineLine::parse(&line);
        prop_assert_eq!(&EngineLine::parse(&understood.to_string()), &understood);
        if let Some(command) = Command::parse(&line).command {
            prop_assert_eq!(Command::parse(&command.to_string()).command, Some(command));
        }
    }
}
