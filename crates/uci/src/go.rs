//! `go`: what to search for, and for how long.

use std::fmt;
use std::time::Duration;

use crate::Complaint;
use crate::words::Words;

/// The parameters of `go`, by the names that UCI gives them.
///
/// ```
/// use mnemon_uci::GoCommand;
///
/// let go = GoCommand { depth: Some(12), searchmoves: vec!["e2e4".to_owned()], ..GoCommand::default() };
/// assert_eq!(go.to_string(), "go depth 12 searchmoves e2e4");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoCommand {
    /// Milliseconds on White's clock; negative if it has run out.
    pub wtime: Option<i64>,
    /// Milliseconds on Black's clock.
    pub btime: Option<i64>,
    /// Milliseconds that each of White's moves adds.
    pub winc: Option<i64>,
    /// Milliseconds that each of Black's moves adds.
    pub binc: Option<i64>,
    /// Moves to the next time control.
    pub movestogo: Option<u32>,
    /// Milliseconds for this move.
    pub movetime: Option<i64>,
    /// The depth of the last iteration.
    pub depth: Option<u8>,
    /// The nodes after which the search ends.
    pub nodes: Option<u64>,
    /// The search ends with a mate in this many moves.
    pub mate: Option<u16>,
    /// Count the move sequences of this length instead of searching; not of UCI, and understood by most engines.
    pub perft: Option<u8>,
    /// No move before `stop`.
    pub infinite: bool,
    /// On the opponent's time: no move before `ponderhit` or `stop`.
    pub ponder: bool,
    /// Only these moves are searched; all if there are none.
    pub searchmoves: Vec<String>,
}

/// The words of `go`, in the order in which they are written.
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
    "perft",
    "infinite",
    "ponder",
    "searchmoves",
];

impl GoCommand {
    /// A search of this many nodes.
    pub fn nodes(nodes: u64) -> Self {
        GoCommand { nodes: Some(nodes), ..GoCommand::default() }
    }

    /// A search by the clock: what White and Black have left, and what each move adds.
    pub fn clock(left: [Duration; 2], increment: Duration) -> Self {
        let milliseconds = |time: Duration| Some(i64::try_from(time.as_millis()).unwrap_or(i64::MAX));
        let [wtime, btime] = left.map(milliseconds);
        let increment = milliseconds(increment);
        GoCommand { wtime, btime, winc: increment, binc: increment, ..GoCommand::default() }
    }

    /// Whether one of the limits may end the search within an iteration of this depth: nodes and clocks may, unless it is the
    /// last depth that is asked for.
    ///
    /// ```
    /// use mnemon_uci::GoCommand;
    ///
    /// let go = GoCommand { depth: Some(9), ..GoCommand::nodes(5000) };
    /// assert!(go.may_cut(8) && !go.may_cut(9));
    /// ```
    pub fn may_cut(&self, depth: u32) -> bool {
        let is_limited = self.nodes.is_some() || [self.movetime, self.wtime, self.btime].iter().any(Option::is_some);
        is_limited && self.depth.is_none_or(|last| depth < last.into())
    }

    /// Whether only `stop` can end the search: `infinite` is given, or no limit and no clock is.
    pub fn is_unlimited(&self) -> bool {
        let times = [self.wtime, self.btime, self.movetime];
        let has_time = times.iter().any(Option::is_some);
        let has_limit = self.depth.is_some() || self.nodes.is_some() || self.mate.is_some();
        self.infinite || !(has_time || has_limit)
    }

    /// Reads the words after `go`, and gives what is wrong with them. Each `go` must be answered by a move, so nothing
    /// makes it fail: a number that is too large counts as the largest possible, and what is no number as the smallest,
    /// which keeps the search short.
    pub(crate) fn parse(words: &mut Words<'_>) -> (Self, Vec<Complaint>) {
        let (mut go, mut complaints) = (GoCommand::default(), Vec::new());
        while let Some(word) = words.next() {
            match WORDS.iter().find(|&&known| known == word) {
                Some(word) => go.take(word, words, &mut complaints),
                None => {
                    complaints.push(Complaint::GoWord(word.to_owned()));
                    // What follows belongs to the unknown word; one complaint is enough.
                    while words.peek().is_some_and(|next| !WORDS.contains(&next)) {
                        words.next();
                    }
                }
            }
        }
        (go, complaints)
    }

    /// Takes what belongs to a word.
    fn take(&mut self, word: &'static str, words: &mut Words<'_>, complaints: &mut Vec<Complaint>) {
        let mut number = |least: i64, most: i64| {
            // A missing number must not swallow the next word.
            let text = words.peek().filter(|next| !WORDS.contains(next));
            if text.is_some() {
                words.next();
            }
            let (number, complaint) = number(word, text, least, most);
            complaints.extend(complaint);
            number
        };
        match word {
            "wtime" => self.wtime = Some(number(i64::MIN, i64::MAX)),
            "btime" => self.btime = Some(number(i64::MIN, i64::MAX)),
            "winc" => self.winc = Some(number(0, i64::MAX)),
            "binc" => self.binc = Some(number(0, i64::MAX)),
            "movestogo" => self.movestogo = Some(number(0, u32::MAX.into()) as u32),
            "movetime" => self.movetime = Some(number(1, i64::MAX)),
            "depth" => self.depth = Some(number(1, u8::MAX.into()) as u8),
            "nodes" => self.nodes = Some(number(1, i64::MAX) as u64),
            "mate" => self.mate = Some(number(1, u16::MAX.into()) as u16),
            "perft" => self.perft = Some(number(0, 20) as u8),
            "infinite" => self.infinite = true,
            "ponder" => self.ponder = true,
            _ => {
                while let Some(mv) = words.peek().filter(|next| !WORDS.contains(next)) {
                    self.searchmoves.push(mv.to_owned());
                    words.next();
                }
            }
        }
    }
}

