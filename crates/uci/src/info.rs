//! `info`: what an engine says about its search while it runs.

use std::fmt;

use crate::words::Words;

/// The fields of an `info` line. Engines leave out what they like and choose the order; fields that are not here are
/// skipped.
///
/// ```
/// use mnemon_uci::{Bound, EngineLine, ScoreValue};
///
/// let EngineLine::Info(info) = EngineLine::parse("info depth 9 score cp -42 upperbound nodes 18727 pv e7e5 g5e3") else {
///     panic!("an info line")
/// };
/// let score = info.score.expect("a score");
/// assert_eq!((info.depth, info.nodes, info.pv.len()), (Some(9), Some(18_727), 2));
/// assert_eq!((score.value, score.bound), (ScoreValue::Centipawns(-42), Bound::Upper));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// The depth of the iteration in plies; some engines give an average.
    pub depth: Option<u32>,
    /// The deepest ply that was reached.
    pub seldepth: Option<u32>,
    /// The rank of the line among the best ones, counted from 1.
    pub multipv: Option<u32>,
    /// The score of the line.
    pub score: Option<Score>,
    /// The chances that belong to the score.
    pub wdl: Option<Wdl>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub nps: Option<u64>,
    /// How full the transposition table is, in permille.
    pub hashfull: Option<u32>,
    /// Positions found in endgame tablebases.
    pub tbhits: Option<u64>,
    /// Milliseconds since the search began.
    pub time: Option<u64>,
    /// The root move that is being searched, in UCI's notation.
    pub currmove: Option<String>,
    /// Its number, counted from 1.
    pub currmovenumber: Option<u32>,
    /// The principal variation, in UCI's notation.
    pub pv: Vec<String>,
    /// A message for people, which ends the line.
    pub string: Option<String>,
}

/// A score, seen from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// The number and its unit.
    pub value: ScoreValue,
    /// What the number is to the true score.
    pub bound: Bound,
}

/// A score's number and unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreValue {
    /// `cp`: hundredths of a pawn, by the engine's own measure.
    Centipawns(i32),
    /// `mate`: the side to move gives mate in this many moves; negative if it is mated, 0 if it is mated now.
    Mate(i32),
}

/// What a score is to the true one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// It is the true score.
    #[default]
    Exact,
    /// `lowerbound`: the search failed high, and the true score is at least this.
    Lower,
    /// `upperbound`: the search failed low, and the true score is at most this.
    Upper,
}

/// Chances of the side to move in permille, which add up to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    /// To win.
    pub win: u32,
    /// To draw.
    pub draw: u32,
    /// To lose.
    pub loss: u32,
}

/// The words that begin a field, and so end a list of moves.
const FIELDS: [&str; 21] = [
    "depth",
    "seldepth",
    "multipv",
    "score",
    "lowerbound",
    "upperbound",
    "wdl",
    "nodes",
    "nps",
    "hashfull",
    "tbhits",
    "time",
    "currmove",
    "currmovenumber",
    "pv",
    "string",
    "cpuload",
    "currline",
    "refutation",
    "ebf",
    "movesleft",
];

impl Info {
    /// A message for people.
    ///
    /// ```
    /// assert_eq!(mnemon_uci::Info::message("hello").to_string(), "info string hello");
    /// ```
    pub fn message(text: impl Into<String>) -> Self {
        Info { string: Some(text.into()), ..Info::default() }
    }

    /// The score's value if it is exact.
    pub fn exact_score(&self) -> Option<ScoreValue> {
        self.score.filter(|score| score.bound == Bound::Exact).map(|score| score.value)
    }

    /// Reads what follows `info`.
    pub(crate) fn parse(words: &mut Words<'_>) -> Info {
        let (mut info, mut value, mut bound) = (Info::default(), None, Bound::Exact);
        while let Some(name) = words.next() {
            match name {
                "depth" => info.depth = words.number(),
                "seldepth" => info.seldepth = words.number(),
                "multipv" => info.multipv = words.number(),
                "score" => value = ScoreValue::parse(words),
                // Some engines write the chances between the score and its bound.
                "lowerbound" => bound = Bound::Lower,
                "upperbound" => bound = Bound::Upper,
                "wdl" => info.wdl = Wdl::parse(words),
                "nodes" => info.nodes = words.number(),
                "nps" => info.nps = words.number(),
                "hashfull" => info.hashfull = words.number(),
                "tbhits" => info.tbhits = words.number(),
                "time" => info.time = words.number(),
                "currmove" => info.currmove = moves(words).into_iter().next(),
                "currmovenumber" => info.currmovenumber = words.number(),
                "pv" => info.pv = moves(words),
                "string" => {
                    info.string = Some(words.rest().to_owned());
                    break;
                }
                _ => {}
            }
        }
        info.score = value.map(|value| Score { value, bound });
        info
    }
}

/// The moves up to the next field.
fn moves(words: &mut Words<'_>) -> Vec<String> {
    let mut moves = Vec::new();
    while let Some(mv) = words.peek().filter(|word| !FIELDS.contains(word)) {
        moves.push(mv.to_owned());
        words.next();
    }
    moves
}

impl ScoreValue {
    fn parse(words: &mut Words<'_>) -> Option<Self> {
        match words.peek()? {
            "cp" => words.next().and_then(|_| words.number()).map(ScoreValue::Centipawns),
            "mate" => words.next().and_then(|_| words.number()).map(ScoreValue::Mate),
            _ => None,
        }
    }

