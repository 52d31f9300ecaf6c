//! Texts made of damaged JSON, and the laws that any text must keep.

use std::fmt;

use arbitrary::{Arbitrary, Result, Unstructured};
use jsonrill::{
    Dialect, Duplicates, End, Expect, Finished, Limits, Options, Outcome, Parser, RepairKind, Role, Roots, Snapshot,
    ValueRef, WarningKind, repair, repair_with,
};

use crate::laws::{Replicas, all_is_kept_or_told, drops_nothing_else, may_become, nothing_is_lost};
use crate::layers::{Layer, reads_alike};
use crate::view::{ending, root, seen, values, view};
use crate::{ENDS, is_valid};

/// How far what is shown of an open string may be behind what was read: the bound, and a little for what is around it.
const LAG: usize = 256 + 64;

/// A text, how it is read, and where it is looked at.
#[derive(Clone)]
pub struct Case {
    pub text: Vec<u8>,
    pub options: Options,
    pub limits: Limits,
    /// Where it is cut, and all views are compared; everywhere if there are none.
    pub places: Vec<usize>,
    /// What else may come behind such a place.
    pub futures: Vec<String>,
}

impl fmt::Debug for Case {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = String::from_utf8_lossy(&self.text);
        write!(formatter, "{text:?} with {:?}", self.options.limits(self.limits))?;
        if self.futures.is_empty() { Ok(()) } else { write!(formatter, ", then {:?}", self.futures) }
    }
}

// ----- making a text -----

/// What may stand anywhere.
pub const TOKENS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ":",
    ",",
    "\"",
    "'",
    "`",
    "“",
    "”",
    "’",
    "«",
    "»",
    "„",
    "´",
    "\"\"\"",
    "'''",
    "\"\"",
    "\\\"",
    "\\",
    "\\\\",
    "\\n",
    "\\u00e9",
    "\\ud83d",
    "\\ude00",
    "\\u12",
    "\\q",
    "\\'",
    "\n",
    "\r\n",
    "\t",
    " ",
    "  ",
    "a",
    "b",
    "key",
    "x y",
    "it's",
    "é",
    "😀",
    "\u{a0}",
    "\u{feff}",
    "：",
    "，",
    "｛",
    "｝",
    "［",
    "］",
    "（",
    "）",
    "、",
    "1",
    "0",
    "-",
    "01",
    "1.5",
    "1,234",
    "12:30",
    "1/2",
    "10%",
    "1.",
    ".5",
    "+1",
    "0x1F",
    "1_000",
    "1e5",
    "1e",
    "-0",
    "true",
    "false",
    "null",
    "True",
    "None",
    "NaN",
    "-Infinity",
    "undefined",
    "tru",
    "nul",
    "TRUE",
    "//",
    "/*",
    "*/",
    "#",
    "/",
    "*",
    "...",
    "…",
    ".",
    ";",
    "=",
    "=>",
    "->",
    "+",
    "|",
    "&",
    "<",
    ">",
    "%",
    "!",
    "?",
    "_",
    "$",
    "@",
    "~",
    "NumberLong(",
    "ISODate(\"",
    "cb(",
    "r'",
    "b\"",
    "f'",
    "u\"",
    "{\"a\":",
    "\"a\"",
    "\"b\":",
    "\"c\": ",
    ", \"k\":",
    ", \"k\": \"",
    ", \"k\": 1",
    "\", \"",
    "\": \"",
    "\",",
    "\"}",
    "\"]",
    "\": ",
    "}{",
    "}, {",
    "][",
    "]}",
    "}]",
    "\" + \"",
    "\"\n+ '",
    "{\\\"a\\\": ",
    "\"{\"\"a\"\": ",
    "\"{\\\"a\\\": ",
    "{'",
    "['",
    "{a: ",
    "{{",
    "}}",
    "{\"",
    "[\"",
    "[1",
    "[{",
    "```",
    "```json\n",
    "~~~\n",
    "<think>",
    "</think>",
    "Here: ",
    "\n\n",
    "http://x.y",
    "#fff",
    "C:\\dir\\",
    "say \"hi\" now",
    "32\" tv",
    "\u{2028}",
    "\u{0}",
    "\u{7f}",
];

