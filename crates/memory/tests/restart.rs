//! A memory in a file has none of the faults that users of saved hash files report: recalled empty, with another result,
//! slower than without it, as large as the table.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use mnemon_memory::policy::{Policy, Resume};
use mnemon_memory::{Access, Memory, Session, SessionOutcome, Source, open};
use mnemon_search::games::{Rules, Synthetic};
use mnemon_search::{Limits, Silent};
use mnemon_table::Table;

const TABLE_BYTES: usize = 16 << 20;

/// One run of a program: opens the memory, searches with an empty table, closes.
fn run(path: &Path, root: &Synthetic, depth: u8) -> SessionOutcome<u8> {
    let store = open(path, Access::Create).expect("a memory");
    let policy = Policy::Resume(Resume { least_depth: 3, ..Resume::default() });
    let memory = Memory::new(store, Source::engine("tested", "1"), policy);
    let mut session: Session = Session::new(memory, Arc::new(Table::new(TABLE_BYTES).expect("sixteen megabytes")));
    let outcome =
        session.search(root, 0, |search| search.limits = Limits::depth(depth), &mut Silent).expect("readable");
    session.memory().sync().expect("written");
    outcome
}

#[test]
fn an_analysis_that_was_closed_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("analysis.mnemon");
    let root = Synthetic::new(Rules { gain: 30, ..Rules::noise(3, 6, 60, 15) });
    let first = run(&path, &root, 11);
    assert_eq!(first.recalled.entries, 0);
    let bytes = fs::metadata(&path).expect("a file").len();
    assert!(bytes * 4 < TABLE_BYTES as u64, "{bytes} bytes: the file is no copy of the table");

    let second = run(&path, &root, 11);
    assert!(second.recalled.entries > 100, "{} entries recalled", second.recalled.entries);
    assert_eq!((second.search.score, second.search.best), (first.search.score, first.search.best), "the same result");
    let [cold, warm] = [&first, &second].map(|outcome| outcome.search.stats.nodes);
    assert!(warm * 50 <= cold, "{warm} nodes after {cold}: at most two per cent");

    // A deeper search than before is not slower than without a memory, either.
    let deeper = run(&path, &root, 13);
    let without = run(&folder.path().join("none.mnemon"), &root, 13);
    assert_eq!(deeper.search.score, without.search.score);
    let [with, without] = [&deeper, &without].map(|outcome| outcome.search.stats.nodes);
    assert!(with < without, "{with} nodes with, {without} without");
}
