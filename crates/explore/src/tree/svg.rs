//! The tree as a picture: SVG of our own drawing, from left to right, the main line straight at the top.

use std::fmt::Write;

use mnemon_search::WINS;
use mnemon_table::Score;

use super::columns::{clipped, letters};
use super::{Searched, Tree, TreeNode, Value};
use crate::format;

const MARGIN: usize = 28;
const TITLE_HEIGHT: usize = 72;
const FOOT_HEIGHT: usize = 34;
const BOX_HEIGHT: usize = 40;
const ROW: usize = 50;
/// Between the boxes of two plies.
const GAP: usize = 40;
/// The width of a letter of the two sizes of text, a little more than fonts take.
const LETTER: usize = 9;
const SMALL_LETTER: usize = 7;

const STYLE: &str = "text{font-family:system-ui,'Segoe UI',Helvetica,Arial,sans-serif;fill:#23272e}\
.t{font-size:20px;font-weight:600}.s{font-size:13px;fill:#5d6673}.m{font-size:15px;font-weight:600}\
.v{font-size:15px;text-anchor:end}.d{font-size:11px;fill:#5d6673}.l{font-size:11px;font-weight:600;fill:#fff;\
text-anchor:middle}";

/// The tree as an SVG document. Ages are counted up to `now`, in seconds since 1970.
pub fn draw(tree: &Tree, now: u32) -> String {
    Drawing::new(tree, now).document()
}

/// A box: where it stands, and how wide it is.
#[derive(Clone, Copy)]
struct Frame {
    x: usize,
    y: usize,
    width: usize,
}

impl Frame {
    fn right(self) -> usize {
        self.x + self.width
    }

    fn middle(self) -> usize {
        self.y + BOX_HEIGHT / 2
    }
}

struct Drawing<'t> {
    tree: &'t Tree,
    now: u32,
    frames: Vec<Frame>,
}

impl<'t> Drawing<'t> {
    fn new(tree: &'t Tree, now: u32) -> Self {
        let plies = tree.nodes.iter().map(|node| node.ply).max().unwrap_or(0);
        let in_ply = |ply: u16| tree.nodes.iter().filter(move |node| node.ply == ply);
        let widths: Vec<usize> =
            (0..=plies).map(|ply| in_ply(ply).map(|node| box_width(tree, node)).max().unwrap_or(0)).collect();
        let x = |ply: u16| MARGIN + widths[..usize::from(ply)].iter().map(|width| width + GAP).sum::<usize>();
        let rows = rows(tree);
        let frame = |(node, row): (&TreeNode, usize)| Frame {
            x: x(node.ply),
            y: MARGIN + TITLE_HEIGHT + row * ROW,
            width: widths[usize::from(node.ply)],
        };
        Drawing { tree, now, frames: tree.nodes.iter().zip(rows).map(frame).collect() }
    }

