//! What users of saved hash files met, with a real file: it came back empty, different, slower than none, or as large as
//! the table.

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
    assert!(second.recalled.entries > 100, "{} entries: it does not come back empty", second.recalled.entries);
    assert_eq!((second.answer.score, second.answer.best), (first.answer.score, first.answer.best), "nor different");
    let [cold, warm] = [&first, &second].map(|outcome| outcome.answer.stats.nodes);
    assert!(warm * 50 <= cold, "{warm} nodes after {cold}: at most two per cent");

    // Deeper than before, too, it is not slower than without a memory.
    let deeper = run(&path, &root, 13);
    let without = run(&folder.path().join("none.mnemon"), &root, 13);
    assert_eq!(deeper.answer.score, without.answer.score);
    let [with, without] = [&deeper, &without].map(|outcome| outcome.answer.stats.nodes);
    assert!(with < without, "{with} nodes with, {without} without");
}
