//! The server of the page, in this process, and a client for it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use jsonrill::{MessageDecoder, Op, SseDecoder, apply_all};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::server::{Pace, Server};

/// All recordings, by their ids.
pub const SCENARIOS: [&str; 5] = ["broken_cases", "charged_twice", "tasting", "birthday", "cider"];

/// When a test fails because nothing comes. No test waits for it otherwise.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub struct Site {
    pub address: SocketAddr,
    runtime: Option<Runtime>,
}

impl Site {
    pub fn new(pace: Pace) -> Self {
        Self::at((Ipv4Addr::LOCALHOST, 0).into(), pace)
    }

    fn at(address: SocketAddr, pace: Pace) -> Self {
        let runtime = Runtime::new().unwrap();
        let listener = runtime.block_on(TcpListener::bind(address)).unwrap();
        let address = listener.local_addr().unwrap();
        let router = Server::new(pace).unwrap().router();
        runtime.spawn(async move { axum::serve(listener, router).await });
        Self { address, runtime: Some(runtime) }
    }

    /// Ends the server, and starts another one in its place.
    pub fn restart(&mut self) {
        // All its connections end with it.
        drop(self.runtime.take());
        *self = Self::at(self.address, Pace::Steps);
    }

    /// One whose answers read on when a test says so.
    pub fn stepwise() -> Self {
        Self::new(Pace::Steps)
    }

    pub fn get(&self, path: &str) -> Response {
        self.request("GET", path, &[], "")
    }

    pub fn post(&self, path: &str) -> Response {
        self.request("POST", path, &[], "")
    }

    pub fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Response {
        let host = self.address.to_string();
        self.request_as(&host, method, path, headers, body)
    }

    /// Asks under a name. In HTTP/1.0, whose bodies end where the connection does.
    pub fn request_as(&self, host: &str, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Response {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let headers: Vec<_> = headers.iter().map(|(name, value)| [name, ": ", value, "\r\n"].concat()).collect();
        let headers = headers.concat();
        let length = body.len();
        write!(stream, "{method} {path} HTTP/1.0\r\nHost: {host}\r\nContent-Length: {length}\r\n{headers}\r\n{body}")
            .unwrap();
        let mut reader = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(reader.read_line(&mut head).unwrap() > 0, "the head breaks off: {head}");
        }
        Response { head: head.to_ascii_lowercase(), reader }
    }

    /// Asks for a recording: the answer's id.
    pub fn ask(&self, scenario: &str) -> String {
        let body = json!({"scenario": scenario, "question": "Well?"}).to_string();
        let response = self.request("POST", "/answers", &[("Content-Type", "application/json")], &body);
        assert_eq!(response.status(), 201);
        response.json()["id"].as_str().unwrap().to_owned()
    }

    /// Lets an answer read so many chunks: its newest event, and whether it has ended.
    pub fn step(&self, answer: &str, reads: usize) -> (usize, bool) {
        let report = self.post(&format!("/answers/{answer}/step/{reads}")).json();
        (usize::try_from(report["newest"].as_u64().unwrap()).unwrap(), report["has_ended"] == true)
    }

    /// The events behind this one.
    pub fn events(&self, answer: &str, last: Option<usize>) -> Events {
        let last = last.map(|last| last.to_string());
        let headers: Vec<_> = last.iter().map(|last| ("Last-Event-ID", last.as_str())).collect();
        let response = self.request("GET", &format!("/answers/{answer}/events"), &headers, "");
        assert_eq!((response.status(), response.header("content-type")), (200, Some("text/event-stream")));
        Events { reader: response.reader, decoder: SseDecoder::new(), ready: Vec::new() }
    }
}

pub struct Response {
    head: String,
    reader: BufReader<TcpStream>,
}

impl Response {
    pub fn status(&self) -> u16 {
        self.head.split(' ').nth(1).unwrap().parse().unwrap()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    pub fn text(mut self) -> String {
        let mut text = String::new();
        self.reader.read_to_string(&mut text).unwrap();
        text
    }

    #[track_caller]
    pub fn json(self) -> Value {
        let status = self.status();
        let text = self.text();
        serde_json::from_str(&text).unwrap_or_else(|_| panic!("status {status}, no JSON: {text}"))
    }
}

/// The events of one connection, to its end.
pub struct Events {
    reader: BufReader<TcpStream>,
    decoder: SseDecoder,
    ready: Vec<Event>,
}

#[derive(Debug, Clone)]
pub struct Event {
    pub id: usize,
    pub data: Value,
}

impl Iterator for Events {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let start = Instant::now();
        while self.ready.is_empty() {
            // The comments that keep a connection alive would keep a test waiting for ever.
            assert!(start.elapsed() < PATIENCE, "no event comes");
            let chunk = self.reader.fill_buf().unwrap().to_vec();
            self.reader.consume(chunk.len());
            if chunk.is_empty() {
                return None;
            }
            self.ready.extend(self.decoder.push(&chunk).map(|event| {
                let event = event.unwrap();
                Event { id: event.id.parse().unwrap(), data: serde_json::from_str(&event.data).unwrap() }
            }));
        }
        Some(self.ready.remove(0))
    }
}

/// What a viewer knows: everything that its events said.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Known {
    pub answer: Value,
    /// The paths that were said to be final, in order.
    pub finals: Vec<String>,
    pub outside: String,
    /// Whether that was before the JSON, and changes of that.
    pub before: Vec<bool>,
    pub thinking: String,
    pub calls: Vec<Value>,
    pub end: Value,
}

impl Known {
    pub fn take(&mut self, event: &Event) {
        let ops: Vec<Op> = serde_json::from_value(event.data["ops"].clone()).unwrap();
        apply_all(&ops, &mut self.answer).unwrap();
        self.finals.extend(ops.iter().filter(|op| op.name() == "final").map(|op| op.path().to_owned()));
        for outside in event.data["outside"].as_array().into_iter().flatten() {
            self.outside += outside["text"].as_str().unwrap();
            self.before.push(outside["is_before"] == true);
        }
        self.before.dedup();
        self.thinking += event.data["thinking"].as_str().unwrap_or_default();
        self.calls.extend(event.data["calls"].as_array().into_iter().flatten().cloned());
        self.end = event.data["end"].clone();
    }

    pub fn all(events: impl Iterator<Item = Event>) -> Self {
        let mut known = Self::default();
        events.for_each(|event| known.take(&event));
        known
    }

    pub fn bubbles(&self) -> Vec<&str> {
        let bubbles = self.answer["bubbles"].as_array();
        bubbles.into_iter().flatten().map(|bubble| bubble["text"].as_str().unwrap_or_default()).collect()
    }

    pub fn is_final(&self, path: &str) -> bool {
        self.finals.iter().any(|known| known == path)
    }
}

/// What a recording amounts to, read at once and without the server.
pub fn expected(scenario: &str) -> Value {
    let file = format!("{}/examples/chat_page/recordings/{scenario}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let mut decoder = MessageDecoder::new();
    for line in std::fs::read_to_string(file).unwrap().lines().skip(1) {
        let (_, read): (u64, String) = serde_json::from_str(line).unwrap();
        decoder.push(read.as_bytes());
    }
    decoder.finish();
    decoder.message().json().unwrap().to_value()
}
