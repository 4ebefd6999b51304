//! One iteration of a search: its lines, and what they say of which position.

use std::collections::BTreeMap;

use mnemon_chess::{Move, Position, to_code};
use mnemon_memory::{Flags, Line, LineSet, Origins, Record};
use mnemon_search::{MAX_DEPTH, WINS};
use mnemon_table::Window;

use super::{CLOCK_LIMIT, Findings, GameHistory, is_verdict, window};
use crate::{Bound, Info};

/// The position that is searched.
#[derive(Clone, Debug)]
pub(super) struct Root {
    pub(super) game: GameHistory,
    /// When, in seconds since 1970.
    pub(super) time: u32,
    /// Whether only some of the moves are searched.
    pub(super) is_partial: bool,
}

impl Root {
    /// Notes the moves of the game before the root, so that what is learned of it is reached from them.
    pub(super) fn learn_links(&self, findings: &mut Findings) {
        let (played, root_ply) = (self.game.played(), self.game.ply());
        for (number, (position, mv)) in played.iter().enumerate() {
            let back = u16::try_from(played.len() - number).unwrap_or(u16::MAX);
            let game_ply = root_ply.saturating_sub(back);
            let best = to_code(*mv).get();
            let link = Record { best, origins: Origins::GAME, game_ply, time: self.time, ..Record::default() };
            findings.add(position, link);
        }
    }

    fn record(&self, window: Window, depth: u8, best: u16, ply: u16) -> Record {
        let origins = Origins::SEARCH.union(Origins::PV);
        let game_ply = self.game.ply().saturating_add(ply);
        Record { best, origins, game_ply, root_ply: ply, ..Record::between(window, depth) }.found_at(self.time)
    }
}

/// The lines of one depth as they were printed last.
#[derive(Clone, Debug, Default)]
pub(super) struct Iteration {
    depth: u32,
    /// By rank, exact scores.
    lines: BTreeMap<u32, Printed>,
    /// The last bound of the root.
    bound: Option<Printed>,
    /// Whether a line followed the bound, so that the search that gave it was at its end.
    is_bound_finished: bool,
}

/// What is kept of an `info` line until its iteration ends.
#[derive(Clone, Debug)]
struct Printed {
    window: Window,
    nodes: u64,
    pv: Vec<String>,
}

impl Iteration {
    pub(super) fn of_depth(depth: u32) -> Self {
        Iteration { depth, ..Iteration::default() }
    }

    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    /// The depth as it is kept.
    fn kept_depth(&self) -> u8 {
        u8::try_from(self.depth).unwrap_or(MAX_DEPTH).min(MAX_DEPTH)
    }

    pub(super) fn hear(&mut self, info: &Info) {
        let Some(score) = info.score else { return };
        self.is_bound_finished |= self.bound.is_some();
        let Some(window) = window(score) else { return };
        let printed = Printed { window, nodes: info.nodes.unwrap_or(0), pv: info.pv.clone() };
        let rank = info.multipv.unwrap_or(1);
        if score.bound == Bound::Exact {
            self.lines.insert(rank, printed);
        } else if rank == 1 {
            (self.bound, self.is_bound_finished) = (Some(printed), false);
        }
    }

    /// Learns from a finished iteration; returns whether there was anything.
    pub(super) fn learn(&self, root: &Root, findings: &mut Findings) -> bool {
        let position = root.game.root();
        let mut set: Vec<Line> = Vec::new();
        let mut firsts: Vec<Move> = Vec::new();
        let mut is_gapless = true;
        for (number, (&rank, printed)) in self.lines.iter().enumerate() {
            let moves = legal_prefix(position, &printed.pv);
            // A line whose first move cannot be played says nothing of this position.
            let is_sound = moves.is_empty() == printed.pv.is_empty()
                && moves.first().is_none_or(|first| !firsts.contains(first))
                && (rank == 1 || !moves.is_empty());
            let path = Path::of(root, &moves);
            is_gapless &= is_sound && rank as usize == number + 1 && !path.decides(printed.window);
            if !is_sound {
                continue;
            }
            firsts.extend(moves.first());
            if is_gapless && !moves.is_empty() && set.len() < LineSet::MAX_LINES {
                set.push(Line::new(printed.window, codes(&moves)));
            }
            if rank == 1 && !path.decides(printed.window) {
                self.learn_root(root, printed, moves.first(), findings);
            }
            self.learn_line(root, printed, &moves, &path, findings);
        }
        if self.lines.is_empty() {
            self.learn_bound(root, findings);
        }
        if !set.is_empty() && !root.is_partial {
            let set = LineSet { depth: self.kept_depth(), time: root.time, lines: set };
            findings.add_lines(position, set);
        }
        !findings.is_empty()
    }

    /// Learns what was finished of an iteration that was cut: the bound of a search that another one followed.
    pub(super) fn learn_refuted(&self, root: &Root, findings: &mut Findings) {
        if self.is_bound_finished {
            self.learn_bound(root, findings);
        }
    }

    /// A search that was cut counts with all its nodes for what it had finished, as long as its last line has the same move:
    /// so many nodes give this answer.
    pub(super) fn learn_effort(&self, cut: &Iteration, root: &Root, findings: &mut Findings) {
        let (Some(finished), Some(last)) = (self.lines.get(&1), cut.lines.get(&1)) else { return };
        let moves = legal_prefix(root.game.root(), &finished.pv);
        let is_same = !moves.is_empty() && finished.pv.first() == last.pv.first();
        if is_same && last.nodes > finished.nodes && !Path::of(root, &moves).decides(finished.window) {
            let finished = Printed { nodes: last.nodes, ..finished.clone() };
            self.learn_root(root, &finished, moves.first(), findings);
        }
    }

