//! What programs write into the comment of a move: an engine's evaluation, commands in brackets; and what a person wrote.

use std::fmt;

use cozy_chess::Color;
use mnemon_search::{HIGHEST_POINTS, MAX_DEPTH, WINS};
use mnemon_table::Score;

/// An evaluation as a program wrote it into the comment after a move.
///
/// | Program | Comment | Position | View |
/// |---|---|---|---|
/// | lichess | `[%eval 0.17]`, `[%eval #-4]` | after the move | White's |
/// | python-chess | `[%eval 0.17,24]` with the depth | after the move | White's |
/// | ChessBase | `[%eval 17,24]`, hundredths of a pawn | after the move | White's |
/// | cutechess, fastchess | `+0.17/24 0.5s`, `-M4/24`, plies | before the move | the mover's |
/// | TCEC | `d=24, ..., wv=0.17, ...` | before the move | White's |
///
/// ```
/// use mnemon_chess::Color;
/// use mnemon_chess::pgn::{Evaluated, Evaluation};
///
/// let lichess = Evaluation::of_comment("[%eval 0.17] [%clk 0:03:00]").expect("an evaluation");
/// assert_eq!((lichess.of, lichess.score(Color::Black)), (Evaluated::AfterMove, -17));
/// let cutechess = Evaluation::of_comment("+0.17/24 0.5s").expect("an evaluation");
/// assert_eq!((cutechess.of, cutechess.depth), (Evaluated::BeforeMove, Some(24)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The number.
    pub value: Value,
    /// Whose advantage is positive.
    pub view: View,
    /// Which position it is of.
    pub of: Evaluated,
    /// The depth of the search in plies, if it is given.
    pub depth: Option<u8>,
}

/// The number of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// A mate in this many moves; negative if the other side mates.
    MateInMoves(i32),
    /// A mate after this many plies; negative if the other side mates.
    MateInPlies(i32),
}

/// The side for which an evaluation is positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// White.
    White,
    /// The side to move in the position.
    SideToMove,
}

/// The position that an evaluation is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluated {
    /// The one in which the move was made: an engine says what it thinks of its own move.
    BeforeMove,
    /// The one that the move led to.
    AfterMove,
}

impl Evaluation {
    /// The evaluation in a comment; `None` if there is none.
    #[must_use]
    pub fn of_comment(comment: &str) -> Option<Self> {
        command(comment, "eval").and_then(Self::of_command).or_else(|| Self::of_engine(comment))
    }

    /// An evaluation of the position after a move, in White's view, as `[%eval ]` writes it. `score` is for the side to move.
    #[must_use]
    pub fn after_move(score: Score, side_to_move: Color, depth: Option<u8>) -> Self {
        let sign = if side_to_move == Color::White { 1 } else { -1 };
        let value = match WINS.plies(score) {
            None => Value::Centipawns(sign * i32::from(score)),
            // Being mated in none is a mate that the other side has given.
            Some(0) => Value::MateInMoves(0),
            Some(plies) => Value::MateInMoves(sign * i32::from(plies + plies.signum().max(0)) / 2),
        };
        Evaluation { value, view: View::White, of: Evaluated::AfterMove, depth }
    }

    /// The score for the side to move in the position that is evaluated.
    #[must_use]
    pub fn score(&self, side_to_move: Color) -> Score {
        let sign = if self.view == View::White && side_to_move == Color::Black { -1 } else { 1 };
        let plies = match self.value {
            Value::Centipawns(points) => {
                let highest = i32::from(HIGHEST_POINTS);
                return sign as Score * points.clamp(-highest, highest) as Score;
            }
            Value::MateInMoves(moves) => {
                let moves = moves.clamp(-MAX_MATE_MOVES, MAX_MATE_MOVES) * sign;
                if moves > 0 { 2 * moves - 1 } else { 2 * moves }
            }
            // The side to move mates after an odd number of plies, and is mated after an even one.
            Value::MateInPlies(plies) => match plies.clamp(-2 * MAX_MATE_MOVES, 2 * MAX_MATE_MOVES) * sign {
                plies if (plies > 0) == (plies % 2 == 0) && plies != 0 => plies - 1,
                plies => plies,
            },
        };
        let lost = WINS.lost_at(plies.unsigned_abs() as u16);
        if plies > 0 { -lost } else { lost }
    }

    /// `0.17`, `0.17,24`, `17,24`, `#-4` or `#4,24`.
    fn of_command(text: &str) -> Option<Self> {
        let (word, depth) = text.split_once(',').map_or((text, None), |(word, depth)| (word, Some(depth)));
        let word = word.trim();
        let value = match word.strip_prefix('#') {
            Some(moves) => Value::MateInMoves(integer(moves)?),
            None if depth.is_some() && !word.contains('.') => Value::Centipawns(integer(word)?),
            None => Value::Centipawns(centipawns(word)?),
        };
        let depth = depth.and_then(|depth| depth_in_plies(depth.trim()));
        Some(Evaluation { value, view: View::White, of: Evaluated::AfterMove, depth })
    }

