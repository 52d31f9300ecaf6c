//! Looks for a field in what is known.

use std::fmt::Display;
use std::task::{Poll, ready};

use serde::de::DeserializeOwned;

use crate::document::{Kind, OwnedPath, Replacing, Token};
use crate::view::{State, ValueRef};

use super::error::FieldError;
use super::shared::View;

// All of these are pending while more of the text may say otherwise.
impl View {
    /// Looks for a field: the value as far as it is there, or why it will not be. `name` is what errors call it.
    pub(super) fn look(&self, path: &OwnedPath, name: &dyn Display) -> Poll<Result<ValueRef<'_>, FieldError>> {
        if let Some(Token::Nothing(_)) = path.tokens().next() {
            return Poll::Ready(Err(FieldError::NotAPointer { path: name.to_string() }));
        }
        let (mut value, mut tokens) = (self.snapshot.root(), path.tokens());
        loop {
            if !value.exists() {
                return self.cut(name, None).map(Err);
            }
            let Some(token) = tokens.next() else { return Poll::Ready(Ok(value)) };
            let next = value.child(token);
            if next.state() == State::Absent {
                return self.absent(value, Some(token), name).map(Err);
            }
            value = next;
        }
    }

    /// Why what a token names in this value does not come.
    pub(super) fn absent(
        &self,
        inside: ValueRef<'_>,
        token: Option<Token<'_>>,
        name: &dyn Display,
    ) -> Poll<FieldError> {
        let found = ready!(self.kind(inside));
        let has_place = match found {
            Kind::Object => token.is_some_and(|token| token.key().is_some()),
            Kind::Array => token.is_some_and(|token| token.index().is_some()),
            _ => false,
        };
        let (path, span, inside) = (name.to_string(), inside.span().unwrap_or_default(), inside.path());
        Poll::Ready(if has_place {
            FieldError::Absent { path, inside, offset: span.end.into() }
        } else {
            FieldError::Impossible { path, inside, found, offset: span.start.into() }
        })
    }

    /// Why a value is not of the kind that was asked for.
    pub(super) fn other_kind(&self, value: ValueRef<'_>, expected: Kind, name: &dyn Display) -> Poll<FieldError> {
        let found = ready!(self.kind(value));
        if !value.is_final() && found == Kind::Number {
            // The text ended in it.
            return self.cut(name, Some(found));
        }
        let offset = value.span().unwrap_or_default().start.into();
        Poll::Ready(FieldError::OtherKind { path: name.to_string(), expected, found, offset })
    }

    /// The kind of a value that is there, for good.
    fn kind(&self, value: ValueRef<'_>) -> Poll<Kind> {
        let kind = value.kind().unwrap_or(Kind::Null);
        // A number may turn out to be text.
        let may_change = !value.is_final() && (kind == Kind::Number || self.may_be_replaced());
        if may_change && self.end.is_none() { Poll::Pending } else { Poll::Ready(kind) }
    }

    /// Whether what is not final may be replaced by something else.
    pub(super) fn may_be_replaced(&self) -> bool {
        self.snapshot.mark.replacing != Replacing::Never
    }
}

/// Reads a final value into a type.
pub(super) fn read<T: DeserializeOwned>(value: ValueRef<'_>) -> Result<T, FieldError> {
    value.deserialize().map_err(|error| FieldError::Unreadable {
        path: value.path(),
        offset: value.span().unwrap_or_default().start.into(),
        error,
    })
}
