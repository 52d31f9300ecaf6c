//! What goes wrong with a model.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// A model could not be asked, or its response broke off. What it had said before that is kept by whoever read it.
///
/// ```
/// use std::error::Error;
///
/// use jsonrill::ModelError;
///
/// let lost = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
/// let error = ModelError::new("the connection was lost").with_source(lost);
/// assert_eq!(error.to_string(), "the connection was lost");
/// assert!(error.source().is_some());
/// ```
#[derive(Debug, Clone)]
pub struct ModelError {
    message: String,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

impl ModelError {
    /// An error with this message: lower case, without a full stop.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), source: None }
    }

    /// The same, with what it comes from.
    #[must_use]
    pub fn with_source(mut self, source: impl Error + Send + Sync + 'static) -> Self {
        self.source = Some(Arc::new(source));
        self
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl Error for ModelError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_ref().map(|source| &**source as _)
    }
}
