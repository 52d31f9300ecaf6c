//! Law 5: valid JSON is never repaired. The input is read as the choices of a generator of valid JSON.
#![no_main]

use arbitrary::{Result, Unstructured};
use jsonrill_fuzz::is_valid;
use jsonrill_fuzz::valid::dialects_agree;

/// Writes a value of random shape, with blanks, escapes and odd but valid spellings.
fn value(from: &mut Unstructured<'_>, depth: u32, out: &mut String) -> Result<()> {
    blank(from, out)?;
    match from.int_in_range(0..=if depth == 0 { 4 } else { 8 })? {
        0 => out.push_str(from.choose(&["null", "true", "false"])?),
        1 | 2 => number(from, out)?,
        3 | 4 => string(from, out)?,
        5 | 6 => {
            out.push('[');
            for index in 0..from.int_in_range(0..=5)? {
                if index > 0 {
                    out.push(',');
                }
                value(from, depth - 1, out)?;
            }
            blank(from, out)?;
            out.push(']');
        }
        _ => {
            out.push('{');
            for index in 0..from.int_in_range(0..=5)? {
                if index > 0 {
                    out.push(',');
                }
                blank(from, out)?;
                string(from, out)?;
                blank(from, out)?;
                out.push(':');
                value(from, depth - 1, out)?;
            }
            blank(from, out)?;
            out.push('}');
        }
    }
    blank(from, out)
}

fn blank(from: &mut Unstructured<'_>, out: &mut String) -> Result<()> {
    out.push_str(from.choose(&["", "", "", "", " ", "\n  ", "\t", "\r\n"])?);
    Ok(())
}

fn number(from: &mut Unstructured<'_>, out: &mut String) -> Result<()> {
    out.push_str(from.choose(&["", "", "-"])?);
    out.push_str(from.choose(&["0", "7", "42", "1234", "18446744073709551616"])?);
    out.push_str(from.choose(&["", "", ".5", ".0", ".000123"])?);
    out.push_str(from.choose(&["", "", "e5", "E-7", "e+10"])?);
    Ok(())
}

fn string(from: &mut Unstructured<'_>, out: &mut String) -> Result<()> {
    // Text that looks like structure, fences, comments and the like must stay text.
    const PARTS: [&str; 32] = [
        "a",
        "key",
        "é",
        "😀",
        " ",
        r"\n",
        r#"\""#,
        r"\\",
        r"\/",
        r"\u00e9",
        r"\ud83d\ude00",
        r"\ud83d",
        r"\u0000",
        ",",
        ":",
        "{",
        "}",
        "[",
        "]",
        "```",
        "```json",
        "<think>",
        "</think>",
        "// no",
        "/* no */",
        "#",
        "'",
        "`",
        "True",
        ", \\\"b\\\": 1",
        "\u{2028}",
        "\u{feff}",
    ];
    out.push('"');
    for _ in 0..from.int_in_range(0..=5)? {
        out.push_str(from.choose(&PARTS)?);
    }
    out.push('"');
    Ok(())
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut from = Unstructured::new(data);
    let mut text = String::new();
    let Ok(size) = from.int_in_range(1..=9) else { return };
    if value(&mut from, 6, &mut text).is_err() {
        return;
    }
    assert!(is_valid(text.as_bytes()), "the generator writes valid JSON: {text}");
    let pieces: Vec<_> = text.as_bytes().chunks(size).collect();
    assert_eq!(dialects_agree(&pieces), Ok(()), "{text}");
});
