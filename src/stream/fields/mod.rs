//! Subscriptions to single fields of one stream.
//!
//! | file | what |
//! |---|---|
//! | `shared`, `wakers` | the source and the parser, which whoever is polled drives on; who waits |
//! | `look`, `walk` | where a field is, and why it is not there; the places that a pattern means |
//! | `text`, `texts`, `value`, `values`, `items`, `all_final`, `finished` | one kind of subscriber each: a cursor into what is known |
//! | `error` | why a field does not come |

mod all_final;
mod error;
mod finished;
mod items;
mod look;
mod shared;
mod text;
mod texts;
mod value;
mod values;
mod wakers;
mod walk;

#[cfg(all(test, loom_models))]
mod models;

use std::error::Error;
use std::fmt;
use std::sync::Arc;

pub use all_final::AllFinal;
pub use error::FieldError;
pub use finished::FieldsFinished;
pub use items::FieldItems;
pub use text::FieldText;
pub use texts::{FieldTexts, FoundText};
pub use value::FieldValue;
pub use values::{FieldValues, FoundValue};

use crate::document::{OwnedPath, Path, PathPattern};
use crate::parser::{Options, Parser, Role};
use crate::view::Snapshot;

use shared::{Shared, Subscriber};
use walk::Walk;

/// The fields of the JSON in a stream of bytes or text, for any number of subscribers.
///
/// ```
/// use futures::StreamExt;
/// use futures::executor::block_on;
/// use jsonrill::Fields;
///
/// let chunks = futures::stream::iter([
///     "{\"reply\": \"We will re",
///     "fund you.\", \"refund\": 12",
///     "5, \"steps\": [{\"id\": 1}, {\"i",
///     "d\": 2}], \"notes\": \"and a great deal more",
/// ]);
/// let fields = Fields::new(chunks);
///
/// let mut reply = fields.text("/reply"); // as it comes
/// let refund = fields.value::<u32>("/refund"); // the moment it is final
/// let mut steps = fields.items::<serde_json::Value>("/steps"); // each when it is final
/// let enough = fields.all_final(["/reply", "/refund", "/steps"]);
///
/// block_on(async {
///     let show = async {
///         let mut shown = String::new();
///         while let Some(text) = reply.next().await {
///             shown.push_str(&text?);
///         }
///         assert_eq!(shown, "We will refund you.");
///         Ok::<_, jsonrill::FieldError>(())
///     };
///     let act = async {
///         assert_eq!(refund.await?, 125); // and not 12
///         Ok(())
///     };
///     let count = async {
///         let mut ids = Vec::new();
///         while let Some(step) = steps.next().await {
///             ids.push(step?["id"].as_u64());
///         }
///         assert_eq!(ids, [Some(1), Some(2)]);
///         Ok(())
///     };
///     futures::try_join!(show, act, count, enough)?;
///     fields.stop(); // the rest is not worth waiting for: the source is dropped here
///     Ok::<_, jsonrill::FieldError>(())
/// })?;
/// # Ok::<(), jsonrill::FieldError>(())
/// ```
///
/// A field is final when it can never change again, so what a subscriber has given is never taken back. A field that
/// can no longer come, is of another kind, or was cut is a [`FieldError`], as soon as that is known.
///
/// # Who reads the source
///
/// Whoever is polled: a subscriber that does not find what it waits for polls the source itself, and what comes is
/// there for all. There is no task in the background and no runtime; while nobody is polled, nothing is read.
/// Subscribers may be in one task or in many, on any threads if the source can be sent to them. Each may be dropped at
/// any time, and the others go on. The source is dropped when it has ended, with the last handle, and by
/// [`Fields::stop`].
///
/// # Cost
///
/// A subscriber is a place in the document: it holds no values, and one that comes late or is slow gets all that it
/// would have got. The document is held once, as by a [`Parser`]. Each chunk wakes all subscribers that wait, and each
/// of them looks for its path: O(path) for one field, O(what was added) for a pattern.
///
/// # Limits
///
/// The fields are those of the first document. Where the parser reads several ([`Roots::Last`](crate::Roots::Last),
/// [`Roots::Many`](crate::Roots::Many)), it is final when the next one begins. An error of the source ends the
/// text: what came behind a gap would be taken for the value of a field, and no subscriber could tell. (A
/// [`JsonStream`](crate::JsonStream) passes errors on to the one who reads it, and goes on.)
pub struct Fields<S> {
    shared: Arc<Shared<S>>,
}

