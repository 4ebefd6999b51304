//! One question asked of several threads at once.
//!
//! Every thread searches the whole question on the shared table, keeping off the positions that another is at work
//! on; the first answer ends the question. Each answer is a proven bound, so the score is the same with any number
//! of threads; only node counts vary.

use crate::node::Node;
use crate::search::Worker;
use crate::shared::Shared;
use crate::technique::{Technique, Techniques};

type Root<const WIDTH: usize, const HEIGHT: usize> =
    for<'a, 'b, 'c> fn(&'a mut Worker<'b, WIDTH, HEIGHT>, &'c Node<WIDTH, HEIGHT>, i32) -> Option<i32>;

/// The search compiled for these techniques.
pub(crate) fn search_with<const WIDTH: usize, const HEIGHT: usize>(techniques: Techniques) -> Root<WIDTH, HEIGHT> {
    match techniques {
        Techniques::All => |worker, root, alpha| worker.root::<0>(root, alpha),
        Techniques::UpperBoundsOnly => |worker, root, alpha| {
            worker.root::<{ Technique::LowerBounds as u32 | Technique::BestMove as u32 }>(root, alpha)
        },
        Techniques::Without(technique) => search_without(technique),
    }
}

fn search_without<const WIDTH: usize, const HEIGHT: usize>(technique: Technique) -> Root<WIDTH, HEIGHT> {
    macro_rules! without {
        ($($name:ident),*) => {
            match technique {
                $(Technique::$name => |worker, root, alpha| worker.root::<{ Technique::$name as u32 }>(root, alpha),)*
            }
        };
    }
    without!(Mirror, Material, FollowUp, Zugzwang, EnhancedCutoffs, ThreatOrder, History, LowerBounds, BestMove, Forced)
}

/// Asks all workers whether the score of `root` is higher than `alpha`.
///
/// Returns the bound of the first that knows (see [`Worker::root`]), and `None` when all of them left.
pub(crate) fn ask<const WIDTH: usize, const HEIGHT: usize>(
    workers: &mut [Worker<'_, WIDTH, HEIGHT>],
    shared: &Shared<'_>,
    search: Root<WIDTH, HEIGHT>,
    root: &Node<WIDTH, HEIGHT>,
    alpha: i32,
) -> Option<i32> {
    if let [worker] = workers {
        return search(worker, root, alpha);
    }
    std::thread::scope(|scope| {
        let ask_one = |worker| {
            let answer = search(worker, root, alpha);
            if answer.is_some() {
                shared.answer();
            }
            answer
        };
        let threads: Vec<_> = workers.iter_mut().map(|worker| scope.spawn(move || ask_one(worker))).collect();
        let answers: Vec<_> = threads.into_iter().map(|thread| thread.join()).collect();
        answers.into_iter().find_map(|answer| answer.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}
