//! Models behind an HTTP server.
//!
//! | file | what |
//! |---|---|
//! | `openai`, `anthropic` | one form of request each |
//! | `key`, `address`, `client` | what is needed to ask: the key, where to, and the HTTP client |
//! | `answer` | bytes of a response in, events out; no input or output |
//! | `failure`, `retry` | what kind of failure a response is; whether and when to ask again; no input or output |
//! | `reply` | the driver: sends, reads, waits |

mod address;
mod answer;
mod anthropic;
mod client;
mod failure;
mod key;
mod openai;
mod reply;
mod retry;

use std::fmt;
use std::sync::OnceLock;
use std::time::Duration;

use super::{LanguageModel, ModelError, ModelRequest, ModelStream};
use address::Address;
pub use key::ApiKey;
use reply::Reply;

/// A model behind an HTTP server that streams its answers: chat completions of OpenAI and of all who speak its form
/// ([`HttpModel::openai`]), or messages of Anthropic ([`HttpModel::anthropic`]).
///
/// Each request is one prompt, as the user's turn. What comes back is read by a
/// [`MessageDecoder`](crate::MessageDecoder), so that it does not matter how it is cut, and a server that answers in
/// one piece will do. Its text, its stop reason and its usage are given; reasoning on a channel of its own is not.
///
/// ```no_run
/// use jsonrill::{AccumulationOptions, ApiKey, HttpModel, accumulate};
///
/// # async fn ask() -> Result<(), Box<dyn std::error::Error>> {
/// let model = HttpModel::openai("gpt-5-mini").key(ApiKey::from_env("OPENAI_API_KEY")?);
/// let report = accumulate(&model, "Ten rivers, as a JSON array.", AccumulationOptions::new()).report().await;
/// println!("{}", report.into_complete()?);
/// # Ok(())
/// # }
/// ```
///
/// Any server that speaks one of the two forms will do, one on this machine without a key:
///
/// ```
/// use jsonrill::HttpModel;
///
/// let model = HttpModel::openai("llama3.2").base_url("http://localhost:11434/v1")?;
/// # Ok::<(), jsonrill::ModelError>(())
/// ```
///
/// # Errors
///
/// A response that breaks off has given what came of it, and then an error, which says what kind of thing went wrong,
/// the status, and what the server says about it. No error has the key in it, and neither has `Debug`.
///
/// A server that cannot be reached, that is asked too often (429) or that fails (500, 502, 503, 504, 529), and a
/// connection that is lost before the answer begins, are tried again, after a wait that doubles each time and is a
/// little random, or that the server asks for (`Retry-After`). Once a part of the answer was given, nothing is asked
/// again. Redirects are not followed: the key goes to the address that was named, and nowhere else. The proxies that
/// the environment names (`HTTPS_PROXY`) are used, but not for this machine.
///
/// # Runtime
///
/// The stream has to be polled in a Tokio runtime with input, output and time enabled; outside of any it gives an
/// error. Dropping it closes the connection, from which a server sees that nobody wants the rest.
///
/// # Memory
///
/// That of a [`MessageDecoder`](crate::MessageDecoder) and of one chunk; a response longer than
/// [`max_response_bytes`](HttpModel::max_response_bytes) is an error.
pub struct HttpModel {
    form: Form,
    name: String,
    address: Address,
    key: Option<ApiKey>,
    system: Option<String>,
    max_tokens: Option<u32>,
    temperature: Option<f64>,
    connect_timeout: Duration,
    idle_timeout: Duration,
    timeout: Duration,
    retries: u32,
    max_retry_wait: Duration,
    max_response_bytes: u64,
    client: OnceLock<Result<reqwest::Client, ModelError>>,
}

/// What the server is spoken to in.
#[derive(Debug)]
enum Form {
    OpenAi(openai::Words),
    Anthropic,
}

impl HttpModel {
    /// A model that is asked by OpenAI's chat completions: by OpenAI itself, unless it has another
    /// [address](Self::base_url).
    #[must_use]
    pub fn openai(model: impl Into<String>) -> Self {
        let address = Address::known(openai::BASE);
        Self::new(Form::OpenAi(openai::Words::new(&address.host())), model.into(), address)
    }

