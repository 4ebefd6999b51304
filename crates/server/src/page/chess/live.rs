//! The panel of the live search, which a script fills.

use super::View;

/// The panel: which engine, how many lines, start and stop.
pub(super) fn panel(view: &View) -> String {
    let _ = view;
    "<section class=\"panel whole script\" id=\"live\" aria-labelledby=\"live-title\"><h2 id=\"live-title\">Search</h2>\n\
     <form id=\"search-form\" class=\"row\"><label>Engine<select id=\"search-engine\"></select></label>\
     <label>Lines<select id=\"search-lines\"><option>1</option><option>2</option><option>3</option><option>5</option></select></label>\
     <label>Time<select id=\"search-time\"><option value=\"10\">10 s</option><option value=\"60\">1 minute</option>\
     <option value=\"600\">10 minutes</option></select></label>\
     <button type=\"submit\" class=\"main\" id=\"search-start\">Search</button>\
     <button type=\"button\" id=\"search-stop\" disabled>Stop</button></form>\n\
     <p id=\"search-state\" class=\"muted\" role=\"status\"></p>\n\
     <div id=\"iterations\" class=\"scrolls\" hidden tabindex=\"0\" role=\"group\" aria-label=\"Iterations\"><table><thead><tr>\
     <th scope=\"col\" class=\"number\">Depth</th><th scope=\"col\" class=\"number\">Score</th><th scope=\"col\" class=\"number\">\
     Nodes</th><th scope=\"col\">Line</th></tr></thead><tbody id=\"iteration-rows\"></tbody></table></div></section>"
        .to_owned()
}
