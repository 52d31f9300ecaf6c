//! What each kind of subscriber gives.

use futures::executor::{block_on, block_on_stream};
use futures::{FutureExt, Stream, StreamExt};
use jsonrill::{Duplicates, FieldError, Fields, Options, Outcome, Parser, Roots};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::script::{Script, chunks, script};

fn fields(parts: &[&str]) -> Fields<Script> {
    Fields::new(chunks(parts.iter().copied()))
}

fn all<T>(stream: impl Stream<Item = Result<T, FieldError>> + Unpin) -> Result<Vec<T>, FieldError> {
    block_on_stream(stream).collect()
}

#[test]
fn text_comes_in_pieces() {
    let fields = fields(&["{\"a\": \"x", "y", "", "\\u00e9", "\", \"b\": \"z\"}"]);
    assert_eq!(all(fields.text("/a")).unwrap(), ["x", "y", "é"]);
    assert_eq!(all(fields.text("/b")).unwrap(), ["z"]);
    assert_eq!(all(fields.text("/a")).unwrap(), ["xyé"]); // late: all at once
    assert_eq!(all(self::fields(&["{\"a\": \"\"}"]).text("/a")).unwrap(), Vec::<String>::new());
}

#[test]
fn a_value_comes_when_it_is_final_and_not_before() {
    let (source, handle) = script([]);
    let fields = Fields::new(source);
    let mut value = fields.value::<u32>("/n");
    handle.send("{\"n\": 1");
    assert!((&mut value).now_or_never().is_none());
    handle.send("2");
    assert!((&mut value).now_or_never().is_none());
    handle.send(",");
    assert!((&mut value).now_or_never().is_none(), "1,234 is text");
    handle.send(" ");
    assert_eq!((&mut value).now_or_never().unwrap().unwrap(), 12);
    assert_eq!((&mut value).now_or_never().unwrap().unwrap(), 12); // again
}

#[derive(Debug, PartialEq, Deserialize)]
struct Item {
    id: u32,
    #[serde(default)]
    name: String,
}

