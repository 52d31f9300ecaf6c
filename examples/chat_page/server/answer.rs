//! One answer: a task reads the model, and whoever wants looks at what there is by then.

use std::sync::Arc;

use jsonrill::{Choice, Message, MessageDecoder, MessageErrorKind, MessageEvent, Parser, Snapshot, ToolCall};
use serde::Serialize;
use tokio::sync::{Notify, Semaphore, watch};
use tokio::time::sleep;

use super::recording::Recording;

/// How fast a recording is replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// With the pauses that it has.
    Recorded,
    /// Without pauses.
    Fast,
    /// One read for each step that is asked for: for tests, which must not depend on time.
    #[allow(dead_code)]
    Steps,
}

pub struct Answer {
    pub recording: Arc<Recording>,
    pub question: String,
    progress: watch::Sender<Progress>,
    stop: Notify,
    steps: Semaphore,
}

/// All there is of an answer by now.
pub struct Progress {
    /// What was known after each change, from nothing on. An event's id is the number of the moment that it leads to.
    ///
    /// A moment is a place in the document's log and costs no copy of it, so all of them are kept, and no events.
    pub moments: Vec<Moment>,
    /// What came beside the answer's text: the model's reasoning, and what is known of its tool calls, in order.
    pub thinking: String,
    pub calls: Vec<Call>,
    pub ending: Option<Ending>,
    /// How many reads of the recording there were.
    pub reads: usize,
    /// How often all viewers were disconnected.
    pub disconnections: usize,
}

#[derive(Clone)]
pub struct Moment {
    pub snapshot: Snapshot,
    /// How much of [`Progress::thinking`] and [`Progress::calls`] there was.
    pub thinking: usize,
    pub calls: usize,
    pub has_ended: bool,
}

#[derive(Debug, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Call {
    Started {
        call: usize,
        name: String,
    },
    /// It can be acted on now, and not before.
    Final {
        call: usize,
        arguments: Snapshot,
    },
}

/// How the answer ended.
#[derive(Debug, Serialize)]
pub struct Ending {
    /// What the answer's JSON amounts to.
    pub outcome: &'static str,
    /// In the provider's word.
    pub stop_reason: Option<String>,
    /// What went wrong on the way.
    pub errors: Vec<String>,
    pub repairs: usize,
    /// Somebody stopped it.
    pub is_stopped: bool,
}

impl Progress {
    fn new() -> Self {
        let nothing = Moment { snapshot: Parser::new().snapshot(), thinking: 0, calls: 0, has_ended: false };
        Self {
            moments: vec![nothing],
            thinking: String::new(),
            calls: Vec::new(),
            ending: None,
            reads: 0,
            disconnections: 0,
        }
    }

    pub fn newest(&self) -> usize {
        self.moments.len() - 1
    }

    /// Takes what is new in a message, and keeps this moment if that is anything to a viewer.
    fn advance(&mut self, events: Vec<MessageEvent>, message: &Message) {
        for event in events {
            match event {
                MessageEvent::Reasoning { text, .. } => self.thinking.push_str(&text),
                MessageEvent::CallStarted { call, .. } => {
                    let name = message.tool_calls().get(call).map_or("", ToolCall::name).to_owned();
                    self.calls.push(Call::Started { call, name });
                }
                MessageEvent::CallFinal { call, .. } => {
                    let arguments = message.tool_calls().get(call).and_then(ToolCall::arguments).cloned();
                    self.calls.extend(arguments.map(|arguments| Call::Final { call, arguments }));
                }
                // The answer's text is read from the message, which has it as JSON.
                _ => {}
            }
        }
        let snapshot = message.choice(0).map(Choice::json);
        let last = &self.moments[self.newest()];
        let moment = Moment {
            snapshot: snapshot.unwrap_or(&last.snapshot).clone(),
            thinking: self.thinking.len(),
            calls: self.calls.len(),
            has_ended: self.ending.is_some(),
        };
        if last.differs(&moment) {
            self.moments.push(moment);
        }
    }
}

impl Answer {
    /// Begins to read a recording, in a task of its own.
    pub fn start(recording: Arc<Recording>, question: String, pace: Pace) -> Arc<Self> {
        let answer = Arc::new(Self {
            recording,
            question,
            progress: watch::Sender::new(Progress::new()),
            stop: Notify::new(),
            steps: Semaphore::new(0),
        });
        tokio::spawn(Arc::clone(&answer).read(pace));
        answer
    }

    /// Tells of everything that comes, beginning with what there is.
    pub fn watch(&self) -> watch::Receiver<Progress> {
        self.progress.subscribe()
    }

    /// Asks the model to stop, and waits until it has. What it said is kept.
    pub async fn stop(&self) {
        self.give_up();
        let _ = self.watch().wait_for(|progress| progress.ending.is_some()).await;
    }

    /// Asks the model to stop.
    pub fn give_up(&self) {
        self.stop.notify_one();
    }

    /// Ends the connections of all viewers, as a network would.
    pub fn disconnect(&self) {
        self.progress.send_modify(|progress| progress.disconnections += 1);
    }

    /// Allows so many reads, and waits until they are done: the number of the newest moment, and whether it is the end.
    pub async fn step(&self, reads: usize) -> (usize, bool) {
        let all = self.recording.reads.len();
        let mut progress = self.watch();
        let wanted = progress.borrow().reads.saturating_add(reads).min(all);
        self.steps.add_permits(reads.min(all));
        let done = |progress: &Progress| progress.reads >= wanted && progress.reads < all;
        let _ = progress.wait_for(|progress| progress.ending.is_some() || done(progress)).await;
        let progress = progress.borrow();
        (progress.newest(), progress.ending.is_some())
    }

    async fn read(self: Arc<Self>, pace: Pace) {
        let mut decoder = MessageDecoder::new();
        let mut reads = self.recording.reads.iter();
        let is_stopped = loop {
            let Some(read) = reads.next() else { break false };
            let turn = async {
                match pace {
                    Pace::Recorded => sleep(read.pause()).await,
                    // Others have a turn, too.
                    Pace::Fast => tokio::task::yield_now().await,
                    Pace::Steps => {
                        let permit = self.steps.acquire().await;
                        permit.into_iter().for_each(tokio::sync::SemaphorePermit::forget);
                    }
                }
            };
            tokio::select! {
                biased;
                () = self.stop.notified() => break true,
                () = turn => {}
            }
            let events: Vec<_> = decoder.push(read.1.as_bytes()).collect();
            self.progress.send_modify(|progress| {
                progress.reads += 1;
                progress.advance(events, decoder.message());
            });
        };
        // The end settles what was held, so it may bring something, too.
        let events: Vec<_> = decoder.finish().collect();
        self.progress.send_modify(|progress| {
            progress.ending = Some(Ending::new(decoder.message(), is_stopped));
            progress.advance(events, decoder.message());
        });
    }
}

impl Ending {
    fn new(message: &Message, is_stopped: bool) -> Self {
        let finished = message.choice(0).and_then(Choice::finished);
        // That a response which was stopped has no end is no news.
        let is_news = |kind| !(is_stopped && kind == MessageErrorKind::Unended);
        Self {
            outcome: finished.map_or("empty", |finished| finished.outcome().as_str()),
            stop_reason: message.stop_reason().map(|reason| reason.as_str().to_owned()),
            errors: message.errors().iter().filter(|error| is_news(error.kind)).map(ToString::to_string).collect(),
            repairs: finished.map_or(0, |finished| finished.repairs().len()),
            is_stopped,
        }
    }
}
