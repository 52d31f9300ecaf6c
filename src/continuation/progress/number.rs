//! Numbers as KPIs have them: finite, and written as integers where they are.

use serde::Serializer;

/// A count as a number.
pub(super) fn count(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// The number that a text is, white space around it aside.
pub(super) fn numeric(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// Serialises `50`, not `50.0`.
pub(super) fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match number.to_string().parse::<i64>() {
        Ok(integer) => serializer.serialize_i64(integer),
        Err(_) => serializer.serialize_f64(*number),
    }
}

/// The same, with `null` for none.
#[expect(clippy::ref_option, reason = "serde calls it so")]
pub(super) fn serialize_option<S: Serializer>(number: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match number {
        Some(number) => serialize(number, serializer),
        None => serializer.serialize_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_numbers() {
        for (text, number) in [("12", 12.0), (" 1.5\n", 1.5), ("-3", -3.0), ("1e3", 1000.0), ("007", 7.0)] {
            assert_eq!(numeric(text), Some(number), "{text}");
        }
        for text in ["", " ", "12 items", "1,000", "inf", "NaN", "1e999", "0x10", "½", "--1"] {
            assert_eq!(numeric(text), None, "{text}");
        }
    }

    #[test]
    fn integers_are_written_as_such() {
        let write = |number: f64| {
            let mut out = Vec::new();
            serialize(&number, &mut serde_json::Serializer::new(&mut out)).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!((write(50.0), write(-0.0), write(0.5)), ("50".into(), "0".into(), "0.5".into()));
        assert_eq!(write(9e15), "9000000000000000");
        // As what, depends on the version of serde_json: `1e300` or `1e+300`.
        assert_eq!(serde_json::from_str::<f64>(&write(1e300)).unwrap().to_bits(), 1e300_f64.to_bits());
    }
}
