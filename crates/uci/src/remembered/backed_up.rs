//! Values backed up from following positions: what going forward and backward through variations changes at the root.

use mnemon_chess::{Move, Position, to_code};
use mnemon_memory::policy::tree;
use mnemon_memory::recall::{Budget, KnownGraph, explore};
use mnemon_memory::{Line, Record, Result, Store};
use mnemon_search::MAX_DEPTH;
use mnemon_table::{Score, Window};

use super::{Reader, RememberedLine, decoded, own_lines};
use crate::observer::is_verdict;

/// The lines of the root's own searches, corrected and completed by what is known of the positions behind its moves, the best
/// first; and how many known positions were read.
///
/// A searched line is replaced where analysis below its first move, of the same depth at least, contradicts its score or
/// knows it more deeply. Moves that no search of the root showed are added where they are known as deeply.
pub(super) fn improved(
    store: &dyn Store,
    reader: &Reader,
    root: &Position,
    searched: Vec<RememberedLine>,
    budget: Budget,
) -> Result<(Vec<RememberedLine>, usize)> {
    let graph = Graph::explore(store, reader, root, budget)?;
    let searched_to = searched.first().map(|line| line.depth);
    let (mut lines, mut is_changed) = (searched, false);
    for &(code, child) in &graph.known.nodes[0].moves {
        let Some(child) = child else { continue };
        let Some((window, depth)) = graph.seen_from_parent(child) else { continue };
        let Some(&first) = decoded(root, &[code]).first() else { continue };
        let known = lines.iter_mut().find(|line| line.moves[0] == first);
        let is_better = match &known {
            Some(line) => depth >= line.depth && contradicts(line.window, window, depth > line.depth),
            None => searched_to.is_none_or(|searched_to| depth >= searched_to),
        };
        if !is_better {
            continue;
        }
        let line = RememberedLine { depth, window, moves: graph.line(first, child)?, is_backed_up: true };
        match known {
            Some(known) => *known = line,
            None => lines.push(line),
        }
        is_changed = true;
    }
    if is_changed {
        lines.retain(|line| line.window.lower != Window::NO_LOWER || !line.is_backed_up);
        lines.sort_by_key(|line| std::cmp::Reverse(sort_score(line)));
        graph.weaken_first(&mut lines);
    }
    let positions = graph.known.nodes.iter().filter(|node| !node.records.is_empty()).count();
    Ok((lines, positions))
}

/// Whether what is known below replaces the window of a search of the root: it excludes that score, or knows an exact one by
/// a deeper search.
fn contradicts(searched: Window, below: Window, is_deeper: bool) -> bool {
    let excludes = searched.intersect(below).is_none();
    below != searched && (excludes || is_deeper && is_verdict(below))
}

fn lower(window: Window) -> Score {
    if window.lower != Window::NO_LOWER { window.lower } else { window.upper }
}

fn sort_score(line: &RememberedLine) -> Score {
    lower(line.window)
}

/// The known positions below the root with their backed-up values.
struct Graph<'a> {
    store: &'a dyn Store,
    reader: &'a Reader,
    known: KnownGraph<Position>,
    values: Vec<Record>,
}

impl<'a> Graph<'a> {
    fn explore(store: &'a dyn Store, reader: &'a Reader, root: &Position, budget: Budget) -> Result<Self> {
        let mut known = explore(store, root, budget)?;
        for node in &mut known.nodes {
            node.records.retain(|(source, _)| reader.is(source));
        }
        let values = tree::back_up(&known, &reader.trust, &reader.source);
        Ok(Graph { store, reader, known, values })
    }

    /// The value of a node for the side that moves to it, and the depth to which it holds.
    fn seen_from_parent(&self, node: usize) -> Option<(Window, u8)> {
        let (window, depth) = self.values[node].from_parent().window();
        (!window.is_unknown()).then_some((window, depth.saturating_add(1).min(MAX_DEPTH)))
    }

    /// The first move, then the best moves of the known positions to the one whose own search the value comes from, and the
    /// line of that search.
    fn line(&self, first: Move, child: usize) -> Result<Vec<Move>> {
        let (mut moves, mut at) = (vec![first], child);
        let mut passed = vec![0];
        while !passed.contains(&at) && moves.len() < Line::MAX_MOVES {
            passed.push(at);
            let (node, value) = (&self.known.nodes[at], self.values[at]);
            let lines = own_lines(self.store, self.reader, &node.position)?;
            let own = lines.deepest(1).filter(|set| set.depth >= value.lower.depth).map(|set| &set.lines[0]);
            if let Some(own) = own.filter(|own| own.moves().first() == Some(&value.best)) {
                moves.extend(decoded(&node.position, own.moves()));
                break;
            }
            let Some(&mv) = decoded(&node.position, &[value.best]).first() else { break };
            moves.push(mv);
            let code = to_code(mv).get();
            let Some(next) = node.moves.iter().find(|&&(other, _)| other == code).and_then(|&(_, next)| next) else {
                break;
            };
            at = next;
        }
        moves.truncate(Line::MAX_MOVES);
        Ok(moves)
    }

    /// The first line's score is the root's value only as far as no other move can be better.
    fn weaken_first(&self, lines: &mut [RememberedLine]) {
        let value = self.values[0];
        let Some(first) = lines.first_mut().filter(|line| line.is_backed_up) else { return };
        let is_limited = value.upper.is_known() && value.upper.score <= first.window.lower;
        if !is_limited && first.window.lower != Window::NO_LOWER {
            first.window = Window::at_least(first.window.lower);
        }
    }
}
