//! An engine as a player of a match: started when it is needed, and again after it broke down.

use std::time::Duration;

use mnemon_uci::OptionKind;
use mnemon_uci::child::{ChildEngine, ChildError, EngineCommand};

/// An engine and how it is set up.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    /// What starts it.
    pub(crate) command: EngineCommand,
    /// What is set whether or not it was asked for, where the engine knows it.
    pub(crate) usual: Vec<(String, String)>,
    /// What was asked for.
    pub(crate) asked: Vec<(String, String)>,
    /// How long it may take to answer anything but a move.
    pub(crate) patience: Duration,
}

/// What a fair match wants of every engine that knows it: one thread, no book of its own, nothing on the opponent's
/// time, and nothing learned from game to game. Engines of all ages differ in what they do when nothing is said.
const FAIR: [(&str, &str); 4] = [("Threads", "1"), ("OwnBook", "false"), ("Ponder", "false"), ("Learning", "off")];

impl Setup {
    /// The engine with the options asked for, and with a table of so many MiB.
    pub(crate) fn new(command: EngineCommand, asked: Vec<(String, String)>, hash: u64, patience: Duration) -> Self {
        let mut usual: Vec<_> = FAIR.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        usual.push(("Hash".to_owned(), hash.to_string()));
        Setup { command, usual, asked, patience }
    }

    /// Starts the engine and sets it up.
    fn start(&self) -> Result<ChildEngine, ChildError> {
        let mut client = ChildEngine::start(&self.command, self.patience)?;
        for (name, value) in &self.usual {
            // An option of this name may mean something else to another engine: then it stays as it is.
            match client.option(name).map(|option| &option.kind) {
                Some(OptionKind::Spin { .. } | OptionKind::Check { .. }) => client.set_option(name, value)?,
                Some(OptionKind::Combo { choices, .. }) if choices.contains(value) => client.set_option(name, value)?,
                _ => {}
            }
        }
        for (name, value) in &self.asked {
            client.set_option(name, value)?;
        }
        client.wait_ready()?;
        Ok(client)
    }
}

/// A player, who keeps the engine from game to game.
pub(crate) struct Player {
    setup: Setup,
    client: Option<ChildEngine>,
}

impl Player {
    /// A player whose engine does not run yet.
    pub(crate) fn new(setup: Setup) -> Self {
        Player { setup, client: None }
    }

    /// The engine, running.
    ///
    /// # Errors
    /// If it cannot be started: then there is no match.
    pub(crate) fn client(&mut self) -> Result<&mut ChildEngine, ChildError> {
        let client = match self.client.take() {
            Some(client) => client,
            None => self.setup.start()?,
        };
        Ok(self.client.insert(client))
    }

    /// The engine cannot be used any more: the next game has a new one.
    pub(crate) fn discard(&mut self) {
        self.client = None;
    }

    /// The match is over.
    pub(crate) fn quit(self) {
        if let Some(client) = self.client {
            client.quit();
        }
    }
}