impl<S> Fields<S> {
    /// The fields of the JSON in a stream, read by a lenient parser.
    #[must_use]
    pub fn new(source: S) -> Self {
        Self::with_parser(source, Parser::new())
    }

    /// The same with a parser of yours: one with options, or one that has read the beginning of the text already.
    #[must_use]
    pub fn with_parser(source: S, parser: Parser) -> Self {
        Self { shared: Arc::new(Shared::new(source, parser)) }
    }

    /// The text of the string at a path as it comes, from its first character.
    ///
    /// # Errors
    ///
    /// The stream gives [`FieldError`] where the field cannot come, is no string, or was cut: all text there is comes
    /// first.
    pub fn text(&self, path: impl Path) -> FieldText<S> {
        FieldText::new(self.subscriber(), OwnedPath::new(path))
    }

    /// The text of all strings that a pattern means, as it comes.
    ///
    /// ```
    /// use futures::StreamExt;
    /// use futures::executor::block_on;
    /// use jsonrill::Fields;
    ///
    /// let chunks = ["{\"bubbles\": [{\"text\": \"He", "llo\"}, {\"text\": \"Bye\"}", "]}"];
    /// let fields = Fields::new(futures::stream::iter(chunks));
    /// let mut texts = fields.texts("/bubbles/*/text");
    /// let mut seen = Vec::new();
    /// while let Some(piece) = block_on(texts.next()) {
    ///     let piece = piece?;
    ///     seen.push((piece.path, piece.text, piece.is_last));
    /// }
    /// assert_eq!(seen, [
    ///     ("/bubbles/0/text".to_owned(), "He".to_owned(), false),
    ///     ("/bubbles/0/text".to_owned(), "llo".to_owned(), true),
    ///     ("/bubbles/1/text".to_owned(), "Bye".to_owned(), true),
    /// ]);
    /// # Ok::<(), jsonrill::FieldError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The stream gives [`FieldError`] where nothing that the pattern means can come, or the text was cut before all
    /// had come. Values that are no strings are passed over.
    pub fn texts(&self, pattern: impl Into<PathPattern>) -> FieldTexts<S> {
        FieldTexts::new(self.subscriber(), Walk::new(pattern.into()))
    }

    /// The value at a path, as a type of yours, the moment it is final.
    ///
    /// # Errors
    ///
    /// The future resolves to [`FieldError`] where the field cannot come, does not fit the type, or was cut. A field
    /// that may be missing is asked for as an `Option`, which is `None` as soon as it will not come.
    pub fn value<T>(&self, path: impl Path) -> FieldValue<S, T> {
        FieldValue::new(self.subscriber(), OwnedPath::new(path))
    }

    /// The values that a pattern means, with their pointers, each the moment it is final.
    ///
    /// ```
    /// use futures::StreamExt;
    /// use futures::executor::block_on;
    /// use jsonrill::Fields;
    ///
    /// let chunks = [r#"{"id": 1, "parts": [{"id": 2, "parts": [{"id": 3}]}"#, r#", {"id": 4}]}"#];
    /// let fields = Fields::new(futures::stream::iter(chunks));
    /// let ids = block_on(fields.values::<u32>("/**/id").map(|id| id.map(|id| (id.path, id.value))).collect::<Vec<_>>());
    /// let ids: Vec<_> = ids.into_iter().collect::<Result<_, _>>()?;
    /// assert_eq!(ids.iter().map(|(_, id)| *id).collect::<Vec<_>>(), [1, 2, 3, 4]);
    /// assert_eq!(ids[2].0, "/parts/0/parts/0/id");
    /// # Ok::<(), jsonrill::FieldError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The stream gives [`FieldError`] where nothing that the pattern means can come, where a value does not fit the
    /// type (those behind it still come), or where the text was cut before all had come.
    pub fn values<T>(&self, pattern: impl Into<PathPattern>) -> FieldValues<S, T> {
        FieldValues::new(self.subscriber(), Walk::new(pattern.into()))
    }

