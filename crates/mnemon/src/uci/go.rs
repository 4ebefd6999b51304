//! `go` and its numbers.

use mnemon_chess::Color;
use mnemon_chess::Position;
use mnemon_engine::{Clock, GoParams};

use super::command::clipped;

/// What to search for, as a GUI says it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Go<'l> {
    times: [Option<i64>; 2],
    increments: [i64; 2],
    moves_to_go: Option<u32>,
    move_time: Option<i64>,
    depth: Option<u8>,
    nodes: Option<u64>,
    mate: Option<u16>,
    infinite: bool,
    ponder: bool,
    moves: Vec<&'l str>,
    /// Count move sequences of this length instead.
    pub(super) perft: Option<u8>,
}

const WORDS: [&str; 13] = [
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "movetime",
    "depth",
    "nodes",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
    "perft",
];

impl<'l> Go<'l> {
    /// Reads the words after `go`. Each `go` is answered by a move, so nothing makes it fail: a number that is too large
    /// counts as the largest, and what is no number as the smallest, which keeps the search short.
    pub(super) fn parse(words: &[&'l str]) -> (Self, Vec<String>) {
        let (mut go, mut complaints) = (Go::default(), Vec::new());
        let mut rest = words;
        while let Some((&word, after)) = rest.split_first() {
            let values = after.iter().take_while(|next| !WORDS.contains(next)).count();
            let (values, following) = after.split_at(values);
            let used = go.take(word, values, &mut complaints);
            rest = if WORDS.contains(&word) { following } else { after };
            if let Some(extra) = values.get(used).filter(|_| WORDS.contains(&word)) {
                complaints.push(format!("'{}' in go means nothing", clipped(extra)));
            }
        }
        (go, complaints)
    }

    /// Takes one word with its values; gives how many of them it used.
    fn take(&mut self, word: &str, values: &[&'l str], complaints: &mut Vec<String>) -> usize {
        let mut number = |least: i64, most: i64| {
            let (number, complaint) = number(word, values.first().copied(), least, most);
            complaints.extend(complaint);
            number
        };
        match word {
            "wtime" => self.times[Color::White as usize] = Some(number(i64::MIN, i64::MAX)),
            "btime" => self.times[Color::Black as usize] = Some(number(i64::MIN, i64::MAX)),
            "winc" => self.increments[Color::White as usize] = number(0, i64::MAX),
            "binc" => self.increments[Color::Black as usize] = number(0, i64::MAX),
            "movestogo" => self.moves_to_go = Some(number(0, u32::MAX.into()) as u32),
            "movetime" => self.move_time = Some(number(1, i64::MAX)),
            "depth" => self.depth = Some(number(1, u8::MAX.into()) as u8),
            "nodes" => self.nodes = Some(number(1, i64::MAX) as u64),
            "mate" => self.mate = Some(number(1, u16::MAX.into()) as u16),
            "perft" => self.perft = Some(number(0, 20) as u8),
            "infinite" => self.infinite = true,
            "ponder" => self.ponder = true,
            "searchmoves" => self.moves.extend(values),
            other => complaints.push(format!("'{}' in go means nothing", clipped(other))),
        }
        match word {
            "infinite" | "ponder" => 0,
            "searchmoves" => values.len(),
            _ => 1,
        }
    }

    /// The question to the engine about a position. Moves that cannot be played are complained about and left out.
    pub(super) fn asked(&self, position: &Position) -> (GoParams, Vec<String>) {
        let side = position.side_to_move() as usize;
        let (mut moves, mut complaints) = (Vec::new(), Vec::new());
        for text in &self.moves {
            match position.parse_uci(text) {
                Ok(mv) => moves.push(mv),
                Err(error) => complaints.push(format!("searchmoves: {error}")),
            }
        }
        if moves.is_empty() && !self.moves.is_empty() {
            complaints.push("searchmoves: no move is left, so all are searched".to_owned());
        }
        let clock = Clock {
            // A GUI that tells one clock only still wants a move in time.
            left: self.times[side].or(self.times[1 - side]),
            increment: self.increments[side],
            moves_to_go: self.moves_to_go,
            move_time: self.move_time,
        };
        let asked = GoParams {
            clock,
            depth: self.depth,
            nodes: self.nodes,
            mate: self.mate,
            infinite: self.infinite || self.has_no_limit(clock),
            ponder: self.ponder,
            moves,
        };
        (asked, complaints)
    }

    /// Whether only a `stop` could end the search.
    fn has_no_limit(&self, clock: Clock) -> bool {
        clock.left.or(clock.move_time).is_none() && self.depth.is_none() && self.nodes.is_none() && self.mate.is_none()
    }
}

/// The number, within its range, and what was wrong with it.
fn number(word: &str, text: Option<&str>, least: i64, most: i64) -> (i64, Option<String>) {
    let smallest = least.max(0);
    let Some(text) = text else { return (smallest, Some(format!("{word} needs a number"))) };
    match text.parse::<i64>() {
        Ok(number) if (least..=most).contains(&number) => (number, None),
        Ok(number) => {
            let nearest = number.clamp(least, most);
            (nearest, Some(format!("{word} {number} is out of range and counts as {nearest}")))
        }
        Err(_) => {
            let digits = text.trim_start_matches(['-', '+']);
            let is_huge = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            let meant = if is_huge && !text.starts_with('-') { most } else { smallest };
            let what = if is_huge { "is beyond any clock or counter" } else { "is no number" };
            (meant, Some(format!("{word}: '{}' {what} and counts as {meant}", clipped(text))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(line: &str) -> (GoParams, String) {
        let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
        let (go, mut complaints) = Go::parse(&words);
        let (asked, more) = go.asked(&Position::start());
        complaints.extend(more);
        (asked, complaints.join("; "))
    }

    #[test]
    fn the_clock_is_that_of_the_side_to_move() {
        let (asked, complaints) = asked("wtime 1000 btime 2000 winc 10 binc 20 movestogo 5 depth 9 nodes 77 mate 3");
        assert_eq!(complaints, "");
        let clock = Clock { left: Some(1000), increment: 10, moves_to_go: Some(5), move_time: None };
        let expected = GoParams { clock, depth: Some(9), nodes: Some(77), mate: Some(3), ..GoParams::default() };
        assert_eq!(asked, expected);
    }

    #[test]
    fn without_a_limit_it_is_infinite() {
        assert!(asked("").0.infinite && asked("ponder").0.infinite && asked("depth 4 infinite").0.infinite);
        assert!(!asked("depth 4").0.infinite && !asked("movetime 5").0.infinite);
        assert_eq!(asked("btime 5").0.clock.left, Some(5), "better the other side's clock than none");
    }

    #[test]
    fn moves_stand_anywhere() {
        let (asked, complaints) = asked("searchmoves e2e4 d2d4 e2e5 depth 3");
        assert_eq!((asked.moves.len(), asked.depth), (2, Some(3)));
        assert!(complaints.contains("e2e5"), "{complaints}");
        assert!(self::asked("searchmoves e7e5").1.contains("all are searched"));
    }

    #[test]
    fn numbers_beyond_any_type_keep_the_search_possible() {
        let huge = "9".repeat(50);
        let (big, complaints) = asked(&format!("wtime {huge} nodes {huge} depth {huge} movestogo {huge}"));
        assert_eq!((big.clock.left, big.depth, big.clock.moves_to_go), (Some(i64::MAX), Some(255), Some(u32::MAX)));
        assert_eq!(complaints.matches("beyond").count(), 4, "{complaints}");
        let (small, _) = asked(&format!("depth -3 nodes x wtime -{huge} movetime"));
        assert_eq!((small.depth, small.nodes, small.clock.left), (Some(1), Some(1), Some(0)));
        assert_eq!(small.clock.move_time, Some(1));
        let (late, complaints) = asked("wtime -50 btime 10");
        assert_eq!((late.clock.left, complaints.as_str()), (Some(-50), ""), "a clock may have run out");
    }

    #[test]
    fn a_missing_number_does_not_swallow_the_next_word() {
        let (asked, complaints) = asked("depth infinite");
        assert!(asked.infinite && asked.depth == Some(1) && complaints.contains("depth needs a number"));
        assert!(self::asked("depth 3 blah").1.contains("'blah'"));
        assert!(self::asked("blah depth 3").1.contains("'blah'"));
    }
}
