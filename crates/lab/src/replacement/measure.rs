//! Nodes to a fixed depth for every scheme and table size, in any game.

use std::sync::atomic::{AtomicUsize, Ordering};

use mnemon_search::{Game, Limits, Search, Silent};
use mnemon_table::replace::{Replace, SchemeVisitor, each_scheme};
use mnemon_table::{Table, TableError, Wide};

use crate::Result;
use crate::console::{Console, ProgressBar};
use crate::results::Grid;
use crate::threads::run_workers;

/// Bytes of one entry in the wide layout.
const ENTRY_BYTES: usize = 16;

/// The searches of one table of results.
pub(super) struct Job<'j, G> {
    pub(super) positions: &'j [G],
    pub(super) depth: u8,
    /// Table sizes, as powers of two.
    pub(super) sizes: std::ops::RangeInclusive<u32>,
    /// Whether the hash move is searched first.
    pub(super) hash_moves: bool,
    /// Searches that run at the same time.
    pub(super) threads: usize,
}

/// A replacement scheme as a value: the schemes are types, which cannot be listed.
struct Scheme<G> {
    name: &'static str,
    nodes: fn(&G, usize, u8, bool) -> std::result::Result<u64, TableError>,
}

struct Schemes<G>(Vec<Scheme<G>>);

impl<G: Game> SchemeVisitor for Schemes<G> {
    fn visit<R: Replace>(&mut self, _scheme: R) {
        // The paper calls two of them by other names.
        let name = match R::NAME {
            "Always" => "New",
            "Deeper" => "Deep",
            name => name,
        };
        self.0.push(Scheme { name, nodes: nodes_of::<G, R> });
    }
}

/// Nodes to search the position to the depth with a table of this many entries.
fn nodes_of<G: Game, R: Replace>(
    position: &G,
    entries: usize,
    depth: u8,
    hash_moves: bool,
) -> std::result::Result<u64, TableError> {
    let table: Table<Wide, R> = Table::new(entries * ENTRY_BYTES)?;
    let search = Search { limits: Limits::depth(depth), hash_moves, ..Search::new(&table) };
    Ok(search.run(position, &mut Silent).stats.nodes)
}

impl<G: Game + Sync> Job<'_, G> {
    /// Million nodes for each size and scheme, all positions together.
    pub(super) fn measure(&self, console: &dyn Console) -> Result<Grid> {
        let mut schemes = Schemes(Vec::new());
        each_scheme(&mut schemes);
        let Schemes(schemes) = schemes;
        let sizes: Vec<usize> = self.sizes.clone().map(|power| 1 << power).collect();
        let cells: Vec<_> = sizes.iter().flat_map(|&size| schemes.iter().map(move |scheme| (size, scheme))).collect();
        let steps = (cells.len() * self.positions.len()) as u64;
        let progress =
            ProgressBar::of(console, if self.hash_moves { "hash move first" } else { "hash move not used" }, steps);
        let count = |&(size, scheme): &(usize, &Scheme<G>)| -> std::result::Result<f64, TableError> {
            let mut total = 0;
            for position in self.positions {
                total += (scheme.nodes)(position, size, self.depth, self.hash_moves)?;
                progress.advance(1);
            }
            Ok(total as f64 / 1e6)
        };
        let counts = parallel_map(console, &cells, self.threads, count)?.into_iter();
        let counts: Vec<f64> = counts.collect::<std::result::Result<_, _>>()?;
        drop(progress);
        let names = self.sizes.clone().map(|power| format!("2^{power}"));
        Ok(Grid {
            corner: "Entries".to_owned(),
            columns: schemes.iter().map(|scheme| scheme.name.to_owned()).collect(),
            rows: names.zip(counts.chunks(schemes.len()).map(<[f64]>::to_vec)).collect(),
        })
    }
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
