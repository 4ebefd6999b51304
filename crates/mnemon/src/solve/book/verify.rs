//! Verifying a book: some of its positions are solved again, by a solver that has seen none of them.

use mnemon_connect4::Precision;
use mnemon_memory::Access;
use mnemon_search::random::Random;

use super::Arguments;
use crate::connect4::book;
use crate::{Result, format, memory_location, output, progress};

/// Solves `count` positions of the book again; true when all have the score that the book says and no record is
/// damaged.
pub(crate) fn run(arguments: &Arguments, count: usize) -> Result<bool> {
    let path = &arguments.out;
    let store = book::open(path, Access::ReadOnly)?;
    let entries = book::entries(&*store)?;
    memory_location::is_sound(&*store)?;
    let damaged = store.statistics()?.damaged;
    let total = entries.len();
    let entries = sample(entries, count, arguments.seed);
    let solver = arguments.engine.solver()?;
    let bar = progress::bar(entries.len() as u64, "verify");
    let mut wrong = 0;
    for entry in &entries {
        let score = solver.solve(&entry.board, Precision::Strong)?.score;
        if score != entry.score {
            wrong += 1;
            let (moves, said) = (entry.moves(), entry.score);
            bar.suspend(|| {
                eprintln!("mnemon: {moves}: the score is {score} for the side to move, the book says {said}")
            });
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    output::say(format_args!(
        "{}: {} of {total} positions solved again, {wrong} wrong; {} damaged",
        path.display(),
        entries.len(),
        format::records(damaged),
    ))?;
    Ok(wrong == 0 && damaged == 0)
}

/// `count` of the items, each at most once; the same items for the same seed.
fn sample<T>(mut items: Vec<T>, count: usize, seed: u64) -> Vec<T> {
    let mut random = Random::new(seed);
    for index in 0..count.min(items.len()) {
        let other = index + random.below(items.len() - index);
        items.swap(index, other);
    }
    items.truncate(count);
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_each_item_once() {
        let mut some = sample((0..100).collect(), 30, 7);
        assert_eq!(some, sample((0..100).collect(), 30, 7));
        some.sort_unstable();
        some.dedup();
        assert_eq!(some.len(), 30);
        assert_eq!(sample(vec![1, 2], 5, 7).len(), 2);
        assert!(sample(Vec::<u8>::new(), 5, 7).is_empty());
    }
}
