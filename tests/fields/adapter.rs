//! `parse_json`.

use std::convert::Infallible;
use std::io;

use bytes::Bytes;
use futures::executor::{block_on, block_on_stream};
use futures::stream::FusedStream;
use futures::{FutureExt, StreamExt, stream};
use jsonrill::{ModelEvent, Options, Outcome, ParseJsonExt, Parser, Roots, Update};
use tokio_stream::wrappers::ReceiverStream;

use crate::script::{Act, chunks, script};

#[test]
fn takes_bytes_and_text_bare_or_not() {
    fn last(updates: impl futures::Stream<Item = Update> + Unpin) -> String {
        block_on_stream(updates).last().unwrap().snapshot().to_string()
    }
    assert_eq!(last(stream::iter(["[\"a", "b\"]"]).parse_json()), r#"["ab"]"#);
    assert_eq!(last(stream::iter([String::from("[\"ab\"]")]).parse_json()), r#"["ab"]"#);
    assert_eq!(last(stream::iter([Bytes::from_static(b"[\"ab\"]")]).parse_json()), r#"["ab"]"#);
    assert_eq!(last(stream::iter([b"[\"a".as_slice(), b"b\"]"]).parse_json()), r#"["ab"]"#);
    assert_eq!(last(stream::iter([vec![b'[', b'"', b'a'], vec![b'b', b'"', b']']]).parse_json()), r#"["ab"]"#);

    let results = stream::iter([Ok::<_, Infallible>("[\"ab\"]")]).parse_json();
    let updates: Vec<_> = block_on_stream(results).collect();
    assert_eq!(updates.len(), 2); // the chunk, and the end
    assert_eq!(updates[1].as_ref().unwrap().snapshot().to_string(), r#"["ab"]"#);
}

#[test]
fn an_end_settles_what_was_held() {
    let mut updates = stream::iter(["4", "2"]).parse_json();
    let seen: Vec<_> = block_on_stream(&mut updates).map(|update| update.snapshot().to_string()).collect();
    assert_eq!(seen.len(), 3);
    assert_eq!(seen[2], "42");
    assert_eq!(updates.finished().unwrap().outcome(), Outcome::Complete);
}

/// Events that are lent end the text as those that are given away do.
#[test]
fn a_piece_that_knows_the_end_ends_the_text() {
    let events = [ModelEvent::Text("4".into()), ModelEvent::Text("2".into()), ModelEvent::Stopped("length".into())];
    let mut lent = stream::iter(&events).parse_json();
    assert_eq!(block_on_stream(&mut lent).count(), 4);
    let mut given = stream::iter(events.clone()).parse_json();
    assert_eq!(block_on_stream(&mut given).count(), 4);
    for finished in [lent.into_finished(), given.into_finished()] {
        assert_eq!((finished.outcome(), finished.snapshot().to_string().as_str()), (Outcome::Truncated, "42"));
    }
}

#[test]
fn errors_are_passed_on_and_the_state_is_kept() {
    let source = stream::iter([Ok("{\"a\": \"b"), Err(io::Error::other("hiccup")), Ok("c\"}")]);
    let mut updates = source.parse_json();
    let items: Vec<_> = block_on_stream(&mut updates).collect();
    assert_eq!(items.len(), 4);
    assert_eq!(items[1].as_ref().unwrap_err().to_string(), "hiccup");
    assert_eq!(items[2].as_ref().unwrap().snapshot().at("/a"), "bc");
    assert_eq!(updates.into_finished().outcome(), Outcome::Complete);

    // One that ends behind an error has broken off: held bytes are not taken for the end.
    let source = stream::iter([Ok("{\"a\": \"b}"), Err(io::Error::other("gone"))]);
    let mut updates = source.parse_json();
    assert_eq!(block_on_stream(&mut updates).count(), 3);
    let finished = updates.into_finished();
    assert_eq!(finished.outcome(), Outcome::Truncated);
    assert_eq!(finished.snapshot().at("/a"), "b}");
    // One that went on behind it has not.
    let source = stream::iter([Ok("{\"a\": "), Err(io::Error::other("hiccup")), Ok("\"b}")]);
    let mut updates = source.parse_json();
    assert_eq!(block_on_stream(&mut updates).count(), 4);
    assert_eq!(updates.into_finished().snapshot().at("/a"), "b");
}

#[test]
fn it_is_fused_and_drops_its_source_at_the_end() {
    let (source, handle) = script([Act::Chunk("[]".into())]);
    handle.close();
    let mut updates = source.parse_json();
    assert!(!updates.is_terminated());
    assert_eq!(block_on_stream(&mut updates).count(), 2);
    assert!(updates.is_terminated() && handle.is_dropped());
    assert!(block_on(updates.next()).is_none()); // the source would panic
    assert!(block_on(updates.next()).is_none());
}

#[test]
fn it_reads_nothing_ahead_and_loses_nothing_when_a_future_is_dropped() {
    let (source, handle) = script([Act::Chunk("[\"a".into()), Act::Stall]);
    let mut updates = source.parse_json();
    assert_eq!(handle.polls(), 0);
    assert_eq!(block_on(updates.next()).unwrap().unwrap().snapshot().at("/0"), "a");
    assert_eq!(handle.polls(), 1);
    assert!(updates.next().now_or_never().is_none()); // given up while it waits
    handle.send("b\"]");
    assert_eq!(block_on(updates.next()).unwrap().unwrap().delta().text("/0"), Some("b"));
    assert_eq!(handle.polls(), 3);
}

#[test]
fn a_parser_may_have_options_or_have_begun() {
    let options = Options::new().roots(Roots::Many);
    let updates = stream::iter(["{\"n\":1}\n{\"n\":2}\n"]).parse_json_with(Parser::with_options(options));
    let numbers: Vec<_> = block_on_stream(updates)
        .flat_map(|update| update.parts().map(|part| part.snapshot().at("/n").as_i64()).collect::<Vec<_>>())
        .collect();
    assert_eq!(numbers[..2], [Some(1), Some(2)]);

    let mut parser = Parser::new();
    parser.push("{\"a\": ");
    let updates = stream::iter(["1}"]).parse_json_with(parser);
    assert_eq!(block_on_stream(updates).last().unwrap().snapshot().to_string(), "{\"a\":1}");
}

#[test]
fn parsing_errors_are_in_the_updates() {
    let mut updates = chunks(["[1, x", "]"]).parse_json_with(Parser::strict());
    let errors: Vec<_> =
        block_on_stream(&mut updates).map(|update| update.unwrap().error().map(jsonrill::Error::offset)).collect();
    assert_eq!(errors, [Some(4), Some(4), Some(4)]);
    assert_eq!(updates.into_finished().outcome(), Outcome::Malformed);
}

#[tokio::test]
async fn a_full_channel_stays_full() {
    let (sender, receiver) = tokio::sync::mpsc::channel::<String>(1);
    let mut updates = ReceiverStream::new(receiver).parse_json();
    sender.try_send("[\"a".to_owned()).unwrap();
    assert!(sender.try_send("b".to_owned()).is_err()); // nobody reads
    assert_eq!(updates.next().await.unwrap().snapshot().at("/0"), "a");
    sender.try_send("b\"]".to_owned()).unwrap();
    drop(sender);
    assert_eq!(updates.next().await.unwrap().snapshot().at("/0"), "ab");
    assert!(updates.next().await.is_some() && updates.next().await.is_none());
}
