//! Prompts: a template with placeholders ([`template`]), filled in with data between tags that the data does not hold
//! itself ([`block`]). What they say is for those who ask a model: `continuation` and `repair`.

mod block;
mod template;

pub use template::TemplateError;

pub(crate) use template::Template;
