//! Reads JSON while a language model is still writing it.
//!
//! A model's answer arrives in chunks that end anywhere. Feed them to a [`Parser`], and each feed returns an [`Update`]
//! with three views of the answer:
//!
//! - the [`Snapshot`]: what is known now, owned and immutable;
//! - the [`Delta`]: what this feed added;
//! - the [`Ambiguity`]: what may still change. Everything else that was seen is *final*.
//!
//! A feed costs as much as its chunk, not as much as the document. A stream is read in linear time even if all three
//! views are taken on every chunk. Only what copies a whole document, such as `to_value`, costs as much as it is long.
//!
//! ```
//! use jsonrill::{End, Parser};
//!
//! let mut parser = Parser::new();
//!
//! let update = parser.feed(r#"{"city": "Os"#);
//! assert_eq!(update.snapshot().at("/city"), "Os"); // shown at once
//! assert!(update.is_ambiguous("/city")); // but it may go on
//!
//! let update = parser.feed(r#"lo", "days": 1"#);
//! assert!(update.is_final("/city")); // safe to act on
//! assert_eq!(update.delta().to_value(), serde_json::json!({"city": "lo", "days": 1}));
//!
//! parser.push("2}");
//! let answer = parser.finish(End::Stopped).into_complete()?; // a cut answer would be an error
//! assert_eq!(answer.at("/days"), 12);
//! # Ok::<(), jsonrill::Incomplete>(())
//! ```
//!
//! # Feeding
//!
//! [`Parser::feed`] takes text or bytes: `&str`, `&[u8]`, `String`, `Vec<u8>`, or the `Bytes` of the `bytes` crate. A
//! chunk may end in a key, in a number, in an escape, or in the middle of a UTF-8 character. How a text is cut never
//! matters: what is known after some bytes depends on those bytes alone.
//!
//! ```
//! use jsonrill::Parser;
//!
//! let text = r#"{"name": "Zoë", "mood": "\ud83d\ude00"}"#;
//! let mut parser = Parser::new();
//! for byte in text.bytes() {
//!     parser.feed([byte]);
//! }
//! assert_eq!(parser.snapshot().at("/name"), "Zoë");
//! assert_eq!(parser.snapshot().at("/mood"), "😀");
//! ```
//!
//! What cannot be read yet is *held*: half a character, half an escape, half a keyword, a key whose value has not
//! begun. It is in no view until it is settled, so nothing is shown and then taken back. The one thing that is shown
//! and may still become another value is a number: `1` may become `12`, and it is ambiguous until then.
//!
//! Whoever looks less often than chunks arrive calls [`Parser::push`], which only grows the document, and then
//! [`Parser::update`] or [`Parser::snapshot`]. A drawing loop does that once per frame.
//!
//! ```
//! use jsonrill::Parser;
//!
//! let mut parser = Parser::new();
//! parser.push(r#"{"a": "#);
//! parser.push(r#"[1, 2, "#);
//! let update = parser.update(); // everything since the last update
//! assert_eq!(update.snapshot().to_string(), r#"{"a":[1,2]}"#);
//! assert_eq!(update.sequence(), 1);
//! ```
//!
//! [`Parser::new`] reads the *lenient* dialect: valid JSON, and what models write around and instead of it.
//! [`Parser::strict`] reads RFC 8259 and nothing else. Valid JSON has the same value in both, and no repairs. All else
//! is said with [`Options`].
//!
//! # Reading a snapshot
//!
//! [`Snapshot::at`] takes a JSON pointer, or a list of [`Step`]s where keys come from data. It returns a [`ValueRef`],
//! a small `Copy` reference. A path that is not there is no error: the reference says that it is missing, answers
//! `None`, and equals nothing.
//!
//! ```
//! use jsonrill::{Kind, Parser, Step};
//!
//! let update = Parser::new().feed(r#"{"user": {"name": "Ada", "id": 12345678901234567890123}, "tags": ["a", "b"], "#);
//! let snapshot = update.snapshot();
//!
//! let user = snapshot.at("/user");
//! assert_eq!(user.kind(), Some(Kind::Object));
//! assert_eq!(user.get("name").as_str(), Some("Ada"));
//! assert_eq!(user.get("id").number_text(), Some("12345678901234567890123")); // as it was written
//! assert_eq!(user.get("id").as_u64(), None); // too large for it
//! assert_eq!(user.get("email").as_str(), None);
//!
//! let keys: Vec<_> = user.members().map(|(key, _)| key).collect();
//! assert_eq!(keys, ["name", "id"]); // in the order of the text
//! let tags: Vec<_> = snapshot.at([Step::Key("tags")]).elements().filter_map(|tag| tag.as_str()).collect();
//! assert_eq!(tags, ["a", "b"]);
//! ```
//!
//! A snapshot is owned: it can be kept, cloned and sent to other threads, and never changes. It can be read into a type
//! of yours, which may borrow its strings; it implements `Serialize`, prints as JSON, and compares with
//! [`serde_json::Value`].
//!
//! ```
//! use jsonrill::Parser;
//!
//! #[derive(serde::Deserialize)]
//! struct Draft<'a> {
//!     title: Option<&'a str>,
//!     servings: Option<u32>,
//! }
//!
//! let mut parser = Parser::new();
//! let early = parser.feed(r#"{"title": "Crê"#).snapshot().clone();
//! parser.push(r#"pes", "servings": 4}"#);
//!
//! let reader = std::thread::spawn(move || early.deserialize::<Draft>().unwrap().title.map(str::to_owned));
//! assert_eq!(reader.join().unwrap().as_deref(), Some("Crê")); // still as it was
//!
//! let late = parser.snapshot();
//! let draft: Draft = late.deserialize()?;
//! assert_eq!((draft.title, draft.servings), (Some("Crêpes"), Some(4)));
//! # Ok::<(), jsonrill::DeserializeError>(())
//! ```
//!
//! [`Snapshot::final_only`] leaves out what may still change, and [`Snapshot::without_number_in_flight`] only a number
//! that may go on. [`ValueRef::span`] says where a value is in the input, and [`Snapshot::source`] reads that stretch.
//!
//! # Gating a field
//!
//! That a value is there is no reason to act on it. Each path is in one of four states ([`State`]):
//!
//! | state | seen | meaning |
//! |---|---|---|
//! | [`Pending`](State::Pending) | no | may come |
//! | [`Growing`](State::Growing) | yes | may still change |
//! | [`Final`](State::Final) | yes | can never change again |
//! | [`Absent`](State::Absent) | no | will not come: the object or array it would be in is final |
//!
//! ```
//! use jsonrill::{Parser, State};
//!
//! let mut parser = Parser::new();
//! let update = parser.feed(r#"{"refund": {"amount": 1"#);
//! assert_eq!(update.snapshot().at("/refund/amount"), 1); // it reads 1 ...
//! assert_eq!(update.state("/refund/amount"), State::Growing); // ... but wait
//!
//! let update = parser.feed("25");
//! assert_eq!(update.state("/refund/amount"), State::Growing);
//!
//! let update = parser.feed(r#"}, "note": "#);
//! assert_eq!(update.state("/refund/amount"), State::Final);
//! assert_eq!(update.snapshot().at("/refund/amount"), 125);
//! assert_eq!(update.state("/refund/approved_by"), State::Absent);
//! assert_eq!(update.state("/note"), State::Pending);
//! ```
//!
//! When a value becomes final depends on the dialect:
//!
//! - Strict: a string at its closing quote, an object or array at its bracket, a keyword at its last letter, a number
//!   at the first byte that cannot continue it.
//! - Lenient: an object or array at its bracket, too. A string, number or keyword at the first non-blank byte after it,
//!   if that is a `,` or a closer that fits. The quote alone is not enough, because models forget to escape quotes.
//!
//! With [`Duplicates::Last`] nothing in an object is final before that object is, for a later member may take the place
//! of an earlier one.
//!
//! # Rendering by deltas
//!
//! A [`Delta`] is a list of operations in the order of the text: `add`, `append`, `replace` and `final`. Applied to
//! what was there before, they give what is there now, exactly. A value that is added comes with all that is in it by
//! then, and each value that becomes final is named once, children before parents.
//!
//! ```
//! use jsonrill::{Op, Parser, apply_all};
//! use serde_json::{Value, json};
//!
//! let mut parser = Parser::new();
//! let mut replica = Value::Null; // on the other side of a connection
//!
//! let update = parser.feed(r#"{"reply": "Goo"#);
//! assert_eq!(update.delta().to_string(), r#"[{"op":"add","path":"","value":{"reply":"Goo"}}]"#);
//! apply_all(&update.delta().to_ops(), &mut replica)?;
//!
//! let update = parser.feed(r#"d morning", "score": 9"#);
//! let sent = update.delta().to_string();
//! assert_eq!(serde_json::from_str::<Value>(&sent)?, json!([
//!     {"op": "append", "path": "/reply", "text": "d morning"},
//!     {"op": "final", "path": "/reply"},
//!     {"op": "add", "path": "/score", "value": 9},
//! ]));
//! let received: Vec<Op> = serde_json::from_str(&sent)?;
//! apply_all(&received, &mut replica)?;
//! assert_eq!(replica, json!({"reply": "Good morning", "score": 9}));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! In the same process, match on [`DeltaOp`], whose variants hold the value itself and copy nothing. For one field
//! there is the *mirror* ([`Delta::to_value`]): the shape of the answer holding only what is new.
//!
//! ```
//! use jsonrill::Parser;
//!
//! let mut parser = Parser::new();
//! let mut screen = String::new();
//! for chunk in ["{\"reply\": \"Goo", "d mor", "ning\", \"score\": 9", "}"] {
//!     let update = parser.feed(chunk);
//!     if let Some(text) = update.delta().to_value()["reply"].as_str() {
//!         screen.push_str(text);
//!     }
//! }
//! assert_eq!(screen, "Good morning");
//! ```
//!
//! A delta needs two snapshots of one document and nothing between them. A slow reader, or one that reconnects, takes
//! [`Delta::between`] the snapshot it has and the newest.
//!
//! # What may still change
//!
//! Only what is on the *open path*, from the root to the innermost thing that is still open, can change. The
//! [`Ambiguity`] is that path, shown as a tree.
//!
//! ```
//! use jsonrill::Parser;
//! use serde_json::json;
//!
//! let update = Parser::new().feed(r#"{"header": {"id": 7}, "items": ["one", "tw"#);
//! assert_eq!(update.snapshot().open_path().as_deref(), Some("/items/1"));
//! assert!(update.is_ambiguous("/items/1"));
//! assert!(!update.is_ambiguous("/header/id"));
//! assert_eq!(update.ambiguity().to_value(), json!({
//!     "ambiguous": true,
//!     "fields": {
//!         "header": {"ambiguous": false, "fields": {"id": {"ambiguous": false}}},
//!         "items": {"ambiguous": true, "items": [{"ambiguous": false}, {"ambiguous": true}]},
//!     },
//! }));
//! ```
//!
//! # The end, and what the text amounts to
//!
//! [`Parser::finish`] says that no more text comes, and why ([`End`]). It returns a [`Finished`]: the last update, and
//! an [`Outcome`], which is the first of these that applies, from the top:
//!
//! | outcome | meaning | [`is_complete`](Finished::is_complete) |
//! |---|---|---|
//! | [`Limit`](Outcome::Limit) | a limit was reached | no |
//! | [`Malformed`](Outcome::Malformed) | the text has something that no rule reads | no |
//! | [`Truncated`](Outcome::Truncated) | the text ended before its root did | no |
//! | [`Empty`](Outcome::Empty) | there is no JSON in the text | no |
//! | [`Repaired`](Outcome::Repaired) | the root is closed, but there were repairs, or text outside the JSON | yes |
//! | [`Complete`](Outcome::Complete) | the text is JSON and nothing else | yes |
//!
//! A cut answer never passes for a finished one. A root that its own bytes did not close is truncated, whatever the
//! stop reason says, and what was open stays `Growing`. [`Finished::into_complete`] gives a [`Complete`], or an
//! [`Incomplete`], which is an error and keeps everything that was read.
//!
//! ```
//! use jsonrill::{CutState, End, Outcome, Parser, State};
//!
//! let mut parser = Parser::new();
//! parser.push(r#"{"items": [{"name": "Jane"}, {"name": "Jo"#);
//! let incomplete = parser.finish(End::from_stop_reason("stop")).into_complete().unwrap_err();
//!
//! assert_eq!(incomplete.outcome(), Outcome::Truncated);
//! assert_eq!(incomplete.snapshot().at("/items/1/name"), "Jo");
//! assert_eq!(incomplete.snapshot().state("/items/1/name"), State::Growing);
//!
//! let cut = incomplete.finished().cut().unwrap(); // where and in what state the text stopped
//! assert_eq!((cut.offset(), cut.state()), (41, CutState::InString));
//! assert_eq!(cut.open(), Some("/items/1/name"));
//! assert_eq!(cut.closers(), "\"}]}");
//! ```
//!
//! # Going on with a cut answer
//!
//! A model that ran into its token limit goes on if it is told where it stopped. [`Parser::freeze`] says that: it gives
//! the state at this place of the text, a [`Frozen`], and the parser reads on unharmed. [`Finished::frozen`] gives the
//! same of a text that has ended.
//!
//! ```
//! use jsonrill::{CutState, Parser};
//!
//! let mut parser = Parser::new();
//! parser.push("Sure:\n```json\n");
//! parser.push(r#"{"items": [{"id": 1, "name": "First"}, {"id": 2, "name": "Second", "add"#);
//! let frozen = parser.freeze();
//!
//! // The innermost open object or array, verbatim: the next answer may begin with it again.
//! assert_eq!(frozen.overlap().text, r#"{"id": 2, "name": "Second", "add"#);
//! // From the root to the cut: tells the model where it is.
//! assert_eq!(frozen.hierarchy(), r#"{"items": [{"id": 1, "name": "First"}, {"id": 2, "name": "Second", "add"#);
//! // Valid JSON, whatever comes: the half key is dropped, what is open is closed.
//! assert_eq!(frozen.complete_part(), r#"{"items": [{"id": 1, "name": "First"}, {"id": 2, "name": "Second"}]}"#);
//!
//! let cut = frozen.cut();
//! assert_eq!((cut.offset(), cut.state(), cut.open()), (85, CutState::InKey, Some("/items/1")));
//! assert_eq!((cut.in_flight(), cut.closers()), ("\"add", "}]}"));
//! ```
//!
//! [`Frozen::contexts`] has all three, and [`get_contexts`] makes them of a text at once. [`ContextOptions`] bounds
//! them, in characters:
//!
//! - the hierarchy keeps [`BUDGET_LIMIT`] of string values, from the cut backwards; from the first that does not fit
//!   any more, they are `"..."`. Keys, numbers and keywords are kept;
//! - the overlap has at most [`OVERLAP_MAX_CHARS`], its last ones;
//! - with a [`total_limit`](ContextOptions::total_limit) the hierarchy of a long answer is bounded, too: what is
//!   finished and far from the cut is folded into comments that count what was left out.
//!
//! ```
//! use jsonrill::{ContextOptions, Parser};
//!
//! let mut parser = Parser::new();
//! parser.push(r#"{"title": "A long story", "chapters": ["It was a dark and stormy night", "The rain fell in torr"#);
//! let options = ContextOptions::new().budget_limit(30).overlap_max_chars(21);
//! let contexts = parser.freeze().contexts_with(&options);
//! assert_eq!(contexts.hierarchy, r#"{"title": "...", "chapters": ["...", "The rain fell in torr"#);
//! assert_eq!((contexts.overlap.as_str(), contexts.overlap_clipped), ("The rain fell in torr", true));
//! ```
//!
//! Another process goes on reading where this one stopped with a [`Checkpoint`]. It is made of the text, is written and
//! read with any serde format, and checks itself. A parser that is resumed from it gives what the first would have
//! given, to the sequence numbers of its updates.
//!
//! ```
//! use jsonrill::{Checkpoint, End, Parser};
//!
//! let mut parser = Parser::new();
//! parser.feed(r#"{"city": "Os"#);
//! let stored = serde_json::to_string(&parser.freeze().checkpoint()?)?;
//!
//! let checkpoint: Checkpoint = serde_json::from_str(&stored)?;
//! assert_eq!(checkpoint.length(), 12); // the stream goes on behind this byte
//! let mut resumed = Parser::resume(&checkpoint);
//! let update = resumed.feed(r#"lo"}"#);
//! assert_eq!(update.delta().text("/city"), Some("lo")); // only what is new
//! assert_eq!(resumed.finish(End::Stopped).into_complete()?.at("/city"), "Oslo");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Joining the next response
//!
//! [`Parser::next_round`] says that the response is over, and that the next one to the same request follows. That may
//! be the exact rest, or begin with what is there already, or with the whole document, or with a container that holds
//! only what is new; it may be fenced and introduced. What is repeated is left out, and the document goes on in the
//! same parser: its updates, and all that is said here about them, do not know of rounds. [`Parser::seams`] says how
//! each was joined ([`SeamKind`]), what was left out, and whether there was another reading that is as good.
//!
//! Call it as soon as a response has ended. It settles what was still held of its start, so that [`Parser::seams`] says
//! how that response was joined, and [`Parser::snapshot`] shows it. The last seam is then that of the response to come.
//! If none comes, the call does no harm.
//!
//! ```
//! use jsonrill::{End, Parser, SeamKind};
//!
//! let mut parser = Parser::new();
//! parser.feed(r#"{"city": "Os"#);
//! parser.next_round();
//! let update = parser.feed("Continuing:\n```json\n{\n  \"city\": \"Oslo\", \"visits\": 2}\n```");
//! assert_eq!(update.delta().text("/city"), Some("lo"));
//!
//! let finished = parser.finish(End::Stopped);
//! assert_eq!(finished.snapshot().to_string(), r#"{"city":"Oslo","visits":2}"#);
//! assert_eq!(finished.seams()[0].kind, SeamKind::Restart);
//! ```
//!
//! # How far an answer is
//!
//! An answer that comes in rounds needs a measure of progress. A [`Kpi`] is a path and a target; a model writes them,
//! and [`KpiSet::read`] reads what it wrote. They are measured in a snapshot while the answer streams, for a progress
//! bar, and [`KpiProgress`] says after each round what it has brought ([`Verdict`]).
//!
//! ```
//! use jsonrill::{KpiProgress, KpiSet, Parser, SeamKind};
//!
//! let kpis = KpiSet::read(r#"Sure: [{"id": "items", "jsonPath": "$.items", "targetValue": 5, "currentValue": 0}]"#)?;
//! let mut parser = Parser::new();
//! parser.push(r#"{"items": ["a", "#);
//! assert_eq!(kpis.report(&parser.snapshot()).ratio, Some(0.2)); // at any moment
//! parser.next_round(); // round 1 has ended
//! let mut progress = KpiProgress::new(kpis, &parser.snapshot());
//!
//! parser.push(r#""b", "c", "#);
//! parser.next_round(); // round 2 has ended
//! let round = progress.after_round(&parser.snapshot(), false);
//! assert_eq!(round.verdict.as_pair(), (true, "Progress"));
//! assert_eq!(round.reason(), "`items` went from 1 to 3 of 5");
//! assert_eq!(parser.seams()[0].kind, SeamKind::Rest); // how it was joined
//!
//! parser.push("I am sorry.");
//! parser.next_round(); // round 3 has ended
//! let round = progress.after_round(&parser.snapshot(), false);
//! assert_eq!(round.verdict.as_pair(), (false, "No progress"));
//! # Ok::<(), jsonrill::KpiSetError>(())
//! ```
//!
//! A path to one place ([`KpiPath`]) is followed in the snapshot itself. With the feature `jsonpath` it may be any
//! JSONPath, such as `$.sections[*].items`, and then costs a copy of the document. Where nobody gives KPIs,
//! [`KpiSet::default`] counts leaves.
//!
//! # An answer in several rounds
//!
//! Where an answer is longer than a response can be, [`accumulate`](accumulate()) asks a [`LanguageModel`] for it in as
//! many rounds as it takes. All rounds become one document, whose updates simply go on. After the first cut the model
//! is asked for KPIs, which say how far the answer has got; rounds go on while they show progress, with some
//! [patience](AccumulationOptions::patience) if you like, and [`Conclusion`] says why they ended. [`Accumulation`] is
//! the same without any input or output: it says what to ask, and is told what came.
//!
//! ```
//! use jsonrill::{Accumulation, AccumulationOptions, Conclusion, NextStep, Purpose};
//!
//! # fn ask(purpose: Purpose) -> (&'static str, &'static str) {
//! #     match purpose {
//! #         Purpose::Answer => (r#"{"moons": ["Io", "Euro"#, "length"),
//! #         Purpose::Kpis => (r#"[{"id": "moons", "jsonPath": "moons", "targetValue": 4}]"#, "stop"),
//! #         _ => (r#"pa", "Ganymede", "Callisto"]}"#, "stop"),
//! #     }
//! # }
//! let mut accumulation = Accumulation::new("The four large moons of Jupiter, as JSON.", AccumulationOptions::new());
//! while let NextStep::Ask(request) = accumulation.next_step() {
//!     let (text, stop_reason) = ask(request.purpose); // your model, given `request.prompt`
//!     accumulation.text(text); // in one chunk or in many; each gives an update
//!     println!("{:?} of it is there", accumulation.completion());
//!     accumulation.end(stop_reason, None);
//! }
//! let report = accumulation.report().unwrap();
//! assert_eq!((report.conclusion, report.rounds.len()), (Conclusion::Complete, 2));
//! assert_eq!(report.snapshot().at("/moons/1"), "Europa");
//! ```
//!
//! The prompts are plain functions, [`continuation_prompt`] and [`kpi_prompt`], or templates of your own. For a parser
//! of your own there is [`Parser::next_round`], and [`Parser::seams`] says how the rounds were joined.
//!
//! # A provider's stream
//!
//! A model's server sends its answer in pieces, each inside a JSON payload, over server-sent events, lines, or an
//! array. A [`MessageDecoder`] takes the bytes of the response, cut anywhere, and keeps a [`Message`] that grows. Whose
//! form the stream has ([`Provider`]) is seen from the stream, unless it is named.
//!
//! ```
//! use jsonrill::{MessageDecoder, MessageEvent};
//!
//! let response = concat!(
//!     "event: content_block_start\n",
//!     r#"data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t1","name":"book"}}"#,
//!     "\n\nevent: content_block_delta\n",
//!     r#"data: {"type":"content_block_delta","index":0,"delta":{"partial_json":"{\"seats\": 2"}}"#,
//!     "\n\nevent: content_block_delta\n",
//!     r#"data: {"type":"content_block_delta","index":0,"delta":{"partial_json":"}"}}"#,
//!     "\n\n",
//! );
//! let mut decoder = MessageDecoder::new();
//! for read in response.as_bytes().chunks(16) {
//!     let is_final = decoder.push(read).any(|event| matches!(event, MessageEvent::CallFinal { .. }));
//!     if let [call] = decoder.message().tool_calls() {
//!         assert_eq!(call.arguments().is_some(), call.is_final()); // handed over when they are final ...
//!         assert!(!is_final || call.arguments().unwrap().at("/seats") == 2);
//!         println!("{}", call.partial_arguments()); // ... or as far as they are, if asked for as such
//!     }
//! }
//! decoder.finish();
//! let errors: Vec<_> = decoder.message().errors().iter().map(|error| error.kind.as_str()).collect();
//! assert_eq!(errors, ["unended"]); // it was cut behind the call; nothing of what came is lost
//! ```
//!
//! The JSON in the content of each [`Choice`] is read by a parser of its own, and so are the arguments of each
//! [`ToolCall`]. Nothing is handed over as finished that its own bytes did not close, whatever the stop reason says; a
//! call that ends without arguments has `{}`, and the free text of a custom tool, which has no end of its own, is whole
//! when the provider says so. Errors of the provider, payloads that are no JSON, and an end without an end marker are
//! values ([`MessageEvent::Error`]).
//!
//! [`SseDecoder`], [`NdjsonDecoder`], [`JsonArrayDecoder`], and [`PayloadDecoder`], which is any of them, are there on
//! their own.
//!
//! # Streams, and the fields of one
//!
//! Of a `Stream` of bytes or text, [`parse_json`](ParseJsonExt::parse_json) makes a stream of updates. It takes chunks
//! as they are or in `Result`s, whose errors it passes on, and reads nothing before it is asked.
//!
//! ```
//! use futures::executor::block_on_stream;
//! use jsonrill::ParseJsonExt;
//!
//! let chunks = futures::stream::iter(["{\"reply\": \"Goo", "d morning\"}"]);
//! let mut updates = chunks.parse_json();
//! for update in block_on_stream(&mut updates) {
//!     println!("{}", update.delta());
//! }
//! assert_eq!(updates.into_finished().into_complete()?.at("/reply"), "Good morning");
//! # Ok::<(), jsonrill::Incomplete>(())
//! ```
//!
//! Whoever wants some fields of an answer, and not all of it at each chunk, subscribes to them: [`Fields`] gives the
//! text of a string as it comes ([`text`](Fields::text)), a value the moment it is final ([`value`](Fields::value)),
//! the elements of an array each when it is final ([`items`](Fields::items)), and the same for all places that a
//! [`PathPattern`] means ([`texts`](Fields::texts), [`values`](Fields::values)). [`json`](Fields::json) reads a string
//! that is itself JSON. [`all_final`](Fields::all_final) says when there is nothing left to wait for. A field that can
//! no longer come, is something else than was asked for, or was cut is a [`FieldError`], as soon as that is known.
//!
//! ```
//! use futures::StreamExt;
//! use futures::executor::block_on;
//! use jsonrill::{FieldError, Fields};
//!
//! let chunks = ["{\"flag\": tr", "ue, \"items\": [{\"id\": 1}, {\"id", "\": 2}], \"fl", "ags\": 3}"];
//! let fields = Fields::new(futures::stream::iter(chunks));
//! block_on(async {
//!     assert!(fields.value::<bool>("/flag").await?); // two chunks were read for it
//!     let ids: Vec<_> = fields.values::<u32>("/items/*/id").map(|id| id.map(|id| id.value)).collect().await;
//!     assert_eq!(ids.into_iter().collect::<Result<Vec<_>, _>>()?, [1, 2]);
//!     let error = fields.value::<bool>("/done").await.unwrap_err();
//!     assert!(matches!(error, FieldError::Absent { .. }));
//!     assert_eq!(error.to_string(), r#""/done" will not come: "" was closed without it at byte 59"#);
//!     Ok::<_, FieldError>(())
//! })?;
//! # Ok::<(), FieldError>(())
//! ```
//!
//! There may be any number of subscribers, in one task or in many; they may come late, be slow, and be dropped. Each is
//! a place in the document and holds nothing else. Whoever is polled reads on for all, and while nobody is, nothing is
//! read. No runtime is needed.
//!
//! From the bytes of a response, [`decode`](ParseJsonExt::decode) makes a stream of what a decoder makes of them, and
//! [`content`](DecodedStream::content) the text of the answer:
//! `Fields::new(response.decode(MessageDecoder::new()).content())`.
//!
//! # Text around the JSON
//!
//! In the lenient dialect the JSON may stand in prose, in code fences, behind a byte order mark, between tags and
//! control tokens (`<tool_call>`, `<|im_end|>`), or after reasoning in `<think>` or `<thinking>` tags. This text is not
//! lost. [`Snapshot::outside`] gives it in order and by kind, as it streams, and [`Finished::skipped`] says where it
//! was.
//!
//! ```
//! use jsonrill::{End, Outcome, Parser, SkipKind};
//!
//! let mut parser = Parser::new();
//! let update = parser.feed("<think>A {short} one.</think>Here is the ca");
//! let prose = update.snapshot().outside().find(|piece| piece.kind == SkipKind::Prose).unwrap();
//! assert_eq!(prose.text, "Here is the ca");
//! assert!(!update.snapshot().is_started());
//!
//! parser.push("rd:\n```json\n{\"title\": \"Hi\"}\n```\n");
//! let finished = parser.finish(End::Stopped);
//! assert_eq!(finished.snapshot().to_string(), r#"{"title":"Hi"}"#);
//! assert_eq!(finished.outcome(), Outcome::Repaired);
//! let kinds: Vec<_> = finished.skipped().iter().map(|skip| skip.kind.as_str()).collect();
//! assert_eq!(kinds, ["tag", "reasoning", "tag", "prose", "fence", "fence"]);
//! ```
//!
//! Prose has braces and brackets, too. A candidate is *strong*, and the root for good, once it shows a quoted key and a
//! colon (at a line's start a key without quotes is enough), or, in an array, a strong element, a string or a second
//! scalar. `{}` and `[]` are the root where nothing but
//! blanks, fences and reasoning stand before them. Others (`[1]`, `{x}`, a bare `42`) are *weak*: they are held, and
//! used at the end if nothing stronger came. Up to 256 bytes of what stands behind one are held with it.
//!
//! ```
//! use jsonrill::{End, Parser};
//!
//! let mut parser = Parser::new();
//! assert!(!parser.feed("As in note [1], {so} it is: ").snapshot().is_started());
//! let update = parser.feed(r#"{"answer": "#);
//! assert!(update.snapshot().is_started());
//!
//! let mut alone = Parser::new();
//! assert!(!alone.feed("[1]").snapshot().is_started());
//! assert_eq!(alone.finish(End::Stopped).snapshot().at("/0"), 1);
//! ```
//!
//! [`Options::expect`] passes over roots of the wrong kind. [`Options::reasoning_expected`] is for models whose opening
//! `<think>` is part of the prompt.
//!
//! # Several documents
//!
//! By default the first strong root is the answer, and the others that were read are in [`Finished::documents`].
//! [`Roots::Last`] lets each root take the place of the one before. With [`Roots::Many`] each root is a document of its
//! own, numbered from 0: NDJSON, `{}{}`, or objects between lines of prose. One feed may then end several documents;
//! [`Update::parts`] gives an update for each, the newest last.
//!
//! ```
//! use jsonrill::{End, Options, Parser, Roots};
//!
//! let mut parser = Parser::with_options(Options::new().roots(Roots::Many));
//! let update = parser.feed("{\"id\": 1}\n{\"id\": 2}\n{\"id\": ");
//! for part in update.parts() {
//!     println!("document {}: {}", part.document(), part.snapshot());
//! }
//! assert_eq!(update.parts().count(), 3); // the third is open
//!
//! let finished = parser.finish(End::Unknown);
//! let whole: Vec<_> = finished.documents().map(|document| document.is_complete).collect();
//! assert_eq!(whole, [true, true, false]);
//! ```
//!
//! # Repairs, errors and limits
//!
//! Feeding never fails. Where a text departs from RFC 8259, the lenient dialect reads what its writer meant, and
//! reports a *repair* with its kind and its span: [`RepairKind`] lists them all, each with an example. It does so while
//! the text streams, under the same promise as everything else: nothing is shown and then taken back. Where a byte has
//! two readings, it is held until what follows fits one of them, for at most 256 bytes.
//!
//! ```
//! use jsonrill::{End, Parser, RepairKind};
//!
//! let mut parser = Parser::new();
//! parser.push("{name: 'Tea', \"note\": \"say \"hi");
//! assert_eq!(parser.snapshot().at("/note"), "say \"hi");
//! parser.push("\" now\", \"list\": [1 2,]}");
//! let answer = parser.finish(End::Stopped).into_complete()?;
//! assert_eq!(answer.to_string(), r#"{"name":"Tea","note":"say \"hi\" now","list":[1,2]}"#);
//!
//! let kinds: Vec<_> = answer.finished().repairs().iter().map(|repair| repair.kind).collect();
//! assert_eq!(kinds, [
//!     RepairKind::BareKey,
//!     RepairKind::OtherQuotes,
//!     RepairKind::InnerQuote,
//!     RepairKind::InnerQuote,
//!     RepairKind::MissingComma,
//!     RepairKind::ExtraComma,
//! ]);
//! # Ok::<(), jsonrill::Incomplete>(())
//! ```
//!
//! How the text ended settles what was still held ([`End`]): after [`End::Truncated`] commas and closers at the end of
//! an open string are text; after [`End::Stopped`] closers that close the document do; [`End::Unknown`] takes them for
//! that if they close exactly what is open.
//!
//! What is valid but worth a look, a duplicate key or half of a surrogate pair, is a *warning* ([`WarningKind`]).
//!
//! In the strict dialect any departure at all is an [`Error`], and in both a limit is, or a duplicate key where that is
//! forbidden. It stays: the text after it is kept
//! but not read, and every later update carries it. What was read before it stays readable.
//!
//! ```
//! use jsonrill::{End, ErrorCode, Outcome, Parser};
//!
//! let mut parser = Parser::strict();
//! let update = parser.feed("{\"a\": 1,\n \"b\": yes}");
//! let error = update.error().unwrap();
//! assert_eq!(error.code(), ErrorCode::UnexpectedByte);
//! assert_eq!((error.offset(), error.line(), error.column()), (15, Some(2), Some(7)));
//! assert_eq!(error.to_string(), "unexpected byte at byte 15 (line 2, column 7), expected a value");
//! assert_eq!(update.snapshot().at("/a"), 1);
//! assert_eq!(parser.finish(End::Unknown).outcome(), Outcome::Malformed);
//! ```
//!
//! [`Limits`] bound depth, bytes and values, and a text is read exactly up to them however it is cut. Reaching one is
//! an error whose [`is_limit`](Error::is_limit) is true, and the outcome is [`Outcome::Limit`]. The depth is at most
//! [`MAX_DEPTH`], 512, the input at most 4 GiB less 2 MB, and 1 GiB unless more is asked for.
//!
//! ```
//! use jsonrill::{ErrorCode, Limits, Options, Parser};
//!
//! let limits = Limits { depth: 2, ..Limits::default() };
//! let mut parser = Parser::with_options(Options::strict().limits(limits));
//! let update = parser.feed("[[1, [2]]]");
//! assert_eq!(update.error().map(|error| error.code()), Some(ErrorCode::DepthLimit));
//! assert_eq!(update.snapshot().to_string(), "[[1]]");
//! ```
//!
//! # A whole text at once
//!
//! [`repair`] reads a text that is already there and writes it anew: valid JSON, always. What was valid keeps its
//! spelling and its layout, down to the byte where nothing was wrong; what was open is closed. The outcome says whether
//! it was all there. [`Places`] gives lines and columns for the reports.
//!
//! ```
//! use jsonrill::{Outcome, Places, repair};
//!
//! let source = "Voilà :\n{\n  \"path\": \"C:\\dir\",\n  \"list\": [1.50, 2,],";
//! let repaired = repair(source);
//! assert_eq!(repaired.text(), "{\n  \"path\": \"C:\\\\dir\",\n  \"list\": [1.50, 2]\n}");
//! assert_eq!(repaired.outcome(), Outcome::Truncated);
//!
//! let mut places = Places::new(source);
//! let found: Vec<_> = repaired.repairs().iter().map(|repair| places.at(repair.span.start).to_string()).collect();
//! assert_eq!(found, ["3:14", "4:19"]);
//! ```
//!
//! # Asking a model
//!
//! A [`LanguageModel`] takes a prompt and gives a stream of text. `HttpModel` (feature `http`) is one at a server that
//! speaks OpenAI's or Anthropic's form; `CommandModel` (feature `command`) is a program that reads a prompt and prints
//! an answer. Whatever takes a model takes them, and a response of theirs is read as any other stream is.
//!
//! ```no_run
//! # #[cfg(all(feature = "http", feature = "command"))]
//! # mod ask {
//! use jsonrill::{AccumulationOptions, ApiKey, CommandModel, HttpModel, LanguageModel, accumulate};
//!
//! # async fn ask(is_local: bool) -> Result<(), Box<dyn std::error::Error>> {
//! let model: Box<dyn LanguageModel> = if is_local {
//!     Box::new(CommandModel::new("llm").args(["-m", "local"]))
//! } else {
//!     Box::new(HttpModel::openai("gpt-5-mini").key(ApiKey::from_env("OPENAI_API_KEY")?))
//! };
//! let report = accumulate(&model, "Ten rivers, as a JSON array.", AccumulationOptions::new()).report().await;
//! println!("{}", report.into_complete()?);
//! # Ok(())
//! # }
//! # }
//! ```
//!
//! # Repair with a model's help
//!
//! Where the rules had to leave out text, make something up, or guess where an object or array ends
//! ([`RepairKind::is_doubtful`]), where they found nothing, and where a value is missing that has to be there,
//! [`repair_assisted`] asks a [`LanguageModel`]. It is asked to mend the syntax and nothing else, or to go on with a
//! text that is merely cut, and its answer is taken only if it is valid as it was written and differs from the original
//! in nothing else ([`Comparison`]). Otherwise it is told why and asked once more, and then what the rules made is what
//! there is. The [`AssistedReport`] has it all, the original included. [`AssistedRepair`] is the same without any input
//! or output.
//!
//! ```
//! use jsonrill::{AssistedOptions, AssistedRepair, RepairSource};
//!
//! let text = r#"{"tags": ["hot", "green", "price": 3.5}"#;
//! let mut repair = AssistedRepair::new(text, AssistedOptions::new().require("/price"));
//! repair.text("{\"tags\": [\"hot\", \"green\"], \"price\": 4}"); // your model's answer to `repair.next_step()`
//! repair.end("stop", None);
//! repair.text("{\"tags\": [\"hot\", \"green\"], \"price\": 3.5}"); // it was told what is wrong
//! repair.end("stop", None);
//! let report = repair.into_report();
//! assert_eq!((report.source(), report.snapshot().at("/price").as_f64()), (RepairSource::Model, Some(3.5)));
//! let error = report.attempts()[0].error.as_ref().unwrap();
//! assert_eq!(error.to_string(), "the answer differs from the text in 2 places"); // 3.5 was lost, and 4 made up
//! ```
//!
//! # Splitting what is too large
//!
//! A document that is too large for a model or an index is cut into chunks that keep their context ([`split`]): each is
//! JSON of its own, with the path to what it holds, and never larger than asked, measured in characters, bytes, or by a
//! function of yours. Arrays stay arrays, records stay whole where they fit, and [`split::join`] gives the document
//! back.
//!
//! ```
//! use jsonrill::split::Splitter;
//!
//! let text = r#"{"team": {"name": "Ops", "people": [{"name": "Ada"}, {"name": "Grace"}]}}"#;
//! let chunks: Vec<_> = Splitter::new(46).split(text).collect::<Result<_, _>>()?;
//! assert_eq!(chunks[0].text, r#"{"team":{"name":"Ops"}}"#);
//! assert_eq!(chunks[1].text, r#"{"team":{"people":[{"name":"Ada"}]}}"#);
//! assert_eq!((&*chunks[1].pointer, chunks[1].range.clone()), ("/team/people", Some(0..1)));
//! # Ok::<(), jsonrill::split::SplitError>(())
//! ```
//!
//! JSON that arrives is split as it arrives ([`split::StreamSplitter`]), in the memory of two chunks. So is what a
//! model writes, prose and damage included ([`split::LenientSplitter`]), and what a parser reads whose document is
//! wanted for something else, too ([`split::UpdateSplitter`]). [`split::compat`] splits as Python's
//! `langchain-text-splitters` does.
//!
//! # Cost
//!
//! | what | time |
//! |---|---|
//! | [`feed`](Parser::feed), [`push`](Parser::push) | O(bytes of the chunk + depth), amortised; most allocate nothing |
//! | [`snapshot`](Parser::snapshot), [`update`](Parser::update), cloning either | O(depth) |
//! | all of [`Delta::ops`], [`Delta::finals`]; [`Delta::text`], [`Delta::outside`] | O(what was added + depth) |
//! | [`Delta::apply`], [`Delta::to_ops`], the delta as JSON | the same, and a path for each operation |
//! | [`get`](ValueRef::get), each step of [`at`](ValueRef::at) | O(1); in small containers, at most 32 children |
//! | [`state`](Snapshot::state), [`is_final`](Snapshot::is_final), [`Delta::became_final`] | that of `at`, + depth where members are replaced |
//! | `to_value`, `deserialize`, `Display`, [`detach`](Snapshot::detach) | O(what is copied) |
//! | [`Ambiguity::to_value`] | O(document): it names every value |
//! | [`finish`](Parser::finish) | O(depth + what was held + number of roots, repairs and skips) |
//! | [`freeze`](Parser::freeze) | O(depth) |
//! | [`Frozen::cut`], [`contexts`](Frozen::contexts) and each of them, [`checkpoint`](Frozen::checkpoint) | O(bytes of the text) at most; the overlap, its length |
//! | [`Parser::resume`] | O(bytes of the text): it is read again |
//! | [`KpiSet::report`], [`KpiProgress::after_round`] | O(length of the paths); `leaves()` and JSONPath O(document) |
//! | [`repair`], [`get_contexts`] | O(bytes of the text) |
//! | [`AssistedRepair`], all of it | O(bytes of the text and of the answers), where they are alike |
//! | [`MessageDecoder::push`], and `push` of all decoders | O(bytes of the chunk + depth), amortised |
//! | an item of [`JsonStream`] and [`DecodedStream`] | that of `feed`, and of `push` |
//! | a chunk read for [`Fields`] | that of `feed`, and for each subscriber that waits its path, of a pattern what was added |
//! | a chunk of [`split`] | O(its bytes), the path included; by a function, some ten times what that takes |
//! | [`Accumulation::text`] | that of `feed`; [`Accumulation::end`], O(bytes of the text) |
//!
//! Memory is O(bytes): 32 bytes a value, the decoded text of keys, strings and numbers, and the input itself, which
//! [`Options::keep_source`] leaves out. All snapshots of a document share it, and any one of them keeps all of it;
//! [`Snapshot::detach`] copies a part out. A [`Frozen`] is a snapshot and a few numbers; without the input it has no
//! overlap, hierarchy or checkpoint.
//!
//! # How it works
//!
//! A model's answer only ever grows. So the parser writes an **append-only log**: one entry for each value in the order
//! of the text, the decoded text, and the input, in blocks that never move. A **bookmark** is how long the log was at
//! some moment, with a copy of the open path. Since nothing below a bookmark is ever written again, a snapshot is a
//! bookmark and a reference to the log: taking one copies no document. A delta is the stretch of log between two
//! bookmarks, walked when it is asked for. The ambiguity is the bookmark's open path. What is still changing, such as
//! the end of the string in flight or the number of children of an open container, is in the bookmark and not in the
//! log, so that readers on other threads never see it move. Objects and arrays of more than 32 children have an index,
//! seeded at random, which serves old bookmarks as well as new ones.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | (none) | the library: parser, log, views, the state at the cut, progress, rounds, streams, the splitter. Nothing is on by default |
//! | `jsonpath` | JSONPath (RFC 9535) as paths of KPIs; brings `serde_json_path` |
//! | `http` | `HttpModel`, for models at a server; brings `reqwest`, `rustls` with `ring`, `tokio`, `fastrand`, `httpdate` |
//! | `command` | `CommandModel`, for models that are a program; brings `process-wrap`, `shlex`, `tokio` |
//! | `cli` | the program `jsonrill`; brings `jsonpath`, `clap`, `anyhow`, `base64`, `crossterm`, `indicatif`, `unicode-width` |
//!
//! # What it is not
//!
//! - Not the fastest way to read a document that is already whole: `serde_json` into your own type has less to do.
//! - Not a client for all that providers offer: without features it opens no connection, and needs no runtime. Feed it
//!   what yours receives, or make a [`LanguageModel`] of it.
//! - Not a validator: it says what the JSON is, not whether it has the shape you asked for. `deserialize` does.
//! - Not for `no_std`.
#![deny(missing_docs)]
#![warn(missing_debug_implementations, unreachable_pub)]
// No input may make the library panic, so what could is not used at all.
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod continuation;
mod document;
mod frozen;
mod model;
mod parser;
mod prompt;
mod repair;
pub mod split;
mod stream;
mod view;

