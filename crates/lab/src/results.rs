//! Where an experiment's results go, and what every one of them says about its circumstances.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{Result, output};

/// Numbers in rows and columns, each with a name.
pub(crate) struct Grid {
    /// What the rows are.
    pub(crate) corner: String,
    pub(crate) columns: Vec<String>,
    /// A name and one number for each column.
    pub(crate) rows: Vec<(String, Vec<f64>)>,
}

impl Grid {
    /// As a Markdown table, numbers with so many decimals, padded so that it reads well as plain text too.
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

    /// As comma-separated values. No name in use has a comma in it.
    pub(crate) fn to_csv(&self) -> String {
        let mut text = format!("{},{}\n", self.corner, self.columns.join(","));
        for (name, numbers) in &self.rows {
            let numbers: Vec<_> = numbers.iter().map(f64::to_string).collect();
            let _ = writeln!(text, "{name},{}", numbers.join(","));
        }
        text
    }
}

/// The circumstances of a measurement: the command, the day, the version and the machine.
pub(crate) fn circumstances(command: &str) -> String {
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

/// Writes a file of results, and gives its path.
fn write(folder: &Path, name: &str, text: &str) -> Result<PathBuf> {
    let path = folder.join(name);
    fs::create_dir_all(folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    Ok(path)
}

/// Prints the first of these files, the report, and writes all of them.
pub(crate) fn publish(folder: &Path, files: &[(&str, String)]) -> Result {
    if let Some((_, report)) = files.first() {
        output::say(report)?;
    }
    for (name, text) in files {
        output::say(format_args!("wrote {}", write(folder, name, text)?.display()))?;
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
    fn csv_keeps_every_digit() {
        assert_eq!(grid().to_csv(), "Entries,New,Old\n2^13,1.5,12.25\n");
    }
}
