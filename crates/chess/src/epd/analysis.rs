//! What an engine found, as operations of EPD: depth, nodes, score, best moves and line.
//!
//! ```text
//! acd 24        depth in plies               acn 1200300   nodes
//! bm Nf3 e4     best moves                   pv Nf3 d5     the line
//! ce 31         score in hundredths of a pawn for the side to move; a mate after n plies is 32767 - n
//! dm 3          mate in three moves          id "..."      name          c0 "..."   comment
//! ```

use std::fmt;

use cozy_chess::Move;
use mnemon_search::{HIGHEST_POINTS, MAX_DEPTH, Notation, WINS};
use mnemon_table::Score;

use super::{Epd, EpdError};
use crate::Position;

/// The `ce` of a mate on the board; each ply before it is one less.
const CE_MATE: i32 = 32_767;
/// Mates farther away than this many plies are read as points.
const MAX_MATE_PLIES: i32 = 999;

/// An analysis of a position, as one line of EPD has it.
///
/// ```
/// use mnemon_chess::epd::{Epd, EpdAnalysis};
///
/// let line = r#"6k1/5ppp/8/8/8/8/8/R3K3 w Q - acd 9; acn 1200; bm Ra8#; c0 "Fish 1"; ce 32766; dm 1; pv Ra8#;"#;
/// let epd: Epd = line.parse()?;
/// let analysis = epd.analysis()?;
/// assert_eq!((analysis.depth, analysis.nodes, analysis.comment.as_deref()), (Some(9), Some(1200), Some("Fish 1")));
/// assert_eq!(analysis.line(&epd.position), line);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EpdAnalysis {
    /// `acd`: the depth in plies.
    pub depth: Option<u8>,
    /// `acn`: the nodes that were searched.
    pub nodes: Option<u64>,
    /// `bm`: the best moves.
    pub best: Vec<Move>,
    /// `ce` and `dm`: the score for the side to move.
    pub score: Option<Score>,
    /// `pv`: the line that the score comes from.
    pub pv: Vec<Move>,
    /// `id`: the position's name.
    pub id: Option<String>,
    /// `c0`: a comment, such as who says so.
    pub comment: Option<String>,
}

impl Epd {
    /// The line's analysis; empty if no operation of one is there.
    ///
    /// # Errors
    /// A move that is not legal, or a number that is none.
    pub fn analysis(&self) -> Result<EpdAnalysis, EpdError> {
        let depth = self.number("acd")?.map(|depth| depth.clamp(0, MAX_DEPTH.into()) as u8);
        let nodes = self.number("acn")?.map(|nodes| nodes.max(0) as u64);
        let (best, pv, score) = (self.best_moves()?, self.line_of("pv")?, self.score()?);
        let comment = self.operands("c0").map(|words| words.join(" ")).filter(|comment| !comment.is_empty());
        Ok(EpdAnalysis { depth, nodes, best, score, pv, id: self.id(), comment })
    }

    fn number(&self, operation: &'static str) -> Result<Option<i64>, EpdError> {
        let Some(word) = self.operands(operation).and_then(|operands| operands.first()) else { return Ok(None) };
        let number = word.strip_prefix('+').unwrap_or(word).parse();
        number.map(Some).map_err(|_| EpdError::Number { operation, text: crate::error::clipped(word) })
    }

    fn score(&self) -> Result<Option<Score>, EpdError> {
        let (ce, dm) = (self.number("ce")?, self.number("dm")?);
        let beyond = i64::from(CE_MATE) + 1;
        let ce = ce.map(|ce| ce.clamp(-beyond, beyond) as i32);
        // The side to move may be mated already, but not have mated; what is beyond that is no mate.
        let is_mate = |ce: &i32| (-CE_MATE..CE_MATE).contains(ce) && ce.abs() >= CE_MATE - MAX_MATE_PLIES;
        let mate = ce.filter(is_mate).map(|ce| (CE_MATE - ce.abs(), ce > 0));
        // Some programs write only the mate, and a negative one for being mated.
        let by_moves = dm.filter(|moves| moves.abs() < i64::from(MAX_MATE_PLIES) / 2).map(|moves| {
            let is_won = moves > 0 && ce.is_none_or(|ce| ce >= 0);
            let plies = 2 * moves.abs() as i32 - i32::from(is_won);
            (plies.max(0), is_won)
        });
        Ok(match (mate.or(by_moves), ce) {
            (Some((plies, is_won)), _) => {
                let lost = WINS.lost_at(plies as u16);
                Some(if is_won { -lost } else { lost })
            }
            (None, Some(ce)) => Some(ce.clamp(-i32::from(HIGHEST_POINTS), HIGHEST_POINTS.into()) as Score),
            (None, None) => None,
        })
    }

