//! What there is to learn from one game: the moves of the player, on one side or on both, and how it ended for him.

use mnemon_chess::pgn::{GameError, GameResult, PgnGame};
use mnemon_chess::{Color, Position};
use mnemon_engine::GameHistory;
use mnemon_memory::learn::PlayedGame;
use mnemon_memory::policy::PlayerResult;
use mnemon_search::Game as _;

/// Why nothing is learned from a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Skipped {
    /// The memory has learned it.
    LearnedBefore,
    /// Its result is not known.
    Unfinished,
    /// It is no chess.
    OtherVariant,
    /// Its FEN tag is no position.
    InvalidStart,
    /// The player made no move.
    NoMoves,
}

/// A game to learn from.
pub(super) struct PlayerGame {
    /// What tells it from other games.
    pub(super) id: GameId,
    pub(super) sides: Vec<SideOfGame>,
    /// Whether a move that cannot be played ends it before its end.
    pub(super) is_broken_off: bool,
    /// The packed positions, each once for each time on the board.
    pub(super) positions: Vec<Box<[u8]>>,
}

/// The player's moves on one side.
pub(super) struct SideOfGame {
    pub(super) side: Color,
    pub(super) moves: PlayedGame,
    pub(super) result: PlayerResult,
}

impl PlayerGame {
    /// What is learned from a game for the player who had these sides.
    pub(super) fn new(game: &PgnGame, sides: &[Color]) -> Result<Self, Skipped> {
        match &game.error {
            Some(GameError::Variant(_)) => return Err(Skipped::OtherVariant),
            Some(GameError::Fen(_)) => return Err(Skipped::InvalidStart),
            _ => {}
        }
        let winner = winner(game).ok_or(Skipped::Unfinished)?;
        let (mut played, positions) = played(game);
        let side = |&side: &Color| {
            let moves = std::mem::take(&mut played[side as usize]);
            let result = match winner {
                None => PlayerResult::Draw,
                Some(winner) if winner == side => PlayerResult::Win,
                Some(_) => PlayerResult::Loss,
            };
            (!moves.is_empty()).then_some(SideOfGame { side, moves, result })
        };
        let sides: Vec<SideOfGame> = sides.iter().filter_map(side).collect();
        if sides.is_empty() {
            return Err(Skipped::NoMoves);
        }
        let is_broken_off = game.error.is_some();
        Ok(PlayerGame { id: GameId::of(game), sides, is_broken_off, positions })
    }

    /// The number of the player's moves.
    pub(super) fn moves(&self) -> usize {
        self.sides.iter().map(|side| side.moves.len()).sum()
    }
}

/// The moves of each side, and all positions.
fn played(game: &PgnGame) -> ([PlayedGame; 2], Vec<Box<[u8]>>) {
    let mut history = GameHistory::from(game.start.clone());
    let (mut played, mut positions) = (<[PlayedGame; 2]>::default(), vec![packed(&game.start)]);
    for (&mv, &score) in game.moves.iter().zip(&game.scores) {
        let position = history.position();
        played[position.side_to_move() as usize].push(position, history.ply(), mv, score);
        history.play(mv);
        positions.push(packed(history.position()));
    }
    (played, positions)
}

fn packed(position: &Position) -> Box<[u8]> {
    let mut bytes = Vec::new();
    position.pack(&mut bytes);
    bytes.into()
}

/// The winner, if there is one: by the token after the moves, or else by the tag. `None` if the result is not known.
fn winner(game: &PgnGame) -> Option<Option<Color>> {
    let by_tag = || game.tag("Result").and_then(|result| result.parse().ok()).unwrap_or_default();
    let result = if game.result == GameResult::Unknown { by_tag() } else { game.result };
    match result {
        GameResult::WhiteWins => Some(Some(Color::White)),
        GameResult::BlackWins => Some(Some(Color::Black)),
        GameResult::Draw => Some(None),
        GameResult::Unknown => None,
    }
}

/// What tells a game from others: a 128-bit hash (FNV-1a) over who played it where and when, its moves and its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct GameId(u128);

/// The tags that two records of one game have in common, whoever commented on it.
const IDENTIFYING_TAGS: [&str; 9] =
    ["Event", "Site", "Date", "Round", "White", "Black", "UTCDate", "UTCTime", "GameStartTime"];

