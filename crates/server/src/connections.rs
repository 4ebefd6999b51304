//! Connections: a bounded number, each with a time for the head of a request and a time in which the client must take
//! something of its answer.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{Sleep, sleep, timeout};

use crate::limits::Limits;

/// The pause after the system could not accept a connection, as when there are too many open files.
const REFUSED_PAUSE: Duration = Duration::from_millis(50);

/// Accepts connections until the server ends, then lets those that are open finish, for a bounded time.
pub(crate) async fn accept(listener: TcpListener, router: Router, limits: Limits, mut ending: watch::Receiver<bool>) {
    let permits = Arc::new(Semaphore::new(limits.connections));
    loop {
        let next = async {
            let permit = Arc::clone(&permits).acquire_owned().await;
            (permit, listener.accept().await)
        };
        let (permit, accepted) = tokio::select! {
            () = ended(&mut ending) => break,
            next = next => next,
        };
        let (Ok(permit), Ok((stream, _))) = (permit, accepted) else {
            sleep(REFUSED_PAUSE).await;
            continue;
        };
        let (router, limits, ending) = (router.clone(), limits.clone(), ending.clone());
        tokio::spawn(async move {
            let _permit = permit;
            serve(stream, router, &limits, ending).await;
        });
    }
    drop(listener);
    let all = u32::try_from(limits.connections).unwrap_or(u32::MAX);
    // Those that take longer are cut off.
    let _ = timeout(limits.shutdown_time, permits.acquire_many(all)).await;
}

/// Waits for the end of the server.
pub(crate) async fn ended(ending: &mut watch::Receiver<bool>) {
    // An error means that the sender is gone: the server has ended, too.
    let _ = ending.wait_for(|&ended| ended).await;
}

async fn serve(stream: TcpStream, router: Router, limits: &Limits, mut ending: watch::Receiver<bool>) {
    // Small answers and events are sent at once.
    let _ = stream.set_nodelay(true);
    let stream = TimedStream { stream, limit: limits.write_time, stalled: None };
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        .max_buf_size(limits.head_bytes)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    tokio::pin!(connection);
    // A connection that fails is the client's affair; there is nobody to tell.
    tokio::select! {
        _ = connection.as_mut() => return,
        () = ended(&mut ending) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// A connection whose client must go on reading.
struct TimedStream {
    stream: TcpStream,
    limit: Duration,
    /// Set while the client takes nothing.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl TimedStream {
    /// The result of a write, unless it has been waiting for too long.
    fn within_limit<T>(&mut self, written: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let limit = self.limit;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(limit)));
        ready!(stalled.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.within_limit(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.within_limit(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
