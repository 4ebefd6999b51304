//! The moves of a position that the memory knows, with scores on chessdb's scale.

use mnemon_chess::{Move, Position, to_code};
use mnemon_explore::Estimate;
use mnemon_memory::{Claim, Content, Record, Source, Trust};
use mnemon_search::{Game, WINS};
use mnemon_table::Score;

use crate::app::App;
use crate::error::ApiResult;

/// A position with its known moves, the best first.
pub(crate) struct KnownPosition {
    pub(crate) position: Position,
    pub(crate) moves: Vec<KnownMove>,
    /// The smallest known distance from the start of a game.
    pub(crate) ply: Option<u16>,
}

/// A move with its score for the side that plays it.
pub(crate) struct KnownMove {
    pub(crate) mv: Move,
    pub(crate) uci: String,
    pub(crate) score: i32,
    /// The known replies, and the good ones among them.
    pub(crate) replies: [usize; 2],
}

/// Bounds that differ by no more than this are one score, as everywhere in chess.
const NEAR: Score = 25;

/// A score with the depth of the search that it comes from.
#[derive(Clone, Copy)]
struct Scored {
    depth: u8,
    time: u32,
    score: Score,
}

impl KnownPosition {
    /// Reads the moves; of a named source only, or else of all that are believed. Replies are counted on request: they are
    /// many look-ups.
    pub(crate) fn read(app: &App, position: &Position, source: Option<&str>, with_replies: bool) -> ApiResult<Self> {
        let trust = Trust::recorded(&app.store.contributors()?);
        let counts = |known: &Source| match source {
            Some(name) => known.to_string() == name || known.name() == name,
            None => trust.believes(known),
        };
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        let after: Vec<Position> = legal.iter().map(|&mv| position.after(mv)).collect();
        let mut scores: Vec<Option<Scored>> = after.iter().map(by_rule).collect();
        let mut ply = None;
        let packed: Vec<Vec<u8>> = std::iter::once(position).chain(&after).map(pack).collect();
        let slices: Vec<&[u8]> = packed.iter().map(Vec::as_slice).collect();
        app.store.get_many(&Position::name(), &slices, &mut |number, source, record| {
            if !counts(source) {
            } else if let Some(child) = number.checked_sub(1) {
                take(&mut scores[child], scored(&record.from_parent()));
            } else {
                ply = [ply, Some(record.game_ply)].into_iter().flatten().filter(|&ply| ply != Record::NO_PLY).min();
                let best = legal.iter().position(|&mv| to_code(mv).get() == record.best);
                if let Some(best) = best {
                    take(&mut scores[best], scored(&record).map(Scored::one_ply_down));
                }
            }
        })?;
        for (source, content) in app.store.annotations(&Position::name(), &packed[0])? {
            if let (Content::Lines(lines), true) = (content, counts(&source)) {
                for (set, line) in lines.sets().iter().flat_map(|set| set.lines.iter().map(move |line| (set, line))) {
                    let first = legal.iter().position(|&mv| Some(to_code(mv).get()) == line.moves().first().copied());
                    let record = Record::between(line.window(), set.depth).found_at(set.time);
                    if let Some(first) = first {
                        take(&mut scores[first], scored(&record).map(Scored::one_ply_down));
                    }
                }
            }
        }
        let mut moves = Vec::new();
        for ((&mv, scored), after) in legal.iter().zip(&scores).zip(&after) {
            let Some(scored) = scored else { continue };
            let replies = if with_replies { count_replies(app, after, &counts)? } else { [0, 0] };
            moves.push(KnownMove { mv, uci: position.uci(mv), score: on_their_scale(scored.score), replies });
        }
        moves.sort_by(|a, b| {
            let key = |known: &KnownMove| (-known.score, known.replies[1], std::cmp::Reverse(known.replies[0]));
            (key(a), &a.uci).cmp(&(key(b), &b.uci))
        });
        Ok(KnownPosition { position: position.clone(), moves, ply })
    }
}

impl Scored {
    /// As deep as a search of the position after the move would have been.
    fn one_ply_down(self) -> Self {
        Scored { depth: self.depth.saturating_sub(1), ..self }
    }
}

fn pack(position: &Position) -> Vec<u8> {
    let mut bytes = Vec::new();
    position.pack(&mut bytes);
    bytes
}

/// What the rules alone say of a position, for the side that moved to it.
fn by_rule(position: &Position) -> Option<Scored> {
    if position.has_moves() {
        return None;
    }
    let score = if position.is_check() { -WINS.lost_at(1) } else { 0 };
    Some(Scored { depth: u8::MAX, time: 0, score })
}