    /// The elements of the array at a path, as a type of yours, each the moment it is final.
    ///
    /// # Errors
    ///
    /// The stream gives [`FieldError`] where the field cannot come, is no array, where an element does not fit the type
    /// (those behind it still come), or where the array was cut. An element that was cut is not given.
    pub fn items<T>(&self, path: impl Path) -> FieldItems<S, T> {
        FieldItems::new(self.subscriber(), OwnedPath::new(path))
    }

    /// The fields of the JSON in the string at a path, read as the arguments of a tool call are ([`Role::Arguments`]):
    /// text in this document, a document by itself.
    ///
    /// For updates of it, `fields.text(path).parse_json()` ([`ParseJsonExt`](crate::ParseJsonExt)); for options,
    /// `Fields::with_parser(fields.text(path), parser)`.
    ///
    /// ```
    /// use futures::executor::block_on;
    /// use jsonrill::Fields;
    ///
    /// let chunks = [r#"{"name": "book", "arguments": "{\"seats"#, r#"\": 2, \"class\": \"fir"#, r#"st\"}"}"#];
    /// let fields = Fields::new(futures::stream::iter(chunks));
    /// let arguments = fields.json("/arguments");
    /// assert_eq!(block_on(arguments.value::<u8>("/seats"))?, 2);
    /// assert_eq!(block_on(arguments.value::<String>("/class"))?, "first");
    /// # Ok::<(), jsonrill::FieldError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Its subscribers are given a [`FieldError::Source`] where the string does not come, which has the error of
    /// [`Fields::text`].
    #[must_use]
    pub fn json(&self, path: impl Path) -> Fields<FieldText<S>> {
        Fields::with_parser(self.text(path), Parser::with_options(Options::new().role(Role::Arguments)))
    }

    /// Resolves when all of these fields are final: the moment to stop the model, if nothing else is wanted of it. To
    /// stop it, [`Fields::stop`], or drop all that reads from this stream.
    ///
    /// # Errors
    ///
    /// The future resolves to [`FieldError`] as soon as one of them cannot become final.
    pub fn all_final(&self, paths: impl IntoIterator<Item: Path>) -> AllFinal<S> {
        AllFinal::new(self.subscriber(), paths.into_iter().map(OwnedPath::new).collect())
    }

    /// Resolves when the text has ended, to what it amounts to: where the parser reads several documents, all of them.
    ///
    /// ```
    /// use futures::executor::block_on;
    /// use jsonrill::Fields;
    ///
    /// let fields = Fields::new(futures::stream::iter(["[\"a\"", ", \"b\"]"]));
    /// let answer = block_on(fields.finished()).into_complete()?; // a cut answer would be an error
    /// assert_eq!(answer.at("/1"), "b");
    /// # Ok::<(), jsonrill::Incomplete>(())
    /// ```
    pub fn finished(&self) -> FieldsFinished<S> {
        FieldsFinished::new(self.subscriber())
    }

    /// What is known now. Nothing is read for it.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        self.shared.view().snapshot
    }

    /// What the source said when it failed, if it did.
    #[must_use]
    pub fn source_error(&self) -> Option<Arc<dyn Error + Send + Sync>> {
        self.shared.view().end.and_then(|ended| ended.source_error().cloned())
    }

    /// Reads no more, and drops the source, which closes its connection. The text is cut here. What subscribers can
    /// have of it they still get; the rest is [`FieldError::Stopped`].
    pub fn stop(&self) {
        self.shared.stop();
    }

    fn subscriber(&self) -> Subscriber<S> {
        Subscriber::new(self.shared.clone())
    }
}

impl<S> Clone for Fields<S> {
    /// Another handle on the same.
    fn clone(&self) -> Self {
        Self { shared: self.shared.clone() }
    }
}

impl<S> fmt::Debug for Fields<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let view = self.shared.view();
        formatter
            .debug_struct("Fields")
            .field("snapshot", &view.snapshot)
            .field("has_ended", &view.end.is_some())
            .finish_non_exhaustive()
    }
}
