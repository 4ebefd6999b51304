//! The contributors: whose records are here, and whose scores are believed.

use mnemon_explore::format;
use mnemon_memory::{Contributor, MemoryId, unix_time};

use super::super::html::escape;
use super::{View, grouped};

/// The panel.
pub(super) fn panel(view: &View) -> String {
    let rows: String = view.contributors.iter().map(|contributor| row(view, contributor)).collect();
    let body = if rows.is_empty() {
        "<p class=\"muted\">Everything here is this memory's own: nothing was merged or imported.</p>".to_owned()
    } else {
        format!(
            "<table><thead><tr><th scope=\"col\">Contributor</th><th scope=\"col\" class=\"number\">Records</th><th scope=\"col\" \
             class=\"minor\">Since</th><th scope=\"col\">Trust</th></tr></thead><tbody>{rows}</tbody></table>"
        )
    };
    format!(
        "<section class=\"panel\" data-part=\"contributors\" aria-labelledby=\"contributors-title\"><h2 id=\"contributors-title\">\
         Contributors</h2>\n{body}<p id=\"trust-state\" role=\"status\"></p></section>"
    )
}

fn row(view: &View, contributor: &Contributor) -> String {
    let label = escape(&contributor.label);
    let state = if contributor.trusted { "believed" } else { "not believed" };
    let button = if view.is_writable {
        let (verb, next) = if contributor.trusted { ("Distrust", false) } else { ("Trust", true) };
        format!(
            " <button type=\"button\" class=\"script\" id=\"trust-{id}\" data-trust=\"{next}\" data-contributor=\"{id}\" \
             aria-label=\"{verb} {label}\">{verb}</button>",
            id = contributor.id
        )
    } else {
        String::new()
    };
    format!(
        "<tr><td>{label} <span class=\"muted\">{}</span></td><td class=\"number\">{}</td><td class=\"minor when\">{}</td>\
         <td>{state}{button}</td></tr>\n",
        contributor.id.short(),
        grouped(records(view, contributor.id)),
        escape(&format::age(contributor.since, unix_time())),
    )
}

/// The records that came from him.
fn records(view: &View, id: MemoryId) -> u64 {
    let counts = view.statistics.counts.iter().filter(|count| count.source.contributor() == Some(id));
    counts.map(|count| count.records).sum()
}
