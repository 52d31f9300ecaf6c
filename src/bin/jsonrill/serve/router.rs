//! The routes, and what every request goes through on its way to them.

use std::any::Any;

use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{ComponentsBuilder, InfoBuilder, License, OpenApi, OpenApiBuilder};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::failure::Failure;
use super::state::App;
use super::{admit, contexts, generate, health, metrics, observe, page, repair, split, stream};

/// All routes, as the log and the counters call them.
pub(crate) const ROUTES: [&str; 9] = [
    generate::PATH,
    "/api/repair",
    "/api/contexts",
    "/api/split",
    STREAM,
    "/healthz",
    "/metrics",
    "/openapi.json",
    "/",
];
pub(crate) const STREAM: &str = "/api/stream";

/// The service, ready to be asked.
pub(crate) fn router(app: &App) -> Router {
    let (router, openapi) = routes(app).split_for_parts();
    // It is a document that was built here: it has a JSON form.
    let _ = app.openapi.set(openapi.to_json().unwrap_or_default().into());
    finish(router, app)
}

fn routes(app: &App) -> OpenApiRouter<App> {
    let with_token = from_fn_with_state(app.clone(), admit::check_token);
    let admitted = from_fn_with_state(app.clone(), admit::admit);
    let api = OpenApiRouter::with_openapi(document())
        .routes(routes!(generate::generate))
        .routes(routes!(repair::repair))
        .routes(routes!(contexts::contexts))
        .routes(routes!(split::split))
        .routes(routes!(stream::stream))
        .route_layer(admitted);
    let figures = OpenApiRouter::new().routes(routes!(metrics::show)).route_layer(with_token);
    api.merge(figures).routes(routes!(health::health)).routes(routes!(health::openapi)).routes(routes!(page::page))
}

/// Wraps the routes in what every request goes through, also one that leads nowhere.
fn finish(router: Router<App>, app: &App) -> Router {
    router
        .fallback(|| async { StatusCode::NOT_FOUND })
        .layer(from_fn_with_state(app.clone(), admit::check_host))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(app.clone(), observe::observe))
        .with_state(app.clone())
}

/// What a handler that panics says. What it said itself is nobody's business.
fn panicked(_: Box<dyn Any + Send + 'static>) -> Response {
    Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "the request failed inside the service").into_response()
}

/// What the document says besides the routes.
fn document() -> OpenApi {
    let info = InfoBuilder::new()
        .title("jsonrill")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some("Repairs, watches, cuts out and splits the JSON that language models write."))
        .license(Some(License::new("MIT OR Apache-2.0")))
        .build();
    let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    let components = ComponentsBuilder::new().security_scheme("bearer", bearer).build();
    OpenApiBuilder::new().info(info).components(Some(components)).build()
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use axum::http::Request;
    use axum::routing::post;
    use clap::Parser;
    use hyper::service::Service;
    use hyper_util::service::TowerToHyperService;
    use serde_json::Value;

    use super::super::hosts::Hosts;
    use super::super::limits::Limits;
    use super::super::tokens::Tokens;
    use super::*;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        limits: Limits,
    }

    fn app() -> App {
        let limits = Cli::parse_from(["test"]).limits;
        App::new(limits, Hosts::new([127, 0, 0, 1].into(), &[]), Tokens::default(), None, None)
    }

    #[tokio::test]
    async fn a_handler_that_panics_is_a_response_and_the_service_goes_on() {
        let app = app();
        let broken = Router::new().route("/api/repair", post(|| async { panic!("a secret") as StatusCode }));
        let service = TowerToHyperService::new(finish(broken, &app));
        for _ in 0..3 {
            let request = Request::post("/api/repair").header("host", "localhost").body(Body::empty()).unwrap();
            let response = service.call(request).await.unwrap();
            assert_eq!(response.status(), 500);
            assert!(response.headers().contains_key("x-request-id"));
            let body: Value = serde_json::from_slice(&to_bytes(response.into_body(), 1000).await.unwrap()).unwrap();
            let said =
                serde_json::json!({"code": 500, "success": false, "message": "the request failed inside the service"});
            assert_eq!(body, said);
        }
    }

    #[test]
    fn every_route_has_a_name_in_the_log() {
        let app = app();
        let _ = router(&app);
        let document: Value = serde_json::from_slice(app.openapi.get().unwrap()).unwrap();
        let mut paths: Vec<_> = document["paths"].as_object().unwrap().keys().map(String::as_str).collect();
        let mut routes = ROUTES.to_vec();
        paths.sort_unstable();
        routes.sort_unstable();
        assert_eq!(paths, routes);
    }
}
