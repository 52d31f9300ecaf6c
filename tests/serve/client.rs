//! A client that has its hands on every byte: HTTP/1.1, with bodies in chunks that leave when a test says so.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

use jsonrill::SseDecoder;
use serde_json::Value;

use crate::server::PATIENCE;

#[derive(Clone, Debug)]
pub struct Request {
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    pub fn new(method: &str, path: &str) -> Self {
        Self { method: method.to_owned(), path: path.to_owned(), headers: Vec::new(), body: Vec::new() }
    }

    pub fn get(path: &str) -> Self {
        Self::new("GET", path)
    }

    /// A post of text.
    pub fn text(path: &str, body: impl AsRef<[u8]>) -> Self {
        Self::new("POST", path).header("content-type", "text/plain").body(body)
    }

    /// A post of JSON.
    pub fn json(path: &str, body: impl AsRef<[u8]>) -> Self {
        Self::new("POST", path).header("content-type", "application/json").body(body)
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn token(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }

    pub fn body(mut self, body: impl AsRef<[u8]>) -> Self {
        self.body = body.as_ref().to_vec();
        self
    }

    fn head(&self, framing: &str, host: &str) -> String {
        let mut head = format!("{} {} HTTP/1.1\r\n{framing}\r\n", self.method, self.path);
        if !self.headers.iter().any(|(name, _)| name == "host") {
            head.extend(["host: ", host, "\r\n"]);
        }
        for (name, value) in &self.headers {
            head.extend([name, ": ", value, "\r\n"]);
        }
        head + "\r\n"
    }
}

/// A connection.
pub struct Client {
    reader: BufReader<TcpStream>,
    writer: TcpStream,
    host: String,
}

impl Client {
    pub fn new(address: SocketAddr) -> Self {
        let writer = TcpStream::connect(address).unwrap();
        writer.set_read_timeout(Some(PATIENCE)).unwrap();
        writer.set_write_timeout(Some(PATIENCE)).unwrap();
        writer.set_nodelay(true).unwrap();
        Self { reader: BufReader::new(writer.try_clone().unwrap()), writer, host: address.to_string() }
    }

    /// Sends a request, and reads its response.
    #[allow(clippy::needless_pass_by_value)] // it is made for this
    pub fn ask(&mut self, request: Request) -> Response {
        self.send(&request);
        let head = request.method == "HEAD";
        self.response(head)
    }

    /// Sends a request.
    pub fn send(&mut self, request: &Request) {
        let head = request.head(&format!("content-length: {}", request.body.len()), &self.host);
        self.write(head.as_bytes());
        self.write(&request.body);
    }

    /// Sends the head of a request whose body comes in chunks.
    pub fn begin(&mut self, request: &Request) {
        let head = request.head("transfer-encoding: chunked", &self.host);
        self.write(head.as_bytes());
    }

    /// Sends the head of a request that promises so many bytes.
    pub fn promise(&mut self, request: &Request, length: u64) {
        let head = request.head(&format!("content-length: {length}"), &self.host);
        self.write(head.as_bytes());
    }

    /// Sends a chunk.
    pub fn chunk(&mut self, chunk: impl AsRef<[u8]>) {
        let chunk = chunk.as_ref();
        if !chunk.is_empty() {
            let framed = [format!("{:x}\r\n", chunk.len()).as_bytes(), chunk, b"\r\n"].concat();
            self.write(&framed);
        }
    }

    /// Ends a body that comes in chunks.
    pub fn end(&mut self) {
        self.write(b"0\r\n\r\n");
    }

    /// Writes bytes. A server that has said its last may not take them.
    pub fn write(&mut self, bytes: &[u8]) {
        let _ = self.writer.write_all(bytes);
    }

    /// Whether the server has closed the connection.
    pub fn is_closed(&mut self) -> bool {
        self.reader.read(&mut [0]).is_ok_and(|count| count == 0)
    }

    /// The head of a response.
    pub fn head(&mut self) -> Head {
        let mut lines = Vec::new();
        loop {
            let line = self.line();
            if line.is_empty() {
                break;
            }
            lines.push(line);
        }
        let status = lines.first().and_then(|line| line.split(' ').nth(1)).and_then(|status| status.parse().ok());
        let headers = lines.iter().skip(1).filter_map(|line| line.split_once(": "));
        Head {
            status: status.unwrap_or_else(|| panic!("no status: {lines:?}")),
            headers: headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect(),
        }
    }