    /// One number for scores of both units, in which every mate is beyond every number of centipawns and a shorter one
    /// beyond a longer one.
    pub fn centipawns(self) -> i32 {
        const MATE: i32 = 100_000;
        match self {
            ScoreValue::Centipawns(score) => score.clamp(-MATE / 2, MATE / 2),
            ScoreValue::Mate(moves) if moves > 0 => MATE - moves.min(1000),
            ScoreValue::Mate(moves) => -MATE - moves.max(-1000),
        }
    }
}

impl Wdl {
    fn parse(words: &mut Words<'_>) -> Option<Self> {
        Some(Wdl { win: words.number()?, draw: words.number()?, loss: words.number()? })
    }
}

impl fmt::Display for Info {
    /// Writes the fields in the order that most engines use.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("info")?;
        let mut field = |name: &str, value: Option<&dyn fmt::Display>| match value {
            Some(value) => write!(formatter, " {name} {value}"),
            None => Ok(()),
        };
        field("depth", display(&self.depth))?;
        field("seldepth", display(&self.seldepth))?;
        field("multipv", display(&self.multipv))?;
        field("score", display(&self.score))?;
        field("wdl", display(&self.wdl))?;
        field("currmove", display(&self.currmove))?;
        field("currmovenumber", display(&self.currmovenumber))?;
        field("nodes", display(&self.nodes))?;
        field("nps", display(&self.nps))?;
        field("hashfull", display(&self.hashfull))?;
        field("tbhits", display(&self.tbhits))?;
        field("time", display(&self.time))?;
        if !self.pv.is_empty() {
            field("pv", Some(&self.pv.join(" ")))?;
        }
        // A message stays on its line, whatever it contains.
        field("string", display(&self.string.as_ref().map(|text| text.replace(['\n', '\r'], " "))))
    }
}

fn display<T: fmt::Display>(value: &Option<T>) -> Option<&dyn fmt::Display> {
    value.as_ref().map(|value| value as &dyn fmt::Display)
}

impl fmt::Display for Score {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(formatter)?;
        formatter.write_str(match self.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        })
    }
}

impl fmt::Display for ScoreValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScoreValue::Centipawns(score) => write!(formatter, "cp {score}"),
            ScoreValue::Mate(moves) => write!(formatter, "mate {moves}"),
        }
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {} {}", self.win, self.draw, self.loss)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EngineLine;

    fn info(line: &str) -> Info {
        match EngineLine::parse(line) {
            EngineLine::Info(info) => info,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn info_lines_of_several_engines() {
        let line = "info depth 11 seldepth 14 multipv 2 score cp -42 upperbound nodes 18727 nps 253067 hashfull 5 \
                    tbhits 0 time 74 pv e7e5 g5e3";
        let expected = Info {
            depth: Some(11),
            seldepth: Some(14),
            multipv: Some(2),
            score: Some(Score { value: ScoreValue::Centipawns(-42), bound: Bound::Upper }),
            nodes: Some(18_727),
            nps: Some(253_067),
            hashfull: Some(5),
            tbhits: Some(0),
            time: Some(74),
            pv: vec!["e7e5".to_owned(), "g5e3".to_owned()],
            ..Info::default()
        };
        assert_eq!(info(line), expected);
        assert_eq!(expected.to_string(), line);
        let old = info("info multipv 1 depth 1 seldepth 5 score mate -3 time 0 nodes 13 pv b5b4 a3b4 time 3");
        assert_eq!((old.exact_score(), old.pv.len(), old.time), (Some(ScoreValue::Mate(-3)), 2, Some(3)));
        let unknown = info("info depth 7 movesleft 43 score cp 3 wdl 200 700 100 lowerbound refutation d1h5 g6h5");
        assert_eq!(unknown.wdl, Some(Wdl { win: 200, draw: 700, loss: 100 }));
        assert_eq!((unknown.exact_score(), unknown.score.map(|score| score.bound)), (None, Some(Bound::Lower)));
        let blanks = info(" info  depth 3  pv e2e4   e7e5  currmove d2d4 currmovenumber 2");
        assert_eq!((blanks.pv.len(), blanks.currmove.as_deref(), blanks.currmovenumber), (2, Some("d2d4"), Some(2)));
    }

    #[test]
    fn what_is_no_number_is_left_out() {
        assert_eq!(info("info depth x score cp"), Info::default());
        assert_eq!(info("info depth score cp 5").score.map(|score| score.value), Some(ScoreValue::Centipawns(5)));
        assert_eq!(info("info wdl 1 2 depth 3"), Info { depth: Some(3), ..Info::default() });
        assert_eq!(info("info score depth 3"), Info { depth: Some(3), ..Info::default() });
        assert_eq!(info("info lowerbound"), Info::default());
        assert_eq!(info("info"), Info::default());
    }

    #[test]
    fn a_message_is_the_rest_of_the_line() {
        assert_eq!(info("info string depth 5  pv e2e4"), Info::message("depth 5  pv e2e4"));
        assert_eq!(Info::message("a\nbestmove e2e4\r").to_string(), "info string a bestmove e2e4 ");
    }

    #[test]
    fn mates_are_ordered_beyond_pawns() {
        use ScoreValue::{Centipawns, Mate};
        let scores = [Mate(-1), Mate(-9), Centipawns(i32::MIN), Centipawns(3), Mate(9)];
        let numbers = scores.map(ScoreValue::centipawns);
        assert!(numbers.is_sorted() && Mate(1).centipawns() > numbers[4], "{numbers:?}");
    }
}
