//! Making a book: the deepest positions are solved, the others follow from them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mnemon_connect4::sequence::MoveSequence;
use mnemon_connect4::{Board, Precision, Solver};
use mnemon_memory::{Access, Item, Store};

use super::{Arguments, layers};
use crate::connect4::book::{self, Book, BookEntry};
use crate::format::plural;
use crate::{Result, memory_location, output, progress};

/// Solved positions are written to the book when this time has passed since the last write: no more is lost by a kill.
const WRITE_INTERVAL: Duration = Duration::from_millis(500);

/// Makes the book, or the rest of it.
pub(crate) fn run(arguments: &Arguments, depth: u8) -> Result {
    let root = MoveSequence::from_moves(&arguments.from).map_err(|error| format!("--from: {error}"))?;
    let layers = layers::below(&root.board, depth)?;
    let mut maker = BookMaker::open(arguments)?;
    let total: usize = layers.iter().map(Vec::len).sum();
    let bar = progress::bar(total as u64, "book");
    for board in layers.iter().rev().flatten() {
        maker.add(board)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    maker.write()?;
    maker.store.sync()?;
    let BookMaker { solved, derived, .. } = maker;
    let known = total as u64 - solved - derived;
    Ok(output::say(format_args!(
        "{}: {total} position{} to {depth} plies below {}: {solved} solved, {derived} by their moves, {known} known before",
        arguments.out.display(),
        plural(total as u64),
        root.text(),
    ))?)
}

struct BookMaker {
    store: Arc<dyn Store>,
    /// What is known but not written yet.
    pending: Vec<Item>,
    last_write: Instant,
    solver: Solver,
    book: Book,
    solved: u64,
    derived: u64,
}

impl BookMaker {
    /// Begins a book, or goes on with what is in it. Records that are damaged are reported; their positions are solved
    /// again.
    fn open(arguments: &Arguments) -> Result<Self> {
        let store = book::open(&arguments.out, Access::Create)?;
        let book = Book::read(&*store)?;
        memory_location::is_sound(&*store)?;
        let solver = arguments.engine.solver()?;
        Ok(Self { store, pending: Vec::new(), last_write: Instant::now(), solver, book, solved: 0, derived: 0 })
    }

    /// Finds the score of a position that the book does not have yet.
    fn add(&mut self, board: &Board) -> Result {
        if self.book.score(board).is_some() {
            return Ok(());
        }
        let entry = if let Some(entry) = self.by_moves(board) {
            self.derived += 1;
            entry
        } else {
            self.solved += 1;
            let solution = self.solver.solve(board, Precision::Strong)?;
            let best = self.solver.any_best_column(board, solution.score)?;
            BookEntry { board: *board, score: solution.score, best, nodes: solution.nodes }
        };
        self.book.insert(&entry);
        self.pending.push(entry.item());
        if self.last_write.elapsed() < WRITE_INTERVAL { Ok(()) } else { self.write() }
    }

    /// Writes what is pending, all of it or, if that fails, nothing.
    fn write(&mut self) -> Result {
        self.store.merge_many(&self.pending)?;
        self.pending.clear();
        self.last_write = Instant::now();
        Ok(())
    }

    /// The position's score by the best of its moves; `None` when the book does not have all of them.
    fn by_moves(&self, board: &Board) -> Option<BookEntry> {
        let after = |column| {
            if board.wins_by(column) {
                return Some((board.score_of_win_now(), column));
            }
            Some((-self.book.score(&board.play(column))?, column))
        };
        let scores: Option<Vec<(i32, usize)>> = board.columns().map(after).collect();
        let central = |column: usize| std::cmp::Reverse(column.abs_diff(mnemon_connect4::WIDTH / 2));
        let best = scores?.into_iter().max_by_key(|&(score, column)| (score, central(column)));
        // A full board has no moves and is a draw.
        let score = best.map_or(0, |(score, _)| score);
        Some(BookEntry { board: *board, score, best: best.map(|(_, column)| column), nodes: 0 })
    }
}
