//! Random commands, as GUIs, people and mistakes send them.

use mnemon_chess::Position;
use mnemon_search::random::Random;

use super::files::Files;

/// What is done next.
pub(super) enum Action {
    /// This line is sent.
    Send(String),
    /// These bytes are sent, which need not be text.
    SendBytes(Vec<u8>),
    /// Milliseconds pass.
    Sleep(u64),
    /// The answer to an `isready` is waited for.
    WaitReady,
    /// Every search is waited for, after a `stop` if it needs one.
    WaitMoves,
    /// Another process begins to write to a memory.
    Hold,
    /// It ends.
    Release,
}

fn one<'a>(random: &mut Random, of: &[&'a str]) -> &'a str {
    of[random.below(of.len())]
}

/// A random action; `position` is the position on the board.
pub(super) fn action(random: &mut Random, position: &Position, chess960: bool, files: &Files) -> Action {
    match random.below(100) {
        0..22 => Action::Send(go(random, position)),
        22..36 => Action::Send(position_command(random, chess960)),
        36..62 => Action::Send(set_option(random, files)),
        62..68 => Action::Send("stop".to_owned()),
        68..70 => Action::Send("ponderhit".to_owned()),
        70..76 => Action::WaitReady,
        76..78 => Action::Send("isready".to_owned()),
        78..80 => Action::Send("ucinewgame".to_owned()),
        80 => Action::Send("uci".to_owned()),
        81..83 => garbage(random),
        83 => {
            Action::Send(one(random, &["d", "eval", "help", "bench 1", "go perft 2", "debug on", "debug off"]).into())
        }
        84..90 => Action::WaitMoves,
        90 => Action::Hold,
        91 => Action::Release,
        _ => Action::Sleep([0, 1, 1, 2, 5, 20][random.below(6)]),
    }
}

fn go(random: &mut Random, position: &Position) -> String {
    let mut words = vec!["go".to_owned()];
    if random.below(8) == 0 {
        words.push("ponder".to_owned());
    }
    if random.below(8) == 0 {
        words.push("searchmoves".to_owned());
        words.extend((0..1 + random.below(3)).map(|_| some_move(random, position)));
    }
    let small = |random: &mut Random| 1 + random.below(40);
    words.push(match random.below(14) {
        0..4 => format!("depth {}", 1 + random.below(7)),
        4..6 => format!("nodes {}", [1, 2, 100, 3000][random.below(4)]),
        6..8 => format!("movetime {}", small(random)),
        8..10 => {
            let [white, black] = [(); 2].map(|()| random.below(600));
            let (increment, moves) = (random.below(3), 1 + random.below(40));
            format!("wtime {white} btime {black} winc {increment} binc {increment} movestogo {moves}")
        }
        10 => format!("mate {}", 1 + random.below(3)),
        11 => "infinite".to_owned(),
        12 => one(random, &["", "depth 3 infinite", "depth 0", "nodes 0", "movetime 0", "wtime 0 btime 0"]).to_owned(),
        _ => one(random, &["depth x", "depth 3 movetime 99999999999999999999 nodes 500", "movetime -5", "wtime -9"])
            .into(),
    });
    words.join(" ")
}

/// A legal move of the position, mostly.
fn some_move(random: &mut Random, position: &Position) -> String {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    if moves.is_empty() || random.below(6) == 0 {
        return one(random, &["e2e4", "e1g1", "e1h1", "a7a8q", "a1a1", "0000", "xyz"]).to_owned();
    }
    position.uci(moves[random.below(moves.len())])
}

const FENS: [&str; 10] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p2pk1/1p1p2p1/p2Pr3/P1P2R2/1P4P1/5PK1/8 w - - 0 35",
    "8/8/8/8/8/6k1/6p1/6K1 w - - 0 1",
    "7k/5QQ1/8/8/8/8/8/K7 b - - 0 1",
    "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1",
    "8/k7/8/8/8/8/7P/K7 w - - 99 90",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "8/PPPPPPPP/8/2k5/8/2K5/pppppppp/8 w - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
];

fn position_command(random: &mut Random, chess960: bool) -> String {
    let (mut text, start) = match random.below(6) {
        0..3 => ("startpos".to_owned(), Some(Position::start())),
        3 => {
            let start = Position::chess960_start(random.below(960) as u32).unwrap_or_default();
            (format!("fen {start}"), Some(start))
        }
        4 => {
            let fen = one(random, &FENS);
            (format!("fen {fen}"), fen.parse().ok())
        }
        _ => {
            let wrong = ["fen", "", "fen 8/8/8/8/8/8/8/8 w - - 0 1", "fen 9/x w", "startpos moves e2e5", "moves e2e4"];
            (one(random, &wrong).to_owned(), None)
        }
    };
    if let Some(mut position) = start.map(|start| start.with_chess960(chess960)) {
        text += " moves";
        for _ in 0..random.below(40) {
            let mv = some_move(random, &position);
            text = format!("{text} {mv}");
            let Ok(next) = position.play_uci(&mv) else { break };
            position = next;
        }
    }
    format!("position {text}")
}

fn set_option(random: &mut Random, files: &Files) -> String {
    let flag = one(random, &["true", "false", "maybe"]);
    let (name, value) = match random.below(30) {
        0 => ("Hash", random.below(9).to_string()),
        1 => ("Threads", random.below(5).to_string()),
        2 => ("Clear Hash", String::new()),
        3 => ("MultiPV", random.below(6).to_string()),
        4 => ("Ponder", flag.to_owned()),
        5 => ("Move Overhead", random.below(50).to_string()),
        6 | 7 => ("UCI_Chess960", flag.to_owned()),
        8 => ("UCI_ShowWDL", flag.to_owned()),
        9 => ("UCI_AnalyseMode", flag.to_owned()),
        10 => ("SyzygyPath", files.any(random)),
        11..16 => ("Memory File", files.any(random)),
        16..19 => {
            let policies = [
                "off",
                "read-only",
                "rote",
                "slate",
                "bebe",
                "crafty",
                "resume",
                "resume",
                "tree",
                "result",
                "by heart",
            ];
            ("Learning", one(random, &policies).to_owned())
        }
        19 => ("Memory Depth", random.below(9).to_string()),
        20 => ("Recall Budget", [0, 1, 20, 200][random.below(4)].to_string()),
        21 => ("Forget Memory", String::new()),
        22 => ("Hash File", files.any(random)),
        23 => ("Save Hash", String::new()),
        24 => ("Load Hash", String::new()),
        25 | 26 => ("OwnBook", flag.to_owned()),
        27 | 28 => ("Book File", files.any(random)),
        _ => ("No Such Option", "5".to_owned()),
    };
    match value.as_str() {
        "" => format!("setoption name {name}"),
        value => format!("setoption name {name} value {value}"),
    }
}

fn garbage(random: &mut Random) -> Action {
    const LINES: [&str; 9] =
        ["", " ", "xyzzy", "setoption", "setoption name", "setoption value 3", "register later", "\u{2654}", "goo"];
    if random.below(2) == 0 {
        return Action::Send(one(random, &LINES).to_owned());
    }
    // No line that is a command by chance: each begins with a byte that no command has.
    let bytes = (0..random.below(60)).map(|_| random.bits() as u8).filter(|&byte| byte != b'\n');
    Action::SendBytes([0xff].into_iter().chain(bytes).chain([b'\n']).collect())
}
