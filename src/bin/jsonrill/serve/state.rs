//! What all requests share.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use axum::body::Bytes;
use governor::clock::MonotonicClock;
use governor::middleware::NoOpMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use jsonrill::{LanguageModel, RepairCache};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::hosts::Hosts;
use super::limits::Limits;
use super::metrics::Metrics;
use super::tokens::Tokens;

type Rate = RateLimiter<
    NotKeyed,
    InMemoryState,
    MonotonicClock,
    NoOpMiddleware<<MonotonicClock as governor::clock::Clock>::Instant>,
>;

/// What all requests share. A copy is the same one.
#[derive(Clone)]
pub(crate) struct App(Arc<Shared>);

pub(crate) struct Shared {
    pub(crate) limits: Limits,
    pub(crate) hosts: Hosts,
    pub(crate) tokens: Tokens,
    /// How often each token may ask; one for all where there are no tokens. Empty without a limit.
    pub(crate) rates: Vec<Rate>,
    /// How many requests, and how many streams, may be open.
    pub(crate) requests: Arc<Semaphore>,
    pub(crate) streams: Arc<Semaphore>,
    /// How many long pieces of work may run: one for each processor, so that they do not run into each other.
    pub(crate) workers: Arc<Semaphore>,
    pub(crate) metrics: Metrics,
    pub(crate) model: Option<Arc<dyn LanguageModel>>,
    /// How long it may take for a repair, if that is said.
    pub(crate) model_timeout: Option<Duration>,
    /// What models have answered to repairs before.
    pub(crate) cache: RepairCache,
    /// What it can do, as the routes say themselves.
    pub(crate) openapi: OnceLock<Bytes>,
    /// Whatever is still open ends now.
    pub(crate) cut: CancellationToken,
}

impl App {
    pub(crate) fn new(
        limits: Limits,
        hosts: Hosts,
        tokens: Tokens,
        model: Option<Arc<dyn LanguageModel>>,
        model_timeout: Option<Duration>,
    ) -> Self {
        let rate = |quota| RateLimiter::direct_with_clock(quota, MonotonicClock);
        let rates =
            limits.rate.into_iter().flat_map(|rate| (0..tokens.len().max(1)).map(move |_| Quota::per_second(rate)));
        Self(Arc::new(Shared {
            rates: rates.map(rate).collect(),
            requests: Arc::new(Semaphore::new(limits.max_concurrent)),
            streams: Arc::new(Semaphore::new(limits.max_streams)),
            workers: Arc::new(Semaphore::new(thread::available_parallelism().map_or(1, usize::from))),
            metrics: Metrics::new(),
            cache: RepairCache::new(),
            openapi: OnceLock::new(),
            cut: CancellationToken::new(),
            limits,
            hosts,
            tokens,
            model,
            model_timeout,
        }))
    }
}

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