    /// `+0.17/24 0.5s` of cutechess, `d=24, wv=0.17` of TCEC.
    fn of_engine(comment: &str) -> Option<Self> {
        let of = Evaluated::BeforeMove;
        if let Some(value) = member(comment, "wv") {
            let depth = member(comment, "d").and_then(depth_in_plies);
            return Some(Evaluation { value: engine_value(value)?, view: View::White, of, depth });
        }
        let (word, rest) = comment.trim_start().split_once('/')?;
        // "12/3" in a text is no evaluation, and neither is "better was +0.25/12".
        let depth = rest.split(|letter: char| !letter.is_ascii_digit()).next().unwrap_or_default();
        if depth.is_empty() || word.contains(char::is_whitespace) || !word.contains(['.', 'M']) {
            return None;
        }
        let depth = depth_in_plies(depth);
        Some(Evaluation { value: engine_value(word)?, view: View::SideToMove, of, depth })
    }
}

impl fmt::Display for Evaluation {
    /// Writes the command of an evaluation in White's view: `[%eval 0.17,24]`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            Value::Centipawns(points) => write!(formatter, "[%eval {:.2}", f64::from(points) / 100.0)?,
            Value::MateInMoves(moves) => write!(formatter, "[%eval #{moves}")?,
            Value::MateInPlies(plies) => write!(formatter, "[%eval #{}", (plies + plies.signum().max(0)) / 2)?,
        }
        self.depth.map_or(Ok(()), |depth| write!(formatter, ",{depth}"))?;
        formatter.write_str("]")
    }
}

/// A longer mate is read as this.
const MAX_MATE_MOVES: i32 = 499;

/// The words of a comment that a person wrote: without commands in brackets and without an engine's figures. Blanks are
/// single spaces.
///
/// ```
/// use mnemon_chess::pgn::prose;
///
/// assert_eq!(prose("a novelty [%clk 0:03:00]  by Ada"), "a novelty by Ada");
/// assert_eq!(prose("+0.17/24 0.5s"), "");
/// ```
#[must_use]
pub fn prose(comment: &str) -> String {
    let text = without_commands(comment, |_| true);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if words == "book" || Evaluation::of_engine(&words).is_some() { String::new() } else { words }
}

/// The comment without its evaluation: other commands and words stay.
///
/// ```
/// use mnemon_chess::pgn::without_evaluation;
///
/// assert_eq!(without_evaluation("[%eval 0.17] [%clk 0:03:00] good"), "[%clk 0:03:00] good");
/// assert_eq!(without_evaluation("+0.17/24 0.5s"), "");
/// ```
#[must_use]
pub fn without_evaluation(comment: &str) -> String {
    let text = without_commands(comment, |command| command.starts_with("eval"));
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if Evaluation::of_engine(&words).is_some() { String::new() } else { words }
}

/// The comment without the commands `[%command]` that are meant.
fn without_commands(comment: &str, is_meant: impl Fn(&str) -> bool) -> String {
    let (mut text, mut rest) = (String::new(), comment);
    while let Some((before, command)) = rest.split_once("[%") {
        let (command, after) = command.split_once(']').unwrap_or((command, ""));
        text += before;
        text += &if is_meant(command) { " ".to_owned() } else { format!("[%{command}]") };
        rest = after;
    }
    text + rest
}

/// The text of the command `[%name text]`.
fn command<'c>(comment: &'c str, name: &str) -> Option<&'c str> {
    let parts = comment.split("[%").skip(1);
    let mut named = parts.filter_map(|part| part.strip_prefix(name)?.strip_prefix(char::is_whitespace));
    Some(named.next()?.split(']').next().unwrap_or_default())
}

/// The value of `name=value` in a list with commas.
fn member<'c>(comment: &'c str, name: &str) -> Option<&'c str> {
    let mut members = comment.split(',').filter_map(|part| part.trim().split_once('='));
    members.find(|(known, _)| *known == name).map(|(_, value)| value.trim())
}

/// `+0.17`, or `-M4` for being mated after four plies.
fn engine_value(word: &str) -> Option<Value> {
    match word.split_once(['M', '#']) {
        Some(("" | "+", plies)) => unsigned(plies).map(Value::MateInPlies),
        Some(("-", plies)) => unsigned(plies).map(|plies| Value::MateInPlies(-plies)),
        Some(_) => None,
        None => centipawns(word).map(Value::Centipawns),
    }
}

