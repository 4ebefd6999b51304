//! Answers in chessdb's forms. JSON is written by hand, in the order of members that its script has.

use std::fmt::Write;

use mnemon_chess::{Move, Position, variation};

use super::known::{KnownMove, KnownPosition, best_from, good_from};
use super::query::Query;

/// An answer, before it is written as text or JSON.
pub(crate) enum Answer {
    /// A status: `unknown`, `ok`, `nobestmove`...
    Word(&'static str),
    /// Nothing to say: empty, `{}`.
    Nothing,
    /// A score was to be stored.
    TokenError,
    /// Members of the object, and the text.
    Both { json: String, text: String },
}

/// The least score with which a move is named.
const LEAST_BEST: i32 = -50;
/// From this score on there is no win rate: it is a mate or a tablebase's.
const DECIDED: i32 = 10_000;

impl Answer {
    /// The bytes: text ends in a zero byte.
    pub(crate) fn write(self, is_json: bool) -> Vec<u8> {
        if is_json {
            return match self {
                Answer::Word(word) => format!("{{\"status\":\"{word}\"}}"),
                Answer::Nothing | Answer::TokenError => "{}".to_owned(),
                Answer::Both { json, .. } => format!("{{\"status\":\"ok\",{json}}}"),
            }
            .into_bytes();
        }
        let text = match self {
            Answer::Word(word) => word.to_owned(),
            Answer::Nothing => String::new(),
            Answer::TokenError => "tokenerror".to_owned(),
            Answer::Both { text, .. } => text,
        };
        (text + "\0").into_bytes()
    }

    /// `queryall`. Without learning only the best moves keep their scores, and all moves are shown.
    pub(crate) fn all(known: KnownPosition, query: &Query) -> Self {
        if known.moves.is_empty() && !query.shows_all {
            return Answer::Word("unknown");
        }
        let best = known.moves.first().map_or(0, |best| best.score);
        let is_shown = |shown: &KnownMove| query.is_learning || rank(shown.score, best) == 2;
        let mut shown: Vec<Move> = Vec::new();
        let (mut objects, mut texts) = (Vec::new(), Vec::new());
        for (number, entry) in known.moves.iter().enumerate() {
            if number == 0 || is_shown(entry) {
                let (object, text) = with_score(&known.position, entry, best);
                objects.push(object);
                texts.push(text);
                shown.push(entry.mv);
            }
        }
        if query.shows_all || !query.is_learning {
            let mut legal = Vec::new();
            known.position.legal_moves(&mut legal);
            for mv in legal.into_iter().filter(|mv| !shown.contains(mv)) {
                let (uci, san) = (known.position.uci(mv), known.position.san(mv));
                objects.push(format!(
                    "{{\"uci\":\"{uci}\",\"san\":\"{san}\",\"score\":\"??\",\"rank\":0,\"note\":\"? (??-??)\"}}"
                ));
                texts.push(format!("move:{uci},score:??,rank:0,note:? (??-??)"));
            }
        }
        let ply =
            known.ply.filter(|_| !known.moves.is_empty()).map_or_else(String::new, |ply| format!(",\"ply\":{ply}"));
        Answer::Both { json: format!("\"moves\":[{}]{ply}", objects.join(",")), text: texts.join("|") }
    }

    /// `queryscore`.
    pub(crate) fn score(known: &KnownPosition) -> Self {
        let Some(best) = known.moves.first() else { return Answer::Word("unknown") };
        let ply = known.ply.map_or_else(String::new, |ply| format!(",\"ply\":{ply}"));
        Answer::Both { json: format!("\"eval\":{}{ply}", best.score), text: format!("eval:{}", best.score) }
    }

    /// `querybest`: the best move.
    pub(crate) fn best(known: &KnownPosition) -> Self {
        match known.moves.first().filter(|best| best.score >= LEAST_BEST) {
            Some(best) => one_move(&best.uci),
            None => Answer::Word("nobestmove"),
        }
    }

    /// `query`: a good move. Of several the best, where chessdb draws one by lot.
    pub(crate) fn good(known: &KnownPosition) -> Self {
        Self::best(known)
    }

    /// `querysearch`: all good moves.
    pub(crate) fn search(known: &KnownPosition) -> Self {
        let Some(best) = known.moves.first().filter(|best| best.score >= LEAST_BEST) else {
            return Answer::Word("nobestmove");
        };
        if known.moves.len() == 1 {
            return one_move(&best.uci);
        }
        let good = known.moves.iter().filter(|entry| f64::from(entry.score) >= good_from(best.score));
        let (mut objects, mut texts) = (Vec::new(), Vec::new());
        for entry in good {
            objects.push(format!("{{\"uci\":\"{}\",\"san\":\"{}\"}}", entry.uci, known.position.san(entry.mv)));
            texts.push(format!("search:{}", entry.uci));
        }
        Answer::Both { json: format!("\"search_moves\":[{}]", objects.join(",")), text: texts.join("|") }
    }

    /// `querypv`: the depth is the line's length.
    pub(crate) fn line(position: &Position, score: i32, moves: &[Move]) -> Self {
        let (san, uci) = variation::san_and_uci(position, moves);
        let (depth, quoted) = (uci.len(), |moves: &[String]| format!("[\"{}\"]", moves.join("\",\"")));
        let json = format!("\"score\":{score},\"depth\":{depth},\"pv\":{},\"pvSAN\":{}", quoted(&uci), quoted(&san));
        Answer::Both { json, text: format!("score:{score},depth:{depth},pv:{}", uci.join("|")) }
    }
}

fn one_move(uci: &str) -> Answer {
    Answer::Both { json: format!("\"move\":\"{uci}\""), text: format!("move:{uci}") }
}

/// 2 for as good as the best, 1 for good, 0 for the rest.
fn rank(score: i32, best: i32) -> usize {
    let score = f64::from(score);
    match (score >= good_from(best), score >= best_from(best)) {
        (true, true) => 2,
        (true, false) => 1,
        _ => 0,
    }
}

/// A move of `queryall` as an object and as text.
fn with_score(position: &Position, entry: &KnownMove, best: i32) -> (String, String) {
    let KnownMove { mv, uci, score, replies: [known, good] } = entry;
    let rank = rank(*score, best);
    let note = format!("{} ({known:02}-{good:02})", ["?", "*", "!"][rank]);
    let mut object = format!(
        "{{\"uci\":\"{uci}\",\"san\":\"{}\",\"score\":{score},\"rank\":{rank},\"note\":\"{note}\"",
        position.san(*mv)
    );
    let mut text = format!("move:{uci},score:{score},rank:{rank},note:{note}");
    if score.abs() < DECIDED {
        let rate = 100.0 / (1.0 + (-f64::from(*score) / 330.0).exp());
        // Writing to a string does not fail.
        let _ = write!(object, ",\"winrate\":\"{rate:.2}\"");
        let _ = write!(text, ",winrate:{rate:.2}");
    }
    (object + "}", text)
}

/// The answer of a server that cannot answer now.
pub(crate) fn failure(message: &str, is_json: bool) -> Vec<u8> {
    if is_json {
        let message = serde_json::to_string(message).unwrap_or_default();
        return format!("{{\"status\":{message}}}").into_bytes();
    }
    format!("Error: {message}\0").into_bytes()
}
