//! The driver: starts a program, serves it, ends it.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use futures_util::future::{Either, select};
use process_wrap::tokio::{ChildWrapper, CommandWrap};
use tokio::process::Command;
use tokio::runtime::Handle;
use tokio::time::{Instant, timeout, timeout_at};

use crate::model::{ModelError, ModelErrorKind, ModelEvent};
use crate::parser::{Piece, Utf8};

use super::CommandModel;
use super::pipes::Pipes;

/// How long what is left of a program is waited for when it was killed: its own end, and that of its streams, which
/// only a child that has left the group still holds.
const LINGER: Duration = Duration::from_secs(1);

/// A program that answers a prompt.
pub(super) struct Run<'m> {
    model: &'m CommandModel,
    prompt: String,
    program: Option<Program>,
    /// When it has to be over. None where that is for ever.
    deadline: Option<Instant>,
}

impl<'m> Run<'m> {
    pub(super) fn new(model: &'m CommandModel, prompt: String) -> Self {
        Self { model, prompt, program: None, deadline: None }
    }

    /// The next event.
    pub(super) async fn next(mut self) -> Result<Option<(ModelEvent, Self)>, ModelError> {
        let program = match &mut self.program {
            Some(program) => program,
            none => {
                let program = self.model.start(std::mem::take(&mut self.prompt))?;
                self.deadline = Instant::now().checked_add(self.model.timeout);
                none.insert(program)
            }
        };
        let event = match by(self.deadline, program.next(self.model)).await {
            Some(event) => event,
            None => Err(self
                .model
                .error(ModelErrorKind::Timeout, &format!("has not ended within {:?}", self.model.timeout))),
        };
        if event.is_err() {
            program.end().await;
        }
        Ok(event?.map(|event| (event, self)))
    }
}

/// What comes of this until then.
async fn by<T>(deadline: Option<Instant>, coming: impl Future<Output = T>) -> Option<T> {
    match deadline {
        // One that prints without a pause would never let the clock have its turn.
        Some(deadline) if deadline <= Instant::now() => None,
        Some(deadline) => timeout_at(deadline, coming).await.ok(),
        None => Some(coming.await),
    }
}

/// A program that runs.
struct Program {
    child: Group,
    pipes: Pipes,
    utf8: Utf8,
    /// How many bytes it may still print.
    room: u64,
    /// What is wrong behind what was given.
    error: Option<ModelError>,
    has_closed: bool,
    status: Option<ExitStatus>,
    has_ended: bool,
}

/// A program and all that it has started. They end with this value; what they leave is reaped by the runtime.
struct Group {
    child: Box<dyn ChildWrapper>,
    /// It was killed when the program had ended. After that its number may be another's.
    is_over: bool,
}

impl Group {
    /// Waits for the program's own end, and then ends what it has left.
    async fn wait(&mut self) -> io::Result<ExitStatus> {
        let status = self.child.wait().await?;
        self.kill();
        self.is_over = true;
        Ok(status)
    }