#[test]
fn items_come_when_each_is_final() {
    let (source, handle) = script([]);
    let fields = Fields::new(source);
    let mut items = fields.items::<Item>("/items");
    handle.send("{\"items\": [{\"id\": 1, \"name\": \"a\"}");
    assert_eq!(items.next().now_or_never().flatten().unwrap().unwrap(), Item { id: 1, name: "a".into() });
    handle.send(", {\"id\": 2");
    assert!(items.next().now_or_never().is_none());
    handle.send("}, {\"id\": \"three\"}, {\"id\": 4}]");
    assert_eq!(items.next().now_or_never().flatten().unwrap().unwrap().id, 2);
    let error = items.next().now_or_never().flatten().unwrap().unwrap_err();
    assert_eq!((error.path(), error.offset()), ("/items/2", 46));
    assert!(error.to_string().ends_with(r#"expected u32 at "/items/2/id""#), "{error}");
    assert_eq!(items.next().now_or_never().flatten().unwrap().unwrap().id, 4);
    assert!(items.next().now_or_never().unwrap().is_none()); // long before the document ends
}

#[test]
fn patterns_give_values_in_the_order_in_which_they_end() {
    let text =
        r#"{"a": {"id": 1, "in": {"id": 2}}, "list": [{"id": 3}, {"no": 4}, [5]], "id": 6, "x": {"*": {"id": 7}}}"#;
    let paths = |pattern: &str| {
        let found = all(fields(&[text]).values::<Value>(pattern)).unwrap();
        found.into_iter().map(|found| found.path).collect::<Vec<_>>()
    };
    assert_eq!(paths("/**/id"), ["/a/id", "/a/in/id", "/list/0/id", "/id", "/x/*/id"]);
    assert_eq!(paths("/*/id"), ["/a/id"]);
    assert_eq!(paths("/list/*"), ["/list/0", "/list/1", "/list/2"]);
    assert_eq!(paths("/list/**"), ["/list/0/id", "/list/0", "/list/1/no", "/list/1", "/list/2/0", "/list/2", "/list"]);
    assert_eq!(paths("/a/**/in/**"), ["/a/in/id", "/a/in"]);
    assert_eq!(paths("/x/~2/id"), ["/x/*/id"]);
    assert_eq!(paths("/a/id"), ["/a/id"]);
    assert_eq!(paths("/*/*/*"), ["/a/in/id", "/list/0/id", "/list/1/no", "/list/2/0", "/x/*/id"]);
    assert_eq!(paths("/*").len(), 4);
    assert_eq!(paths("")[0], "");
}

#[test]
fn a_pattern_ends_with_its_top() {
    let (source, handle) = script([]);
    let fields = Fields::new(source);
    let mut ids = fields.values::<u8>("/items/*/id");
    handle.send("{\"items\": [{\"id\": 1, \"x\": [");
    assert_eq!(ids.next().now_or_never().flatten().unwrap().unwrap().value, 1); // before its object ends
    handle.send("]}, {\"id\": 2}, {}]");
    assert_eq!(ids.next().now_or_never().flatten().unwrap().unwrap().path, "/items/1/id");
    assert!(ids.next().now_or_never().unwrap().is_none());
}

#[test]
fn texts_of_a_pattern_come_in_pieces_with_a_last_one_each() {
    let fields = fields(&[
        "[{\"t\": \"a",
        "b\"}, {\"t\": 1}, {\"t\": \"\"}, {\"u\": \"no\"",
        ", \"t\": \"c",
        "\"}, {\"t\": \"cut",
    ]);
    let pieces: Vec<_> = block_on_stream(fields.texts("/*/t")).collect();
    let told: Vec<_> =
        pieces.iter().flatten().map(|piece| (piece.path.as_str(), piece.text.as_str(), piece.is_last)).collect();
    assert_eq!(
        told,
        [
            ("/0/t", "a", false),
            ("/0/t", "b", true),
            ("/2/t", "", true),
            ("/3/t", "c", false),
            ("/3/t", "", true),
            ("/4/t", "cut", false),
        ]
    );
    assert!(matches!(pieces.last(), Some(Err(FieldError::Cut { .. }))));
}

#[test]
fn json_in_a_string_is_a_document_by_itself() {
    let fields =
        fields(&[r#"{"name": "f", "arguments": "{\"city\": \"Os"#, r#"lo\", \"days\": [1, "#, r#"2]}", "id": 7}"#]);
    let arguments = fields.json("/arguments");
    assert_eq!(all(arguments.text("/city")).unwrap(), ["Os", "lo"]);
    assert_eq!(all(arguments.items::<u8>("/days")).unwrap(), [1, 2]);
    assert_eq!(block_on(fields.value::<u8>("/id")).unwrap(), 7);
    assert!(block_on(arguments.finished()).is_complete());
    let empty = self::fields(&[r#"{"arguments": ""}"#]);
    assert_eq!(block_on(empty.json("/arguments").value::<Value>("")).unwrap(), json!({}));

    // A string in a string in a string.
    let inner = json!({"a": json!({"b": json!({"c": [1]}).to_string()}).to_string()}).to_string();
    let deep = self::fields(&[&inner]).json("/a").json("/b").items::<u8>("/c");
    assert_eq!(all(deep).unwrap(), [1]);
}

#[test]
fn all_final_lets_a_caller_stop_early() {
    let (source, handle) = script([]);
    let fields = Fields::new(source);
    let mut enough = fields.all_final(["/a", "/b/c"]);
    handle.send("{\"a\": 1, \"x\": [");
    assert!((&mut enough).now_or_never().is_none());
    handle.send("], \"b\": {\"c\": true, \"d\": [");
    (&mut enough).now_or_never().unwrap().unwrap();
    assert!(!handle.is_dropped());

    let waiting = fields.value::<Value>("/b");
    fields.stop();
    assert!(handle.is_dropped());
    assert!(matches!(
        waiting.now_or_never(),
        Some(Err(FieldError::Stopped { found: Some(jsonrill::Kind::Object), .. }))
    ));
    assert!(block_on(fields.value::<bool>("/b/c")).unwrap());
    assert_eq!(block_on(fields.finished()).outcome(), Outcome::Truncated);
}

#[test]
fn nothing_is_read_while_nobody_asks_and_the_source_goes_with_the_last_handle() {
    let (source, handle) = script([]);
    let fields = Fields::new(source);
    let text = fields.text("/a");
    handle.send("{\"a\": \"b\"");
    assert_eq!(handle.polls(), 0);
    assert_eq!(fields.snapshot().to_value(), Value::Null);
    drop(fields);
    assert!(!handle.is_dropped());
    drop(text);
    assert!(handle.is_dropped());
}

#[test]
fn a_slow_one_loses_nothing() {
    let fields = fields(&["{\"items\": [1, 2, ", "3, 4], \"t\": \"abc", "def\"", "}"]);
    let mut items = fields.items::<u8>("/items");
    let mut text = fields.text("/t");
    assert_eq!(block_on(items.next()).unwrap().unwrap(), 1);
    assert_eq!(block_on(text.next()).unwrap().unwrap(), "abc");
    assert!(block_on(fields.finished()).is_complete());
    assert_eq!(all(items).unwrap(), [2, 3, 4]);
    assert_eq!(all(text).unwrap(), ["def"]);
}

#[test]
fn where_members_are_replaced_nothing_comes_too_early() {
    let parser = || Parser::with_options(Options::new().duplicates(Duplicates::Last));
    let parts = ["{\"l\": [1], \"t\": \"ab", "c\", \"t\": 1, \"n\": 5, ", "\"t\": \"xy", "\", \"l\": [2, 3]", "}"];
    let new = || Fields::with_parser(chunks(parts), parser());
    assert_eq!(all(new().text("/t")).unwrap(), ["xy"]);
    assert_eq!(all(new().items::<u8>("/l")).unwrap(), [2, 3]);
    assert_eq!(block_on(new().value::<u8>("/n")).unwrap(), 5);
    let found = all(new().values::<Value>("/**")).unwrap();
    let paths: Vec<_> = found.iter().map(|found| found.path.as_str()).collect();
    assert_eq!(paths, ["/l/0", "/l/1", "/l", "/t", "/n", ""]);
    let pieces = all(new().texts("/*")).unwrap();
    assert_eq!(pieces.iter().map(|piece| piece.text.as_str()).collect::<Vec<_>>(), ["xy"]);
}

#[test]
fn of_several_documents_the_first_counts() {
    for roots in [Roots::Many, Roots::Last] {
        let parser = || Parser::with_options(Options::new().roots(roots));
        let new = || Fields::with_parser(chunks(["{\"a\": 1}\n{\"a", "\": 2}\n{\"b\": 3}"]), parser());
        assert_eq!(block_on(new().value::<u8>("/a")).unwrap(), 1);
        assert_eq!(block_on(new().value::<Value>("")).unwrap(), json!({"a": 1}));
        assert!(matches!(block_on(new().value::<u8>("/b")), Err(FieldError::Absent { .. })));
        let late = new();
        // All of the text is read for that, however it is cut.
        assert_eq!(block_on(late.finished()).documents().len(), 3);
        assert_eq!(block_on(late.value::<u8>("/a")).unwrap(), 1);
        assert_eq!(late.snapshot().to_value(), json!({"a": 1}));
    }
}

#[test]
fn a_parser_may_have_begun() {
    let mut parser = Parser::new();
    parser.push("{\"a\": \"xy");
    let fields = Fields::with_parser(chunks(["z\"}"]), parser);
    assert_eq!(all(fields.text("/a")).unwrap(), ["xy", "z"]);
}
