//! Work that takes its time.

use std::future::poll_fn;
use std::sync::Arc;

use axum::http::StatusCode;
use tokio::sync::Semaphore;
use tokio::task;
use tokio::time::timeout;

use super::failure::Failure;
use super::state::App;

/// How large a text is, in bytes, that is worked on where requests are read: half a millisecond's work. Others have
/// threads of their own.
const SMALL: usize = 64 << 10;

impl App {
    /// Does something with a text of this size, without keeping other requests waiting.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        size: usize,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        if size <= SMALL {
            return Ok(job());
        }
        let failed = || Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "the request failed inside the service");
        let permit = Semaphore::acquire_owned(Arc::clone(&self.workers)).await.map_err(|_| failed())?;
        // A job whose client is gone goes on to its end, and keeps its permit as long.
        task::spawn_blocking(move || {
            let done = job();
            drop(permit);
            done
        })
        .await
        .map_err(|_| failed())
    }

    /// Waits for something that also works on a text of this size, for as long as it takes. It is dropped with this.
    /// While it waits it has no thread: those that wait for a model may be many.
    pub(crate) async fn wait<T>(&self, size: usize, job: impl Future<Output = T>) -> Result<T, Failure> {
        tokio::pin!(job);
        let job = poll_fn(|context| match size {
            ..=SMALL => job.as_mut().poll(context),
            _ => task::block_in_place(|| job.as_mut().poll(context)),
        });
        tokio::select! {
            done = job => Ok(done),
            () = self.cut.cancelled() => Err(Failure::shutting_down()),
        }
    }

    /// Ends what takes too long, and everything when the service ends.
    pub(crate) async fn within<T>(&self, request: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
        tokio::select! {
            done = timeout(self.limits.timeout, request) => done.unwrap_or_else(|_| {
                let milliseconds = self.limits.timeout.as_millis();
                Err(Failure::timed_out(format!("the request took longer than {milliseconds} ms")))
            }),
            () = self.cut.cancelled() => Err(Failure::shutting_down()),
        }
    }
}