    fn learn_bound(&self, root: &Root, findings: &mut Findings) {
        let Some(printed) = &self.bound else { return };
        let moves = legal_prefix(root.game.root(), &printed.pv);
        if moves.is_empty() == printed.pv.is_empty() && !Path::of(root, &moves).decides(printed.window) {
            let is_lower = printed.window.lower != Window::NO_LOWER;
            self.learn_root(root, printed, moves.first().filter(|_| is_lower), findings);
        }
    }

    /// With some of the moves only, the value is at least theirs.
    fn learn_root(&self, root: &Root, printed: &Printed, best: Option<&Move>, findings: &mut Findings) {
        let window = match root.is_partial {
            true => Window { upper: Window::NO_UPPER, ..printed.window },
            false => printed.window,
        };
        if window.is_unknown() {
            return;
        }
        let best = best.map_or(0, |&mv| to_code(mv).get());
        let record =
            Record { flags: Flags::ROOT, nodes: printed.nodes, ..root.record(window, self.kept_depth(), best, 0) };
        findings.add(root.game.root(), record);
    }

    /// The position behind the first move with the rest of the line; the positions behind it by their moves alone.
    fn learn_line(&self, root: &Root, printed: &Printed, moves: &[Move], path: &Path, findings: &mut Findings) {
        for (ply, (position, &mv)) in path.positions.iter().zip(&moves[moves.len().min(1)..]).enumerate() {
            let (best, ply) = (to_code(mv).get(), ply as u16 + 1);
            let record = Record { origins: Origins::PV, ..root.record(Window::UNKNOWN, 0, best, ply) };
            findings.add(position, record);
        }
        let depth = self.kept_depth().saturating_sub(1);
        let Some(child) = path.positions.first().filter(|_| depth > 0) else { return };
        if path.decides_below(printed.window) || child.halfmove_clock() >= CLOCK_LIMIT || !child.has_moves() {
            return;
        }
        let below = negated(WINS.to_node(printed.window, 1));
        let best = moves.get(1).map_or(0, |&mv| to_code(mv).get());
        findings.add(child, root.record(below, depth, best, 1));
        if moves.len() > 1 && is_verdict(below) {
            let lines = vec![Line::new(below, codes(&moves[1..]))];
            findings.add_lines(child, LineSet { depth, time: root.time, lines });
        }
    }
}

/// The positions of a line, and whether it runs into one that stood on the board before.
struct Path {
    /// After each move.
    positions: Vec<Position>,
    /// Whether the line reaches a position of the game before the root, and whether it ends there.
    repeats_game: (bool, bool),
    /// The same for the root itself.
    repeats_root: (bool, bool),
}

impl Path {
    fn of(root: &Root, moves: &[Move]) -> Self {
        let (mut positions, mut at) = (Vec::with_capacity(moves.len()), root.game.root().clone());
        for &mv in moves {
            at = at.after(mv);
            positions.push(at.clone());
        }
        let reaches =
            |is_old: &dyn Fn(&Position) -> bool| (positions.iter().any(is_old), positions.last().is_some_and(is_old));
        let repeats_game = reaches(&|position| root.game.contains(position));
        let repeats_root = reaches(&|position| position == root.game.root());
        Path { positions, repeats_game, repeats_root }
    }

    /// Whether the score comes from a repetition of the game, as far as the line shows: a draw on the way through one, or
    /// any score of a line that ends there.
    fn decides(&self, window: Window) -> bool {
        is_by_repetition(self.repeats_game, window)
    }

    /// The same for the position behind the first move, which the root came before.
    fn decides_below(&self, window: Window) -> bool {
        self.decides(window) || is_by_repetition(self.repeats_root, window)
    }
}

fn is_by_repetition((reaches, ends): (bool, bool), window: Window) -> bool {
    ends || reaches && (window.lower == 0 || window.upper == 0)
}

/// The window for the other side.
fn negated(window: Window) -> Window {
    let negate = |score: mnemon_table::Score, unknown, other| if score == unknown { other } else { -score };
    Window {
        lower: negate(window.upper, Window::NO_UPPER, Window::NO_LOWER),
        upper: negate(window.lower, Window::NO_LOWER, Window::NO_UPPER),
    }
}

/// The moves of a line as UCI writes them, up to the first that cannot be played.
///
/// ```
/// let pv = ["e2e4", "e7e5", "e4e5"].map(str::to_owned);
/// assert_eq!(mnemon_uci::observer::legal_prefix(&mnemon_chess::Position::start(), &pv).len(), 2);
/// ```
pub fn legal_prefix(position: &Position, pv: &[String]) -> Vec<Move> {
    let (mut at, mut moves) = (position.clone(), Vec::with_capacity(pv.len()));
    for text in pv {
        let Ok(mv) = at.parse_uci(text) else { break };
        at = at.after(mv);
        moves.push(mv);
    }
    moves
}

fn codes(moves: &[Move]) -> impl Iterator<Item = u16> {
    moves.iter().map(|&mv| to_code(mv).get())
}
