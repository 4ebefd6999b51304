//! A game of the engine against itself, and the positions of it that are worth learning from.

use std::sync::atomic::AtomicBool;

use mnemon_chess::{Color, Move, Piece, Position};
use mnemon_engine::Table;
use mnemon_engine::search::{Limits, SearchOutcome, SearchRequest, Searcher, Silent};
use mnemon_search::random::Random;
use mnemon_table::{Score, TableError};

use super::sample::Sample;
use crate::play::{Adjudication, Choice, DrawRule, Game, Players, WinRule, play};
use crate::random::random_move;

/// The table's size, ample for the nodes of one move.
const TABLE_BYTES: usize = 4 << 20;
/// Random plies before the game. Every second game on average has one more, so that either side begins.
const RANDOM_PLIES: usize = 8;
/// An opening with a higher score is not played: a decided game teaches little.
const MAX_OPENING_SCORE: Score = 300;
/// Positions with higher scores are not written: the sigmoid is flat there.
const MAX_SAMPLE_SCORE: Score = 2_000;

/// A game is won above ten pawns for six plies, drawn within eight centipawns for 16 plies after 100 plies, and drawn
/// after 500 plies. The plies of the opening count.
const ADJUDICATION: Adjudication = Adjudication {
    win: Some(WinRule { score: 1_001, plies: 6 }),
    draw: Some(DrawRule { score: 8, plies: 16, counted_from_move: 0, min_plies: 100, restarts: false }),
    max_plies: 500,
};

/// An engine that plays both sides.
pub(super) struct SelfPlayer {
    table: Table,
    searcher: Searcher,
    nodes: u64,
    never: AtomicBool,
}

impl SelfPlayer {
    /// Searches this many nodes for each move.
    pub(super) fn new(nodes: u64) -> Result<Self, TableError> {
        let (table, searcher) = (Table::new(TABLE_BYTES)?, Searcher::new(1));
        Ok(SelfPlayer { table, searcher, nodes, never: AtomicBool::new(false) })
    }

    /// Plays games from random openings until one has a position that is worth learning from, and gives the positions
    /// of that game. The same random numbers give the same game.
    pub(super) fn play(&mut self, random: &mut Random) -> Vec<Sample> {
        loop {
            self.table.clear(1);
            self.searcher.new_game();
            let Some(mut game) = random_opening(random) else { continue };
            let opening_plies = game.plies();
            let mut sides = BothSides { player: self, opening_plies, scored: Vec::new() };
            let Ok(ending) = play(&mut game, &mut sides, &ADJUDICATION) else { continue };
            let winner = ending.winner(&game);
            let sample = |(position, score)| Sample { position, score, winner };
            let samples: Vec<Sample> = sides.scored.into_iter().map(sample).collect();
            if !samples.is_empty() {
                return samples;
            }
        }
    }

    fn search(&mut self, game: &Game) -> SearchOutcome {
        self.table.new_generation();
        let request = SearchRequest {
            game_keys: game.history().before(),
            ..SearchRequest::new(game.position(), Limits::nodes(self.nodes))
        };
        self.searcher.search(&request, &self.table, &self.never, &self.never, &mut Silent)
    }
}

/// One game of a [`SelfPlayer`], with the positions that were worth learning from and their scores for White.
struct BothSides<'p> {
    player: &'p mut SelfPlayer,
    opening_plies: usize,
    scored: Vec<(Position, Score)>,
}

/// The opening is decided, or the game is over there.
struct UselessOpening;

impl Players for BothSides<'_> {
    type Failure = UselessOpening;

    fn choose(&mut self, game: &Game) -> Result<Choice, UselessOpening> {
        let outcome = self.player.search(game);
        let mv = outcome.best.ok_or(UselessOpening)?;
        if game.plies() == self.opening_plies && outcome.score.abs() > MAX_OPENING_SCORE {
            return Err(UselessOpening);
        }
        let position = game.position();
        if is_worth_learning(position, &outcome) {
            self.scored.push((position.clone(), for_white(position, outcome.score)));
        }
        Ok(Choice { mv, score: Some(outcome.score.into()) })
    }
}

/// A game of random legal moves from the starting position; `None` where they end it.
fn random_opening(random: &mut Random) -> Option<Game> {
    let mut game = Game::new(&Position::start());
    for _ in 0..RANDOM_PLIES + random.below(2) {
        let mv = random_move(game.position(), random)?;
        game.play(mv);
    }
    Some(game)
}

/// Whether a static evaluation could give the score: the position is quiet, and the score does not depend on the moves
/// before it.
fn is_worth_learning(position: &Position, outcome: &SearchOutcome) -> bool {
    let is_quiet = outcome.best.is_some_and(|best| best.promotion.is_none() && !is_capture(position, best));
    is_quiet && !position.is_check() && outcome.score.abs() < MAX_SAMPLE_SCORE && !outcome.tainted && outcome.depth > 0
}

fn is_capture(position: &Position, mv: Move) -> bool {
    let board = position.board();
    let takes = board.colors(!position.side_to_move()).has(mv.to);
    takes || (position.en_passant() == Some(mv.to) && board.piece_on(mv.from) == Some(Piece::Pawn))
}

fn for_white(position: &Position, score: Score) -> Score {
    if position.side_to_move() == Color::White { score } else { -score }
}