/// What stands for a comma, colon and so on, the right one first.
const COMMAS: &[&str] =
    &[",", ",", ", ", ",\n", "", " ", ",,", ";", "，", "\n", ", ...", ", // x\n", " /* , */,", ", }"];
const COLONS: &[&str] = &[":", ":", ": ", "", " ", "=", " => ", "：", "::", ":\n", ": // x\n", "\":"];
const OBJECTS: [&[&str]; 2] =
    [&["{", "{", "{ ", "{\n", "{{", "", "｛", "(", "{,"], &["}", "}", " }", "", "]", "}}", "｝", "}]", ",}"]];
const ARRAYS: [&[&str]; 2] =
    [&["[", "[", "[ ", "[\n", "[[", "", "［", "(", "[,", "{"], &["]", "]", " ]", "", "}", ")", "]]", "］", ",]"]];
const QUOTES: [&[&str]; 2] = [
    &["\"", "\"", "\"", "'", "`", "“", "\"\"\"", "\"\"", "", "r'", "\\\"", "«"],
    &["\"", "\"", "\"", "'", "`", "”", "\"\"\"", "\"\"", "", "\"'", "\\\"", "»"],
];
const TEXTS: &[&str] = &[
    "a",
    "b",
    "Hello, world",
    "",
    " ",
    "it's",
    "say \"hi\" now",
    "32\" tv",
    ", ",
    ",",
    "}",
    "]}",
    "\n",
    "\t",
    "é",
    "“x”",
    "\\n",
    "\\\"",
    "\\",
    "\\u00e9",
    "\\ud83d",
    "\\d",
    "C:\\dir\\",
    "// no",
    "/* no",
    "http://a.b",
    ": ",
    "{x}",
    "1",
    "\", ",
    "'",
    "```",
    "...",
    "x: 1",
    ", \"k\": 1",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];
const SCALARS: &[&str] = &[
    "1",
    "-0",
    "1.5e5",
    "true",
    "false",
    "null",
    "True",
    "None",
    "undefined",
    "NaN",
    "+1",
    ".5",
    "1.",
    "0x1F",
    "1_000",
    "01",
    "1,234",
    "1/2",
    "12:30",
    "10%",
    "10 MB",
    "1.2.3",
    "hello world",
    "x",
    "#fff",
    "http://a.b/c",
    "NumberLong(2)",
    "ISODate(\"2\")",
    "f(x)",
    "f(1, 2)",
    "\"a\" + \"b\"",
    "'a' + \"b\"",
    "",
    "...",
    "-",
    "truex",
    "nul",
    "1e",
    "a.b",
    "-inf",
];

