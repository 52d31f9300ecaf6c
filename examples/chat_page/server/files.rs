//! The page's files, which are part of the program.

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

macro_rules! files {
    ($($path:literal: $kind:literal from $file:literal),* $(,)?) => {
        [$(($path, concat!($kind, "; charset=utf-8"), include_str!(concat!("../page/", $file)))),*]
    };
}

const FILES: [(&str, &str, &str); 7] = files![
    "/": "text/html" from "index.html",
    "/icon.svg": "image/svg+xml" from "icon.svg",
    "/style.css": "text/css" from "style.css",
    "/app.js": "text/javascript" from "app.js",
    "/view.js": "text/javascript" from "view.js",
    "/wire.js": "text/javascript" from "wire.js",
    "/delta.js": "text/javascript" from "delta.js",
];

/// The file at exactly this path.
pub fn file(path: &str) -> Response {
    match FILES.iter().find(|(known, _, _)| *known == path) {
        Some((_, kind, content)) => ([(CONTENT_TYPE, *kind)], *content).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
