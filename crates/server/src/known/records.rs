//! A record with its source, for people and programs.

use mnemon_explore::format;
use mnemon_explore::notation::Position;
use mnemon_explore::record_json::{Names, SourceJson};
use mnemon_memory::{Contributor, Record, Source, Store, Trust};
use serde::Serialize;

use super::{MoveName, ScoreReport};
use crate::error::ApiResult;

/// One source's record of a position.
#[derive(Serialize)]
pub(crate) struct RecordReport {
    pub(crate) source: SourceJson,
    /// The source for people: `Stockfish 17 of Bob`.
    pub(crate) by: String,
    /// `engine`, `person`, `file` or `player`.
    pub(crate) kind: &'static str,
    /// Whether a search would believe its score.
    pub(crate) is_believed: bool,
    pub(crate) score: Option<ScoreReport>,
    /// The best move; of a move's record, the reply.
    pub(crate) best: Option<MoveName>,
    pub(crate) origins: Vec<&'static str>,
    pub(crate) nodes: u64,
    /// Of a player: the number of games.
    pub(crate) games: Option<u64>,
    /// Seconds since 1970; 0 if it is not known.
    pub(crate) time: u32,
    /// For people: `3 days ago`.
    pub(crate) age: String,
}

/// What is needed to tell of records: names, trust and the time.
pub(crate) struct Teller {
    pub(crate) names: Names,
    pub(crate) contributors: Vec<Contributor>,
    pub(crate) trust: Trust,
    pub(crate) now: u32,
}

impl Teller {
    pub(crate) fn new(store: &dyn Store) -> ApiResult<Self> {
        let contributors = store.contributors()?;
        let trust = Trust::recorded(&contributors);
        Ok(Teller { names: Names::within(store)?, contributors, trust, now: mnemon_memory::unix_time() })
    }

    /// The record, whose scores are for the side to move of `position` and whose best move is one of `at`.
    pub(crate) fn record(
        &self,
        position: &dyn Position,
        at: &dyn Position,
        source: &Source,
        record: &Record,
    ) -> RecordReport {
        RecordReport {
            source: SourceJson::new(source, &self.names),
            by: source.described(&self.contributors),
            kind: source.kind().name(),
            is_believed: self.trust.believes(source),
            score: ScoreReport::new(position, record),
            best: MoveName::new(at, record.best),
            origins: record.origins.names().collect(),
            nodes: record.nodes,
            games: source.is_player().then_some(record.nodes),
            time: record.time,
            age: self.age(record.time),
        }
    }

    pub(crate) fn age(&self, time: u32) -> String {
        format::age(time, self.now)
    }
}
