//! The tree of a position: reads the known graph, backs its values up, and fills the places of the tree.

use std::collections::HashSet;

use mnemon_memory::policy::tree as policy;
use mnemon_memory::recall::{KnownGraph, explore_best_first};
use mnemon_memory::{Content, Result, Store};
use mnemon_search::Notation;

use super::choice::{Choice, Valued};
use super::judge::Judge;
use super::node::{Tree, TreeNode, Value};
use super::shape::{Place, Shape, shape};
use super::{Bounds, TreeQuery, seen_from};
use crate::notation::{HEX, Position, longer_line, to_hex};
use crate::openings;

/// What is known of the game before the root.
pub(crate) struct Before<'a, G> {
    /// The positions before the root.
    pub(crate) positions: &'a [G],
}

/// The known tree below the root. `hidden` is the root as a position of any game.
///
/// # Errors
/// A store that cannot be read.
pub(crate) fn build<G: Notation>(
    root: &G,
    hidden: &dyn Position,
    before: &Before<'_, G>,
    store: &dyn Store,
    query: &TreeQuery<'_>,
) -> Result<Tree> {
    let mut graph = explore_best_first(store, root, query.budget)?;
    graph.nodes.iter_mut().for_each(|node| query.retain(&mut node.records));
    Builder::new(root, hidden, before, Judge::new(store, query)?, &graph).tree(store, query)
}

struct Builder<'b, G> {
    root: &'b G,
    hidden: &'b dyn Position,
    before: &'b Before<'b, G>,
    /// The root's ply in its game, if it is known.
    ply: Option<u16>,
    judge: Judge<'b>,
    valued: Valued<'b, G>,
}

impl<'b, G: Notation> Builder<'b, G> {
    fn new(
        root: &'b G,
        hidden: &'b dyn Position,
        before: &'b Before<'b, G>,
        judge: Judge<'b>,
        graph: &'b KnownGraph<G>,
    ) -> Self {
        let first = before.positions.first().unwrap_or(root);
        let ply = first.game_ply().map(|ply| ply.saturating_add(before.positions.len() as u16));
        let searched = |records| judge.best_search(records).map(|&(_, record)| record).unwrap_or_default();
        let searched = graph.nodes.iter().map(|node| searched(&node.records)).collect();
        let backed_up = policy::back_up(graph, &judge.trust, judge.own);
        Builder { root, hidden, before, ply, judge, valued: Valued { graph, backed_up, searched } }
    }

    fn tree(&self, store: &dyn Store, query: &TreeQuery<'_>) -> Result<Tree> {
        let graph = self.valued.graph;
        let Shape { places, is_cut } = shape(&query.bounds, |node| self.valued.choose(node, &query.bounds));
        let mut nodes: Vec<TreeNode> = Vec::with_capacity(places.len());
        let mut positions: Vec<G> = Vec::with_capacity(places.len());
        for place in &places {
            let (position, name) = match place.parent.map(|parent| &positions[parent]) {
                Some(parent) => self.step(parent, place),
                None => (self.root.clone(), MoveName::default()),
            };
            let node = self.node(place, &position, name, &nodes);
            nodes.push(self.with_annotations(node, place, &position, store)?);
            positions.push(position);
        }
        let is_leaf = |number: usize| places.get(number + 1).is_none_or(|next| next.parent != Some(number));
        for number in (0..nodes.len()).filter(|&number| !is_leaf(number)) {
            nodes[number].continuation.clear();
        }
        set_references(&mut nodes, &places);
        Ok(Tree {
            game: self.hidden.game().to_string(),
            position: self.hidden.text(),
            packed: to_hex(&self.hidden.packed()),
            scores_for: self.hidden.mover(),
            is_start: G::initial().as_ref() == Some(self.root),
            line: self.line_before(),
            opening: self.opening(),
            main_line: self.main_line(),
            nodes,
            bounds: query.bounds,
            is_cut,
            known: graph.nodes.iter().filter(|node| !node.records.is_empty()).count(),
            is_complete: graph.is_complete,
        })
    }

    /// The position after the place's move, and the move.
    fn step(&self, parent: &G, place: &Place) -> (G, MoveName) {
        let Some(mv) = parent.legal().into_iter().find(|&mv| G::code(mv).get() == place.choice.code) else {
            return (parent.clone(), MoveName::default());
        };
        let ply = self.ply.map(|ply| ply.saturating_add(place.ply - 1));
        let name = MoveName { plain: parent.write_move(mv), numbered: parent.write_in_line(mv, ply, true) };
        (parent.after(mv).unwrap_or_else(|| parent.clone()), name)
    }

    fn node(&self, place: &Place, position: &G, name: MoveName, nodes: &[TreeNode]) -> TreeNode {
        let Place { parent, choice, ply, hidden, is_main, .. } = *place;
        let mut packed = Vec::new();
        position.pack(&mut packed);
        let records = choice.to.map_or(&[][..], |node| &self.valued.graph.nodes[node].records);
        let text = match parent {
            Some(parent) if G::WRITTEN_AS_LINES && !nodes[parent].position.starts_with(HEX) => {
                longer_line(&nodes[parent].position, &name.plain)
            }
            Some(_) => position.write().unwrap_or_else(|| format!("{HEX}{}", to_hex(&packed))),
            None => self.hidden.text(),
        };
        TreeNode {
            parent,
            ply,
            name: name.numbered,
            mv: name.plain,
            code: choice.code,
            opening: openings::name(&G::name(), &packed),
            ending: position.ending(),
            searched: self.judge.searched(self.hidden, records, ply),
            backed_up: self.backed_up(place, nodes),
            is_main,
            more: hidden,
            sources: records.len(),
            continuation: self.continuation(choice),
            ..TreeNode::new(text, to_hex(&packed))
        }
    }

