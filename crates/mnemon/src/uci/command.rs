//! A line as a command.

use super::go::Go;

/// What a GUI wants.
#[derive(Debug, PartialEq)]
pub(super) enum Command<'l> {
    Uci,
    Debug(bool),
    IsReady,
    NewGame,
    Position(Set<'l>),
    Go(Go<'l>),
    Stop,
    PonderHit,
    SetOption { name: String, value: Option<&'l str> },
    Quit,
    Bench(Option<&'l str>),
    Display,
    Eval,
    Help,
}

/// A position, as it was described.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Set<'l> {
    /// The FEN; `None` for the starting position.
    pub(super) fen: Option<String>,
    pub(super) moves: Vec<&'l str>,
}

/// What a line comes to: perhaps a command, and what is wrong with it.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Parsed<'l> {
    pub(super) command: Option<Command<'l>>,
    pub(super) complaints: Vec<String>,
}

/// Understands a line. As UCI asks for, words before the command that mean nothing are passed over; here they are
/// complained about.
pub(super) fn parse(line: &str) -> Parsed<'_> {
    let mut words = line.split_ascii_whitespace();
    let Some(first) = words.clone().next() else { return Parsed::default() };
    let mut parsed = Parsed::default();
    if !is_command(first) {
        parsed.complaints.push(format!("unknown command '{}': 'help' lists what is known", clipped(first)));
        // Only what UCI itself defines may stand behind nonsense.
        while words.clone().next().is_some_and(|word| !OF_UCI.contains(&word)) {
            words.next();
        }
    }
    let Some(word) = words.next() else { return parsed };
    match understood(word, words.collect(), line) {
        Ok((command, complaints)) => {
            parsed.command = Some(command);
            parsed.complaints.extend(complaints);
        }
        Err(complaint) => parsed.complaints.push(complaint),
    }
    parsed
}

const OF_UCI: [&str; 10] =
    ["uci", "debug", "isready", "setoption", "ucinewgame", "position", "go", "stop", "ponderhit", "quit"];

fn is_command(word: &str) -> bool {
    OF_UCI.contains(&word) || ["bench", "d", "eval", "help"].contains(&word)
}

type Understood<'l> = Result<(Command<'l>, Vec<String>), String>;

fn understood<'l>(word: &str, rest: Vec<&'l str>, line: &'l str) -> Understood<'l> {
    let command = match word {
        "uci" => Command::Uci,
        "debug" => match rest.first() {
            Some(&"on") => Command::Debug(true),
            Some(&"off") => Command::Debug(false),
            _ => return Err("debug is 'on' or 'off'".to_owned()),
        },
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "position" => Command::Position(position(&rest)?),
        "go" => {
            let (go, complaints) = Go::parse(&rest);
            return Ok((Command::Go(go), complaints));
        }
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "setoption" => option(&rest, line)?,
        "quit" => Command::Quit,
        "bench" => Command::Bench(rest.first().copied()),
        "d" => Command::Display,
        "eval" => Command::Eval,
        _ => Command::Help,
    };
    Ok((command, Vec::new()))
}

fn position<'l>(rest: &[&'l str]) -> Result<Set<'l>, String> {
    let (kind, rest) = rest.split_first().ok_or("a position is 'startpos' or 'fen' and a FEN")?;
    let place = rest.iter().position(|&word| word == "moves").unwrap_or(rest.len());
    let (before, after) = rest.split_at(place);
    let moves = after.iter().skip(1).copied().collect();
    match *kind {
        "startpos" if before.is_empty() => Ok(Set { fen: None, moves }),
        "startpos" => Err(format!("'{}' after startpos is not 'moves'", clipped(before[0]))),
        "fen" => Ok(Set { fen: Some(before.join(" ")), moves }),
        other => Err(format!("a position is 'startpos' or 'fen' and a FEN, not '{}'", clipped(other))),
    }
}

/// Names are words with single spaces between them; a value is the rest of the line as it stands, since a file's name
/// may have several.
fn option<'l>(rest: &[&'l str], line: &'l str) -> Result<Command<'l>, String> {
    let Some((&"name", rest)) = rest.split_first() else {
        return Err("setoption needs 'name' and an option's name".to_owned());
    };
    let name: Vec<&str> = rest.iter().copied().take_while(|&word| word != "value").collect();
    let value = rest.get(name.len()).map(|&word| {
        // The word is a part of the line.
        let end = word.as_ptr() as usize - line.as_ptr() as usize + word.len();
        line[end..].trim()
    });
    Ok(Command::SetOption { name: name.join(" "), value })
}

/// The beginning of a word that may be endless.
pub(super) fn clipped(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Command<'_> {
        let Parsed { command, complaints } = parse(line);
        assert!(complaints.is_empty(), "{line}: {complaints:?}");
        command.expect("a command")
    }

    fn complaint(line: &str) -> String {
        parse(line).complaints.join("; ")
    }

    #[test]
    fn commands_are_read_with_any_space_around_them() {
        assert_eq!(command("  uci \r"), Command::Uci);
        assert_eq!(command("debug\ton"), Command::Debug(true));
        assert_eq!(parse("   "), Parsed::default());
    }

    #[test]
    fn words_that_mean_nothing_are_passed_over_and_said() {
        let parsed = parse("joho debug on");
        assert_eq!(parsed.command, Some(Command::Debug(true)));
        assert!(parsed.complaints[0].contains("'joho'"), "{parsed:?}");
        assert_eq!(parse("please bench").command, None, "only UCI's own words are looked for");
        assert!(complaint(&"x".repeat(1000)).len() < 200);
    }

    #[test]
    fn positions_have_moves_or_not() {
        let Command::Position(set) = command("position startpos moves e2e4 e7e5") else { panic!() };
        assert_eq!(set, Set { fen: None, moves: vec!["e2e4", "e7e5"] });
        let Command::Position(set) = command("position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1") else { panic!() };
        assert_eq!(set.fen.as_deref(), Some("8/8/8/8/8/8/8/K1k5 w - - 0 1"));
        for line in ["position", "position somewhere", "position startpos e2e4"] {
            assert!(!complaint(line).is_empty() && parse(line).command.is_none(), "{line}");
        }
    }

    #[test]
    fn options_have_names_and_values_of_several_words() {
        let set = |name: &str, value| Command::SetOption { name: name.to_owned(), value };
        assert_eq!(command("setoption name Clear  Hash"), set("Clear Hash", None));
        assert_eq!(command("setoption name Hash value 16"), set("Hash", Some("16")));
        let line = "setoption name Memory File value  /a b/c  value.mnemon ";
        assert_eq!(command(line), set("Memory File", Some("/a b/c  value.mnemon")));
        assert_eq!(command("setoption name Hash File value"), set("Hash File", Some("")));
        assert!(complaint("setoption Hash 16").contains("'name'"));
    }
}
