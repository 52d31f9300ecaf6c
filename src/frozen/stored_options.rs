//! Options as a checkpoint has them: bytes, one for each choice and four for each limit.

use crate::parser::{Dialect, Duplicates, Expect, Limits, Options, Role, Roots};

/// How many bytes they take.
const LENGTH: usize = 19;

pub(super) fn store(options: Options) -> Vec<u8> {
    let Limits { depth, bytes, nodes } = options.limits;
    let choices = [
        u8::from(options.dialect == Dialect::Lenient),
        match options.roots {
            Roots::One => 0,
            Roots::Last => 1,
            Roots::Many => 2,
        },
        u8::from(options.role == Role::Arguments),
        match options.duplicates {
            Duplicates::First => 0,
            Duplicates::Last => 1,
            Duplicates::Error => 2,
        },
        match options.expect {
            Expect::Any => 0,
            Expect::Object => 1,
            Expect::Array => 2,
        },
        u8::from(options.reasoning_expected),
        u8::from(options.unwrap_string),
    ];
    let limits = [depth, bytes, nodes].into_iter().flat_map(u32::to_le_bytes);
    choices.into_iter().chain(limits).collect()
}

/// Reads what was stored; `None` if nothing stores like that.
pub(super) fn read(stored: &[u8]) -> Option<Options> {
    let stored: &[u8; LENGTH] = stored.try_into().ok()?;
    let [dialect, roots, role, duplicates, expect, reasoning, unwrap, limits @ ..] = *stored;
    let limits: [u8; 12] = limits;
    let mut limits = limits.chunks_exact(4).map(|limit| limit.try_into().map_or(0, u32::from_le_bytes));
    let limits = Limits { depth: limits.next()?, bytes: limits.next()?, nodes: limits.next()? };
    let is_yes = |byte: u8| (byte < 2).then_some(byte == 1);
    let options = Options::new()
        .dialect(if is_yes(dialect)? { Dialect::Lenient } else { Dialect::Strict })
        .roots(*[Roots::One, Roots::Last, Roots::Many].get(usize::from(roots))?)
        .role(if is_yes(role)? { Role::Arguments } else { Role::Answer })
        .duplicates(*[Duplicates::First, Duplicates::Last, Duplicates::Error].get(usize::from(duplicates))?)
        .expect(*[Expect::Any, Expect::Object, Expect::Array].get(usize::from(expect))?)
        .reasoning_expected(is_yes(reasoning)?)
        .unwrap_string(is_yes(unwrap)?)
        .limits(limits);
    // No parser has greater limits.
    (options.limits == limits).then_some(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_read() {
        let options = Options::strict().roots(Roots::Many).role(Role::Arguments).duplicates(Duplicates::Error);
        let options = options.expect(Expect::Array).reasoning_expected(true).unwrap_string(true);
        for options in [Options::new(), options, options.limits(Limits { depth: 3, bytes: 70_000, nodes: 1 })] {
            let stored = store(options);
            assert_eq!(stored.len(), LENGTH);
            assert_eq!(read(&stored), Some(options));
        }
    }

    #[test]
    fn what_nothing_stores_is_not_read() {
        let stored = store(Options::new());
        assert_eq!(read(&stored[1..]), None);
        for at in 0..7 {
            let mut wrong = stored.clone();
            wrong[at] = 3;
            assert_eq!(read(&wrong), None, "{at}");
        }
        let mut deep = stored;
        deep[8] = 3;
        assert_eq!(read(&deep), None);
    }
}
