//! One null-window search by several threads.
//!
//! Every thread searches the whole tree on the shared table and defers positions that another thread is searching; the
//! first result ends the search. Each result is a proven bound, so the score is the same with any number of threads;
//! only node counts vary.

use std::thread::Builder;

use crate::node::Node;
use crate::search::Worker;
use crate::shared::Shared;
use crate::technique::{SEPARATE_TABLES, Technique, Techniques};

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
        Techniques::SeparateTables => |worker, root, alpha| worker.search_root::<SEPARATE_TABLES>(root, alpha),
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

/// Searches `root` with the null window `(alpha, alpha + 1)` on all workers: one on this thread, each other on one that
/// `builder` makes. Where the system refuses threads, the search goes on with fewer, and reports that.
///
/// Returns the bound of a worker that finishes: above `alpha`, the score is at least that; otherwise it is at most that.
/// Returns `None` when all were aborted by the stop flag or the node limit.
pub(crate) fn search_null_window<const WIDTH: usize, const HEIGHT: usize>(
    workers: &mut [Worker<'_, WIDTH, HEIGHT>],
    shared: &Shared<'_>,
    search: SearchRoot<WIDTH, HEIGHT>,
    root: &Node<WIDTH, HEIGHT>,
    alpha: i32,
    builder: impl Fn() -> Builder,
) -> Option<i32> {
    let asked = workers.len();
    let (own, helpers) = workers.split_first_mut()?;
    if helpers.is_empty() {
        return search(own, root, alpha);
    }
    std::thread::scope(|scope| {
        let search_one = |worker| {
            let bound = search(worker, root, alpha);
            if bound.is_some() {
                shared.finish();
            }
            bound
        };
        let start = |worker| builder().spawn_scoped(scope, move || search_one(worker)).ok();
        let threads: Vec<_> = helpers.iter_mut().map_while(start).collect();
        if threads.len() + 1 < asked {
            shared.report_fewer_threads(threads.len() + 1, asked);
        }
        let own = search_one(own);
        let bounds: Vec<_> = threads.into_iter().map(|thread| thread.join()).collect();
        let bounds = bounds.into_iter().map(|bound| bound.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        bounds.fold(own, Option::or)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::Board;
    use crate::report::{Progress, Report};
    use crate::tables::SolverTable;

    #[derive(Default)]
    struct Recorder(Mutex<Vec<(usize, usize)>>);

    impl Report for Recorder {
        fn progress(&self, _progress: Progress) {}

        fn fewer_threads(&self, started: usize, asked: usize) {
            self.0.lock().expect("no panic").push((started, asked));
        }
    }

    #[test]
    fn without_helpers_this_thread_searches_alone_and_that_is_reported_once() {
        let (recorder, stop) = (Recorder::default(), AtomicBool::new(false));
        let table = SolverTable::new(4 << 20).expect("a small table");
        let shared = Shared::new(&stop, &recorder, 4, u64::MAX);
        let board: Board = Board::parse("2416615552").expect("a position");
        let root = Node::new(&board);
        let mut workers: Vec<_> = (0..4).map(|_| Worker::new(&table, &shared, &root)).collect();
        // No system has room for this stack.
        let refused = || Builder::new().stack_size(usize::MAX / 4);
        let score = crate::Solver::<7, 6>::new(4 << 20)
            .and_then(|solver| solver.solve(&board, crate::Precision::Strong))
            .expect("solved")
            .score;
        for alpha in [score - 1, score] {
            shared.begin(-21, 21);
            let search = search_with(Techniques::All);
            let bound = search_null_window(&mut workers, &shared, search, &root, alpha, refused).expect("not stopped");
            assert_eq!(bound > alpha, score > alpha, "{bound}");
        }
        assert_eq!(*recorder.0.lock().expect("no panic"), [(1, 4)]);
    }
}
