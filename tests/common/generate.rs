//! Documents as text: valid ones in every spelling, damaged ones, and ones wrapped in what models
//! write around JSON.

use std::fmt;
use std::ops::Deref;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::reference::decode;

/// What a document may hold beyond plain valid JSON.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shape {
    /// `\ud83d` without its other half.
    pub lone_surrogates: bool,
    /// Keys that come twice.
    pub duplicates: bool,
    /// The spellings that only the lenient dialect reads.
    pub messy: bool,
}

/// Valid JSON that `serde_json` reads too.
pub const VALID: Shape = Shape { lone_surrogates: false, duplicates: false, messy: false };
/// Everything that RFC 8259 allows.
pub const ANY_VALID: Shape = Shape { lone_surrogates: true, duplicates: true, messy: false };
/// Raw control characters, invalid escapes and trailing commas.
pub const MESSY: Shape = Shape { lone_surrogates: false, duplicates: false, messy: true };

/// One document in two spellings: in valid JSON, and as a model might write it. They are the same
/// unless the shape is messy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Twin {
    pub clean: String,
    pub messy: String,
}

impl Twin {
    fn same(text: impl Into<String>) -> Self {
        let clean = text.into();
        Self { messy: clean.clone(), clean }
    }

    fn pair(clean: &str, messy: &str) -> Self {
        Self { clean: clean.to_owned(), messy: messy.to_owned() }
    }

    fn push(&mut self, other: &Self) {
        self.clean += &other.clean;
        self.messy += &other.messy;
    }

    fn push_both(&mut self, text: &str) {
        self.clean += text;
        self.messy += text;
    }
}

/// Bytes for a parser, printed as text.
#[derive(Clone, PartialEq, Eq)]
pub struct Input(pub Vec<u8>);

impl fmt::Debug for Input {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "b\"{}\"", self.0.escape_ascii())
    }
}

