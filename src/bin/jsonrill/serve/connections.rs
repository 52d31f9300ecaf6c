//! Connections: how they are taken, how long they may dawdle, and how they end.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use super::signals::Signals;
use super::state::App;

/// How long a client may take to send the head of a request, and how long a connection may idle between two.
const HEAD: Duration = Duration::from_secs(30);

/// How many connections there may be beyond the requests and streams that may be open: those that idle, and those that
/// are told that it is too many.
const SPARE: usize = 256;

/// How long what was ended has to say so.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Serves until it is told to end. Then no more connections are taken, and what is open goes on, for as long as the
/// limits say or until it is told again.
pub(crate) async fn serve(app: &App, router: Router, listener: TcpListener, signals: &mut Signals) {
    let open = GracefulShutdown::new();
    let most = app.limits.max_concurrent + app.limits.max_streams + SPARE;
    let connections = Arc::new(Semaphore::new(most));
    loop {
        let (stream, permit) = tokio::select! {
            accepted = accept(&listener, &connections) => accepted,
            () = signals.next() => break,
        };
        let connection = connect(app, &router, stream);
        let watched = open.watch(connection);
        tokio::spawn(async move {
            // What goes wrong here is that a client is gone, or speaks no HTTP.
            let _ = watched.await;
            drop(permit);
        });
    }
    drop(listener);
    tracing::info!(open = open.count(), "shutting down");
    let ended = open.shutdown();
    tokio::pin!(ended);
    tokio::select! {
        () = &mut ended => return,
        () = sleep(app.limits.grace) => {}
        () = signals.next() => {}
    }
    app.cut.cancel();
    let _ = timeout(LAST_WORDS, ended).await;
}

async fn accept(listener: &TcpListener, connections: &Arc<Semaphore>) -> (TcpStream, OwnedSemaphorePermit) {
    loop {
        if let Ok(permit) = Semaphore::acquire_owned(Arc::clone(connections)).await {
            match listener.accept().await {
                Ok((stream, _)) => return (stream, permit),
                // One that went away at once; or there are no more files, and some will be closed.
                Err(error) => tracing::warn!(%error, "a connection is not taken"),
            }
        }
        sleep(Duration::from_millis(20)).await;
    }
}

type Connection = http1::Connection<TokioIo<std::pin::Pin<Box<TimeoutStream<TcpStream>>>>, TowerToHyperService<Router>>;

fn connect(app: &App, router: &Router, stream: TcpStream) -> Connection {
    // Updates are small, and should not wait for each other.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(app.limits.idle));
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .serve_connection(TokioIo::new(Box::pin(stream)), TowerToHyperService::new(router.clone()))
}
