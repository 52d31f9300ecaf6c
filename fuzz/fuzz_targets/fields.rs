//! Fields: whatever the text, however it is cut, whoever is polled when, given up or late: each subscriber says what
//! one that is alone says of the whole text.
#![no_main]

use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use futures_core::Stream;
use jsonrill::{Fields, Options, Parser};
use jsonrill_fuzz::{Input, read};
use serde_json::Value;

/// A source that has nothing before each of its chunks.
struct Source {
    pieces: std::vec::IntoIter<Vec<u8>>,
    is_due: bool,
}

impl Source {
    fn new(pieces: &[&[u8]]) -> Self {
        let pieces: Vec<_> = pieces.iter().map(|piece| piece.to_vec()).collect();
        Self { pieces: pieces.into_iter(), is_due: false }
    }
}

impl Stream for Source {
    type Item = Vec<u8>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Vec<u8>>> {
        self.is_due = !self.is_due;
        if self.is_due {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(self.pieces.next())
    }
}

/// A subscriber: gives what it says next as text, and nothing when it is over.
type Subscriber = Box<dyn FnMut(&mut Context<'_>) -> Poll<Option<String>>>;

const KINDS: u8 = 8;

fn stream<T>(mut stream: impl Stream<Item = T> + Unpin + 'static, say: impl Fn(T) -> String + 'static) -> Subscriber {
    Box::new(move |context| Pin::new(&mut stream).poll_next(context).map(|item| item.map(&say)))
}

fn future<T>(future: impl Future<Output = T> + Unpin + 'static, say: impl Fn(T) -> String + 'static) -> Subscriber {
    let mut future = Some(future);
    Box::new(move |context| {
        let Some(waiting) = &mut future else { return Poll::Ready(None) };
        let said = Pin::new(waiting).poll(context).map(|output| Some(say(output)));
        if said.is_ready() {
            future = None;
        }
        said
    })
}

fn subscribe(fields: &Fields<Source>, kind: u8, path: &str) -> Subscriber {
    let or = |error: jsonrill::FieldError| format!("error: {error}");
    match kind % KINDS {
        0 => stream(fields.text(path), move |text| text.map_or_else(or, |text| format!("text:{text}"))),
        1 => stream(fields.texts(path), move |piece| {
            piece.map_or_else(or, |piece| {
                let kind = if piece.is_last { "last" } else { "text" };
                format!("{kind}:{}", piece.text)
            })
        }),
        2 => future(fields.value::<Value>(path), move |value| value.map_or_else(or, |value| value.to_string())),
        3 => stream(fields.values::<Value>(path), move |found| {
            found.map_or_else(or, |found| format!("{} {}", found.path, found.value))
        }),
        4 => stream(fields.items::<Value>(path), move |item| item.map_or_else(or, |item| item.to_string())),
        5 => future(fields.all_final([path, ""]), move |done| done.map_or_else(or, |()| "done".to_owned())),
        6 => stream(fields.json(path).values::<Value>("/**"), move |found| {
            found.map_or_else(or, |found| format!("{} {}", found.path, found.value))
        }),
        _ => future(fields.finished(), |finished| format!("{:?} {}", finished.outcome(), finished.snapshot())),
    }
}

/// What was said, with pieces of a text joined.
#[derive(Debug, Default, PartialEq)]
struct Said {
    all: Vec<String>,
    /// More of the last text may come.
    is_open: bool,
}

impl Said {
    fn add(&mut self, said: String) {
        let piece = said.split_once(':').filter(|(kind, _)| matches!(*kind, "text" | "last"));
        match (self.all.last_mut(), piece) {
            (Some(open), Some((_, more))) if self.is_open => open.push_str(more),
            (_, Some((_, text))) => self.all.push(text.to_owned()),
            (_, None) => self.all.push(said.clone()),
        }
        self.is_open = piece.is_some_and(|(kind, _)| kind == "text");
        if piece.is_some_and(|(kind, _)| kind == "last") {
            self.all.push("the end of a text".to_owned());
        }
    }

    /// Polls so often. Whether it is over.
    fn poll(&mut self, subscriber: &mut Subscriber, times: usize) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        for _ in 0..times {
            match subscriber(&mut context) {
                Poll::Ready(Some(said)) => self.add(said),
                Poll::Ready(None) => return true,
                Poll::Pending => {}
            }
        }
        false
    }
}

fn fields(pieces: &[&[u8]], options: Options) -> Fields<Source> {
    Fields::with_parser(Source::new(pieces), Parser::with_options(options))
}

jsonrill_fuzz::mutate_as!(jsonrill_fuzz::mutate::Layout::BehindLines);

// The first line is what is subscribed to: bytes of a schedule, a path, and so on. What follows is an input as
// elsewhere.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut lines = data.splitn(3, |byte| *byte == b'\n');
    let (Some(paths), Some(schedule), Some(input)) = (lines.next(), lines.next(), lines.next()) else { return };
    let Some(Input { pieces, text, options, .. }) = read(input) else { return };
    let Ok(paths) = std::str::from_utf8(paths) else { return };
    // A kind is the letter before its path.
    let wishes: Vec<(u8, &str)> =
        paths.split(' ').filter_map(|wish| Some((*wish.as_bytes().first()?, wish.get(1..)?))).take(8).collect();
    if wishes.is_empty() || text.len() > 4096 {
        return;
    }

    let shared = fields(&pieces, options);
    let mut running: Vec<Option<(Subscriber, Said, bool)>> = wishes.iter().map(|_| None).collect();
    for byte in schedule {
        let number = usize::from(byte % 8) % wishes.len();
        let (kind, path) = wishes[number];
        if byte & 0x80 != 0 {
            running[number] = None; // given up, to begin anew
            continue;
        }
        let new = || (subscribe(&shared, kind, path), Said::default(), false);
        let (subscriber, said, is_over) = running[number].get_or_insert_with(new);
        *is_over = *is_over || said.poll(subscriber, usize::from(byte >> 3 & 7) + 1);
    }
    let enough = 4 * text.len() + 4 * pieces.len() + 4096;
    for (number, &(kind, path)) in wishes.iter().enumerate() {
        let new = || (subscribe(&shared, kind, path), Said::default(), false);
        let (mut subscriber, mut said, is_over) = running[number].take().unwrap_or_else(new);
        assert!(is_over || said.poll(&mut subscriber, enough), "{kind} {path} waits for ever");
        let mut alone = Said::default();
        assert!(alone.poll(&mut subscribe(&fields(&[&text], options), kind, path), enough));
        assert_eq!(said, alone, "{kind} {path}");
    }
});
