//! The tree as text for a terminal, from 40 columns on.

use std::collections::HashSet;

use super::columns::{Column, letters, table, wrapped};
use super::{Searched, Tree, TreeNode, Value};
use crate::format;

/// The narrowest terminal that a tree is drawn for.
pub const MIN_WIDTH: usize = 40;

/// The tree in lines of at most `width` columns, but no fewer than [`MIN_WIDTH`]. Ages are counted up to `now`, in seconds
/// since 1970.
pub fn draw(tree: &Tree, width: usize, now: u32) -> String {
    let width = width.max(MIN_WIDTH);
    let mut text = head(tree, width, now);
    if tree.nodes.len() > 1 {
        text.push('\n');
        text += &table(columns(tree, width, now), width);
    }
    text + &foot(tree, width)
}

/// What is known of the root.
fn head(tree: &Tree, width: usize, now: u32) -> String {
    let root = &tree.nodes[0];
    let mut text = wrapped(&place(tree), width, 2);
    let end = root.ending.map(|ending| format!("; {ending}")).unwrap_or_default();
    text += &wrapped(&format!("{} to move{end}; scores are for {0}.", tree.scores_for), width, 2);
    if tree.is_empty() {
        return text + &wrapped("Nothing is known of this position and its moves.", width, 2);
    }
    if let Some(value) = &root.backed_up {
        let known = format::count(tree.known as u64, "known position");
        let value = format!("Value {}, depth {}, over {known}", value.text, depth(value));
        text += &wrapped(&value, width, 2);
    }
    if let Some(Searched { value, source, time, .. }) = &root.searched {
        let age = if *time == 0 { String::new() } else { format!(", {}", format::age(*time, now)) };
        let searched = format!("Searched {}, depth {}, by {source}{age}", value.text, depth(value));
        text += &wrapped(&searched, width, 2);
    }
    if !tree.main_line.is_empty() {
        text += &wrapped(&format!("Main line {}", tree.main_line.join(" ")), width, 2);
    }
    text
}

/// Where the root is: the opening's name and the moves that lead to it, or else the position.
pub(super) fn place(tree: &Tree) -> String {
    let opening = tree.opening.map(|name| format!("{name}: ")).unwrap_or_default();
    let place = match (tree.is_start, tree.line.is_empty()) {
        (true, _) => "The start of the game".to_owned(),
        (false, true) => tree.position.clone(),
        (false, false) => tree.line.join(" "),
    };
    format!("{opening}{place}")
}

fn columns(tree: &Tree, width: usize, now: u32) -> Vec<Column> {
    let nodes = &tree.nodes[1..];
    let column = |head, is_number, expendable, cell: &dyn Fn(&TreeNode) -> String| Column {
        head,
        is_number,
        expendable,
        cells: nodes.iter().map(cell).collect(),
    };
    let of_search = |write: fn(&Searched, u32) -> String| {
        move |node: &TreeNode| node.searched.as_ref().map_or_else(String::new, |searched| write(searched, now))
    };
    let more = |node: &TreeNode| if node.more == 0 { String::new() } else { format!("+{}", node.more) };
    vec![
        Column { head: "move", is_number: false, expendable: 0, cells: moves(tree, width) },
        column("value", true, 0, &|node| node.backed_up.as_ref().map_or_else(String::new, |value| value.text.clone())),
        column("searched", true, 1, &of_search(|searched, _| with_depth(&searched.value))),
        column("more", true, 5, &more),
        column("source", false, 4, &of_search(|searched, _| source(searched))),
        column("age", false, 3, &of_search(|searched, now| format::age(searched.time, now))),
        column("opening", false, 6, &|node| node.opening.unwrap_or_default().to_owned()),
    ]
}

fn source(searched: &Searched) -> String {
    if searched.is_believed { searched.source.clone() } else { format!("({})", searched.source) }
}