pub use continuation::{
    Accumulate, Accumulation, AccumulationEvent, AccumulationOptions, AccumulationReport, Conclusion,
    ContinuationTemplate, Delivered, Kpi, KpiPath, KpiPathError, KpiProblem, KpiProblemKind, KpiProgress, KpiReport,
    KpiSet, KpiSetError, KpiStatus, KpiTemplate, KpiValues, Measured, NextStep, Round, RoundProgress, Verdict,
    accumulate, continuation_prompt, kpi_prompt,
};
pub use document::{Kind, Path, PathPattern, Place, Places, SkipKind, Span, Step};
pub use frozen::{
    BUDGET_LIMIT, Checkpoint, CheckpointError, ContextOptions, Contexts, Cut, CutState, Frozen, KEEP_SCALARS,
    OVERLAP_MAX_CHARS, Overlap, TOTAL_LIMIT,
};
#[cfg(feature = "command")]
pub use model::CommandModel;
#[cfg(feature = "http")]
pub use model::{ApiKey, HttpModel};
pub use model::{
    LanguageModel, ModelError, ModelErrorKind, ModelEvent, ModelRequest, ModelStream, Purpose, ScriptedModel,
    ScriptedReply, StopReason, Usage,
};
pub use parser::{
    Chunk, Complete, Dialect, Document, Duplicates, End, Error, ErrorCode, Expect, Finished, Incomplete, Limits,
    MAX_DEPTH, Options, Outcome, Parser, RepairKind, Report, ReportKind, Reports, Role, Roots, Seam, SeamKind,
    WarningKind, extract_continuation_contexts, get_contexts,
};
pub use prompt::TemplateError;
pub use repair::{
    Ask, AssistedError, AssistedOptions, AssistedRepair, AssistedReport, AssistedStep, Attempt, CacheLimits,
    Comparison, Difference, Differences, Lack, MissingField, RepairCache, RepairSource, RepairTemplate, Repaired,
    repair, repair_assisted, repair_with,
};
pub use stream::{
    AllFinal, Choice, ChunkStream, ContentPiece, ContentStream, Decode, DecodeError, DecodedStream, FieldError,
    FieldItems, FieldText, FieldTexts, FieldValue, FieldValues, Fields, FieldsFinished, Found, JsonArrayDecoder,
    JsonStream, JsonTexts, MAX_EVENT_BYTES, Message, MessageDecoder, MessageError, MessageErrorKind, MessageEvent,
    NdjsonDecoder, ParseJsonExt, Payload, PayloadDecoder, Payloads, Piece, Provider, SharedMessage, SseDecoder,
    SseEvent, SseEvents, TextPiece, TooLong, ToolCall, Unended, UnknownProvider, Wire,
};
pub use view::{
    Ambiguity, ApplyError, Delta, DeltaOp, DeserializeError, Elements, Finals, Members, Op, Ops, OutsideText, Parts,
    Snapshot, State, Update, ValueRef, apply_all,
};

/// The examples of the README, run as tests.
#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct ReadmeDoctests;
