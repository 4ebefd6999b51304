//! Who plays: the engine in this process, with a memory or without one, and another engine behind UCI.

use std::time::Duration;

use mnemon_chess::{Color, Move, Position};
use mnemon_uci::child::{ChildEngine, EngineCommand};
use mnemon_uci::{GoCommand, Info, ScoreValue};

use super::engine::{EnginePlayer, TableSetup};
use super::nodes::Nodes;
use super::openings::OPENING_PLIES;
use crate::play::{Adjudication, Choice, Game, Players, SideResult, WinRule, play};
use crate::{LabError, Result};

/// A game is won when both sides have given eight pawns to one side four plies in turn: the rest would be no test of
/// learning. It is drawn after 240 plies, those of the opening included.
const ADJUDICATION: Adjudication =
    Adjudication { win: Some(WinRule { score: 800, plies: 4 }), draw: None, max_plies: 240 };

/// A player of many games.
pub(super) trait Player {
    /// A new game begins.
    fn new_game(&mut self) -> Result;

    /// The move after a search of this many nodes.
    fn choose(&mut self, game: &Game, nodes: u64) -> Result<Choice>;

    /// The game is over, and this side has won it, or none.
    fn game_over(&mut self, _game: &Game, _side: Color, _winner: Option<Color>) -> Result {
        Ok(())
    }
}

impl Player for EnginePlayer {
    fn new_game(&mut self) -> Result {
        self.clear();
        Ok(())
    }

    fn choose(&mut self, game: &Game, nodes: u64) -> Result<Choice> {
        self.search(game, nodes)
    }

    fn game_over(&mut self, _game: &Game, _side: Color, winner: Option<Color>) -> Result {
        self.learn(winner);
        Ok(())
    }
}

/// The control "repeat a win, else vary": no memory of positions, only the moves of games that were won. As long as a game
/// follows one of them, its moves are played again.
pub(super) struct WinRepeater {
    engine: EnginePlayer,
    won: Vec<(Color, Vec<Move>)>,
}

impl WinRepeater {
    pub(super) fn new(table: TableSetup) -> Result<Self> {
        Ok(WinRepeater { engine: EnginePlayer::new(table, None)?, won: Vec::new() })
    }
}

impl Player for WinRepeater {
    fn new_game(&mut self) -> Result {
        self.engine.new_game()
    }

    fn choose(&mut self, game: &Game, nodes: u64) -> Result<Choice> {
        let (side, moves) = (game.side_to_move(), game.moves());
        // The last win first: it is the one that the opponent still lost.
        let follows = |(winner, won): &&(Color, Vec<Move>)| *winner == side && won.starts_with(moves);
        let next = self.won.iter().rev().find(follows).and_then(|(_, won)| won.get(moves.len()));
        match next {
            Some(&mv) => Ok(Choice { mv, score: None }),
            None => self.engine.choose(game, nodes),
        }
    }

    fn game_over(&mut self, game: &Game, side: Color, winner: Option<Color>) -> Result {
        if winner == Some(side) {
            self.won.push((side, game.moves().to_vec()));
        }
        Ok(())
    }
}

/// An engine that analyses its first moves after each game, with more nodes than it had in the game, and keeps that.
pub(super) struct Student {
    engine: EnginePlayer,
    /// The nodes of each analysis.
    nodes: u64,
}

impl Student {
    /// The number of its moves that are analysed after a game.
    const MOVES: usize = 10;

    pub(super) fn new(engine: EnginePlayer, nodes: u64) -> Self {
        Student { engine, nodes }
    }

    fn study(&mut self, game: &Game, side: Color) -> Result {
        let mut again = Game::new(game.start());
        let mut studied = 0;
        for &mv in game.moves() {
            if again.plies() >= OPENING_PLIES && again.side_to_move() == side && studied < Self::MOVES {
                self.engine.analyse(&again, self.nodes)?;
                studied += 1;
            }
            again.play(mv);
        }
        Ok(())
    }
}

impl Player for Student {
    fn new_game(&mut self) -> Result {
        self.engine.new_game()
    }

    fn choose(&mut self, game: &Game, nodes: u64) -> Result<Choice> {
        self.engine.choose(game, nodes)
    }

    fn game_over(&mut self, game: &Game, side: Color, _winner: Option<Color>) -> Result {
        self.study(game, side)
    }
}

/// Another engine, which is asked for moves by UCI.
pub(super) struct UciPlayer(ChildEngine);

/// The longest time that an engine may take for anything.
const TIMEOUT: Duration = Duration::from_secs(60);

