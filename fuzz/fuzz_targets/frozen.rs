//! The state at the cut, at each byte: valid JSON that says what the end of the text would, limits kept, and a
//! checkpoint that goes on as if nothing had happened.
#![no_main]

use jsonrill::{Checkpoint, ContextOptions, CutState, End, Options, Parser};
use jsonrill_fuzz::{alike, read, seen, seen_at_end};

/// Longer texts take too long at each of their bytes.
const LONGEST: usize = 100;

jsonrill_fuzz::mutate_as!(jsonrill_fuzz::mutate::Layout::Cut);

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some(input) = read(data) else { return };
    if input.text.len() > LONGEST {
        return;
    }
    let has_source = input.options == input.options.keep_source(true);
    let mut parser = Parser::with_options(input.options);
    for at in 0..=input.text.len() {
        let frozen = parser.freeze();
        let mut ended = Parser::with_options(input.options);
        ended.push(&input.text[..at]);
        let finished = ended.finish(End::Truncated);
        if has_source {
            let end = finished.frozen();
            assert_eq!(frozen.cut(), end.cut(), "the cut");
            assert_eq!(frozen.contexts(), end.contexts(), "the contexts");
            let part = frozen.complete_part();
            if part.is_empty() {
                assert!(frozen.cut().state() != CutState::Done, "a root that was closed is there");
            } else {
                let mut strict = Parser::with_options(Options::strict().duplicates(input.duplicates));
                strict.push(&part);
                let value =
                    strict.finish(End::Stopped).into_complete().expect("the complete part is valid JSON").to_value();
                if !matches!(frozen.cut().state(), CutState::InNumber | CutState::InKeyword) {
                    assert!(alike(&value, &finished.snapshot().to_value()), "{part} is what was read");
                }
            }
        }
        for limit in [128, 200] {
            let folded = frozen.hierarchy_with(&ContextOptions::new().total_limit(Some(limit)));
            assert!(folded.chars().count() <= limit, "{folded} is longer than {limit}");
        }
        let overlap = frozen.overlap_with(&ContextOptions::new().overlap_max_chars(5));
        assert!(overlap.text.chars().count() <= 5);
        let checkpoint = frozen.checkpoint();
        assert_eq!(checkpoint.is_ok(), has_source);
        if let Some(checkpoint) = checkpoint.ok().filter(|_| at % 7 == 3) {
            let stored = serde_json::to_string(&checkpoint).expect("a checkpoint can be stored");
            let stored: Checkpoint = serde_json::from_str(&stored).expect("and read");
            assert_eq!(stored, checkpoint);
            let mut resumed = Parser::resume(&stored);
            assert_eq!(seen(&mut resumed), seen(&mut parser), "a parser that was resumed");
            resumed.push(&input.text[at..]);
            let mut whole = Parser::with_options(input.options);
            whole.push(&input.text);
            assert_eq!(seen_at_end(&resumed.finish(input.end)), seen_at_end(&whole.finish(input.end)));
        }
        if let Some(byte) = input.text.get(at) {
            parser.push([*byte]);
        }
    }
});
