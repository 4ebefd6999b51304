#![doc = include_str!("../README.md")]

mod alpha_beta;
mod deepen;
mod game;
pub mod games;
mod keep;
pub mod laws;
mod limits;
pub mod lines;
pub mod minimax;
mod move_order;
mod node;
mod notation;
mod null_window;
mod parallel;
mod path;
mod path_score;
pub mod random;
mod report;
mod searcher;
mod stats;

pub use deepen::Algorithm;
pub use game::{Game, HIGHEST_POINTS, Outcome, WINS};
pub use keep::Keep;
pub use limits::{Limits, MAX_DEPTH};
pub use notation::{Notation, NotationError};
pub use parallel::{Search, SearchOutcome};
pub use path_score::{PathDependency, PathScore};
pub use report::{Iteration, Report, Silent};
pub use stats::Stats;