impl UciPlayer {
    /// Starts the engine with one thread and a small table.
    pub(super) fn start(command: &EngineCommand) -> Result<Self> {
        let mut engine = ChildEngine::start(command, TIMEOUT)?;
        for (name, value) in [("Threads", "1"), ("Hash", "1")] {
            if engine.option(name).is_some() {
                engine.set_option(name, value)?;
            }
        }
        Ok(UciPlayer(engine))
    }
}

impl Player for UciPlayer {
    fn new_game(&mut self) -> Result {
        Ok(self.0.new_game()?)
    }

    fn choose(&mut self, game: &Game, nodes: u64) -> Result<Choice> {
        self.0.set_position(&game.start().to_string(), game.uci_moves())?;
        let mut score = None;
        let note = |info: Info| score = info.exact_score().map(ScoreValue::centipawns).or(score);
        let reply = self.0.go(&GoCommand::nodes(nodes), TIMEOUT, note)?;
        Ok(Choice { mv: game.position().parse_uci(&reply.best.mv)?, score })
    }
}

/// The two sides of a game.
pub(super) struct LearnerGame<'g> {
    pub(super) learner: &'g mut dyn Player,
    pub(super) opponent: &'g mut dyn Player,
    /// The learner's colour.
    pub(super) side: Color,
    pub(super) learner_nodes: Nodes,
    pub(super) opponent_nodes: Nodes,
    /// The seed of what varies in this game.
    pub(super) seed: u64,
}

impl LearnerGame<'_> {
    /// Plays the game from the opening on; the result is the learner's.
    pub(super) fn play(mut self, opening: &[Move]) -> Result<SideResult> {
        self.learner.new_game()?;
        self.opponent.new_game()?;
        let mut game = Game::new(&Position::start());
        opening.iter().for_each(|&mv| game.play(mv));
        let winner = play(&mut game, &mut self, &ADJUDICATION)?.winner(&game);
        self.learner.game_over(&game, self.side, winner)?;
        Ok(SideResult::for_side(self.side, winner))
    }
}

impl Players for LearnerGame<'_> {
    type Failure = LabError;

    fn choose(&mut self, game: &Game) -> Result<Choice> {
        if game.side_to_move() == self.side {
            self.learner.choose(game, self.learner_nodes.at(!self.seed, game.plies()))
        } else {
            self.opponent.choose(game, self.opponent_nodes.at(self.seed, game.plies()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::{Adjudicator, Ending};
    use mnemon_engine::search::OpenWindow;
    use mnemon_memory::policy::EntryRules;
    use mnemon_table::replace::AnyScheme;

    #[test]
    fn a_game_is_won_when_both_sides_agree_for_four_plies() {
        let game = Game::default();
        let mut adjudicator = Adjudicator::new(&ADJUDICATION);
        let mut note = |side, score| adjudicator.note(side, Some(score), &game);
        for (side, score) in [(Color::White, 900), (Color::Black, -850), (Color::White, 900)] {
            assert_eq!(note(side, score), None);
        }
        assert_eq!(note(Color::Black, -799), None, "one side does not agree");
        for (side, score) in [(Color::White, 900), (Color::Black, -850), (Color::White, 900)] {
            assert_eq!(note(side, score), None);
        }
        assert_eq!(note(Color::Black, -900), Some(Ending::Adjudicated(Some(Color::White))));
        assert_eq!(note(Color::White, -900), None);
    }

    #[test]
    fn a_win_is_repeated_as_long_as_the_game_is_the_same() {
        let table = TableSetup {
            entries: 8192,
            scheme: AnyScheme::default(),
            entry_rules: EntryRules::default(),
            open_window: OpenWindow::default(),
        };
        let mut repeater = WinRepeater::new(table).expect("a table");
        let mut won = Game::default();
        for mv in ["e2e4", "e7e5", "d1h5", "b8c6"] {
            won.play(won.position().parse_uci(mv).expect("legal"));
        }
        for side in [Color::White, Color::Black] {
            repeater.game_over(&won, side, Some(Color::White)).expect("no search");
        }
        let mut game = Game::default();
        for mv in ["e2e4", "d1h5"] {
            let chosen = repeater.choose(&game, 1).expect("a move").mv;
            assert_eq!(game.position().uci(chosen), mv);
            game.play(chosen);
            game.play(game.position().parse_uci(if mv == "e2e4" { "e7e5" } else { "g7g6" }).expect("legal"));
        }
        let searched = repeater.choose(&game, 100).expect("a move");
        assert!(searched.score.is_some(), "the opponent has left the game that was won");
    }
}
