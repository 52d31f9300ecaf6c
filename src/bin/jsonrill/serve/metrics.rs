//! What the service counts, in the text form of Prometheus.

use std::sync::atomic::AtomicU64;

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use jsonrill::{Outcome, Purpose};
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use super::failure::{Failure, FailureBody};
use super::state::App;

/// Seconds: from what a small text takes to what a model takes.
const BUCKETS: [f64; 14] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0, 120.0];

/// The counters. Labels are of few values: routes, statuses, outcomes; nothing that a client writes.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    pub(crate) requests: Family<RequestLabels, Counter>,
    pub(crate) seconds: Family<RouteLabels, Histogram, fn() -> Histogram>,
    pub(crate) streams: Gauge,
    pub(crate) bytes_in: Family<RouteLabels, Counter>,
    pub(crate) bytes_out: Family<RouteLabels, Counter>,
    repairs: Family<RepairLabels, Counter>,
    model_calls: Family<ModelLabels, Counter>,
    pub(crate) seconds_of_models: Counter<f64, AtomicU64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct RequestLabels {
    pub(crate) route: &'static str,
    pub(crate) status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct RouteLabels {
    pub(crate) route: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RepairLabels {
    source: &'static str,
    outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ModelLabels {
    purpose: &'static str,
    result: &'static str,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut metrics = Self {
            registry: Registry::with_prefix("jsonrill"),
            requests: Family::default(),
            seconds: Family::new_with_constructor(|| Histogram::new(BUCKETS)),
            streams: Gauge::default(),
            bytes_in: Family::default(),
            bytes_out: Family::default(),
            repairs: Family::default(),
            model_calls: Family::default(),
            seconds_of_models: Counter::default(),
        };
        let registry = &mut metrics.registry;
        registry.register(
            "requests",
            "Requests that were answered, by status; 499 where the client went away",
            metrics.requests.clone(),
        );
        registry.register(
            "request_duration_seconds",
            "From the head of a request to the end of its response; streams are not among them",
            metrics.seconds.clone(),
        );
        registry.register("open_streams", "Streams that are open", metrics.streams.clone());
        registry.register("request_body_bytes", "Bytes of bodies that came in", metrics.bytes_in.clone());
        registry.register("response_body_bytes", "Bytes of bodies that went out", metrics.bytes_out.clone());
        registry.register(
            "repairs",
            "Texts that were repaired, by who did it and how it ended",
            metrics.repairs.clone(),
        );
        registry.register(
            "model_calls",
            "Times that a model was asked, by what for and how it ended",
            metrics.model_calls.clone(),
        );
        registry.register("model_seconds", "Time that models took", metrics.seconds_of_models.clone());
        metrics
    }

    /// A text was repaired, by the rules or whoever.
    pub(crate) fn repaired(&self, source: &'static str, outcome: Outcome) {
        self.repairs.get_or_create(&RepairLabels { source, outcome: outcome.as_str() }).inc();
    }

    /// A model was asked.
    pub(crate) fn asked(&self, purpose: Purpose, result: &'static str) {
        self.model_calls.get_or_create(&ModelLabels { purpose: purpose.as_str(), result }).inc();
    }

    /// A stream that is open until the guard is gone.
    pub(crate) fn stream(&self) -> OpenStream {
        self.streams.inc();
        OpenStream(self.streams.clone())
    }
}

pub(crate) struct OpenStream(Gauge);

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// Figures of the service
///
/// In the text form of Prometheus. It needs a token where the service does.
#[utoipa::path(
    get,
    path = "/metrics",
    operation_id = "metrics",
    tag = "service",
    security((), ("bearer" = [])),
    responses(
        (status = 200, description = "The figures", body = String, content_type = "application/openmetrics-text; version=1.0.0; charset=utf-8"),
        (status = 401, description = "No token, or none that is known", body = FailureBody),
        (status = 403, description = "A page of another site asks", body = FailureBody),
    )
)]
pub(crate) async fn show(State(app): State<App>) -> Result<Response, Failure> {
    let mut figures = String::new();
    text::encode(&mut figures, &app.metrics.registry)
        .map_err(|_| Failure::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, "the figures cannot be written"))?;
    Ok(([(CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], figures).into_response())
}