/// The number within its range, and what was wrong with it.
fn number(word: &'static str, text: Option<&str>, least: i64, most: i64) -> (i64, Option<Complaint>) {
    let smallest = least.max(0);
    let Some(text) = text else { return (smallest, Some(Complaint::MissingNumber { word, used: smallest })) };
    let digits = text.trim_start_matches(['-', '+']);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let used = match text.parse::<i64>() {
        Ok(number) if (least..=most).contains(&number) => return (number, None),
        Ok(number) => number.clamp(least, most),
        Err(_) if is_number && !text.starts_with('-') => most,
        Err(_) => smallest,
    };
    (used, Some(Complaint::BadNumber { word, text: text.to_owned(), is_number, used }))
}

impl fmt::Display for GoCommand {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = [
            ("wtime", self.wtime.map(i128::from)),
            ("btime", self.btime.map(i128::from)),
            ("winc", self.winc.map(i128::from)),
            ("binc", self.binc.map(i128::from)),
            ("movestogo", self.movestogo.map(i128::from)),
            ("movetime", self.movetime.map(i128::from)),
            ("depth", self.depth.map(i128::from)),
            ("nodes", self.nodes.map(i128::from)),
            ("mate", self.mate.map(i128::from)),
            ("perft", self.perft.map(i128::from)),
        ];
        formatter.write_str("go")?;
        for (word, number) in numbers {
            if let Some(number) = number {
                write!(formatter, " {word} {number}")?;
            }
        }
        for (word, is_set) in [("infinite", self.infinite), ("ponder", self.ponder)] {
            if is_set {
                write!(formatter, " {word}")?;
            }
        }
        // Some engines take everything behind this word for a move, so it comes last.
        if !self.searchmoves.is_empty() {
            write!(formatter, " searchmoves {}", self.searchmoves.join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> (GoCommand, String) {
        let (go, complaints) = GoCommand::parse(&mut Words::new(line));
        (go, complaints.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
    }

    #[test]
    fn every_word_has_its_number() {
        let (go, complaints) = parse("wtime 1000 btime 2000 winc 10 binc 20 movestogo 5 depth 9 nodes 77 mate 3");
        assert_eq!(complaints, "");
        let expected = GoCommand {
            wtime: Some(1000),
            btime: Some(2000),
            winc: Some(10),
            binc: Some(20),
            movestogo: Some(5),
            depth: Some(9),
            nodes: Some(77),
            mate: Some(3),
            ..GoCommand::default()
        };
        assert_eq!(go, expected);
    }

    #[test]
    fn without_a_limit_it_is_unlimited() {
        for line in ["", "ponder", "depth 4 infinite", "winc 5"] {
            assert!(parse(line).0.is_unlimited(), "{line}");
        }
        for line in ["depth 4", "movetime 5", "btime 5", "nodes 1", "mate 2"] {
            assert!(!parse(line).0.is_unlimited(), "{line}");
        }
    }

    #[test]
    fn moves_stand_anywhere() {
        let (go, complaints) = parse("searchmoves e2e4 d2d4 depth 3");
        assert_eq!((go.searchmoves.join(" ").as_str(), go.depth, complaints.as_str()), ("e2e4 d2d4", Some(3), ""));
    }

    #[test]
    fn numbers_beyond_any_type_keep_the_search_possible() {
        let huge = "9".repeat(50);
        let (big, complaints) = parse(&format!("wtime {huge} nodes {huge} depth {huge} movestogo {huge}"));
        assert_eq!((big.wtime, big.depth, big.movestogo), (Some(i64::MAX), Some(255), Some(u32::MAX)));
        assert_eq!(complaints.matches("is out of range").count(), 4, "{complaints}");
        let (small, complaints) = parse(&format!("depth -3 nodes x wtime -{huge} movetime"));
        assert_eq!((small.depth, small.nodes, small.wtime), (Some(1), Some(1), Some(0)));
        assert_eq!(small.movetime, Some(1));
        assert!(complaints.contains("depth: '-3' is out of range and counts as 1"), "{complaints}");
        assert!(complaints.contains("nodes: 'x' is not a number and counts as 1"), "{complaints}");
        let (late, complaints) = parse("wtime -50 btime 10");
        assert_eq!((late.wtime, complaints.as_str()), (Some(-50), ""), "a clock may have run out");
    }

    #[test]
    fn a_missing_number_does_not_swallow_the_next_word() {
        let (go, complaints) = parse("depth infinite");
        assert!(go.infinite && go.depth == Some(1) && complaints.contains("depth needs a number"));
        assert!(parse("depth 3 blah").1.contains("'blah'"));
        assert_eq!(parse("blah depth 3").0.depth, Some(3));
        assert!(parse("blah depth 3").1.contains("'blah'"));
    }
}
