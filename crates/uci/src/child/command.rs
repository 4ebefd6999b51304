//! The command line that starts an engine.

use std::fmt;
use std::path::Path;
use std::process::{Command, Stdio};

/// A program and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineCommand {
    words: Vec<String>,
    is_apart: bool,
}

impl EngineCommand {
    /// Splits a command line into words at blanks; a word in double quotes may contain blanks. A text that is the path of
    /// an existing file is one word. `None` if there is no word.
    ///
    /// ```
    /// use mnemon_uci::child::EngineCommand;
    ///
    /// let command = EngineCommand::parse("\"/opt/my engines/a\" --uci").expect("a program");
    /// assert_eq!(command.to_string(), "/opt/my engines/a --uci");
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        if Path::new(text).is_file() {
            return Self::from_words([text.to_owned()]);
        }
        // Every second part stands between quotes.
        let parts = text.split('"').enumerate();
        Self::from_words(parts.flat_map(|(number, part)| match number % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        }))
    }

    /// A program and its arguments, as a shell has split them. `None` without a program.
    pub fn from_words(words: impl IntoIterator<Item = String>) -> Option<Self> {
        let words: Vec<String> = words.into_iter().collect();
        words.first().is_some_and(|program| !program.is_empty()).then_some(EngineCommand { words, is_apart: false })
    }

    /// The running program with the argument `uci`.
    ///
    /// # Errors
    /// If the system does not tell the program's path.
    pub fn current_program() -> std::io::Result<Self> {
        let program = std::env::current_exe()?.to_string_lossy().into_owned();
        Ok(EngineCommand { words: vec![program, "uci".to_owned()], is_apart: false })
    }

    /// The same, but out of reach of the terminal's Ctrl-C: whoever starts the engine hears that, and stops it.
    #[must_use]
    pub fn apart_from_terminal(self) -> Self {
        EngineCommand { is_apart: true, ..self }
    }

    /// The program and its arguments.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The program's name without its folder and extension.
    pub fn program_name(&self) -> String {
        let program = self.words.first().map_or("", String::as_str);
        Path::new(program).file_stem().map_or_else(|| program.to_owned(), |stem| stem.to_string_lossy().into_owned())
    }

    /// The process to be spawned, with a pipe for each standard stream.
    pub(super) fn to_process(&self) -> Command {
        let mut command = Command::new(self.words.first().map_or("", String::as_str));
        command.args(self.words.iter().skip(1));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if self.is_apart {
            set_apart(&mut command);
        }
        command
    }
}

/// A process group of its own.
#[cfg(unix)]
fn set_apart(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(windows)]
fn set_apart(command: &mut Command) {
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
    std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
}

#[cfg(not(any(unix, windows)))]
fn set_apart(_: &mut Command) {}

impl fmt::Display for EngineCommand {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.words.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Option<Vec<String>> {
        EngineCommand::parse(text).map(|command| command.words)
    }

    #[test]
    fn words_are_split_at_blanks_and_kept_in_quotes() {
        let split = |text| words(text).unwrap_or_default().join("|");
        assert_eq!(split("  /usr/games/engine --uci  -x"), "/usr/games/engine|--uci|-x");
        assert_eq!(split("\"/opt/my engines/a b\" uci"), "/opt/my engines/a b|uci");
        assert_eq!((words(""), words("  "), words("\"\" uci")), (None, None, None));
    }

    #[test]
    fn a_file_with_blanks_in_its_name_is_one_word() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("my engine");
        std::fs::write(&path, "").expect("written");
        let text = path.to_str().expect("UTF-8");
        assert_eq!(words(text), Some(vec![text.to_owned()]));
    }
}
