//! The games of this crate keep the laws, and the laws find the flaw of each flawed game.

use std::borrow::Cow;
use std::num::NonZeroU16;

use mnemon_search::games::{Maze, MazeRules, Nim, Rules, Synthetic, TicTacToe};
use mnemon_search::{Game, Outcome, laws};
use mnemon_table::Score;

#[test]
fn tic_tac_toe() {
    laws::check(&[TicTacToe::new()], 2000, 1).expect("the laws hold");
}

#[test]
fn nim() {
    laws::check(&[Nim::new([3, 4, 5]), Nim::new([7, 0, 9])], 500, 2).expect("the laws hold");
}

#[test]
fn synthetic_games() {
    let rules = [
        Rules::noise(1, 1, 40, 5),
        Rules::noise(2, 8, 127, 255),
        Rules { seed: 3, tracks: 4, length: 30, gain: 20, noise: 9, sudden_end: 25 },
    ];
    laws::check(&rules.map(Synthetic::new), 100, 3).expect("the laws hold");
}

#[test]
fn mazes() {
    let rules = [
        MazeRules::new(1, 2),
        MazeRules { ends: 0, limit: 9, ..MazeRules::new(2, 41) },
        MazeRules { exits: 16, ends: 100, limit: 3, ..MazeRules::new(3, u16::MAX) },
    ];
    laws::check(&rules.map(|rules| Maze::new(rules, 1)), 100, 6).expect("the laws hold");
    let last = Maze::new(rules[2], u16::MAX - 1);
    laws::check(&[last, last.with_moves(u16::MAX)], 100, 7).expect("the laws hold");
}

/// Nim with one flaw.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Flawed<const FLAW: usize> {
    game: Nim,
    /// Moves played, which the packed form omits; counted only with the flaw `PATH_NOT_PACKED`.
    plies: u8,
}

const PATH_NOT_PACKED: usize = 1;
const UNPACKS_ANYTHING: usize = 2;
const MOVES_AFTER_THE_END: usize = 3;
const ONE_CODE: usize = 4;
const HUGE_EVALUATION: usize = 5;
const NO_END: usize = 6;
const PASSES: usize = 7;
const ONE_KEY: usize = 8;
const CAPITALS_IN_NAME: usize = 9;
const NO_NAME: usize = 10;
const PLIES_DO_NOT_FALL: usize = 11;
const NO_PLIES_LEFT: usize = 12;
const DRAWN_BY_COUNTER_WHEN_UNPACKED: usize = 13;
const REPEATS: usize = 14;

impl<const FLAW: usize> Flawed<FLAW> {
    fn check() -> &'static str {
        let root = Self { game: Nim::new([3, 4, 5]), plies: 0 };
        laws::check(&[root], 200, 4).expect_err("the flaw is found").law
    }
}

impl<const FLAW: usize> Game for Flawed<FLAW> {
    type Move = <Nim as Game>::Move;

    fn name() -> Cow<'static, str> {
        match FLAW {
            CAPITALS_IN_NAME => "Nim!",
            NO_NAME => "",
            _ => "flawed-nim",
        }
        .into()
    }

    fn plies_left(&self) -> Option<u16> {
        match FLAW {
            PLIES_DO_NOT_FALL => Some(9),
            NO_PLIES_LEFT => Some(0),
            _ => None,
        }
    }

    fn is_drawn_by_counter(&self) -> bool {
        FLAW == DRAWN_BY_COUNTER_WHEN_UNPACKED
    }

    fn outcome(&self) -> Option<Outcome> {
        if FLAW == NO_END { None } else { self.game.outcome() }
    }

    fn moves(&self, moves: &mut Vec<Self::Move>) {
        self.game.moves(moves);
        if FLAW == MOVES_AFTER_THE_END && moves.is_empty() {
            Nim::new([1, 0, 0]).moves(moves);
        }
    }

    fn play(&self, mv: Self::Move) -> Self {
        if FLAW == PASSES {
            return self.clone();
        }
        if FLAW == REPEATS && self.game != Nim::new([3, 4, 5]) {
            return Flawed { game: Nim::new([3, 4, 5]), plies: 0 };
        }
        Flawed { game: self.game.play(mv), plies: if FLAW == PATH_NOT_PACKED { self.plies + 1 } else { 0 } }
    }

    fn evaluate(&self) -> Score {
        if FLAW == HUGE_EVALUATION { 15_500 } else { 0 }
    }

    fn key(&self) -> u64 {
        if FLAW == ONE_KEY { 1 } else { self.game.key() }
    }

    fn pack(&self, bytes: &mut Vec<u8>) {
        self.game.pack(bytes);
    }

    fn unpack(bytes: &[u8]) -> Option<Self> {
        let bytes = if FLAW == UNPACKS_ANYTHING { bytes.get(..3)? } else { bytes };
        Some(Flawed { game: Nim::unpack(bytes)?, plies: 0 })
    }

    fn code(mv: Self::Move) -> NonZeroU16 {
        if FLAW == ONE_CODE { NonZeroU16::MIN } else { Nim::code(mv) }
    }
}

