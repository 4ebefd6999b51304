//! Commands: what a GUI says to an engine.

use std::fmt;

use crate::words::Words;
use crate::{Complaint, GoCommand};

/// A command of UCI. [`Display`](fmt::Display) writes it as [`parse`](Command::parse) reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: name yourself and your options.
    Uci,
    /// `debug on` or `debug off`.
    Debug(bool),
    /// `isready`: answer `readyok` when everything before is done.
    IsReady,
    /// `setoption`.
    SetOption {
        /// The option's name, with one blank between its words.
        name: String,
        /// The rest of the line behind `value`; `None` without that word.
        value: Option<String>,
    },
    /// `ucinewgame`: what follows belongs to another game.
    NewGame,
    /// `position`.
    Position(PositionCommand),
    /// `go`: search.
    Go(GoCommand),
    /// `stop`: end the search and give its move.
    Stop,
    /// `ponderhit`: the expected move was played, so the clock runs from now on.
    PonderHit,
    /// `quit`.
    Quit,
}

/// A position, as `position` describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionCommand {
    /// Where the game began, as a FEN; `None` for the starting position of chess.
    pub fen: Option<String>,
    /// The moves since, in UCI's notation.
    pub moves: Vec<String>,
}

/// What a line comes to: perhaps a command, and what is wrong with the line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParsedCommand {
    /// The command; `None` if the line holds none that can be carried out.
    pub command: Option<Command>,
    /// What is wrong, in the order of the line.
    pub complaints: Vec<Complaint>,
}

/// The first words of the commands of UCI.
const COMMANDS: [&str; 10] =
    ["uci", "debug", "isready", "setoption", "ucinewgame", "position", "go", "stop", "ponderhit", "quit"];

impl Command {
    /// Reads a line. As UCI demands, unknown words before a command are skipped; they are also complained about.
    ///
    /// ```
    /// use mnemon_uci::{Command, Complaint};
    ///
    /// let parsed = Command::parse("joho debug on");
    /// assert_eq!(parsed.command, Some(Command::Debug(true)));
    /// assert_eq!(parsed.complaints, [Complaint::UnknownCommand("joho".to_owned())]);
    /// ```
    pub fn parse(line: &str) -> ParsedCommand {
        let mut parsed = ParsedCommand::default();
        let mut words = Words::new(line);
        let Some(first) = words.peek() else { return parsed };
        let Some(word) = words.find(|word| COMMANDS.contains(word)) else {
            parsed.complaints.push(Complaint::UnknownCommand(first.to_owned()));
            return parsed;
        };
        if word != first {
            parsed.complaints.push(Complaint::UnknownCommand(first.to_owned()));
        }
        match Self::parse_after(word, &mut words) {
            Ok((command, complaints)) => {
                parsed.command = Some(command);
                parsed.complaints.extend(complaints);
            }
            Err(complaint) => parsed.complaints.push(complaint),
        }
        parsed
    }

    /// Reads what follows the command's first word.
    fn parse_after(word: &str, words: &mut Words<'_>) -> Result<(Self, Vec<Complaint>), Complaint> {
        let command = match word {
            "uci" => Command::Uci,
            "debug" => match words.next() {
                Some("on") => Command::Debug(true),
                Some("off") => Command::Debug(false),
                _ => return Err(Complaint::Debug),
            },
            "isready" => Command::IsReady,
            "setoption" => set_option(words)?,
            "ucinewgame" => Command::NewGame,
            "position" => Command::Position(PositionCommand::parse(words)?),
            "go" => {
                let (go, complaints) = GoCommand::parse(words);
                return Ok((Command::Go(go), complaints));
            }
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            _ => Command::Quit,
        };
        Ok((command, Vec::new()))
    }
}

/// Names are words with single blanks between them; a value is the rest of the line as it stands, since a file's name
/// may have several.
fn set_option(words: &mut Words<'_>) -> Result<Command, Complaint> {
    if words.next() != Some("name") {
        return Err(Complaint::OptionName);
    }
    let mut name = Vec::new();
    let mut value = None;
    while let Some(word) = words.next() {
        if word == "value" {
            value = Some(words.rest().to_owned());
            break;
        }
        name.push(word);
    }
    Ok(Command::SetOption { name: name.join(" "), value })
}

