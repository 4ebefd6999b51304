//! What is asked of chessdb's interface, read as its own script reads it.

use mnemon_chess::Position;

/// The actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// `queryall`: the known moves.
    All,
    /// `querybest`: one of the best moves.
    Best,
    /// `query`, `querylearn`: one of the good moves.
    Good,
    /// `querysearch`: all good moves.
    Search,
    /// `queryscore`.
    Score,
    /// `querypv`.
    Pv,
    /// `queue`: search the position some time.
    Queue,
    /// `store`, with or without a score.
    Store {
        /// Whether a score is to be stored.
        has_score: bool,
    },
    /// Any other.
    Unknown,
}

/// A query.
#[derive(Clone, Debug)]
pub(crate) struct Query {
    pub(crate) action: Action,
    pub(crate) is_json: bool,
    pub(crate) is_learning: bool,
    pub(crate) shows_all: bool,
    pub(crate) is_endgame: bool,
    /// Our own: only records of the source with this name.
    pub(crate) source: Option<String>,
    /// The board as it was given; empty if there is none.
    board_text: String,
}

impl Query {
    /// Reads parameters; `None` without an action. Of a repeated one the last counts.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let params: Vec<(String, String)> = form_urlencoded::parse(text.as_bytes()).into_owned().collect();
        let get = |name: &str| params.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let flag = |name: &str, default: bool| get(name).map_or(default, is_true);
        let action = match get("action")? {
            "queryall" => Action::All,
            "querybest" => Action::Best,
            "query" | "querylearn" => Action::Good,
            "querysearch" => Action::Search,
            "queryscore" => Action::Score,
            "querypv" => Action::Pv,
            "queue" => Action::Queue,
            "store" => Action::Store { has_score: get("score").is_some() },
            _ => Action::Unknown,
        };
        let board = get("board").filter(|board| !board.is_empty());
        Some(Query {
            action,
            is_json: flag("json", false),
            is_learning: flag("learn", true),
            shows_all: flag("showall", false),
            is_endgame: flag("endgame", false),
            source: get("source").filter(|source| !source.is_empty()).map(str::to_owned),
            board_text: board.unwrap_or_default().to_owned(),
        })
    }

    /// The position: `None` if there is none, an error if the text is no position.
    pub(crate) fn board(&self) -> Option<Result<Position, ()>> {
        (!self.board_text.is_empty()).then(|| read_board(&self.board_text).ok_or(()))
    }

    /// What the answer depends on, besides the memory; `None` for what is not kept.
    pub(crate) fn cache_key(&self) -> Option<String> {
        if matches!(self.action, Action::Queue | Action::Store { .. } | Action::Unknown) || self.board_text.len() > 120
        {
            return None;
        }
        let Query { action, is_json, is_learning, shows_all, is_endgame, source, board_text, .. } = self;
        Some(format!("{action:?} {is_json} {is_learning} {shows_all} {is_endgame} {source:?} {board_text}"))
    }
}

/// As PHP's `FILTER_VALIDATE_BOOLEAN`.
fn is_true(text: &str) -> bool {
    ["1", "true", "on", "yes"].contains(&text.trim().to_ascii_lowercase().as_str())
}

/// A position of two fields at least; the counters do not count.
fn read_board(text: &str) -> Option<Position> {
    let mut fields: Vec<&str> = text.split([' ', '\t', '_', '+']).filter(|field| !field.is_empty()).take(4).collect();
    if fields.len() < 2 {
        return None;
    }
    while fields.len() < 4 {
        fields.push("-");
    }
    format!("{} 0 1", fields.join(" ")).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_those_of_php() {
        for yes in ["1", "true", "on", "YES"] {
            assert!(is_true(yes), "{yes}");
        }
        for no in ["", "0", "2", "false", "no", "off", "yes!"] {
            assert!(!is_true(no), "{no}");
        }
    }

    #[test]
    fn boards_may_be_written_in_several_ways() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        for good in [
            format!("{start} w KQkq - 0 1"),
            format!("{start}_w_KQkq_-"),
            format!("{start}+w+KQkq+-+9+77"),
            format!("{start}\tw\tKQkq"),
        ] {
            assert_eq!(read_board(&good), Some(Position::start()), "{good}");
        }
        for bad in ["", "w", start, "x w", &format!("{start} x")] {
            assert!(read_board(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn the_last_of_repeated_parameters_counts() {
        let query = Query::read("action=queue&action=queryall&json=1&learn=0&board=").expect("a query");
        assert_eq!((query.action, query.is_json, query.is_learning), (Action::All, true, false));
        assert!(query.board().is_none() && Query::read("board=x").is_none());
    }
}
