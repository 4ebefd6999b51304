//! The memory's part in a search: what is known before it, and what policies judge after it.

use std::num::NonZeroU16;
use std::time::Duration;

use cozy_chess::{Color, Move};
use mnemon_memory::policy::{PlayedPosition, Policy, Searched};
use mnemon_memory::recall::RecalledRoot;
use mnemon_memory::{Line, Lines};
use mnemon_search::Game as _;
use mnemon_table::{Bound, Score, Window};

use crate::search::{Info, SearchOutcome};
use crate::{GameHistory, Table};
use mnemon_chess::{Position, from_code, to_code};

/// From this halfmove clock on, the fifty-move rule may decide the game, which no record knows of: the memory neither
/// recalls nor learns.
const CLOCK_LIMIT: u8 = 60;

/// Whether the memory recalls and learns for a search of this position.
pub(crate) fn is_usable(position: &Position) -> bool {
    position.halfmove_clock() < CLOCK_LIMIT && position.has_moves()
}

/// Whether a search continues behind the known depth of its root. It does with policies that keep whole analyses. The
/// others keep single positions, so that the search above them is another: the root's record is of the search before.
pub(crate) fn resumes(policy: &Policy) -> bool {
    matches!(policy, Policy::Resume(_) | Policy::ReadOnly(_) | Policy::Tree(_))
}

/// What the memory knows of the root, as a line of a search; `None` if it knows no score, or has learned since that the line
/// is refuted. The line is the memory's,
/// extended from the table where it is short.
pub(crate) fn known(position: &Position, root: &RecalledRoot, table: &Table, time: Duration) -> Option<Info> {
    let from_entry = root.entry.and_then(|entry| shown(entry.window, entry.depth));
    let (score, bound, depth) = from_entry.or_else(|| {
        let (window, depth) = root.value.deepest();
        shown(window, depth)
    })?;
    let kept = kept_line(root).filter(|line| root.value.best == line[0]);
    let most = usize::from(depth).clamp(1, MAX_LINE).max(kept.map_or(0, <[u16]>::len));
    let pv = root_line(position, kept.unwrap_or(&root.line), table, most);
    let info = Info { pv, ..known_info(depth, score, bound, table, time) };
    (!is_refuted(position, &info, table)).then_some(info)
}

/// Whether the table knows a refutation of a line's first move that was searched as deep as the line.
fn is_refuted(position: &Position, line: &Info, table: &Table) -> bool {
    let Some(&mv) = line.pv.first() else { return false };
    let reply = table.probe(position.after(mv).hash_key()).filter(|entry| !entry.tainted);
    reply.is_some_and(|entry| {
        let is_known = entry.window.lower != Window::NO_LOWER;
        is_known && entry.depth.saturating_add(1) >= line.depth && entry.window.lower > -line.score
    })
}

/// The root's `count` best lines as far as the memory knows them, the deepest first: `best`, which is exact, and those that the
/// sets of kept lines add to it. No two begin with the same move.
pub(crate) fn known_lines(
    position: &Position,
    best: &Info,
    root: &RecalledRoot,
    count: usize,
    table: &Table,
) -> Vec<Info> {
    let mut lines = vec![best.clone()];
    for (set, kept) in root.lines.sets().iter().flat_map(|set| set.lines.iter().map(move |line| (set, line))) {
        let Some((score, Bound::Exact, depth)) = shown(kept.window(), set.depth.min(best.depth)) else { continue };
        let pv = root_line(position, kept.moves(), table, usize::from(depth).min(MAX_LINE).max(kept.moves().len()));
        let is_new = pv.first().is_some_and(|mv| lines.iter().all(|line| line.pv.first() != Some(mv)));
        let info = Info { pv, line: lines.len(), ..known_info(depth, score, Bound::Exact, table, best.time) };
        if is_new && lines.len() < count {
            lines.push(info);
        }
    }
    lines
}

/// The moves of the deepest search's best line.
fn kept_line(root: &RecalledRoot) -> Option<&[u16]> {
    root.lines.deepest(1).and_then(|set| set.lines.first()).map(Line::moves)
}

/// A line of a search that was not searched now.
fn known_info(depth: u8, score: Score, bound: Bound, table: &Table, time: Duration) -> Info {
    let (nodes, tbhits, hashfull, pv) = (0, 0, table.hashfull(), Vec::new());
    Info { depth, seldepth: depth, line: 0, score, bound, nodes, time, hashfull, tbhits, pv, tainted: false }
}

/// The line, extended where it is shorter than the depth of its search: by the rest of a line of the memory that begins
/// with it, then by hash moves. Where the table knows a position from the memory, a search goes no further.
pub(crate) fn extended(position: &Position, pv: &[Move], depth: u8, lines: &Lines, table: &Table) -> Vec<Move> {
    let codes: Vec<u16> = pv.iter().map(|&mv| to_code(mv).get()).collect();
    let begins_so = |line: &&[u16]| line.starts_with(&codes);
    let kept = lines.sets().iter().flat_map(|set| &set.lines).map(Line::moves).find(begins_so);
    let most = usize::from(depth).clamp(2, MAX_LINE).max(kept.map_or(0, <[u16]>::len));
    if pv.is_empty() || pv.len() >= most {
        return pv.to_vec();
    }
    root_line(position, kept.unwrap_or(&codes), table, most)
}

/// Deeper records are proven; a line shows this depth.
const MAX_SHOWN_DEPTH: u8 = 127;
const MAX_LINE: usize = 40;

