//! `POST /api/v1/note`: a person's words on a position, as `mnemon memory note` keeps them. Empty words take the note back.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use mnemon_explore::notation::Position;
use mnemon_explore::views_of;
use mnemon_memory::{Annotation, Content, Item, Key, Note, Source};
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::error::{ApiResult, json};
use crate::params::write_body;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoteBody {
    position: String,
    game: Option<String>,
    text: String,
    by: Option<String>,
}

#[derive(Serialize)]
struct NoteAnswer {
    by: String,
    /// `null` if there is none any more.
    text: Option<String>,
    time: u32,
    replaced: Option<String>,
}

pub(crate) async fn post(State(app): State<App>, request: Request<Body>) -> ApiResult<Response> {
    let body: NoteBody = write_body(&app, request, app.limits.body_bytes).await?;
    let position = app.position(body.game.as_deref(), &body.position)?;
    let answer = app.write(move |app| write(app, &*position, body)).await?;
    Ok(json(&answer))
}

fn write(app: &App, position: &dyn Position, body: NoteBody) -> ApiResult<NoteAnswer> {
    let by = body.by.unwrap_or_else(|| app.person.clone());
    let source = Source::person(&by);
    let key = Key::new(&position.game(), position.packed(), &source);
    key.validate()?;
    let before = known(app, position, &source)?;
    // The later note replaces the earlier, also within one second or after the clock was set back.
    let time = before.as_ref().map_or(0, |before| before.time.saturating_add(1)).max(mnemon_memory::unix_time());
    let replaced = before.map(|before| before.text);
    if body.text.trim().is_empty() {
        take_back(app, position, &key)?;
        return Ok(NoteAnswer { by, text: None, time, replaced });
    }
    let note = Annotation { key, content: Content::Note(Note { time, text: body.text.clone() }) };
    note.validate()?;
    app.store.merge_annotations(&[note])?;
    app.store.sync()?;
    Ok(NoteAnswer { by, text: Some(body.text), time, replaced })
}

/// Deletes the note and keeps the person's advice, which has the same key.
fn take_back(app: &App, position: &dyn Position, key: &Key) -> ApiResult<()> {
    let advice = views_of(&*app.store, position)?.into_iter().find(|(source, _)| *source == key.source);
    app.store.delete_many(std::slice::from_ref(key))?;
    if let Some((_, record)) = advice {
        app.store.merge_many(&[Item { key: key.clone(), record }])?;
    }
    Ok(app.store.sync()?)
}

/// The person's note on the position.
fn known(app: &App, position: &dyn Position, source: &Source) -> ApiResult<Option<Note>> {
    let annotations = app.store.annotations(&position.game(), &position.packed())?;
    Ok(annotations.into_iter().find_map(|(author, content)| match content {
        Content::Note(note) if author == *source => Some(note),
        _ => None,
    }))
}
