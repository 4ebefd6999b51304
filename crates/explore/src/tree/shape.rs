//! The shape of the tree: which positions it has, where each of them is expanded, and in which order they stand.

use std::collections::{HashMap, VecDeque};

use super::Bounds;
use super::choice::{Choice, Chosen};

/// A place in the tree, before its contents are known.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The place before the move; `None` for the root.
    pub(super) parent: Option<usize>,
    /// The move that leads here; of the root, a code of 0.
    pub(super) choice: Choice,
    pub(super) ply: u16,
    /// The place where the same position is expanded.
    pub(super) same_as: Option<usize>,
    /// The number of known moves that are not shown.
    pub(super) hidden: usize,
    /// Whether it is the first of its parent's moves, up to the root.
    pub(super) is_main: bool,
}

/// The places of the tree in reading order, and whether the bound on their number left some out.
pub(super) struct Shape {
    pub(super) places: Vec<Place>,
    pub(super) is_cut: bool,
}

/// Lays the tree out level by level, so that every position is expanded where it is nearest to the root, then brings the
/// places into reading order. `choose` gives the moves of a node of the graph.
pub(super) fn shape(bounds: &Bounds, choose: impl Fn(usize) -> Chosen) -> Shape {
    let root = Choice { code: 0, to: Some(0) };
    let mut places = vec![Place { parent: None, choice: root, ply: 0, same_as: None, hidden: 0, is_main: true }];
    let mut expanded = HashMap::from([(0, 0)]);
    let mut queue = VecDeque::from([0]);
    let mut is_cut = false;
    while let Some(number) = queue.pop_front() {
        let Place { choice: Choice { to: Some(node), .. }, ply, is_main, .. } = places[number] else { continue };
        let Chosen { moves, hidden } = choose(node);
        let room = bounds.nodes.max(1).saturating_sub(places.len());
        let shown = if ply < bounds.plies { moves.len().min(room) } else { 0 };
        is_cut |= ply < bounds.plies && shown < moves.len();
        places[number].hidden = hidden + moves.len() - shown;
        for (order, choice) in moves.into_iter().take(shown).enumerate() {
            let same_as = choice.to.and_then(|node| expanded.get(&node).copied());
            let is_main = is_main && order == 0;
            if let (Some(node), None) = (choice.to, same_as) {
                expanded.insert(node, places.len());
                queue.push_back(places.len());
            }
            places.push(Place { parent: Some(number), choice, ply: ply + 1, same_as, hidden: 0, is_main });
        }
    }
    Shape { places: in_reading_order(places), is_cut }
}

/// Each place before those below it, which keep their order.
fn in_reading_order(places: Vec<Place>) -> Vec<Place> {
    let mut children = vec![Vec::new(); places.len()];
    for (number, place) in places.iter().enumerate() {
        if let Some(parent) = place.parent {
            children[parent].push(number);
        }
    }
    let (mut order, mut stack) = (vec![0; places.len()], vec![0]);
    let mut next = 0;
    while let Some(number) = stack.pop() {
        order[number] = next;
        next += 1;
        stack.extend(children[number].iter().rev());
    }
    let mut renumbered: Vec<(usize, Place)> = places.into_iter().enumerate().collect();
    renumbered.sort_by_key(|&(number, _)| order[number]);
    let renumber = |number: Option<usize>| number.map(|number| order[number]);
    let place = |(_, place): (usize, Place)| Place {
        parent: renumber(place.parent),
        same_as: renumber(place.same_as),
        ..place
    };
    renumbered.into_iter().map(place).collect()
}