    fn document(&self) -> String {
        let right = self.frames.iter().map(|frame| frame.right()).max().unwrap_or(0);
        let titles = [self.title(), self.subtitle()];
        let text_right = MARGIN + letters(&titles[0]).max(36) * 11;
        let width = right.max(text_right.min(1200)) + MARGIN;
        let bottom = self.frames.iter().map(|frame| frame.y).max().unwrap_or(0) + BOX_HEIGHT;
        let height = bottom + FOOT_HEIGHT + MARGIN;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} \
             {height}\">\n{OWN_MARK}\n<style>{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        );
        let room = (width - 2 * MARGIN) / 11;
        svg += &text("t", MARGIN, MARGIN + 20, &clipped(&titles[0], room));
        svg += &text("s", MARGIN, MARGIN + 44, &clipped(&titles[1], room * 11 / SMALL_LETTER));
        // The main line is drawn last, over the others.
        for is_main in [false, true] {
            for (number, node) in self.tree.nodes.iter().enumerate().filter(|(_, node)| node.is_main == is_main) {
                svg += &self.edge(number, node);
            }
        }
        for (number, node) in self.tree.nodes.iter().enumerate() {
            svg += &self.node(number, node);
        }
        svg += &text("s", MARGIN, bottom + FOOT_HEIGHT, &clipped(&self.foot(), room * 11 / SMALL_LETTER));
        svg + "</svg>\n"
    }

    fn title(&self) -> String {
        super::text::place(self.tree)
    }

    fn subtitle(&self) -> String {
        let known = format::count(self.tree.known as u64, "known position");
        format!("Scores are for {}; values by negamax over {known}", self.tree.scores_for)
    }

    fn foot(&self) -> String {
        let hidden: usize = self.tree.nodes.iter().map(|node| node.more).sum();
        let mut parts = vec!["mnemon".to_owned()];
        if hidden > 0 {
            parts.push(format!("{} not shown", format::count(hidden as u64, "known move")));
        }
        if !self.tree.is_complete {
            parts.push("read in part".to_owned());
        }
        parts.join(" · ")
    }

    /// The curve from the parent to the node.
    fn edge(&self, number: usize, node: &TreeNode) -> String {
        let Some(parent) = node.parent else { return String::new() };
        let (from, to) = (self.frames[parent], self.frames[number]);
        let (start, end, turn) = (from.right(), to.x, (from.right() + to.x) / 2);
        let (colour, width) = if node.is_main { ("#2f6f4f", 3.0) } else { ("#b8bec7", 1.5) };
        format!(
            "<path d=\"M{start} {} C{turn} {0} {turn} {} {end} {1}\" fill=\"none\" stroke=\"{colour}\" \
             stroke-width=\"{width}\"/>\n",
            from.middle(),
            to.middle()
        )
    }

    fn node(&self, number: usize, node: &TreeNode) -> String {
        let Frame { x, y, width } = self.frames[number];
        let value = node.backed_up.as_ref().or(node.searched.as_ref().map(|searched| &searched.value));
        let (border, thick) = if node.is_main { ("#2f6f4f", 2.0) } else { ("#b8bec7", 1.0) };
        let dashes = if node.same_as.is_some() { " stroke-dasharray=\"4 3\"" } else { "" };
        let mut svg = format!(
            "<g><title>{}</title><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{BOX_HEIGHT}\" rx=\"7\" \
             fill=\"{}\" stroke=\"{border}\" stroke-width=\"{thick}\"{dashes}/>",
            escaped(&self.hint(node)),
            colour(&self.tree.game, value)
        );
        svg += &text("m", x + 10, y + 18, &name(self.tree, node));
        svg += &text("v", x + width - 10, y + 18, &value.map_or_else(String::new, |value| signs(&value.text)));
        svg += &text("d", x + 10, y + 33, &detail(node));
        if let Some(label) = node.label {
            let _ = write!(svg, "<circle cx=\"{}\" cy=\"{y}\" r=\"9\" fill=\"#3b6ea5\"/>", x + width);
            svg += &text("l", x + width, y + 4, &label.to_string());
        }
        svg + "</g>\n"
    }

    /// What a browser shows where the pointer rests.
    fn hint(&self, node: &TreeNode) -> String {
        let mut parts = vec![node.position.clone()];
        if let Some(Searched { value, source, time, .. }) = &node.searched {
            let age = if *time == 0 { String::new() } else { format!(", {}", format::age(*time, self.now)) };
            parts.push(format!("searched {} by {source}{age}", value.text));
        }
        if !node.continuation.is_empty() {
            parts.push(node.continuation.join(" "));
        }
        parts.join("\n")
    }
}

/// Stands at the beginning of every drawing, so that a later one may replace it and no other file.
const OWN_MARK: &str = "<!-- mnemon tree -->";

/// Whether a file that begins with these bytes is such a drawing.
pub fn is_own(start: &[u8]) -> bool {
    start.starts_with(b"<svg ") && start.windows(OWN_MARK.len()).take(400).any(|window| window == OWN_MARK.as_bytes())
}

