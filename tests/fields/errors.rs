//! A field that does not come is an error, at once, that says why.

use std::error::Error;

use futures::executor::{block_on, block_on_stream};
use futures::{FutureExt, StreamExt, stream};
use jsonrill::{FieldError, Fields, Kind, ModelError, Parser};
use serde_json::Value;

use crate::script::{Act, chunks, script};

fn told<T: std::fmt::Debug>(item: Result<T, FieldError>) -> String {
    item.map_or_else(|error| error.to_string(), |item| format!("{item:?}"))
}

/// Subscribes to `/a/b` in all ways while the text is this, and no more has come. What each says.
fn at_once(text: &str) -> Vec<Option<String>> {
    let (source, _handle) = script([Act::Chunk(text.to_owned())]);
    let fields = Fields::new(source);
    let item = |item: Option<Result<String, FieldError>>| item.map_or("the end".to_owned(), told);
    vec![
        fields.value::<Value>("/a/b").now_or_never().map(told),
        fields.text("/a/b").next().now_or_never().map(item),
        fields.items::<String>("/a/b").next().now_or_never().map(item),
        fields.all_final(["/a/b"]).now_or_never().map(told),
    ]
}

#[test]
fn one_that_cannot_come() {
    for (text, said) in [
        (r#"{"a": {"c": 1}"#, r#""/a/b" will not come: "/a" was closed without it at byte 14"#),
        (r#"{"a": {"c": 1}}"#, r#""/a/b" will not come: "/a" was closed without it at byte 14"#),
        (r#"{"c": 1}"#, r#""/a/b" will not come: "" was closed without it at byte 8"#),
        (r#"{"a": "te"#, r#""/a/b" cannot come: "/a", at byte 6, is a string"#),
        (r#"{"a": null,"#, r#""/a/b" cannot come: "/a", at byte 6, is null"#),
        (r#"{"a": ["x", "#, r#""/a/b" cannot come: "/a", at byte 6, is an array"#),
        (r#"["x", "#, r#""/a/b" cannot come: "", at byte 0, is an array"#),
    ] {
        for told in at_once(text) {
            assert_eq!(told.as_deref(), Some(said), "{text}");
        }
    }
    for text in ["", "Sure:", "{", r#"{"a": {"#, r#"{"a": {"c": 1"#, r#"{"a": 12"#] {
        assert_eq!(at_once(text), [const { None }; 4], "{text}");
    }
}

#[test]
fn one_that_is_something_else() {
    let told = at_once(r#"{"a": {"b": {"c": "#);
    assert_eq!(told[0], None);
    assert_eq!(told[1].as_deref(), Some(r#""/a/b", at byte 12, is an object and not a string"#));
    assert_eq!(told[2].as_deref(), Some(r#""/a/b", at byte 12, is an object and not an array"#));
    assert_eq!(told[3], None);
    let told = at_once(r#"{"a": {"b": 12"#); // it may be 12:30
    assert_eq!(told, [const { None }; 4]);
    let told = at_once(r#"{"a": {"b": 12}"#);
    assert_eq!(told[1].as_deref(), Some(r#""/a/b", at byte 12, is a number and not a string"#));
    let (source, _handle) = script([Act::Chunk(r#"{"a": {"b": 12}"#.to_owned())]);
    let error = block_on(Fields::new(source).value::<bool>("/a/b")).unwrap_err();
    assert_eq!(
        error.to_string(),
        r#""/a/b", at byte 12, does not fit its type: invalid type: integer `12`, expected a boolean"#
    );
    assert!(error.source().is_none(), "it says that itself");
}

#[test]
fn one_that_was_cut() {
    let fields = || Fields::new(chunks([r#"{"a": {"b": [1, 2, "x"], "t": "te"#, "xt"]));
    let error = block_on(fields().value::<Value>("/a")).unwrap_err();
    assert!(matches!(error, FieldError::Cut { found: Some(Kind::Object), offset: 35, .. }), "{error:?}");
    assert_eq!(error.to_string(), r#""/a" was cut at byte 35; it is an object so far"#);
    let error = block_on(fields().value::<Value>("/z")).unwrap_err();
    assert_eq!(error.to_string(), r#"the text ended at byte 35, before "/z" came"#);

    let text: Vec<_> = block_on_stream(fields().text("/a/t")).collect();
    assert_eq!(text[0].as_ref().unwrap(), "te");
    assert_eq!(text[1].as_ref().unwrap(), "xt");
    assert!(matches!(text[2], Err(FieldError::Cut { .. })));
    assert_eq!(text.len(), 3);
    assert_eq!(block_on_stream(fields().items::<Value>("/a/b")).flatten().count(), 3);

    let fields = Fields::new(chunks(["[{\"n\": 1}, {\"n\": 2"]));
    let items: Vec<_> = block_on_stream(fields.items::<Value>("")).collect();
    assert_eq!(items.len(), 2);
    assert!(items[0].is_ok() && items[1].is_err());
    let values: Vec<_> = block_on_stream(fields.values::<Value>("/*/n")).collect();
    assert_eq!(values.len(), 2);
    assert!(matches!(values[1], Err(FieldError::Cut { found: Some(Kind::Number), .. })));
    assert!(matches!(
        block_on(Fields::new(chunks(["no JSON"])).value::<Value>("")),
        Err(FieldError::Cut { found: None, .. })
    ));
}

#[test]
fn one_whose_source_failed() {
    let (source, handle) = script([Act::Chunk("{\"a\": \"x\", \"b\": \"y".to_owned()), Act::Fail]);
    let fields = Fields::new(source);
    let error = block_on(fields.value::<Value>("/c")).unwrap_err();
    assert_eq!(error.to_string(), r#""/c" was lost at byte 18: the line is dead"#);
    assert!(matches!(&error, FieldError::Source { error, .. } if error.to_string() == "the line is dead"));
    // Its type is known to the caller alone, who finds it in the chain.
    assert_eq!(error.source().unwrap().to_string(), "the line is dead");
    let failed = || ModelError::new("no answer in 30 s");
    let error = block_on(Fields::new(stream::iter([Ok("{"), Err(failed())])).value::<Value>("/a")).unwrap_err();
    assert!(error.source().unwrap().downcast_ref::<ModelError>().is_some());
    assert!(handle.is_dropped());
    assert_eq!(fields.source_error().unwrap().to_string(), "the line is dead");
    // What there is of it is kept.
    assert_eq!(block_on(fields.value::<String>("/a")).unwrap(), "x");
    let text: Vec<_> = block_on_stream(fields.text("/b")).collect();
    assert_eq!(text[0].as_ref().unwrap(), "y");
    assert!(matches!(text[1], Err(FieldError::Source { .. })));
    assert_eq!(block_on(fields.finished()).snapshot().to_string(), r#"{"a":"x","b":"y"}"#);
}

#[test]
fn one_in_malformed_text() {
    let (source, handle) = script([Act::Chunk("{\"a\": 1, \"b\": x".to_owned())]);
    let fields = Fields::with_parser(source, Parser::strict());
    assert_eq!(block_on(fields.value::<u8>("/a")).unwrap(), 1);
    let error = block_on(fields.value::<u8>("/b")).unwrap_err(); // though the source goes on
    assert!(matches!(error, FieldError::Malformed { .. }));
    assert_eq!(error.offset(), 14);
    assert!(handle.is_dropped());
}

#[test]
fn one_of_json_in_a_string() {
    let inner = |text: &'static str| block_on(Fields::new(chunks([text])).json("/j").value::<Value>("/x")).unwrap_err();
    let error = inner(r#"{"j": {"x": 1}}"#);
    assert_eq!(error.to_string(), r#""/x" was lost at byte 0: "/j", at byte 6, is an object and not a string"#);
    assert!(matches!(inner(r#"{"j": "{\"x\": 1"#), FieldError::Source { .. }));
    assert!(matches!(inner(r#"{"j": "{\"y\": 1}""#), FieldError::Absent { .. }));
    assert!(matches!(inner(r#"{"j": "{\"x\": ", "k": 1}"#), FieldError::Cut { .. }));
}

#[test]
fn paths_that_are_none() {
    let fields = Fields::new(chunks(["{\"a\": 1}"]));
    let error = block_on(fields.value::<Value>("a")).unwrap_err();
    assert_eq!(error.to_string(), r#""a" is no JSON pointer: that begins with a slash, or is empty"#);
    let errors: Vec<_> = block_on_stream(fields.values::<Value>("*")).map(Result::unwrap_err).collect();
    assert!(matches!(errors.as_slice(), [FieldError::NotAPointer { path }] if path == "*"));
    // It is said at once.
    let stalled = Fields::new(futures::stream::pending::<&str>());
    assert!(matches!(stalled.text("a").next().now_or_never(), Some(Some(Err(FieldError::NotAPointer { .. })))));
}

#[test]
fn what_may_be_missing_is_none() {
    let fields = || Fields::new(chunks(["{\"a\": {\"b\": 1}", ", \"c\": \"d"]));
    assert_eq!(block_on(fields().value::<Option<u8>>("/a/x")).unwrap(), None);
    assert_eq!(block_on(fields().value::<Option<u8>>("/a/b")).unwrap(), Some(1));
    assert!(matches!(block_on(fields().value::<u8>("/a/x")), Err(FieldError::Absent { .. })));
    assert!(matches!(block_on(fields().value::<Value>("/a/x")), Err(FieldError::Absent { .. })));
    // Whether it is missing is not known.
    assert!(matches!(block_on(fields().value::<Option<u8>>("/x")), Err(FieldError::Cut { .. })));
}

struct Bomb;

impl futures::Stream for Bomb {
    type Item = &'static str;

    fn poll_next(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<&'static str>> {
        panic!("boom")
    }
}

#[test]
fn a_source_that_panics_is_told_to_the_others() {
    let fields = Fields::new(Bomb);
    let mut value = fields.value::<Value>("");
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| (&mut value).now_or_never()));
    assert!(panicked.is_err());
    assert!(matches!(block_on(value), Err(FieldError::Source { .. })));
    assert!(block_on(fields.text("/a").next()).unwrap().unwrap_err().to_string().contains("the source panicked"));
}

#[test]
fn what_programs_read_of_each() {
    let asked = |text: &str, path: &str| block_on(Fields::new(chunks([text])).value::<u8>(path)).unwrap_err();
    let text = |text: &str| block_on(Fields::new(chunks([text])).text("/a").next()).unwrap().unwrap_err();
    let (source, handle) = script([Act::Chunk(r#"{"b": 1"#.to_owned()), Act::Fail]);
    let lost = Fields::new(source);
    let (source, _handle) = script([Act::Chunk(r#"{"b": 1, "#.to_owned())]);
    let stopped = Fields::new(source);
    let mut waiting = stopped.value::<u8>("/a");
    assert!((&mut waiting).now_or_never().is_none());
    stopped.stop();
    let strict = Fields::with_parser(chunks([r#"{"b": 1, x"#]), Parser::strict());
    for (error, code, path, offset) in [
        (asked(r#"{"b": 1}"#, "/a"), "absent", "/a", 8),
        (asked(r#"{"a": "x"}"#, "/a/b"), "impossible", "/a/b", 6),
        (text(r#"{"a": [1]}"#), "other_kind", "/a", 6),
        (asked(r#"{"a": "x"}"#, "/a"), "unreadable", "/a", 6),
        (asked(r#"{"a": 1}"#, "a"), "not_a_pointer", "a", 0),
        (block_on(waiting).unwrap_err(), "stopped", "/a", 9),
        (asked(r#"{"b": 1, "#, "/a"), "cut", "/a", 9),
        (block_on(strict.value::<u8>("/a")).unwrap_err(), "malformed", "/a", 9),
        (block_on(lost.value::<u8>("/a")).unwrap_err(), "source", "/a", 7),
    ] {
        assert_eq!((error.code(), error.path(), error.offset()), (code, path, offset), "{error}");
    }
    assert!(handle.is_dropped());
}

#[test]
fn one_that_is_stopped() {
    let (source, _handle) = script([Act::Chunk(r#"{"a": "so f"#.to_owned())]);
    let fields = Fields::new(source);
    let (mut value, mut other) = (fields.value::<String>("/a"), fields.value::<bool>("/b"));
    assert!((&mut value).now_or_never().is_none() && (&mut other).now_or_never().is_none());
    fields.stop();
    assert_eq!(told(block_on(value)), r#""/a" was stopped at byte 11; it is a string so far"#);
    assert_eq!(told(block_on(other)), r#"the text was stopped at byte 11, before "/b" came"#);
}

fn can_be_kept<T: Send + Sync + Clone + Error + 'static>() {}

fn can_be_sent<T: Send + Sync>(_: &T) {}

#[test]
fn errors_can_be_kept_and_subscribers_sent() {
    can_be_kept::<FieldError>();
    let fields = Fields::new(chunks(["1"]));
    can_be_sent(&fields);
    can_be_sent(&fields.text(""));
    can_be_sent(&fields.value::<std::rc::Rc<u8>>(""));
}