    /// A model that is asked by Anthropic's messages: by Anthropic itself, unless it has another
    /// [address](Self::base_url).
    #[must_use]
    pub fn anthropic(model: impl Into<String>) -> Self {
        Self::new(Form::Anthropic, model.into(), Address::known(anthropic::BASE))
    }

    fn new(form: Form, name: String, address: Address) -> Self {
        Self {
            form,
            name,
            address,
            key: None,
            system: None,
            max_tokens: None,
            temperature: None,
            connect_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(120),
            timeout: Duration::from_secs(600),
            retries: 2,
            max_retry_wait: Duration::from_secs(60),
            max_response_bytes: 64 << 20,
            client: OnceLock::new(),
        }
    }

    /// The same at this address, behind which `/chat/completions` or `/messages` stands: `https://example.org/v1`,
    /// or `http://…` for what is near.
    ///
    /// # Errors
    ///
    /// Of the kind [`Setup`](crate::ModelErrorKind::Setup), where it is no such address, or has a user or a password in
    /// it.
    pub fn base_url(mut self, url: &str) -> Result<Self, ModelError> {
        self.address = Address::new(url)?;
        if let Form::OpenAi(words) = &mut self.form {
            *words = openai::Words::new(&self.address.host());
        }
        self.client = OnceLock::new();
        Ok(self)
    }

    /// The same with this key. Without one none is sent.
    #[must_use]
    pub fn key(mut self, key: ApiKey) -> Self {
        self.key = Some(key);
        self
    }

    /// The same with this system prompt before each request. There is none otherwise.
    #[must_use]
    pub fn system(mut self, prompt: impl Into<String>) -> Self {
        self.system = Some(prompt.into());
        self
    }

    /// The same with responses of at most so many tokens. Otherwise it is up to the server, and 8192 with
    /// [`anthropic`](Self::anthropic), which wants to be told.
    #[must_use]
    pub const fn max_tokens(mut self, tokens: u32) -> Self {
        self.max_tokens = Some(tokens);
        self
    }

    /// The same at this temperature. Otherwise it is up to the server; some models take no other.
    #[must_use]
    pub const fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
        self
    }

    /// The same with so much time for a connection. 10 seconds otherwise.
    #[must_use]
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self.client = OnceLock::new();
        self
    }

    /// The same where the server may send nothing for so long: before the response, and within. 120 seconds otherwise.
    #[must_use]
    pub const fn idle_timeout(mut self, timeout: Duration) -> Self {
        self.idle_timeout = timeout;
        self
    }

    /// The same with so much time for a request and its whole response, with all that is tried again and the time that
    /// the reader of the stream takes. 10 minutes otherwise.
    #[must_use]
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// The same where a request that fails is tried again so many times. 2 otherwise.
    #[must_use]
    pub const fn retries(mut self, retries: u32) -> Self {
        self.retries = retries;
        self
    }

    /// The same where a server may ask to be left alone for so long before it is tried again. One that asks for more is
    /// not tried again. 60 seconds otherwise.
    #[must_use]
    pub const fn max_retry_wait(mut self, wait: Duration) -> Self {
        self.max_retry_wait = wait;
        self
    }

    /// The same where a response may have so many bytes, with all that is around its text. 64 MiB otherwise.
    #[must_use]
    pub const fn max_response_bytes(mut self, bytes: u64) -> Self {
        self.max_response_bytes = bytes;
        self
    }
}

impl LanguageModel for HttpModel {
    fn respond(&self, request: ModelRequest) -> ModelStream<'_> {
        let reply = Reply::new(self, request.prompt);
        Box::pin(futures_util::stream::try_unfold(reply, Reply::next))
    }
}

impl fmt::Debug for HttpModel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let form = match self.form {
            Form::OpenAi(_) => "openai",
            Form::Anthropic => "anthropic",
        };
        formatter
            .debug_struct("HttpModel")
            .field("form", &form)
            .field("name", &self.name)
            .field("address", &self.address)
            .field("key", &self.key)
            .field("max_tokens", &self.max_tokens)
            .field("temperature", &self.temperature)
            .field("timeout", &self.timeout)
            .field("retries", &self.retries)
            .finish_non_exhaustive()
    }
}
