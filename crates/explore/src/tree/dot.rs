//! The tree as a graph in the language of Graphviz: transpositions are edges to the position that they lead to.

use std::fmt::Write;

use super::{Tree, TreeNode};

/// Begins every graph, so that a later one may replace it and no other file.
const OWN_MARK: &str = "// mnemon tree";

/// Whether a file that begins with these bytes is such a graph.
pub fn is_own(start: &[u8]) -> bool {
    start.starts_with(OWN_MARK.as_bytes())
}

/// The tree as a graph.
pub fn draw(tree: &Tree) -> String {
    let mut dot = format!("{OWN_MARK}\ndigraph tree {{\n");
    dot += "  graph [rankdir=LR, ranksep=0.5, nodesep=0.2, fontname=\"Helvetica\", labelloc=t, label=";
    dot += &quoted(&format!("{}\nScores are for {}", super::text::place(tree), tree.scores_for));
    dot += "];\n  node [shape=box, style=\"rounded,filled\", fillcolor=\"#f6f5f0\", fontname=\"Helvetica\", fontsize=11];\n";
    dot += "  edge [fontname=\"Helvetica\", fontsize=11, color=\"#8a919c\"];\n";
    for (number, node) in tree.nodes.iter().enumerate().filter(|(_, node)| node.same_as.is_none()) {
        let border = if node.is_main { ", color=\"#2f6f4f\", penwidth=2" } else { "" };
        let _ =
            writeln!(dot, "  n{number} [label={}, tooltip={}{border}];", quoted(&label(node)), quoted(&node.position));
    }
    for (number, node) in tree.nodes.iter().enumerate() {
        let Some(parent) = node.parent else { continue };
        let style = match (node.same_as, node.is_main) {
            (Some(_), _) => ", style=dashed, constraint=false",
            (None, true) => ", color=\"#2f6f4f\", penwidth=2",
            (None, false) => "",
        };
        let target = node.same_as.unwrap_or(number);
        let _ = writeln!(dot, "  n{parent} -> n{target} [label={}{style}];", quoted(&node.name));
    }
    dot + "}\n"
}

/// The backed-up value, and what the search of the position itself found.
fn label(node: &TreeNode) -> String {
    let value = node.backed_up.as_ref().map(|value| value.text.clone());
    let searched = node.searched.as_ref().map(|found| {
        let depth = found.value.depth;
        let depth = if depth == mnemon_memory::PROVEN { "proven".to_owned() } else { format!("depth {depth}") };
        format!("{} {depth}", found.value.text)
    });
    let opening = node.opening.map(str::to_owned);
    [opening, value, searched].into_iter().flatten().collect::<Vec<_>>().join("\n")
}

/// A string of the language.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => quoted += "\\\"",
            '\\' => quoted += "\\\\",
            '\n' => quoted += "\\n",
            letter if letter.is_control() => quoted.push('\u{fffd}'),
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_ends_where_it_should() {
        assert_eq!(quoted("a\"b\\c\nd\u{1b}"), "\"a\\\"b\\\\c\\nd\u{fffd}\"");
    }
}