    /// The value of the place: of its node, or, for the best move of a search that has no node, the parent's.
    fn backed_up(&self, place: &Place, nodes: &[TreeNode]) -> Option<Value> {
        match (place.choice.to, place.parent) {
            (Some(node), _) => {
                let record = &self.valued.backed_up[node];
                let is_known = record.stronger_end().is_known();
                is_known.then(|| Value::new(self.hidden, &seen_from(record, place.ply)))
            }
            (None, Some(parent)) => nodes[parent].backed_up.clone(),
            (None, None) => None,
        }
    }

    /// Notes are counted, and a line of the search stands where nothing known follows.
    fn with_annotations(&self, mut node: TreeNode, place: &Place, position: &G, store: &dyn Store) -> Result<TreeNode> {
        let Some(known) = place.choice.to.map(|node| &self.valued.graph.nodes[node]) else { return Ok(node) };
        for (_, content) in store.annotations(&G::name(), &known.packed)? {
            match content {
                Content::Note(_) => node.notes += 1,
                Content::Lines(lines) if node.continuation.is_empty() => {
                    let line = lines.deepest(1).and_then(|set| set.lines.first());
                    node.continuation =
                        line.map_or_else(Vec::new, |line| names(position, line.moves().iter().copied()));
                }
                Content::Lines(_) => {}
            }
        }
        Ok(node)
    }

    /// The best known moves from a node on.
    fn continuation(&self, choice: Choice) -> Vec<String> {
        let Some(first) = choice.to else { return Vec::new() };
        let graph = self.valued.graph;
        let (mut codes, mut visited, mut at) = (Vec::new(), vec![first], Some(first));
        while let Some(node) = at.filter(|_| codes.len() < MAX_CONTINUATION) {
            let best = self.valued.value(node).best;
            let Some(&(_, child)) = graph.nodes[node].moves.iter().find(|&&(code, _)| code == best) else { break };
            codes.push(best);
            at = child.filter(|child| !visited.contains(child));
            visited.extend(at);
        }
        names(&graph.nodes[first].position, codes)
    }

    /// The best moves, one after the other, as far as they are known.
    fn main_line(&self) -> Vec<String> {
        let best_alone = Bounds { width: 1, ..Bounds::default() };
        let (mut codes, mut visited, mut at) = (Vec::new(), HashSet::from([0]), Some(0));
        while let Some(best) = at.and_then(|node| self.valued.choose(node, &best_alone).moves.first().copied()) {
            codes.push(best.code);
            at = best.to.filter(|&to| visited.insert(to));
        }
        self.numbered(self.root, self.ply, &codes)
    }

    /// The moves that lead to the root, from one position to the next.
    fn line_before(&self) -> Vec<String> {
        let line = if G::WRITTEN_AS_LINES { &[] } else { self.before.positions };
        let next = line.iter().skip(1).chain([self.root]);
        let start = line.first().and_then(Notation::game_ply);
        let step = |(number, (at, next)): (usize, (&G, &G))| {
            let mv = at.legal().into_iter().find(|&mv| at.after(mv).as_ref() == Some(next))?;
            Some(at.write_in_line(mv, start.map(|ply| ply.saturating_add(number as u16)), number == 0))
        };
        line.iter().zip(next).enumerate().map_while(step).collect()
    }

    /// The name of the root's opening, or of the last position before it that has one.
    fn opening(&self) -> Option<&'static str> {
        let packed = |position: &G| {
            let mut packed = Vec::new();
            position.pack(&mut packed);
            packed
        };
        let line: Vec<Vec<u8>> = self.before.positions.iter().chain([self.root]).map(packed).collect();
        openings::name_of_line(&G::name(), line.iter().map(Vec::as_slice))
    }

    /// Moves with their numbers, as in `2.Nf3 d6 3.d4`.
    fn numbered(&self, from: &G, ply: Option<u16>, codes: &[u16]) -> Vec<String> {
        let (mut at, mut words) = (from.clone(), Vec::new());
        for (number, &code) in codes.iter().enumerate() {
            let Some(mv) = at.legal().into_iter().find(|&mv| G::code(mv).get() == code) else { break };
            words.push(at.write_in_line(mv, ply.map(|ply| ply.saturating_add(number as u16)), number == 0));
            let Some(after) = at.after(mv) else { break };
            at = after;
        }
        words
    }
}

/// The most moves of a continuation.
const MAX_CONTINUATION: usize = 8;

/// A move as text.
#[derive(Default)]
struct MoveName {
    plain: String,
    numbered: String,
}

/// The moves with these codes, as far as they are legal and not more than a continuation has.
fn names<G: Notation>(position: &G, codes: impl IntoIterator<Item = u16>) -> Vec<String> {
    let (mut at, mut words) = (position.clone(), Vec::new());
    for code in codes.into_iter().take(MAX_CONTINUATION) {
        let Some(mv) = at.legal().into_iter().find(|&mv| G::code(mv).get() == code) else { break };
        words.push(at.write_move(mv));
        let Some(after) = at.after(mv) else { break };
        at = after;
    }
    words
}

/// Numbers the nodes that others refer to, and marks the references.
fn set_references(nodes: &mut [TreeNode], places: &[Place]) {
    let targets: std::collections::BTreeSet<usize> = places.iter().filter_map(|place| place.same_as).collect();
    for (label, target) in targets.into_iter().enumerate() {
        nodes[target].label = Some(label + 1);
    }
    for number in 0..nodes.len() {
        nodes[number].same_as = places[number].same_as;
        let above = std::iter::successors(nodes[number].parent, |&above| nodes[above].parent);
        nodes[number].repeats =
            places[number].same_as.is_some_and(|target| above.into_iter().any(|above| above == target));
    }
}