impl GameId {
    fn of(game: &PgnGame) -> Self {
        let mut id = GameId(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        for tag in IDENTIFYING_TAGS {
            id.add(game.tag(tag).unwrap_or_default().trim().as_bytes());
            id.add(&[0]);
        }
        id.add(&packed(&game.start));
        for &mv in &game.moves {
            id.add(&Position::code(mv).get().to_le_bytes());
        }
        id.add(game.result.as_str().as_bytes());
        id
    }

    fn add(&mut self, bytes: &[u8]) {
        const PRIME: u128 = (1 << 88) + 0x13b;
        for &byte in bytes {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(PRIME);
        }
    }

    /// The bytes under which a memory keeps it.
    pub(super) fn bytes(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }
}

#[cfg(test)]
mod tests {
    use mnemon_chess::pgn::PgnReader;

    use super::*;

    fn game(text: &str) -> PgnGame {
        PgnReader::new("test", text.as_bytes()).next().expect("a game").expect("readable")
    }

    fn player_game(text: &str, side: Color) -> Result<PlayerGame, Skipped> {
        PlayerGame::new(&game(text), &[side])
    }

    #[test]
    fn the_result_is_the_players() {
        let result = |text: &str, side| player_game(text, side).map(|player_game| player_game.sides[0].result);
        assert_eq!(result("1. e4 e5 1-0", Color::White), Ok(PlayerResult::Win));
        assert_eq!(result("1. e4 e5 1-0", Color::Black), Ok(PlayerResult::Loss));
        assert_eq!(result("1. e4 e5 1/2-1/2", Color::Black), Ok(PlayerResult::Draw));
        assert_eq!(result("[Result \"0-1\"]\n\n1. e4 e5", Color::Black), Ok(PlayerResult::Win), "by the tag");
        let both =
            PlayerGame::new(&game("1. e4 e5 2. d4 1-0"), &[Color::White, Color::Black]).expect("a game to learn from");
        let counts: Vec<_> = both.sides.iter().map(|side| (side.moves.len(), side.result)).collect();
        assert_eq!(counts, [(2, PlayerResult::Win), (1, PlayerResult::Loss)]);
        assert_eq!((both.moves(), both.positions.len()), (3, 4));
        let scored = player_game("1. e4 {+0.30/9} e5 {-0.20/9} 1-0", Color::Black).expect("a game to learn from");
        assert_eq!(scored.sides[0].moves.last_score(), Some(-20));
    }

    #[test]
    fn what_cannot_be_learned_is_skipped() {
        for (text, why) in [
            ("1. e4 e5 *", Skipped::Unfinished),
            ("1. e4 1-0", Skipped::NoMoves),
            ("[Variant \"Atomic\"]\n\n1. e4 e5 1-0", Skipped::OtherVariant),
            ("[FEN \"8/8\"]\n\n1. e4 e5 1-0", Skipped::InvalidStart),
        ] {
            assert_eq!(player_game(text, Color::Black).err(), Some(why), "{text}");
        }
        let broken = player_game("1. e4 e5 2. Ke4 Nf6 0-1", Color::Black).expect("a game to learn from");
        assert_eq!((broken.is_broken_off, broken.moves()), (true, 1));
    }

    #[test]
    fn a_game_is_known_again_by_its_players_moves_and_result() {
        let id = |text: &str| GameId::of(&game(text));
        let first = id("[White \"Ada\"]\n[Round \"1\"]\n\n1. e4 {best} e5 1-0");
        assert_eq!(id("[Round \"1\"]\n[White \"Ada\"]\n[ECO \"C20\"]\n\n1. e2e4 (1. d4) e5 1-0"), first);
        for other in [
            "[White \"Ada\"]\n[Round \"2\"]\n\n1. e4 e5 1-0",
            "[White \"Bob\"]\n[Round \"1\"]\n\n1. e4 e5 1-0",
            "[White \"Ada\"]\n[Round \"1\"]\n\n1. e4 e5 0-1",
            "[White \"Ada\"]\n[Round \"1\"]\n\n1. e4 e6 1-0",
        ] {
            assert_ne!(id(other), first, "{other}");
        }
    }
}