/// The score to show of a window, its bound, and the depth to show; `None` if the window is unknown. Of a window that a
/// policy has widened a little, the score is the midpoint.
fn shown(window: Window, depth: u8) -> Option<(Score, Bound, u8)> {
    const MAX_WIDTH: i32 = 64;
    let (score, bound) = window.bound(Score::MIN)?;
    let is_closed = window.lower != Window::NO_LOWER && window.upper != Window::NO_UPPER;
    let width = i32::from(window.upper) - i32::from(window.lower);
    let depth = depth.min(MAX_SHOWN_DEPTH);
    if is_closed && width <= MAX_WIDTH {
        return Some(((i32::from(window.lower) + width / 2) as Score, Bound::Exact, depth));
    }
    Some((score, bound, depth))
}

/// The memory's line, then the hash moves behind it: `most` moves at most, up to the first repetition.
fn root_line(position: &Position, codes: &[u16], table: &Table, most: usize) -> Vec<Move> {
    let mut line = LegalLine::new(position);
    for mv in codes.iter().filter_map(|&code| move_of(code)).take(most) {
        if !line.push(mv) {
            return line.moves;
        }
    }
    line.extend_from(table, most);
    line.moves
}

/// The line of hash moves from the position on: `most` moves at most, up to the first repetition.
pub(crate) fn line(position: &Position, table: &Table, most: usize) -> Vec<Move> {
    let mut line = LegalLine::new(position);
    line.extend_from(table, most);
    line.moves
}

/// A line of legal moves.
struct LegalLine {
    moves: Vec<Move>,
    /// The keys of the positions on it, and the position at its end.
    seen: Vec<u64>,
    end: Position,
}

impl LegalLine {
    fn new(position: &Position) -> Self {
        LegalLine { moves: Vec::new(), seen: vec![position.hash_key()], end: position.clone() }
    }

    /// Adds the move if it is legal. Returns whether the line may go on: not after an illegal move or a repetition.
    fn push(&mut self, mv: Move) -> bool {
        if !self.end.is_legal(mv) {
            return false;
        }
        self.moves.push(mv);
        self.end = self.end.after(mv);
        let is_new = !self.seen.contains(&self.end.hash_key());
        self.seen.push(self.end.hash_key());
        is_new
    }

    fn extend_from(&mut self, table: &Table, most: usize) {
        while self.moves.len() < most
            && let Some(hash_move) = table.probe(self.end.hash_key()).and_then(|entry| move_of(entry.best))
            && self.push(hash_move)
        {}
    }
}

fn move_of(code: u16) -> Option<Move> {
    NonZeroU16::new(code).and_then(from_code)
}

/// The positions of the game before the one on the board.
fn played(game: &GameHistory) -> Vec<PlayedPosition> {
    let played = game.played().map(|(position, ply, mv)| {
        let mut packed = Vec::new();
        position.pack(&mut packed);
        PlayedPosition { position: packed.into(), mv: to_code(mv).get(), ply }
    });
    played.collect()
}

/// The score of each side's last search in this game: policies look for drops between a side's moves.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Previous([Option<Score>; 2]);

impl Previous {
    fn of(&mut self, side: Color) -> &mut Option<Score> {
        &mut self.0[side as usize]
    }
}

/// The iterations of a search, for the memory's policy. Only exact scores of finished iterations count.
#[derive(Debug, Default)]
pub(crate) struct IterationLog {
    /// The best line's score after each iteration.
    iterations: Vec<Score>,
    /// The best line of the last finished iteration.
    pub(crate) last: Option<Info>,
    /// The last line whose score is not tainted, and the number of iterations up to it.
    clean: Option<(Info, usize)>,
    /// All lines of the iteration of that score.
    lines: Vec<Info>,
}

impl IterationLog {
    pub(crate) fn add(&mut self, info: &Info) {
        if info.line == 0 && info.bound == Bound::Exact {
            self.iterations.push(info.score);
            self.last = Some(info.clone());
            if !info.tainted {
                self.clean = Some((info.clone(), self.iterations.len()));
                self.lines.clear();
            }
        }
        let is_next = self.clean.as_ref().is_some_and(|(clean, _)| clean.depth == info.depth);
        if is_next && info.bound == Bound::Exact && !info.tainted && info.line == self.lines.len() {
            self.lines.push(info.clone());
        }
    }

    /// The search as policies judge it, but for its time: by the deepest score that is not tainted, or else by the last one, marked as
    /// tainted.
    pub(crate) fn searched(mut self, game: &GameHistory, outcome: &SearchOutcome, previous: &mut Previous) -> Searched {
        let previous = previous.of(game.position().side_to_move());
        let Some(last) = self.last else {
            // The root has no score; what was found below it may still be learned.
            return Searched { nodes: outcome.nodes, game_ply: game.ply(), ..Searched::default() };
        };
        let last_score = last.score;
        let (info, iterations) = self.clean.unwrap_or((last, self.iterations.len()));
        self.iterations.truncate(iterations);
        let codes = |pv: &[Move]| pv.iter().map(|&mv| to_code(mv).get()).collect::<Vec<u16>>();
        let pv = codes(&info.pv);
        let lines = self.lines.iter().map(|line| Line::new(Window::exact(line.score), codes(&line.pv))).collect();
        let searched = Searched {
            lines,
            score: info.score,
            depth: info.depth,
            best: pv.first().copied().unwrap_or_default(),
            pv,
            iterations: self.iterations,
            previous: *previous,
            tainted: info.tainted,
            exhaustive: false,
            nodes: outcome.nodes,
            game_ply: game.ply(),
            played: played(game),
            time: 0,
        };
        *previous = Some(last_score);
        searched
    }
}
