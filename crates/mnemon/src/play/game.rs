//! One game: whose turn it is, the commands that are typed, and the end.

use std::io::{self, StdinLock};

use mnemon_connect4::Board;

use super::opponent::Opponent;
use super::{Arguments, Side};
use crate::Result;
use crate::output::{prompt, say};
use mnemon_connect4::drawing::{self, STONES};
use mnemon_connect4::sequence::MAX_LINE_BYTES;
use mnemon_connect4::{HEIGHT, WIDTH};
use mnemon_search::lines::read_line;

/// Plays one game.
pub(crate) fn run(arguments: &Arguments) -> Result {
    let mut input = io::stdin().lock();
    let opponent = Opponent::new(arguments)?;
    let Some(start) = arguments.start.map_or_else(|| ask_who_starts(&mut input), |side| Ok(Some(side)))? else {
        return Ok(());
    };
    let mut game = Game { moves: Vec::new(), person: usize::from(start == Side::Computer) };
    say(format_args!("You are {}. Type a column from 1 to {WIDTH}, or undo, hint, quit.", STONES[game.person]))?;
    while game.end().is_none() {
        if game.is_persons_turn() {
            say(format_args!("\n{}", drawing::draw_game::<WIDTH, HEIGHT>(game.moves.iter().copied())))?;
            if !turn(&mut game, &opponent, &mut input)? {
                return Ok(());
            }
        } else {
            let column = opponent.choose(&game.board())?;
            say(format_args!("The computer plays {}.", column + 1))?;
            game.moves.push(column);
        }
    }
    say(format_args!("\n{}", drawing::draw_game::<WIDTH, HEIGHT>(game.moves.iter().copied())))?;
    Ok(say(game.end().unwrap_or_default())?)
}

/// The next line of input in lower case; `None` at the end of input.
fn read_command(input: &mut StdinLock<'_>) -> Result<Option<String>> {
    let line = read_line(input, MAX_LINE_BYTES)?;
    Ok(line.map(|line| String::from_utf8_lossy(&line).trim().to_lowercase()))
}

fn ask_who_starts(input: &mut StdinLock<'_>) -> Result<Option<Side>> {
    loop {
        prompt("Do you begin? [Y/n] ")?;
        match read_command(input)?.as_deref() {
            None | Some("quit") => return Ok(None),
            Some("" | "y" | "yes") => return Ok(Some(Side::Me)),
            Some("n" | "no") => return Ok(Some(Side::Computer)),
            Some(_) => say("Please answer y or n.")?,
        }
    }
}

/// The user's turn, until a move or an undo; false when the user quits.
fn turn(game: &mut Game, opponent: &Opponent, input: &mut StdinLock<'_>) -> Result<bool> {
    loop {
        prompt(format_args!("{} > ", STONES[game.person]))?;
        match read_command(input)?.as_deref() {
            None | Some("quit" | "q") => return Ok(false),
            Some("undo" | "u") if game.undo() => return Ok(true),
            Some("undo" | "u") => say("There is nothing to undo.")?,
            Some("hint" | "h") => say(opponent.hint(&game.board())?)?,
            Some(word) => match game.play(word) {
                Ok(()) => return Ok(true),
                Err(why) => say(why)?,
            },
        }
    }
}

/// A game as far as it has been played.
struct Game {
    /// Columns counted from 0. The last one may have made four.
    moves: Vec<usize>,
    /// 0 when the user began, 1 when the computer did.
    person: usize,
}

impl Game {
    fn is_persons_turn(&self) -> bool {
        self.moves.len() % 2 == self.person
    }

    /// The position, while the game goes on.
    fn board(&self) -> Board {
        self.after(self.moves.len())
    }

    /// The position after the first `length` moves, none of which made four.
    fn after(&self, length: usize) -> Board {
        self.moves[..length].iter().fold(Board::new(), |board, &column| board.play(column))
    }

    fn play(&mut self, word: &str) -> std::result::Result<(), &'static str> {
        let number = word.parse::<usize>().map_err(|_| "A column from 1 to 7, or undo, hint, quit.")?;
        let column = number.checked_sub(1).filter(|&column| column < 7).ok_or("Columns are 1 to 7.")?;
        if !self.board().can_play(column) {
            return Err("That column is full.");
        }
        self.moves.push(column);
        Ok(())
    }

    /// Takes back the user's last move and the computer's reply; false when there was none.
    fn undo(&mut self) -> bool {
        let Some(length) = self.moves.len().checked_sub(2) else { return false };
        self.moves.truncate(length);
        true
    }

    /// How the game ended; `None` while it goes on.
    fn end(&self) -> Option<&'static str> {
        let (&last, _) = self.moves.split_last()?;
        let before = self.after(self.moves.len() - 1);
        if before.wins_by(last) {
            return Some(if self.is_persons_turn() { "The computer wins." } else { "You win!" });
        }
        before.play(last).is_full().then_some("A draw.")
    }
}
