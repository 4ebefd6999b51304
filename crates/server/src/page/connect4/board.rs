//! The board of Connect Four as SVG. Each column is a link to the move in it.

use mnemon_connect4::{HEIGHT, WIDTH};

use super::super::html::escape;
use super::game::Played;

const SQUARE: usize = 100;

/// The drawing; `address` gives the address of a move in a column.
pub(super) fn svg(played: &Played, address: &dyn Fn(usize) -> String) -> String {
    let newest = played.moves.chars().last().and_then(|digit| digit.to_digit(10)).map(|digit| digit as usize - 1);
    let columns: String = (0..WIDTH).map(|column| column_svg(played, column, newest, address)).collect();
    format!(
        "<svg id=\"holes\" class=\"holes\" viewBox=\"0 0 720 620\" role=\"group\" aria-label=\"{}\"><rect class=\"frame\" \
         width=\"720\" height=\"620\" rx=\"34\"/>{columns}</svg>",
        escape(&description(played)),
    )
}

fn column_svg(played: &Played, column: usize, newest: Option<usize>, address: &dyn Fn(usize) -> String) -> String {
    let stones = &played.stones[column];
    let squares: String = (0..HEIGHT)
        .map(|row| {
            let is_newest = newest == Some(column) && row + 1 == stones.len();
            square(column, row, stones.get(row).copied(), is_newest, played.four.contains(&(column, row)))
        })
        .collect();
    if played.is_over() || stones.len() == HEIGHT {
        return squares;
    }
    // The same links stand below the board for the keyboard and for screen readers.
    format!(
        "<a href=\"{}\" tabindex=\"-1\" aria-hidden=\"true\"><rect class=\"hit\" x=\"{}\" y=\"0\" width=\"100\" height=\"620\" \
         fill-opacity=\"0\"/>{squares}</a>",
        escape(&address(column)),
        10 + column * SQUARE
    )
}

fn square(column: usize, row: usize, stone: Option<bool>, is_newest: bool, is_winning: bool) -> String {
    let (x, y) = (60 + column * SQUARE, 60 + (HEIGHT - 1 - row) * SQUARE);
    let Some(is_first) = stone else {
        return format!("<circle class=\"hole\" cx=\"{x}\" cy=\"{y}\" r=\"41\"/>");
    };
    let class = [
        if is_first { "first" } else { "second" },
        if is_newest { "newest" } else { "" },
        if is_winning { "winning" } else { "" },
    ];
    format!(
        "<g class=\"stone {}\"><circle class=\"core\" cx=\"{x}\" cy=\"{y}\" r=\"41\"/><circle class=\"ring\" cx=\"{x}\" \
         cy=\"{y}\" r=\"{}\"/></g>",
        class.join(" ").trim_end(),
        // Not by colour alone: the first player's stones have a wide ring, the second's a narrow one.
        if is_first { 28 } else { 14 },
    )
}

/// The board in words, column by column from below.
fn description(played: &Played) -> String {
    let column = |(index, stones): (usize, &Vec<bool>)| {
        let names: Vec<&str> = stones.iter().map(|&is_first| if is_first { "red" } else { "yellow" }).collect();
        (!names.is_empty()).then(|| format!("column {}: {}", index + 1, names.join(", ")))
    };
    let columns: Vec<String> = played.stones.iter().enumerate().filter_map(column).collect();
    if columns.is_empty() { "Empty board".to_owned() } else { format!("Board from below, {}", columns.join("; ")) }
}
