//! What was analysed: the roots of searches, the newest first, and the known lines that lead to them.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use mnemon_memory::recall::{Budget, KnownGraph, explore_best_first};
use mnemon_memory::{Age, Flags, Item, Range, Record, Result, Source, Store};
use mnemon_search::Notation;
use serde::Serialize;

use super::columns::{Column, table, wrapped};
use super::judge::Judge;
use super::node::Searched;
use super::{TreeQuery, text};
use crate::notation::{Games, Position, to_hex};
use crate::{format, openings};

/// A position that was analysed.
#[derive(Serialize)]
pub struct Analysed {
    /// The game's name.
    pub game: String,
    /// The position in the game's notation.
    pub position: String,
    /// The form in which memories keep it, as hexadecimal digits.
    pub packed: String,
    /// The side to move, which the score is for.
    pub scores_for: &'static str,
    /// The opening that the position, or the line to it, belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<&'static str>,
    /// Whether the game begins here.
    pub is_start: bool,
    /// The shortest known line from the start of the game, with move numbers; empty if none was found or the position is
    /// written as a line.
    pub line: Vec<String>,
    /// What the search found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub searched: Option<Searched>,
    /// The best move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
    /// When it was last learned or used, in seconds since 1970.
    pub time: u32,
}

/// What may be read to find the lines that lead to the roots.
const FOR_LINES: Budget = Budget { positions: 200_000, plies: 200, time: Duration::from_millis(200) };

/// The last `limit` positions that were roots of a search, the newest first; of all games, or of one.
///
/// # Errors
/// A store that cannot be read.
pub fn recent(store: &dyn Store, query: &TreeQuery<'_>, game: Option<&str>, limit: usize) -> Result<Vec<Analysed>> {
    let roots = newest_roots(store, query, game, limit)?;
    let games = Games::new();
    let judge = Judge::new(store, query)?;
    let mut lines = HashMap::new();
    for name in roots.iter().map(|root| &root.game).collect::<HashSet<_>>() {
        let packed: Vec<&[u8]> = roots.iter().filter(|root| root.game == *name).map(|root| &*root.packed).collect();
        lines.extend(games.lines_from_start(name, store, &packed)?.into_iter().map(|line| (line.packed.clone(), line)));
    }
    let analysed = |root: Root| {
        let position = games.unpack(&root.game, &root.packed)?;
        let line = lines.remove(&root.packed);
        Some(Analysed::new(&*position, &root, line, &judge))
    };
    Ok(roots.into_iter().filter_map(analysed).collect())
}

/// A root with the records of all its searches.
struct Root {
    game: Arc<str>,
    packed: Vec<u8>,
    records: Vec<(Source, Record)>,
}

fn newest_roots(store: &dyn Store, query: &TreeQuery<'_>, game: Option<&str>, limit: usize) -> Result<Vec<Root>> {
    let range = Range { game, roots: Some(Age::NewestFirst), ..Range::default() };
    let mut roots: Vec<Root> = Vec::new();
    let mut numbers: HashMap<(Arc<str>, Vec<u8>), usize> = HashMap::new();
    store.scan(&range, &mut |Item { key, record }| {
        let is_meant = query.only.is_none_or(|only| only(&key.source)) && !key.source.is_player();
        if !is_meant || !record.flags.contains(Flags::ROOT) {
            return ControlFlow::Continue(());
        }
        let place = (Arc::clone(&key.game), key.position.to_vec());
        match numbers.get(&place) {
            Some(&number) => roots[number].records.push((key.source, record)),
            None if roots.len() < limit => {
                numbers.insert(place.clone(), roots.len());
                roots.push(Root { game: place.0, packed: place.1, records: vec![(key.source, record)] });
            }
            None => return ControlFlow::Break(()),
        }
        ControlFlow::Continue(())
    })?;
    Ok(roots)
}

impl Analysed {
    fn new(position: &dyn Position, root: &Root, line: Option<KnownLine>, judge: &Judge<'_>) -> Self {
        let best = judge.best_search(&root.records).and_then(|(_, record)| position.write_move(record.best));
        let here = openings::name(&root.game, &root.packed);
        Analysed {
            game: root.game.to_string(),
            position: position.text(),
            packed: to_hex(&root.packed),
            scores_for: position.mover(),
            opening: here.or(line.as_ref().and_then(|line| line.opening)),
            is_start: line.as_ref().is_some_and(|line| line.moves.is_empty()),
            line: line.map(|line| line.moves).unwrap_or_default(),
            searched: judge.searched(position, &root.records, 0),
            best,
            time: root.records.iter().map(|(_, record)| record.time).max().unwrap_or(0),
        }
    }