/// Chooses one of them; half the time one of the first two.
fn pick<'a>(from: &mut Unstructured<'_>, all: &[&'a str]) -> Result<&'a str> {
    let few = from.ratio(1, 2)?;
    from.choose(if few { &all[..2] } else { all }).copied()
}

fn quoted(from: &mut Unstructured<'_>, out: &mut String) -> Result<()> {
    let straight = from.ratio(1, 2)?;
    let which = if straight { 0 } else { from.int_in_range(0..=QUOTES[0].len() - 1)? };
    out.push_str(QUOTES[0][which]);
    for _ in 0..from.int_in_range(0..=2)? {
        out.push_str(pick(from, TEXTS)?);
    }
    let odd = from.ratio(1, 6)?;
    out.push_str(if odd { from.choose(QUOTES[1])? } else { QUOTES[1][which] });
    Ok(())
}

fn value(from: &mut Unstructured<'_>, depth: u32, out: &mut String) -> Result<()> {
    if from.ratio(1, 12)? {
        out.push_str(from.choose(TOKENS)?);
    }
    match from.int_in_range(0..=if depth == 0 { 4 } else { 9 })? {
        0 | 1 => out.push_str(from.choose(SCALARS)?),
        2..=4 => quoted(from, out)?,
        5 | 6 => {
            out.push_str(pick(from, ARRAYS[0])?);
            for index in 0..from.int_in_range(0..=3)? {
                if index > 0 {
                    out.push_str(pick(from, COMMAS)?);
                }
                value(from, depth - 1, out)?;
            }
            out.push_str(pick(from, ARRAYS[1])?);
        }
        _ => {
            out.push_str(pick(from, OBJECTS[0])?);
            for index in 0..from.int_in_range(0..=3)? {
                if index > 0 {
                    out.push_str(pick(from, COMMAS)?);
                }
                match from.int_in_range(0..=5)? {
                    0 => out.push_str(from.choose(&["a", "b", "a b", "1", "\"a", "b\"", "", "a-b"])?),
                    1 => quoted(from, out)?,
                    _ => out.push_str(from.choose(&["\"a\"", "\"b\"", "\"c\""])?),
                }
                out.push_str(pick(from, COLONS)?);
                value(from, depth - 1, out)?;
            }
            out.push_str(pick(from, OBJECTS[1])?);
        }
    }
    Ok(())
}

fn text(from: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut out = String::new();
    if from.ratio(1, 6)? {
        out.push_str(from.choose(&[
            "Here: ",
            "```json\n",
            "<think>x</think>\n",
            "\n",
            "\u{feff}",
            "x\n",
            "[1] ",
            "{} ",
        ])?);
    }
    if from.ratio(1, 2)? {
        out.push_str(from.choose(&[
            "{\"a\":",
            "{",
            "[",
            "[1, ",
            "{\"a\": \"",
            "[\"",
            "{\"a\": [",
            "",
            "[{\"a\": \"b",
            "{\"a\": 1, ",
        ])?);
        for _ in 0..from.int_in_range(0..=12)? {
            out.push_str(from.choose(TOKENS)?);
        }
    } else {
        value(from, 3, &mut out)?;
    }
    if from.ratio(1, 12)? {
        // So much that bounds are met.
        let filler =
            from.choose(&["x", " ", "\n", ", ", "}", "\" ", "' ", "a b ", "x, ", "] ", "é", "1", "\"\"", "\\n"])?;
        let wanted = from.int_in_range(1..=300_usize)?;
        let mut at = from.int_in_range(0..=out.len())?;
        while !out.is_char_boundary(at) {
            at -= 1;
        }
        out.insert_str(at, &filler.repeat(wanted / filler.len() + 1));
    }
    if from.ratio(1, 8)? {
        out.push_str(from.choose(&["\n```", "\nDone.", " ok", "\n{\"z\": 1}", "\n[2]", "}", "]", ";", "\n\n"])?);
    }
    let mut out = out.into_bytes();
    if from.ratio(1, 16)? {
        let at = from.int_in_range(0..=out.len())?;
        out.insert(at, *from.choose(b"\xff\xc3\xe2\xf0\x80\x00")?);
    }
    Ok(out)
}

fn options(from: &mut Unstructured<'_>) -> Result<Options> {
    let mut options = Options::new();
    if from.ratio(1, 2)? {
        return Ok(options);
    }
    options = options
        .dialect(if from.ratio(1, 10)? { Dialect::Strict } else { Dialect::Lenient })
        .roots(*from.choose(&[Roots::One, Roots::One, Roots::Last, Roots::Many])?)
        .role(*from.choose(&[Role::Answer, Role::Answer, Role::Arguments])?)
        .duplicates(*from.choose(&[Duplicates::First, Duplicates::First, Duplicates::Last, Duplicates::Error])?)
        .expect(*from.choose(&[Expect::Any, Expect::Any, Expect::Object, Expect::Array])?)
        .reasoning_expected(from.ratio(1, 6)?)
        .unwrap_string(from.ratio(1, 4)?)
        .keep_source(from.ratio(3, 4)?);
    Ok(options)
}

fn limits(from: &mut Unstructured<'_>) -> Result<Limits> {
    if from.ratio(11, 12)? {
        return Ok(Limits::default());
    }
    Ok(Limits::new()
        .depth(from.int_in_range(1..=4)?)
        .bytes(from.int_in_range(1..=60)?)
        .nodes(from.int_in_range(1..=8)?))
}

impl<'a> Arbitrary<'a> for Case {
    fn arbitrary(from: &mut Unstructured<'a>) -> Result<Self> {
        let (options, limits) = (options(from)?, limits(from)?);
        let text = text(from)?;
        let places = (0..6).map(|_| from.int_in_range(0..=text.len())).collect::<Result<_>>()?;
        let mut futures = Vec::new();
        for _ in 0..4 {
            let mut future = String::new();
            for _ in 0..from.int_in_range(1..=4)? {
                future.push_str(from.choose(TOKENS)?);
            }
            futures.push(future);
        }
        Ok(Self { text, options, limits, places, futures })
    }
}

// ----- checking it -----

/// A document as it was seen: its number, and what was shown.
type Shot = (u32, Snapshot);

impl Case {
    /// Where the text may be cut in a character.
    fn limit(&self) -> usize {
        self.limits.bytes as usize
    }

    fn replaces(&self) -> bool {
        self.options == self.options.duplicates(Duplicates::Last)
    }

    fn parser(&self) -> Parser {
        Parser::with_options(self.options.limits(self.limits))
    }

    /// The laws, each fault with the name of what it breaks before a colon.
    pub fn check(&self) -> std::result::Result<(), String> {
        let everywhere: Vec<usize>;
        let places = if self.places.is_empty() {
            everywhere = (0..=self.text.len()).collect();
            &everywhere
        } else {
            &self.places
        };
        self.whole_and_bytewise(places)?;
        self.pieces(places)?;
        self.endings(places)?;
        self.valid_is_untouched()?;
        self.source_or_none()?;
        self.through_layers()?;
        self.dropped()?;
        self.repaired()
    }

    /// Byte by byte: laws 1 at the places, 2, 3, 4, 8 at every byte.
    fn whole_and_bytewise(&self, places: &[usize]) -> std::result::Result<(), String> {
        let mut parser = self.parser();
        let mut replicas = Replicas::default();
        let mut last: Option<Shot> = None;
        let mut shots: Vec<(Snapshot, crate::view::Seen)> = Vec::new();
        for at in 0..=self.text.len() {
            if at > 0 {
                let update = parser.feed([self.text[at - 1]]);
                replicas.apply(&update).map_err(|fault| format!("deltas: at {at}: {fault}"))?;
                let shot = (update.document(), update.snapshot().clone());
                if let Some(last) = &last {
                    self.grows(last, &shot).map_err(|fault| format!("{fault}: at {at}"))?;
                }
                last = Some(shot);
            }
            if !places.contains(&at) {
                continue;
            }
            let bytewise = view(&mut parser);
            let mut whole = self.parser();
            whole.push(&self.text[..at]);
            let update = whole.update();
            let shot = (update.document(), update.snapshot().clone());
            let at_once = view(&mut whole);
            if bytewise != at_once {
                return Err(format!("chunking: at {at}: {}", differ(&bytewise, &at_once)));
            }
            well_formed(&shot.1, &self.text[..at], self.limit(), self.replaces())
                .map_err(|fault| format!("spans: at {at}: {fault}"))?;
            sorted(at_once.repairs.0.iter().map(|repair| repair.1), &self.text[..at], self.limit())
                .map_err(|fault| format!("repairs: at {at}: {fault}"))?;
            for future in &self.futures {
                let mut other = self.parser();
                other.push(&self.text[..at]);
                let update = other.feed(future);
                self.grows(&shot, &(update.document(), update.snapshot().clone()))
                    .map_err(|fault| format!("{fault}: at {at}, then {future:?}"))?;
            }
            self.bounded(at, &shot).map_err(|fault| format!("lag: at {at}: {fault}"))?;
            if shots.len() < 8 {
                shots.push((shot.1.clone(), seen(&shot.1)));
            }
        }
        for (snapshot, was) in &shots {
            if seen(snapshot) != *was {
                return Err(format!("stands still: {:?} became {snapshot}", was.display));
            }
        }
        Ok(())
    }

    /// Laws 2 and 4 between two snapshots, if they are of one document.
    fn grows(&self, old: &Shot, new: &Shot) -> std::result::Result<(), String> {
        if old.0 != new.0 || self.replaces() {
            return Ok(());
        }
        may_become(old.1.root(), new.1.root()).map_err(|fault| format!("grows: {fault}"))
    }

    /// Cut at each place in two, and at all places: law 1.
    fn pieces(&self, places: &[usize]) -> std::result::Result<(), String> {
        let mut whole = self.parser();
        whole.push(&self.text);
        let at_once = view(&mut whole);
        for at in places {
            let mut parser = self.parser();
            let mut replicas = Replicas::default();
            for piece in [&self.text[..*at], &self.text[*at..]] {
                replicas.apply(&parser.feed(piece)).map_err(|fault| format!("deltas: cut at {at}: {fault}"))?;
            }
            let cut = view(&mut parser);
            if cut != at_once {
                return Err(format!("chunking: cut at {at}: {}", differ(&cut, &at_once)));
            }
        }
        let mut cuts = places.to_vec();
        cuts.sort_unstable();
        let mut parser = self.parser();
        let mut from = 0;
        for at in cuts {
            parser.push(&self.text[from..at]);
            from = at;
        }
        parser.push(&self.text[from..]);
        let cut = view(&mut parser);
        if cut != at_once {
            return Err(format!("chunking: cut at {places:?}: {}", differ(&cut, &at_once)));
        }
        Ok(())
    }

    /// Ended at each place, for each reason: laws 1, 2, 3, 4, 6.
    fn endings(&self, places: &[usize]) -> std::result::Result<(), String> {
        for at in places.iter().copied().chain([self.text.len()]) {
            let text = &self.text[..at];
            for end in ENDS {
                let mut whole = self.parser();
                let mut replicas = Replicas::default();
                let update = whole.feed(text);
                let before = (update.document(), update.snapshot().clone());
                replicas.apply(&update).map_err(|fault| format!("deltas: at {at}: {fault}"))?;
                let finished = whole.finish(end);
                replicas.apply(finished.update()).map_err(|fault| format!("deltas: {end:?} at {at}: {fault}"))?;
                self.grows(&before, &(finished.update().document(), finished.snapshot().clone()))
                    .map_err(|fault| format!("{fault}: {end:?} at {at}"))?;
                let mut bytewise = self.parser();
                for byte in text {
                    bytewise.push([*byte]);
                }
                let bytewise = bytewise.finish(end);
                let (one, other) = (ending(&bytewise), ending(&finished));
                if one != other {
                    return Err(format!("chunking at end: {end:?} at {at}: {one:?} is not {other:?}"));
                }
                self.ended(&finished, text).map_err(|fault| format!("{fault} ({end:?} at {at})"))?;
            }
        }
        Ok(())
    }

    fn ended(&self, finished: &Finished, text: &[u8]) -> std::result::Result<(), String> {
        well_formed(finished.snapshot(), text, self.limit(), self.replaces())
            .map_err(|fault| format!("spans: at the end: {fault}"))?;
        for document in finished.documents() {
            well_formed(&document.snapshot, text, self.limit(), self.replaces())
                .map_err(|fault| format!("spans: document: {fault}"))?;
        }
        sorted(finished.repairs().iter().map(|repair| repair.span), text, self.limit())
            .map_err(|fault| format!("repairs: {fault}"))?;
        sorted(finished.warnings().iter().map(|warning| warning.span), text, self.limit())
            .map_err(|fault| format!("warnings: {fault}"))?;
        let is_one = self.options == self.options.roots(Roots::One);
        let is_limited = self.limits != Limits::default();
        // A quote around the root is outside it, and a repair.
        let is_quoted = finished.repairs().iter().any(|repair| repair.kind == RepairKind::EscapedDocument);
        if is_one && !is_limited && !is_quoted {
            nothing_is_lost(finished, text).map_err(|fault| format!("tiles: {fault}"))?;
        }
        let drops = finished.warnings().iter().any(|warning| warning.kind == WarningKind::DuplicateKey);
        if is_one
            && !drops
            && finished.cut().is_none()
            && finished.error().is_none()
            && let Ok(text) = std::str::from_utf8(text)
            // What a half or doubled escape means is not for that law to know.
            && !text.contains("\\u")
            && !text.contains("\\\\")
        {
            all_is_kept_or_told(finished, text).map_err(|fault| format!("lost: {fault}"))?;
        }
        let is_whole = matches!(finished.outcome(), Outcome::Complete | Outcome::Repaired);
        if is_whole && finished.cut().is_some() {
            return Err(format!("outcome: {:?} with a cut: {:?}", finished.outcome(), finished.cut()));
        }
        if finished.is_complete() && !finished.snapshot().root().is_final() {
            return Err("outcome: complete, and the root is not final".to_owned());
        }
        Ok(())
    }

    /// Law 5.
    fn valid_is_untouched(&self) -> std::result::Result<(), String> {
        let options = self.options;
        let plain = options == options.roots(Roots::One)
            && options == options.role(Role::Answer)
            && options == options.expect(Expect::Any)
            && options == options.unwrap_string(false)
            && options == options.reasoning_expected(false);
        if !plain || self.limits != Limits::default() || !is_valid(&self.text) {
            return Ok(());
        }
        let [strict, lenient] = [Dialect::Strict, Dialect::Lenient].map(|dialect| {
            let mut parser = Parser::with_options(self.options.dialect(dialect));
            parser.push(&self.text);
            parser.finish(End::Unknown)
        });
        if strict.outcome() != lenient.outcome()
            || root(strict.snapshot()) != root(lenient.snapshot())
            || !lenient.repairs().is_empty()
            || !lenient.skipped().is_empty()
        {
            return Err(format!(
                "valid: {:?} {} is not {:?} {} ({:?} {:?})",
                strict.outcome(),
                strict.snapshot(),
                lenient.outcome(),
                lenient.snapshot(),
                lenient.repairs(),
                lenient.skipped()
            ));
        }
        Ok(())
    }

    /// Whether the source is kept changes no reading.
    fn source_or_none(&self) -> std::result::Result<(), String> {
        let [one, other] = [true, false].map(|keep| {
            let mut parser = Parser::with_options(self.options.limits(self.limits).keep_source(keep));
            parser.push(&self.text);
            let finished = parser.finish(End::Unknown);
            (root(finished.snapshot()), finished.outcome(), finished.repairs().clone())
        });
        if one == other { Ok(()) } else { Err(format!("source: {one:?} with it, {other:?} without")) }
    }

    /// The text as a value that is dropped, if it has none of the names that tell the one from the other.
    fn dropped(&self) -> std::result::Result<(), String> {
        match std::str::from_utf8(&self.text) {
            Ok(text) if !text.contains("1st") && !text.contains("2nd") => drops_nothing_else(text),
            _ => Ok(()),
        }
    }

    /// Escaped or quoted as a whole, the text reads as it does, with all at its place.
    fn through_layers(&self) -> std::result::Result<(), String> {
        [Layer::Escaped, Layer::Doubled].into_iter().try_for_each(|layer| {
            reads_alike(&self.text, layer, false, End::Unknown).map_err(|fault| format!("layer: {fault}"))
        })
    }

    /// What [`repair`] gives is JSON and is not repaired again.
    fn repaired(&self) -> std::result::Result<(), String> {
        let lines = repair_with(&self.text, self.options.roots(Roots::Many), End::Unknown);
        for line in lines.text().lines().filter(|line| !line.trim_ascii().is_empty()) {
            if serde_json::from_str::<serde::de::IgnoredAny>(line).is_err() {
                return Err(format!("repair: a line is not JSON: {line:?}"));
            }
        }
        let repaired = repair(&self.text);
        if !repaired.snapshot().is_started() {
            return if repaired.text().is_empty() { Ok(()) } else { Err(format!("repair: {:?}", repaired.text())) };
        }
        let Ok(parsed) = serde_json::from_str::<serde::de::IgnoredAny>(repaired.text()).map(|_| ()) else {
            return Err(format!("repair: not JSON: {:?}", repaired.text()));
        };
        let () = parsed;
        let mut strict = Parser::strict();
        strict.push(repaired.text());
        let strict = strict.finish(End::Unknown);
        if root(strict.snapshot()) != root(repaired.snapshot()) {
            return Err(format!("repair: {:?} is not {}", repaired.text(), repaired.snapshot()));
        }
        let again = repair(repaired.text());
        if again.text() != repaired.text() || again.outcome() != Outcome::Complete {
            return Err(format!("repair: again: {:?} is not {:?}", again.text(), repaired.text()));
        }
        Ok(())
    }

    /// What is shown of an open string is not far behind.
    fn bounded(&self, at: usize, shot: &Shot) -> std::result::Result<(), String> {
        let Some(path) = shot.1.open_path() else { return Ok(()) };
        let length = |snapshot: &Snapshot| {
            let value = snapshot.at(path.as_str());
            value.as_str().filter(|_| !value.is_final()).map(str::len)
        };
        let Some(before) = length(&shot.1) else { return Ok(()) };
        for filler in ["x", "a ", ", ", "} ", "\" ", "\" a", " ", "\n", "' b", "{", "\", ", "”, ", "x\"y"] {
            let more = filler.repeat(600 / filler.len());
            let mut parser = self.parser();
            parser.push(&self.text[..at]);
            parser.push(&more);
            let update = parser.update();
            if update.document() != shot.0 || update.error().is_some() {
                continue;
            }
            if let Some(after) = length(update.snapshot())
                && update.snapshot().open_path().as_deref() == Some(path.as_str())
                && after + LAG < before + more.len()
            {
                return Err(format!("{after} of {} bytes are shown behind {filler:?}", before + more.len()));
            }
        }
        Ok(())
    }
}

/// Says where two views differ.
fn differ(one: &crate::view::View, other: &crate::view::View) -> String {
    let parts = |view: &crate::view::View| {
        let seen = &view.seen;
        [
            ("shows", seen.display.clone()),
            ("states", format!("{:?}", seen.states)),
            ("spans", format!("{:?}", seen.spans)),
            ("open", format!("{:?}", seen.open)),
            ("outside", format!("{:?}", seen.outside)),
            ("text", seen.text.clone()),
            ("repairs", format!("{:?}", view.repairs)),
            ("warnings", format!("{:?}", view.warnings)),
            ("error", format!("{:?}", view.error)),
            ("all", format!("{view:?}")),
        ]
    };
    let pairs = parts(one).into_iter().zip(parts(other));
    let Some(((what, one), (_, other))) = pairs.into_iter().find(|(one, other)| one != other) else {
        return "nothing".to_owned();
    };
    format!("{what} {one}, and whole {other}")
}

/// Spans lie in the text, in order, each within that of its parent, on character boundaries.
fn well_formed(snapshot: &Snapshot, text: &[u8], limit: usize, is_replaced: bool) -> std::result::Result<(), String> {
    // A member that is replaced keeps its place among the others, and not that in the text.
    for value in values(snapshot) {
        let Some(span) = value.span() else { return Err(format!("{} has no span", value.path())) };
        let range = span.range();
        if range.start > range.end || range.end > text.len() {
            return Err(format!("{}: {range:?} of {}", value.path(), text.len()));
        }
        if let Ok(text) = std::str::from_utf8(text)
            && range.end != limit
            && text.get(range.clone()).is_none()
        {
            return Err(format!("{}: {range:?} is in a character", value.path()));
        }
        let mut end = range.start;
        for child in value.elements() {
            let inner = child.span().map_or(0..0, |span| span.range());
            if (inner.start < end && !is_replaced) || inner.end > range.end {
                return Err(format!("{}: {inner:?} in {range:?} behind {end}", child.path()));
            }
            end = inner.end;
        }
        exact(value)?;
    }
    Ok(())
}

/// A value is where its path says.
fn exact(value: ValueRef<'_>) -> std::result::Result<(), String> {
    if value.number_text().is_some_and(|text| serde_json::from_str::<serde::de::IgnoredAny>(text).is_err()) {
        return Err(format!("{} is no number: {:?}", value.path(), value.number_text()));
    }
    Ok(())
}

/// Reports lie in the text, by where they begin, on character boundaries.
fn sorted(spans: impl Iterator<Item = jsonrill::Span>, text: &[u8], limit: usize) -> std::result::Result<(), String> {
    let mut start = 0;
    for span in spans {
        let range = span.range();
        if range.start < start || range.end < range.start || range.end > text.len() {
            return Err(format!("{range:?} behind {start} in {}", text.len()));
        }
        if let Ok(text) = std::str::from_utf8(text)
            && range.end != limit
            && text.get(range.clone()).is_none()
        {
            return Err(format!("{range:?} is in a character"));
        }
        start = range.start;
    }
    Ok(())
}
