//! A game in progress: its moves, and when the rules of chess end it.

use mnemon_chess::{Color, Move, Position};
use mnemon_engine::GameHistory;
use mnemon_search::Game as _;

/// A game from its first position on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Game {
    start: Position,
    history: GameHistory,
    moves: Vec<Move>,
    uci_moves: Vec<String>,
}

/// How the rules end a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuleEnding {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// The position stands for the third time.
    Repetition,
    /// A hundred plies without a capture or a pawn move.
    FiftyMoves,
    /// Neither side could mate by any moves.
    InsufficientMaterial,
}

impl Game {
    /// A game that begins with this position.
    pub(crate) fn new(start: &Position) -> Self {
        Game {
            start: start.clone(),
            history: GameHistory::from(start.clone()),
            moves: Vec::new(),
            uci_moves: Vec::new(),
        }
    }

    /// The position on the board.
    pub(crate) fn position(&self) -> &Position {
        self.history.position()
    }

    /// The position that the game began with.
    pub(crate) fn start(&self) -> &Position {
        &self.start
    }

    /// The position with the keys of those before it, as the engine takes it.
    pub(crate) fn history(&self) -> &GameHistory {
        &self.history
    }

    /// The side to move.
    pub(crate) fn side_to_move(&self) -> Color {
        self.position().side_to_move()
    }

    /// The number of moves played, each side's counted.
    pub(crate) fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The moves played, in UCI notation.
    pub(crate) fn uci_moves(&self) -> &[String] {
        &self.uci_moves
    }

    /// The moves played.
    pub(crate) fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Plays a legal move. One that is not legal must not be given.
    pub(crate) fn play(&mut self, mv: Move) {
        self.uci_moves.push(self.position().uci(mv));
        self.moves.push(mv);
        self.history.play(mv);
    }

    /// The rule that ends the game here, if one does.
    pub(crate) fn rule_ending(&self) -> Option<RuleEnding> {
        let position = self.position();
        if !position.has_moves() {
            return Some(if position.is_check() { RuleEnding::Checkmate } else { RuleEnding::Stalemate });
        }
        let key = position.key();
        let times_before = self.history.before().iter().filter(|&&before| before == key).count();
        if position.is_dead() {
            Some(RuleEnding::InsufficientMaterial)
        } else if times_before >= 2 {
            Some(RuleEnding::Repetition)
        } else {
            position.is_drawn_by_counter().then_some(RuleEnding::FiftyMoves)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(fen: &str, moves: &str) -> Game {
        let mut game = Game::new(&fen.parse().expect("a position"));
        for mv in moves.split_whitespace() {
            assert_eq!(game.rule_ending(), None, "before {mv}");
            game.play(game.position().parse_uci(mv).expect("legal"));
        }
        game
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn the_rules_end_games() {
        let ending = |fen: &str, moves: &str| played(fen, moves).rule_ending();
        assert_eq!(ending(START, "f2f3 e7e5 g2g4 d8h4"), Some(RuleEnding::Checkmate));
        let stalemate = "f7f6 h8h7 f6f7 h7h8 f7g6";
        assert_eq!(ending("7k/5Q2/8/8/8/8/8/K7 w - - 0 1", stalemate), Some(RuleEnding::Stalemate));
        assert_eq!(ending("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", ""), Some(RuleEnding::Stalemate));
        assert_eq!(ending("8/8/4k3/8/8/3pK3/8/8 w - - 0 1", "e3d3"), Some(RuleEnding::InsufficientMaterial));
        let shuffle = "g1f3 g8f6 f3g1 f6g8";
        assert_eq!(ending(START, shuffle), None, "it stands for the second time");
        assert_eq!(ending(START, &[shuffle; 2].join(" ")), Some(RuleEnding::Repetition), "and for the third");
        assert_eq!(ending("4k3/8/8/8/8/8/R7/4K3 w - - 98 80", "a2a3 e8e7"), Some(RuleEnding::FiftyMoves));
        assert_eq!(ending("8/8/4k3/8/8/3RK3/8/8 b - - 99 80", "e6e5"), Some(RuleEnding::FiftyMoves));
    }

    #[test]
    fn mate_goes_before_the_fiftieth_move() {
        assert_eq!(played("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a8").rule_ending(), Some(RuleEnding::Checkmate));
    }

    #[test]
    fn moves_lead_from_the_start_to_the_position() {
        let game = played(START, "e2e4 e7e5 g1f3");
        assert_eq!(game.uci_moves(), ["e2e4", "e7e5", "g1f3"]);
        let replayed = game.moves().iter().fold(game.start().clone(), |position, &mv| position.after(mv));
        assert_eq!(&replayed, game.position());
        assert_eq!((game.plies(), game.start().to_string().as_str()), (3, START));
    }
}