    /// The moves of an operation, each from the position after the one before.
    fn line_of(&self, operation: &'static str) -> Result<Vec<Move>, EpdError> {
        let (mut position, mut moves) = (self.position.clone(), Vec::new());
        for word in self.operands(operation).unwrap_or_default() {
            let Some(word) = crate::without_move_number(word).filter(|word| word.contains(char::is_alphabetic)) else {
                continue;
            };
            let mv = position.read_move(word).map_err(|error| EpdError::Move { operation, error })?;
            position = position.after(mv);
            moves.push(mv);
        }
        Ok(moves)
    }
}

impl EpdAnalysis {
    /// The line of EPD: the position, and the operations in the order of their names, as the standard asks. Moves that are
    /// not legal end the lists that they are in; quotes in texts become apostrophes.
    #[must_use]
    pub fn line(&self, position: &Position) -> String {
        let mut fields: Vec<String> = position.to_string().split(' ').take(4).map(str::to_owned).collect();
        let mut add = |name: &str, operands: &dyn fmt::Display| fields.push(format!("{name} {operands};"));
        if let Some(depth) = self.depth {
            add("acd", &depth);
        }
        if let Some(nodes) = self.nodes {
            add("acn", &nodes);
        }
        let mut best: Vec<String> =
            self.best.iter().take_while(|&&mv| position.is_legal(mv)).map(|&mv| position.san(mv)).collect();
        best.sort();
        if !best.is_empty() {
            add("bm", &best.join(" "));
        }
        if let Some(comment) = &self.comment {
            add("c0", &quoted(comment));
        }
        if let Some(score) = self.score {
            self.add_score(score, &mut add);
        }
        if let Some(id) = &self.id {
            add("id", &quoted(id));
        }
        let (pv, _) = crate::variation::san_and_uci(position, &self.pv);
        if !pv.is_empty() {
            add("pv", &pv.join(" "));
        }
        fields.join(" ")
    }

    fn add_score(&self, score: Score, add: &mut dyn FnMut(&str, &dyn fmt::Display)) {
        let Some(plies) = WINS.plies(score).map(i32::from) else { return add("ce", &score) };
        let is_won = plies > 0;
        let distance = CE_MATE - plies.abs();
        add("ce", &if is_won { distance } else { -distance });
        if is_won {
            add("dm", &((plies + 1) / 2));
        }
    }
}

/// A text that one operand holds.
fn quoted(text: &str) -> String {
    let text = text.replace('"', "'");
    let words: Vec<&str> = text.split(|letter: char| letter.is_whitespace() || letter.is_control()).collect();
    format!("\"{}\"", words.join(" ").trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn analysis(tail: &str) -> Result<EpdAnalysis, EpdError> {
        format!("{START} {tail}").parse::<Epd>().and_then(|epd| epd.analysis())
    }

    #[test]
    fn scores_are_read_in_the_forms_in_use() {
        let score = |tail| analysis(tail).map(|analysis| analysis.score.map(Position::write_score));
        for (tail, expected) in [
            ("ce 31;", "+0.31"),
            ("ce +31", "+0.31"),
            ("ce -31;", "-0.31"),
            ("ce 32762;", "mate in 3"),
            ("ce -32761;", "mated in 3"),
            ("dm 3;", "mate in 3"),
            ("dm -3;", "mated in 3"),
            ("dm 3; ce -500", "mated in 3"),
            ("ce 30000;", "+149.99"),
            ("ce 32767;", "+149.99"),
            ("ce 1265535;", "+149.99"),
            ("ce -99999999999;", "-149.99"),
        ] {
            assert_eq!(score(tail), Ok(Some(expected.to_owned())), "{tail}");
        }
        assert_eq!(score("bm e4;"), Ok(None));
        for bad in ["ce x;", "acd 1.5;", "acn 12k;", "dm ?;", "pv e4 e4;", "bm Ke3;"] {
            assert!(score(bad).is_err_and(|error| error.to_string().starts_with(&bad[..2])), "{bad}");
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let position: Position = START.parse().expect("a position");
        let mv = |text| position.parse_san(text).expect("legal");
        let reply = position.after(mv("e4")).parse_san("c5").expect("legal");
        for score in
            [None, Some(31), Some(-14_999), Some(WINS.lost_at(6)), Some(-WINS.lost_at(5)), Some(WINS.lost_at(0))]
        {
            let written = EpdAnalysis {
                depth: Some(24),
                nodes: Some(1_200_300),
                best: vec![mv("Nf3"), mv("e4")],
                score,
                pv: vec![mv("e4"), reply],
                id: Some("a; name".to_owned()),
                comment: Some("Fish 1.0".to_owned()),
            };
            let line = written.line(&position);
            let read = line.parse::<Epd>().and_then(|epd| epd.analysis()).expect(&line);
            assert_eq!(read, written, "{line}");
        }
        let odd = EpdAnalysis { id: Some("a \"b\"\n c".to_owned()), ..EpdAnalysis::default() };
        assert!(odd.line(&position).ends_with("id \"a 'b'  c\";"), "{}", odd.line(&position));
    }
}
