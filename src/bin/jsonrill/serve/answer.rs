//! How answers are written, and the parts that several of them have.

use std::io;

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use utoipa::ToSchema;

use super::failure::Failure;
use crate::output::Line;

/// An object, written member by member as the command line writes it: numbers keep their source text, and keys their
/// order.
pub(crate) fn object(members: impl FnOnce(&mut Line<'_, Vec<u8>>) -> io::Result<()>) -> Result<Response, Failure> {
    let mut text = Vec::new();
    let mut line = Line::new(&mut text);
    members(&mut line)
        .and_then(|()| line.end())
        .map_err(|_| Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "the answer cannot be written"))?;
    Ok(([(CONTENT_TYPE, "application/json")], text).into_response())
}

/// Where a text was cut.
#[derive(Debug, ToSchema)]
#[schema(as = Cut)]
#[expect(dead_code, reason = "the schema of what is written member by member")]
pub(crate) struct CutShape {
    /// In bytes.
    offset: u64,
    /// `before_root`, `in_string`, `in_escape`, `in_key`, `after_key`, `after_colon`, `in_number`, `in_keyword`,
    /// `between_members` or `done`.
    state: String,
    /// The pointer of what was in flight.
    open: Option<String>,
    /// What is missing.
    closers: String,
}

/// Why a text was not read to its end.
#[derive(Debug, ToSchema)]
#[schema(as = ReadingError)]
#[expect(dead_code, reason = "the schema of what is written member by member")]
pub(crate) struct ErrorShape {
    code: String,
    /// In bytes.
    offset: u64,
    /// From 1, as is the column, which counts characters.
    line: Option<u64>,
    column: Option<u64>,
    message: String,
}

/// Something that was left out.
#[derive(Debug, ToSchema)]
#[schema(as = Skip)]
#[expect(dead_code, reason = "the schema of what is written member by member")]
pub(crate) struct SkipShape {
    /// In bytes, as is the end.
    start: u64,
    end: u64,
    kind: String,
    /// Of the start, from 1, as is the column, which counts characters.
    line: u64,
    column: u64,
    message: String,
}

/// Something that was repaired, or looks odd.
#[derive(Debug, ToSchema)]
#[schema(as = Report)]
#[expect(dead_code, reason = "the schema of what is written member by member")]
pub(crate) struct ReportShape {
    kind: String,
    /// In bytes, as is the length.
    offset: u64,
    length: u64,
    /// From 1, as is the column, which counts characters.
    line: u64,
    column: u64,
    message: String,
}
