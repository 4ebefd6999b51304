//! The chess board as SVG: a grid of named squares, the last move, arrows for the best moves.

use mnemon_chess::{Color, File, Move, Piece, Position, Rank, Square};

use super::super::html::escape;

/// The drawings of the six pieces; the colours come from the style sheet.
pub(super) const PIECES: &str = include_str!("../../../../../web/pieces.svg");

/// The side of a square in the units of the drawing.
const SQUARE: i32 = 100;

/// An arrow for a move.
pub(super) struct Arrow {
    pub(super) mv: Move,
    /// How good it is beside the best: 1 for the best.
    pub(super) weight: f64,
}

/// What is drawn.
pub(super) struct Board<'a> {
    pub(super) position: &'a Position,
    pub(super) last: Option<Move>,
    pub(super) arrows: &'a [Arrow],
    pub(super) is_flipped: bool,
}

impl Board<'_> {
    /// The drawing. Rows and squares have the roles of a grid, so that a screen reader finds its way without a script too.
    pub(super) fn svg(&self) -> String {
        let mover = if self.position.side_to_move() == Color::White { "White" } else { "Black" };
        let rows: String = (0..8).map(|row| self.row(row)).collect();
        let arrows: String = self.arrows.iter().map(|arrow| self.arrow(arrow)).collect();
        format!(
            "<svg id=\"board\" class=\"board\" viewBox=\"0 0 800 800\" role=\"grid\" aria-label=\"Chess board, {mover} to \
             move\" data-fen=\"{}\" data-flipped=\"{}\">\n{rows}<g class=\"coordinates\" aria-hidden=\"true\">{}</g>\n\
             <g class=\"arrows\" aria-hidden=\"true\">{arrows}</g></svg>",
            escape(&self.position.to_string()),
            self.is_flipped,
            self.coordinates(),
        )
    }

    fn row(&self, row: i32) -> String {
        let squares: String = (0..8).map(|column| self.square(column, row)).collect();
        format!("<g role=\"row\">{squares}</g>\n")
    }

    fn square(&self, column: i32, row: i32) -> String {
        let square = self.square_at(column, row);
        let is_light = (square.file() as usize + square.rank() as usize) % 2 == 1;
        let last = if self.last.is_some_and(|mv| mv.from == square || mv.to == square) { " last" } else { "" };
        let (x, y) = (column * SQUARE, row * SQUARE);
        let piece = self.piece(square).map_or_else(String::new, |(color, piece)| {
            let color = if color == Color::White { "white" } else { "black" };
            format!("<use class=\"piece {color}\" href=\"#{piece}\" x=\"{x}\" y=\"{y}\" width=\"100\" height=\"100\"/>")
        });
        format!(
            "<g role=\"gridcell\" class=\"square {}{last}\" data-square=\"{square}\" aria-label=\"{}\"><rect x=\"{x}\" \
             y=\"{y}\" width=\"100\" height=\"100\"/>{piece}</g>",
            if is_light { "light" } else { "dark" },
            self.label(square),
        )
    }

    /// "white knight on g1", or "g1" for an empty square.
    fn label(&self, square: Square) -> String {
        match self.piece(square) {
            Some((color, piece)) => {
                let color = if color == Color::White { "white" } else { "black" };
                format!("{color} {} on {square}", name(piece))
            }
            None => square.to_string(),
        }
    }

    fn piece(&self, square: Square) -> Option<(Color, Piece)> {
        Some((self.position.board().color_on(square)?, self.position.piece_on(square)?))
    }

    fn coordinates(&self) -> String {
        let files = (0..8).map(|column| {
            let (square, x) = (self.square_at(column, 7), column * SQUARE + 97);
            format!("<text class=\"file {}\" x=\"{x}\" y=\"795\">{}</text>", shade(square), square.file())
        });
        let ranks = (0..8).map(|row| {
            let (square, y) = (self.square_at(0, row), row * SQUARE + 20);
            format!("<text class=\"rank {}\" x=\"4\" y=\"{y}\">{}</text>", shade(square), square.rank())
        });
        files.chain(ranks).collect()
    }

    /// An arrow from the middle of a square to the middle of another: thicker and denser for a better move.
    fn arrow(&self, arrow: &Arrow) -> String {
        let ((x1, y1), (x2, y2)) = (self.middle(arrow.mv.from), self.middle(arrow.mv.to));
        let (dx, dy) = (x2 - x1, y2 - y1);
        let length = dx.hypot(dy).max(1.0);
        let (ux, uy) = (dx / length, dy / length);
        let half = 3.5 + 6.0 * arrow.weight;
        let head = half * 2.4;
        let (bx, by) = (x2 - ux * head * 1.5, y2 - uy * head * 1.5);
        let point = |x: f64, y: f64, side: f64| format!("{:.1} {:.1}", x - uy * side, y + ux * side);
        format!(
            "<path class=\"arrow\" fill-opacity=\"{:.2}\" d=\"M{}L{}L{}L{:.1} {:.1}L{}L{}L{}Z\"/>",
            0.3 + 0.45 * arrow.weight,
            point(x1, y1, half),
            point(bx, by, half),
            point(bx, by, head),
            x2,
            y2,
            point(bx, by, -head),
            point(bx, by, -half),
            point(x1, y1, -half),
        )
    }

    fn middle(&self, square: Square) -> (f64, f64) {
        let (file, rank) = (square.file() as i32, square.rank() as i32);
        let (column, row) = if self.is_flipped { (7 - file, rank) } else { (file, 7 - rank) };
        (f64::from(column * SQUARE + SQUARE / 2), f64::from(row * SQUARE + SQUARE / 2))
    }

    fn square_at(&self, column: i32, row: i32) -> Square {
        let (file, rank) = if self.is_flipped { (7 - column, row) } else { (column, 7 - row) };
        Square::new(File::index(file as usize), Rank::index(rank as usize))
    }
}

fn shade(square: Square) -> &'static str {
    if (square.file() as usize + square.rank() as usize) % 2 == 1 { "on-light" } else { "on-dark" }
}

fn name(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "pawn",
        Piece::Knight => "knight",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Queen => "queen",
        Piece::King => "king",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn svg(is_flipped: bool) -> String {
        let position = Position::start();
        let best = position.parse_uci("g1f3").expect("a move");
        let arrows = [Arrow { mv: best, weight: 1.0 }];
        Board { position: &position, last: Some(best), arrows: &arrows, is_flipped }.svg()
    }

    #[test]
    fn every_square_has_a_name() {
        let svg = svg(false);
        assert_eq!(svg.matches("role=\"gridcell\"").count(), 64);
        assert_eq!(svg.matches("<use class=\"piece white\"").count(), 16);
        for label in ["white knight on g1", "black king on e8", "\"e4\""] {
            assert!(svg.contains(&format!("aria-label=\"{}\"", label.trim_matches('"'))), "{label}");
        }
        assert_eq!(svg.matches(" last\"").count(), 2);
    }

    #[test]
    fn the_first_square_is_a8_or_h1() {
        let first = |svg: &str| svg.split("data-square=\"").nth(1).map(|rest| rest[..2].to_owned());
        assert_eq!((first(&svg(false)).as_deref(), first(&svg(true)).as_deref()), (Some("a8"), Some("h1")));
    }
}
