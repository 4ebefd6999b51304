//! `/connect4?pos=4455`: Connect Four against the perfect player, with the score of every column.

mod board;
mod game;
mod perfect;
mod report;

use std::time::Duration;

use axum::Router;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use mnemon_connect4::{Verdict, WIDTH};

pub(crate) use perfect::Perfect;
pub(crate) use report::columns;

use super::html::{ErrorPage, Page, Section, escape};
use crate::app::App;
use crate::error::ApiResult;
use crate::params::Params;
use game::Played;
use perfect::{Columns, is_complete};

/// How long a page waits for scores before it shows those that there are.
const PATIENCE: Duration = Duration::from_millis(1500);

/// The page's address.
pub(super) fn routes() -> Router<App> {
    Router::new().route("/connect4", get(page))
}

/// Which side the perfect player plays.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opponent {
    Nobody,
    First,
    Second,
}

impl Opponent {
    const ALL: [Opponent; 3] = [Opponent::Nobody, Opponent::First, Opponent::Second];

    fn read(text: Option<&str>) -> Self {
        match text {
            Some("first") => Opponent::First,
            Some("second") => Opponent::Second,
            _ => Opponent::Nobody,
        }
    }

    fn parameter(self) -> &'static str {
        match self {
            Opponent::Nobody => "",
            Opponent::First => "first",
            Opponent::Second => "second",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Opponent::Nobody => "Nobody",
            Opponent::First => "Red, who begins",
            Opponent::Second => "Yellow",
        }
    }
}

struct View {
    played: Played,
    opponent: Opponent,
    columns: Columns,
}

async fn page(State(app): State<App>, RawQuery(query): RawQuery) -> Response {
    match view(&app, query.as_deref()).await {
        Ok(view) => {
            let moves = if view.played.moves.is_empty() { "" } else { &view.played.moves };
            let title = format!("Connect Four {moves}").trim_end().to_owned();
            Page { title, section: Section::ConnectFour, main: view.main() }.into_response()
        }
        Err(error) => ErrorPage { section: Section::ConnectFour, error }.into_response(),
    }
}

async fn view(app: &App, query: Option<&str>) -> ApiResult<View> {
    let params = Params::read(query)?;
    let played = Played::read(params.get("pos").unwrap_or_default())?;
    let opponent = Opponent::read(params.get("solver"));
    let board = played.board;
    let mut columns = Columns::default();
    if !played.is_over() {
        app.read(move |app| Ok(app.perfect.learn(&*app.store, &board)?)).await?;
        columns = app.perfect.columns(&board, PATIENCE).await;
    }
    Ok(View { played, opponent, columns })
}

fn address(moves: &str, opponent: Opponent) -> String {
    let parameter = opponent.parameter();
    let solver = if parameter.is_empty() { String::new() } else { format!("&solver={parameter}") };
    format!("/connect4?pos={moves}{solver}")
}

impl View {
    fn main(&self) -> String {
        let after = |column: usize| self.after(column);
        format!(
            "<div class=\"desk\">\n<section class=\"panel\" data-part=\"connect4\" aria-label=\"Board\" data-complete=\"{}\" \
             data-turn=\"{}\">\n{}\n{}\n<ol class=\"columns\" aria-label=\"Columns\">{}</ol>\n{}</section>\n\
             <div class=\"panels\">{}{}</div></div>",
            self.is_complete(),
            if self.is_opponents_turn() { "solver" } else { "you" },
            self.heading(),
            board::svg(&self.played, &after),
            (0..WIDTH).map(|column| self.column(column)).collect::<String>(),
            self.controls(),
            self.opponents(),
            EXPLANATION,
        )
    }

    fn after(&self, column: usize) -> String {
        address(&format!("{}{}", self.played.moves, column + 1), self.opponent)
    }

    fn is_complete(&self) -> bool {
        self.played.is_over() || is_complete(&self.played.board, &self.columns)
    }

    fn is_opponents_turn(&self) -> bool {
        let turn = if self.played.is_first_to_move() { Opponent::First } else { Opponent::Second };
        !self.played.is_over() && self.opponent == turn
    }

    /// The best columns' score; `None` while one of them is not solved.
    fn score(&self) -> Option<i32> {
        self.columns.iter().flatten().copied().max().filter(|_| self.is_complete())
    }