fn depth_in_plies(text: &str) -> Option<u8> {
    let depth = text.split('/').next().and_then(unsigned)?;
    Some(depth.min(i32::from(MAX_DEPTH)) as u8)
}

fn unsigned(text: &str) -> Option<i32> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(i32::MAX))
}

fn integer(text: &str) -> Option<i32> {
    match text.strip_prefix('-') {
        Some(digits) => unsigned(digits).map(|number| -number),
        None => unsigned(text.strip_prefix('+').unwrap_or(text)),
    }
}

/// A number of pawns, in hundredths.
fn centipawns(word: &str) -> Option<i32> {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit() || b"+-.".contains(&byte));
    let pawns = word.parse::<f64>().ok().filter(|_| is_number)?;
    Some((pawns * 100.0).round() as i32)
}

/// The score that a comment gives the move of `mover`, for him. `None` if there is none.
pub(super) fn score(comment: &str, mover: Color) -> Option<Score> {
    let evaluation = Evaluation::of_comment(comment)?;
    let value = match evaluation.of {
        Evaluated::BeforeMove => evaluation.score(mover),
        Evaluated::AfterMove => -evaluation.score(!mover),
    };
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use mnemon_search::Notation;

    fn mate(text: &str) -> Option<Score> {
        Position::read_score(text).ok()
    }

    #[test]
    fn engines_write_scores_in_comments() {
        for (comment, expected) in [
            ("+0.25/12 0.5s", Some(25)),
            ("-1.5/9", Some(-150)),
            (" 0.00/1 0.001s", Some(0)),
            ("+M5/20 1s", mate("#3")),
            ("-M6/20 1s", mate("#-3")),
            ("+400.00/3", Some(HIGHEST_POINTS)),
            ("[%eval 0.17] [%clk 0:00:30]", Some(-17)),
            ("[%clk 0:00:30][%eval #-3,20]", mate("#-3").map(|score| -score)),
            ("[%eval #3]", mate("#3").map(|score| -score)),
            ("d=16, sd=51, mt=118, pv=Nf3 d5, wv=1.08, R50=50", Some(-108)),
            ("d=16, wv=-M3,", mate("#2")),
            ("+M4/9", mate("#2")),
            ("-M3/9", mate("#-2")),
            ("[%eval #--3]", None),
            ("book", None),
            ("12/3", None),
            ("better was +0.25/12", None),
            ("?/12 0.5s", None),
            ("+0.25/", None),
            ("inf.0/3", None),
            ("1.2.3/4", None),
            ("[%eval ]", None),
            ("[%evaluation 0.17]", None),
            ("M/1", None),
        ] {
            assert_eq!(score(comment, Color::Black), expected, "{comment}");
        }
        assert_eq!(score("[%eval 0.17]", Color::White), Some(17));
    }

    #[test]
    fn a_number_without_a_point_and_with_a_depth_is_in_centipawns() {
        for (comment, centipawns, depth) in [
            ("[%eval 250,5]", 250, Some(5)),
            ("[%eval -31,24]", -31, Some(24)),
            ("[%eval 0.31,24]", 31, Some(24)),
            ("[%eval 2]", 200, None),
            ("[%eval 0.31,999]", 31, Some(MAX_DEPTH)),
            ("[%eval 0.31,x]", 31, None),
        ] {
            let evaluation = Evaluation::of_comment(comment).unwrap_or_else(|| panic!("{comment}"));
            assert_eq!((evaluation.value, evaluation.depth), (Value::Centipawns(centipawns), depth), "{comment}");
        }
    }

    #[test]
    fn what_is_written_is_read() {
        for side in Color::ALL {
            for text in ["0.31", "-0.05", "0", "149.99", "#1", "#3", "#-1", "#-3", "#0", "#499", "#-499"] {
                let score = mate(text).unwrap_or_else(|| panic!("{text}"));
                for depth in [None, Some(24)] {
                    let written = Evaluation::after_move(score, side, depth);
                    let read = Evaluation::of_comment(&written.to_string());
                    assert_eq!(read.map(|read| (read.score(side), read.depth)), Some((score, depth)), "{written}");
                }
            }
        }
        assert_eq!(Evaluation::after_move(31, Color::Black, Some(9)).to_string(), "[%eval -0.31,9]");
    }

    #[test]
    fn words_are_left_of_a_comment() {
        for (comment, expected) in [
            ("[%eval 0.17] best [%clk 0:01]by test", "best by test"),
            ("[%eval 0.17", ""),
            ("+M5/20 1s, White mates", ""),
            ("d=16, wv=1.08,", ""),
            ("book", ""),
            ("the book line", "the book line"),
            ("12/3 was played", "12/3 was played"),
        ] {
            assert_eq!(prose(comment), expected, "{comment}");
        }
    }
}
