//! An engine that plays a match: started when it is needed, and again after it broke down.

use std::time::Duration;

use mnemon_uci::OptionKind;
use mnemon_uci::child::{ChildEngine, ChildError, EngineCommand};

/// An engine and its options.
#[derive(Clone, Debug)]
pub(super) struct EngineSetup {
    /// Starts the engine.
    command: EngineCommand,
    /// Set in every match, where the engine has the option.
    defaults: Vec<(String, String)>,
    /// Set because the user asked for it. They come last, and an engine without the option is an error.
    options: Vec<(String, String)>,
    /// The longest time for any answer but a move.
    timeout: Duration,
}

/// The same terms for every engine: one thread, no book of its own, no pondering, and nothing learned from game to game.
/// Engines differ in what they do by default.
const FAIR: [(&str, &str); 4] = [("Threads", "1"), ("OwnBook", "false"), ("Ponder", "false"), ("Learning", "off")];

impl EngineSetup {
    /// The engine with the user's options and a table of `hash` MiB.
    pub(super) fn new(
        command: EngineCommand,
        options: Vec<(String, String)>,
        hash: u64,
        timeout: Duration,
    ) -> EngineSetup {
        let mut defaults: Vec<_> = FAIR.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        defaults.push(("Hash".to_owned(), hash.to_string()));
        EngineSetup { command, defaults, options, timeout }
    }

    /// Starts the engine and sets its options.
    fn start(&self) -> Result<ChildEngine, ChildError> {
        let mut engine = ChildEngine::start(&self.command, self.timeout)?;
        for (name, value) in &self.defaults {
            // An option of this name may mean something else to another engine: it is left alone if the value does not fit.
            match engine.option(name).map(|option| &option.kind) {
                Some(OptionKind::Spin { .. } | OptionKind::Check { .. }) => engine.set_option(name, value)?,
                Some(OptionKind::Combo { choices, .. }) if choices.contains(value) => engine.set_option(name, value)?,
                _ => {}
            }
        }
        for (name, value) in &self.options {
            engine.set_option(name, value)?;
        }
        engine.wait_ready()?;
        Ok(engine)
    }
}

/// A participant of a match, which keeps its engine running from game to game.
pub(super) struct Participant {
    setup: EngineSetup,
    engine: Option<ChildEngine>,
}

impl Participant {
    /// A participant whose engine does not run yet.
    pub(super) fn new(setup: EngineSetup) -> Self {
        Participant { setup, engine: None }
    }

    /// The engine, running.
    ///
    /// # Errors
    /// An engine that cannot be started: then there is no match.
    pub(super) fn engine(&mut self) -> Result<&mut ChildEngine, ChildError> {
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => self.setup.start()?,
        };
        Ok(self.engine.insert(engine))
    }

    /// Ends an engine that cannot be used any more: the next game starts a new one.
    pub(super) fn discard(&mut self) {
        self.engine = None;
    }

    /// Ends the engine after the match.
    pub(super) fn quit(self) {
        if let Some(engine) = self.engine {
            engine.quit();
        }
    }
}
