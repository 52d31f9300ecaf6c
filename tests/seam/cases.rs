//! The pairs and longer runs of rounds that the experiment tries.

use std::fmt;

use jsonrill::End;

use crate::common::tree::Tree;
use crate::cuts::{Cut, State, cuts};
use crate::documents::Document;
use crate::head::Head;
use crate::random::Random;
use crate::styles::{
    Body, Doubt, OTHER_INTRODUCTIONS, OTHER_REFUSALS, REFUSALS, WRAPS, Wanted, Wrap, bodies, going_on, rest, up_to,
};
use crate::syntax::Syntax;

pub struct Case {
    pub document: String,
    pub state: State,
    pub style: &'static str,
    pub wrap: Wrap,
    /// The first answer, as far as it came.
    pub first: String,
    /// What came when it was asked to go on.
    pub responses: Vec<String>,
    pub end: End,
    pub wanted: Wanted,
    /// What is shown of the first answer alone.
    pub shown: Option<Tree>,
    pub doubt: Option<Doubt>,
    /// The kinds of the last seam that are right.
    pub kinds: &'static [&'static str],
    /// All of the document as text, where the responses join to it as text.
    pub joined: Option<String>,
}

impl fmt::Display for Case {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { document, state, style, wrap, first, responses, doubt, .. } = self;
        writeln!(formatter, "── {style}, {wrap:?}; {document}, cut {state:?}; doubt {doubt:?}")?;
        let tail = first.char_indices().rev().nth(600).map_or(0, |(at, _)| at);
        let elided = if tail > 0 { "[…]" } else { "" };
        // One line each.
        let line = |text: &str| text.replace('\n', "⏎").replace('\r', "␍").replace('\t', "⇥");
        writeln!(formatter, "first:  {elided}{}⟂", line(&first[tail..]))?;
        for response in responses {
            let head = response.char_indices().nth(900).map_or(response.len(), |(at, _)| at);
            let elided = if head < response.len() { "[…]" } else { "" };
            writeln!(formatter, "next:   {}{elided}", line(&response[..head]))?;
        }
        Ok(())
    }
}

/// All cases of a document.
pub fn cases(document: &Document, index: usize) -> Vec<Case> {
    let seed = 7000 + index as u64;
    let cuts = cuts(&document.syntax, seed);
    let each = |(number, cut): (usize, &Cut)| of_cut(document, *cut, &mut Random::new(seed * 100 + number as u64));
    cuts.iter().enumerate().flat_map(each).collect()
}

fn of_cut(document: &Document, cut: Cut, random: &mut Random) -> Vec<Case> {
    let head = Head::new(&document.syntax, cut.at);
    let mut cases = Vec::new();
    for body in bodies(&head, random) {
        let wrapped = *random.pick(&WRAPS[1..]);
        for wrap in [Wrap::Bare, wrapped] {
            cases.push(single(document, cut, &head, &body, wrap, random));
        }
    }
    let plain = rest(&head);
    let plain = plain.clone().judged(&head, plain.text.len());
    let mut other = single(document, cut, &head, &plain, Wrap::Bare, random);
    other.style = "rest, other introductions";
    other.responses = vec![format!("{}{}", random.pick(&OTHER_INTRODUCTIONS), plain.text)];
    other.wrap = Wrap::Prose;
    cases.push(other);
    for (style, texts) in
        [("empty", &["", "\n"][..]), ("refusal", &REFUSALS[..]), ("refusal, other words", &OTHER_REFUSALS[..])]
    {
        let text = *random.pick(texts);
        let kinds: &[&str] = if style == "empty" { &["empty"] } else { &["refused"] };
        let mut case = single(document, cut, &head, &plain, Wrap::Bare, random);
        case.responses = vec![text.to_owned()];
        case.style = style;
        (case.wanted, case.kinds, case.doubt, case.end, case.joined) = (Wanted::Old, kinds, None, End::Truncated, None);
        cases.push(case);
        let mut case = single(document, cut, &head, &plain, Wrap::Bare, random);
        case.responses.insert(0, text.to_owned());
        case.style = match style {
            "empty" => "empty, then the rest",
            "refusal" => "refusal, then the rest",
            _ => continue,
        };
        cases.push(case);
    }
    for style in ["two rounds", "three rounds", "cut in the seam"] {
        cases.extend(several(document, cut, style, random));
    }
    cases
}

fn single(document: &Document, cut: Cut, head: &Head<'_>, body: &Body, wrap: Wrap, random: &mut Random) -> Case {
    let (before, after) = wrap.around(random);
    let joined = body.repeat.filter(|_| body.is_plain).map(|repeat| format!("{}{}", head.text(), &body.text[repeat..]));
    Case {
        document: document.name.clone(),
        state: cut.state,
        style: body.style,
        wrap,
        first: head.text().to_owned(),
        responses: vec![format!("{before}{}{after}", body.text)],
        end: if random.percent(50) { End::Unknown } else { End::Stopped },
        wanted: body.wanted.clone(),
        shown: head.shown.clone(),
        doubt: body.doubt,
        kinds: body.kinds,
        joined,
    }
}

/// Rounds that are cut again, and a last one that is whole.
fn several(document: &Document, cut: Cut, style: &'static str, random: &mut Random) -> Option<Case> {
    let cut_rounds = if style == "three rounds" { 2 } else { 1 };
    let first_head = Head::new(&document.syntax, cut.at);
    let shown = first_head.shown.clone();
    let mut syntax = document.syntax.clone();
    let mut at = cut.at;
    let mut responses = Vec::new();
    let mut doubt = None;
    let mut wrap = Wrap::Bare;
    for _ in 0..cut_rounds {
        let head = Head::new(&syntax, at);
        let in_seam = style == "cut in the seam";
        let body = (0..20)
            .map(|_| going_on(&head, random))
            .find(|body| !in_seam || body.repeat.is_some_and(|repeat| repeat > 1))?;
        let repeat = body.repeat.expect("it goes on");
        // What ends before the document does.
        let whole = body.text.trim_end().len() - 1;
        if whole <= repeat + 1 && !in_seam {
            return None;
        }
        let range = if in_seam { 1..repeat } else { repeat + 1..whole };
        let end = up_to(&body.text, random.within(range.clone())..range.end);
        let body = body.judged(&head, end);
        doubt = doubt.or(body.doubt);
        wrap = if random.percent(50) { Wrap::Bare } else { *random.pick(&WRAPS) };
        responses.push(format!("{}{}", wrap.around(random).0, &body.text[..end]));
        if end > repeat {
            let next = format!("{}{}", head.text(), &body.text[repeat..]);
            at += end - repeat;
            syntax = Syntax::of(next);
        }
    }
    let head = Head::new(&syntax, at);
    let body = going_on(&head, random);
    let length = body.text.len();
    let body = body.judged(&head, length);
    let last_wrap = if random.percent(50) { Wrap::Bare } else { *random.pick(&WRAPS) };
    let mut case = single(document, cut, &head, &body, last_wrap, random);
    document.syntax.text[..cut.at].clone_into(&mut case.first);
    case.responses.splice(0..0, responses);
    case.style = style;
    case.shown = shown;
    case.wrap = wrap.max(last_wrap);
    case.doubt = doubt.or(body.doubt);
    Some(case)
}
