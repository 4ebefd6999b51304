//! Solves positions one after the other; an error in one does not stop the others.

use std::io::{self, IsTerminal};
use std::time::Instant;

use mnemon_connect4::Precision;

use super::bench::{Means, Setting};
use super::input::{LineNumber, Source};
use super::outcome::{SolveOutcome, SolveRequest, solve};
use super::write::{self, Form};
use super::{Arguments, SIGNS, bench};
use crate::connect4::progress::SolveProgress;
use crate::connect4::solver::BookSolver;
use crate::format::plural;
use crate::{Result, output};
use mnemon_connect4::sequence::MoveSequence;

/// Solves every position; true when none was refused and no score was wrong.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let (solver, is_sound) = BookSolver::open(&arguments.engine, arguments.book.as_deref())?;
    let sources = sources(arguments);
    let mut session = Session::new(arguments, solver);
    if session.bench.is_none() && session.form == Form::Line && io::stdout().is_terminal() {
        eprintln!("moves, score, nodes, microseconds; {SIGNS}");
    }
    let mut means = Vec::new();
    for source in sources {
        let name = source.name();
        means.push((name, session.source(source)?));
    }
    if let Some(setting) = &session.bench {
        bench::show(&means, setting, arguments.json)?;
    }
    if arguments.verify {
        session.tally.show();
    }
    Ok(is_sound && session.tally.is_fine())
}

fn sources(arguments: &Arguments) -> Vec<Source> {
    let words = (!arguments.positions.is_empty()).then(|| Source::Arguments(arguments.positions.clone()));
    let mut sources: Vec<_> = words.into_iter().chain(arguments.file.iter().cloned().map(Source::File)).collect();
    if sources.is_empty() {
        if io::stdin().is_terminal() {
            eprintln!("One position a line, such as 4455; the end of input (Ctrl-D) ends it.");
        }
        sources.push(Source::Stdin);
    }
    sources
}

/// The counts of a session.
#[derive(Default)]
struct Tally {
    verified: u64,
    wrong: u64,
    refused: u64,
}

impl Tally {
    const fn is_fine(&self) -> bool {
        self.wrong == 0 && self.refused == 0
    }

    fn show(&self) {
        let Tally { verified, wrong, refused } = *self;
        let (s, other_s) = (plural(verified), plural(refused));
        eprintln!("verified {verified} position{s}: {wrong} wrong; {refused} other error{other_s}");
    }
}

struct Session {
    solver: BookSolver,
    request: SolveRequest,
    form: Form,
    verify: bool,
    /// Set when only the means are wanted.
    bench: Option<Setting>,
    tally: Tally,
}

impl Session {
    fn new(arguments: &Arguments, solver: BookSolver) -> Self {
        let form = form(arguments);
        let precision = if arguments.weak { Precision::Weak } else { Precision::Strong };
        let request = SolveRequest { precision, all: arguments.all || form == Form::Picture };
        let bench = arguments.bench.then(|| Setting::new(&arguments.engine, arguments.weak));
        Self { solver, request, form, verify: arguments.verify, bench, tally: Tally::default() }
    }

    /// Solves every line of a source. Fails only when the output cannot be written.
    fn source(&mut self, source: Source) -> Result<Means> {
        let (name, mut means) = (source.name(), Means::default());
        let mut lines = match source.lines() {
            Ok(lines) => lines,
            Err(error) => {
                self.refuse(&name, &error);
                return Ok(means);
            }
        };
        loop {
            match lines.next() {
                Ok(Some((at, line))) if !line.starts_with(b"#") => self.line(&at, &line, &mut means)?,
                Ok(Some(_)) => {}
                Ok(None) => return Ok(means),
                Err(error) => {
                    self.refuse(&name, &error);
                    return Ok(means);
                }
            }
        }
    }

    fn refuse(&mut self, at: &dyn std::fmt::Display, why: &dyn std::fmt::Display) {
        eprintln!("mnemon: {at}: {why}");
        self.tally.refused += 1;
    }

    fn line(&mut self, at: &LineNumber, line: &[u8], means: &mut Means) -> Result {
        let position = match MoveSequence::read(line) {
            Ok(position) => position,
            Err(error) => {
                let hint = if at.file.is_none() && is_word(line) { "; the only word here is 'book'" } else { "" };
                self.refuse(at, &format!("{error}{hint}"));
                return Ok(());
            }
        };
        let outcome = self.solve(&position)?;
        means.add(&outcome);
        if self.verify {
            self.check(at, &position, outcome.score);
        }
        if self.bench.is_none() {
            output::say(write::text(self.form, at, &position, &outcome, self.request.precision)?)?;
        }
        Ok(())
    }

    fn solve(&self, position: &MoveSequence) -> Result<SolveOutcome> {
        let progress = SolveProgress::new(position.text(), self.solver.solver.table_bytes());
        let start = Instant::now();
        if self.bench.is_some() {
            self.solver.solver.clear();
        }
        let outcome = solve(&self.solver, position, self.request, &progress)?;
        // The time includes that of clearing the tables.
        Ok(SolveOutcome { time: start.elapsed(), ..outcome })
    }

    fn check(&mut self, at: &LineNumber, position: &MoveSequence, score: i32) {
        let Some(expected) = position.expected else {
            return self.refuse(at, &"there is no score to verify after the moves");
        };
        self.tally.verified += 1;
        let weak = self.request.precision == Precision::Weak;
        if score != if weak { expected.signum() } else { expected } {
            self.tally.wrong += 1;
            eprintln!("mnemon: {at}: the score is {score} for the side to move, the line says {expected}");
        }
    }
}

/// A single position on a terminal is drawn; files and pipes get lines.
fn form(arguments: &Arguments) -> Form {
    let by_hand = arguments.positions.len() == 1 || arguments.positions.is_empty();
    let on_terminal = io::stdout().is_terminal() && arguments.file.is_empty() && (by_hand || arguments.all);
    if arguments.json {
        Form::Json
    } else if !arguments.bench && (arguments.draw || on_terminal) {
        Form::Picture
    } else {
        Form::Line
    }
}

/// True for letters only, where a subcommand was probably meant.
fn is_word(line: &[u8]) -> bool {
    !line.is_empty() && line.iter().all(u8::is_ascii_alphabetic)
}
