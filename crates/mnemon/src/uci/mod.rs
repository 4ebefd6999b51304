//! `mnemon uci`: the chess engine, as GUIs speak to it.
//!
//! ```text
//! stdin ─► input (lines) ─► command, go (words) ─► session ─► Engine ─► words ─► stdout
//! ```
//!
//! Whatever comes in, the conversation goes on: what is wrong is said in an `info string`.

mod command;
mod go;
mod input;
mod options;
mod recollect;
mod session;
mod words;

use input::Input;
use session::{Next, Session};

use crate::Result;
use crate::output::say;

/// Speaks UCI until `quit` or the end of the input.
pub(crate) fn run() -> Result {
    let mut session = Session::new()?;
    let mut stdin = std::io::stdin().lock();
    let outcome = loop {
        let next = match input::next(&mut stdin) {
            Ok(Input::Line(line)) => session.line(&line),
            Ok(Input::Unreadable(why)) => say(words::string(&why)).map(|()| Next::Line).map_err(Into::into),
            Ok(Input::End) => Ok(Next::Quit),
            Err(error) => Err(error.into()),
        };
        match next {
            Ok(Next::Line) => {}
            Ok(Next::Quit) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    session.end();
    outcome
}
