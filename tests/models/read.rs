//! What a model gives.

use futures::StreamExt;
use jsonrill::{LanguageModel, ModelError, ModelEvent, ModelRequest, Purpose, Usage};

/// All of a response.
#[derive(Debug)]
pub struct Given {
    pub text: String,
    /// The last one that was said.
    pub stop_reason: Option<String>,
    pub usage: Option<Usage>,
    /// How many pieces the text came in.
    pub pieces: usize,
    pub error: Option<ModelError>,
}

impl Given {
    /// The error that it ends with.
    #[track_caller]
    pub fn error(&self) -> &ModelError {
        self.error.as_ref().unwrap_or_else(|| panic!("no error: {self:?}"))
    }

    /// The same, if there is no error.
    #[track_caller]
    pub fn good(self) -> Self {
        assert!(self.error.is_none(), "{self:?}");
        self
    }
}

pub fn request(prompt: &str) -> ModelRequest {
    ModelRequest::new(Purpose::Answer, prompt)
}

/// Asks, and reads to the end.
pub async fn ask(model: &dyn LanguageModel, prompt: &str) -> Given {
    let mut given = Given { text: String::new(), stop_reason: None, usage: None, pieces: 0, error: None };
    let mut response = model.respond(request(prompt));
    while let Some(event) = response.next().await {
        assert!(given.error.is_none(), "an error is the last thing");
        match event {
            Ok(ModelEvent::Text(text)) => {
                assert!(!text.is_empty());
                given.pieces += 1;
                given.text.push_str(&text);
            }
            Ok(ModelEvent::Stopped(reason)) => given.stop_reason = Some(reason.as_str().to_owned()),
            Ok(ModelEvent::Usage(usage)) => given.usage = Some(usage),
            Ok(other) => panic!("{other:?}"),
            Err(error) => given.error = Some(error),
        }
    }
    given
}
