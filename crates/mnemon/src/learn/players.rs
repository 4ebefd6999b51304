//! Whose games are learned: the player's name as it was typed, and the names that a file has.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use mnemon_chess::Color;
use mnemon_chess::pgn::PgnGame;

use super::input::Input;
use super::unknown_player;
use crate::{Result, format};

/// A player's name; upper and lower case are the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PlayerName {
    name: String,
    lowercase: String,
}

/// The longest name of a source.
const MAX_NAME_BYTES: usize = 255;

impl FromStr for PlayerName {
    type Err = &'static str;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        let name = text.trim();
        if name.is_empty() || name.len() > MAX_NAME_BYTES {
            return Err("a player's name has 1 to 255 bytes");
        }
        Ok(PlayerName { name: name.to_owned(), lowercase: name.to_lowercase() })
    }
}

impl fmt::Display for PlayerName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)
    }
}

impl PlayerName {
    fn is(&self, name: &str) -> bool {
        name.len() <= MAX_NAME_BYTES && name.trim().to_lowercase() == self.lowercase
    }

    fn is_part_of(&self, name: &str) -> bool {
        name.len() <= MAX_NAME_BYTES && name.to_lowercase().contains(&self.lowercase)
    }

    /// The player's name as the game spells it, and the sides that he had: both in a game against himself. `None` if it
    /// is not his game.
    pub(super) fn sides<'g>(&self, game: &'g PgnGame) -> Option<(&'g str, Vec<Color>)> {
        let mut tags = tags(game).into_iter().filter(|(_, name)| self.is(name)).peekable();
        let name = tags.peek()?.1.trim();
        Some((name, tags.map(|(side, _)| side).collect()))
    }
}

/// The sides of a game whose players are named.
fn tags(game: &PgnGame) -> Vec<(Color, &str)> {
    let side = |(side, tag)| game.tag(tag).map(|name| (side, name));
    [(Color::White, "White"), (Color::Black, "Black")].into_iter().filter_map(side).collect()
}

/// The players of a file in which nobody has the name that was typed, with the numbers of their games. Bounded: of a large
/// file, only the players of its beginning are listed.
pub(super) struct Roster {
    typed: PlayerName,
    games: u64,
    /// Those whose names have the typed one as a part, by their names in lower case.
    similar: HashMap<String, (String, u64)>,
    others: HashMap<String, (String, u64)>,
}

/// The most names that are kept of either kind.
const MAX_NAMES: usize = 10_000;

/// The most names that an error lists.
const MAX_LISTED: usize = 5;

impl Roster {
    pub(super) fn new(typed: &PlayerName) -> Self {
        Roster { typed: typed.clone(), games: 0, similar: HashMap::new(), others: HashMap::new() }
    }

    /// The number of games.
    pub(super) fn games(&self) -> u64 {
        self.games
    }

    /// Adds the players of a game.
    pub(super) fn add(&mut self, game: &PgnGame) {
        self.games += 1;
        for (_, name) in tags(game) {
            let names = if self.typed.is_part_of(name) { &mut self.similar } else { &mut self.others };
            let key = name.trim().to_lowercase();
            if names.len() < MAX_NAMES || names.contains_key(&key) {
                names.entry(key).or_insert_with(|| (name.trim().to_owned(), 0)).1 += 1;
            }
        }
    }

    /// The one player of whose name the typed one is a part.
    ///
    /// # Errors
    /// There is none or there are several; or the games cannot be read again, to learn his.
    pub(super) fn only_similar(&self, input: &Input, typed: &PlayerName) -> Result<PlayerName> {
        let none = format!("{}: no player is named '{typed}'", input.name());
        let mut similar = self.similar.values();
        Err(unknown_player(match (similar.next(), similar.next()) {
            (Some((name, _)), None) if input.is_rereadable() => return Ok(name.parse()?),
            (Some((name, _)), None) => {
                format!("{none}; if '{name}' is meant, give the whole name: a pipe is read once")
            }
            (Some(_), Some(_)) => format!("{none}, and several names have it: {}", listed(&self.similar)),
            (None, _) if self.others.is_empty() => format!("{none}: none of the games there names its players"),
            (None, _) => format!("{none}; those with the most games are {}", listed(&self.others)),
        }))
    }
}

/// The players with the most games.
fn listed(names: &HashMap<String, (String, u64)>) -> String {
    let mut players: Vec<&(String, u64)> = names.values().collect();
    players.sort_by(|(a_name, a), (b_name, b)| b.cmp(a).then_with(|| a_name.cmp(b_name)));
    let one = |(name, games): &&(String, u64)| format!("{name} ({games} game{})", format::plural(*games));
    let shown: Vec<String> = players.iter().take(MAX_LISTED).map(one).collect();
    let more = players.len().saturating_sub(MAX_LISTED);
    let rest = if more == 0 { String::new() } else { format!(", and {more} more") };
    shown.join(", ") + &rest
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use mnemon_chess::pgn::PgnReader;

    use super::*;

    fn name(text: &str) -> PlayerName {
        text.parse().expect("a name")
    }

    fn games(players: &[(&str, &str)]) -> Vec<PgnGame> {
        let game = |(white, black): &(&str, &str)| format!("[White \"{white}\"]\n[Black \"{black}\"]\n\n1. e4 *\n");
        let text: String = players.iter().map(game).collect();
        PgnReader::new("test", text.as_bytes()).map(|game| game.expect("readable")).collect()
    }

    #[test]
    fn a_player_has_one_side_or_both() {
        let games = games(&[("ADA", "Bob"), ("Bob", "Ada "), ("Ada", "ada"), ("Ada L.", "?")]);
        let sides: Vec<_> = games.iter().map(|game| name(" Ada").sides(game)).collect();
        assert_eq!(sides[0], Some(("ADA", vec![Color::White])));
        assert_eq!(sides[1], Some(("Ada", vec![Color::Black])));
        assert_eq!(sides[2], Some(("Ada", vec![Color::White, Color::Black])));
        assert_eq!(sides[3], None);
        assert!("  ".parse::<PlayerName>().is_err() && "x".repeat(256).parse::<PlayerName>().is_err());
    }

    #[test]
    fn a_part_of_one_name_is_enough() {
        let similar = |typed: &str, players: &[(&str, &str)], path: &Path| {
            let mut roster = Roster::new(&name(typed));
            games(players).iter().for_each(|game| roster.add(game));
            roster.only_similar(&Input::new(path), &name(typed)).map_err(|error| error.to_string())
        };
        let file = tempfile::NamedTempFile::new().expect("a file");
        let players = [("Lovelace, Ada", "Bob"), ("LOVELACE, ADA", "Bea"), ("Bob", "Bea"), ("Cy", "Bob")];
        assert_eq!(similar("love", &players, file.path()), Ok(name("Lovelace, Ada")));
        let error = similar("love", &players, Path::new("-")).expect_err("a pipe");
        assert!(error.contains("stdin: no player is named 'love'; if 'Lovelace, Ada' is meant"), "{error}");
        let error = similar("b", &players, file.path()).expect_err("Bob or Bea");
        assert!(error.ends_with("several names have it: Bob (3 games), Bea (2 games)"), "{error}");
        let error = similar("Dan", &players, file.path()).expect_err("nobody");
        assert!(error.ends_with("Bob (3 games), Bea (2 games), Lovelace, Ada (2 games), Cy (1 game)"), "{error}");
        let error = similar("Dan", &[("?", "")], file.path()).expect_err("nobody");
        assert!(error.ends_with("none of the games there names its players"), "{error}");
    }
}
