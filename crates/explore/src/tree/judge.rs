//! Whose search of a position is shown.

use mnemon_memory::{Contributor, Record, Result, Source, Store, Trust};

use super::node::{Searched, Tree, TreeNode, Value};
use super::{TreeQuery, seen_from};
use crate::format;
use crate::notation::{Position, to_hex};
use crate::views_of;

/// Who is believed, and the names of contributors.
pub(super) struct Judge<'a> {
    pub(super) trust: Trust,
    pub(super) own: &'a Source,
    contributors: Vec<Contributor>,
}

impl<'a> Judge<'a> {
    /// Who asks for the records of some sources believes them; otherwise it is as the memory's owner says.
    pub(super) fn new(store: &dyn Store, query: &TreeQuery<'a>) -> Result<Self> {
        let contributors = store.contributors()?;
        let trust = match query.only {
            Some(_) => Trust::of(store.statistics()?.counts.iter().flat_map(|count| count.source.foundations())),
            None => Trust::recorded(&contributors),
        };
        Ok(Judge { trust, own: query.own, contributors })
    }

    /// The search that says most of a position: believed before not believed, then the deepest, then the newest.
    pub(super) fn best_search<'r>(&self, records: &'r [(Source, Record)]) -> Option<&'r (Source, Record)> {
        let has_score = |record: &Record| record.stronger_end().is_known();
        let searches = records.iter().filter(|(source, record)| !source.is_player() && has_score(record));
        searches.max_by_key(|(source, record)| {
            let end = record.stronger_end();
            (self.trust.believes(source), end.depth, end.time)
        })
    }

    /// That search's value, seen from `plies` above the position.
    pub(super) fn searched(&self, root: &dyn Position, records: &[(Source, Record)], plies: u16) -> Option<Searched> {
        let (source, record) = self.best_search(records)?;
        let found = record.stronger_end().time;
        Some(Searched {
            value: Value::new(root, &seen_from(record, plies)),
            source: format::source(source, &self.contributors),
            time: if found == 0 { record.time } else { found },
            is_believed: self.trust.believes(source),
        })
    }
}

/// The tree of a position of a game whose rules are not known here: the root alone.
pub(crate) fn without_rules(root: &dyn Position, store: &dyn Store, query: &TreeQuery<'_>) -> Result<Tree> {
    let mut records = views_of(store, root)?;
    query.retain(&mut records);
    let node = TreeNode {
        searched: Judge::new(store, query)?.searched(root, &records, 0),
        sources: records.len(),
        is_main: true,
        ..TreeNode::new(root.text(), to_hex(&root.packed()))
    };
    Ok(Tree {
        game: root.game().to_string(),
        position: root.text(),
        packed: to_hex(&root.packed()),
        scores_for: root.mover(),
        is_start: false,
        line: Vec::new(),
        opening: None,
        main_line: Vec::new(),
        nodes: vec![node],
        bounds: query.bounds,
        is_cut: false,
        known: usize::from(!records.is_empty()),
        is_complete: true,
    })
}
