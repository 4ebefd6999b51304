//! What people at a terminal see: the board, the evaluation, the list of commands.

use mnemon_chess::Position;
use mnemon_engine::evaluate;
use mnemon_search::Game as _;

/// The board, its FEN and its key.
pub(super) fn board(position: &Position) -> String {
    let fen = position.to_string();
    let ranks = fen.split([' ', '/']).take(8).zip((1..=8).rev());
    let squares = |rank: &str| -> String {
        rank.chars().fold(String::new(), |row, piece| match piece.to_digit(10) {
            Some(empty) => row + &" .".repeat(empty as usize),
            None => row + " " + &piece.to_string(),
        })
    };
    let board: String = ranks.map(|(rank, number)| format!("{number} {}\n", squares(rank))).collect();
    format!("{board}   a b c d e f g h\n\nFen: {fen}\nKey: {:016x}", position.key())
}

/// The static evaluation, which does not exist in check.
pub(super) fn evaluation(position: &Position) -> String {
    if position.is_check() {
        return "Evaluation: none (in check)".to_owned();
    }
    format!("Evaluation: {} centipawns for the side to move", evaluate(position.board()))
}

/// The answer to `help`.
pub(super) const HELP: &str = "\
uci, isready, ucinewgame, quit        as UCI defines them; 'uci' lists the options
setoption name N value V              sets an option
position startpos|fen F [moves ...]   sets the position
go [wtime T btime T winc T binc T movestogo N | movetime T | depth N | nodes N | mate N | infinite]
   [ponder] [searchmoves ...]         searches; 'stop' ends it, 'ponderhit' starts its clock
go perft N                            counts the move sequences of N plies
d                                     shows the board
eval                                  evaluates the position without a search
bench [DEPTH]                         searches fixed positions; the node count identifies the search
debug on|off                          switches additional messages";