/// A value and its depth, as engines' matches write them: `+0.31/20`.
fn with_depth(value: &Value) -> String {
    let separator = if value.depth == mnemon_memory::PROVEN { ' ' } else { '/' };
    format!("{}{separator}{}", value.text, depth(value))
}

/// The depth of a value in plies, or that it is proven.
pub(super) fn depth(value: &Value) -> String {
    if value.depth == mnemon_memory::PROVEN { "proven".to_owned() } else { value.depth.to_string() }
}

/// The share of the width that the branches may take; deeper ones are cut off at the left.
const LONGEST_BRANCH: usize = 3;

/// The move of each node below the root, with its branches and marks.
fn moves(tree: &Tree, width: usize) -> Vec<String> {
    let last = last_children(tree);
    let mut branches: Vec<String> = vec![String::new()];
    let mut cells = Vec::with_capacity(tree.nodes.len());
    for (number, node) in tree.nodes.iter().enumerate().skip(1) {
        let above = node.parent.map_or("", |parent| &branches[parent]);
        let (joint, below) = match (node.ply, last.contains(&number)) {
            (0 | 1, _) => ("", ""),
            (_, false) => ("├ ", "│ "),
            (_, true) => ("└ ", "  "),
        };
        cells.push(format!(
            "{}{}{}",
            cut_branch(&format!("{above}{joint}"), width / LONGEST_BRANCH),
            node.name,
            marks(tree, node)
        ));
        branches.push(format!("{above}{below}"));
    }
    cells
}

/// The nodes after which no sibling comes.
fn last_children(tree: &Tree) -> HashSet<usize> {
    let mut last = vec![None; tree.nodes.len()];
    for (number, node) in tree.nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            last[parent] = Some(number);
        }
    }
    last.into_iter().flatten().collect()
}

/// The end of a branch that is too long.
fn cut_branch(branch: &str, most: usize) -> String {
    let excess = letters(branch).saturating_sub(most);
    if excess == 0 {
        branch.to_owned()
    } else {
        std::iter::once('…').chain(branch.chars().skip(excess + 1)).collect()
    }
}

/// `[3]` where a position is expanded, `-> [3]` where it comes again, `<- [3]` where a line goes back to it, `*` for a note.
fn marks(tree: &Tree, node: &TreeNode) -> String {
    let label = node.label.map(|label| format!(" [{label}]")).unwrap_or_default();
    let arrow = if node.repeats { "<-" } else { "->" };
    let target = node.same_as.and_then(|target| tree.nodes[target].label);
    let reference = target.map(|label| format!(" {arrow} [{label}]")).unwrap_or_default();
    let note = if node.notes > 0 { " *" } else { "" };
    format!("{label}{reference}{note}")
}

/// What the marks mean, and what is not shown.
fn foot(tree: &Tree, width: usize) -> String {
    let mut sentences = Vec::new();
    let nodes = &tree.nodes;
    if nodes.iter().any(|node| node.same_as.is_some() && !node.repeats) {
        sentences.push("-> [n] is the position marked [n].".to_owned());
    }
    if nodes.iter().any(|node| node.repeats) {
        sentences.push("<- [n] goes back to [n].".to_owned());
    }
    if let Some(label) = nodes[0].label {
        sentences.push(format!("[{label}] is the root."));
    }
    if nodes.iter().any(|node| node.notes > 0) {
        sentences.push("* has a note.".to_owned());
    }
    if nodes.iter().filter_map(|node| node.searched.as_ref()).any(|searched| !searched.is_believed) {
        sentences.push("A source in brackets is not believed.".to_owned());
    }
    let hidden: usize = nodes.iter().map(|node| node.more).sum();
    if hidden > 0 {
        sentences.push(format!("{} not shown.", format::count(hidden as u64, "known move")));
    }
    if !tree.is_complete {
        sentences.push("There is more below than was read: the values rest on a part of it.".to_owned());
    }
    if sentences.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = sentences.iter().map(|sentence| wrapped(sentence, width, 2)).collect();
    format!("\n{}", lines.concat())
}
