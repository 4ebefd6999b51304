//! A search's events as a stream of `text/event-stream`.
//!
//! A comment would keep the connection open as well, but a browser does not show comments to a script: a `ping` is an event.
//! A client that reads too slowly loses events and is told how many; one that does not read at all is cut off by the
//! connection's own limit.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use futures_util::stream::{self, StreamExt};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;

use super::event::Event;
use super::live::Search;
use crate::app::App;
use crate::connections::ended;
use crate::error::{ApiError, ApiResult};

/// The time between two pings.
const PING: Duration = Duration::from_secs(15);

/// Counts the streams that are open.
#[derive(Default)]
pub(crate) struct Streams(AtomicUsize);

/// One open stream of a search.
struct Listener {
    app: App,
    search: Arc<Search>,
    events: Receiver<Event>,
    ending: watch::Receiver<bool>,
    started: Instant,
    last: u64,
    is_done: bool,
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.search.leave();
        self.app.streams.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The events of the search, from what stands now to its end.
///
/// # Errors
/// 503 if as many streams are open as are allowed.
pub(crate) fn events(app: &App, search: Arc<Search>) -> ApiResult<Response> {
    if app.streams.0.fetch_add(1, Ordering::Relaxed) >= app.limits.streams {
        app.streams.0.fetch_sub(1, Ordering::Relaxed);
        return Err(ApiError::busy("as many event streams are open as are allowed"));
    }
    let (standing, events) = search.listen();
    let last = standing.last().map_or(0, |event| event.number);
    let is_done = standing.iter().any(|event| event.is_done);
    let first: String = standing.iter().map(|event| &*event.text).collect();
    let ending = app.ending.clone();
    let listener = Listener { app: app.clone(), search, events, ending, started: Instant::now(), last, is_done };
    // The first bytes are sent at once, also where nothing is known yet: the client sees that it is connected.
    let first = stream::once(async move { format!("retry: 2000\n\n{first}") });
    let all = first.chain(stream::unfold(listener, next)).map(Ok::<_, Infallible>);
    let mut response = Response::new(Body::from_stream(all));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    Ok(response)
}

/// The next event's text; `None` at the end.
async fn next(mut listener: Listener) -> Option<(String, Listener)> {
    if listener.is_done {
        return None;
    }
    let text = tokio::select! {
        () = ended(&mut listener.ending) => return None,
        () = tokio::time::sleep(PING) => {
            let ms = listener.started.elapsed().as_millis();
            format!("id: {}\nevent: ping\ndata: {{\"ms\":{ms}}}\n\n", listener.last)
        }
        received = listener.events.recv() => match received {
            Ok(event) => {
                (listener.last, listener.is_done) = (event.number, event.is_done);
                event.text.to_string()
            }
            Err(RecvError::Lagged(missed)) => format!("event: gap\ndata: {{\"missed\":{missed}}}\n\n"),
            Err(RecvError::Closed) => return None,
        },
    };
    Some((text, listener))
}
