//! Rows of text in aligned columns.

/// The rows under their heads, with two spaces between columns. A head that begins with a space belongs to a column of
/// numbers, which is aligned to the right.
pub(crate) fn aligned<const COLUMNS: usize>(heads: [&str; COLUMNS], rows: &[[String; COLUMNS]]) -> String {
    let head = heads.map(|head| head.trim().to_owned());
    let widths: [usize; COLUMNS] = std::array::from_fn(|column| {
        std::iter::once(&head).chain(rows).map(|row| row[column].chars().count()).max().unwrap_or(0)
    });
    let mut text = String::new();
    for row in std::iter::once(&head).chain(rows) {
        let mut line = String::new();
        for ((cell, width), head) in row.iter().zip(widths).zip(heads) {
            let cell = if head.starts_with(' ') { format!("  {cell:>width$}") } else { format!("  {cell:<width$}") };
            line += &cell;
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [["é4".to_owned(), "7".to_owned()], ["Nf3+".to_owned(), "1,234".to_owned()]];
        assert_eq!(aligned(["move", " nodes"], &rows), "  move  nodes\n  é4        7\n  Nf3+  1,234\n");
        assert_eq!(aligned(["move", " nodes"], &[]), "  move  nodes\n");
    }
}
