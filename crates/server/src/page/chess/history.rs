//! The history of the position's value: what was found of it, when and by whom, the oldest first.

use super::super::html::escape;
use super::super::{chance, plot};
use super::{View, score_text};

/// One finding.
struct Finding {
    time: u32,
    depth: u8,
    depth_text: String,
    value: mnemon_table::Score,
    score: String,
    by: String,
    age: String,
}

/// The panel.
pub(super) fn panel(view: &View) -> String {
    let findings = findings(view);
    let body = if findings.is_empty() {
        "<p class=\"muted\">The position itself was not searched yet.</p>".to_owned()
    } else {
        format!("{}{}", curve(&findings), table(&findings))
    };
    format!(
        "<section class=\"panel\" data-part=\"history\" aria-labelledby=\"history-title\"><h2 id=\"history-title\">History of \
         the value</h2>\n{body}</section>"
    )
}

/// The position's records and the best lines of its searches; of one search only one of the two.
fn findings(view: &View) -> Vec<Finding> {
    let records = view.report.records.iter().filter(|record| record.games.is_none());
    let mut findings: Vec<Finding> = records
        .filter_map(|record| {
            let score = record.score.as_ref()?;
            let time = score.lower_time.max(score.upper_time).unwrap_or(record.time);
            Some(Finding {
                time,
                depth: score.depth,
                depth_text: score.depth_text.clone(),
                value: score.value,
                score: score_text(&score.text),
                by: record.by.clone(),
                age: record.age.clone(),
            })
        })
        .collect();
    for set in &view.report.lines {
        let Some(score) = set.lines.first().and_then(|line| line.score.as_ref()) else { continue };
        if findings.iter().any(|known| known.by == set.by && known.depth == set.depth) {
            continue;
        }
        findings.push(Finding {
            time: set.time,
            depth: set.depth,
            depth_text: set.depth.to_string(),
            value: score.value,
            score: score_text(&score.text),
            by: set.by.clone(),
            age: set.age.clone(),
        });
    }
    findings.sort_by_key(|finding| (finding.time, finding.depth));
    findings
}

fn table(findings: &[Finding]) -> String {
    let row = |finding: &Finding| {
        format!(
            "<tr><td class=\"when\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td>{}</td></tr>\n",
            escape(&finding.age),
            escape(&finding.score),
            escape(&finding.depth_text),
            escape(&finding.by)
        )
    };
    let rows: String = findings.iter().map(row).collect();
    format!(
        "<table><thead><tr><th scope=\"col\">Found</th><th scope=\"col\" class=\"number\">Score</th><th scope=\"col\" \
         class=\"number\">Depth</th><th scope=\"col\">Source</th></tr></thead><tbody>{rows}</tbody></table>"
    )
}

/// The values in their order. The table below says the same in words.
fn curve(findings: &[Finding]) -> String {
    if findings.len() < 2 {
        return String::new();
    }
    let step = 280.0 / (findings.len() - 1) as f64;
    let place = |(index, finding): (usize, &Finding)| {
        (10.0 + index as f64 * step, 6.0 + 48.0 * (1.0 - chance::of_score(finding.value)))
    };
    let points: Vec<(f64, f64)> = findings.iter().enumerate().map(place).collect();
    let dots: String = points
        .iter()
        .map(|(x, y)| format!("<circle class=\"point\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"/>"))
        .collect();
    format!(
        "<svg class=\"plot\" viewBox=\"0 0 300 60\" aria-hidden=\"true\"><path class=\"axis\" d=\"M0 30h300\"/><path \
         class=\"curve\" d=\"{}\"/>{dots}</svg>",
        plot::curve(&points)
    )
}