impl PositionCommand {
    /// Reads what follows `position`.
    fn parse(words: &mut Words<'_>) -> Result<Self, Complaint> {
        let kind = words.next();
        let before = words.text_until("moves");
        let fen = match kind {
            Some("startpos") if before.is_empty() => None,
            Some("startpos") => {
                let word = before.split(' ').next().unwrap_or_default();
                return Err(Complaint::NotMoves(word.to_owned()));
            }
            Some("fen") => Some(before),
            other => return Err(Complaint::Position(other.map(str::to_owned))),
        };
        Ok(PositionCommand { fen, moves: words.map(str::to_owned).collect() })
    }
}

impl fmt::Display for Command {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Uci => formatter.write_str("uci"),
            Command::Debug(on) => formatter.write_str(if *on { "debug on" } else { "debug off" }),
            Command::IsReady => formatter.write_str("isready"),
            Command::SetOption { name, value: None } => write!(formatter, "setoption name {name}"),
            Command::SetOption { name, value: Some(value) } => write!(formatter, "setoption name {name} value {value}"),
            Command::NewGame => formatter.write_str("ucinewgame"),
            Command::Position(position) => position.fmt(formatter),
            Command::Go(go) => go.fmt(formatter),
            Command::Stop => formatter.write_str("stop"),
            Command::PonderHit => formatter.write_str("ponderhit"),
            Command::Quit => formatter.write_str("quit"),
        }
    }
}

impl fmt::Display for PositionCommand {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fen {
            Some(fen) => write!(formatter, "position fen {fen}")?,
            None => formatter.write_str("position startpos")?,
        }
        if !self.moves.is_empty() {
            write!(formatter, " moves {}", self.moves.join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Command {
        let ParsedCommand { command, complaints } = Command::parse(line);
        assert!(complaints.is_empty(), "{line}: {complaints:?}");
        command.expect("a command")
    }

    fn complaint(line: &str) -> String {
        let complaints = Command::parse(line).complaints;
        complaints.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn commands_are_read_with_any_blanks_around_them() {
        assert_eq!(command("  uci \r"), Command::Uci);
        assert_eq!(command("debug\ton"), Command::Debug(true));
        assert_eq!(Command::parse("   "), ParsedCommand::default());
    }

    #[test]
    fn unknown_words_are_skipped_and_complained_about() {
        let parsed = Command::parse("joho debug on");
        assert_eq!(parsed.command, Some(Command::Debug(true)));
        assert!(complaint("joho debug on").contains("'joho'"));
        assert_eq!(Command::parse("please bench").command, None, "only UCI's own commands are looked for");
        assert!(complaint(&"x".repeat(1000)).len() < 200);
    }

    #[test]
    fn positions_have_moves_or_not() {
        let Command::Position(position) = command("position startpos moves e2e4 e7e5") else { panic!() };
        assert_eq!(position, PositionCommand { fen: None, moves: vec!["e2e4".to_owned(), "e7e5".to_owned()] });
        let Command::Position(position) = command("position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1") else { panic!() };
        assert_eq!(position.fen.as_deref(), Some("8/8/8/8/8/8/8/K1k5 w - - 0 1"));
        for line in ["position", "position somewhere", "position startpos e2e4"] {
            assert!(!complaint(line).is_empty() && Command::parse(line).command.is_none(), "{line}");
        }
    }

    #[test]
    fn options_have_names_and_values_of_several_words() {
        let set = |name: &str, value: Option<&str>| Command::SetOption {
            name: name.to_owned(),
            value: value.map(str::to_owned),
        };
        assert_eq!(command("setoption name Clear  Hash"), set("Clear Hash", None));
        assert_eq!(command("setoption name Hash value 16"), set("Hash", Some("16")));
        let line = "setoption name Memory File value  /a b/c  value.mnemon ";
        assert_eq!(command(line), set("Memory File", Some("/a b/c  value.mnemon")));
        assert_eq!(command("setoption name Hash File value"), set("Hash File", Some("")));
        assert!(complaint("setoption Hash 16").contains("'name'"));
    }
}
