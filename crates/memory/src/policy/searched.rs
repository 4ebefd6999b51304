//! A finished search, as policies judge it.

use mnemon_search::{Game, MAX_DEPTH, SearchOutcome, WINS};
use mnemon_table::{Score, Window};

use crate::{Claim, Flags, Line, Origins, PROVEN, Record};

/// What a search found about its root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Searched {
    /// The root's value, from the side to move's point of view.
    pub score: Score,
    /// The depth of the last finished iteration; 0 if none was.
    pub depth: u8,
    /// The move chosen, in the game's own code; 0 if there is none.
    pub best: u16,
    /// The principal variation, by its moves' codes.
    pub pv: Vec<u16>,
    /// The lines of that iteration with their scores, the best first, to be kept with the root.
    pub lines: Vec<Line>,
    /// The value after each finished iteration, the last one's included.
    pub iterations: Vec<Score>,
    /// The value that the same side's last search in this game found, if there was one.
    pub previous: Option<Score>,
    /// Whether the value depends on the path to the position: then it is not kept.
    pub tainted: bool,
    /// Whether every line was searched to the end of the game.
    pub exhaustive: bool,
    /// Nodes searched.
    pub nodes: u64,
    /// The root's ply in its game; [`Record::NO_PLY`] if unknown.
    pub game_ply: u16,
    /// The positions of the game before the root that are to lead to it.
    pub played: Vec<PlayedPosition>,
    /// When it ended, in seconds since 1970.
    pub time: u32,
}

/// A position of a game and the move that was played in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedPosition {
    /// The packed position.
    pub position: Box<[u8]>,
    /// The move's code.
    pub mv: u16,
    /// The position's ply in the game.
    pub ply: u16,
}

impl PlayedPosition {
    /// The record that leads from the position to the next one: its move alone.
    pub(crate) fn record(&self, time: u32) -> Record {
        Record { best: self.mv, origins: Origins::GAME, game_ply: self.ply, time, ..Record::default() }
    }
}

impl Searched {
    /// The outcome of a search of the root, without iterations, previous value, ply and time: the caller sets those.
    pub fn new<G: Game>(root: &G, outcome: &SearchOutcome<G::Move>) -> Self {
        let pv: Vec<u16> = outcome.pv.iter().map(|&mv| G::code(mv).get()).collect();
        Searched {
            score: outcome.score,
            depth: outcome.depth,
            best: outcome.best.map_or(0, |mv| G::code(mv).get()),
            lines: vec![Line::new(Window::exact(outcome.score), pv.iter().copied())],
            pv,
            exhaustive: root.plies_left().is_some_and(|plies| u16::from(outcome.depth) >= plies),
            tainted: outcome.tainted,
            nodes: outcome.stats.nodes,
            game_ply: Record::NO_PLY,
            ..Searched::default()
        }
    }

    /// The root's record with this score; `None` if the search is tainted or finished no iteration.
    pub fn record(&self, score: Score, origins: Origins) -> Option<Record> {
        if self.tainted || self.depth == 0 {
            return None;
        }
        let (lower, upper) = claims(Window::exact(score), self.depth, self.exhaustive);
        let record = Record {
            lower,
            upper,
            best: self.best,
            origins: Origins::SEARCH.union(origins),
            flags: Flags::ROOT,
            game_ply: self.game_ply,
            root_ply: 0,
            nodes: self.nodes,
            time: 0,
        };
        Some(record.found_at(self.time))
    }
}

/// Both bounds of a window as claims. Bounds that no deeper search can change are [`PROVEN`]: those of an exhaustive search,
/// the lower bound of a win, and the upper bound of a loss.
pub(crate) fn claims(window: Window, depth: u8, exhaustive: bool) -> (Claim, Claim) {
    let depth = depth.min(MAX_DEPTH);
    let is_win = window.lower != Window::NO_LOWER && window.lower > 0 && WINS.is_mate(window.lower);
    let is_loss = window.upper != Window::NO_UPPER && window.upper < 0 && WINS.is_mate(window.upper);
    let lower = Claim::new(window.lower, if exhaustive || is_win { PROVEN } else { depth });
    let upper = Claim::new(window.upper, if exhaustive || is_loss { PROVEN } else { depth });
    let known = Record { lower, upper, ..Record::default() }.normalized();
    (known.lower, known.upper)
}