#[test]
fn flaws_are_found() {
    assert_eq!(Flawed::<PATH_NOT_PACKED>::check(), "the packed form round-trips");
    assert_eq!(Flawed::<UNPACKS_ANYTHING>::check(), "only what pack writes is unpacked");
    assert_eq!(Flawed::<MOVES_AFTER_THE_END>::check(), "terminal positions have no moves");
    assert_eq!(Flawed::<ONE_CODE>::check(), "legal moves have different codes");
    assert_eq!(Flawed::<HUGE_EVALUATION>::check(), "evaluations and points stay below every win");
    assert_eq!(Flawed::<NO_END>::check(), "a position without moves is terminal");
    assert_eq!(Flawed::<PASSES>::check(), "a move changes the position");
    assert_eq!(Flawed::<ONE_KEY>::check(), "different positions have different keys");
    assert_eq!(Flawed::<CAPITALS_IN_NAME>::check(), "a game's name is lower-case letters, digits and hyphens");
    assert_eq!(Flawed::<NO_NAME>::check(), "a game's name is lower-case letters, digits and hyphens");
    assert_eq!(Flawed::<PLIES_DO_NOT_FALL>::check(), "every move leaves fewer plies");
    assert_eq!(Flawed::<NO_PLIES_LEFT>::check(), "no plies are left only where the game has ended");
    assert_eq!(Flawed::<REPEATS>::check(), "positions repeat only in a game with cycles");
    assert_eq!(Flawed::<DRAWN_BY_COUNTER_WHEN_UNPACKED>::check(), "an unpacked position is not drawn by a counter");
}

/// A position whose `play` does not update its key.
#[derive(Clone, Debug)]
struct Stale {
    game: Nim,
    key: u64,
}

impl PartialEq for Stale {
    fn eq(&self, other: &Self) -> bool {
        self.game == other.game
    }
}

impl Eq for Stale {}

impl Game for Stale {
    type Move = <Nim as Game>::Move;

    fn name() -> Cow<'static, str> {
        "stale-nim".into()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    fn moves(&self, moves: &mut Vec<Self::Move>) {
        self.game.moves(moves);
    }

    fn play(&self, mv: Self::Move) -> Self {
        Stale { game: self.game.play(mv), key: self.key }
    }

    fn evaluate(&self) -> Score {
        0
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn pack(&self, bytes: &mut Vec<u8>) {
        self.game.pack(bytes);
    }

    fn unpack(bytes: &[u8]) -> Option<Self> {
        let game = Nim::unpack(bytes)?;
        Some(Stale { key: game.key(), game })
    }

    fn code(mv: Self::Move) -> NonZeroU16 {
        Nim::code(mv)
    }
}

#[test]
fn a_stale_key_is_found() {
    let game = Nim::new([3, 4, 5]);
    let flaw = laws::check(&[Stale { key: game.key(), game }], 10, 5).expect_err("the flaw is found");
    assert_eq!(flaw.law, "the incremental key equals the key from scratch");
    assert!(flaw.to_string().contains("Stale"), "the message shows the position: {flaw}");
}