    /// How a person calls the position: its opening and the moves that lead to it, or else its notation. What follows the
    /// colon can be typed as a position.
    pub fn name(&self) -> String {
        let place = match (self.is_start, self.line.is_empty()) {
            (true, _) => "startpos".to_owned(),
            (false, true) => self.position.clone(),
            (false, false) => self.line.join(" "),
        };
        self.opening.map_or_else(|| place.clone(), |opening| format!("{opening}: {place}"))
    }
}

/// A known line from the start of the game.
pub(crate) struct KnownLine {
    /// The position that it leads to.
    pub(crate) packed: Vec<u8>,
    moves: Vec<String>,
    opening: Option<&'static str>,
}

/// The shortest known lines from the start of the game to these positions, as far as they are found at once.
pub(crate) fn lines_from_start<G: Notation>(store: &dyn Store, positions: &[&[u8]]) -> Result<Vec<KnownLine>> {
    let Some(start) = G::initial().filter(|_| !G::WRITTEN_AS_LINES) else { return Ok(Vec::new()) };
    let graph = explore_best_first(store, &start, FOR_LINES)?;
    let paths = Paths::new(&graph);
    let wanted: HashSet<&[u8]> = positions.iter().copied().collect();
    let found = (0..graph.nodes.len()).filter(|&number| wanted.contains(&*graph.nodes[number].packed));
    Ok(found.filter_map(|number| paths.line(number)).collect())
}

/// The move by which each position is reached first.
struct Paths<'k, G> {
    graph: &'k KnownGraph<G>,
    from: Vec<Option<(usize, u16)>>,
}

impl<'k, G: Notation> Paths<'k, G> {
    fn new(graph: &'k KnownGraph<G>) -> Self {
        let mut from = vec![None; graph.nodes.len()];
        let mut queue = VecDeque::from([0]);
        while let Some(number) = queue.pop_front() {
            for &(code, child) in &graph.nodes[number].moves {
                if let Some(child) = child.filter(|&child| child != 0 && from[child].is_none()) {
                    from[child] = Some((number, code));
                    queue.push_back(child);
                }
            }
        }
        Paths { graph, from }
    }

    /// The line to a position; `None` if no moves are known that lead to it.
    fn line(&self, number: usize) -> Option<KnownLine> {
        let mut steps: Vec<(usize, u16)> =
            std::iter::successors(self.from[number], |&(above, _)| self.from[above]).collect();
        steps.reverse();
        if number != 0 && steps.is_empty() {
            return None;
        }
        let word = |(ply, &(at, code)): (usize, &(usize, u16))| {
            let position = &self.graph.nodes[at].position;
            let mv = position.legal().into_iter().find(|&mv| G::code(mv).get() == code)?;
            Some(position.write_in_line(mv, Some(ply as u16), false))
        };
        let moves = steps.iter().enumerate().filter_map(word).collect();
        let passed = steps.iter().map(|&(at, _)| at).chain([number]);
        let opening = openings::name_of_line(&G::name(), passed.map(|at| &*self.graph.nodes[at].packed));
        Some(KnownLine { packed: self.graph.nodes[number].packed.to_vec(), moves, opening })
    }
}

/// The positions as text for a terminal of this width.
pub fn draw(analysed: &[Analysed], width: usize, now: u32) -> String {
    let width = width.max(text::MIN_WIDTH);
    let column = |head, is_number, expendable, cell: &dyn Fn(&Analysed) -> String| Column {
        head,
        is_number,
        expendable,
        cells: analysed.iter().map(cell).collect(),
    };
    let of_search =
        |write: fn(&Searched) -> String| move |one: &Analysed| one.searched.as_ref().map_or_else(String::new, write);
    let columns = vec![
        column("age", false, 0, &|one| format::age(one.time, now)),
        column("score", true, 0, &of_search(|found| found.value.text.clone())),
        column("depth", true, 1, &of_search(|found| text::depth(&found.value))),
        column("best", false, 2, &|one| one.best.clone().unwrap_or_default()),
        column("source", false, 3, &of_search(|found| found.source.clone())),
    ];
    const INDENT: &str = "    ";
    let rows = table(columns, width);
    let mut lines = rows.lines();
    let mut text = wrapped("Analysed, the newest first; scores are for the side to move.", width, 2);
    text += &lines.next().map(|head| format!("\n{head}\n")).unwrap_or_default();
    for (one, row) in analysed.iter().zip(lines) {
        text += &format!("{row}\n");
        text.extend(wrapped(&one.name(), width - INDENT.len(), 0).lines().map(|line| format!("{INDENT}{line}\n")));
    }
    text
}
