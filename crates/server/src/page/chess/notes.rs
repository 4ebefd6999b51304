//! Notes: what people wrote of the position, and a form to write one.

use super::super::html::escape;
use super::View;

/// The panel. The form stays when the position changes; the notes are of the position.
pub(super) fn panel(view: &View) -> String {
    format!(
        "<section class=\"panel\" aria-labelledby=\"notes-title\"><h2 id=\"notes-title\">Notes</h2>\n{}\n{}</section>",
        notes(view),
        if view.is_writable {
            form(view)
        } else {
            "<p class=\"muted\">The memory is served for reading.</p>".to_owned()
        }
    )
}

fn notes(view: &View) -> String {
    let note = |note: &crate::known::NoteReport| {
        format!(
            "<blockquote class=\"note\">{}<cite>{}, {}</cite></blockquote>\n",
            escape(&note.text),
            escape(&note.by),
            escape(&note.age)
        )
    };
    let notes: String = view.report.notes.iter().map(note).collect();
    let notes = if notes.is_empty() {
        "<p class=\"muted\">Nobody wrote a note on this position.</p>".to_owned()
    } else {
        notes
    };
    format!("<div data-part=\"notes\">{notes}</div>")
}

fn form(view: &View) -> String {
    format!(
        "<form id=\"note-form\" class=\"script\">\n<label class=\"unseen\" for=\"note-text\">A note on this position</label>\
         <textarea id=\"note-text\" rows=\"2\" maxlength=\"16000\" placeholder=\"A note on this position\"></textarea>\n\
         <div class=\"row\"><label>By<input id=\"note-by\" value=\"{}\" size=\"14\" maxlength=\"80\"></label>\
         <button type=\"submit\">Keep the note</button><button type=\"button\" id=\"note-back\">Take back</button></div>\n<p id=\"note-state\" role=\"status\"></p></form>",
        escape(&view.person)
    )
}
