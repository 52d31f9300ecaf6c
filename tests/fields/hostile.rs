//! Large and odd input: each byte is looked at a bounded number of times, and nothing recurses.

use std::task::{Context, Waker};

use futures::StreamExt;
use futures::executor::block_on;
use jsonrill::{FieldError, Fields, MAX_DEPTH};
use serde_json::Value;

use crate::script::chunks;

/// If a subscriber began anew at each byte, this would take minutes.
#[test]
fn a_long_array_byte_by_byte() {
    let text = format!("{{\"a\": [{}null]}}", "{\"x\": [\"y\", 1]}, ".repeat(20_000));
    let fields = Fields::new(chunks(text.chars()));
    let mut context = Context::from_waker(Waker::noop());
    let (mut items, mut all, mut some, mut texts) = (
        fields.items::<Value>("/a"),
        fields.values::<u8>("/a/*/x/1"),
        fields.values::<Value>("/**/x"),
        fields.texts("/**"),
    );
    let mut counts = [0; 4];
    // All in turn, so that each is a byte behind the other.
    loop {
        let mut is_over = true;
        for (at, is_some) in [
            items.poll_next_unpin(&mut context).map(|item| item.is_some()),
            all.poll_next_unpin(&mut context).map(|item| item.is_some()),
            some.poll_next_unpin(&mut context).map(|item| item.is_some()),
            texts.poll_next_unpin(&mut context).map(|item| item.is_some()),
        ]
        .into_iter()
        .enumerate()
        {
            if is_some.is_pending() || is_some == std::task::Poll::Ready(true) {
                is_over = false;
            }
            counts[at] += usize::from(is_some == std::task::Poll::Ready(true));
        }
        if is_over {
            break;
        }
    }
    assert_eq!(counts[..3], [20_001, 20_000, 20_000]);
    assert!(counts[3] >= 20_000);
}

#[test]
fn a_deep_document() {
    let depth = MAX_DEPTH as usize;
    let text = "[".repeat(depth) + &"]".repeat(depth);
    let fields = Fields::new(chunks(text.chars()));
    assert_eq!(block_on(fields.values::<Value>("/**").count()), depth);
    assert_eq!(block_on(fields.values::<Value>("/**/**/0/**/0").count()), depth - 2);
    let path = "/0".repeat(depth + 1);
    assert!(matches!(block_on(fields.value::<Value>(&path)), Err(FieldError::Absent { .. })));

    let fields = Fields::new(chunks(["[".repeat(100_000)]));
    assert!(matches!(block_on(fields.value::<Value>("")), Err(FieldError::Malformed { .. })));
}

#[test]
fn many_subscribers_that_come_and_go() {
    let fields = Fields::new(chunks(["{\"a\": 1, \"b\": ", "2}"]));
    for _ in 0..100_000 {
        drop(fields.text("/a"));
    }
    let waiting: Vec<_> = (0..10_000).map(|_| fields.value::<u8>("/b")).collect();
    let values = block_on(futures::future::join_all(waiting));
    assert!(values.into_iter().all(|value| matches!(value, Ok(2))));
}

#[test]
fn a_pattern_of_wildcards_alone() {
    let pattern = "/**/*".repeat(200);
    let text = format!("{}1{}", "[".repeat(150), "]".repeat(150));
    let fields = Fields::new(chunks([text.as_str()]));
    assert_eq!(block_on(fields.values::<Value>(&pattern).count()), 0);
}
