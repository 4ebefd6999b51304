//! An exploration on a terminal: a few lines that change in place, as wide as the terminal.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use mnemon_explore::grow::Explored;
use mnemon_search::Notation;

use super::summary;
use super::watcher::Tally;
use crate::analyze::{figures, screen};

/// The lines on the terminal.
pub(super) struct Screen {
    bar: ProgressBar,
}

impl Screen {
    /// `None` if stdout is no terminal.
    pub(super) fn new() -> Option<Self> {
        let is_shown = std::io::stdout().is_terminal() && std::io::stderr().is_terminal();
        is_shown.then(|| {
            let template = "{msg}\nRunning   {elapsed}, Ctrl-C ends it";
            let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner());
            let bar = ProgressBar::new_spinner().with_style(style);
            bar.enable_steady_tick(Duration::from_millis(500));
            Screen { bar }
        })
    }

    /// Shows the state of things.
    pub(super) fn show<G: Explored + Notation>(&self, tally: &Tally<G>) {
        let width = screen::width().unwrap_or(80);
        self.bar.set_message(panel(tally, width));
    }

    /// Writes a line above.
    pub(super) fn above(&self, line: &str) {
        self.bar.suspend(|| eprintln!("{line}"));
    }

    /// Takes the lines away.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// The most earlier values that are shown.
const EARLIER: usize = 4;
/// The most workers that are shown.
const WORKERS: usize = 6;

/// The lines, each cut to the width.
fn panel<G: Explored + Notation>(tally: &Tally<G>, width: usize) -> String {
    let mut lines = vec![
        format!("Value     {}", values::<G>(tally)),
        format!("Main line {}", summary::line(&tally.now.line)),
        format!("Tree      {}, by ply {}", summary::positions(tally.positions()), summary::by_ply(&tally.now.by_ply)),
        format!("Searches  {}, {:.0} a minute, {} nodes", tally.searches, tally.rate(), figures::count(tally.nodes)),
    ];
    for (number, job) in tally.searching.iter().flatten().enumerate().take(WORKERS) {
        let label = if number == 0 { "Searching" } else { "" };
        lines.push(format!("{label:9} {job}"));
    }
    let cut = |line: String| if line.chars().count() <= width { line } else { shortened(&line, width) };
    lines.into_iter().map(cut).collect::<Vec<_>>().join("\n")
}

/// The value, and those before it, the latest first.
fn values<G: Explored + Notation>(tally: &Tally<G>) -> String {
    let mut values = tally.changes.iter().rev();
    let Some((since, score, _)) = values.next() else { return "not searched yet".to_owned() };
    let earlier: Vec<String> = values.take(EARLIER).map(|(_, score, _)| G::write_score(*score)).collect();
    let since = figures::time(*since);
    let before = if earlier.is_empty() { String::new() } else { format!(", before {}", earlier.join(" ")) };
    format!("{} since {since}{before}", G::write_score(*score))
}

/// The beginning of a line, with a mark that something is missing.
fn shortened(line: &str, width: usize) -> String {
    let mut text: String = line.chars().take(width.saturating_sub(1)).collect();
    text.push('…');
    text
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use mnemon_chess::Position;
    use mnemon_explore::grow::Overview;

    use super::*;

    fn tally() -> Tally<Position> {
        let line = ["e4", "e5", "Nf3", "Nc6"].map(str::to_owned).to_vec();
        let now = Overview { score: Some(31), is_settled: false, line, by_ply: vec![1, 3, 12] };
        let changes = [28, 31].map(|score| (Duration::ZERO, score, "e4".to_owned())).to_vec();
        let searching = vec![Some("e4 c5 Nf3".to_owned()), None, Some("d4 (other moves)".to_owned())];
        let (before, start) = (Overview::default(), Instant::now());
        Tally {
            root: Position::start(),
            start,
            searches: 16,
            barren: 0,
            nodes: 1_600_000,
            before,
            now,
            changes,
            searching,
        }
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        for width in [20, 40, 100] {
            let panel = panel(&tally(), width);
            assert_eq!(panel.lines().count(), 6, "{panel}");
            assert!(panel.lines().all(|line| line.chars().count() <= width), "{panel}");
        }
        let wide = panel(&tally(), 100);
        for part in [
            "+0.31 since 0 ms",
            "before +0.28",
            "e4 e5 Nf3 Nc6",
            "16 positions, by ply 1 3 12",
            "1.60M",
            "d4 (other moves)",
        ] {
            assert!(wide.contains(part), "{part}: {wide}");
        }
    }
}
