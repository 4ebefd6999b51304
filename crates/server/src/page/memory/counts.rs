//! The numbers of records by game and source.

use mnemon_explore::format;
use mnemon_memory::{Contributor, Statistics};

use super::super::html::escape;
use super::grouped;

/// The panel.
pub(super) fn panel(statistics: &Statistics, contributors: &[Contributor]) -> String {
    let mut counts: Vec<_> = statistics.counts.iter().collect();
    counts.sort_by_key(|count| (count.game.clone(), std::cmp::Reverse(count.records)));
    let most = counts.iter().map(|count| count.records).max().unwrap_or(1).max(1);
    let row = |count: &&mnemon_memory::Count| {
        format!(
            "<tr><td>{}</td><td>{}</td><td class=\"number\">{}</td><td>{}</td></tr>\n",
            escape(&count.game),
            escape(&format::source(&count.source, contributors)),
            grouped(count.records),
            bar(count.records as f64 / most as f64),
        )
    };
    let rows: String = counts.iter().map(row).collect();
    let body = if rows.is_empty() {
        "<p class=\"muted\">The memory is empty: a search, an import or a note is the first record.</p>".to_owned()
    } else {
        format!(
            "<table><thead><tr><th scope=\"col\">Game</th><th scope=\"col\">Source</th><th scope=\"col\" class=\"number\">Records\
             </th><th scope=\"col\"><span class=\"unseen\">Share</span></th></tr></thead><tbody>{rows}</tbody></table>"
        )
    };
    format!(
        "<section class=\"panel\" data-part=\"counts\" aria-labelledby=\"counts-title\"><h2 id=\"counts-title\">By game and source\
         </h2>\n{body}</section>"
    )
}

fn bar(share: f64) -> String {
    format!(
        "<svg class=\"bar\" viewBox=\"0 0 100 12\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"all\" \
         width=\"100\" height=\"12\" rx=\"3\"/><rect class=\"part\" width=\"{:.1}\" height=\"12\" rx=\"3\"/></svg>",
        (100.0 * share).max(1.5)
    )
}
