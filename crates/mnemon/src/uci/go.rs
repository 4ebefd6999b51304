//! A `go` of UCI as a question to the engine.

use mnemon_chess::{Color, Position};
use mnemon_engine::{Clock, GoParams};
use mnemon_uci::GoCommand;

/// The parameters for a search of `position`, and what is wrong with the command: moves that cannot be played are left
/// out.
pub(super) fn engine_params(go: &GoCommand, position: &Position) -> (GoParams, Vec<String>) {
    let (mut moves, mut complaints) = (Vec::new(), Vec::new());
    for text in &go.searchmoves {
        match position.parse_uci(text) {
            Ok(mv) => moves.push(mv),
            Err(error) => complaints.push(format!("searchmoves: {error}")),
        }
    }
    if moves.is_empty() && !go.searchmoves.is_empty() {
        complaints.push("searchmoves: none of them can be played, so all moves are searched".to_owned());
    }
    let (own, other, increment) = match position.side_to_move() {
        Color::White => (go.wtime, go.btime, go.winc),
        Color::Black => (go.btime, go.wtime, go.binc),
    };
    let clock = Clock {
        // A GUI that tells one clock only still wants a move in time.
        remaining: own.or(other),
        increment: increment.unwrap_or(0),
        moves_to_go: go.movestogo,
        move_time: go.movetime,
    };
    let params = GoParams {
        clock,
        depth: go.depth,
        nodes: go.nodes,
        mate: go.mate,
        infinite: go.is_unlimited(),
        ponder: go.ponder,
        moves,
    };
    (params, complaints)
}

#[cfg(test)]
mod tests {
    use mnemon_uci::{Command, ParsedCommand};

    use super::*;

    fn params(line: &str) -> (GoParams, String) {
        let ParsedCommand { command, mut complaints } = Command::parse(&format!("go {line}"));
        let Some(Command::Go(go)) = command else { panic!("{line}") };
        let (params, more) = engine_params(&go, &Position::start());
        let complaints = complaints.drain(..).map(|complaint| complaint.to_string()).chain(more);
        (params, complaints.collect::<Vec<_>>().join("; "))
    }

    #[test]
    fn the_clock_is_that_of_the_side_to_move() {
        let (params, complaints) = params("wtime 1000 btime 2000 winc 10 binc 20 movestogo 5 depth 9 nodes 77 mate 3");
        assert_eq!(complaints, "");
        let clock = Clock { remaining: Some(1000), increment: 10, moves_to_go: Some(5), move_time: None };
        let expected = GoParams { clock, depth: Some(9), nodes: Some(77), mate: Some(3), ..GoParams::default() };
        assert_eq!(params, expected);
        assert_eq!(self::params("btime 5").0.clock.remaining, Some(5), "better the other side's clock than none");
    }

    #[test]
    fn black_has_a_clock_too() {
        let position = Position::start().play_uci("e2e4").expect("a move");
        let go = GoCommand { wtime: Some(1), btime: Some(2), winc: Some(3), binc: Some(4), ..GoCommand::default() };
        let clock = engine_params(&go, &position).0.clock;
        assert_eq!((clock.remaining, clock.increment), (Some(2), 4));
    }

    #[test]
    fn without_a_limit_it_is_infinite() {
        assert!(params("").0.infinite && params("ponder").0.infinite && params("depth 4 infinite").0.infinite);
        assert!(!params("depth 4").0.infinite && !params("movetime 5").0.infinite);
    }

    #[test]
    fn moves_that_cannot_be_played_are_left_out() {
        let (params, complaints) = params("searchmoves e2e4 d2d4 e2e5 depth 3");
        assert_eq!((params.moves.len(), params.depth), (2, Some(3)));
        assert!(complaints.contains("e2e5"), "{complaints}");
        assert!(self::params("searchmoves e7e5").1.contains("all moves are searched"));
    }
}
