//! The game so far: where it began, and what was played.

use cozy_chess::Move;
use mnemon_search::Game as _;

use mnemon_chess::{ChessError, Position};

/// The fifty-move rule ends a game before a position recurs after more plies than this.
const MAX_RECURRENCE: usize = 128;
/// With this many keys those that cannot recur are dropped, so that a game of any length is copied in the same time.
const MAX_KEYS: usize = 4 * MAX_RECURRENCE;

/// A position with the game that led to it, by which repetitions are found.
///
/// ```
/// use mnemon_engine::GameHistory;
/// use mnemon_chess::Position;
///
/// let game = GameHistory::new(Position::start(), ["e2e4", "e7e5"])?;
/// assert_eq!((game.ply(), game.before().len()), (2, 2));
/// assert!(GameHistory::new(Position::start(), ["e2e4", "e2e4"]).is_err());
/// # Ok::<(), mnemon_chess::ChessError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct GameHistory {
    position: Position,
    /// Not more than [`MAX_KEYS`].
    before: Vec<u64>,
    /// The position of the first of these keys, and the moves from it to the position on the board.
    first: Position,
    moves: Vec<Move>,
    ply: u16,
}

impl GameHistory {
    /// The game that began with this position and went on with these moves, as UCI writes them.
    ///
    /// # Errors
    /// The first move that cannot be read or is not legal.
    pub fn new<'m>(start: Position, moves: impl IntoIterator<Item = &'m str>) -> Result<Self, ChessError> {
        let mut played = GameHistory::from(start);
        for mv in moves {
            played.play(played.position.parse_uci(mv)?);
        }
        Ok(played)
    }

    /// Plays a move, which must be legal.
    pub fn play(&mut self, mv: Move) {
        if self.before.len() == MAX_KEYS {
            let dropped = MAX_KEYS - MAX_RECURRENCE;
            self.before.drain(..dropped);
            self.first = self.moves.drain(..dropped).fold(self.first.clone(), |position, mv| position.after(mv));
        }
        self.before.push(self.position.key());
        self.moves.push(mv);
        self.position = self.position.after(mv);
        self.ply = self.ply.saturating_add(1);
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The keys of the positions before it, in the order of the game; of a long game only the last, which can recur.
    pub fn before(&self) -> &[u64] {
        &self.before
    }

    /// The positions before it with their plies and the moves that were played in them, in the order of the game; of a long
    /// game only the last.
    pub fn played(&self) -> impl Iterator<Item = (Position, u16, Move)> {
        let (mut position, mut ply) = (self.first.clone(), self.ply.saturating_sub(self.moves.len() as u16));
        self.moves.iter().map(move |&mv| {
            let after = position.after(mv);
            ply += 1;
            (std::mem::replace(&mut position, after), ply - 1, mv)
        })
    }

    /// Whether a position that can still recur has occurred twice: then a search of the position alone would miss draws by
    /// repetition.
    pub fn has_repetitions(&self) -> bool {
        let clock = usize::from(self.position.halfmove_clock());
        let recent = &self.before[self.before.len().saturating_sub(clock)..];
        let here = self.position.key();
        recent.iter().enumerate().any(|(index, key)| *key == here || recent[..index].contains(key))
    }

    /// The position's ply, counted from the beginning of the game: as the FEN's move number says, then move by move.
    pub fn ply(&self) -> u16 {
        self.ply
    }

    /// The same game, with castling written as in Chess960 or not.
    #[must_use]
    pub fn with_chess960(self, chess960: bool) -> Self {
        let [position, first] = [self.position, self.first].map(|position| position.with_chess960(chess960));
        GameHistory { position, first, ..self }
    }
}

impl From<Position> for GameHistory {
    /// The game that begins with this position.
    fn from(start: Position) -> Self {
        let (before, moves) = (Vec::new(), Vec::new());
        GameHistory { ply: plies_before(&start), position: start.clone(), before, first: start, moves }
    }
}

fn plies_before(start: &Position) -> u16 {
    let black = u16::from(start.side_to_move() == cozy_chess::Color::Black);
    (start.fullmove_number().saturating_sub(1)).saturating_mul(2).saturating_add(black)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repeats(moves: &str) -> bool {
        GameHistory::new(Position::start(), moves.split(' ')).expect("legal moves").has_repetitions()
    }

    #[test]
    fn repetitions_count_until_a_pawn_moves() {
        assert!(!repeats("g1f3 g8f6 f3g1"));
        assert!(repeats("g1f3 g8f6 f3g1 f6g8"), "the start position again");
        assert!(repeats("g1f3 g8f6 f3g1 f6g8 b1c3"));
        assert!(!repeats("g1f3 g8f6 f3g1 f6g8 e2e4"));
    }

    #[test]
    fn a_long_game_keeps_the_keys_that_can_recur() {
        let there_and_back = ["g1f3", "g8f6", "f3g1", "f6g8"];
        let long = GameHistory::new(Position::start(), there_and_back.into_iter().cycle().take(20_000)).expect("legal");
        assert!((MAX_RECURRENCE..=MAX_KEYS).contains(&long.before().len()), "{}", long.before().len());
        let short = GameHistory::new(Position::start(), there_and_back.into_iter().cycle().take(100)).expect("legal");
        assert_eq!(long.before()[long.before().len() - 100..], *short.before());
        let keys = |game: &GameHistory| game.played().map(|(position, ..)| position.key()).collect::<Vec<_>>();
        assert_eq!([keys(&long), keys(&short)], [long.before(), short.before()]);
        let first = long.played().next().expect("a move");
        assert_eq!(usize::from(first.1), 20_000 - long.before().len());
        assert_eq!((long.ply(), long.has_repetitions()), (20_000, true));
    }

    #[test]
    fn the_ply_goes_on_from_the_move_number() {
        let start: Position = "8/8/4k3/8/8/3RK3/8/8 b - - 0 80".parse().expect("a position");
        assert_eq!(GameHistory::new(start, ["e6e5"]).expect("legal").ply(), 160);
    }
}
