//! A part of a document that stands for itself.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::document::Document;
use super::error::DocumentError;

/// A part of a document: JSON that holds some of its values at the path at which they are in the document.
///
/// ```
/// use jsonrill::split::Splitter;
///
/// let text = r#"{"peaks": [{"name": "Mont Blanc"}, {"name": "Dom"}, {"name": "Piz Bernina"}], "unit": "m"}"#;
/// let chunks: Vec<_> = Splitter::new(60).split(text).collect::<Result<_, _>>()?;
/// assert_eq!(chunks[0].text, r#"{"peaks":[{"name":"Mont Blanc"},{"name":"Dom"}]}"#);
/// assert_eq!((&*chunks[0].pointer, chunks[0].range.clone()), ("/peaks", Some(0..2)));
/// assert_eq!(chunks[1].text, r#"{"peaks":[{"name":"Piz Bernina"}],"unit":"m"}"#);
/// assert_eq!((&*chunks[1].pointer, chunks[1].range.clone()), ("", Some(0..2))); // some of the peaks, and the unit
/// assert_eq!(chunks[1].first, "/peaks/2"); // so these are the peaks from this on
/// # Ok::<(), jsonrill::split::SplitError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Chunk {
    /// The text: JSON without blanks, keys and scalars spelled as in the source.
    pub text: String,
    /// The pointer of the innermost object or array that has all of the chunk in it.
    pub pointer: String,
    /// Which of its members or elements the chunk holds, by their place. The first and the last of them may be held in
    /// part. `None` where the whole document is a scalar, or has nothing in it.
    pub range: Option<Range<u64>>,
    /// The pointer of the first value of the chunk: all that is on the way to it is there to say where it belongs, and
    /// was begun by earlier chunks.
    pub first: String,
    /// The number of the chunk, from 0.
    pub index: u64,
    /// How many chunks there are, where that is known.
    pub count: Option<u64>,
    /// The first value is the rest of a string that the chunk before this one begins.
    pub continues: bool,
    /// The last value is a string that the next chunk goes on with.
    pub continued: bool,
}

impl Chunk {
    /// What is known about the chunk but its text: `pointer`, `range` as `[start, end]` or null, `first`, `index`,
    /// `count` where it is known, and `continues` and `continued` where they are true.
    #[must_use]
    pub fn metadata(&self) -> Map<String, Value> {
        let mut metadata = Map::new();
        let mut insert = |key: &str, value: Value| metadata.insert(key.to_owned(), value);
        insert("pointer", json!(self.pointer));
        insert("range", self.range.as_ref().map_or(Value::Null, |range| json!([range.start, range.end])));
        insert("first", json!(self.first));
        insert("index", json!(self.index));
        if let Some(count) = self.count {
            insert("count", json!(count));
        }
        for (key, is_so) in [("continues", self.continues), ("continued", self.continued)] {
            if is_so {
                insert(key, json!(true));
            }
        }
        metadata
    }

    /// The chunk as a document: its [`metadata`](Self::metadata), and what is known about the source. Of two with the
    /// same name the chunk's own counts.
    ///
    /// ```
    /// use jsonrill::split::Splitter;
    /// use serde_json::{Map, json};
    ///
    /// let source = Map::from_iter([("source".to_owned(), json!("peaks.json"))]);
    /// let chunk = Splitter::new(100).split(r#"{"peaks": [1, 2]}"#).next().unwrap()?;
    /// assert_eq!(serde_json::to_value(chunk.into_document(source)).unwrap(), json!({
    ///     "page_content": r#"{"peaks":[1,2]}"#,
    ///     "metadata": {"source": "peaks.json", "pointer": "", "range": [0, 1], "first": "", "index": 0},
    /// }));
    /// # Ok::<(), jsonrill::split::SplitError>(())
    /// ```
    #[must_use]
    pub fn into_document(self, source: Map<String, Value>) -> Document {
        let mut metadata = source;
        // What the chunk does not say is not said by the source either.
        for key in ["count", "continues", "continued"] {
            metadata.remove(key);
        }
        metadata.extend(self.metadata());
        Document { page_content: self.text, metadata }
    }
}

/// The chunk that became the document: what an index has stored can be [joined](super::join).
///
/// ```
/// use jsonrill::split::{Chunk, Splitter, join};
///
/// let text = r#"{"peaks":[{"name":"Mont Blanc"},{"name":"Dom"}]}"#;
/// let documents = Splitter::new(40).documents(text, &serde_json::Map::new())?;
/// let stored = serde_json::to_string(&documents)?;
///
/// let documents: Vec<_> = serde_json::from_str(&stored)?;
/// let chunks = documents.iter().map(Chunk::try_from).collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(join(&chunks)?, text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl TryFrom<&Document> for Chunk {
    type Error = DocumentError;

    fn try_from(document: &Document) -> Result<Self, DocumentError> {
        // What is left out where it is false, or not known, may be missing.
        let of = |key: &'static str| document.metadata.get(key).unwrap_or(&Value::Null);
        let text = |key| of(key).as_str().map(str::to_owned).ok_or(DocumentError { key });
        let flag = |key| match of(key) {
            Value::Null => Ok(false),
            value => value.as_bool().ok_or(DocumentError { key }),
        };
        let range = match of("range") {
            Value::Null => None,
            value => {
                let pair = value.as_array().and_then(|pair| <&[Value; 2]>::try_from(&**pair).ok());
                let range = pair.and_then(|[start, end]| Some(start.as_u64()?..end.as_u64()?));
                Some(range.ok_or(DocumentError { key: "range" })?)
            }
        };
        let count = match of("count") {
            Value::Null => None,
            value => Some(value.as_u64().ok_or(DocumentError { key: "count" })?),
        };
        Ok(Self {
            text: document.page_content.clone(),
            pointer: text("pointer")?,
            range,
            first: text("first")?,
            index: of("index").as_u64().ok_or(DocumentError { key: "index" })?,
            count,
            continues: flag("continues")?,
            continued: flag("continued")?,
        })
    }
}
