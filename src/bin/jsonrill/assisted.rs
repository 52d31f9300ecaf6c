//! `jsonrill repair --model`: a model that is asked where the rules are not enough.

#[cfg(feature = "command")]
use std::pin::pin;
#[cfg(all(feature = "command", unix))]
use std::task::Poll;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use jsonrill::{AssistedOptions, AssistedReport, repair_assisted};

use crate::model::ModelArgs;

/// Options of a repair that may ask a model.
#[derive(Debug, Args)]
pub(crate) struct AssistedArgs {
    #[command(flatten)]
    model: ModelArgs,

    /// How often the model is asked at most.
    #[arg(long, value_name = "N", requires = "model", help_heading = "Model", default_value_t = 2)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=5))]
    attempts: u32,

    /// When the model is asked.
    #[arg(long, value_enum, requires = "model", help_heading = "Model", default_value_t = Ask::Needed)]
    ask: Ask,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Ask {
    /// Where the rules are not enough.
    Needed,
    /// Where they repair anything at all.
    Always,
}

impl AssistedArgs {
    /// Whether a model is named.
    pub(crate) fn is_asked(&self) -> bool {
        self.model.is_named()
    }

    /// Repairs the text with the model that is named. None if none is.
    pub(crate) fn repair(&self, source: &[u8], options: &AssistedOptions) -> Result<Option<AssistedReport>> {
        let Some(model) = self.model.build(None)? else { return Ok(None) };
        let mut assisted = options.clone().attempts(self.attempts).ask(match self.ask {
            Ask::Needed => jsonrill::Ask::WhenNeeded,
            Ask::Always => jsonrill::Ask::Always,
        });
        if let Some(timeout) = self.model.timeout() {
            assisted = assisted.timeout(timeout);
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("no runtime")?;
        // A prompt is text.
        let text = String::from_utf8_lossy(source);
        let repaired = runtime.block_on(async {
            let repairing = repair_assisted(&model, text, assisted, None, tokio::time::sleep);
            #[cfg(feature = "command")]
            if self.model.is_program() {
                return unless_interrupted(repairing).await;
            }
            anyhow::Ok(repairing.await)
        })?;
        Ok(Some(repaired))
    }
}

/// What comes of this, unless this process is to end. The model's program has to end with it then: it is in a group of
/// its own, so the terminal does not tell it.
#[cfg(feature = "command")]
async fn unless_interrupted<T>(coming: impl Future<Output = T>) -> Result<T> {
    use futures_util::future::{Either, select};

    #[cfg(unix)]
    let interrupted = {
        use tokio::signal::unix::{SignalKind, signal};

        let mut signals = Vec::new();
        for kind in [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()] {
            signals.push(signal(kind).context("cannot listen to signals")?);
        }
        std::future::poll_fn(move |context| {
            let is_any = signals.iter_mut().any(|signal| signal.poll_recv(context).is_ready());
            if is_any { Poll::Ready(()) } else { Poll::Pending }
        })
    };
    #[cfg(not(unix))]
    let interrupted = tokio::signal::ctrl_c();
    match select(pin!(coming), pin!(interrupted)).await {
        Either::Left((came, _)) => Ok(came),
        Either::Right(_) => anyhow::bail!("interrupted"),
    }
}
