//! The server as its caller sees it: bound, run until it is stopped.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use mnemon_memory::{Source, Store};
use mnemon_uci::child::EngineCommand;
use tokio::sync::watch;

use crate::app::App;
use crate::limits::Limits;
use crate::security::{Hosts, Token};
use crate::{connections, open_files, routes};

/// What is served, and to whom.
pub struct Settings {
    /// Where to listen; port 0 for any that is free.
    pub listen: SocketAddr,
    /// The memory.
    pub store: Arc<dyn Store>,
    /// Whether the memory may be changed.
    pub is_writable: bool,
    /// The engine whose view of the memory a backed-up value is.
    pub own: Source,
    /// The person who writes notes and advice unless a request names another.
    pub person: String,
    /// The engines that may search, each with the name under which it is asked for.
    pub engines: Vec<(String, EngineCommand)>,
    /// Names besides the loopback's under which the server is asked.
    pub allowed_hosts: Vec<String>,
    /// Whether pages of other sites may read the interfaces of chessdb and lichess.
    pub has_cors: bool,
    /// The bounds.
    pub limits: Limits,
    /// For measurements: an answer that `/fixed` gives without looking anything up.
    #[doc(hidden)]
    pub fixed_answer: Option<String>,
}

impl Settings {
    /// A memory on a free port of the loopback interface.
    pub fn new(store: Arc<dyn Store>, own: Source) -> Self {
        Settings {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            store,
            is_writable: true,
            own,
            person: "me".to_owned(),
            engines: Vec::new(),
            allowed_hosts: Vec::new(),
            has_cors: false,
            limits: Limits::default(),
            fixed_answer: None,
        }
    }
}

/// Why a server cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Another program listens there.
    #[error(
        "{0} is in use: another program listens there, perhaps another 'mnemon serve'; choose another port with --listen"
    )]
    InUse(SocketAddr),
    /// The address cannot be listened at.
    #[error("cannot listen at {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's reason.
        error: io::Error,
    },
    /// The system gives no random numbers, no threads or no timers.
    #[error("the server cannot start: {0}")]
    System(io::Error),
}

/// Listens at an address, before anything else is done: a port that is in use is said before a memory is opened.
///
/// # Errors
/// [`ServeError::InUse`] and [`ServeError::Listen`].
pub fn listen(address: SocketAddr) -> Result<TcpListener, ServeError> {
    TcpListener::bind(address).map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => ServeError::InUse(address),
        _ => ServeError::Listen { address, error },
    })
}

/// Ends a server. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Stop(Arc<watch::Sender<bool>>);

impl Stop {
    /// Ends the server: streams end, requests under way are answered, for a bounded time.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

/// A server that listens and does not answer yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    app: App,
    fixed_answer: Option<String>,
    stop: Stop,
}

impl Server {
    /// Listens where the settings say.
    ///
    /// # Errors
    /// [`ServeError`].
    pub fn bind(settings: Settings) -> Result<Self, ServeError> {
        Self::new(listen(settings.listen)?, settings)
    }

    /// A server at a listener that is there already: see [`listen`].
    ///
    /// # Errors
    /// [`ServeError::System`].
    pub fn new(listener: TcpListener, mut settings: Settings) -> Result<Self, ServeError> {
        listener.set_nonblocking(true).map_err(ServeError::System)?;
        let address = listener.local_addr().map_err(ServeError::System)?;
        let limits = &mut settings.limits;
        limits.connections = open_files::make_room(limits.connections);
        // However many listen, others can still ask.
        limits.streams = limits.streams.min(limits.connections * 3 / 4);
        let hosts = Hosts::new(address, &settings.allowed_hosts);
        let token = Token::random().map_err(|error| ServeError::System(io::Error::other(error.to_string())))?;
        let (sender, ending) = watch::channel(false);
        let fixed_answer = settings.fixed_answer.take();
        let app = App::new(settings, hosts, token, ending);
        Ok(Server { listener, address, app, fixed_answer, stop: Stop(Arc::new(sender)) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The token that writes need.
    pub fn token(&self) -> &Token {
        &self.app.token
    }

    /// The address to open: the token is in its fragment, which browsers do not send.
    pub fn start_url(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
        }
        format!("http://{address}/#token={}", self.app.token.as_str())
    }

    /// Ends the server from another thread.
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Answers requests until it is stopped.
    ///
    /// # Errors
    /// [`ServeError::System`].
    pub fn run(self) -> Result<(), ServeError> {
        let limits = self.app.limits.clone();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .thread_name("mnemon-serve")
            // Look-ups, solves, imports and engines have bounds of their own, which add up to less.
            .max_blocking_threads(limits.readers + limits.searches + 16)
            .build()
            .map_err(ServeError::System)?;
        let served = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener).map_err(ServeError::System)?;
            let ending = self.app.ending.clone();
            connections::accept(listener, routes::router(self.app.clone(), self.fixed_answer), limits.clone(), ending)
                .await;
            Ok(())
        });
        self.app.searches.end(limits.shutdown_time);
        runtime.shutdown_timeout(limits.shutdown_time);
        served
    }
}
