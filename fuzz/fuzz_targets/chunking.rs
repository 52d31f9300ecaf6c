//! Law 1: chunking never matters. Whatever is seen after some bytes is the same for every way to have cut them.
#![no_main]

use jsonrill::Parser;
use jsonrill_fuzz::{read, seen, seen_at_end};

/// At how many cuts all views are compared; each costs a reading from the start.
const PLACES: usize = 6;

jsonrill_fuzz::mutate_as!(jsonrill_fuzz::mutate::Layout::Cut);

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some(input) = read(data) else { return };
    let mut parser = Parser::with_options(input.options);
    let step = input.pieces.len().div_ceil(PLACES);
    let mut fed = 0;
    for (index, piece) in input.pieces.iter().enumerate() {
        // Both ways to give a piece, in turn.
        if index % 2 == 0 {
            parser.feed(piece);
        } else {
            parser.push(piece);
        }
        fed += piece.len();
        if index % step == 0 {
            let mut at_once = Parser::with_options(input.options);
            at_once.push(&input.text[..fed]);
            assert_eq!(seen(&mut parser), seen(&mut at_once), "after {fed} bytes");
        }
    }
    let mut by_byte = Parser::with_options(input.options);
    for byte in &input.text {
        by_byte.push([*byte]);
    }
    let mut at_once = Parser::with_options(input.options);
    at_once.push(&input.text);
    assert_eq!(seen(&mut by_byte), seen(&mut at_once), "byte by byte");
    assert_eq!(seen(&mut parser), seen(&mut at_once), "all pieces");

    let at_once = seen_at_end(&at_once.finish(input.end));
    assert_eq!(seen_at_end(&by_byte.finish(input.end)), at_once, "byte by byte, at the end");
    assert_eq!(seen_at_end(&parser.finish(input.end)), at_once, "all pieces, at the end");
});
