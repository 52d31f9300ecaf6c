//! Many streams at once.

use crate::client::Request;
use crate::server::{Server, until};

#[test]
fn a_thousand_streams_are_open_at_once() {
    const STREAMS: usize = 1000;
    // Each is a file here as well.
    assert!(rlimit::increase_nofile_limit(4096).unwrap() >= 2048);
    let server = Server::new();
    let mut streams: Vec<_> = (0..STREAMS)
        .map(|_| {
            let mut client = server.connect();
            client.begin(&Request::text("/api/stream", ""));
            client.events()
        })
        .collect();
    assert_eq!(server.figure("jsonrill_open_streams"), 1000);
    for round in 0..3 {
        for (index, stream) in streams.iter_mut().enumerate() {
            let piece = if round == 0 { format!("[{index}") } else { format!(", {round}") };
            let (name, update) = stream.feed(piece);
            assert_eq!((name.as_str(), &update["feed"]), ("update", &(round + 1).into()));
        }
    }
    for (index, stream) in streams.into_iter().enumerate() {
        let (name, end) = stream.finish().pop().unwrap();
        assert_eq!((name.as_str(), end["value"].to_string()), ("end", format!("[{index},1,2]")));
    }
    until("all are closed", || server.figure("jsonrill_open_streams") == 0);
}
