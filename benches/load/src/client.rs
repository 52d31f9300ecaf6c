//! As much HTTP as is needed to ask.

use std::net::SocketAddr;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

/// A connection, as its two halves.
pub async fn connect(address: SocketAddr) -> (BufReader<OwnedReadHalf>, OwnedWriteHalf) {
    let stream = TcpStream::connect(address).await.expect("it is taken");
    stream.set_nodelay(true).expect("it can be set");
    let (reader, writer) = stream.into_split();
    (BufReader::new(reader), writer)
}

/// Reads a head: how long the body is, where that is said.
pub async fn head(reader: &mut BufReader<OwnedReadHalf>) -> Option<usize> {
    let mut length = None;
    let mut line = String::new();
    let mut is_first = true;
    loop {
        line.clear();
        assert!(reader.read_line(&mut line).await.expect("it is read") > 0, "the connection is closed");
        if std::mem::take(&mut is_first) {
            assert!(line.starts_with("HTTP/1.1 200"), "{line}");
        }
        if line == "\r\n" {
            return length;
        }
        if let Some(value) = line.strip_prefix("content-length: ") {
            length = value.trim().parse().ok();
        }
    }
}

/// Sends a request on a connection that is kept, and reads its response: how large it is.
pub async fn ask(
    reader: &mut BufReader<OwnedReadHalf>,
    writer: &mut OwnedWriteHalf,
    request: &[u8],
    body: &mut Vec<u8>,
) {
    writer.write_all(request).await.expect("it is taken");
    let length = head(reader).await.expect("a length");
    body.resize(length, 0);
    reader.read_exact(body).await.expect("it is read");
}
