//! Columns of a table that fit a given width: those that matter least are left out where there is no room.

/// A column of a table.
pub(super) struct Column {
    pub(super) head: &'static str,
    /// Numbers are aligned to the right.
    pub(super) is_number: bool,
    /// The columns with the greatest number are left out first; 0 stays, whatever the width.
    pub(super) expendable: u8,
    pub(super) cells: Vec<String>,
}

impl Column {
    fn width(&self) -> usize {
        let heads = std::iter::once(self.head);
        heads.chain(self.cells.iter().map(String::as_str)).map(letters).max().unwrap_or(0)
    }

    fn is_empty(&self) -> bool {
        self.cells.iter().all(String::is_empty)
    }

    fn cell(&self, text: &str, width: usize) -> String {
        if self.is_number { format!("{text:>width$}") } else { format!("{text:<width$}") }
    }
}

/// The space between two columns, and where there is little room for those that matter most.
const GAP: usize = 2;
const NARROW_GAP: usize = 1;

/// The table's lines. Empty columns are left out, and as many others as it takes to keep the lines within `width`.
pub(super) fn table(mut columns: Vec<Column>, width: usize) -> String {
    columns.retain(|column| !column.is_empty());
    let total = |columns: &[Column], gap| columns.iter().map(|column| column.width() + gap).sum::<usize>();
    let mut gap = GAP;
    while total(&columns, gap) > width + gap {
        let least = columns.iter().map(|column| column.expendable).max().unwrap_or(0);
        if least <= 1 && gap == GAP {
            gap = NARROW_GAP;
        } else if least > 0 {
            columns.retain(|column| column.expendable != least);
        } else {
            break;
        }
    }
    let widths: Vec<usize> = columns.iter().map(Column::width).collect();
    let rows = columns.first().map_or(0, |column| column.cells.len());
    let line = |text: &dyn Fn(&Column) -> String| {
        let cells = columns.iter().zip(&widths).map(|(column, &width)| column.cell(&text(column), width));
        let line = cells.collect::<Vec<_>>().join(&" ".repeat(gap));
        clipped(line.trim_end(), width) + "\n"
    };
    let head = line(&|column| column.head.to_owned());
    (0..rows).fold(head, |text, row| text + &line(&|column| column.cells[row].clone()))
}

/// The text, or its beginning and an ellipsis.
pub(super) fn clipped(text: &str, width: usize) -> String {
    if letters(text) <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// Words in lines of at most `width` letters; lines after the first begin with `indent` spaces. A word that is longer than a
/// line is broken.
pub(super) fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let longest = width.saturating_sub(indent).max(1);
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in text.split(' ') {
        let letters_of_word: Vec<char> = word.chars().collect();
        for piece in letters_of_word.chunks(longest) {
            let room = usize::from(!line.trim().is_empty());
            if room > 0 && letters(&line) + room + piece.len() > width {
                lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
            } else if room > 0 {
                line.push(' ');
            }
            line.extend(piece);
        }
    }
    lines.push(line);
    lines.join("\n") + "\n"
}

/// How many columns of a terminal a text takes: all that is written here is one wide.
pub(super) fn letters(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(head: &'static str, expendable: u8, cells: [&str; 2]) -> Column {
        let cells = cells.iter().map(|&cell| cell.to_owned()).collect();
        Column { head, is_number: head == "value", expendable, cells }
    }

    fn columns() -> Vec<Column> {
        vec![
            column("move", 0, ["e4", "Nf3"]),
            column("value", 0, ["+0.20", "-1.5"]),
            column("note", 1, ["", ""]),
            column("age", 2, ["2 days", ""]),
        ]
    }

    #[test]
    fn a_column_is_left_out_where_it_does_not_fit_or_is_empty() {
        assert_eq!(table(columns(), 40), "move  value  age\ne4    +0.20  2 days\nNf3    -1.5\n");
        assert_eq!(table(columns(), 18), "move  value\ne4    +0.20\nNf3    -1.5\n");
        assert_eq!(table(columns(), 8), "move va…\ne4   +0…\nNf3   -…\n");
    }

    #[test]
    fn words_are_wrapped() {
        assert_eq!(wrapped("Main line: 1.e4 c5 2.Nf3", 15, 2), "Main line: 1.e4\n  c5 2.Nf3\n");
        assert_eq!(wrapped("an immeasurable", 8, 2), "an\n  immeas\n  urable\n");
        assert_eq!(wrapped("", 8, 2), "\n");
    }
}
