//! Chess middle games for experiments with searches of a fixed depth.
//!
//! They come from games of mnemon against itself, between moves 17 and 20: balanced, not in check, with most pieces on
//! the board. They are fixed, so that node counts can be repeated.

use mnemon_engine::EvaluatedPosition;

use crate::{LabError, Result};

/// One from each game.
const FENS: [&str; 12] = [
    "r1bq1rk1/p4ppp/1pp5/4N3/Pb1Pp2P/2N5/1PPQ1PP1/R4RK1 b - - 1 17",
    "1nb2k1r/r2q2p1/2p2n2/p2p1pN1/Pp1PpP1p/1PN1P3/R1PQB1PP/6KR w - - 0 19",
    "r3k1r1/2pn1pb1/1p1pp1qp/pP4p1/2PP1P1n/4PN1P/PB3P2/R2QKBR1 b Qq - 1 17",
    "r2r2k1/1b1npp1n/2p3p1/4bPPp/p3P2P/2P1B1N1/P7/RN2KBR1 b Q - 2 18",
    "r1q2rk1/1bppb2p/2n1p1p1/p5p1/PpPP4/1P1BP3/2QN1PPP/R1B2K1R w - - 0 17",
    "r4r1k/1p1bn1pp/pPn2p2/P2pp3/2pPP3/2P3PP/2NNBP1R/R3K3 w Q - 1 20",
    "r2r2k1/2qn1pb1/p1ppbnpp/P3p3/Q1PP4/2NBPN2/3B1PPP/RR4K1 w - - 4 19",
    "r2q2kr/p2nbppp/P2pn3/1B1pp3/1P2P3/2P1BP1P/R6P/1N2QRK1 b - - 0 17",
    "2r1kb1r/3npp1p/1q1p2p1/p7/Pp1P1P2/2P2Q2/1P1B2PP/RN2R1K1 w k - 2 18",
    "r1b2k1r/2p1n1p1/ppnbppq1/3p3p/1P2PP1P/P1NP1NPB/2PB4/3RQRK1 b - - 0 18",
    "r1q1k3/p2np2r/1p1p2pp/3Q1p2/2P1nP2/1P3NP1/P3P1BP/3R1RK1 w q - 2 17",
    "r1bqr1k1/npp2pp1/3p1n1p/8/2PP1N2/PQB3PP/5PB1/R4RK1 b - - 0 17",
];

/// The first `count` of them; all for `None`.
///
/// # Errors
/// More than there are.
pub(crate) fn middlegames(count: Option<u32>) -> Result<Vec<EvaluatedPosition>> {
    let count = count.map_or(FENS.len(), |count| count as usize);
    if count > FENS.len() {
        return Err(LabError::Usage(format!("there are {} chess middle games, not {count}", FENS.len())));
    }
    let positions = FENS[..count].iter().map(|fen| fen.parse().map(EvaluatedPosition));
    Ok(positions.collect::<std::result::Result<_, mnemon_chess::ChessError>>()?)
}

#[cfg(test)]
mod tests {
    use mnemon_engine::eval;

    use super::*;

    #[test]
    fn they_are_quiet_middlegames() {
        let positions = middlegames(None).expect("positions");
        assert_eq!(positions.len(), FENS.len());
        for EvaluatedPosition(position) in positions {
            assert!(!position.is_check() && position.has_moves(), "{position}");
            assert!((17..=20).contains(&position.fullmove_number()), "{position}");
            assert!(eval::phase(position.board()) >= eval::MAX_PHASE / 2, "{position}");
        }
        assert_eq!(middlegames(Some(2)).expect("positions").len(), 2);
        assert!(middlegames(Some(13)).is_err());
    }
}