    /// The best column that is nearest to the middle.
    fn best(&self) -> Option<usize> {
        let score = self.score()?;
        (0..WIDTH).filter(|&column| self.columns[column] == Some(score)).min_by_key(|column| column.abs_diff(WIDTH / 2))
    }

    fn heading(&self) -> String {
        let (mover, other) = if self.played.is_first_to_move() { ("Red", "Yellow") } else { ("Yellow", "Red") };
        let (title, verdict) = if !self.played.four.is_empty() {
            (format!("{other} wins"), format!("Four in a row after {} moves.", self.played.moves.len()))
        } else if self.played.is_over() {
            ("A draw".to_owned(), "The board is full.".to_owned())
        } else {
            let verdict = match self.score() {
                Some(score) => format!("{mover} {}.", self.words(score)),
                None => "Solving …".to_owned(),
            };
            (format!("{mover} to move"), verdict)
        };
        format!(
            "<h1 id=\"heading\" data-announce=\"{title}. {verdict}\">{title}</h1>\n<p class=\"verdict\">{verdict}</p>"
        )
    }

    /// The score in words: "wins in 3 moves", "can draw".
    fn words(&self, score: i32) -> String {
        match Verdict::new(&self.played.board, score) {
            Verdict::Draw => "can draw".to_owned(),
            verdict => verdict.to_string(),
        }
    }

    fn column(&self, column: usize) -> String {
        let number = column + 1;
        if self.played.is_over() || !self.played.board.can_play(column) {
            return format!(
                "<li><span class=\"full\"><b>–</b><small>{}</small></span></li>",
                if self.played.is_over() { "over" } else { "full" }
            );
        }
        let score = self.columns[column];
        let (sign, words) = match score {
            Some(score) => {
                (mnemon_connect4::drawing::signed(score), Verdict::new(&self.played.board, score).to_string())
            }
            None => ("…".to_owned(), "solving".to_owned()),
        };
        let best = if score.is_some() && score == self.score() { " class=\"best\"" } else { "" };
        format!(
            "<li><a href=\"{}\"{best} id=\"column-{number}\"><span class=\"unseen\">Column {number}: </span><b>{sign}</b><small>{words}\
             </small></a></li>",
            escape(&self.after(column)),
        )
    }

    fn controls(&self) -> String {
        let moves = &self.played.moves;
        let undo = match moves.len() {
            0 => "<a class=\"button\" role=\"link\" aria-disabled=\"true\">Undo</a>".to_owned(),
            // Against the perfect player his answer is taken back, too.
            length => {
                let back =
                    if self.opponent == Opponent::Nobody || length < 2 || self.is_opponents_turn() { 1 } else { 2 };
                format!(
                    "<a class=\"button\" id=\"undo\" href=\"{}\">Undo</a>",
                    address(&moves[..length - back], self.opponent)
                )
            }
        };
        let best = self.best().map_or_else(String::new, |column| {
            format!("<a class=\"button\" id=\"best\" href=\"{}\">Play the best move</a>", self.after(column))
        });
        format!(
            "<div class=\"controls row\">{undo}{best}<a class=\"button\" id=\"new\" href=\"{}\">New game</a></div>",
            address("", self.opponent)
        )
    }

    fn opponents(&self) -> String {
        let link = |opponent: Opponent| {
            let current = if opponent == self.opponent { " aria-current=\"true\"" } else { "" };
            format!(
                "<a class=\"button\" href=\"{}\"{current}>{}</a>",
                address(&self.played.moves, opponent),
                opponent.name()
            )
        };
        let links: String = Opponent::ALL.into_iter().map(link).collect();
        format!(
            "<section class=\"panel\" data-part=\"opponents\" aria-labelledby=\"opponents-title\"><h2 id=\"opponents-title\">The \
             perfect player plays</h2><div class=\"controls opponents\">{links}</div></section>"
        )
    }
}

const EXPLANATION: &str = "<section class=\"panel\"><h2>The numbers</h2><p>Under each column is what the move is worth to the side to \
move when both play perfectly from then on: <b>+1</b> is a win with the very last stone, each further point a win one move earlier, \
<b>0</b> a draw, a negative number a loss. The address of this page is the position: <code>?pos=4455</code> are the columns in the \
order in which they were played.</p><p class=\"muted\">Keys: 1 to 7 drop a stone, Backspace takes it back.</p></section>\n";
