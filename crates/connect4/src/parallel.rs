//! One null-window search by several threads.
//!
//! Every thread searches the whole tree on the shared table and defers positions that another thread is searching; the
//! first result ends the search. Each result is a proven bound, so the score is the same with any number of threads;
//! only node counts vary.

use crate::node::Node;
use crate::search::Worker;
use crate::shared::Shared;
use crate::technique::{Technique, Techniques};

/// [`Worker::search_root`], compiled for a choice of techniques.
type SearchRoot<const WIDTH: usize, const HEIGHT: usize> =
    for<'a, 'b, 'c> fn(&'a mut Worker<'b, WIDTH, HEIGHT>, &'c Node<WIDTH, HEIGHT>, i32) -> Option<i32>;

/// The search that is compiled for these techniques.
pub(crate) fn search_with<const WIDTH: usize, const HEIGHT: usize>(
    techniques: Techniques,
) -> SearchRoot<WIDTH, HEIGHT> {
    match techniques {
        Techniques::All => |worker, root, alpha| worker.search_root::<0>(root, alpha),
        Techniques::UpperBoundsOnly => |worker, root, alpha| {
            worker.search_root::<{ Technique::LowerBounds as u32 | Technique::BestMove as u32 }>(root, alpha)
        },
        Techniques::Without(technique) => search_without(technique),
    }
}

fn search_without<const WIDTH: usize, const HEIGHT: usize>(technique: Technique) -> SearchRoot<WIDTH, HEIGHT> {
    macro_rules! without {
        ($($name:ident),*) => {
            match technique {
                $(Technique::$name => |worker, root, alpha| worker.search_root::<{ Technique::$name as u32 }>(root, alpha),)*
            }
        };
    }
    without!(Mirror, Material, FollowUp, Zugzwang, EnhancedCutoffs, ThreatOrder, History, LowerBounds, BestMove, Forced)
}

/// Searches `root` with the null window `(alpha, alpha + 1)` on all workers.
///
/// Returns the bound of the first worker that finishes: above `alpha`, the score is at least that; otherwise it is at
/// most that. Returns `None` when all were aborted by the stop flag or the node limit.
pub(crate) fn search_null_window<const WIDTH: usize, const HEIGHT: usize>(
    workers: &mut [Worker<'_, WIDTH, HEIGHT>],
    shared: &Shared<'_>,
    search: SearchRoot<WIDTH, HEIGHT>,
    root: &Node<WIDTH, HEIGHT>,
    alpha: i32,
) -> Option<i32> {
    if let [worker] = workers {
        return search(worker, root, alpha);
    }
    std::thread::scope(|scope| {
        let search_one = |worker| {
            let bound = search(worker, root, alpha);
            if bound.is_some() {
                shared.finish();
            }
            bound
        };
        let threads: Vec<_> = workers.iter_mut().map(|worker| scope.spawn(move || search_one(worker))).collect();
        let bounds: Vec<_> = threads.into_iter().map(|thread| thread.join()).collect();
        bounds.into_iter().find_map(|bound| bound.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}
