//! Answering positions one after the other, whatever happens to some of them.

use std::io::{self, IsTerminal};
use std::time::Instant;

use mnemon_connect4::Precision;

use super::answer::{Answer, Question, answer};
use super::bench::{Means, Setting};
use super::input::{Place, Source};
use super::write::{self, Form};
use super::{Arguments, SIGNS, bench};
use crate::connect4::book::Book;
use crate::connect4::solver::Engine;
use crate::connect4::watch::Watch;
use crate::{Result, output};
use mnemon_connect4::sequence::MoveSequence;

/// Answers every position; true when all of them had an answer, and the right one.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let (book, is_sound) = arguments.book.as_deref().map_or_else(|| Ok((Book::default(), true)), Book::open)?;
    let sources = sources(arguments);
    let mut session = Session::new(arguments, Engine { solver: arguments.engine.solver()?, book });
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

/// What has been seen so far.
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
        eprintln!("verified {} positions: {} wrong; {} other errors", self.verified, self.wrong, self.refused);
    }
}

struct Session {
    engine: Engine,
    question: Question,
    form: Form,
    verify: bool,
    /// Set when only the means are wanted.
    bench: Option<Setting>,
    tally: Tally,
}

impl Session {
    fn new(arguments: &Arguments, engine: Engine) -> Self {
        let form = form(arguments);
        let precision = if arguments.weak { Precision::Weak } else { Precision::Strong };
        let question = Question { precision, all: arguments.all || form == Form::Picture };
        let bench = arguments.bench.then(|| Setting::new(&arguments.engine, arguments.weak));
        Self { engine, question, form, verify: arguments.verify, bench, tally: Tally::default() }
    }

    /// Answers every line of a source. Fails only when the answers cannot be written.
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
                Ok(Some((place, line))) if !line.starts_with(b"#") => self.line(&place, &line, &mut means)?,
                Ok(Some(_)) => {}
                Ok(None) => return Ok(means),
                Err(error) => {
                    self.refuse(&name, &error);
                    return Ok(means);
                }
            }
        }
    }

    fn refuse(&mut self, place: &dyn std::fmt::Display, why: &dyn std::fmt::Display) {
        eprintln!("mnemon: {place}: {why}");
        self.tally.refused += 1;
    }

    fn line(&mut self, place: &Place, line: &[u8], means: &mut Means) -> Result {
        let position = match MoveSequence::read(line) {
            Ok(position) => position,
            Err(fault) => {
                let hint =
                    if place.file.is_none() && meant_a_word(line) { "; the only word here is 'book'" } else { "" };
                self.refuse(place, &format!("{fault}{hint}"));
                return Ok(());
            }
        };
        let answer = self.answer(&position)?;
        means.add(&answer);
        if self.verify {
            self.check(place, &position, answer.score);
        }
        if self.bench.is_none() {
            output::say(write::text(self.form, place, &position, &answer, self.question.precision)?)?;
        }
        Ok(())
    }

    fn answer(&self, position: &MoveSequence) -> Result<Answer> {
        let watch = Watch::new(position.text(), self.engine.solver.table_bytes());
        let start = Instant::now();
        if self.bench.is_some() {
            self.engine.solver.clear();
        }
        let answer = answer(&self.engine, position, self.question, &watch)?;
        // What clearing cost is part of the answer's time.
        Ok(Answer { time: start.elapsed(), ..answer })
    }

    fn check(&mut self, place: &Place, position: &MoveSequence, score: i32) {
        let Some(expected) = position.expected else {
            return self.refuse(place, &"there is no score to verify after the moves");
        };
        self.tally.verified += 1;
        let weak = self.question.precision == Precision::Weak;
        if score != if weak { expected.signum() } else { expected } {
            self.tally.wrong += 1;
            eprintln!("mnemon: {place}: the score is {score} for the side to move, the line says {expected}");
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
fn meant_a_word(line: &[u8]) -> bool {
    !line.is_empty() && line.iter().all(u8::is_ascii_alphabetic)
}
