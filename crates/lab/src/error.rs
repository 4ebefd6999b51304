//! Why an experiment stops.

use std::io;
use std::path::{Path, PathBuf};

use mnemon_chess::ChessError;
use mnemon_chess::epd::EpdFileError;
use mnemon_connect4::SolverError;
use mnemon_memory::MemoryError;
use mnemon_table::file::FileError;
use mnemon_table::{SnapshotError, TableError};
use mnemon_uci::child::ChildError;
use plotters::drawing::DrawingAreaErrorKind;

/// Why an experiment has no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// Arguments that are well formed and ask for something that does not exist.
    #[error("{0}")]
    Usage(String),
    /// A file or folder cannot be read, written or created.
    #[error(transparent)]
    File(#[from] FileError),
    /// A line of an input file is not what the experiment takes.
    #[error("{}: line {line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// An input file has no position.
    #[error("{} has no positions", path.display())]
    NoPositions {
        /// The file.
        path: PathBuf,
    },
    /// The input is well formed and too small for the experiment.
    #[error("{0}")]
    TooLittleData(String),
    /// A file of positions cannot be read.
    #[error(transparent)]
    Epd(#[from] EpdFileError),
    /// A position or a move is not valid.
    #[error(transparent)]
    Chess(#[from] ChessError),
    /// The long-term memory failed.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The memory of an engine that plays or analyses failed, in that engine's words.
    #[error("the engine's memory failed: {0}")]
    EngineMemory(String),
    /// The engine found no move in a position that has legal moves: a defect of the engine.
    #[error("the engine gave no move in the position {fen}")]
    NoMove {
        /// The position.
        fen: String,
    },
    /// A table cannot be allocated.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A saved table cannot be written or read back.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// The Connect Four solver failed.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// An engine that runs as a child process cannot be used.
    #[error(transparent)]
    Engine(#[from] ChildError),
    /// The engine of an exploration cannot be used.
    #[error(transparent)]
    Evaluator(#[from] mnemon_explore::grow::EvaluatorError),
    /// A fitted weight is too large for the engine.
    #[error("a weight of '{group}' became {middlegame}, {endgame}: the data do not determine it")]
    Weight {
        /// The weight's group of features.
        group: String,
        /// Its value for the middlegame.
        middlegame: f64,
        /// Its value for the endgame.
        endgame: f64,
    },
    /// Not one thread can be started.
    #[error("no thread can be started: {0}")]
    Threads(#[source] io::Error),
    /// A plot cannot be drawn.
    #[error("cannot draw the plot: {0}")]
    Plot(String),
    /// A line of the result could not be written to the console, such as a pipe that was closed.
    #[error("cannot write the output: {0}")]
    Console(#[source] io::Error),
}

/// An experiment's result, or why there is none.
pub type Result<T = ()> = std::result::Result<T, LabError>;

impl<E: std::error::Error + Send + Sync> From<DrawingAreaErrorKind<E>> for LabError {
    fn from(error: DrawingAreaErrorKind<E>) -> Self {
        LabError::Plot(error.to_string())
    }
}

/// Turns the system's error about a file into one that names the file: `.map_err(cannot("read", path))`.
pub(crate) fn cannot(action: &'static str, path: &Path) -> impl Fn(io::Error) -> LabError {
    move |source| FileError::Io { action, path: path.to_owned(), source }.into()
}
