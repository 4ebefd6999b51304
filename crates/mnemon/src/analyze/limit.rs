//! The limit of a search: depth, time, nodes, or none.

use std::time::Duration;

use clap::Args;
use mnemon_engine::{Clock, GoParams};

use crate::arguments::duration;

/// A limit on the command line; at most one of them.
#[derive(Args)]
#[group(id = "limit", multiple = false)]
pub(crate) struct Arguments {
    /// Search to this depth
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=100))]
    depth: Option<u8>,
    /// Search for this time: 10s, 500ms, 2m, 1.5h
    #[arg(long, value_name = "T", value_parser = duration)]
    time: Option<Duration>,
    /// Search this many nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search until Ctrl-C
    #[arg(long)]
    infinite: bool,
}

/// The limit of each position's search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    Depth(u8),
    Time(Duration),
    Nodes(u64),
    Infinite,
}

/// The default time of a single position: with the recall and the learning around it, within ten seconds.
const ONE_POSITION: Duration = Duration::from_secs(6);
/// The time of each position of a file.
const OF_MANY: Duration = Duration::from_secs(1);

impl Arguments {
    /// The limit that was given, or else the default for one position or for a file of them.
    pub(super) fn limit(&self, is_file: bool) -> Limit {
        let default = if is_file { OF_MANY } else { ONE_POSITION };
        match *self {
            Arguments { depth: Some(depth), .. } => Limit::Depth(depth),
            Arguments { nodes: Some(nodes), .. } => Limit::Nodes(nodes),
            Arguments { infinite: true, .. } => Limit::Infinite,
            Arguments { time, .. } => Limit::Time(time.unwrap_or(default)),
        }
    }
}

impl Limit {
    /// The parameters of the search for the engine.
    pub(super) fn go_params(self) -> GoParams {
        let unlimited = GoParams::default();
        match self {
            Limit::Depth(depth) => GoParams { depth: Some(depth), ..unlimited },
            Limit::Nodes(nodes) => GoParams { nodes: Some(nodes), ..unlimited },
            Limit::Infinite => GoParams { infinite: true, ..unlimited },
            Limit::Time(time) => {
                let move_time = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
                GoParams { clock: Clock { move_time: Some(move_time), ..Clock::default() }, ..unlimited }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_stands_alone() {
        assert_eq!(Limit::Depth(9).go_params(), GoParams { depth: Some(9), ..GoParams::default() });
        assert_eq!(Limit::Time(Duration::from_secs(2)).go_params().clock.move_time, Some(2000));
        assert!(Limit::Infinite.go_params().infinite);
    }
}
