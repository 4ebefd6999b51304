#![doc = include_str!("../README.md")]

pub mod child;
mod command;
mod complaint;
mod engine_line;
mod go;
mod info;
pub mod observer;
mod options;
pub mod proxy;
pub mod remembered;
mod words;

pub use command::{Command, ParsedCommand, PositionCommand};
pub use complaint::Complaint;
pub use engine_line::{BestMove, EngineLine};
pub use go::GoCommand;
pub use info::{Bound, Info, Score, ScoreValue, Wdl};
pub use options::{InvalidValue, OptionDecl, OptionKind, OptionValue};
pub use words::clip;
