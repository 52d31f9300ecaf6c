//! Cuts JSON that is too large for a model or an index into chunks that keep their context.
//!
//! A chunk is JSON of its own that holds some of the values of a document, each at the path at which it is there. So a
//! chunk that is found by itself says where its values belong.
//!
//! | | splits | and holds |
//! |---|---|---|
//! | [`Splitter::split`] | a whole text | two chunks |
//! | [`Splitter::stream`] | a text that arrives in pieces, of any length | two chunks |
//! | [`Splitter::lenient`] | the same, also where it is no JSON | two chunks, and the keys of what is open |
//! | [`Splitter::updates`] | what a parser reads that others read, too | two chunks; and the parser, the document |
//! | [`compat`] | as the Python package `langchain-text-splitters` does | the document |
//!
//! The first two give the same chunks for the same document; the next two those of the document as a snapshot displays
//! it: escapes that need not be are characters, and of members with the same key there is the first. [`join`] gives the
//! document back.
//!
//! ```
//! use jsonrill::split::{Splitter, join};
//!
//! let text = r#"{"unit": "m", "peaks": [{"name": "Dom", "height": 4546}, {"name": "Rigi", "height": 1798}]}"#;
//! let chunks = Splitter::new(50).split(text).collect::<Result<Vec<_>, _>>()?;
//! assert_eq!(chunks[0].text, r#"{"unit":"m"}"#);
//! assert_eq!(chunks[1].text, r#"{"peaks":[{"name":"Dom","height":4546}]}"#);
//! assert_eq!(chunks[2].text, r#"{"peaks":[{"name":"Rigi","height":1798}]}"#);
//! assert_eq!((&*chunks[2].pointer, chunks[2].range.clone()), ("/peaks", Some(1..2)));
//! assert_eq!(join(&chunks)?, text.replace(": ", ":").replace(", ", ","));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where chunks end
//!
//! A value goes into the chunk in hand if all of it fits. One that does not fit goes into a chunk of its own, if it
//! fits into one, and the chunk in hand has the size that [`Splitter::min`] asks for. One that fits into no chunk is
//! looked into: of what is in it the same is asked, and so it fills the chunk in hand. A string that fits into no chunk
//! is an error, unless [`Splitter::cut_strings`] says where it may be cut.

mod chunk;
pub mod compat;
mod document;
mod error;
mod join;
mod lenient;
mod lists;
mod measure;
mod scan;
mod splitter;
mod stream;
mod updates;
mod window;

pub use chunk::Chunk;
pub use document::Document;
pub use error::{DocumentError, SplitError, SplitErrorKind};
pub use join::{JoinError, join};
pub use lenient::{LenientChunks, LenientSplitter};
pub use splitter::{Boundary, Splitter};
pub use stream::{Chunks, StreamChunks, StreamSplitter};
pub use updates::UpdateSplitter;