/// The row of each node: a leaf has a new one, others that of their first child, so that the main line is straight.
fn rows(tree: &Tree) -> Vec<usize> {
    let mut rows = vec![0; tree.nodes.len()];
    let mut used = 0;
    for (number, node) in tree.nodes.iter().enumerate().skip(1) {
        let follows = node.parent == Some(number - 1);
        if !follows {
            used += 1;
        }
        rows[number] = used;
    }
    rows
}

fn box_width(tree: &Tree, node: &TreeNode) -> usize {
    let value = node.backed_up.as_ref().or(node.searched.as_ref().map(|searched| &searched.value));
    let value = value.map_or(0, |value| letters(&signs(&value.text)) + 2);
    let first = (letters(&name(tree, node)) + value) * LETTER;
    first.max(letters(&detail(node)) * SMALL_LETTER).max(60) + 20
}

fn name(tree: &Tree, node: &TreeNode) -> String {
    let target = node.same_as.and_then(|target| tree.nodes[target].label);
    let reference = target.map(|label| format!(" → {label}")).unwrap_or_default();
    let note = if node.notes > 0 { " ✎" } else { "" };
    let name = if node.parent.is_none() { tree.scores_for.split(',').next().unwrap_or_default() } else { &node.name };
    format!("{name}{reference}{note}")
}

/// The second line of a box: the opening, or what the search of the position itself found.
fn detail(node: &TreeNode) -> String {
    const LONGEST: usize = 34;
    if node.parent.is_none() {
        return format!(
            "to move{}",
            node.searched.as_ref().map(|found| format!(" · {}", depth(found))).unwrap_or_default()
        );
    }
    let searched = node.searched.as_ref().map(|found| match &node.backed_up {
        Some(value) if value.text != found.value.text => format!("{} at {}", signs(&found.value.text), depth(found)),
        _ => depth(found),
    });
    let parts = [searched, node.opening.map(str::to_owned), node.ending.map(str::to_owned)];
    clipped(&parts.into_iter().flatten().collect::<Vec<_>>().join(" · "), LONGEST)
}

fn depth(searched: &Searched) -> String {
    let depth = searched.value.depth;
    if depth == mnemon_memory::PROVEN { "proven".to_owned() } else { format!("depth {depth}") }
}

/// Signs as they are printed.
fn signs(text: &str) -> String {
    text.replace(">=", "≥ ").replace("<=", "≤ ").replace('~', "≈ ").replace('-', "−").replace("..", " … ")
}

/// Green for what is good for the side that scores are for, red for what is bad.
fn colour(game: &str, value: Option<&Value>) -> String {
    let Some(score) = value.and_then(|value| value.score) else { return "#f4f4f2".to_owned() };
    let share = f64::from(strength(game, score));
    let neutral = [246.0, 245.0, 240.0];
    let end = if share >= 0.0 { [126.0, 196.0, 148.0] } else { [230.0, 140.0, 128.0] };
    let mix = |(from, to): (f64, f64)| (from + (to - from) * share.abs()) as u8;
    let [red, green, blue] = [0, 1, 2].map(|part| mix((neutral[part], end[part])));
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// How won a score is, from -1 to 1.
fn strength(game: &str, score: Score) -> f32 {
    let unit = if game == "chess" { 200.0 } else { 8.0 };
    if WINS.plies(score).is_some() { f32::from(score.signum()) } else { (f32::from(score) / unit).tanh() }
}

fn text(class: &str, x: usize, y: usize, text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>\n", escaped(text))
    }
}

/// The text with the characters escaped that mean something in XML; control characters, which it forbids, left out.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            '\n' => safe.push('\n'),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => safe.push('\u{fffd}'),
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(escaped("<a b='1'>&\u{1b}\"é"), "&lt;a b=&#39;1&#39;&gt;&amp;\u{fffd}&quot;é");
    }

    #[test]
    fn a_mate_has_the_full_colour() {
        assert_eq!((strength("chess", 15_990), strength("chess", -15_990)), (1.0, -1.0));
        assert!(strength("chess", 100) > 0.3 && strength("chess", 100) < 0.7);
        assert!(strength("connect4-7x6", 0) == 0.0);
    }
}
