//! What the service does not do more of, or longer.

use crate::client::Request;
use crate::server::{Server, file, until};

#[test]
fn a_body_that_is_too_large_is_refused_however_it_comes() {
    let server = Server::with(&["--max-body", "1000"]);
    let fits = format!("[{}]", " ".repeat(998));
    assert_eq!(server.ask(Request::text("/api/repair", &fits)).status(), 200);
    for path in ["/api/repair", "/api/contexts", "/api/split?max=10", "/api/generate/cc"] {
        let request = Request::json(path, "x".repeat(1001));
        assert!(server.ask(request.clone()).refused(413).contains("1000 bytes"), "{path}");
        // In chunks, and nobody knows how many.
        let mut client = server.connect();
        client.begin(&Request::json(path, ""));
        for _ in 0..11 {
            client.chunk([b'x'; 100]);
        }
        client.end();
        client.answer().refused(413);
        // Who asks first need not send it, and who has sent much of it sees why.
        let mut client = server.connect();
        client.promise(&Request::json(path, "").header("expect", "100-continue"), 1 << 40);
        client.answer().refused(413);
        let large = Request::json(path, vec![b'x'; 8 << 20]);
        server.ask(large).refused(413);
    }
}

#[test]
fn a_request_that_does_not_come_in_is_not_waited_for() {
    let server = Server::with(&["--timeout", "50"]);
    for path in ["/api/repair", "/api/contexts", "/api/split?max=10", "/api/generate/cc"] {
        let mut client = server.connect();
        client.promise(&Request::json(path, ""), 100);
        client.write(b"{\"text\":");
        assert!(client.answer().refused(408).contains("50 ms"), "{path}");
    }
}

#[test]
fn each_token_has_a_rate_of_its_own() {
    let tokens = file("tokens", "one\ntwo\n");
    let server = Server::with(&["--token-file", &tokens, "--rate", "2"]);
    let ask = |token: &str| server.ask(Request::text("/api/repair", "[]").token(token));
    let mut refused = None;
    until("it is too often", || {
        let response = ask("one");
        let is_refused = response.status() == 429;
        refused = is_refused.then_some(response);
        is_refused
    });
    let refused = refused.unwrap();
    assert!(refused.refused_plainly(429).contains("in a second"));
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert_eq!(ask("two").status(), 200);
    // What needs no token has no rate.
    for _ in 0..20 {
        assert_eq!(server.get("/healthz").status(), 200);
    }
    until("it may again", || ask("one").status() == 200);
}

#[test]
fn only_so_many_streams_are_open() {
    let server = Server::with(&["--max-streams", "2"]);
    let open = || {
        let mut client = server.connect();
        client.begin(&Request::text("/api/stream", ""));
        client.events()
    };
    let (first, second) = (open(), open());
    let third = server.ask(Request::text("/api/stream", "[]"));
    assert!(third.refused_plainly(429).contains("streams"));
    assert_eq!(third.header("retry-after"), Some("1"));
    // Other requests are not among them.
    assert_eq!(server.ask(Request::text("/api/repair", "[]")).status(), 200);
    assert_eq!(server.figure("jsonrill_open_streams"), 2);
    drop(first);
    until("there is room", || server.ask(Request::text("/api/stream", "[]")).status() == 200);
    assert_eq!(second.finish().last().unwrap().0, "end");
    until("none is open", || server.figure("jsonrill_open_streams") == 0);
}

#[test]
fn a_stream_that_is_too_long_ends_with_an_error() {
    let server = Server::with(&["--max-stream", "1000"]);
    let mut client = server.connect();
    client.begin(&Request::text("/api/stream", ""));
    let mut events = client.events();
    events.feed("[");
    for _ in 0..100 {
        events.client.chunk("1, 2, 3, 4, 5, 6, ");
    }
    let (name, error) = events.finish().pop().unwrap();
    assert_eq!((name.as_str(), &error["code"], &error["success"]), ("error", &413.into(), &false.into()));
}

#[test]
fn a_stream_that_pauses_is_kept_alive_and_one_that_is_dead_is_ended() {
    let server = Server::with(&["--keep-alive", "10"]);
    let mut client = server.connect();
    client.begin(&Request::text("/api/stream", ""));
    let mut events = client.events();
    events.read_until(": keep-alive\n\n: keep-alive\n\n");
    assert_eq!(events.feed("[1]").0, "update");
    assert_eq!(events.finish().pop().unwrap().0, "end");

    let server = Server::with(&["--idle", "50"]);
    let mut client = server.connect();
    client.begin(&Request::text("/api/stream", ""));
    let (name, error) = client.events().last().unwrap();
    assert_eq!((name.as_str(), &error["code"]), ("error", &408.into()));
}

#[test]
fn work_that_takes_long_keeps_nobody_waiting() {
    let server = Server::with(&["--max-body", "100000000"]);
    let large = format!("[{}", "{\"name\": \"Ada\", \"tags\": [1, 2, ]}, ".repeat(600_000));
    let mut client = server.connect();
    client.send(&Request::text("/api/contexts", &large));
    // It is asked again and again until the long one is done: each answer comes meanwhile.
    let mut answers = 0;
    let done = std::thread::spawn(move || client.answer());
    while !done.is_finished() {
        assert_eq!(server.get("/healthz").status(), 200);
        answers += 1;
    }
    assert!(answers > 0);
    assert_eq!(done.join().unwrap().value()["outcome"], "truncated");
}
