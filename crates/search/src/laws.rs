//! The laws of [`Game`]: a test suite for any implementation.

use std::collections::{HashMap, HashSet};
use std::fmt::Debug;

use crate::random::Random;
use crate::{Game, HIGHEST_POINTS, Outcome};

/// A law that an implementation violates, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{law}: {details}")]
pub struct LawViolation {
    /// The law.
    pub law: &'static str,
    /// The position, or the position and the move.
    pub details: String,
}

/// Plays `games` random games from each root and checks every position against every law.
///
/// ```
/// use mnemon_search::{games::TicTacToe, laws};
///
/// laws::check(&[TicTacToe::new()], 100, 1)?;
/// # Ok::<(), laws::LawViolation>(())
/// ```
///
/// # Errors
/// The first violation found.
pub fn check<G: Game>(roots: &[G], games: usize, seed: u64) -> Result<(), LawViolation> {
    let mut random = Random::new(seed);
    let mut seen = Seen::default();
    check_name::<G>()?;
    for root in roots {
        for _ in 0..games {
            check_game(root, &mut seen, &mut random)?;
        }
    }
    check_garbage::<G>(&mut random)
}

/// A random game is ended after this number of moves: games with cycles need not end.
const MAX_GAME_LEN: usize = 1000;

/// Plays one random game.
fn check_game<G: Game>(root: &G, seen: &mut Seen, random: &mut Random) -> Result<(), LawViolation> {
    let mut position = root.clone();
    let mut visited = HashSet::from([packed(root)]);
    for _ in 0..MAX_GAME_LEN {
        let Some(mv) = check_position(&position, seen, random)? else { break };
        position = position.play(mv);
        let is_new = visited.insert(packed(&position));
        ensure(is_new || G::CYCLES, "positions repeat only in a game with cycles", &position)?;
    }
    Ok(())
}

fn check_name<G: Game>() -> Result<(), LawViolation> {
    let name = G::name();
    let is_plain = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    ensure(is_plain && !name.is_empty(), "a game's name is lower-case letters, digits and hyphens", name)
}

/// The key of every packed position so far, and the packed position of every key.
#[derive(Default)]
struct Seen {
    keys: HashMap<Vec<u8>, u64>,
    positions: HashMap<u64, Vec<u8>>,
}

/// Checks one position; returns a random move to continue with, `None` at the end of the game.
fn check_position<G: Game>(
    position: &G,
    seen: &mut Seen,
    random: &mut Random,
) -> Result<Option<G::Move>, LawViolation> {
    check_packed_form(position)?;
    check_keys(position, seen)?;
    check_scores(position)?;
    let moves = check_moves(position)?;
    check_plies_left(position, &moves)?;
    Ok((!moves.is_empty()).then(|| moves[random.below(moves.len())]))
}

fn check_packed_form<G: Game>(position: &G) -> Result<(), LawViolation> {
    let Some(rebuilt) = G::unpack(&packed(position)) else {
        return violated("a packed position can be unpacked", position);
    };
    ensure(rebuilt == *position, "the packed form round-trips", position)?;
    ensure(packed(&rebuilt) == packed(position), "a position has one packed form", position)?;
    ensure(rebuilt.key() == position.key(), "the incremental key equals the key from scratch", position)?;
    ensure(!rebuilt.is_drawn_by_counter(), "an unpacked position is not drawn by a counter", position)
}

fn check_keys<G: Game>(position: &G, seen: &mut Seen) -> Result<(), LawViolation> {
    let (bytes, key) = (packed(position), position.key());
    let known_key = *seen.keys.entry(bytes.clone()).or_insert(key);
    ensure(known_key == key, "equal positions have equal keys, whatever the move order", position)?;
    let known_position = seen.positions.entry(key).or_insert_with(|| bytes.clone());
    ensure(*known_position == bytes, "different positions have different keys", position)
}

fn check_scores<G: Game>(position: &G) -> Result<(), LawViolation> {
    let points = match position.outcome() {
        Some(Outcome::Points(points)) => points,
        Some(_) => 0,
        None => position.evaluate(),
    };
    ensure(points.abs() <= HIGHEST_POINTS, "evaluations and points stay below every win", position)
}

fn check_moves<G: Game>(position: &G) -> Result<Vec<G::Move>, LawViolation> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    if position.outcome().is_some() {
        ensure(moves.is_empty(), "terminal positions have no moves", position)?;
    } else {
        ensure(!moves.is_empty(), "a position without moves is terminal", position)?;
    }
    let mut codes: Vec<_> = moves.iter().map(|&mv| G::code(mv)).collect();
    codes.sort_unstable();
    codes.dedup();
    ensure(codes.len() == moves.len(), "legal moves have different codes", position)?;
    let before = position.clone();
    for &mv in &moves {
        let after = position.play(mv);
        ensure(*position == before, "a move does not change the position that it is played in", position)?;
        ensure(after == before.play(mv), "a move played in a copy gives the same position", (position, mv))?;
        ensure(after != before, "a move changes the position", (position, mv))?;
        ensure(G::unpack(&packed(&after)).is_some(), "a legal move gives a valid position", (position, mv))?;
    }
    Ok(moves)
}

fn check_plies_left<G: Game>(position: &G, moves: &[G::Move]) -> Result<(), LawViolation> {
    let Some(plies) = position.plies_left() else { return Ok(()) };
    ensure(plies > 0 || moves.is_empty(), "no plies are left only where the game has ended", position)?;
    let lowers = |mv: &G::Move| position.play(*mv).plies_left().is_some_and(|left| left < plies);
    ensure(moves.iter().all(lowers), "every move leaves fewer plies", position)
}

/// Random bytes must be refused or give a position that packs to them: never a panic.
fn check_garbage<G: Game>(random: &mut Random) -> Result<(), LawViolation> {
    for _ in 0..1000 {
        let bytes: Vec<u8> = (0..random.below(40)).map(|_| random.below(256) as u8).collect();
        if let Some(position) = G::unpack(&bytes) {
            ensure(packed(&position) == bytes, "only what pack writes is unpacked", (&position, &bytes))?;
        }
    }
    Ok(())
}

fn packed<G: Game>(position: &G) -> Vec<u8> {
    let mut bytes = Vec::new();
    position.pack(&mut bytes);
    bytes
}

fn ensure(holds: bool, law: &'static str, details: impl Debug) -> Result<(), LawViolation> {
    if holds { Ok(()) } else { violated(law, details) }
}

fn violated(law: &'static str, details: impl Debug) -> Result<(), LawViolation> {
    Err(LawViolation { law, details: format!("{details:?}") })
}
