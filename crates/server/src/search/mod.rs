//! Live searches: engines as child processes, a bounded number of them, whose lines are told as they come and learned as
//! the proxy learns them.
//!
//! Each search has one thread, which talks to the engine and writes to the memory; no request waits for it. Requests read
//! the [`Search`]'s lines or listen to its events.

mod engine;
mod event;
mod live;
mod request;
mod stream;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use mnemon_uci::child::EngineCommand;

pub(crate) use live::{Search, SearchReport};
pub(crate) use request::{SearchBody, SearchPlan};
pub(crate) use stream::{Streams, events};

use crate::app::App;
use crate::error::{ApiError, ApiResult};

/// Finished searches that can still be asked for.
const KEPT: usize = 32;

/// The engines, and the searches that run or have run.
pub(crate) struct Searches {
    engines: Vec<(String, EngineCommand)>,
    most: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    last_id: u64,
    searches: VecDeque<Arc<Search>>,
    threads: Vec<JoinHandle<()>>,
    is_ending: bool,
}

impl Searches {
    pub(crate) fn new(engines: Vec<(String, EngineCommand)>, most: usize) -> Self {
        Searches { engines, most, state: Mutex::default() }
    }

    /// The names of the engines, in their order.
    pub(crate) fn engine_names(&self) -> Vec<String> {
        self.engines.iter().map(|(name, _)| name.clone()).collect()
    }

    /// The searches that run.
    pub(crate) fn running(&self) -> Vec<Arc<Search>> {
        self.lock().searches.iter().filter(|search| search.is_running()).cloned().collect()
    }

    /// The search with this number.
    pub(crate) fn find(&self, id: &str) -> ApiResult<Arc<Search>> {
        let found = self.lock().searches.iter().find(|search| search.id == id).cloned();
        found.ok_or_else(|| ApiError::not_found(format!("there is no search '{}'", crate::params::clip(id))))
    }

    /// Starts a search.
    ///
    /// # Errors
    /// 404 for an engine that is not configured, 409 for one that is searching, 503 if too many search.
    pub(crate) fn start(&self, app: &App, plan: SearchPlan) -> ApiResult<Arc<Search>> {
        let (name, command) = self.engine(plan.engine.as_deref())?;
        let mut state = self.lock();
        let running = || state.searches.iter().filter(|search| search.is_running());
        if running().any(|search| search.engine == *name) {
            let message = format!("the engine '{name}' is searching; stop that search first");
            return Err(ApiError::new(StatusCode::CONFLICT, "engine_busy", message));
        }
        if state.is_ending || running().count() >= self.most {
            return Err(ApiError::busy("as many searches run as are allowed"));
        }
        state.last_id += 1;
        let search = Arc::new(Search::new(state.last_id, name, &plan));
        let (thread_search, app, command) = (Arc::clone(&search), app.clone(), command.clone());
        let started = std::thread::Builder::new()
            .name("mnemon-search".to_owned())
            .spawn(move || engine::run(&app, &thread_search, &command, &plan));
        let thread = started.map_err(|_| ApiError::busy("no thread can be started for the search"))?;
        state.threads.retain(|thread| !thread.is_finished());
        state.threads.push(thread);
        state.searches.push_back(Arc::clone(&search));
        while state.searches.len() > KEPT + self.most {
            // Those that run are few, and the newest.
            state.searches.pop_front();
        }
        Ok(search)
    }

    fn engine(&self, name: Option<&str>) -> ApiResult<(&String, &EngineCommand)> {
        let found = match name {
            Some(name) => self.engines.iter().find(|(known, _)| known == name),
            None => self.engines.first(),
        };
        let (name, command) = found.ok_or_else(|| {
            let message = match name {
                Some(name) => format!("there is no engine '{}'", crate::params::clip(name)),
                None => "no engine is configured".to_owned(),
            };
            ApiError::new(StatusCode::NOT_FOUND, "no_engine", message)
        })?;
        Ok((name, command))
    }

    /// Stops all searches and waits until what they found is written, but no longer than this.
    pub(crate) fn end(&self, limit: Duration) {
        let (searches, threads) = {
            let mut state = self.lock();
            state.is_ending = true;
            (state.searches.clone(), std::mem::take(&mut state.threads))
        };
        searches.iter().for_each(|search| search.stop());
        let deadline = Instant::now() + limit;
        while threads.iter().any(|thread| !thread.is_finished()) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
