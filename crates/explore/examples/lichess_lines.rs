//! Lines as lichess's database of evaluations has them, of random games: `lichess_lines COUNT > evals.jsonl`. They are made
//! up, but as long as real ones: one to five analyses of a position, of one to five variations of up to ten moves.

use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};

use mnemon_chess::{Move, Position};
use mnemon_search::random::Random;

fn main() -> io::Result<()> {
    let count: u64 = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(100_000);
    let (mut random, mut out) = (Random::new(64), BufWriter::new(io::stdout().lock()));
    let (mut position, mut written) = (Position::start(), 0);
    while written < count {
        position = match random_move(&position, &mut random) {
            Some(mv) if position.fullmove_number() < 60 => position.after(mv),
            _ => Position::start(),
        };
        if position.has_moves() && position.fullmove_number() > 3 {
            writeln!(out, "{}", line(&position, &mut random))?;
            written += 1;
        }
    }
    out.flush()
}

fn line(position: &Position, random: &mut Random) -> String {
    let fen: Vec<String> = position.to_string().split(' ').take(4).map(str::to_owned).collect();
    let mut text = format!("{{\"fen\":\"{}\",\"evals\":[", fen.join(" "));
    // Most positions have one analysis of one variation.
    let analyses = 1 + random.below(4).saturating_sub(1);
    for analysis in 0..analyses {
        let depth = 20 + random.below(20);
        let _ = write!(text, "{}{{\"pvs\":[", if analysis > 0 { "," } else { "" });
        for pv in 0..1 + random.below(5).saturating_sub(2) {
            let separator = if pv > 0 { "," } else { "" };
            let score = match random.below(20) {
                0 => format!("\"mate\":{}", random.below(20) as i64 - 10),
                _ => format!("\"cp\":{}", random.below(600) as i64 - 300),
            };
            let _ = write!(text, "{separator}{{{score},\"line\":\"{}\"}}", variation(position, random));
        }
        let _ = write!(text, "],\"knodes\":{},\"depth\":{depth}}}", random.below(400_000));
    }
    text + "]}"
}

fn variation(position: &Position, random: &mut Random) -> String {
    let (mut at, mut moves) = (position.clone().with_chess960(true), Vec::new());
    while let Some(mv) = random_move(&at, random).filter(|_| moves.len() < 10) {
        moves.push(at.uci(mv));
        at = at.after(mv);
    }
    moves.join(" ")
}

fn random_move(position: &Position, random: &mut Random) -> Option<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves.get(random.below(moves.len().max(1))).copied()
}
