//! What all requests share: the memory, the bounds, the token. A handler reads the memory by [`App::read`], which runs on a
//! blocking thread; nothing here blocks the runtime.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use mnemon_explore::notation::{Games, Position};
use mnemon_explore::queue::Queue;
use mnemon_memory::{Source, Store};
use tokio::sync::{Semaphore, watch};

use crate::answers::Answers;
use crate::error::{ApiError, ApiResult};
use crate::limits::Limits;
use crate::search::{Searches, Streams};
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
    pub(crate) searches: Searches,
    pub(crate) streams: Streams,
    pub(crate) answers: Answers,
    /// Positions whose search was requested.
    pub(crate) queue: Queue,
    readers: Arc<Semaphore>,
    writer: Arc<Semaphore>,
    /// One at a time: what reads a large part of the memory.
    scanner: Arc<Semaphore>,
    /// Grows with each change that is made through this server.
    changes: AtomicU64,
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
        let crate::Settings { store, is_writable, own, person, engines, limits, has_cors, .. } = settings;
        let location = store.statistics().ok().and_then(|statistics| statistics.location);
        let queue = location.map_or_else(Queue::in_ram, |location| Queue::beside(Path::new(&location)));
        let readers = Arc::new(Semaphore::new(limits.readers));
        App(Arc::new(Shared {
            store,
            is_writable,
            own,
            person,
            games: Games::new(),
            perfect: crate::page::Perfect::new(limits.solver_bytes),
            hosts,
            token,
            has_cors,
            ending,
            searches: Searches::new(engines, limits.searches),
            streams: Streams::default(),
            answers: Answers::default(),
            queue,
            limits,
            readers,
            writer: Arc::new(Semaphore::new(1)),
            scanner: Arc::new(Semaphore::new(1)),
            changes: AtomicU64::new(0),
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
        self.run(&self.readers, work).await
    }

    /// As [`read`](Self::read), for what changes the memory: one at a time.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&App) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        let done = self.run(&self.writer, work).await;
        self.has_changed();
        done
    }

    /// As [`read`](Self::read), for what reads a large part of the memory: one at a time.
    pub(crate) async fn scan<T: Send + 'static>(
        &self,
        work: impl FnOnce(&App) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        self.run(&self.scanner, work).await
    }

    async fn run<T: Send + 'static>(
        &self,
        permits: &Arc<Semaphore>,
        work: impl FnOnce(&App) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        let waiting = Waiting::enter(self)?;
        let permit = Arc::clone(permits).acquire_owned().await.map_err(|_| ApiError::internal())?;
        drop(waiting);
        let app = self.clone();
        // The permit goes with the work: a client that leaves does not make room before the work is done.
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work(&app)
        });
        done.await.unwrap_or_else(|_| Err(ApiError::internal()))
    }

    /// Notes that the memory was changed.
    pub(crate) fn has_changed(&self) {
        self.changes.fetch_add(1, Ordering::Release);
    }

    /// A number that differs after each change that was made through this server.
    pub(crate) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    /// The names of the engines that may search.
    pub(crate) fn engine_names(&self) -> Vec<String> {
        self.searches.engine_names()
    }

    /// The position that a text describes, of the game that is named, or else of the game that its form tells.
    pub(crate) fn position(&self, game: Option<&str>, text: &str) -> ApiResult<Box<dyn Position>> {
        let words: Vec<String> = text.replace('_', " ").split_whitespace().map(str::to_owned).collect();
        if words.is_empty() {
            return Err(ApiError::bad_request("missing_position", "the parameter 'position' is missing or empty"));
        }
        mnemon_explore::notation::read(&words, game).map_err(ApiError::invalid_position)
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
