//! How a text is read: options in the query, under the names that they have on the command line.

use axum::extract::Query;
use axum::http::Uri;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::IntoParams;

use super::failure::Failure;
use crate::options::{Dialect, DialectReading, Duplicates, End, Expect, Reading, Role, Roots};

/// Reads a query. A name that is none of its own is an error: it would be a spelling mistake that has no effect.
pub(crate) fn query<T: DeserializeOwned>(uri: &Uri) -> Result<T, Failure> {
    Query::try_from_uri(uri).map(|Query(query)| query).map_err(|error| {
        let text = error.body_text();
        let why = text.trim_start_matches("Failed to deserialize query string: ");
        Failure::misread("the query", why)
    })
}

/// A number of characters or bytes that is asked for.
pub(crate) fn size(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// How a text is read.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ReadingParams {
    /// How strict to read. Lenient when missing.
    #[param(inline, required = false)]
    dialect: Dialect,
    /// Which JSON texts in the input are the answer. The first when missing.
    #[param(inline, required = false)]
    roots: Roots,
    /// What the text is for. An answer when missing.
    #[param(inline, required = false)]
    role: Role,
    /// Which kind of value the answer is; others are passed over. Any when missing.
    #[param(inline, required = false)]
    expect: Expect,
    /// What becomes of a key that an object has twice. The first stays when missing.
    #[param(inline, required = false)]
    duplicates: Duplicates,
    /// The text begins inside the model's reasoning: the answer comes behind `</think>`.
    #[param(required = false)]
    reasoning_expected: bool,
    /// An answer that is a string with JSON in it is that JSON.
    #[param(required = false)]
    unwrap_string: bool,
    /// Why the text ends where it does. Unknown when missing.
    #[param(inline, required = false)]
    end: End,
}

impl ReadingParams {
    pub(crate) fn reading(&self) -> DialectReading {
        reading(self.dialect, self.roots, self.role, |reading| Reading {
            expect: self.expect,
            duplicates: self.duplicates,
            reasoning_expected: self.reasoning_expected,
            unwrap_string: self.unwrap_string,
            ..reading
        })
    }

    pub(crate) fn roots(&self) -> Roots {
        self.roots
    }

    pub(crate) fn role(&self) -> Role {
        self.role
    }

    pub(crate) fn end(&self) -> jsonrill::End {
        self.end.into()
    }
}

/// The options of the command line, with what else is asked for.
pub(crate) fn reading(
    dialect: Dialect,
    roots: Roots,
    role: Role,
    more: impl FnOnce(Reading) -> Reading,
) -> DialectReading {
    DialectReading { dialect, reading: more(Reading { roots, role, ..Reading::default() }) }
}
