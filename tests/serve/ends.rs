//! How the service ends.
#![cfg(unix)]

use std::net::TcpStream;

use crate::client::Request;
use crate::server::{Server, until};

#[test]
fn what_is_open_is_finished_and_nothing_new_is_taken() {
    for signal in ["TERM", "INT"] {
        let server = Server::new();
        let mut idle = server.connect();
        idle.ask(Request::get("/healthz"));
        let mut client = server.connect();
        client.begin(&Request::text("/api/stream", ""));
        let mut events = client.events();
        assert_eq!(events.feed("[1, ").0, "update");
        server.signal(signal);
        until("no connection is taken", || TcpStream::connect(server.address).is_err());
        assert!(idle.is_closed());
        let (name, update) = events.feed("2, ");
        assert_eq!((name.as_str(), &update["feed"]), ("update", &2.into()));
        events.client.chunk("3]");
        let (name, end) = events.finish().pop().unwrap();
        assert_eq!((name.as_str(), end["value"].to_string().as_str()), ("end", "[1,2,3]"));
        assert_eq!(server.ended().0, Some(0));
    }
}

#[test]
fn what_takes_too_long_is_cut_with_an_error() {
    let server = Server::with(&["--grace", "1"]);
    let mut client = server.connect();
    client.begin(&Request::text("/api/stream", ""));
    let mut events = client.events();
    events.feed("[1, ");
    server.signal("TERM");
    let (name, error) = events.by_ref().last().unwrap();
    assert_eq!((name.as_str(), &error["code"], &error["success"]), ("error", &503.into(), &false.into()));
    assert_eq!(server.ended().0, Some(0));
}

#[test]
fn a_request_that_still_comes_in_is_cut_too() {
    let server = Server::with(&["--grace", "1"]);
    let mut client = server.connect();
    client.promise(&Request::text("/api/repair", ""), 100);
    client.write(b"[");
    until("it is there", || server.ask(Request::get("/healthz")).status() == 200);
    server.signal("TERM");
    client.answer().refused_plainly(503);
    assert_eq!(server.ended().0, Some(0));
}

#[test]
fn a_second_signal_does_not_wait() {
    let server = Server::with(&["--grace", "86400000"]);
    let mut client = server.connect();
    client.begin(&Request::text("/api/stream", ""));
    let events = client.events();
    server.signal("TERM");
    until("no connection is taken", || TcpStream::connect(server.address).is_err());
    server.signal("TERM");
    assert_eq!(events.last().unwrap().0, "error");
    assert_eq!(server.ended().0, Some(0));
}