    fn kill(&mut self) {
        if !self.is_over {
            // Where nobody is left, there is nobody to kill.
            let _ = self.child.start_kill();
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Program {
    /// The next part of its answer. None at its end.
    async fn next(&mut self, model: &CommandModel) -> Result<Option<ModelEvent>, ModelError> {
        loop {
            if let Some(error) = self.error.take() {
                return Err(error);
            }
            if self.has_ended {
                return Ok(None);
            }
            let text = if let Some(length) = self.read(model).await? {
                self.take(length, model)
            } else {
                self.has_ended = true;
                self.error = self.failure(model).await;
                // It ended inside a character.
                if self.utf8.held() > 0 { char::REPLACEMENT_CHARACTER.to_string() } else { String::new() }
            };
            if !text.is_empty() {
                return Ok(Some(ModelEvent::Text(text)));
            }
        }
    }

    /// How many bytes it has printed. None when it prints no more and has ended.
    async fn read(&mut self, model: &CommandModel) -> Result<Option<usize>, ModelError> {
        loop {
            let printed = match (self.status, self.has_closed) {
                (Some(_), true) => return Ok(None),
                (Some(_), false) => timeout(LINGER, self.pipes.output()).await.unwrap_or(Ok(0)),
                (None, _) => match self.output_or_end().await {
                    Either::Left(printed) => printed,
                    Either::Right(status) => {
                        self.status = Some(status.map_err(|error| {
                            model.error(ModelErrorKind::Other, "cannot be waited for").with_source(error)
                        })?);
                        continue;
                    }
                },
            };
            match printed {
                Ok(0) => self.has_closed = true,
                Ok(length) => return Ok(Some(length)),
                Err(error) => {
                    let what = format!("cannot be read from: {error}");
                    return Err(model.error(ModelErrorKind::Interrupted, &what).with_source(error));
                }
            }
        }
    }

    /// How many bytes it prints next, or how it ends.
    async fn output_or_end(&mut self) -> Either<io::Result<usize>, io::Result<ExitStatus>> {
        let Self { child, pipes, has_closed, .. } = self;
        let output = pin!(async {
            if *has_closed {
                pipes.serve().await;
            }
            pipes.output().await
        });
        let end = pin!(child.wait());
        let first = select(output, end).await;
        match first {
            Either::Left((printed, _)) => Either::Left(printed),
            Either::Right((status, _)) => Either::Right(status),
        }
    }

    /// What it has printed, as text.
    fn take(&mut self, length: usize, model: &CommandModel) -> String {
        let mut text = String::new();
        let printed = self.pipes.printed(length);
        let room = usize::try_from(self.room).unwrap_or(usize::MAX);
        self.room = self.room.saturating_sub(length as u64);
        let Ok(()) = self.utf8.pieces(printed.get(..room).unwrap_or(printed), |piece| {
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Invalid(_) => text.push(char::REPLACEMENT_CHARACTER),
            }
            Ok::<(), std::convert::Infallible>(())
        });
        if length > room {
            let what = format!("prints more than the limit of {} bytes", model.max_response_bytes);
            self.error = Some(model.error(ModelErrorKind::Protocol, &what));
        }
        text
    }

    /// What is wrong with how it ended.
    async fn failure(&mut self, model: &CommandModel) -> Option<ModelError> {
        let status = self.status.filter(|status| !status.success())?;
        let _ = timeout(LINGER, self.pipes.end_of_complaint()).await;
        let complaint = self.pipes.complaint();
        let colon = if complaint.is_empty() { "" } else { ": " };
        Some(model.error(ModelErrorKind::Unavailable, &format!("ended with {status}{colon}{complaint}")))
    }

    /// Ends it before its time.
    async fn end(&mut self) {
        self.child.kill();
        let _ = timeout(LINGER, self.child.wait()).await;
    }
}

impl CommandModel {
    fn start(&self, prompt: String) -> Result<Program, ModelError> {
        if Handle::try_current().is_err() {
            return Err(self.error(ModelErrorKind::Setup, "is asked outside of a Tokio runtime"));
        }
        let mut command = Command::new(&self.program);
        command.args(&self.args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if self.is_env_cleared {
            command.env_clear();
        }
        for (name, value) in &self.env {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(process_wrap::tokio::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::tokio::KillOnDrop).wrap(process_wrap::tokio::JobObject);
        let child = command.spawn().map_err(|error| {
            self.error(ModelErrorKind::Setup, &format!("cannot be started: {error}")).with_source(error)
        })?;
        let mut child = Group { child, is_over: false };
        let pipes = Pipes::new(&mut *child.child, prompt);
        Ok(Program {
            child,
            pipes,
            utf8: Utf8::default(),
            room: self.max_response_bytes,
            error: None,
            has_closed: false,
            status: None,
            has_ended: false,
        })
    }

    /// What the program does wrong.
    fn error(&self, kind: ModelErrorKind, what: &str) -> ModelError {
        ModelError::of_kind(kind, format!("the program {} {what}", self.program.display()))
    }
}

#[cfg(test)]
mod tests {
    use std::future::ready;

    use super::*;

    #[tokio::test]
    async fn the_time_is_over_for_what_is_ready_too() {
        assert_eq!(by(Some(Instant::now()), ready(1)).await, None);
        assert_eq!(by(Some(Instant::now() + Duration::from_secs(3600)), ready(1)).await, Some(1));
        assert_eq!(by(None, ready(1)).await, Some(1));
    }
}