/// The record's score, if it has one that is no mere bound; of a mate, one end is the score.
fn scored(record: &Record) -> Option<Scored> {
    let is_mate = |score: Score| WINS.plies(score).is_some();
    let (score, depth) = match Estimate::new(record, NEAR) {
        Estimate::Exact(score, depth) | Estimate::About(score, depth) => (score, depth),
        Estimate::AtLeast(Claim { score, depth, .. }) if score > 0 && is_mate(score) => (score, depth),
        Estimate::AtMost(Claim { score, depth, .. }) if score < 0 && is_mate(score) => (score, depth),
        _ => return None,
    };
    Some(Scored { depth, time: record.time, score })
}

/// Keeps the deeper, then the newer.
fn take(known: &mut Option<Scored>, other: Option<Scored>) {
    let rank = |scored: &Option<Scored>| scored.map(|scored| (scored.depth, scored.time, scored.score));
    if rank(&other) > rank(known) {
        *known = other;
    }
}

/// A mate in so many plies is 30000 less those; other scores are centipawns.
fn on_their_scale(score: Score) -> i32 {
    match WINS.plies(score).map(i32::from) {
        Some(plies) if score > 0 => 30_000 - plies.abs(),
        Some(plies) => plies.abs() - 30_000,
        None => score.into(),
    }
}

/// The replies that are known, and how many of them are good.
fn count_replies(app: &App, position: &Position, counts: &dyn Fn(&Source) -> bool) -> ApiResult<[usize; 2]> {
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);
    let packed: Vec<Vec<u8>> = legal.iter().map(|&mv| pack(&position.after(mv))).collect();
    let slices: Vec<&[u8]> = packed.iter().map(Vec::as_slice).collect();
    let mut scores: Vec<Option<Scored>> = vec![None; legal.len()];
    app.store.get_many(&Position::name(), &slices, &mut |number, source, record| {
        if counts(source) {
            take(&mut scores[number], scored(&record.from_parent()));
        }
    })?;
    let known: Vec<i32> = scores.iter().flatten().map(|scored| on_their_scale(scored.score)).collect();
    let least = known.iter().max().map_or(0.0, |&best| good_from(best));
    Ok([known.len(), known.iter().filter(|&&score| f64::from(score) >= least).count()])
}

/// From which score on a move is a good one beside the best: chessdb's `getthrottle`. Near equality moves up to 10
/// centipawns worse are good, less and less of them when one side stands better.
pub(crate) fn good_from(best: i32) -> f64 {
    const UPPER: [f64; 2] = [50.0, 75.0];
    const LOWER: [f64; 2] = [-50.0, -30.0];
    let near = |best: f64| best - 10.0 / (1.0 + (-best.abs() / 10.0).exp());
    let best = f64::from(best);
    if best >= UPPER[1] {
        best
    } else if best >= LOWER[1] {
        let near = near(best);
        near + ((best - UPPER[0]) / (UPPER[1] - UPPER[0])).max(0.0) * (best - near)
    } else if best > LOWER[0] {
        LOWER[0] + (best - LOWER[0]) / (LOWER[1] - LOWER[0]) * (near(LOWER[1]) - LOWER[0])
    } else {
        LOWER[0]
    }
}

/// From which score on a move is as good as the best: chessdb's `getbestthrottle`.
pub(crate) fn best_from(best: i32) -> f64 {
    let score = f64::from(best);
    if !(-30..50).contains(&best) {
        return score;
    }
    let near = score - 5.0 / (1.0 + (-score.abs() / 20.0).exp());
    if best > 0 { near.max(1.0) } else { near }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_from_30000() {
        assert_eq!(on_their_scale(-WINS.lost_at(1)), 29_999, "mate in one");
        assert_eq!(on_their_scale(WINS.lost_at(2)), -29_998, "mated in one");
        assert_eq!(on_their_scale(-35), -35);
    }

    #[test]
    fn good_moves_are_near_the_best() {
        for (best, good, as_good) in [(0, -5.0, -2.5), (100, 100.0, 100.0), (-40, -44.763, -40.0), (-80, -50.0, -80.0)]
        {
            let near = |a: f64, b: f64| (a - b).abs() < 0.35;
            assert!(near(good_from(best), good) && near(best_from(best), as_good), "{best}: {}", good_from(best));
        }
        assert!(best_from(2) >= 1.0, "a winning score is not as good as a draw");
    }
}
