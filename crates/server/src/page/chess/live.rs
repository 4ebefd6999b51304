//! The panel of the live search, which a script fills.

use super::super::html::escape;
use super::View;

/// The panel: which engine, how many lines, how long, start and stop.
pub(super) fn panel(view: &View) -> String {
    let engines: String = view.engines.iter().map(|name| format!("<option>{}</option>", escape(name))).collect();
    if engines.is_empty() {
        return "<section class=\"panel whole\" id=\"live\"><h2>Search</h2><p class=\"muted\">No engine is configured.</p></section>"
            .to_owned();
    }
    format!(
        "<section class=\"panel whole script\" id=\"live\" aria-labelledby=\"live-title\"><h2 id=\"live-title\">Search</h2>\n\
         <form id=\"search-form\" class=\"row\"><label>Engine<select id=\"search-engine\">{engines}</select></label>{OPTIONS}\
         <button type=\"submit\" class=\"main\" id=\"search-start\">Search</button>\
         <button type=\"button\" id=\"search-stop\" disabled>Stop</button></form>\n\
         <p id=\"search-state\" class=\"muted\" role=\"status\"></p>\n{ITERATIONS}</section>"
    )
}

const OPTIONS: &str = "<label>Lines<select id=\"search-lines\"><option>1</option><option>2</option><option>3</option>\
<option>5</option></select></label><label>Time<select id=\"search-time\"><option value=\"10\">10 seconds</option>\
<option value=\"60\">1 minute</option><option value=\"600\">10 minutes</option></select></label>";

const ITERATIONS: &str = "<div id=\"iterations\" hidden tabindex=\"0\" role=\"group\" aria-label=\"Iterations\"><table><thead><tr>\
<th scope=\"col\" class=\"number\">Depth</th><th scope=\"col\" class=\"number\">Score</th><th scope=\"col\" class=\"number minor\">\
Nodes</th><th scope=\"col\">Line</th></tr></thead><tbody id=\"iteration-rows\"></tbody></table></div>";
