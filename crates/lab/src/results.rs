//! The files of an experiment's results: a page for people, the numbers as CSV, plots.

use std::fmt::{self, Write as _};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use mnemon_table::file::{OwnKind, replace_file};

use crate::Result;
use crate::console::{Console, say};
use crate::error::cannot;

/// Numbers in named rows and columns.
pub(crate) struct Grid {
    /// The heading above the rows' names.
    pub(crate) corner: String,
    pub(crate) columns: Vec<String>,
    /// A name and one number for each column.
    pub(crate) rows: Vec<(String, Vec<f64>)>,
}

impl Grid {
    /// As a Markdown table whose columns line up in plain text too.
    pub(crate) fn to_markdown(&self, decimals: usize) -> String {
        let mut lines = vec![std::iter::once(&self.corner).chain(&self.columns).cloned().collect::<Vec<_>>()];
        for (name, numbers) in &self.rows {
            let numbers = numbers.iter().map(|number| format!("{number:.decimals$}"));
            lines.push(std::iter::once(name.clone()).chain(numbers).collect());
        }
        let columns = 0..=self.columns.len();
        let widths: Vec<_> = columns.map(|column| lines.iter().map(|line| line[column].len()).max()).collect();
        let mut text = String::new();
        for (number, line) in lines.iter().enumerate() {
            for (cell, width) in line.iter().zip(&widths) {
                let _ = write!(text, "| {cell:>width$} ", width = width.unwrap_or(0));
            }
            text += "|\n";
            if number == 0 {
                for width in &widths {
                    let _ = write!(text, "|-{}:", "-".repeat(width.unwrap_or(0)));
                }
                text += "|\n";
            }
        }
        text
    }

    /// As comma-separated values. No name of a row or column contains a comma.
    pub(crate) fn to_csv(&self) -> String {
        let mut text = format!("{},{}\n", self.corner, self.columns.join(","));
        for (name, numbers) in &self.rows {
            let numbers: Vec<_> = numbers.iter().map(f64::to_string).collect();
            let _ = writeln!(text, "{name},{}", numbers.join(","));
        }
        text
    }
}

/// A page of results: the conclusion, the table that shows it, then how it was measured.
pub(crate) struct Page<'p> {
    pub(crate) title: &'p str,
    /// The result in a sentence or two.
    pub(crate) conclusion: String,
    /// The main table, with what explains it and a plot if there is one.
    pub(crate) table: String,
    /// The command that gives these results again.
    pub(crate) command: String,
    /// What was measured, and what to know about it.
    pub(crate) method: String,
    /// Further sections, with their headings; may be empty.
    pub(crate) details: String,
}

impl fmt::Display for Page<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Page { title, conclusion, table, command, method, details } = self;
        let [conclusion, table, method] = [conclusion, table, method].map(|text| text.trim_end());
        write!(formatter, "# {title}\n\n{conclusion}\n\n{table}\n\n")?;
        write!(formatter, "## How it was measured\n\n{}\n{method}\n", circumstances(command))?;
        if details.is_empty() { Ok(()) } else { write!(formatter, "\n{details}") }
    }
}

/// The circumstances of a measurement: the command, the day, the version and the machine.
fn circumstances(command: &str) -> String {
    let today = time::OffsetDateTime::now_utc().date();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let version = env!("CARGO_PKG_VERSION");
    let cores = if cores == 1 { "one core".to_owned() } else { format!("{cores} cores") };
    format!("`{command}`, {today}, mnemon {version}, {} with {cores}.\n", processor())
}

fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    model.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, model)| model.trim().to_owned())
}

/// A folder for the files of a measurement, which goes with them when it is dropped; in `parent`, or where the system
/// keeps temporary files.
pub(crate) fn scratch_folder(parent: Option<&Path>) -> Result<tempfile::TempDir> {
    let parent = parent.map_or_else(std::env::temp_dir, Path::to_owned);
    tempfile::tempdir_in(&parent).map_err(cannot("create a folder in", &parent))
}

/// Writes a file of results; returns its path. CSV has no mark of its own, so a text file of this name is taken for
/// former results.
fn write(folder: &Path, name: &str, text: &str) -> Result<PathBuf> {
    let path = folder.join(name);
    fs::create_dir_all(folder).map_err(cannot("create", folder))?;
    replace_file(&path, &OwnKind::TEXT, |file| file.write_all(text.as_bytes()))?;
    Ok(path)
}

/// Reports the first of these files, the page for people, and writes all of them.
pub(crate) fn publish(console: &dyn Console, folder: &Path, files: &[(&str, String)]) -> Result {
    if let Some((_, page)) = files.first() {
        say(console, page)?;
    }
    for (name, text) in files {
        say(console, format_args!("wrote {}", write(folder, name, text)?.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Grid {
        let columns = vec!["New".to_owned(), "Old".to_owned()];
        Grid { corner: "Entries".to_owned(), columns, rows: vec![("2^13".to_owned(), vec![1.5, 12.25])] }
    }

    #[test]
    fn markdown_lines_up() {
        let expected = "| Entries | New |  Old |\n|--------:|----:|-----:|\n|    2^13 | 1.5 | 12.2 |\n";
        assert_eq!(grid().to_markdown(1), expected);
    }

    #[test]
    fn a_page_opens_with_its_conclusion() {
        let page = Page {
            title: "Title",
            conclusion: "It is so.\n".to_owned(),
            table: "| a |\n".to_owned(),
            command: "mnemon lab x".to_owned(),
            method: "Twice.".to_owned(),
            details: "## More\n\nmore\n".to_owned(),
        };
        let text = page.to_string();
        let start = "# Title\n\nIt is so.\n\n| a |\n\n## How it was measured\n\n`mnemon lab x`, ";
        assert!(text.starts_with(start), "{text}");
        assert!(text.ends_with(".\n\nTwice.\n\n## More\n\nmore\n"), "{text}");
    }

    #[test]
    fn csv_keeps_every_digit() {
        assert_eq!(grid().to_csv(), "Entries,New,Old\n2^13,1.5,12.25\n");
    }
}
