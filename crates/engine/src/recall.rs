//! The memory's part in a search: what is known before it, and what is kept after it.

use std::num::NonZeroU16;
use std::time::Duration;

use cozy_chess::{Color, Move};
use mnemon_memory::policy::{Policy, Searched};
use mnemon_memory::unix_time;
use mnemon_memory::walk::Recalled;
use mnemon_search::Game as _;
use mnemon_table::{Bound, Entry, Origin, Score, Table, Window};

use crate::GameHistory;
use crate::search::{Info, SearchOutcome};
use mnemon_chess::{Position, from_code, to_code};

/// From so many plies without progress on, the fifty-move rule may decide what a memory knows nothing of: it is neither
/// asked nor taught.
const CLOCK_LIMIT: u8 = 60;

/// Whether the memory has a say in this position.
pub(crate) fn concerns(position: &Position) -> bool {
    position.halfmove_clock() < CLOCK_LIMIT && position.has_moves()
}

/// Whether a search goes on behind the depth that is known of its root. Policies that keep whole analyses do. The others
/// keep single positions to judge the way to them anew: what they know of the root is what it looked like before.
pub(crate) fn goes_on(policy: &Policy) -> bool {
    matches!(policy, Policy::Resume(_) | Policy::ReadOnly(_) | Policy::Tree(_))
}

/// What the memory knows of the root, as a line of a search; `None` if it knows no score.
pub(crate) fn known(position: &Position, table: &Table, recalled: &Recalled, time: Duration) -> Option<Info> {
    let from_table = table.probe(position.key()).filter(|entry| entry.origin != Origin::Search && !entry.tainted);
    let (score, bound, depth) = from_table.and_then(|entry| summed_up(entry.window, entry.depth)).or_else(|| {
        let seldepth = recalled.root.iter().map(|(_, record)| record.deepest()).max_by_key(|&(_, depth)| depth)?;
        summed_up(seldepth.0, seldepth.1)
    })?;
    let pv = line(position, table, usize::from(depth).clamp(1, LONGEST_LINE));
    let (nodes, tbhits, hashfull) = (0, 0, table.hashfull());
    Some(Info { depth, seldepth: depth, line: 0, score, bound, nodes, time, hashfull, tbhits, pv, tainted: false })
}

/// Depths beyond any search's say that a score is proven.
const DEEPEST_SHOWN: u8 = 127;
const LONGEST_LINE: usize = 40;

/// The score to show of a window, and what it is to the value. A window that a policy has widened a little stands for
/// the score in its middle.
fn summed_up(window: Window, depth: u8) -> Option<(Score, Bound, u8)> {
    const WIDENED: i32 = 64;
    let (score, bound) = window.bound()?;
    let is_closed = window.lower != Window::NO_LOWER && window.upper != Window::NO_UPPER;
    let width = i32::from(window.upper) - i32::from(window.lower);
    let shown = depth.min(DEEPEST_SHOWN);
    if is_closed && width <= WIDENED {
        return Some(((i32::from(window.lower) + width / 2) as Score, Bound::Exact, shown));
    }
    Some((score, bound, shown))
}

/// The best line that the table knows, without repetitions.
pub(crate) fn line(position: &Position, table: &Table, most: usize) -> Vec<Move> {
    let (mut moves, mut seen, mut position) = (Vec::new(), vec![position.key()], position.clone());
    while moves.len() < most
        && let Some(mv) = table.probe(position.key()).and_then(|entry| best_of(&entry))
        && position.is_legal(mv)
    {
        moves.push(mv);
        position = position.after(mv);
        if seen.contains(&position.key()) {
            break;
        }
        seen.push(position.key());
    }
    moves
}

fn best_of(entry: &Entry) -> Option<Move> {
    NonZeroU16::new(entry.best).and_then(from_code)
}

/// The scores of a game's searches, by side: policies look for drops between a side's moves.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Previous([Option<Score>; 2]);

impl Previous {
    fn of(&mut self, side: Color) -> &mut Option<Score> {
        &mut self.0[side as usize]
    }
}

/// What a search reported, as far as the memory wants it: only exact scores of whole iterations count.
#[derive(Debug, Default)]
pub(crate) struct IterationLog {
    /// The best line's score after each iteration.
    iterations: Vec<Score>,
    /// The last whole iteration's best line.
    pub(crate) last: Option<Info>,
    /// The last one whose score is the position's own, and how many iterations there were by then.
    clean: Option<(Info, usize)>,
}

impl IterationLog {
    pub(crate) fn hear(&mut self, info: &Info) {
        if info.line == 0 && info.bound == Bound::Exact {
            self.iterations.push(info.score);
            self.last = Some(info.clone());
            if !info.tainted {
                self.clean = Some((info.clone(), self.iterations.len()));
            }
        }
    }

    /// What policies are to judge: the seldepth score that is the position's own, or else the last one, marked as tainted.
    pub(crate) fn searched(mut self, game: &GameHistory, answer: &SearchOutcome, previous: &mut Previous) -> Searched {
        let previous = previous.of(game.position().side_to_move());
        let Some(last) = self.last else {
            // Nothing is to be said of the root; what was found below it may still be worth keeping.
            return Searched { nodes: answer.nodes, game_ply: game.ply(), time: unix_time(), ..Searched::default() };
        };
        let last_score = last.score;
        let (info, iterations) = self.clean.unwrap_or((last, self.iterations.len()));
        self.iterations.truncate(iterations);
        let pv: Vec<u16> = info.pv.iter().map(|&mv| to_code(mv).get()).collect();
        let searched = Searched {
            score: info.score,
            depth: info.depth,
            best: pv.first().copied().unwrap_or_default(),
            pv,
            iterations: self.iterations,
            previous: *previous,
            tainted: info.tainted,
            exhaustive: false,
            nodes: answer.nodes,
            game_ply: game.ply(),
            time: unix_time(),
        };
        *previous = Some(last_score);
        searched
    }
}
