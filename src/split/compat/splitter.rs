//! The splitter itself.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::split::Document;

use super::error::CompatError;
use super::json::Json;
use super::lists::{Token, lists_to_dicts};
use super::spelling::unescaped;

/// Splits as `RecursiveJsonSplitter` of langchain-text-splitters 1.1.3 does.
///
/// Sizes are characters of what `json.dumps` prints with its defaults, `ensure_ascii` whatever is asked for.
///
/// ```
/// use jsonrill::split::compat::{Json, RecursiveJsonSplitter};
///
/// let json: Json = r#"{"title": "Alps", "peaks": {"first": "Mont Blanc", "second": "Dufourspitze"}}"#.parse()?;
/// let splitter = RecursiveJsonSplitter::new(60).min_chunk_size(30);
/// assert_eq!(splitter.split_text(&json, false, true)?, [
///     r#"{"title": "Alps", "peaks": {"first": "Mont Blanc"}}"#,
///     r#"{"peaks": {"second": "Dufourspitze"}}"#,
/// ]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # What it does that you may not want
///
/// All this is kept on purpose:
///
/// - A list is never split unless `convert_lists` makes an object of it, with the indices for keys: then it is no list
///   any more.
/// - The cap is no cap. Whether a member fits is asked of its key and its value, and not of the path to it, so each
///   level of nesting lets a chunk grow beyond `max_chunk_size`.
/// - A scalar, an empty object or a list that is too large goes into a chunk all the same, and there is no error.
/// - So does a member that does not fit as long as the chunk is smaller than `min_chunk_size`: the chunk may
///   then have twice the size that was asked for.
/// - With a `min_chunk_size` of 2 or less there are empty chunks, `{}`, where a member fits into none. An empty one at
///   the end is dropped, and only one.
/// - An object that would fit into a chunk of its own is torn apart where the current one has no room for it.
/// - A member as large as the cap does not fit: it must be smaller, and smaller than what is left, by one.
/// - An empty object, and null, have no chunks. An empty object inside is kept, but an empty list is lost as a list
///   with `convert_lists`.
/// - Size is that of the escaped text, so a text in Chinese counts six times what it has in characters, even where
///   `ensure_ascii` is false; and it counts the blanks behind commas and colons.
/// - Metadata of fewer documents than there are texts is an error in the middle of the work, and an empty list of them
///   is none.
///
/// # Complexity
///
/// O(length of the text), in time and memory. (Python's prints each part once for each level it is in, and the chunk
/// for each member.)
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecursiveJsonSplitter {
    max_chunk_size: usize,
    min_chunk_size: usize,
}

impl Default for RecursiveJsonSplitter {
    /// As Python's: 2000, and so 1800.
    fn default() -> Self {
        Self::new(2000)
    }
}

impl RecursiveJsonSplitter {
    /// A splitter into chunks of up to so many characters, more or less. The minimum is 200 less, and at least 50.
    #[must_use]
    pub fn new(max_chunk_size: usize) -> Self {
        Self { max_chunk_size, min_chunk_size: max_chunk_size.saturating_sub(200).max(50) }
    }

    /// With this size, in characters, from which a chunk is left where something does not fit.
    #[must_use]
    pub fn min_chunk_size(self, min_chunk_size: usize) -> Self {
        Self { min_chunk_size, ..self }
    }

    /// The chunks as values. With `convert_lists` lists are made objects first.
    ///
    /// # Errors
    ///
    /// [`CompatError`] where the value is neither an object nor null, nor a list that is converted.
    pub fn split_json(&self, json_data: &Json, convert_lists: bool) -> Result<Vec<Json>, CompatError> {
        Ok(self.split(json_data, convert_lists)?.into_iter().map(Json::from_canonical).collect())
    }

    /// The chunks as text, with everything beyond ASCII escaped if `ensure_ascii`.
    ///
    /// # Errors
    ///
    /// As [`split_json`](Self::split_json).
    pub fn split_text(
        &self,
        json_data: &Json,
        convert_lists: bool,
        ensure_ascii: bool,
    ) -> Result<Vec<String>, CompatError> {
        let chunks = self.split(json_data, convert_lists)?;
        Ok(if ensure_ascii { chunks } else { chunks.iter().map(|chunk| unescaped(chunk)).collect() })
    }

    /// The chunks of several values as documents, each with a copy of the metadata of its value. Without metadata, and
    /// with an empty list, it is empty.
    ///
    /// ```
    /// use jsonrill::split::compat::RecursiveJsonSplitter;
    /// use serde_json::{Map, json};
    ///
    /// let texts = [r#"{"a": 1}"#.parse()?, r#"{"b": 2}"#.parse()?];
    /// let metadatas = ["a.json", "b.json"].map(|name| Map::from_iter([("source".to_owned(), json!(name))]));
    /// let documents = RecursiveJsonSplitter::default().create_documents(&texts, false, true, &metadatas)?;
    /// assert_eq!(documents[1].page_content, r#"{"b": 2}"#);
    /// assert_eq!(documents[1].metadata["source"], "b.json");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`split_json`](Self::split_json); and where a value that has chunks has no metadata while others do.
    pub fn create_documents(
        &self,
        texts: &[Json],
        convert_lists: bool,
        ensure_ascii: bool,
        metadatas: &[Map<String, Value>],
    ) -> Result<Vec<Document>, CompatError> {
        let mut documents = Vec::new();
        for (index, text) in texts.iter().enumerate() {
            for page_content in self.split_text(text, convert_lists, ensure_ascii)? {
                let metadata = match metadatas.get(index) {
                    Some(metadata) => metadata.clone(),
                    None if metadatas.is_empty() => Map::new(),
                    None => return Err(CompatError::no_metadata()),
                };
                documents.push(Document { page_content, metadata });
            }
        }
        Ok(documents)
    }

