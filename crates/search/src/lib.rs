#![doc = include_str!("../README.md")]

mod deepen;
mod game;
pub mod games;
pub mod laws;
mod limits;
pub mod minimax;
mod negamax;
mod null_window;
mod order;
mod parallel;
mod pvs;
pub mod random;
mod report;
mod searcher;
mod stats;

pub use deepen::Algorithm;
pub use game::{Game, HIGHEST_POINTS, Outcome, WINS};
pub use limits::{DEEPEST, Limits};
pub use parallel::{Answer, Search};
pub use report::{Iteration, Quiet, Report};
pub use searcher::Keep;
pub use stats::Stats;
