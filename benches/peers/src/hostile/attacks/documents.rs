//! The log: depth, keys, duplicates, many documents.

use super::times;
use crate::attack::{Attack, again};

pub fn all() -> Vec<Attack> {
    [deep(), names(), duplicates(), many()].into_iter().flatten().collect()
}

fn deep() -> Vec<Attack> {
    let alternating = times("[{\"a\":", 255);
    let closed = format!("{}1{}, ", times("{\"a\":[", 250), times("]}", 250));
    vec![
        again("arrays in arrays, beyond the limit", "depth", "", "["),
        again("objects in objects, beyond the limit", "depth", "", "{\"a\":"),
        again("objects and arrays in turn, beyond the limit", "depth", "", "[{\"a\":"),
        again("the same in prose", "depth of what is prose", "So ", "[ "),
        again("500 levels opened and closed", "depth, again and again", "[", closed),
        again(
            "500 levels in strict",
            "depth, again and again",
            "[",
            format!("{}1{}, ", times("[", 500), times("]", 500)),
        )
        .strict(),
        again("small values at depth 511", "the open path at each feed", format!("{alternating}["), "1,"),
        again("a string at depth 511", "the open path at each feed", format!("{alternating}[\""), "text "),
        again("members at depth 511", "paths of 511 steps", format!("{alternating}{{"), "\"k\": {}, "),
        again("repairs at depth 511", "what is open is asked for at each", format!("{alternating}["), "'a' b: } "),
        again("objects and no key in them", "objects that are held", "[", "{"),
        again("objects in arrays, not shown yet", "objects that are held", "", "[{"),
    ]
}

/// An object with members that `name` makes.
fn object(size: usize, name: impl Fn(usize) -> String) -> Vec<u8> {
    let mut text = "{".to_owned();
    let mut number = 0;
    while text.len() < size {
        text.push_str(if number == 0 { "\"" } else { ",\"" });
        text.push_str(&name(number));
        text.push_str("\":1");
        number += 1;
    }
    text.push('}');
    text.into_bytes()
}

fn names() -> Vec<Attack> {
    vec![
        Attack::made("many names", "the index of members", |size| object(size, |number| format!("k{number}"))),
        Attack::made("many names that begin alike", "names are compared, and hashed", |size| {
            object(size, |number| format!("{}{number}", "k".repeat(200)))
        }),
        Attack::made("many names that differ in the middle", "names of one quick hash", |size| {
            object(size, |number| format!("headhead{number:08}tailtail"))
        }),
        again("small objects whose names differ in the middle", "the same, below the size of the index", "[", {
            let names = (0..32).map(|number| format!("\"headhead{number:02}tailtail\":1"));
            format!("{{{}}},", names.collect::<Vec<_>>().join(","))
        }),
        again("a name without end", "a key", "{\"", "k"),
        Attack::made("a name of half the text, and small members in it", "paths with a long name", |size| {
            format!("{{\"{}\":[{}", "k".repeat(size / 2), "{\"x\":1},".repeat(size / 16)).into_bytes()
        }),
        again("names of a kilobyte", "keys", "{", format!("\"{}\":1,", times("k", 1000))),
        again("empty names", "keys", "{", "\"\":1,"),
        again("`__proto__`", "keys are data", "{", "\"__proto__\":{\"constructor\":"),
    ]
}

fn duplicates() -> Vec<Attack> {
    let value = format!("\"k\":[{}1],", times("{\"x\":1},", 20));
    vec![
        again("one name again and again", "duplicates", "{", "\"k\":0,"),
        again("one name again and again, in strict", "duplicates", "{", "\"k\":0,").strict(),
        again("one name with values", "duplicates whose values are read and dropped", "{", value.clone()),
        again("one name with the same value, in arguments", "duplicates that are compared", "{", value.clone())
            .arguments(),
        again("one name in itself", "duplicates in duplicates", "{\"k\":0,", "\"k\":{"),
        again("one name replaced again and again", "members that are replaced", "{", "\"k\":0,").replacing(),
        again("two names replaced in turn", "members that are replaced", "{", "\"k\":1,\"l\":[2],").replacing(),
        again("values replaced", "members that are replaced", "{", value).replacing(),
        again("names replaced in objects of an array", "members that are replaced", "[", "{\"k\":1,\"k\":[2]},")
            .replacing(),
        Attack::made("many names, and all of them again", "duplicates in the index", |size| {
            let half = |count| (0..count).map(|number| format!("\"key{number}\":1,")).collect::<String>();
            let half = half(size / 24);
            format!("{{{half}{half}").into_bytes()
        }),
        Attack::made("many names, and all of them replaced", "duplicates in the index", |size| {
            let half = |count| (0..count).map(|number| format!("\"key{number}\":1,")).collect::<String>();
            let half = half(size / 24);
            format!("{{{half}{half}").into_bytes()
        })
        .replacing(),
        Attack::made("a large value, and small ones of its name", "duplicates that are compared", |size| {
            let large = "1,".repeat(size / 4);
            format!("{{\"k\":[{large}1],{}", "\"k\":[1],".repeat(size / 16)).into_bytes()
        })
        .arguments(),
    ]
}

fn many() -> Vec<Attack> {
    vec![
        again("small documents", "documents by the million", "", "{\"a\":[1]}\n").many(),
        again("small documents, in strict", "documents by the million", "", "{\"a\":[1]}\n").many().strict(),
        again("empty documents", "documents by the million", "", "{}").many(),
        again("scalars in lines", "documents by the million", "", "1\n").many(),
        again("half scalars in lines", "scalars that are none", "", "tru\n\"a x\n").many(),
        again("weak roots behind words", "roots that are prose", "", "x [1] ").many(),
        again("documents of which the last is wanted", "documents that are replaced", "", "{\"a\":[1]}\n").last_root(),
        again("documents that are not closed", "documents left open", "", "{\"a\":[1\n").many(),
        again("small values", "nodes", "[", "1,"),
        again("small values, in strict", "nodes", "[", "1,").strict(),
        again("empty strings", "nodes", "[", "\"\","),
        again("empty objects", "nodes", "[", "{},"),
    ]
}
