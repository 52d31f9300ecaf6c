//! Law 7: no order of calls, options and limits makes it panic. After the text and its options, an input may hold a
//! second part behind two cuts: the calls to make, one a byte.
#![no_main]

use jsonrill::{Delta, Limits, Parser, Snapshot, Step};
use jsonrill_fuzz::{read, walk};

/// Looks at everything there is.
fn look(snapshot: &Snapshot) {
    std::hint::black_box(snapshot.to_string());
    std::hint::black_box(snapshot.to_value());
    std::hint::black_box(snapshot.ambiguity().to_value());
    std::hint::black_box((snapshot.text().len(), snapshot.open_path(), snapshot.outside().count()));
    walk(snapshot.root(), &mut |value| {
        let path = value.path();
        assert!(snapshot.at(path.as_str()).exists(), "{path} leads nowhere");
        std::hint::black_box((value.as_i64(), value.as_u64(), value.as_f64(), value.as_str(), value.len()));
        std::hint::black_box((
            value.key(),
            value.index(),
            value.state(),
            value.span().map(|span| snapshot.source(span)),
        ));
    });
}

jsonrill_fuzz::mutate_as!(jsonrill_fuzz::mutate::Layout::UpToCuts);

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let (data, calls) = match data.windows(2).position(|pair| pair == [0xff, 0xff]) {
        Some(at) => (&data[..at], &data[at + 2..]),
        None => (data, &b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"[..]),
    };
    let Some(input) = read(data) else { return };
    let mut options = input.options;
    if let [depth, nodes, bytes, ..] = *calls {
        // Small limits half the time, so that they are met.
        if depth & 1 == 1 {
            options = options.limits(
                Limits::new().depth(u32::from(depth >> 4)).nodes(u32::from(nodes >> 2)).bytes(u32::from(bytes)),
            );
        }
    }
    let mut parser = Parser::with_options(options);
    let mut old = parser.snapshot();
    let mut rest = &input.text[..];
    for call in calls {
        let (what, size) = (call & 15, usize::from(call >> 4) * 2);
        let (piece, tail) = rest.split_at(size.min(rest.len()));
        match what {
            0..=3 => {
                rest = tail;
                let update = parser.feed(piece);
                std::hint::black_box(update.delta().to_string());
                std::hint::black_box(update.ambiguity().to_string());
            }
            4..=6 => {
                rest = tail;
                parser.push(piece);
            }
            7 => old = parser.snapshot(),
            8 => {
                let new = parser.snapshot();
                std::hint::black_box(Delta::between(&old, &new).to_ops());
                // The other way round, and with itself: nothing sensible, but no panic.
                std::hint::black_box(Delta::between(&new, &old).to_ops());
                std::hint::black_box(Delta::between(&new, &new).to_ops());
            }
            9 => {
                let update = parser.update();
                std::hint::black_box(update.delta().to_value());
            }
            10 => {
                let snapshot = parser.snapshot();
                if let Some(part) = snapshot.open_path().and_then(|path| snapshot.detach(path.as_str())) {
                    look(&part);
                }
            }
            11 => look(&parser.snapshot().final_only()),
            12 => look(&parser.snapshot().without_number_in_flight()),
            13 => {
                let snapshot = parser.snapshot();
                let path = String::from_utf8_lossy(piece).into_owned();
                std::hint::black_box((snapshot.at(path.as_str()).exists(), snapshot.state(path.as_str())));
                std::hint::black_box(snapshot.at([Step::Key(&path), Step::Index(size)]).exists());
                std::hint::black_box((snapshot.is_final(path.as_str()), snapshot.is_ambiguous(path.as_str())));
            }
            14 => look(&parser.snapshot()),
            _ => {
                let finished = parser.finish(input.end);
                look(finished.snapshot());
            }
        }
    }
    parser.push(rest);
    let finished = parser.finish(input.end);
    look(finished.snapshot());
    std::hint::black_box(format!("{finished:?}"));
    match finished.into_complete() {
        Ok(complete) => look(&complete),
        Err(incomplete) => look(incomplete.snapshot()),
    }
});
