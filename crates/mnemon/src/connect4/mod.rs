//! The Connect Four solver as commands use it: its settings, the opening book in front of it, and its progress.

pub(crate) mod book;
pub(crate) mod progress;
pub(crate) mod solver;