impl Deref for Input {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl jsonrill::Chunk for Input {
    fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl AsRef<[u8]> for Input {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

// Strategies are boxed: their types are large, and so would be their frames on the stack.

fn blank() -> BoxedStrategy<&'static str> {
    prop_oneof![6 => Just(""), 2 => Just(" "), 1 => select(vec!["\n", "\t", "\r\n  ", "    "])].boxed()
}

/// A stretch of a string's inside.
fn piece(shape: Shape) -> BoxedStrategy<Twin> {
    // Text that means something outside a string, at every level a parser looks at.
    let lookalikes = vec![
        "{", "}", "[", "]", ",", ":", ", ", ": ", ":1", "[1,2]", "{x}", "}]", "null", "true", "-1", "```", "```json",
        "//", "/*", "#", "'", "it's", "<think>", "</think>", "data: ", "  ", "~", "/", "~1",
    ];
    let characters = vec!["é", "日本", "🌶️", "\u{7f}", "\u{2028}", "\u{feff}", "\u{10ffff}", "\u{fffd}", "ß", "𝄞"];
    let escapes = vec![
        r#"\""#,
        r"\\",
        r"\/",
        r"\b",
        r"\f",
        r"\n",
        r"\r",
        r"\t",
        r"\u0000",
        r"\u001f",
        r"\u00e9",
        r"\u00E9",
        r"\u20aC",
        r"\uD83D\uDE00",
        r"\ud834\udd1e",
        r"\uffff",
        r#"\"}"#,
        r#"\","#,
        r#"\": "#,
        r"\\n",
    ];
    let plain = prop_oneof![
        4 => "[a-zA-Z ]{1,8}",
        2 => select(lookalikes).prop_map(str::to_owned),
        2 => select(characters).prop_map(str::to_owned),
        3 => select(escapes).prop_map(str::to_owned),
        1 => any::<char>()
            .prop_filter("needs an escape", |c| !matches!(c, '\0'..' ' | '"' | '\\'))
            .prop_map(String::from),
        1 => any::<char>().prop_map(|c| {
            c.encode_utf16(&mut [0; 2]).iter().fold(String::new(), |text, unit| text + &format!("\\u{unit:04x}"))
        }),
    ]
    .prop_map(Twin::same);
    let lone = select(vec![r"\ud800", r"\uDBFF", r"\udc00", r"\uDFFF", r"\ud83d\ud83d", r"\udE00\uD83D"]);
    let messy = select(vec![
        (r"\n", "\n"),
        (r"\t", "\t"),
        (r"\r\n", "\r\n"),
        (r"\u0001", "\u{1}"),
        (r"\u0000", "\0"),
        (r"\\q", r"\q"),
        (r"\\$", r"\$"),
        (r"\\H", r"\H"),
        (r"\\é", r"\é"),
        ("'", r"\'"),
        (r"\\u00zz", r"\u00zz"),
    ]);
    match shape {
        Shape { messy: true, .. } => {
            prop_oneof![6 => plain, 2 => messy.prop_map(|(clean, messy)| Twin::pair(clean, messy))].boxed()
        }
        Shape { lone_surrogates: true, .. } => prop_oneof![8 => plain, 1 => lone.prop_map(Twin::same)].boxed(),
        _ => plain.boxed(),
    }
}

fn string(shape: Shape, pieces: std::ops::Range<usize>) -> BoxedStrategy<Twin> {
    vec(piece(shape), pieces)
        .prop_map(|pieces| {
            let mut token = Twin::same("\"");
            for piece in &pieces {
                token.push(piece);
            }
            token.push_both("\"");
            token
        })
        .boxed()
}

fn key(shape: Shape) -> BoxedStrategy<Twin> {
    let known = vec!["", "a", "id", "name", "__proto__", "a/b", "m~n", "0", "-1", "constructor", "é"];
    prop_oneof![
        3 => select(known).prop_map(|key| Twin::same(format!("\"{key}\""))),
        2 => string(shape, 1..3),
    ]
    .boxed()
}

/// Every spelling of numbers that a double can hold.
pub fn number() -> BoxedStrategy<String> {
    prop_oneof![
        3 => "-?(0|[1-9][0-9]{0,3})",
        1 => "-?[1-9][0-9]{14,24}",
        2 => "-?(0|[1-9][0-9]{0,5})\\.[0-9]{1,18}",
        2 => "-?(0|[1-9][0-9]{0,5})(\\.[0-9]{1,4})?[eE][+-]?[0-9]{1,2}",
        1 => select(vec!["-0", "-0.0", "0e0", "0E+00", "1.0", "1.50", "9007199254740993", "18446744073709551616"])
            .prop_map(str::to_owned),
    ]
    .boxed()
}

fn scalar(shape: Shape) -> BoxedStrategy<Twin> {
    prop_oneof![
        1 => select(vec!["null", "true", "false"]).prop_map(Twin::same),
        2 => number().prop_map(Twin::same),
        3 => string(shape, 0..5),
    ]
    .boxed()
}

/// `[` or `{`, the entries with commas, and the closer.
fn enclose(brackets: [&str; 2], entries: &[Twin], blank: &str, extra_comma: bool) -> Twin {
    let mut text = Twin::same(brackets[0]);
    text.push_both(blank);
    for (index, entry) in entries.iter().enumerate() {
        if index > 0 {
            text.push_both(",");
        }
        text.push(entry);
    }
    if extra_comma && !entries.is_empty() {
        text.messy.push(',');
        text.messy.push_str(blank);
    }
    text.push_both(brackets[1]);
    text
}

fn extra_comma(shape: Shape) -> BoxedStrategy<bool> {
    if shape.messy { prop::bool::weighted(0.3).boxed() } else { Just(false).boxed() }
}

fn array(
    item: impl Strategy<Value = Twin> + 'static,
    len: std::ops::Range<usize>,
    shape: Shape,
) -> BoxedStrategy<Twin> {
    let entry = (blank(), item, blank()).prop_map(|(before, item, after)| {
        let mut entry = Twin::same(before);
        entry.push(&item);
        entry.push_both(after);
        entry
    });
    (vec(entry, len), blank(), extra_comma(shape))
        .prop_map(|(entries, blank, comma)| enclose(["[", "]"], &entries, blank, comma))
        .boxed()
}

fn object(
    value: impl Strategy<Value = Twin> + 'static,
    len: std::ops::Range<usize>,
    shape: Shape,
) -> BoxedStrategy<Twin> {
    let member = (blank(), key(shape), blank(), blank(), value, blank());
    (vec(member, len), blank(), extra_comma(shape))
        .prop_map(move |(members, blank, comma)| {
            let mut keys: Vec<String> = Vec::new();
            let entries: Vec<Twin> = members
                .into_iter()
                .map(|(before, mut key, colon, space, value, after)| {
                    while !shape.duplicates && keys.contains(&decode(&key.clean)) {
                        for text in [&mut key.clean, &mut key.messy] {
                            text.insert(text.len() - 1, '+');
                        }
                    }
                    keys.push(decode(&key.clean));
                    let mut entry = Twin::same(before);
                    entry.push(&key);
                    entry.push_both(colon);
                    entry.push_both(":");
                    entry.push_both(space);
                    entry.push(&value);
                    entry.push_both(after);
                    entry
                })
                .collect();
            enclose(["{", "}"], &entries, blank, comma)
        })
        .boxed()
}

fn value(shape: Shape) -> BoxedStrategy<Twin> {
    scalar(shape)
        .prop_recursive(4, 20, 4, move |inner| {
            prop_oneof![array(inner.clone(), 0..4, shape), object(inner, 0..4, shape)]
        })
        .boxed()
}

/// More members than an object can have without an index.
fn wide_object(shape: Shape) -> BoxedStrategy<Twin> {
    (vec(scalar(shape), 41..60), any::<Index>())
        .prop_map(move |(values, repeat)| {
            let repeat = repeat.index(values.len());
            let entries: Vec<Twin> = values
                .into_iter()
                .enumerate()
                .map(|(index, value)| {
                    let mut entry = Twin::same(format!("\"k{}\":", index % 41));
                    if index >= 41 && !shape.duplicates {
                        entry = Twin::same(format!("\"k{index}\":"));
                    }
                    if shape.duplicates && index == repeat {
                        entry = Twin::same("\"k0\": ");
                    }
                    entry.push(&value);
                    entry
                })
                .collect();
            enclose(["{", "}"], &entries, "\n", false)
        })
        .boxed()
}

/// Containers within containers, the path down marked by members around it.
fn deep(shape: Shape) -> BoxedStrategy<Twin> {
    (value(shape), vec(0..4_u8, 5..60))
        .prop_map(|(mut twin, levels)| {
            for level in levels {
                let (before, after) = [("[", "]"), ("{\"a\":", "}"), ("[0, ", "]"), ("{\"b\":{},\"a\": ", ",\"c\":1}")]
                    [usize::from(level)];
                for text in [&mut twin.clean, &mut twin.messy] {
                    *text = format!("{before}{text}{after}");
                }
            }
            twin
        })
        .boxed()
}

/// Documents whose root is an object or array, in both spellings.
pub fn twin_containers(shape: Shape) -> BoxedStrategy<Twin> {
    let small = value(shape);
    prop_oneof![
        6 => object(small.clone(), 1..5, shape),
        3 => array(small.clone(), 0..5, shape),
        1 => object(small.clone(), 0..1, shape),
        1 => wide_object(shape),
        1 => array(scalar(shape), 71..80, shape),
        1 => deep(shape),
        1 => array(wide_object(shape), 1..2, shape),
    ]
    .boxed()
}

/// Documents whose root is an object with a member.
pub fn twin_objects(shape: Shape) -> BoxedStrategy<Twin> {
    prop_oneof![8 => object(value(shape), 1..5, shape), 1 => wide_object(shape)].boxed()
}

/// Documents with the root of a container, no blanks around it.
pub fn containers(shape: Shape) -> BoxedStrategy<String> {
    twin_containers(shape).prop_map(|twin| twin.clean).boxed()
}

/// Arrays that in prose would be no sign of an answer.
fn weak(shape: Shape) -> BoxedStrategy<Twin> {
    (scalar(shape), select(vec![("[", "]"), ("[[", "]]"), ("[{}, ", "]"), ("[ [], [", "]]")]))
        .prop_map(|(scalar, (before, after))| {
            let mut text = Twin::same(before);
            text.push(&scalar);
            text.push_both(after);
            text
        })
        .boxed()
}

/// Documents of every kind, blanks around them included.
pub fn documents(shape: Shape) -> BoxedStrategy<String> {
    let root = prop_oneof![8 => twin_containers(shape), 2 => scalar(shape)];
    let root = prop_oneof![8 => root, 1 => weak(shape)];
    (blank(), root, blank()).prop_map(|(before, root, after)| format!("{before}{}{after}", root.clean)).boxed()
}

/// Bytes that do damage somewhere.
const SHARP: &[&[u8]] = &[
    b",",
    b":",
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b"-",
    b".",
    b"e",
    b"0",
    b"1 2",
    b"tru",
    b"nul",
    b"\0",
    b"\n",
    b"\x0c",
    b"'",
    b"/*",
    b"//",
    b"```",
    b"<think>",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xf0\x9f",
    b"\\u",
    b"\\ud83d",
    b"\xef\xbb\xbf",
    b"\"\"",
    b",,",
    b"NaN",
    b"}}",
    b"{\"a\":",
    b"\xc2\xa0",
    b"\xe2\x80\x9c",
    // Full-width `}`, `]`, `:` and `,`.
    b"\xef\xbd\x9d",
    b"\xef\xbc\xbd",
    b"\xef\xbc\x9a",
    b"\xef\xbc\x8c",
];

#[derive(Clone, Debug)]
enum Mutation {
    Delete(Index, usize),
    Insert(Index, &'static [u8]),
    Overwrite(Index, u8),
    Repeat(Index, usize),
    Cut(Index),
}

fn mutation() -> BoxedStrategy<Mutation> {
    let place = any::<Index>;
    prop_oneof![
        3 => (place(), 1..4_usize).prop_map(|(at, len)| Mutation::Delete(at, len)),
        5 => (place(), select(SHARP)).prop_map(|(at, bytes)| Mutation::Insert(at, bytes)),
        1 => (place(), any::<u8>()).prop_map(|(at, byte)| Mutation::Overwrite(at, byte)),
        1 => (place(), 1..20_usize).prop_map(|(at, len)| Mutation::Repeat(at, len)),
        1 => place().prop_map(Mutation::Cut),
    ]
    .boxed()
}

fn apply(bytes: &mut Vec<u8>, mutation: &Mutation) {
    let len = bytes.len();
    match *mutation {
        Mutation::Insert(at, piece) => {
            let at = at.index(len + 1);
            bytes.splice(at..at, piece.iter().copied());
        }
        _ if len == 0 => {}
        Mutation::Delete(at, count) => {
            let at = at.index(len);
            bytes.drain(at..len.min(at + count));
        }
        Mutation::Overwrite(at, byte) => bytes[at.index(len)] = byte,
        Mutation::Repeat(at, count) => {
            let at = at.index(len);
            let piece = bytes[at..len.min(at + count)].to_vec();
            bytes.splice(at..at, piece);
        }
        Mutation::Cut(at) => bytes.truncate(at.index(len)),
    }
}

/// Documents with one to three wounds. A few of them are valid nevertheless.
pub fn damaged() -> BoxedStrategy<Input> {
    (documents(ANY_VALID), vec(mutation(), 1..4))
        .prop_map(|(text, mutations)| {
            let mut bytes = text.into_bytes();
            for mutation in &mutations {
                apply(&mut bytes, mutation);
            }
            Input(bytes)
        })
        .boxed()
}

/// Objects and arrays with wounds behind their first string.
pub fn damaged_behind_start() -> BoxedStrategy<Input> {
    let rest = prop_oneof![2 => damaged(), 1 => soup()];
    let starts = ["{\"a\": ", "{\"a\": \"b", "{\"a\": [\"b\", ", "{\"a", "[\"a\", ", "[\"a", "[\"a\", {\"b\": "];
    (select(starts.to_vec()), rest).prop_map(|(start, rest)| Input([start.as_bytes(), &rest].concat())).boxed()
}

/// Tokens in no order at all.
pub fn soup() -> BoxedStrategy<Input> {
    let token = prop_oneof![
        3 => select(SHARP).prop_map(<[u8]>::to_vec),
        2 => select(vec!["\"a\"", "\"b\": ", "1", "-2.5e3", "true", "null", " ", "{}", "[1]", "[1,2]", "word", "Hi. "])
            .prop_map(|text| text.as_bytes().to_vec()),
        1 => select(vec!["</think>", "<thinking>", "<thi", "</", "``", "~~~", "```json\n", "\n```\n", "\n", "{\"k\": 1}"])
            .prop_map(|text| text.as_bytes().to_vec()),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
    ];
    vec(token, 0..25).prop_map(|tokens| Input(tokens.concat())).boxed()
}

/// A document with a model's manners around it.
#[derive(Clone, Debug)]
pub struct Envelope {
    pub text: String,
    /// The document within, in valid JSON.
    pub clean: String,
}

/// Prose in which nothing looks like a document's begin, fences, think blocks and a BOM around a
/// messy document that is a strong candidate.
pub fn enveloped() -> BoxedStrategy<Envelope> {
    let prose = || {
        select(vec![
            "",
            "Sure! ",
            "Here is the JSON:\n",
            "The answer (final) is: ",
            "Let {x} be `it`.\n",
            "It's \"done\" - ",
            "See [docs](http://a.example/b?c=1) first.\n",
            "日本語の答え：\n",
            "1. one\n2. two\n",
            "a } b ] c\n",
            "Not {}: ",
        ])
    };
    let reasoning = select(vec![
        "",
        "",
        "<think>hm</think>",
        "<think>\nmaybe {\"a\": 1}?\n</think>\n",
        "<thinking>[1,2]</thinking>",
    ]);
    let fence = select(vec![
        ("", ""),
        ("", ""),
        ("```json\n", "\n```"),
        ("```\n", "\n```\n"),
        ("````JSON5 title=\"x\"\n", "\n````\n"),
        ("~~~\n", "\n~~~"),
        ("```json\n", ""),
    ]);
    let after = select(vec!["", "\n", "\nThat is all.", " Replace {foo} with {bar}.", "\nNote: `list[str]`, 1 of 2."]);
    (prop::bool::weighted(0.1), reasoning, prose(), fence, twin_objects(MESSY), after)
        .prop_map(|(bom, reasoning, before, (open, close), twin, after)| {
            let bom = if bom { "\u{feff}" } else { "" };
            // A fence begins a line.
            let gap = if open.is_empty() || before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
            Envelope {
                text: format!("{bom}{reasoning}{before}{gap}{open}{}{close}{after}", twin.messy),
                clean: twin.clean,
            }
        })
        .boxed()
}

/// A document, maybe damaged, that was escaped or quoted as a whole, and maybe damaged again.
fn layered() -> BoxedStrategy<Input> {
    let inner = prop_oneof![
        1 => documents(VALID).prop_map(String::into_bytes),
        2 => damaged().prop_map(|input| input.0),
        1 => enveloped().prop_map(|envelope| envelope.text.into_bytes()),
    ];
    (inner, any::<[bool; 2]>(), vec(mutation(), 0..3))
        .prop_map(|(inner, [doubles, quotes], mutations)| {
            let mut bytes = Vec::new();
            for byte in inner {
                match byte {
                    b'"' if doubles => bytes.extend(b"\"\""),
                    b'"' | b'\\' if !doubles => bytes.extend([b'\\', byte]),
                    b'\n' if !doubles => bytes.extend(b"\\n"),
                    _ => bytes.push(byte),
                }
            }
            if quotes {
                bytes.insert(0, b'"');
                bytes.push(b'"');
            }
            for mutation in &mutations {
                apply(&mut bytes, mutation);
            }
            Input(bytes)
        })
        .boxed()
}

/// Anything that may be fed to a parser.
pub fn anything() -> BoxedStrategy<Input> {
    prop_oneof![
        3 => documents(ANY_VALID).prop_map(|text| Input(text.into_bytes())),
        3 => damaged(),
        3 => enveloped().prop_map(|envelope| Input(envelope.text.into_bytes())),
        2 => (enveloped(), vec(mutation(), 1..3)).prop_map(|(envelope, mutations)| {
            let mut bytes = envelope.text.into_bytes();
            for mutation in &mutations {
                apply(&mut bytes, mutation);
            }
            Input(bytes)
        }),
        2 => soup(),
        2 => layered(),
        1 => vec(documents(VALID), 2..4).prop_map(|texts| Input(texts.join("\n").into_bytes())),
    ]
    .boxed()
}
