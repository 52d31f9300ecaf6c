//! Documents that were escaped, or whose quotes were doubled, as a whole: each is read as the document within, and
//! every value, repair and warning is where that has it.

use std::collections::BTreeSet;
use std::fmt;

use jsonrill::{End, Finished, Parser, Span, ValueRef};

use super::view::{root, values};

/// What was done to a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// A backslash before each quote and backslash, and letters for white space.
    Escaped,
    /// Each quote twice.
    Doubled,
}

/// A document within a layer.
#[derive(Clone, PartialEq, Eq)]
pub struct Layered {
    pub text: Vec<u8>,
    /// Where the first bytes of the pairs are: they stand for nothing.
    silent: Vec<usize>,
}

impl fmt::Debug for Layered {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "b\"{}\"", self.text.escape_ascii())
    }
}

impl Layered {
    pub fn new(inner: &[u8], layer: Layer) -> Self {
        let (mut text, mut silent) = (Vec::new(), Vec::new());
        for byte in inner {
            let pair = match (layer, byte) {
                (Layer::Doubled, b'"') => Some([b'"', b'"']),
                (Layer::Escaped, b'"' | b'\\' | b'/') => Some([b'\\', *byte]),
                (Layer::Escaped, b'\n') => Some(*b"\\n"),
                (Layer::Escaped, b'\r') => Some(*b"\\r"),
                (Layer::Escaped, b'\t') => Some(*b"\\t"),
                _ => None,
            };
            match pair {
                Some(pair) => {
                    silent.push(text.len());
                    text.extend(pair);
                }
                None => text.push(*byte),
            }
        }
        Self { text, silent }
    }

    /// Where in the document within the byte at `at` is.
    fn inner(&self, at: u32) -> u32 {
        at - u32::try_from(self.silent.partition_point(|silent| *silent < at as usize)).unwrap()
    }

    /// Where in the document within `span` is: it has no half of a pair.
    fn inner_span(&self, span: Span) -> Result<(u32, u32), String> {
        let is_silent = |at: u32| self.silent.binary_search(&(at as usize)).is_ok();
        if !span.is_empty() && is_silent(span.end - 1) {
            return Err(format!("{span:?} has half a pair"));
        }
        Ok((self.inner(span.start), self.inner(span.end)))
    }
}

/// Whether the first key of a document shows that there is a layer, or the first element of an array that it is escaped.
pub fn shows_layer(inner: &[u8], layer: Layer) -> bool {
    match inner {
        [b'{', b'"', first, ..] => first.is_ascii_alphanumeric(),
        [b'[', b'"', ..] => layer == Layer::Escaped,
        _ => false,
    }
}

/// What is told of the text before `end`: kinds, and each byte or place that they are about.
/// (What touches is one run, and does not touch where a pair is between.)
fn told(
    finished: &Finished,
    end: u32,
    inner: impl Fn(Span) -> Result<(u32, u32), String>,
) -> Result<BTreeSet<(String, u32, bool)>, String> {
    let repairs = finished.repairs().iter().map(|report| (report.kind.to_string(), report.span));
    let warnings = finished.warnings().iter().map(|report| (report.kind.to_string(), report.span));
    let mut told = BTreeSet::new();
    for (kind, span) in repairs.chain(warnings) {
        let is_layer = matches!(kind.as_str(), "escaped_document" | "doubled_document");
        if is_layer || span.start >= end {
            continue;
        }
        let (start, end) = inner(span).map_err(|fault| format!("{kind}: {fault}"))?;
        if start == end {
            told.insert((kind.clone(), start, false));
        }
        told.extend((start..end).map(|at| (kind.clone(), at, true)));
    }
    Ok(told)
}

/// Whether a document reads through a layer as it does without, with everything at its place. `None` where it is not
/// read through one.
pub fn reads_alike(inner: &[u8], layer: Layer, bytewise: bool, end: End) -> Result<(), String> {
    if !shows_layer(inner, layer) {
        return Ok(());
    }
    let layered = Layered::new(inner, layer);
    let read = |text: &[u8]| {
        let mut parser = Parser::new();
        text.chunks(if bytewise { 1 } else { text.len().max(1) }).for_each(|piece| parser.push(piece));
        parser.finish(end)
    };
    let (plain, through) = (read(inner), read(&layered.text));
    let of = |finished: &Finished| finished.snapshot().root().span().filter(|span| span.start == 0);
    let (Some(_), Some(_)) = (of(&plain), of(&through)) else { return Ok(()) };
    if root(plain.snapshot()) != root(through.snapshot()) {
        return Err(format!("reads: {layered:?} as {}, and within {}", through.snapshot(), plain.snapshot()));
    }
    let exact = |span: Span| Ok((span.start, span.end));
    let spans = |finished: &Finished, inner: &dyn Fn(Span) -> Result<(u32, u32), String>| {
        let place = |value: ValueRef<'_>| {
            let span = inner(value.span().ok_or("no span")?).map_err(|fault| format!("{}: {fault}", value.path()))?;
            Ok::<_, String>((value.path(), span))
        };
        values(finished.snapshot()).into_iter().map(place).collect::<Result<Vec<_>, _>>()
    };
    let (plain_spans, found) = (spans(&plain, &exact)?, spans(&through, &|span| layered.inner_span(span)));
    let found = found.map_err(|fault| format!("values: {layered:?}: {fault}"))?;
    if found != plain_spans {
        return Err(format!("values: {layered:?} has them at {found:?}, and within they are at {plain_spans:?}"));
    }
    // What is behind the root is not read through the layer.
    let is_final = plain.snapshot().root().is_final();
    let end = |finished: &Finished| of(finished).filter(|_| is_final).map_or(u32::MAX, |span| span.end);
    let expected = told(&plain, end(&plain), exact)?;
    let found = told(&through, end(&through), |span| layered.inner_span(span));
    let found = found.map_err(|fault| format!("reports: {layered:?}: {fault}"))?;
    if found != expected {
        return Err(format!("reports: {layered:?} tells {found:?}, and within {expected:?}"));
    }
    Ok(())
}
