//! Where games begin: well-known openings, eight plies each.

use mnemon_chess::{ChessError, Move, Position};

/// The length of every opening.
pub(crate) const OPENING_PLIES: usize = 8;

/// A name, and the moves in SAN.
pub(crate) const OPENINGS: [(&str, &str); 48] = [
    ("Ruy Lopez", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6"),
    ("Sicilian with d6", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6"),
    ("Queen's Gambit declined", "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7"),
    ("King's Indian", "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6"),
    ("French, Winawer", "e4 e6 d4 d5 Nc3 Bb4 e5 c5"),
    ("English, four knights", "c4 e5 Nc3 Nf6 Nf3 Nc6 g3 d5"),
    ("Caro-Kann, classical", "e4 c6 d4 d5 Nc3 dxe4 Nxe4 Bf5"),
    ("Nimzo-Indian", "d4 Nf6 c4 e6 Nc3 Bb4 e3 O-O"),
    ("Italian", "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6"),
    ("Sicilian with Nc6", "e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 Nf6"),
    ("Slav", "d4 d5 c4 c6 Nf3 Nf6 Nc3 dxc4"),
    ("Grünfeld", "d4 Nf6 c4 g6 Nc3 d5 cxd5 Nxd5"),
    ("Scotch", "e4 e5 Nf3 Nc6 d4 exd4 Nxd4 Nf6"),
    ("Pirc", "e4 d6 d4 Nf6 Nc3 g6 f4 Bg7"),
    ("Catalan", "d4 Nf6 c4 e6 g3 d5 Bg2 Be7"),
    ("Dutch", "d4 f5 g3 Nf6 Bg2 e6 Nf3 Be7"),
    ("Petroff", "e4 e5 Nf3 Nf6 Nxe5 d6 Nf3 Nxe4"),
    ("Sicilian, Alapin", "e4 c5 c3 d5 exd5 Qxd5 d4 Nf6"),
    ("Queen's Gambit accepted", "d4 d5 c4 dxc4 Nf3 Nf6 e3 e6"),
    ("Benoni", "d4 Nf6 c4 c5 d5 e6 Nc3 exd5"),
    ("Alekhine", "e4 Nf6 e5 Nd5 d4 d6 Nf3 Bg4"),
    ("Réti", "Nf3 d5 g3 Nf6 Bg2 e6 O-O Be7"),
    ("Vienna", "e4 e5 Nc3 Nf6 f4 d5 fxe5 Nxe4"),
    ("London", "d4 d5 Bf4 Nf6 e3 c5 c3 Nc6"),
    ("Philidor", "e4 e5 Nf3 d6 d4 Nf6 Nc3 Nbd7"),
    ("Four Knights", "e4 e5 Nf3 Nc6 Nc3 Nf6 Bb5 Bb4"),
    ("King's Gambit", "e4 e5 f4 exf4 Nf3 g5 h4 g4"),
    ("Evans Gambit", "e4 e5 Nf3 Nc6 Bc4 Bc5 b4 Bxb4"),
    ("Two Knights", "e4 e5 Nf3 Nc6 Bc4 Nf6 d3 Be7"),
    ("Ruy Lopez, Berlin", "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4"),
    ("Ruy Lopez, exchange", "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6"),
    ("Sicilian, closed", "e4 c5 Nc3 Nc6 g3 g6 Bg2 Bg7"),
    ("Sicilian, Moscow", "e4 c5 Nf3 d6 Bb5+ Bd7 Bxd7+ Qxd7"),
    ("Sicilian, Kan", "e4 c5 Nf3 e6 d4 cxd4 Nxd4 a6"),
    ("Sicilian, dragon with g6", "e4 c5 Nf3 g6 d4 cxd4 Nxd4 Nc6"),
    ("French, Tarrasch", "e4 e6 d4 d5 Nd2 Nf6 e5 Nfd7"),
    ("French, exchange", "e4 e6 d4 d5 exd5 exd5 Nf3 Nf6"),
    ("French, advance", "e4 e6 d4 d5 e5 c5 c3 Nc6"),
    ("Caro-Kann, advance", "e4 c6 d4 d5 e5 Bf5 Nf3 e6"),
    ("Caro-Kann, Panov", "e4 c6 d4 d5 exd5 cxd5 c4 Nf6"),
    ("Scandinavian", "e4 d5 exd5 Qxd5 Nc3 Qa5 d4 Nf6"),
    ("Modern", "e4 g6 d4 Bg7 Nc3 d6 Be3 a6"),
    ("Semi-Slav", "d4 d5 c4 c6 Nf3 Nf6 Nc3 e6"),
    ("Tarrasch Defence", "d4 d5 c4 e6 Nc3 c5 cxd5 exd5"),
    ("Queen's Indian", "d4 Nf6 c4 e6 Nf3 b6 g3 Ba6"),
    ("Bogo-Indian", "d4 Nf6 c4 e6 Nf3 Bb4+ Bd2 Qe7"),
    ("Trompowsky", "d4 Nf6 Bg5 Ne4 Bf4 c5 f3 Qa5+"),
    ("English, symmetrical", "c4 c5 Nc3 Nc6 g3 g6 Bg2 Bg7"),
];

/// The moves of an opening.
pub(crate) fn moves(line: &str) -> Result<Vec<Move>, ChessError> {
    let mut position = Position::start();
    let mut moves = Vec::new();
    for san in line.split(' ') {
        let mv = position.parse_san(san)?;
        moves.push(mv);
        position = position.after(mv);
    }
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_legal_and_leads_elsewhere() {
        let mut ends = Vec::new();
        for (name, line) in OPENINGS {
            let moves = moves(line).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(moves.len(), OPENING_PLIES, "{name}");
            let end = moves.iter().fold(Position::start(), |position, &mv| position.after(mv));
            assert!(!ends.contains(&end), "{name}");
            ends.push(end);
        }
    }
}
