//! The model that is asked, as the library sees it: a prompt goes in, a stream of text comes out.
//!
//! The words ([`ModelRequest`], [`ModelEvent`], [`StopReason`], [`Usage`], [`ModelError`]) say nothing of any provider.
//! State machines elsewhere use the words alone; only their drivers know the trait.

#[cfg(feature = "command")]
mod command;
mod error;
#[cfg(feature = "http")]
mod http;
mod request;
mod scripted;
mod stop;
mod usage;

use std::pin::Pin;
use std::sync::Arc;

use futures_core::Stream;

use crate::parser::{Chunk, End};

#[cfg(feature = "command")]
pub use command::CommandModel;
pub use error::{ModelError, ModelErrorKind};
#[cfg(feature = "http")]
pub use http::{ApiKey, HttpModel};
pub use request::{ModelRequest, Purpose};
pub use scripted::{ScriptedModel, ScriptedReply};
pub use stop::StopReason;
pub use usage::Usage;

/// A model's response as it arrives. It ends when the response has ended; an error is the last thing it gives.
///
/// Its events are [chunks](Chunk), so that [`parse_json`](crate::ParseJsonExt::parse_json) and
/// [`Fields`](crate::Fields) read it as it is, and end the text as the stop reason says:
///
/// ```
/// use futures::executor::block_on;
/// use jsonrill::{Fields, LanguageModel, ModelRequest, Purpose, ScriptedModel, ScriptedReply};
///
/// let model = ScriptedModel::new([ScriptedReply::new(["Sure: {\"spam\": tr", "ue, \"why\": \"It"], "length")]);
/// let fields = Fields::new(model.respond(ModelRequest::new(Purpose::Answer, "Spam? As JSON.")));
/// assert!(block_on(fields.value::<bool>("/spam"))?);
/// let error = block_on(fields.value::<String>("/why")).unwrap_err();
/// assert_eq!(error.to_string(), "\"/why\" was cut at byte 31; it is a string so far");
/// # Ok::<(), jsonrill::FieldError>(())
/// ```
pub type ModelStream<'a> = Pin<Box<dyn Stream<Item = Result<ModelEvent, ModelError>> + Send + 'a>>;

/// A part of a model's response.
///
/// ```
/// use futures::StreamExt;
/// use futures::executor::block_on;
/// use jsonrill::{LanguageModel, ModelEvent, ModelRequest, Purpose, ScriptedModel, ScriptedReply};
///
/// let model = ScriptedModel::new([ScriptedReply::new(["[1, ", "2]"], "stop")]);
/// let events: Vec<_> = block_on(model.respond(ModelRequest::new(Purpose::Answer, "Two numbers.")).collect());
/// assert_eq!(events[0].as_ref().unwrap(), &ModelEvent::Text("[1, ".to_owned()));
/// assert_eq!(events[2].as_ref().unwrap(), &ModelEvent::Stopped("stop".into()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelEvent {
    /// More text of the answer. Reasoning that comes on a channel of its own is no part of it.
    Text(String),
    /// Why the response ends. The last one counts; without one it is [`StopReason::unknown`].
    Stopped(StopReason),
    /// What the response cost so far. The last one counts.
    Usage(Usage),
}

impl Chunk for ModelEvent {
    fn bytes(&self) -> &[u8] {
        self.text().unwrap_or_default().as_bytes()
    }

    fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Stopped(_) | Self::Usage(_) => Some(""),
        }
    }

    fn end(&self) -> Option<End> {
        match self {
            Self::Stopped(reason) => Some(reason.end()),
            Self::Text(_) | Self::Usage(_) => None,
        }
    }
}

/// A language model that answers a prompt with a stream of text.
///
/// The trait has one method, and that returns a boxed stream. So it is object-safe: a program can choose its model at
/// run time, and keep it as `Box<dyn LanguageModel>`. The price is one allocation a request, which is nothing beside
/// the request. It needs no runtime: the stream is polled by whoever reads it, and may be of any runtime inside.
///
/// Connecting is the stream's business as well: it begins when the stream is polled for the first time, and where it
/// fails the first thing that the stream gives is the error. A stream that is dropped is a response that nobody wants
/// any more: the connection should be closed.
///
/// ```
/// use futures::executor::block_on;
/// use futures::stream;
/// use jsonrill::{
///     AccumulationOptions, LanguageModel, ModelError, ModelEvent, ModelRequest, ModelStream, Purpose, Usage, accumulate,
/// };
///
/// /// Says the same to everyone, a word at a time, and knows no KPIs.
/// struct Parrot(&'static str);
///
/// impl LanguageModel for Parrot {
///     fn respond(&self, request: ModelRequest) -> ModelStream<'_> {
///         if request.purpose == Purpose::Kpis {
///             return Box::pin(stream::iter([Err(ModelError::new("not my line"))]));
///         }
///         let words = self.0.split_inclusive(' ').map(|word| Ok(ModelEvent::Text(word.to_owned())));
///         let end = [ModelEvent::Stopped("stop".into()), ModelEvent::Usage(Usage::new(0, 5))];
///         Box::pin(stream::iter(words.chain(end.map(Ok))))
///     }
/// }
///
/// let model: Box<dyn LanguageModel> = Box::new(Parrot("{\"who is\": \"a pretty boy\"}"));
/// let report = block_on(accumulate(&model, "Who is a pretty boy?", AccumulationOptions::new()).report());
/// assert_eq!((report.rounds[0].stop_reason.as_str(), report.usage().output_tokens), ("stop", 5));
/// ```
pub trait LanguageModel: Send + Sync {
    /// Asks the model. What the stream gives is documented at [`ModelStream`].
    fn respond(&self, request: ModelRequest) -> ModelStream<'_>;
}

macro_rules! pointers {
    ($($pointer:ty),*) => {$(
        impl<M: LanguageModel + ?Sized> LanguageModel for $pointer {
            fn respond(&self, request: ModelRequest) -> ModelStream<'_> {
                (**self).respond(request)
            }
        }
    )*};
}

pointers!(&M, Box<M>, Arc<M>);
