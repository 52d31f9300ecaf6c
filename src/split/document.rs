//! Text with what is known about it, as retrieval pipelines take it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A piece of text and what is known about it: what indexes and loaders of documents exchange.
///
/// Its JSON has two members, `page_content` and `metadata`, as LangChain has them.
///
/// ```
/// use jsonrill::split::Document;
///
/// let document: Document = serde_json::from_str(r#"{"page_content": "{\"a\": 1}", "metadata": {"source": "a.json"}}"#)?;
/// assert_eq!(document.page_content, r#"{"a": 1}"#);
/// assert_eq!(document.metadata["source"], "a.json");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Document {
    /// The text.
    pub page_content: String,
    /// What is known about it. Empty where the JSON has none.
    #[serde(default)]
    pub metadata: Map<String, Value>,
}