    fn response(&mut self, is_head: bool) -> Response {
        let head = self.head();
        let mut body = Vec::new();
        if is_head {
        } else if head.get("transfer-encoding") == Some("chunked") {
            while let Some(chunk) = self.read_chunk() {
                body.extend(chunk);
            }
        } else if let Some(length) = head.get("content-length") {
            body.resize(length.parse().unwrap(), 0);
            self.reader.read_exact(&mut body).unwrap();
        }
        Response { head, body }
    }

    /// The response to what was sent.
    pub fn answer(&mut self) -> Response {
        self.response(false)
    }

    /// The events of a response whose head comes next.
    pub fn events(self) -> Events {
        let mut client = self;
        let head = client.head();
        assert_eq!((head.status, head.get("content-type")), (200, Some("text/event-stream")));
        assert_eq!(head.get("transfer-encoding"), Some("chunked"));
        Events { client, decoder: SseDecoder::new(), ready: Vec::new().into_iter(), raw: String::new(), is_over: false }
    }

    /// The next chunk of a body; `None` behind the last.
    fn read_chunk(&mut self) -> Option<Vec<u8>> {
        let line = self.line();
        let size = usize::from_str_radix(&line, 16).unwrap_or_else(|_| panic!("no size of a chunk: {line:?}"));
        let mut chunk = vec![0; size];
        self.reader.read_exact(&mut chunk).unwrap();
        assert_eq!(self.line(), "");
        (size > 0).then_some(chunk)
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        let count = self.reader.read_line(&mut line).unwrap();
        assert!(count > 0, "the connection is closed");
        line.trim_end().to_owned()
    }
}

#[derive(Debug)]
pub struct Head {
    pub status: u16,
    pub headers: Vec<(String, String)>,
}

impl Head {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

#[derive(Debug)]
pub struct Response {
    pub head: Head,
    pub body: Vec<u8>,
}

impl Response {
    pub fn status(&self) -> u16 {
        self.head.status
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.get(name)
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    #[track_caller]
    pub fn value(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| {
            panic!("status {}, {error}: {}", self.status(), String::from_utf8_lossy(&self.body))
        })
    }

    /// What an error says, which has the one shape.
    #[track_caller]
    pub fn refused(&self, status: u16) -> String {
        let value = self.value();
        assert_eq!((self.status(), self.header("content-type")), (status, Some("application/json")), "{value}");
        assert_eq!((&value["code"], &value["success"]), (&status.into(), &false.into()), "{value}");
        value["message"].as_str().unwrap().to_owned()
    }

    /// The same, where there is nothing else in it.
    #[track_caller]
    pub fn refused_plainly(&self, status: u16) -> String {
        assert_eq!(self.value().as_object().unwrap().len(), 3, "{}", self.text());
        self.refused(status)
    }
}

/// The events of a stream that is still open, in both directions.
pub struct Events {
    pub client: Client,
    decoder: SseDecoder,
    ready: std::vec::IntoIter<(String, Value)>,
    /// Everything that was sent, comments as well.
    pub raw: String,
    is_over: bool,
}

impl Events {
    /// Sends a piece, and reads the event that it brings.
    pub fn feed(&mut self, piece: impl AsRef<[u8]>) -> (String, Value) {
        self.client.chunk(piece);
        self.next().unwrap()
    }

    /// Ends the request, and reads the rest.
    pub fn finish(mut self) -> Vec<(String, Value)> {
        self.client.end();
        self.by_ref().collect()
    }

    /// Reads until something was sent that no event tells of.
    pub fn read_until(&mut self, text: &str) {
        while !self.raw.contains(text) {
            assert!(self.read(), "the stream ends without {text:?}: {}", self.raw);
        }
    }

    fn read(&mut self) -> bool {
        let Some(chunk) = self.client.read_chunk() else {
            self.is_over = true;
            return false;
        };
        self.raw += std::str::from_utf8(&chunk).unwrap();
        let events = self.decoder.push(&chunk).map(|event| {
            let event = event.unwrap();
            (event.event.to_string(), serde_json::from_str(&event.data).unwrap())
        });
        self.ready = self.ready.by_ref().chain(events).collect::<Vec<_>>().into_iter();
        true
    }
}

impl Iterator for Events {
    type Item = (String, Value);

    fn next(&mut self) -> Option<(String, Value)> {
        loop {
            if let Some(event) = self.ready.next() {
                return Some(event);
            }
            if self.is_over || !self.read() {
                return None;
            }
        }
    }
}
