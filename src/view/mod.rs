//! Views of a document: what is known, what is new, what may still change.

pub(crate) mod ambiguity;
mod de;
pub(crate) mod delta;
mod eq;
mod missing;
mod op;
mod ser;
pub(crate) mod snapshot;
mod stitch;
mod update;
pub(crate) mod value;

pub use ambiguity::{Ambiguity, State};
pub use de::DeserializeError;
pub use delta::{Delta, DeltaOp, Finals, Ops};
pub use missing::{Lack, MissingField};
pub use op::{ApplyError, Op, apply_all};
pub(crate) use ser::write_string;
pub use snapshot::{OutsideText, Snapshot};
pub(crate) use stitch::{Damage, Stitch};
pub use update::{Parts, Update};
pub use value::{Elements, Members, ValueRef};
