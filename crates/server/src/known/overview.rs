//! The whole memory in numbers: by game, source and contributor, and how it grew.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use mnemon_memory::{Contributor, MemoryId, Range, Statistics, Trust};
use serde::Serialize;

use super::recent::{RecentReport, recent};
use crate::app::App;
use crate::error::ApiResult;

/// What there is.
#[derive(Serialize)]
pub(crate) struct Overview {
    pub(crate) label: String,
    pub(crate) identity: String,
    pub(crate) is_writable: bool,
    pub(crate) records: u64,
    pub(crate) bytes: u64,
    pub(crate) games: Vec<GameCount>,
    pub(crate) sources: Vec<SourceCount>,
    pub(crate) contributors: Vec<ContributorReport>,
    pub(crate) growth: Vec<GrowthPoint>,
    pub(crate) recent: Vec<RecentReport>,
}

/// The records of one game.
#[derive(Serialize)]
pub(crate) struct GameCount {
    pub(crate) game: String,
    pub(crate) records: u64,
}

/// The records of one game by one source.
#[derive(Serialize)]
pub(crate) struct SourceCount {
    pub(crate) game: String,
    pub(crate) by: String,
    pub(crate) kind: &'static str,
    /// Whose memory it comes from; `None` if it is this one's own.
    pub(crate) contributor: Option<String>,
    pub(crate) is_believed: bool,
    pub(crate) records: u64,
}

/// A memory or a file that records came from.
#[derive(Serialize)]
pub(crate) struct ContributorReport {
    pub(crate) identity: String,
    pub(crate) label: String,
    pub(crate) trusted: bool,
    pub(crate) since: u32,
    pub(crate) records: u64,
}

/// How many records were learned or used last within a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct GrowthPoint {
    /// When it begins, in seconds since 1970.
    pub(crate) time: u32,
    pub(crate) records: u64,
    /// Those of this time and before.
    pub(crate) total: u64,
}

const DAY: u32 = 86_400;
/// The most points of the growth.
const MOST_POINTS: usize = 400;
const RECENT: usize = 20;

impl Overview {
    /// Reads the counts, and the time of each record.
    pub(crate) fn read(app: &App) -> ApiResult<Self> {
        let (identity, contributors) = (app.store.identity()?, app.store.contributors()?);
        let Statistics { bytes, counts, .. } = app.store.statistics()?;
        let trust = Trust::recorded(&contributors);
        let mut by_game: BTreeMap<String, u64> = BTreeMap::new();
        let mut sources = Vec::with_capacity(counts.len());
        for count in &counts {
            *by_game.entry(count.game.to_string()).or_default() += count.records;
            sources.push(SourceCount {
                game: count.game.to_string(),
                by: count.source.described(&contributors),
                kind: count.source.kind().name(),
                contributor: count.source.contributor().map(|id| id.to_string()),
                is_believed: trust.believes(&count.source),
                records: count.records,
            });
        }
        sources.sort_by(|a, b| (&a.game, std::cmp::Reverse(a.records)).cmp(&(&b.game, std::cmp::Reverse(b.records))));
        let of_contributor = |id: MemoryId| {
            counts.iter().filter(|count| count.source.contributor() == Some(id)).map(|count| count.records).sum()
        };
        Ok(Overview {
            label: identity.label,
            identity: identity.id.to_string(),
            is_writable: app.is_writable,
            records: counts.iter().map(|count| count.records).sum(),
            bytes,
            games: by_game.into_iter().map(|(game, records)| GameCount { game, records }).collect(),
            sources,
            contributors: contributors
                .iter()
                .map(|known| ContributorReport::new(known, of_contributor(known.id)))
                .collect(),
            growth: growth(app)?,
            recent: recent(app, None, RECENT)?,
        })
    }
}

impl ContributorReport {
    pub(crate) fn new(contributor: &Contributor, records: u64) -> Self {
        ContributorReport {
            identity: contributor.id.to_string(),
            label: contributor.label.clone(),
            trusted: contributor.trusted,
            since: contributor.since,
            records,
        }
    }
}

/// The records by the day on which they were last learned or used.
fn growth(app: &App) -> ApiResult<Vec<GrowthPoint>> {
    let mut days: BTreeMap<u32, u64> = BTreeMap::new();
    app.store.scan(&Range::default(), &mut |item| {
        *days.entry(item.record.time / DAY).or_default() += 1;
        ControlFlow::Continue(())
    })?;
    Ok(points(&days))
}

/// A point for each day, or for several together where there would be too many.
fn points(days: &BTreeMap<u32, u64>) -> Vec<GrowthPoint> {
    // A time that is not known is no day.
    let known = || days.iter().filter(|&(&day, _)| day > 0);
    let mut total: u64 = days.get(&0).copied().unwrap_or(0);
    let (Some((&first, _)), Some((&last, _))) = (known().next(), known().next_back()) else { return Vec::new() };
    let step = (last - first + 1).div_ceil(MOST_POINTS as u32).max(1);
    let mut points: Vec<GrowthPoint> = Vec::new();
    for (&day, &records) in known() {
        let time = (first + (day - first) / step * step).saturating_mul(DAY);
        total += records;
        match points.last_mut() {
            Some(point) if point.time == time => (point.records, point.total) = (point.records + records, total),
            _ => points.push(GrowthPoint { time, records, total }),
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_adds_up_and_has_a_bounded_number_of_points() {
        let days: BTreeMap<u32, u64> = (0..5000).map(|day| (day * 2, 3)).collect();
        let points = points(&days);
        assert!(points.len() <= MOST_POINTS);
        assert_eq!(points.last().map(|point| point.total), Some(15_000));
        assert_eq!(points.iter().map(|point| point.records).sum::<u64>(), 15_000 - 3, "those of an unknown time apart");
        assert!(points.is_sorted_by(|a, b| a.time < b.time && a.total < b.total));
    }

    #[test]
    fn few_days_are_points_of_their_own() {
        let points = points(&BTreeMap::from([(100, 5), (103, 1)]));
        let expected =
            [(100, 5, 5), (103, 1, 6)].map(|(day, records, total)| GrowthPoint { time: day * DAY, records, total });
        assert_eq!(points, expected);
        assert!(super::points(&BTreeMap::new()).is_empty());
    }
}