    fn split(&self, json: &Json, convert_lists: bool) -> Result<Vec<String>, CompatError> {
        let is_list = json.canonical().starts_with('[');
        let text: Cow<'_, str> =
            if convert_lists { lists_to_dicts(json.canonical()).into() } else { json.canonical().into() };
        match text.as_bytes() {
            [b'{', ..] => {}
            [b'n', ..] => return Ok(Vec::new()),
            _ => return Err(CompatError::no_dict(json.type_name(), is_list && !convert_lists)),
        }
        Ok(self.chunks(&text))
    }

    fn chunks(&self, text: &str) -> Vec<String> {
        // Whether a member fits is asked before it is looked into, so where it ends must be known.
        let extents = extents(text);
        let mut chunks = Chunks::default();
        let mut path: Vec<Step<'_>> = Vec::new();
        let (mut at, mut container) = (1, 1);
        while let Some(token) = text.get(at..).and_then(Token::first) {
            let Token::Scalar(length) = token else {
                if matches!(token, Token::Close) {
                    path.pop();
                }
                at += token.length();
                continue;
            };
            let key = text.get(at..at + length).unwrap_or_default();
            let start = at + length + ": ".len();
            let (end, behind) = match text.get(start..).and_then(Token::first) {
                Some(Token::Open { .. }) => extents.get(container).map_or((text.len(), 0), |it| (it.end, it.behind)),
                Some(token) => (start + token.length(), container),
                None => (text.len(), container),
            };
            let value = text.get(start..end).unwrap_or_default();
            let size = "{".len() + key.len() + ": ".len() + value.len() + "}".len();
            if chunks.size() + size >= self.max_chunk_size {
                if chunks.size() >= self.min_chunk_size {
                    chunks.begin();
                }
                if value.starts_with('{') && value != "{}" {
                    path.push(Step { key, container });
                    (at, container) = (start + 1, container + 1);
                    continue;
                }
            }
            chunks.add(&path, key, value);
            (at, container) = (end, behind);
        }
        chunks.finish()
    }
}

/// Where an object or array of a printed value ends, and the number of the first that begins behind it.
#[derive(Clone, Copy)]
struct Extent {
    end: usize,
    behind: usize,
}

/// The extents of all objects and arrays, in the order in which they begin.
fn extents(text: &str) -> Vec<Extent> {
    let mut extents = Vec::new();
    let mut open = Vec::new();
    let mut at = 0;
    while let Some(token) = text.get(at..).and_then(Token::first) {
        at += token.length();
        match token {
            Token::Open { .. } => {
                open.push(extents.len());
                extents.push(Extent { end: text.len(), behind: 0 });
            }
            Token::Close => {
                let behind = extents.len();
                if let Some(extent) = open.pop().and_then(|number| extents.get_mut(number)) {
                    *extent = Extent { end: at, behind };
                }
            }
            Token::Separator | Token::Scalar(_) => {}
        }
    }
    extents
}

/// An object that is looked into: its key, and its number.
#[derive(Clone, Copy)]
struct Step<'t> {
    key: &'t str,
    container: usize,
}

/// The chunks so far.
#[derive(Default)]
struct Chunks {
    ended: Vec<String>,
    /// The chunk in hand, less the brackets that end it.
    text: String,
    /// The numbers of the objects that are open in it, but for the root.
    open: Vec<usize>,
}

impl Chunks {
    /// How many characters the chunk in hand has.
    fn size(&self) -> usize {
        self.text.len().max(1) + self.open.len() + 1
    }

    /// Ends the chunk in hand, and begins another.
    fn begin(&mut self) {
        if self.text.is_empty() {
            self.text.push('{');
        }
        self.text.extend(self.open.drain(..).map(|_| '}'));
        self.text.push('}');
        self.ended.push(std::mem::take(&mut self.text));
    }

    /// Puts a member into the chunk in hand.
    fn add(&mut self, path: &[Step<'_>], key: &str, value: &str) {
        // What is open there and is not on the path has ended.
        let shared = self.open.iter().zip(path).take_while(|(open, step)| **open == step.container).count();
        self.text.extend(self.open.drain(shared..).map(|_| '}'));
        self.text.push_str(if self.text.is_empty() { "{" } else { ", " });
        for step in path.iter().skip(shared) {
            self.text.push_str(step.key);
            self.text.push_str(": {");
            self.open.push(step.container);
        }
        self.text.push_str(key);
        self.text.push_str(": ");
        self.text.push_str(value);
    }

    fn finish(mut self) -> Vec<String> {
        if !self.text.is_empty() {
            self.begin();
        }
        self.ended
    }
}
