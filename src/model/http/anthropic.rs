//! The messages of Anthropic.

use serde::Serialize;

use super::openai::Turn;

/// Where they are, behind the base of the address.
pub(super) const PATH: &str = "messages";
pub(super) const BASE: &str = "https://api.anthropic.com/v1";
/// The version of the form, which is that of 2023 to this day.
pub(super) const VERSION: &str = "2023-06-01";
/// How many tokens a response may have, which has to be said: as many as all models of theirs give that are still on.
pub(super) const MAX_TOKENS: u32 = 8192;

/// A request.
#[derive(Serialize)]
pub(super) struct Body<'a> {
    pub(super) model: &'a str,
    pub(super) max_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) system: Option<&'a str>,
    pub(super) messages: [Turn<'a>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) temperature: Option<f64>,
    pub(super) stream: bool,
}
