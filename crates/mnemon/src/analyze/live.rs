//! A bar on stderr that shows the progress of a search: on a terminal, not in files and pipes.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use mnemon_chess::Position;
use mnemon_engine::search::Info;
use mnemon_table::Bound;

use super::limit::Limit;
use super::{figures, screen, summary};
use crate::{Result, output};

/// Below this width there is no room for a bar beside its words.
const NARROW: usize = 64;

/// The bar of one search.
pub(super) struct Live {
    bar: ProgressBar,
    limit: Limit,
    start: Instant,
    /// The nodes that were reported last, and when.
    nodes: (u64, Duration),
    depth: u8,
}

impl Live {
    pub(super) fn new(limit: Limit) -> Self {
        let template = match limit {
            Limit::Infinite => "{spinner} {prefix}  {wide_msg}",
            _ if screen::width().is_some_and(|width| width < NARROW) => "{prefix}  {wide_msg}",
            _ => "{wide_bar} {prefix}  {msg}",
        };
        let length = match limit {
            Limit::Time(time) => time.as_millis().try_into().unwrap_or(u64::MAX),
            Limit::Nodes(nodes) => nodes,
            Limit::Depth(depth) => depth.into(),
            Limit::Infinite => 0,
        };
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::new(length).with_style(style);
        let live = Live { bar, limit, start: Instant::now(), nodes: (0, Duration::ZERO), depth: 0 };
        live.tick();
        live
    }

    /// Writes lines to stdout with the bar out of the way.
    pub(super) fn say(&self, text: &str) -> Result {
        Ok(self.bar.suspend(|| output::say(output::escape_controls(text)))?)
    }

    /// The search goes on from what is known.
    pub(super) fn known(&self, known: &Info) {
        self.bar.set_message(format!("known to depth {}", summary::depth(known.depth)));
    }

    /// A whole iteration is done, and the next begins.
    pub(super) fn iteration(&mut self, info: &Info) {
        self.nodes = (info.nodes, self.start.elapsed());
        self.depth = info.depth;
        self.bar.set_message(format!("depth {}", info.depth.saturating_add(1)));
        self.tick();
    }

    /// An iteration's score has left its window.
    pub(super) fn bound(&mut self, position: &Position, info: &Info) {
        self.nodes = (info.nodes, self.start.elapsed());
        let sign = if info.bound == Bound::AtLeast { "≥" } else { "≤" };
        let best =
            info.pv.first().filter(|&&mv| position.is_legal(mv)).map_or_else(String::new, |&mv| position.san(mv));
        self.bar.set_message(format!("depth {}: {best} {sign} {}", info.depth, figures::score(info.score)));
    }

    /// Moves the bar on with the time.
    pub(super) fn tick(&self) {
        let elapsed = self.start.elapsed();
        let (position, prefix) = match self.limit {
            Limit::Time(time) => {
                let elapsed = elapsed.min(time);
                (elapsed.as_millis() as u64, format!("{} of {}", figures::time(elapsed), figures::time(time)))
            }
            Limit::Nodes(nodes) => {
                let searched = self.nodes_by(elapsed).min(nodes);
                (searched, format!("{} of {} nodes", figures::count(searched), figures::count(nodes)))
            }
            Limit::Depth(depth) => (self.depth.into(), format!("depth {} of {depth}", self.depth)),
            Limit::Infinite => (0, format!("{}, Ctrl-C ends it", figures::time(elapsed))),
        };
        self.bar.set_prefix(prefix);
        self.bar.set_position(position);
        self.bar.tick();
    }

    /// The nodes at this time, extrapolated from the last report by the speed until then.
    fn nodes_by(&self, elapsed: Duration) -> u64 {
        let (nodes, reported) = self.nodes;
        let since = elapsed.saturating_sub(reported);
        nodes.saturating_add((figures::speed(nodes, reported) as f64 * since.as_secs_f64()) as u64)
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
