//! Learn: after a search, what it found becomes records. Findings may come from anywhere; [`TableWalk`] reads them from
//! the table of our own searches.

mod game;
mod table_walk;

use std::sync::Arc;

use mnemon_search::{Game, MAX_DEPTH};
use mnemon_table::Window;

pub use game::{PlayedGame, learned_games};
pub use table_walk::TableWalk;

use crate::policy::{PlayedPosition, Retention, Searched, claims};
use crate::{Annotation, Claim, Content, Flags, Item, Key, Line, LineSet, Origins, Record, Source};

/// What a search found about one position.
///
/// The window must be the position's own: one that depends on the path to the position, by a repetition or a move
/// counter, must not become a finding, and neither must a window that was recalled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The packed position.
    pub position: Box<[u8]>,
    /// What is known about its value, wins counted from this position.
    pub window: Window,
    /// The depth of the search, in plies.
    pub depth: u8,
    /// The best move in the game's own code; 0 is none.
    pub best: u16,
    /// Nodes searched below the position.
    pub nodes: u64,
    /// Its distance from the root of the search.
    pub ply: u16,
    /// Whether every line was searched to the end of the game.
    pub is_exhaustive: bool,
    /// Whether it is on the principal variation.
    pub is_on_pv: bool,
}

impl Finding {
    /// The record to keep of it.
    fn record(&self, searched: &Searched) -> Record {
        let (lower, upper) = claims(self.window, self.depth, self.is_exhaustive);
        let game_ply = searched.game_ply;
        Record {
            lower,
            upper,
            best: self.best,
            origins: if self.is_on_pv { Origins::SEARCH.union(Origins::PV) } else { Origins::SEARCH },
            flags: Flags::NONE,
            game_ply: if game_ply == Record::NO_PLY { game_ply } else { game_ply.saturating_add(self.ply) },
            root_ply: self.ply,
            nodes: self.nodes,
            time: 0,
        }
        .found_at(searched.time)
    }
}

/// The items to merge into the memory after a search of `root` by `own`: the root's record, and those of the findings,
/// as far as the retention keeps them. Findings are not read if only the root is kept.
pub fn collect_records<G: Game>(
    retention: &Retention,
    own: &Source,
    root: &G,
    searched: &Searched,
    findings: impl IntoIterator<Item = Finding>,
) -> Vec<Item> {
    let game = Arc::from(G::name());
    let root_item = |record| Item { key: Key::new(&game, packed(root), own), record };
    match *retention {
        Retention::Nothing => Vec::new(),
        Retention::Root(record) => vec![root_item(record)],
        Retention::Tree { root: record, least_depth, most } => {
            let is_kept = |finding: &Finding| finding.ply == 0 || finding.is_on_pv || finding.depth >= least_depth;
            let kept = findings.into_iter().filter(is_kept).take(most);
            let items = kept.map(|finding| {
                let record = finding.record(searched);
                Item { key: Key::new(&game, finding.position, own), record }
            });
            let mut items: Vec<Item> = items.filter(|item| !item.record.is_empty()).collect();
            items.extend(record.and_then(|root| {
                let played = searched.played.last()?;
                let record = reached_by(&root, played, searched.time)?;
                Some(Item { key: Key::new(&game, played.position.clone(), own), record })
            }));
            items.sort_unstable_by(|a, b| a.key.position.cmp(&b.key.position));
            items.extend(record.map(root_item));
            items
        }
    }
}

/// What the position before the root is worth at least, since the move that was played there leads to the root: the search of
/// a refutation corrects what was thought before it.
fn reached_by(root: &Record, played: &PlayedPosition, time: u32) -> Option<Record> {
    let lower = root.from_parent().lower;
    let depth = if lower.depth < MAX_DEPTH { lower.depth + 1 } else { lower.depth };
    let link = played.record(time);
    let origins = link.origins.union(Origins::SEARCH);
    lower.is_known().then_some(Record { lower: Claim { depth, ..lower }, origins, ..link })
}

/// The lines to keep of a search of `root` by `own`: those of its last finished iteration, where whole analyses are kept.
pub fn collect_lines<G: Game>(
    retention: &Retention,
    own: &Source,
    root: &G,
    searched: &Searched,
) -> Option<Annotation> {
    let Retention::Tree { root: Some(_), .. } = retention else { return None };
    let lines: Vec<Line> = searched.lines.iter().take(LineSet::MAX_LINES).cloned().collect();
    let set = LineSet { depth: searched.depth, time: searched.time, lines };
    let annotation =
        Annotation { key: Key::new(&Arc::from(G::name()), packed(root), own), content: Content::Lines(set.into()) };
    annotation.validate().is_ok().then_some(annotation)
}

pub(crate) fn packed<G: Game>(position: &G) -> Box<[u8]> {
    let mut bytes = Vec::new();
    position.pack(&mut bytes);
    bytes.into()
}
