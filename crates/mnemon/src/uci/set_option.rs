//! `setoption`: what each option does.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use mnemon_engine::tablebase::Tablebase;
use mnemon_engine::{Engine, Forgotten};
use mnemon_table::replace::AnyScheme;
use mnemon_uci::OptionValue;

use super::memory_options::MemoryOptions;
use super::options::OptionName;
use super::session::{BLOCKED, Session, tell};
use crate::Result;
use crate::format::plural;
use crate::memory_hints::{self, Interface};

impl Session {
    /// Sets an option, or says why it cannot be set.
    pub(super) fn set_option(&mut self, name: &str, text: Option<&str>) -> Result {
        let (name, value) = match self.options.find(name, text) {
            Ok(found) => found,
            Err(complaint) => return tell(&complaint),
        };
        match value {
            OptionValue::Flag(on) => self.set_flag(name, on)?,
            // Every range begins at 0 or above.
            OptionValue::Number(number) => self.set_number(name, number.unsigned_abs())?,
            OptionValue::Text(text) => self.set_text(name, &text)?,
            OptionValue::Pressed => self.press(name)?,
        }
        Ok(())
    }

    fn set_flag(&mut self, name: OptionName, on: bool) -> Result {
        match name {
            OptionName::Chess960 => {
                self.chess960 = on;
                self.engine.set_game(self.engine.game().clone().with_chess960(on));
            }
            OptionName::ShowWdl => self.printer.wdl.store(on, Ordering::Relaxed),
            OptionName::AnalyseMode => self.book.set_analysing(on, &mut self.engine),
            OptionName::OwnBook => {
                let said = self.book.set_used(on, &mut self.engine);
                said.map_or(Ok(()), |said| tell(&said))?;
            }
            // Ponder: the GUI does the pondering.
            _ => {}
        }
        Ok(())
    }

    fn set_number(&mut self, name: OptionName, number: u64) -> Result {
        match name {
            OptionName::Hash => self.resize(number)?,
            OptionName::Threads => self.engine.set_threads(number as usize),
            OptionName::MultiPv => self.engine.settings.lines = number as usize,
            OptionName::MoveOverhead => self.engine.settings.overhead = Duration::from_millis(number),
            OptionName::MemoryDepth => self.memory.set(|thresholds| thresholds.least_depth = number as u8),
            OptionName::Drop => self.memory.set(|thresholds| thresholds.drop = number as i16),
            OptionName::Fuzz => self.memory.set(|thresholds| thresholds.fuzz = number as i16),
            OptionName::Tolerance => self.memory.set(|thresholds| thresholds.tolerance = number as i16),
            OptionName::Contempt => self.memory.set(|thresholds| thresholds.contempt = number as i16),
            OptionName::Limit => {
                self.memory.set(|thresholds| thresholds.limit = Some(number).filter(|&limit| limit > 0))
            }
            OptionName::Lambda => self.memory.set(|thresholds| thresholds.lambda = number as u8),
            OptionName::RecallBudget => self.engine.settings.recall_budget = Duration::from_millis(number),
            _ => {}
        }
        Ok(())
    }

    fn set_text(&mut self, name: OptionName, text: &str) -> Result {
        match name {
            OptionName::SyzygyPath => self.open_tablebase(text)?,
            OptionName::BookFile => tell(&self.book.set_file(text, &mut self.engine))?,
            OptionName::MemoryFile => self.memory.set_file(text),
            OptionName::Replacement => self.set_replacement(text)?,
            OptionName::Learning => self.memory.set_policy(text),
            OptionName::Trust => self.engine.set_trusted(contributors(text)),
            OptionName::HashFile => self.set_hash_file(text),
            _ => {}
        }
        Ok(())
    }

