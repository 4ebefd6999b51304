//! One game of the engine against itself, and the positions of it that are worth learning from.

use std::sync::atomic::AtomicBool;

use mnemon_chess::{Color, Move, Position};
use mnemon_engine::search::{Limits, SearchOutcome, SearchRequest, Searcher, Silent};
use mnemon_search::Game;
use mnemon_search::random::Random;
use mnemon_table::{Score, Table, TableError};

use super::sample::{Ending, Sample};

/// A table of this size holds many times the nodes of one move.
const TABLE_BYTES: usize = 4 << 20;
/// Random plies before the game; every second game has one more, so that each side gets to begin.
const RANDOM_PLIES: usize = 8;
/// An opening that is decided already teaches little.
const UNDECIDED: Score = 300;
/// Scores beyond this for [`WIN_PLIES`] plies, by both sides' searches, end the game.
const WON: Score = 1_000;
const WIN_PLIES: u32 = 6;
/// Scores within this for [`DRAW_PLIES`] plies end it too, after [`LONG`] plies.
const LEVEL: Score = 8;
const DRAW_PLIES: u32 = 16;
const LONG: usize = 100;
/// No game is longer.
const LONGEST: usize = 500;
/// Positions with higher scores are not written: a sigmoid is flat there.
const HIGHEST: Score = 2_000;

/// An engine that plays both sides.
pub(super) struct Player {
    table: Table,
    searcher: Searcher,
    nodes: u64,
    never: AtomicBool,
}

/// How long the scores have spoken for one ending.
#[derive(Default)]
struct Verdict {
    white_wins: u32,
    black_wins: u32,
    level: u32,
}

impl Player {
    /// Searches so many nodes a move.
    pub(super) fn new(nodes: u64) -> Result<Self, TableError> {
        let (table, searcher) = (Table::new(TABLE_BYTES)?, Searcher::new(1));
        Ok(Player { table, searcher, nodes, never: AtomicBool::new(false) })
    }

    /// Plays a game from a random opening; at least one position of it is worth learning from. The same numbers give the
    /// same game.
    pub(super) fn play(&mut self, random: &mut Random) -> Vec<Sample> {
        loop {
            self.table.clear(1);
            self.searcher.new_game();
            let Some(game) = opening(random) else { continue };
            let first = self.search(&game);
            let is_undecided = first.score.abs() <= UNDECIDED && first.best.is_some();
            let samples = if is_undecided { self.play_on(game, first) } else { Vec::new() };
            if !samples.is_empty() {
                return samples;
            }
        }
    }

    fn play_on(&mut self, mut game: Line, mut answer: SearchOutcome) -> Vec<Sample> {
        let (mut chosen, mut verdict) = (Vec::new(), Verdict::default());
        let ending = loop {
            let Some(best) = answer.best else { break game.ending().unwrap_or(Ending::Drawn) };
            let white = for_white(&game.position, answer.score);
            if is_worth_learning(&game.position, &answer) {
                chosen.push((game.position.clone(), white));
            }
            game.play(best);
            if let Some(ending) = game.ending().or_else(|| verdict.after(white, game.before.len())) {
                break ending;
            }
            answer = self.search(&game);
        };
        chosen.into_iter().map(|(position, score)| Sample { position, score, ending }).collect()
    }

    fn search(&mut self, game: &Line) -> SearchOutcome {
        self.table.new_generation();
        let question =
            SearchRequest { before: &game.before, ..SearchRequest::new(&game.position, Limits::nodes(self.nodes)) };
        self.searcher.search(&question, &self.table, &self.never, &self.never, &mut Silent)
    }
}

/// A game as far as it has been played.
struct Line {
    position: Position,
    /// The keys of the positions before it.
    before: Vec<u64>,
}

impl Line {
    fn play(&mut self, mv: Move) {
        self.before.push(self.position.key());
        self.position = self.position.after(mv);
    }

    /// How the game has ended by the rules, or by its length.
    fn ending(&self) -> Option<Ending> {
        let position = &self.position;
        if !position.has_moves() {
            let won = Ending::won_by(!position.side_to_move());
            return Some(if position.is_check() { won } else { Ending::Drawn });
        }
        let stood = self.before.iter().filter(|&&key| key == position.key()).count();
        let is_drawn =
            position.is_dead() || position.is_drawn_by_counter() || stood >= 2 || self.before.len() >= LONGEST;
        is_drawn.then_some(Ending::Drawn)
    }
}

impl Verdict {
    /// The ending that the scores have agreed on, if they have.
    fn after(&mut self, white: Score, plies: usize) -> Option<Ending> {
        let count = |counter: &mut u32, goes_on: bool| *counter = if goes_on { *counter + 1 } else { 0 };
        count(&mut self.white_wins, white > WON);
        count(&mut self.black_wins, white < -WON);
        count(&mut self.level, white.abs() <= LEVEL);
        if self.white_wins >= WIN_PLIES {
            Some(Ending::WhiteWon)
        } else if self.black_wins >= WIN_PLIES {
            Some(Ending::BlackWon)
        } else {
            (self.level >= DRAW_PLIES && plies >= LONG).then_some(Ending::Drawn)
        }
    }
}

/// Some random legal moves from the starting position; `None` where they end the game.
fn opening(random: &mut Random) -> Option<Line> {
    let mut game = Line { position: Position::start(), before: Vec::new() };
    for _ in 0..RANDOM_PLIES + random.below(2) {
        let mut moves = Vec::new();
        game.position.moves(&mut moves);
        if moves.is_empty() {
            return None;
        }
        game.play(moves[random.below(moves.len())]);
    }
    Some(game)
}

/// Whether the static evaluation could know the score: nothing hangs in the air, and no earlier position made it.
fn is_worth_learning(position: &Position, answer: &SearchOutcome) -> bool {
    let is_quiet = answer.best.is_some_and(|best| best.promotion.is_none() && !is_capture(position, best));
    is_quiet && !position.is_check() && answer.score.abs() < HIGHEST && !answer.tainted && answer.depth > 0
}

fn is_capture(position: &Position, mv: Move) -> bool {
    let board = position.board();
    let takes = board.colors(!position.side_to_move()).has(mv.to);
    takes || (position.en_passant() == Some(mv.to) && board.piece_on(mv.from) == Some(mnemon_chess::Piece::Pawn))
}

fn for_white(position: &Position, score: Score) -> Score {
    if position.side_to_move() == Color::White { score } else { -score }
}
