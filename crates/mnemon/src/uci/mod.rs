//! `mnemon uci`: the chess engine for GUIs.
//!
//! ```text
//! stdin ─► input (lines) ─► mnemon_uci::Command ─► session, set_option ─► Engine ─► format ─► stdout
//! ```
//!
//! The protocol itself is `mnemon-uci`'s; here is the conversation of our engine. No input ends it but `quit` and the end of
//! the input: what is wrong with a line is said in an `info string`.

mod book_options;
mod display;
mod extension;
mod format;
mod go;
mod input;
mod memory_options;
mod options;
mod session;
mod set_option;

use std::io::BufRead;

use input::Input;
use session::{Next, Session, tell};

use crate::Result;

/// Speaks UCI on stdin and stdout until `quit` or the end of the input.
pub(crate) fn run() -> Result {
    converse(&mut std::io::stdin().lock())
}

/// Answers the lines of any input, until `quit` or its end.
pub(crate) fn converse(input: &mut impl BufRead) -> Result {
    let mut session = Session::new()?;
    let outcome = loop {
        let next = match input::next(input) {
            Ok(Input::Line(line)) => session.line(&line),
            Ok(Input::Unreadable(why)) => tell(&why).map(|()| Next::Line),
            Ok(Input::End) => Ok(Next::Quit),
            Err(error) => Err(error.into()),
        };
        match next {
            Ok(Next::Line) => {}
            Ok(Next::Quit) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    let ended = session.end();
    outcome.and(ended)
}
