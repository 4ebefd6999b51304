//! `/chess?fen=…&moves=…`: a chess position, and all that is known of it.
//!
//! The parts of the page that change with the position carry `data-part`: a script that goes to another position fetches the
//! page of that position, and takes these parts from it. So everything is drawn here, once.

mod board;
mod game;
mod graph;
mod heading;
mod history;
mod lines;
mod live;
mod moves;
mod notes;
mod paste;
mod tree;

use axum::Router;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use mnemon_chess::{Move, Position};
use mnemon_search::Notation;

use super::address::Line;
use super::html::{ErrorPage, Fragment, Page, Section, escape};
use crate::app::App;
use crate::error::ApiResult;
use crate::known::PositionReport;
use crate::params::Params;

/// The page's addresses.
pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/chess", get(page))
        .route("/chess/tree", get(branches))
        .route("/chess/read", post(paste::read_posted))
}

/// What the page is drawn from.
struct View {
    line: Line,
    position: Position,
    report: PositionReport,
    /// What is known of each position of the line, for White.
    evaluations: Vec<Option<mnemon_table::Score>>,
    tree: String,
    person: String,
    engines: Vec<String>,
    is_writable: bool,
}

async fn page(State(app): State<App>, RawQuery(query): RawQuery) -> Response {
    match answer(&app, query.as_deref()).await {
        Ok(response) => response,
        Err(error) => ErrorPage { section: Section::Chess, error }.into_response(),
    }
}

async fn answer(app: &App, query: Option<&str>) -> ApiResult<Response> {
    let params = Params::read(query)?;
    // A form without a script puts what was pasted into the address.
    if let Some(text) = params.get("text") {
        return Ok(axum::response::Redirect::to(&paste::read(text)?.address()).into_response());
    }
    let line = Line::read(&params)?;
    let view = app.read(move |app| View::read(app, line)).await?;
    let page = Page { title: heading::title(&view.line), section: Section::Chess, main: view.main() };
    Ok(page.into_response())
}

/// `/chess/tree`: the known moves of a position, for a script that unfolds it.
async fn branches(State(app): State<App>, RawQuery(query): RawQuery) -> Response {
    let drawn = async {
        let line = Line::read(&Params::read(query.as_deref())?)?;
        app.read(move |app| tree::branches(app, &line, 1)).await
    };
    match drawn.await {
        Ok(list) => Fragment(list).into_response(),
        Err(error) => error.into_response(),
    }
}

impl View {
    fn read(app: &App, line: Line) -> ApiResult<Self> {
        let position = line.position();
        let hidden = app.position(Some("chess"), &position.to_string())?;
        Ok(View {
            report: PositionReport::read(app, &*hidden)?,
            evaluations: graph::evaluations(app, &line)?,
            tree: tree::branches(app, &line, 2)?,
            position,
            line,
            person: app.person.clone(),
            engines: app.engine_names(),
            is_writable: app.is_writable,
        })
    }

    fn main(&self) -> String {
        format!(
            "{}<div class=\"desk\">\n<section class=\"panel\" aria-label=\"Position\">\n{}\n{}\n{}\n{}\n{}</section>\n\
             <div class=\"panels pairs\">\n{}\n{}\n{}\n{}\n<div class=\"panels\">{}\n{}\n{}</div></div>\n</div>",
            board::PIECES,
            heading::heading(self),
            self.table(),
            heading::controls(self),
            game::moves(&self.line),
            graph::graph(&self.line, &self.evaluations),
            moves::table(self),
            lines::panel(self),
            live::panel(self),
            tree::panel(&self.tree),
            history::panel(self),
            notes::panel(self),
            paste::panel(self),
        )
    }

    /// The board, with a scale beside it.
    fn table(&self) -> String {
        let arrows = moves::arrows(&self.report);
        let last = self.line.at.checked_sub(1).map(|before| self.line.moves[before]);
        let is_flipped = self.line.is_flipped;
        let board = board::Board { position: &self.position, last, arrows: &arrows, is_flipped };
        format!(
            "<div class=\"table\" data-part=\"board\" data-line=\"{}\">{}{}</div>",
            escape(&self.line.text()),
            heading::scale(self),
            board.svg()
        )
    }

    /// The address after a move from here.
    fn after(&self, mv: Move) -> String {
        self.line.after(&[mv]).address()
    }
}

/// The moves of a line in the game's notation, as far as they are legal.
fn read_steps<'a>(position: &Position, steps: impl Iterator<Item = &'a str>) -> Vec<Move> {
    let (mut position, mut moves) = (position.clone(), Vec::new());
    for text in steps {
        let Ok(mv) = position.read_move(text) else { break };
        position = Position::after(&position, mv);
        moves.push(mv);
    }
    moves
}

/// The move with this code, if it is legal.
fn legal(position: &Position, code: u16) -> Option<Move> {
    let mv = mnemon_chess::from_code(std::num::NonZeroU16::new(code)?)?;
    position.is_legal(mv).then_some(mv)
}

/// A score as the page shows it: without the sign of equality, and with one character for each other.
pub(super) fn score_text(text: &str) -> String {
    text.trim_start_matches("= ").replace(">= ", "≥ ").replace("<= ", "≤ ")
}
