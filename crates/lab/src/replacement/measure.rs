//! Nodes to a fixed depth for every scheme and table size, in any game.

use std::sync::atomic::{AtomicUsize, Ordering};

use mnemon_search::{Game, Limits, Search, Silent};
use mnemon_table::replace::{Replace, SchemeVisitor};
use mnemon_table::{Table, TableError, Wide};

use super::variants::each_variant;
use crate::Result;
use crate::console::{Console, ProgressBar};
use crate::results::Grid;
use crate::threads::run_workers;

/// The searches of one table of results.
pub(super) struct Job<'j, G> {
    /// Positions that are searched one after the other with one table; each series begins with an empty one.
    pub(super) series: &'j [Vec<G>],
    pub(super) depth: u8,
    /// Table sizes in entries.
    pub(super) sizes: &'j [usize],
    /// The names of the schemes, in any case; all schemes if there is none.
    pub(super) schemes: &'j [String],
    /// Whether the hash move is searched first.
    pub(super) hash_moves: bool,
    /// Searches that run at the same time.
    pub(super) threads: usize,
}

/// A replacement scheme as a value: the schemes are types, which cannot be listed.
struct Scheme<G> {
    name: &'static str,
    nodes: fn(&[G], usize, u8, bool) -> std::result::Result<u64, TableError>,
}

struct Schemes<G>(Vec<Scheme<G>>);

/// The name of a scheme: the paper calls two of the library's by other names.
pub(super) fn name_of<R: Replace>() -> &'static str {
    match R::NAME {
        "Always" => "New",
        "Deeper" => "Deep",
        name => name,
    }
}

impl<G: Game> SchemeVisitor for Schemes<G> {
    fn visit<R: Replace>(&mut self, _scheme: R) {
        self.0.push(Scheme { name: name_of::<R>(), nodes: nodes_of::<G, R> });
    }
}

/// Nodes to search the positions to the depth, one after the other, with a table of this many entries.
fn nodes_of<G: Game, R: Replace>(
    positions: &[G],
    entries: usize,
    depth: u8,
    hash_moves: bool,
) -> std::result::Result<u64, TableError> {
    let table: Table<Wide, R> = Table::with_entries(entries, R::default())?;
    let search = Search { limits: Limits::depth(depth), hash_moves, ..Search::new(&table) };
    let nodes = positions.iter().map(|position| {
        table.new_generation();
        search.run(position, &mut Silent).stats.nodes
    });
    Ok(nodes.sum())
}

impl<G: Game + Sync> Job<'_, G> {
    /// Million nodes for each size and scheme, all positions together.
    pub(super) fn measure(&self, console: &dyn Console) -> Result<Grid> {
        let mut schemes = Schemes(Vec::new());
        each_variant(&mut schemes);
        let Schemes(mut schemes) = schemes;
        let is_chosen = |name: &str| self.schemes.iter().any(|chosen| chosen.eq_ignore_ascii_case(name));
        schemes.retain(|scheme| self.schemes.is_empty() || is_chosen(scheme.name));
        let cells: Vec<_> =
            self.sizes.iter().flat_map(|&size| schemes.iter().map(move |scheme| (size, scheme))).collect();
        let steps = (cells.len() * self.series.len()) as u64;
        let progress =
            ProgressBar::of(console, if self.hash_moves { "hash move first" } else { "hash move not used" }, steps);
        let count = |&(size, scheme): &(usize, &Scheme<G>)| -> std::result::Result<f64, TableError> {
            let mut total = 0;
            for positions in self.series {
                total += (scheme.nodes)(positions, size, self.depth, self.hash_moves)?;
                progress.advance(1);
            }
            Ok(total as f64 / 1e6)
        };
        let counts = parallel_map(console, &cells, self.threads, count)?.into_iter();
        let counts: Vec<f64> = counts.collect::<std::result::Result<_, _>>()?;
        drop(progress);
        let names = self.sizes.iter().map(|&size| size_name(size));
        Ok(Grid {
            corner: "Entries".to_owned(),
            columns: schemes.iter().map(|scheme| scheme.name.to_owned()).collect(),
            rows: names.zip(counts.chunks(schemes.len()).map(<[f64]>::to_vec)).collect(),
        })
    }
}

/// `2^13`, or the number where it is no power of two.
fn size_name(entries: usize) -> String {
    if entries.is_power_of_two() { format!("2^{}", entries.ilog2()) } else { entries.to_string() }
}

/// The results of `work` on each item, in order, computed by this many threads.
fn parallel_map<T: Sync, U: Send>(
    console: &dyn Console,
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> U + Sync,
) -> Result<Vec<U>> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        while let Some((number, item)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|n| Some((n, items.get(n)?)))
        {
            done.push((number, work(item)));
        }
        done
    };
    let mut done: Vec<_> = run_workers(console, vec![&worker; threads])?.into_iter().flatten().collect();
    done.sort_unstable_by_key(|&(number, _)| number);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}