    fn press(&mut self, name: OptionName) -> Result {
        match name {
            OptionName::ClearHash => self.engine.clear(),
            OptionName::ForgetMemory => self.forget()?,
            OptionName::SaveHash => self.save_hash()?,
            OptionName::LoadHash => self.load_hash()?,
            _ => {}
        }
        Ok(())
    }

    /// A size that does not fit is refused, and the table stays as it is.
    fn resize(&mut self, megabytes: u64) -> Result {
        let resized = usize::try_from(megabytes << 20).map(|bytes| self.engine.resize(bytes));
        let error = match resized {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(error)) => error.to_string(),
            Err(error) => error.to_string(),
        };
        let kept = self.engine.table_bytes() >> 20;
        tell(&format!("Hash {megabytes}: {error}; it stays at {kept} MB"))
    }

    /// Another scheme begins with an empty table, since its buckets may have other ways.
    fn set_replacement(&mut self, name: &str) -> Result {
        let Some(scheme) = AnyScheme::named(name) else { return Ok(()) };
        let Err(error) = self.engine.set_replacement(scheme) else { return Ok(()) };
        tell(&format!("Replacement {name}: {error}; it stays {}", self.engine.replacement().name()))
    }

    fn open_tablebase(&mut self, path: &str) -> Result {
        self.engine.set_tablebase(None);
        if path.is_empty() {
            return tell("no tablebases: the path is empty");
        }
        tell(&match Tablebase::open(path) {
            Ok(tables) => {
                let (wdl, dtz, pieces) = (tables.wdl_tables(), tables.dtz_tables(), tables.max_pieces());
                self.engine.set_tablebase(Some(tables));
                format!("tablebases: {wdl} WDL and {dtz} DTZ tables, up to {pieces} pieces")
            }
            Err(error) => format!("{error}; going on without them"),
        })
    }

    fn forget(&mut self) -> Result {
        self.open_memory()?;
        let source = Engine::source();
        tell(&match self.engine.forget() {
            Ok(Forgotten::Records(count)) => {
                format!("memory: {count} position{} forgotten that {source} had learned", plural(count))
            }
            Ok(Forgotten::NoMemory) => "memory: there is none, so nothing is forgotten".to_owned(),
            Ok(Forgotten::Later) => {
                format!("memory: {BLOCKED}; what {source} has learned is forgotten when it is free")
            }
            Err(error) => format!("memory: {}", memory_hints::explain(&error, Interface::Uci)),
        })
    }

    /// A GUI may send the default back: then the file stays beside the memory, also if another memory is set.
    fn set_hash_file(&mut self, text: &str) {
        self.hash_file = Some(text.to_owned()).filter(|text| *text != MemoryOptions::new().hash_file());
    }

    /// The file for the table, beside the memory if none is set; empty if there is none.
    fn hash_path(&self) -> PathBuf {
        self.hash_file.clone().unwrap_or_else(|| self.memory.hash_file()).into()
    }

    fn save_hash(&mut self) -> Result {
        let file = self.hash_path();
        let folder = if self.hash_file.is_none() { self.memory.create_default_folder() } else { Ok(()) };
        let saved = folder.and_then(|()| named(&file)).and_then(|file| Ok(self.engine.save_table(file)?));
        tell(&match saved {
            Ok(()) => format!("hash saved to {}", file.display()),
            Err(error) => format!("hash not saved: {error}"),
        })
    }

    fn load_hash(&mut self) -> Result {
        let file = self.hash_path();
        let loaded = named(&file).and_then(|file| Ok(self.engine.load_table(file)?));
        tell(&match loaded {
            Ok(()) => format!("hash of {} MB loaded from {}", self.engine.table_bytes() >> 20, file.display()),
            Err(error) => format!("hash not loaded: {error}"),
        })
    }
}

/// The names of contributors, which commas separate.
fn contributors(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// The file, if one is named.
fn named(file: &Path) -> Result<&Path> {
    if file.as_os_str().is_empty() { Err("set Hash File first".into()) } else { Ok(file) }
}
