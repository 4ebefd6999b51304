//! What all requests share: the memory, the bounds, the token. A handler reads the memory by [`App::read`], which runs on a
//! blocking thread; nothing here blocks the runtime.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mnemon_explore::notation::{Games, Position};
use mnemon_memory::{Source, Store};
use tokio::sync::{Semaphore, watch};

use crate::error::{ApiError, ApiResult};
use crate::limits::Limits;
use crate::security::{Hosts, Token};

/// The shared state. Cheap to clone.
#[derive(Clone)]
pub(crate) struct App(Arc<Shared>);

/// See [`App`], which derefs to it.
pub(crate) struct Shared {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) is_writable: bool,
    /// The engine whose view a backed-up value is.
    pub(crate) own: Source,
    /// Who writes notes and advice unless a request says otherwise.
    pub(crate) person: String,
    pub(crate) games: Games,
    pub(crate) limits: Limits,
    pub(crate) hosts: Hosts,
    pub(crate) token: Token,
    pub(crate) has_cors: bool,
    /// Becomes true when the server ends: every stream listens to it.
    pub(crate) ending: watch::Receiver<bool>,
    /// The perfect player of Connect Four.
    pub(crate) perfect: crate::page::Perfect,
    readers: Arc<Semaphore>,
    waiting: AtomicUsize,
}

impl std::ops::Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl App {
    pub(crate) fn new(settings: crate::Settings, hosts: Hosts, token: Token, ending: watch::Receiver<bool>) -> Self {
        let crate::Settings { store, is_writable, own, person, limits, has_cors, .. } = settings;
        let readers = Arc::new(Semaphore::new(limits.readers));
        App(Arc::new(Shared {
            store,
            is_writable,
            own,
            person,
            games: Games::new(),
            perfect: crate::page::Perfect::new(limits.solver_bytes),
            limits,
            hosts,
            token,
            has_cors,
            ending,
            readers,
            waiting: AtomicUsize::new(0),
        }))
    }

    /// Runs something that reads the memory on a blocking thread, of which there are [`Limits::readers`] at the most.
    ///
    /// # Errors
    /// What `work` fails with; 503 where too many wait already.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&App) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        let waiting = Waiting::enter(self)?;
        let permit = Arc::clone(&self.readers).acquire_owned().await.map_err(|_| ApiError::internal())?;
        drop(waiting);
        let app = self.clone();
        // The permit goes with the work: a client that leaves does not make room before the work is done.
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work(&app)
        });
        done.await.unwrap_or_else(|_| Err(ApiError::internal()))
    }

    /// The position that a text describes, of the game that is named, or else of the game that its form tells.
    pub(crate) fn position(&self, game: Option<&str>, text: &str) -> ApiResult<Box<dyn Position>> {
        let words: Vec<String> = text.replace('_', " ").split_whitespace().map(str::to_owned).collect();
        if words.is_empty() {
            return Err(ApiError::bad_request("missing_position", "the parameter 'position' is missing or empty"));
        }
        Ok(mnemon_explore::notation::read(&words, game)?)
    }
}

/// One of the requests that wait for a reader.
struct Waiting<'a>(&'a App);

impl<'a> Waiting<'a> {
    fn enter(app: &'a App) -> ApiResult<Self> {
        let waiting = Waiting(app);
        match app.waiting.fetch_add(1, Ordering::Relaxed) < app.limits.waiting {
            true => Ok(waiting),
            false => Err(ApiError::busy("too many requests are waiting for the memory; try again")),
        }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}
