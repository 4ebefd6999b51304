//! The solver with its settings, and the opening book in front of it.

use std::path::Path;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use mnemon_connect4::{Board, Precision, Solution, Solver, SolverScheme, Technique, Techniques, WIDTH};
use mnemon_memory::Access;

use super::book::{self, Book};
use super::progress::SolveProgress;
use crate::{Result, memory_location};

/// How the solver works.
#[derive(Args)]
pub(crate) struct Settings {
    /// Threads; the scores do not depend on it
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,
    /// Size of the table in MiB
    #[arg(long, default_value_t = 64, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=33_554_432))]
    pub(crate) hash: u64,
    /// Entry that a full bucket of the table gives up; the scores do not depend on it
    #[arg(long, value_name = "NAME", default_value = SolverScheme::default().name(), value_parser = replacement())]
    pub(crate) replacement: SolverScheme,
    /// Do without one technique of the search; the scores do not depend on it
    #[arg(long, value_name = "TECHNIQUE", value_parser = technique())]
    pub(crate) without: Option<Technique>,
}

impl Settings {
    /// A solver with these settings.
    pub(crate) fn solver(&self) -> Result<Solver> {
        let techniques = self.without.map_or(Techniques::All, Techniques::Without);
        let solver = Solver::new(usize::try_from(self.hash << 20)?)?;
        let solver = solver.with_threads(self.threads.into()).with_techniques(techniques);
        Ok(solver.with_replacement(self.replacement)?)
    }
}

fn replacement() -> impl TypedValueParser<Value = SolverScheme> {
    let names = PossibleValuesParser::new(SolverScheme::NAMES);
    names.try_map(|name| SolverScheme::named(&name).ok_or("no such scheme"))
}

fn technique() -> impl TypedValueParser<Value = Technique> {
    let names = PossibleValuesParser::new(Technique::ALL.map(Technique::name));
    names.try_map(|name| Technique::named(&name).ok_or("no such technique"))
}

/// Looks positions up in the book, and solves those that it does not have.
pub(crate) struct BookSolver {
    pub(crate) solver: Solver,
    book: Book,
}

impl BookSolver {
    /// A solver with these settings, and with the book in this file if there is one. The second is false when the book
    /// has damaged records, which are reported and not used.
    pub(crate) fn open(settings: &Settings, book: Option<&Path>) -> Result<(Self, bool)> {
        let solver = settings.solver()?;
        let Some(path) = book else { return Ok((BookSolver { solver, book: Book::default() }, true)) };
        let store = book::open(path, Access::ReadOnly)?;
        let book = Book::read(&*store)?;
        Ok((BookSolver { solver, book }, memory_location::is_sound(&*store)?))
    }

    /// The score for the side to move (with [`Precision::Weak`] 1, 0 or -1), and the nodes that it took: none when the book
    /// has it.
    pub(crate) fn solve(&self, board: &Board, precision: Precision, progress: &SolveProgress) -> Result<Solution> {
        match (self.book.score(board), precision) {
            (Some(score), Precision::Strong) => Ok(Solution { score, nodes: 0 }),
            (Some(score), Precision::Weak) => Ok(Solution { score: score.signum(), nodes: 0 }),
            (None, _) => Ok(self.solver.solve_and_report(board, precision, progress)?),
        }
    }

    /// The score of playing each column, for the side to move, `None` where it is full; and the nodes it took.
    pub(crate) fn columns(
        &self,
        board: &Board,
        precision: Precision,
        progress: &SolveProgress,
    ) -> Result<(Vec<Option<i32>>, u64)> {
        let (mut scores, mut nodes) = (vec![None; WIDTH], 0);
        for column in board.columns() {
            progress.column(column);
            scores[column] = Some(if board.wins_by(column) {
                if precision == Precision::Weak { 1 } else { board.score_of_win_now() }
            } else {
                let solution = self.solve(&board.play(column), precision, progress)?;
                nodes += solution.nodes;
                -solution.score
            });
        }
        Ok((scores, nodes))
    }

    /// A line of best play to the end of the game, columns counted from 0.
    pub(crate) fn line(&self, board: &Board) -> Result<Vec<usize>> {
        let (mut board, mut line) = (*board, Vec::new());
        while let Some(column) = self.known_best(&board) {
            line.push(column);
            board = board.play(column);
        }
        line.extend(self.solver.principal_variation(&board)?);
        Ok(line)
    }

    /// The most central column that the book shows to be best; `None` where it does not show one.
    fn known_best(&self, board: &Board) -> Option<usize> {
        let score = self.book.score(board)?;
        let is_best = |&column: &usize| !board.wins_by(column) && self.book.score(&board.play(column)) == Some(-score);
        board.columns().filter(is_best).min_by_key(|column| column.abs_diff(WIDTH / 2))
    }
}
